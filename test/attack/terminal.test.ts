/**
 * Every command with hostile stored texts, names, paths and words: nothing of them drives the
 * terminal or the log.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../../src/cli/commands/index.ts';
import { createPrinter, jsonText, oneLine } from '../../src/cli/printable.ts';
import { run } from '../../src/cli/run.ts';
import { createContextEngine } from '../../src/index.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const COMMANDS = await loadCommands();

const HOSTILE =
  '\u001b[31mEVIL\u001b]0;owned\u0007\u0008\r\n::error::EVIL\u009b2J\u007f\u202e\u2028tail';
/** What a file may be called. */
const HOSTILE_NAME = `\u001b[31mEVIL\u0007\n::error::EVIL\u009b2J.yaml`;
const profile = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;

let cwd = '';
let scope = '';
let composition = '';
let proposal = '';
let fact = '';
/** A fact of a scope of its own, so that what is forgotten is not what the others read. */
let stored = '';

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'terminal-'));
  mkdirSync(join(cwd, 'manifests'));
  mkdirSync(join(cwd, 'hostile'));
  writeFileSync(
    join(cwd, 'manifests/notes.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note, description: ${JSON.stringify(HOSTILE)} }
spec: { layers: { system: { text: ${JSON.stringify(HOSTILE)} }, recent: {}, open_set: {} } }
`,
  );
  writeFileSync(
    join(cwd, 'hostile', HOSTILE_NAME),
    `kind: ${JSON.stringify(HOSTILE)}\n${JSON.stringify(HOSTILE)}: 1\n`,
  );
  writeFileSync(
    join(cwd, 'hostile', HOSTILE_NAME.replace('.yaml', '.ts')),
    `import { composeBlockContext } from 'contextengine';
export const a = composeBlockContext({ manifest: 'notes', intent: ${JSON.stringify(HOSTILE)} });`,
  );
  const engine = await createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    manifests: [join(cwd, 'manifests')],
    permission_profile: profile,
  });
  const made = await engine.scopes.create({ type: 'note', title: HOSTILE });
  scope = made.scope_block_uuid;
  await engine.append(made.scope_block_uuid, [{ role: 'user', content: HOSTILE, author: HOSTILE }]);
  await engine.remember(made.scope_block_uuid, { content: HOSTILE, subject: HOSTILE });
  const other = await engine.scopes.create({ type: 'note', title: HOSTILE });
  const kept = await engine.remember(other.scope_block_uuid, { content: `kept ${HOSTILE}` });
  stored = kept.receipts[0]?.root_uuid ?? '';
  fact = (await engine.history(scope).catch(() => [])).at(0)?.row.root_uuid ?? scope;
  const composed = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: HOSTILE,
    permission_profile: profile,
  });
  composition = composed.composition_id;
  const agent = { ...profile, principal: HOSTILE.slice(0, 200), kind: 'agent' } as const;
  const proposed = await engine.remember(
    made.scope_block_uuid,
    { content: HOSTILE, subject: HOSTILE },
    { permission_profile: agent },
  );
  proposal = proposed.proposal?.proposal_uuid ?? '';
  await engine.principals.set({ principal: agent.principal, kind: 'agent', scopes: '*' });
  await engine.close();
}, 600_000);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Words of each command; every command of the table has some. */
const CALLS: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  demo: () => [[HOSTILE]],
  init: () => [[HOSTILE], ['a b', `--${HOSTILE}`]],
  validate: () => [
    ['manifests', 'hostile'],
    ['manifests', 'hostile', '--format', 'github'],
    ['manifests', 'hostile', '--format', 'sarif'],
    ['manifests', 'hostile', '--json'],
    ['manifests', '--code', 'hostile'],
    [HOSTILE],
  ],
  fmt: () => [['manifests', 'hostile', '--check'], [HOSTILE]],
  schema: () => [[HOSTILE], []],
  generate: () => [['--check'], [HOSTILE]],
  plan: () => [[], [HOSTILE]],
  migrate: () => [['--database-url', HOSTILE]],
  scope: () => [['list'], ['show', scope], ['show', scope, '--json'], ['show', HOSTILE]],
  ingest: () => [[HOSTILE], [join('hostile', HOSTILE_NAME), '--scope', scope]],
  remember: () => [
    [HOSTILE, '--scope', scope],
    [HOSTILE, '--scope', scope, '--category', HOSTILE],
    [HOSTILE],
  ],
  compose: () => [
    ['--scope', scope, '--intent', 'follow_up', '--query', HOSTILE, '--trace'],
    ['--scope', scope, '--intent', 'follow_up', '--query', HOSTILE, '--json'],
    ['--scope', scope, '--intent', HOSTILE],
  ],
  explain: () => [
    [composition],
    [composition, '--json'],
    [HOSTILE],
    ['latest'],
    ['latest', '--scope', HOSTILE],
    [HOSTILE, '--scope', HOSTILE],
  ],
  replay: () => [[composition], ['latest'], [HOSTILE]],
  history: () => [[fact], [fact, '--json'], [HOSTILE]],
  capture: () => [['--scope', scope], ['--scope', HOSTILE], [HOSTILE]],
  work: () => [[], [HOSTILE]],
  upkeep: () => [
    [],
    ['--dry-run'],
    ['--scope', scope, '--dry-run'],
    ['--scope', HOSTILE],
    [HOSTILE],
  ],
  rebuild: () => [[HOSTILE], ['archive', HOSTILE]],
  costs: () => [[], ['--prices'], ['--scope', scope, '--from', HOSTILE], [HOSTILE]],
  facts: () => [
    ['list', '--scope', scope],
    ['list', '--scope', scope, '--json'],
    ['list', '--subject', HOSTILE],
    ['list', '--after', HOSTILE],
    ['get', stored],
    ['history', stored],
    ['search', HOSTILE, '--scope', scope],
    ['update', stored, HOSTILE, '--reason', HOSTILE],
    ['get', HOSTILE],
    [HOSTILE],
  ],
  core: () => [
    ['show', '--scope', scope],
    ['show', '--scope', scope, '--json'],
    ['add', HOSTILE, '--scope', scope],
    ['edit', HOSTILE, '--scope', scope],
    ['drop', HOSTILE, '--scope', scope],
    ['show', '--scope', HOSTILE],
    [HOSTILE],
  ],
  correct: () => [[stored, HOSTILE], [stored, HOSTILE, '--json'], [HOSTILE, HOSTILE], [HOSTILE]],
  undo: () => [[stored], [stored, '--json', '--reason', HOSTILE], [HOSTILE]],
  forget: () => [
    ['--subject', 'nobody of this name'],
    ['--text', HOSTILE],
    ['--scope', HOSTILE],
    [HOSTILE],
  ],
  erase: () => [['--list'], ['--verify', '--text', HOSTILE], [HOSTILE]],
  export: () => [['--scope', scope], [HOSTILE]],
  import: () => [[HOSTILE]],
  approvals: () => [
    ['list'],
    ['show', proposal],
    ['show', proposal, '--json'],
    ['approve', proposal, '--key', HOSTILE],
    ['approve', HOSTILE],
    ['reject', proposal],
    ['list', '--all'],
    [HOSTILE],
  ],
  principals: () => [
    ['list'],
    ['list', '--json'],
    ['add', HOSTILE.slice(0, 200), '--kind', HOSTILE],
    ['add', 'carol', '--kind', 'human', '--tier', HOSTILE],
    ['key', HOSTILE.slice(0, 200), '--public', HOSTILE],
    ['disable', HOSTILE.slice(0, 200)],
    [HOSTILE],
  ],
  audit: () => [['list'], ['list', '--json'], ['verify'], ['verify', '--head', HOSTILE], [HOSTILE]],
  doctor: () => [[], ['--json'], ['--data-dir', HOSTILE]],
  eval: () => [[HOSTILE], ['gate', '--baseline', HOSTILE]],
};

/** Escapes of colours, as `styleText` writes them. */
const COLOURS = /\u001b\[\d+m/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
/** What these print is a text for a model: lines of it may begin with anything. */
const PRINTS_DATA = ['compose', 'replay'];

/** A refusal of the words alone would say nothing about what is stored. */
const READS_STORED = [
  'facts',
  'scope',
  'remember',
  'compose',
  'explain',
  'replay',
  'export',
  'approvals',
  'principals',
  'audit',
];

describe('the terminal', () => {
  it('has a case for every command', () => {
    expect(Object.keys(CALLS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it.each(COMMANDS.map(({ name }) => name))(
    '%s',
    async (name) => {
      const calls = CALLS[name]?.() ?? [];
      expect(calls.length).toBeGreaterThan(0);
      const codes: number[] = [];
      for (const words of calls) {
        const terminal = memoryTerminal({ cwd, hasColours: true });
        codes.push(await run([name, ...words], terminal));
        const written = terminal.output() + terminal.errors();
        expect(written.length).toBeGreaterThan(0);
        expect(written).not.toContain('\u001b[31mEVIL');
        expect(CONTROL.exec(written.replace(COLOURS, ''))).toBeNull();
        if (PRINTS_DATA.includes(name)) continue;
        expect(written.split('\n').filter((line) => /^\s*::error::/.test(line))).toEqual([]);
      }
      if (READS_STORED.includes(name)) expect(codes).toContain(0);
    },
    120_000,
  );
});

describe('the printer', () => {
  it('sends its own colours and nobody else’s', () => {
    const printer = createPrinter();
    const other = createPrinter();
    const sent = printer.clean(
      `${printer.paint('red', `a${HOSTILE}`)} ${other.paint('red', 'b')} ${HOSTILE}`,
    );
    expect(sent.match(COLOURS)).toEqual(['\u001b[31m', '\u001b[39m']);
    expect(CONTROL.test(sent.replace(COLOURS, ''))).toBe(false);
  });

  it('keeps the value of JSON, and one line one line', () => {
    expect(JSON.parse(jsonText({ [HOSTILE]: HOSTILE }))).toEqual({ [HOSTILE]: HOSTILE });
    expect(oneLine(HOSTILE)).not.toMatch(/\n/);
  });
});
