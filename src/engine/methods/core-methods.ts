/**
 * Core memory in hand: the block of the nearest scope that has one, by its lines. Each change is a
 * version, written in the scope that is named, against the version that was read.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { CORE_BLOCK_TYPE } from '../../layers/core.ts';
import { DEFAULT_MAX_LINES } from '../../layers/keys.ts';
import type { BlockRow } from '../../model/block.ts';
import { notBefore } from '../../model/clock.ts';
import { type Instant, parseUuid, type Uuid } from '../../model/ids.ts';
import type { Operation, WriteResult } from '../../model/operation.ts';
import { linesIn } from '../../text/line-count.ts';
import { strictestReader } from '../../write/check-core.ts';
import { writeOperations } from '../../write/write.ts';
import type { CallOptions } from '../call-options.ts';
import { type EngineParts, signalOf } from '../engine-parts.ts';
import { readingIn } from './fact-methods.ts';
import type { CoreChange, CoreLine, CoreMemory, Memory } from './memory-surface.ts';

/** Of a refusal: enough to see what was added last. */
const SHOWN_LINES = 5;
const SHOWN_CHARS = 80;
/** Someone else wrote in between; a change of lines is made anew on what they wrote. */
const TRIES = 3;

export function createCore(parts: EngineParts): Pick<Memory, 'core'> {
  const { open, outage } = parts;
  const changing = (body: Changing) =>
    open(async (scope: string, asked: string | number, options?: CallOptions) => {
      // An empty text is all of it taken out; what is neither text nor number is refused.
      if (asked !== '')
        checkInput('core_change', { text: typeof asked === 'number' ? String(asked) : asked });
      return outage.watch(
        () => change(parts, { scope, edit: (core) => body(core, asked) }, options),
        ({ result }) => result.position.length > 0,
      );
    });
  return {
    core: {
      show: open(async (scope, options) => (await readCore(parts, scope, options)).core),
      edit: changing((_core, asked) => linesOf(String(asked))),
      add: changing((core, asked) => [
        ...core.lines.map(({ text }) => text),
        ...linesOf(String(asked)),
      ]),
      drop: changing((core, asked) => without(core, asked)),
    },
  };
}

type Changing = (core: CoreMemory, asked: string | number) => readonly string[];

interface ReadCore {
  readonly core: CoreMemory;
  readonly row: BlockRow | null;
  readonly at: Instant;
}

/** As a composition of the scope reads it; each line with when it came. */
async function readCore(
  parts: EngineParts,
  given: string,
  options: CallOptions | undefined,
): Promise<ReadCore> {
  const { authority, manifests } = parts;
  const scope = parseUuid(given, 'scope');
  const reading = await readingIn(parts, scope, options);
  const { tenant, scopes, at: valid_at } = reading;
  const heads = new Map(
    (await authority.heads(tenant, scopes)).position.map((entry) => [entry.scope, entry]),
  );
  const { parts: answers } = await authority.query({
    tenant,
    position: scopes.flatMap((each) => heads.get(each) ?? []),
    valid_at,
    parts: [
      {
        id: 'core',
        table: 'blocks',
        mode: 'list',
        limit: 1,
        filter: { field: 'block_type', in: [CORE_BLOCK_TYPE] },
        order: { by: 'valid_from', direction: 'desc' },
        nearest: {},
      },
    ],
    ...signalOf(options),
  });
  const [answer] = answers;
  if (answer && !answer.ok)
    throw new ContextEngineError(answer.error.code, {
      message: answer.error.message,
      fix: 'Try again; see `contextengine doctor` where it goes on.',
    });
  const [hit] = answer?.hits ?? [];
  const row = hit?.table === 'blocks' ? hit.row : null;
  const maxLines = strictestReader(CORE_BLOCK_TYPE, manifests)?.maxLines ?? DEFAULT_MAX_LINES;
  const versions = row ? await versionsOf(parts, row, tenant) : [];
  const core: CoreMemory = {
    scope_block_uuid: row?.scope_uuid ?? scope,
    root_uuid: row?.root_uuid ?? null,
    uuid: row?.uuid ?? null,
    lines: row ? datedLines(row, versions) : [],
    max_lines: maxLines,
    versions: versions.length,
  };
  return { core, row, at: notBefore(parts.now(), valid_at) };
}

async function versionsOf(
  { authority }: EngineParts,
  { scope_uuid, root_uuid }: BlockRow,
  tenant: Parameters<EngineParts['authority']['heads']>[0],
): Promise<readonly BlockRow[]> {
  const { rows } = await authority.read({
    kind: 'history',
    tenant,
    scopes: [scope_uuid],
    roots: [root_uuid],
  });
  return rows.flatMap(({ table, row }) => (table === 'blocks' ? [row] : []));
}

/** A line is as old as the first version in a row that has it. */
function datedLines(row: BlockRow, versions: readonly BlockRow[]): readonly CoreLine[] {
  let since = new Map<string, Instant>();
  const inOrder = [...versions].sort((a, b) => a.recorded_seq - b.recorded_seq);
  for (const { content, valid_from: from } of [...inOrder, row])
    since = new Map(linesOf(content).map((line) => [line, since.get(line) ?? from]));
  return linesOf(row.content).map((text, index) => ({
    number: index + 1,
    text,
    since: since.get(text) ?? row.valid_from,
  }));
}

