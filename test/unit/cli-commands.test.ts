import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-commands-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const ran = async (...words: string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

describe('hints', () => {
  const byNpx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'contextengine'" };
  const hinted = async (env: Readonly<Record<string, string>>, ...words: string[]) => {
    const terminal = memoryTerminal({ cwd, env });
    await run(words, terminal);
    return `${terminal.output()}${terminal.errors()}`;
  };

  it('name the command as it was run', async () => {
    expect(await hinted(byNpx, 'composee')).toContain('Run `npx contextengine help`');
    expect(await hinted(byNpx, 'init', 'a')).toContain('  npx contextengine validate\n');
    const others = [{}, { ...byNpx, npm_lifecycle_script: 'vitest' }];
    for (const env of others) expect(await hinted(env, 'composee')).not.toContain('npx');
  });
});

it('says what another tool calls a command', async () => {
  expect((await ran('lint')).err).toContain('Did you mean `validate`?');
  expect((await ran('delete')).err).toContain('Did you mean `forget`?');
  expect((await ran('toString')).err).not.toContain('Did you mean');
});

describe('init', () => {
  it('writes a manifest that validates, the settings and the ignore line', async () => {
    writeFileSync(join(cwd, '.gitignore'), 'node_modules');
    const { code, out } = await ran('init', 'support-thread', '--bare', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        created: ['manifests/support-thread.yaml', 'contextengine.config.json', '.gitignore'],
        kept: [],
        next: [
          'contextengine validate',
          'contextengine generate && contextengine plan --write',
          'contextengine ingest PATH --scope-type support_thread',
        ],
      },
    ]);
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('node_modules\n.contextengine/\n');
    expect(JSON.parse((await ran('validate', '--json')).out)).toMatchObject({
      ok: true,
      findings: [],
      manifests: [
        {
          name: 'support-thread',
          version: '1',
          scope_block_type: 'support_thread',
          file: 'manifests/support-thread.yaml',
        },
      ],
    });
  });

  it('overwrites nothing', async () => {
    mkdirSync(join(cwd, 'manifests'));
    writeFileSync(join(cwd, 'manifests', 'notes.yaml'), 'mine');
    writeFileSync(join(cwd, '.gitignore'), '/.contextengine/\n');
    expect(JSON.parse((await ran('init', 'notes', '--bare', '--json')).out)).toMatchObject({
      created: ['contextengine.config.json'],
      kept: ['manifests/notes.yaml', '.gitignore'],
    });
    expect(readFileSync(join(cwd, 'manifests', 'notes.yaml'), 'utf8')).toBe('mine');
  });

  it('refuses a name that is none', async () => {
    expect(await ran('init', 'My Feature')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`My Feature` is not a name for a feature.'),
    });
  });
});

describe('validate', () => {
  it('prints findings as file:line:column and leaves with 4', async () => {
    mkdirSync(join(cwd, 'manifests'));
    writeFileSync(
      join(cwd, 'manifests', 'a.yaml'),
      'apiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: a, version: 1, scope_block_type: a }\nspec:\n  layers: { recnt: {} }\n',
    );
    const { code, out } = await ran('validate');
    expect(code).toBe(4);
    expect(out).toMatch(
      /^manifests\/a\.yaml:5:13 {2}error {2}.*`recnt`.*\n {4}.*recent.*\n[\s\S]*\d errors?/,
    );
    const json = JSON.parse((await ran('validate', 'manifests/a.yaml', '--json')).out);
    expect(json).toMatchObject({
      ok: false,
      findings: [{ severity: 'error', file: 'manifests/a.yaml', line: 5, column: 13 }],
    });
  });

  it('says when a path is not there', async () => {
    expect(await ran('validate', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no file or folder `nowhere`.'),
    });
  });
});

describe('flags that a command cannot do without', () => {
  it.each([
    [['compose', '--intent', 'fact', '--query', 'x'], '`--scope` is missing.'],
    [['compose', '--scope', 'x', '--query', 'x'], '`--intent` is missing.'],
    [['compose', '--scope', 'x', '--intent', 'y', '--format', 'yaml'], '`--format` is `yaml`.'],
    [['compose', '--scope', 'x', '--intent', 'y', '--input', 'novalue'], '`--input` is `novalue`.'],
    [['scope', 'create'], '`--type` is missing.'],
    [['scope', 'shwo'], '`scope shwo` does not exist.'],
    [['scope', 'show'], '`scope show` needs a scope.'],
    [['remember', 'x'], '`--scope` is missing.'],
    [['remember', '--scope', 'x'], 'There is nothing to remember.'],
    [['remember', '--scope', 'x', '--set', 'a=b'], '`--set` is `a=b`.'],
    [['remember', '--scope', 'x', '--set', 'a.b=c'], '`--subject` is missing.'],
    [
      ['remember', '--scope', 'x', '--set', 'a.b=c', '--class', 'rule'],
      '`--class` is for facts, `--set` for typed values.',
    ],
    [
      ['remember', '--scope', 'x', 'y', '--importance', 'high'],
      '`--importance` is `high`, not a number.',
    ],
    [['export'], '`--scope` is missing.'],
    [['ingest', 'x.jsonl'], '`--scope-type` is missing.'],
    [
      ['ingest', 'x.jsonl', '--scope', 'u', '--inherits', 'v'],
      '`--inherits` is for a new scope, `--scope` names an existing one.',
    ],
    [['ingest', 'x.jsonl', '--scope-type', 'a', '--as', 'pdf'], '`--as` is `pdf`.'],
    [['import', 'nowhere.jsonl'], '`nowhere.jsonl` is not a file with lines.'],
  ])('%j', async (words, message) => {
    const { code, out, err } = await ran(...words);
    expect([code, out, err.split('\n')[0]]).toEqual([2, '', `error  ${message}`]);
  });

  it('a database by URL needs a profile, before anything is opened', async () => {
    expect(
      await ran(
        'compose',
        '--scope',
        'x',
        '--intent',
        'fact',
        '--database-url',
        'postgres://nobody@127.0.0.1:1/none',
      ),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('PERMISSION.PROFILE_MISSING'),
    });
  });
});
