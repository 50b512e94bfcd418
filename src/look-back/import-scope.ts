/**
 * Reads exported scopes back into a ledger that does not have them. Checked whole before anything
 * is written.
 */
import type { Authority } from '../cxri/authority.ts';
import type { RestoredScope } from '../cxri/ports/history.ts';
import type { OutcomeRecord } from '../cxri/ports/usage.ts';
import { storedProblem } from '../inputs/check-input.ts';
import { MAX_NAME_CHARS } from '../inputs/stored-schemas.ts';
import type { AnyRow } from '../model/block.ts';
import type { Instant } from '../model/ids.ts';
import { shown } from '../model/ids.ts';
import type { ImportedScope, ImportedScopes, JournalRecord } from '../model/journal.ts';
import type { Grant } from '../model/permission.ts';
import type { PermissionDoor } from '../permission/door.ts';
import { invalidWrite } from '../write/check-content.ts';
import { readScopeFiles, type ScopeFile } from './scope-format.ts';

interface Importing {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
  /** What the caller may do, as of now: lines come as slowly as their writer likes. */
  readonly judged: () => Promise<Grant>;
  readonly now: Instant;
  readonly writer: string;
  readonly digestOf: (text: string) => string;
}

export async function importScope(
  lines: AsyncIterable<unknown>,
  importing: Importing,
): Promise<ImportedScopes> {
  if (!isIterable(lines))
    throw invalidWrite(
      `\`lines\` is \`${shown(lines)}\`.`,
      'Pass the lines of an export, as an (async) iterable.',
      'lines',
    );
  const { authority, permission, digestOf } = importing;
  const { tenant } = await importing.judged();
  const [first, ...more] = await readScopeFiles(lines, { tenant, digestOf });
  const grant = await importing.judged();
  for (const file of [first, ...more]) {
    const { scope } = file.header;
    if (grant.tenant !== tenant)
      await permission.deny(grant, { tier: 'excluded', key: 'writes', scope }, ENTRANCE);
    await judge(file, grant, permission);
  }
  await authority.restoreScope({
    tenant: grant.tenant,
    ...toRestored(first, grant, importing),
    beside: more.map((file) => toRestored(file, grant, importing)),
    held: grant.scopes,
    recorded_at: importing.now,
  });
  return { ...importedOf(first), beside: more.map(importedOf) };
}

const importedOf = ({ header, rows }: ScopeFile): ImportedScope => ({
  scope_block_uuid: header.scope,
  rows: rows.length,
});

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.asyncIterator in value || Symbol.iterator in value);

const ENTRANCE = { door: 'import', field: 'lines' };

/**
 * An import writes a history: T3 for an agent. With a `grants` link it gives rights away as well.
 */
async function judge(
  { header, rows }: ScopeFile,
  grant: Grant,
  permission: PermissionDoor,
): Promise<void> {
  const { scope } = header;
  const types = rows.flatMap(({ row }) =>
    'block_type' in row && typeof row.block_type === 'string' && rootOf(row) === scope
      ? [row.block_type]
      : [],
  );
  for (const scopeType of new Set(types.length === 0 ? [''] : types))
    await permission.assertImports(grant, { scope, scopeType }, ENTRANCE);
  const tier = grant.tiers.grants;
  const isGranting = rows.some(({ row }) => 'link_type' in row && row.link_type === 'grants');
  if (isGranting && tier !== 'T1')
    await permission.deny(grant, { tier, key: 'grants', scope }, ENTRANCE);
}

const rootOf = (row: object): unknown => ('root_uuid' in row ? row.root_uuid : undefined);

/** The casts name what the guard of the authority checks before any connector sees it. */
function toRestored(file: ScopeFile, grant: Grant, { now, writer }: Importing): RestoredScope {
  const { header } = file;
  const rows = (file.rows as readonly AnyRow[]).map((row) => boundedBy(row, grant));
  const by = { principal: grant.principal, on_behalf_of: grant.onBehalfOf, writer };
  const journal = file.hasJournal
    ? file.journal.map((entry) => attributed(entry, grant) as JournalRecord)
    : rowEntries(rows, { ...by, recorded_at: now });
  return {
    history: { scope: header.scope, head: header.head, journal, rows },
    outcomes: file.outcomes as readonly OutcomeRecord[],
    audit: {
      principal: grant.principal,
      on_behalf_of: grant.onBehalfOf,
      action: 'import',
      scope_uuid: header.scope,
      decision: 'allowed',
      tier: 'T1',
      detail: `${rows.length} rows up to head ${header.head}`,
      at: now,
    },
  };
}

/**
 * Nobody here saw who wrote what a file says: its entries stand in this ledger by the word and the
 * right of who imports it, and name whom the file names beside the writer. What the importer wrote
 * stays as it is, and so does all that the human of an embedded folder brings back into it.
 */
function attributed(entry: unknown, grant: Grant): unknown {
  // What is none is refused by the guard, with its field.
  if (grant.isOwner || storedProblem('journal_entry', entry) !== null) return entry;
  const stated = entry as JournalRecord;
  const { principal, on_behalf_of: behind, writer } = stated;
  if (principal === grant.principal && behind === grant.onBehalfOf) return stated;
  const named = behind === null ? principal : `${principal} for ${behind}`;
  return {
    ...stated,
    principal: grant.principal,
    on_behalf_of: grant.onBehalfOf,
    writer: `import of ${named}: ${writer}`.slice(0, MAX_NAME_CHARS).toWellFormed(),
    decision: 'T1',
  };
}

/** From who is trusted least. A row without a stamp may be anyone's, and stays so. */
const KINDS: readonly unknown[] = ['agent', 'service', 'human'] satisfies readonly Grant['kind'][];

const STAMPS: ReadonlySet<string> = new Set(['writer_kind', 'approver_kind']);

/** Nobody makes more of a text by an import than by writing it. */
function boundedBy(entry: AnyRow, { kind }: Grant): AnyRow {
  // Its shape is not yet checked.
  const { provenance } = entry.row as { readonly provenance?: unknown };
  if (typeof provenance !== 'object' || provenance === null) return entry;
  const stamps: readonly (readonly [string, unknown])[] = Object.entries(provenance);
  const above = stamps.filter(
    ([name, value]) => STAMPS.has(name) && KINDS.indexOf(value) > KINDS.indexOf(kind),
  );
  if (above.length === 0) return entry;
  const bounded = Object.fromEntries(above.map(([name]) => [name, kind]));
  const row = { ...entry.row, provenance: { ...provenance, ...bounded } };
  // The pair of table and row stays a pair: only the stamps are others.
  return { ...entry, row } as AnyRow;
}

/** Format 1 has no journal: an entry for each row, of now. */
function rowEntries(
  rows: readonly AnyRow[],
  by: Pick<JournalRecord, 'principal' | 'on_behalf_of' | 'writer' | 'recorded_at'>,
): readonly JournalRecord[] {
  const ordered = [...rows].sort((a, b) => a.row.recorded_seq - b.row.recorded_seq);
  return ordered.map(({ table, row }, ordinal) => ({
    ...by,
    seq: row.recorded_seq,
    ordinal,
    operation_id: row.uuid,
    operation: 'RESTORE',
    table,
    uuid: row.uuid,
    root_uuid: row.root_uuid,
    outcome: 'stored',
    embedding: 'none',
    reason: null,
    manifest_digest: null,
    decision: 'T1',
    idempotency_key: null,
    payload_digest: null,
    caused_by: null,
  }));
}
