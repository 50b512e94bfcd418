import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inLock } from '../../src/cli/lock-file.ts';
import { run } from '../../src/cli/run.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { checkLock, formatLock, LOCK_FILE, lockOf, parseLock } from '../../src/manifest/lock.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { ROOT, readRepositoryFile } from '../support/source-files.ts';

let cwd = '';
const file = (name: string): string => join(cwd, 'manifests', name);
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lock-'));
  cpSync(join(ROOT, 'manifests'), join(cwd, 'manifests'), { recursive: true });
  rmSync(file(LOCK_FILE), { force: true });
});
afterEach(() => rmSync(cwd, { recursive: true }));

const load = () => loadManifests({ paths: [join(cwd, 'manifests')] });
const lockText = (): string => formatLock(lockOf(load(), (path) => inLock(file(LOCK_FILE), path)));
const edit = (
  name: string,
  from: string | RegExp,
  to: string | ((was: string) => string),
): void => {
  const text = readFileSync(file(name), 'utf8');
  const edited = typeof to === 'string' ? text.replace(from, to) : text.replace(from, to);
  if (edited === text) throw new Error(`${name} has no ${from}`);
  writeFileSync(file(name), edited);
};
/** Where a manifest that ships says its version. */
const versionLine = (name: string): number =>
  readFileSync(file(name), 'utf8')
    .split('\n')
    .findIndex((line) => /^ {2}version:/.test(line)) + 1;
/** `code file:line words` of what is found after an edit. */
const foundAfter = (change: () => void): readonly string[] => {
  const text = lockText();
  change();
  return checkLock(load(), { text, file: 'the.lock' }).map(
    ({ code, file: path, line, message }) =>
      `${code} ${path.slice(cwd.length + 11)}:${line} ${message}`,
  );
};

