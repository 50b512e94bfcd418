/** `ingest`: files into a scope, as often as one likes. */

import type { Committed, Totals } from '../../ingest/batches.ts';
import { addTotals, NO_TOTALS } from '../../ingest/batches.ts';
import { openSource } from '../../ingest/open-source.ts';
import type { AdapterName, Source } from '../../ingest/record.ts';
import { ADAPTERS } from '../../ingest/record.ts';
import type { ScopeRequest, Written } from '../../ingest/write-source.ts';
import { checkSources, scopeOf, writeSource } from '../../ingest/write-source.ts';
import { required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { notice, printJson, printTable, printText, remark } from '../output.ts';
import { jsonText, oneLine } from '../printable.ts';
import { barOf } from '../progress-bar.ts';
import { composeCommand, servedInstead } from '../served-types.ts';
import type { Session } from '../session.ts';
import { withWritingEngine } from '../session.ts';
import { formatMs, withCommas } from '../table.ts';
import { createProgress } from '../terminal.ts';

export const ingestCommand: Command = {
  name: 'ingest',
  summary:
    'store conversations, documents or facts in a scope; running it again adds only what is new',
  takes: { usage: 'PATH', min: 1, max: 1 },
  usesLedger: true,
  flags: {
    'scope-type': {
      type: 'string',
      value: 'TYPE',
      help: 'block type of the scope, what a manifest names as scope_block_type',
    },
    scope: { type: 'string', value: SCOPE_VALUE, help: 'uuid or key of a scope to write to' },
    title: { type: 'string', value: 'TEXT', help: 'a name for people, of a new scope' },
    inherits: {
      type: 'string',
      value: SCOPE_VALUE,
      isMultiple: true,
      help: 'uuid or key of an outer scope that a new scope reads from',
    },
    as: {
      type: 'string',
      value: 'KIND',
      help: `what PATH is: ${ADAPTERS.join(', ')}; else seen from its name and beginning`,
    },
    source: {
      type: 'string',
      value: 'NAME',
      help: 'the name that PATH is known by from run to run',
    },
    jsonl: { type: 'boolean', help: 'print a receipt line after each committed batch' },
  },
  notes: `
What it reads
  .jsonl     one turn a line: {"role", "content", "author"?, "occurred_at"? or "timestamp"?,
             "metadata"?, …}; keys that it does not know are kept in the metadata. Without either,
             the time is what "createdAt", "time", "ts" or "date" holds, if it is one. Times without
             a zone are UTC.
  folder     every .md and .txt below it: a document each, cut into chunks of about 240 tokens by
             headings, fenced code and paragraphs, 48 tokens of overlap; a small file is one chunk.
             Its class is its front matter's "class" or "type", else seen from its path: lesson,
             retro, design, process, pull-request, index. Its date is its front matter's, that of
             its name, or of its last commit, else when the file was written; "ttl" ends it
             (2026-05-15, 30d). Each "- [Title](file.md): hook" of a MEMORY.md is an entry.
  .md .txt   one such document.
  --as scripts   the first comments of the scripts below a folder.
  .json      LoCoMo conversations (a scope each, the result is a list), or {"facts", "typed"}.
  -          standard input, of any of these.
  UTF-8 only. A turn holds at most 1 MB, a document 4 MB. Everything is checked before anything
  is written.

What counts as the same
  scope      Without --scope it is found again by tenant, scope type and the name of PATH: its last
             part, so that it may move; --source gives another name. For a conversation also by its
             first turn, so that two files of one name are two conversations.
  turn       The same source, role, author, time and content, and the same place among its equals:
             the second "ok" is a turn of its own, however often the file is read. An appended file
             adds its tail. A turn without a time keeps the time at which it was first seen; one
             whose metadata changed stays as it was first stored.
  document   The same path below the source. Same bytes: nothing happens. Other bytes: the document
             gets a new version, its new chunks are added and those that are gone end; nothing is
             overwritten. A file that was removed stays in the ledger, and is named at the end.
  fact       The same source and the same entry.
`,
  examples: [
    'contextengine ingest chat.jsonl --scope-type chat_session',
    'contextengine ingest docs/ --scope-type project --source handbook',
    'cat turns.jsonl | contextengine ingest - --scope 0190a2b4-… --jsonl',
  ],
  run,
};

interface Ingested extends Written {
  readonly scope_block_uuid: string;
}

async function run(call: Call): Promise<ExitCode> {
  const started = call.terminal.now();
  const request = readRequest(call);
  const opened = await openSource({
    path: call.positionals[0] ?? '',
    adapter: adapterOf(call),
    name: call.flags.text('source'),
    terminal: call.terminal,
  });
  const isMany = opened.adapter === 'locomo';
  try {
    if (request.scope !== undefined && opened.sources.length > 1) {
      throw usageError(
        `\`${call.positionals[0] ?? ''}\` holds ${opened.sources.length} conversations, ` +
          '`--scope` names one scope.',
        'Leave `--scope` out and give `--scope-type`: each conversation gets a scope.',
      );
    }
    const isQuiet = call.isJson || call.flags.isOn('jsonl');
    const progress = createProgress(call.terminal, isQuiet);
    const records = await checkSources(opened.sources, (count) =>
      progress.update(`checking  ${withCommas(count)} record${count === 1 ? '' : 's'}`),
    );
    let next = '';
    const results = await withWritingEngine(call, async (session) => {
      const { engine } = session;
      const uuidOf = (given: string): Promise<string> => givenScope(engine, given);
      const named = {
        ...request,
        scope: request.scope === undefined ? undefined : await uuidOf(request.scope),
        inherits: await Promise.all(request.inherits.map(uuidOf)),
      };
      const written = await writeAll(opened.sources, {
        call,
        session,
        request: named,
        records,
        progress,
      });
      next = await nextStep(engine, { ...request, uuid: written[0]?.scope_block_uuid ?? '' });
      return written;
    }).finally(() => progress.end());
    if (call.isJson && !call.flags.isOn('jsonl'))
      await printJson(call, isMany ? results : results[0]);
    const leftOut = opened.sources.flatMap((source) => source.leftOut ?? []);
    const ms = call.terminal.now() - started;
    if (!isQuiet) await printResults(call, results, { ms, next, leftOut });
    return 0;
  } finally {
    await opened.close();
  }
}

function readRequest(call: Call): Omit<ScopeRequest, 'tenant'> {
  const scope = call.flags.text('scope');
  const inherits = call.flags.texts('inherits');
  if (scope !== undefined && inherits.length > 0)
    throw usageError(
      '`--inherits` is for a new scope, `--scope` names an existing one.',
      'Leave one of them out.',
    );
  return {
    scope,
    inherits,
    title: call.flags.text('title'),
    type:
      scope === undefined
        ? required(call.flags, 'scope-type', 'chat_session')
        : (call.flags.text('scope-type') ?? ''),
  };
}

function adapterOf(call: Call): AdapterName | undefined {
  const asked = call.flags.text('as');
  const known = ADAPTERS.find((name) => name === asked);
  if (asked !== undefined && known === undefined)
    throw usageError(`\`--as\` is \`${asked}\`.`, `Use ${ADAPTERS.join(', ')}.`);
  return known;
}

interface Writing {
  readonly call: Call;
  readonly session: Session;
  readonly request: Omit<ScopeRequest, 'tenant'>;
  readonly records: readonly number[];
  readonly progress: ReturnType<typeof createProgress>;
}

async function writeAll(
  sources: readonly Source[],
  { call, session, request, records, progress }: Writing,
): Promise<readonly Ingested[]> {
  const results: Ingested[] = [];
  const started = call.terminal.now();
  const all = records.reduce((sum, count) => sum + count, 0);
  let before = 0;
  let batch = 0;
  for (const [index, source] of sources.entries()) {
    const scope = await scopeOf(
      source,
      { ...request, tenant: session.profile.tenant },
      session.engine,
    );
    if (!scope.isNew && request.inherits.length > 0)
      remark(
        call,
        `The scope of \`${source.title}\` is there already; --inherits is for new ones and ` +
          'was left out.',
      );
    const onCommit = async (committed: Committed): Promise<void> => {
      batch += 1;
      if (!call.flags.isOn('jsonl')) return;
      const { totals, position, uuids } = committed;
      await call.terminal.out(
        `${jsonText({ batch, scope_block_uuid: scope.uuid, ...totals, position, uuids })}\n`,
      );
    };
    const totals = await writeSource(source, {
      engine: session.engine,
      scope: scope.uuid,
      nowMs: call.terminal.now(),
      onCommit,
      onRecord: (count) =>
        progress.update(
          `${barOf({ done: before + count, all, ms: call.terminal.now() - started })}  ` +
            source.title,
        ),
    });
    before += records[index] ?? 0;
    results.push({ scope_block_uuid: scope.uuid, ...totals });
  }
  return results;
}

/**
 * A scope without a manifest is an outer one, or its type is misspelt: either way it cannot be
 * composed.
 */
async function nextStep(
  engine: Session['engine'],
  asked: { readonly type: string; readonly scope: string | undefined; readonly uuid: string },
): Promise<string> {
  const { uuid, scope = uuid } = asked;
  // A call that names the scope does not say its type.
  const type = asked.type || (await engine.scopes.list()).find(isScope(uuid))?.type || '';
  const composed = composeCommand(engine, { scope, type });
  if (composed !== null) return `next: ${composed}`;
  const meant = servedInstead(engine, type);
  return (
    `No manifest serves the scope type \`${type}\`.${meant} Other scopes read from it: ` +
    `contextengine ingest PATH --scope-type TYPE --inherits ${scope}`
  );
}

const isScope =
  (uuid: string) =>
  (known: { readonly scope_block_uuid: string }): boolean =>
    known.scope_block_uuid === uuid;

interface Outcome {
  readonly ms: number;
  readonly next: string;
  readonly leftOut: readonly string[];
}

/** A line for each number of one scope; a row for each of many scopes. */
async function printResults(
  call: Call,
  results: readonly Ingested[],
  { ms, next, leftOut }: Outcome,
): Promise<void> {
  const [one, ...more] = results;
  if (one === undefined) return;
  if (more.length > 0) await printMany(call, results);
  else await printOne(call, one);
  const all = results.reduce<Totals>(addTotals, NO_TOTALS);
  const dim = (text: string): void => remark(call, text, 'dim');
  if (all.embedding_pending > 0) dim('Make the vectors: contextengine doctor --fix');
  for (const { warnings } of results)
    for (const text of warnings) notice(call.terminal, { label: 'warning', text });
  const [gone] = one.removed;
  if (gone)
    dim(
      'A document whose file was removed stays in the ledger; to take it out: ' +
        `contextengine forget --block ${gone.root_uuid}`,
    );
  sayLeftOut(call, leftOut);
  dim(`${formatMs(ms)}\n${next}`);
}

function sayLeftOut(call: Call, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const shown = paths.slice(0, MOST_LEFT_OUT).map(oneLine).join(', ');
  const more = paths.length > MOST_LEFT_OUT ? ', …' : '';
  const files = paths.length === 1 ? '1 file' : `${withCommas(paths.length)} files`;
  remark(call, `left out: ${files} of a kind that is not read (${shown}${more})`, 'dim');
}

const MOST_LEFT_OUT = 5;

async function printOne(call: Call, result: Ingested): Promise<void> {
  const counts = COUNTS.flatMap(([name, of, isAlways]) => {
    const count = of(result);
    return isAlways || count > 0 ? [[name, withCommas(count)]] : [];
  });
  const shown = result.removed.slice(0, MOST_REMOVED).map(({ path }) => path);
  const left = result.removed.length - shown.length;
  const paths = [...shown, ...(left > 0 ? [`${withCommas(left)} more, see --json`] : [])];
  const lines = [
    ['scope', result.scope_block_uuid],
    ...counts,
    ...paths.map((path, index) => [index === 0 ? 'files removed' : '', path]),
  ];
  await printText(
    call,
    lines.map(([name = '', value = '']) => `${name.padEnd(22)}${oneLine(value)}`).join('\n'),
  );
}

function printMany(call: Call, results: readonly Ingested[]): Promise<void> {
  const counts = COUNTS.filter(
    ([, of, isAlways]) => isAlways || results.some((one) => of(one) > 0),
  );
  return printTable(
    call,
    [{ title: 'scope' }, ...counts.map(([title]) => ({ title, align: 'right' as const }))],
    results.map((one) => [one.scope_block_uuid, ...counts.map(([, of]) => withCommas(of(one)))]),
  );
}

/** Files that are named; the others are counted. */
const MOST_REMOVED = 10;

/** A document is a row, and each of its chunks. The last: whether it is there when it is none. */
const COUNTS: readonly (readonly [string, (totals: Totals) => number, boolean])[] = [
  ['rows stored', ({ stored }) => stored, true],
  ['there already', ({ duplicate }) => duplicate, true],
  ['superseded', ({ superseded }) => superseded, false],
  ['not applied', (all) => all.conflict + all.rejected + all.quarantined, false],
  ['without a vector', (all) => all.embedding_pending, false],
];