interface Change {
  readonly scope: string;
  readonly edit: (core: CoreMemory) => readonly string[];
}

async function change(
  parts: EngineParts,
  { scope, edit }: Change,
  options: CallOptions | undefined,
): Promise<CoreChange> {
  for (let tries = 1; ; tries += 1) {
    const read = await readCore(parts, scope, options);
    refuseElsewhere(read.core, scope);
    const lines = edit(read.core);
    refuseTooMany(read.core, lines);
    const operation = operationOf(read, lines, parts);
    const profile = await parts.profileOf(options);
    const result: WriteResult =
      operation === null
        ? NOTHING
        : await writeOperations(
            { operations: [operation], profile, now: parts.now(), ...signalOf(options) },
            parts,
          );
    if (result.counts.conflict > 0 && tries < TRIES) continue;
    const { core } = operation === null ? read : await readCore(parts, scope, options);
    return { ...core, result };
  }
}

/** A change is of the scope that is named, and of no outer one that others share. */
function refuseElsewhere(
  { root_uuid: root, scope_block_uuid: where }: CoreMemory,
  scope: string,
): void {
  if (root === null || where === parseUuid(scope, 'scope')) return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: `The core memory that \`${scope}\` reads stands in scope \`${where}\`.`,
    fix: 'Name that scope to change it for all who read it.',
    where: { field: 'scope' },
  });
}

const NOTHING: WriteResult = {
  receipts: [],
  counts: { stored: 0, superseded: 0, duplicate: 0, quarantined: 0, rejected: 0, conflict: 0 },
  position: [],
};

/** What goes out makes room for what comes in; which lines came last says where to look. */
function refuseTooMany(
  { lines: before, max_lines: most }: CoreMemory,
  lines: readonly string[],
): void {
  if (lines.length <= most) return;
  const since = new Map(before.map(({ text, since: at }) => [text, at]));
  const newest = lines
    .map((text, index) => ({ text, number: index + 1, since: since.get(text) ?? null }))
    .sort((a, b) => {
      if (a.since === b.since) return b.number - a.number;
      if (a.since === null || b.since === null) return a.since === null ? -1 : 1;
      return a.since < b.since ? 1 : -1;
    })
    .slice(0, SHOWN_LINES);
  const list = newest.map(
    ({ text, number, since: at }) =>
      `\`${number}: ${text.slice(0, SHOWN_CHARS)}\` (${at === null ? 'new' : at.slice(0, 10)})`,
  );
  throw new ContextEngineError('WRITE.TOO_LARGE', {
    message:
      `Core memory would have \`${lines.length}\` lines of \`${most}\`. The newest: ` +
      `${list.join(', ')}.`,
    fix: 'Drop a line, or keep what changes monthly as a fact: `remember`.',
    where: { field: 'text' },
    meta: { lines: lines.length, max_lines: most, newest },
  });
}

function operationOf(
  { core, row, at }: ReadCore,
  lines: readonly string[],
  { newId }: EngineParts,
): Operation | null {
  const content = lines.join('\n');
  const scope: Uuid = core.scope_block_uuid;
  const common = { table: 'blocks', scope, valid_from: at, is_time_defaulted: true } as const;
  if (row === null)
    return content === ''
      ? null
      : { operation: 'ADD', ...common, uuid: newId(), content: blockOf(content, at) };
  if (content === row.content) return null;
  const { root_uuid, uuid: expected_version } = row;
  if (content === '')
    return {
      operation: 'DELETE',
      table: 'blocks',
      scope,
      root_uuid,
      cause: 'change',
      valid_from: at,
      expected_version,
    };
  const { parent_uuid, block_type, is_scope, role, author, occurred_at, title } = row;
  const { tags, metadata, provenance } = row;
  const kept = { parent_uuid, block_type, is_scope, role, author, occurred_at, title };
  return {
    operation: 'UPDATE',
    ...common,
    uuid: newId(),
    root_uuid,
    cause: 'change',
    expected_version,
    content: { ...kept, content, tags, metadata, provenance },
  };
}

const blockOf = (content: string, occurred_at: Instant) => ({
  parent_uuid: null,
  block_type: CORE_BLOCK_TYPE,
  is_scope: false,
  role: null,
  author: null,
  occurred_at,
  title: null,
  content,
  tags: [],
  metadata: {},
  provenance: {},
});

/** Without the empty lines at the end. */
function linesOf(text: string): readonly string[] {
  const lines = linesIn(text);
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines;
}

/** By its number, or by its words where one line alone has them. */
function without(core: CoreMemory, asked: string | number): readonly string[] {
  const texts = core.lines.map(({ text }) => text);
  const number = typeof asked === 'number' || /^\d{1,4}$/.test(asked) ? Number(asked) : null;
  const found = core.lines.filter((line) =>
    number === null ? line.text.trim() === String(asked).trim() : line.number === number,
  );
  const [only] = found;
  if (only && found.length === 1) return texts.filter((_, index) => index !== only.number - 1);
  throw new ContextEngineError('WRITE.NOT_FOUND', {
    message:
      `Core memory has ${found.length === 0 ? 'no' : 'more than one'} line ` +
      `\`${String(asked).slice(0, SHOWN_CHARS)}\`; it has \`${texts.length}\`.`,
    fix: 'Pass the number of the line, as `core show` prints it.',
    where: { field: 'line' },
  });
}