describe('the lock', () => {
  it('holds nothing against manifests that are as they were locked', () => {
    expect(foundAfter(() => undefined)).toEqual([]);
  });

  it('finds a manifest that changed while its version did not, at the version, and says what changed', () => {
    expect(foundAfter(() => edit('chat-session.yaml', 'limit: 12', 'limit: 6'))).toEqual([
      `MANIFEST.VERSION_UNCHANGED chat-session.yaml:${versionLine('chat-session.yaml')} The manifest \`chat-session\` differs from the locked one, and both have the version \`5\`: \`layers.recent.limit\` \`12\` → \`6\`.`,
    ]);
  });

  it('counts further changes, and tells words that no composition depends on', () => {
    const [many] = foundAfter(() =>
      edit(
        'chat-session.yaml',
        /total_tokens: 4000([\s\S]*)safety: 192/,
        'total_tokens: 5000$1safety: 200',
      ),
    );
    expect(many).toMatch(/: `budget\.reserve\.safety` `192` → `200` and 1 more\.$/);
    const [words] = foundAfter(() =>
      edit('book-gen.yaml', 'Drafting and checking', 'Writing and checking'),
    );
    expect(words).toMatch(/book-gen\.yaml:\d+ .*: only in words that no composition depends on\.$/);
  });

  it('takes comments, layout and the order of keys for no change of the manifest, only of the file', () => {
    const found = foundAfter(() => {
      edit('chat-session.yaml', /recent: +\{ limit: 12 \}/, 'recent: { limit:     12 } # turns');
      edit('book-gen.yaml', /overfetch: 1, rank: 3|rank: 3, overfetch: 1/, (was) =>
        was.split(', ').reverse().join(', '),
      );
      edit('collections/agent-run-state.yaml', '{ type: int }', '\n      type: int');
    });
    expect(found.map((line) => line.replace(/:\d+ The/, ' The'))).toEqual([
      'MANIFEST.LOCK_BEHIND agent-run.yaml The manifest `agent-run` differs from the locked one in comments or layout alone.',
      'MANIFEST.LOCK_BEHIND book-gen.yaml The manifest `book-gen` differs from the locked one in comments or layout alone.',
      'MANIFEST.LOCK_BEHIND chat-session.yaml The manifest `chat-session` differs from the locked one in comments or layout alone.',
      'MANIFEST.LOCK_BEHIND collections/agent-run-state.yaml The collection `agent_run_state` differs from the locked one in comments or layout alone.',
    ]);
  });

  it('finds a file and a collection that a manifest names', () => {
    expect(foundAfter(() => edit('core/agent-run.md', /$/, '\nOne more rule.\n'))[0]).toMatch(
      /^MANIFEST\.VERSION_UNCHANGED agent-run\.yaml:\d+ .*`layers\.core\.file\.content` `\d+ characters/,
    );
    const found = foundAfter(() =>
      edit('collections/chat-user-profile.yaml', 'imperial]', 'imperial, nautical]'),
    );
    expect(found.map((line) => line.replace(/`:.*/, ''))).toEqual([
      expect.stringMatching(/^MANIFEST\.VERSION_UNCHANGED chat-session\.yaml:\d+ /),
      expect.stringMatching(
        /^MANIFEST\.VERSION_UNCHANGED collections\/chat-user-profile\.yaml:1 The collection `chat_user_profile`/,
      ),
    ]);
  });

  it('warns of a version that it does not know, and of a manifest that it does not know', () => {
    expect(foundAfter(() => edit('chat-session.yaml', /version: 5\b/, 'version: 6'))).toEqual([
      `MANIFEST.LOCK_BEHIND chat-session.yaml:${versionLine('chat-session.yaml')} The manifest \`chat-session\` has the version \`6\`, the lock \`5\`.`,
    ]);
    const [renamed] = foundAfter(() =>
      edit('book-gen.yaml', 'name: book-gen', 'name: constructor'),
    );
    expect(renamed).toMatch(/^MANIFEST\.LOCK_BEHIND .* `constructor` is not in the lock\.$/);
  });

  it('says nothing of what is in the lock and was not loaded', () => {
    const text = lockText();
    expect(checkLock({ manifests: [], collections: {} }, { text, file: 'the.lock' })).toEqual([]);
  });

  it.each([
    ['<<<<<<< ours\n', 'The lock file cannot be read.'],
    ['[]', 'The lock file cannot be read.'],
    [
      '{"version":1,"manifests":{"a":{"version":1}},"collections":{}}',
      'The lock file cannot be read.',
    ],
    [
      '{"version":2,"manifests":{},"collections":{}}',
      'The lock has the version `2`; this one reads `1`.',
    ],
  ])('refuses what is no lock: %j', (text, message) => {
    const parsed = parseLock(text, 'the.lock');
    expect(parsed).toMatchObject({
      findings: [{ code: 'MANIFEST.LOCK_INVALID', file: 'the.lock', message }],
    });
  });

  it('reads back what it wrote', () => {
    const text = lockText();
    const parsed = parseLock(text, 'the.lock');
    expect('lock' in parsed && formatLock(parsed.lock)).toBe(text);
    expect(Object.keys(JSON.parse(text).manifests)).toEqual([
      'agent-run',
      'book-gen',
      'chat-session',
    ]);
  });
});

describe('validate', () => {
  const validated = async (...words: string[]) => {
    const terminal = memoryTerminal({ cwd });
    return { code: await run(['validate', ...words], terminal), out: terminal.output() };
  };

  it('holds a folder to its lock where there is one, a single file to none', async () => {
    expect((await validated()).code).toBe(0);
    writeFileSync(file(LOCK_FILE), lockText());
    expect((await validated()).code).toBe(0);
    edit('chat-session.yaml', 'limit: 12', 'limit: 6');
    const { code, out } = await validated();
    expect([code, out]).toEqual([
      4,
      expect.stringMatching(/^manifests\/chat-session\.yaml:\d+:12 {2}error .*VERSION_UNCHANGED/),
    ]);
    expect((await validated('manifests/chat-session.yaml')).code).toBe(0);
    edit('chat-session.yaml', /version: 5\b/, 'version: 6');
    expect(await validated()).toMatchObject({
      code: 0,
      out: expect.stringContaining('MANIFEST.LOCK_BEHIND'),
    });
  });
});

describe('the lock of this repository', () => {
  it('is current: raise the version of a manifest that changed, and run `contextengine plan --write`', () => {
    const set = loadManifests({ paths: [join(ROOT, 'manifests')] });
    const { text } = readRepositoryFile('manifests/manifests.lock.json');
    expect(checkLock(set, { text, file: 'manifests/manifests.lock.json' })).toEqual([]);
    const parsed = parseLock(text, 'manifests/manifests.lock.json');
    const names = (lock: object): readonly string[] =>
      Object.values(lock).flatMap((entries) => Object.keys(entries));
    expect('lock' in parsed && names(parsed.lock)).toEqual(names(lockOf(set, (path) => path)));
  });
});
