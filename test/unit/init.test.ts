import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import { loadCommands } from '../../src/cli/commands/index.ts';
import { WORKFLOW_PATH, workflowTemplate } from '../../src/cli/init/workflow.ts';
import { manifestTemplate } from '../../src/cli/manifest-template.ts';
import { run } from '../../src/cli/run.ts';
import { formatManifest } from '../../src/manifest/format.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { readRepositoryFile } from '../support/source-files.ts';

const COMMANDS = await loadCommands();

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-init-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const ran = async (...words: string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};
const text = (path: string) => readFileSync(join(cwd, path), 'utf8');
const EDITOR = '.vscode/settings.json';

describe('init', () => {
  it('writes what editors and CI need', async () => {
    const { code, out } = await ran('init', 'notes', '--json');
    expect([code, JSON.parse(out).created]).toEqual([
      0,
      ['manifests/notes.yaml', 'contextengine.config.json', '.gitignore', EDITOR, WORKFLOW_PATH],
    ]);
    expect(text('manifests/notes.yaml').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../node_modules/contextengine/manifests/schema/v1.json',
    );
  });

  it('associates the schema that the package carries with the manifests', async () => {
    await ran('init', 'notes');
    const [[schema, files]] = Object.entries(JSON.parse(text(EDITOR))['yaml.schemas']) as [
      [string, string[]],
    ];
    expect(files).toContain('manifests/**/*.yaml');
    const { name, files: carried } = JSON.parse(readRepositoryFile('package.json').text);
    const inside = schema.replace(`./node_modules/${name}/`, '');
    expect(carried).toContain(inside.split('/')[0]);
    expect(JSON.parse(readRepositoryFile(inside).text).title).toContain('manifest');
  });

  it('keeps settings and a workflow that are there, byte for byte, and says what to add', async () => {
    const settings = '{\n  // mine\n  "editor.tabSize": 3,\n}\n';
    for (const folder of ['.vscode', '.github/workflows'])
      mkdirSync(join(cwd, folder), { recursive: true });
    writeFileSync(join(cwd, EDITOR), settings);
    writeFileSync(join(cwd, WORKFLOW_PATH), 'mine');
    const { out } = await ran('init', 'notes');
    expect([text(EDITOR), text(WORKFLOW_PATH)]).toEqual([settings, 'mine']);
    expect(out).toMatch(/kept {3}\.vscode\/settings\.json {2}\(add "yaml\.schemas": \{.*v1\.json/);
    writeFileSync(
      join(cwd, EDITOR),
      '{ "yaml.schemas": { "node_modules/contextengine/manifests/schema/v1.json": ["ctx/*.yaml"] } }',
    );
    expect((await ran('init', 'notes')).out).not.toContain('add "yaml.schemas"');
  });

  it('writes nothing anew the second time', async () => {
    await ran('init', 'notes');
    expect(JSON.parse((await ran('init', 'notes', '--json')).out).created).toEqual([]);
  });

  it('leaves editors and CI alone with --bare', async () => {
    expect(JSON.parse((await ran('init', 'notes', '--bare', '--json')).out).created).toEqual([
      'manifests/notes.yaml',
      'contextengine.config.json',
      '.gitignore',
    ]);
  });

  it('writes a manifest that is formatted, and that nothing is found in', async () => {
    const written = manifestTemplate('notes', 'notebook');
    expect(formatManifest(written, 'notes.yaml')).toEqual({ text: written });
    await ran('init', 'notes', '--scope-type', 'notebook');
    expect(JSON.parse((await ran('validate', '--json')).out)).toMatchObject({
      ok: true,
      findings: [],
    });
    expect((await ran('fmt', '--check')).code).toBe(0);
  });
});

describe('the workflow', () => {
  const steps: { run?: string; uses?: string }[] = parse(workflowTemplate('src')).jobs.manifests
    .steps;
  const commands = steps.flatMap(
    ({ run: command = '' }) => /^npx contextengine (.*)$/.exec(command)?.[1] ?? [],
  );

  it('checks out, installs, and runs four checks', () => {
    expect(steps.map(({ uses }) => uses?.split('@')[0]).filter(Boolean)).toEqual([
      'actions/checkout',
      'actions/setup-node',
    ]);
    expect(steps.some(({ run: command }) => command === 'npm ci')).toBe(true);
    expect(steps.some(({ run: command }) => command?.endsWith('typescript@6'))).toBe(true);
    expect(commands.map((command) => command.split(' ')[0])).toEqual([
      'validate',
      'fmt',
      'generate',
      'plan',
    ]);
  });

  it.each(commands)('runs a command that there is: %s', (line) => {
    const [name, ...words] = line.split(' ');
    const command = COMMANDS.find((known) => known.name === name);
    expect(command).toBeDefined();
    if (command) expect(() => parseCommandLine(command, words)).not.toThrow();
  });

  it('looks for code in src where there is one', async () => {
    mkdirSync(join(cwd, 'src'));
    await ran('init', 'notes');
    expect(text(WORKFLOW_PATH)).toContain('validate --code src ');
  });
});
