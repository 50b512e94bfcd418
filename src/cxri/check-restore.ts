/**
 * An import, checked before a connector sees it: shapes, limits, and the laws of a scope's history.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { checkHistory } from '../ledger/check-history.ts';
import { TABLES, type Table } from '../model/block.ts';
import { MAX_BYTES, MAX_CHARS } from '../model/content-limits.ts';
import { shown, toEpochMs, toInstant } from '../model/ids.ts';
import { JOURNAL_OPERATIONS } from '../model/journal.ts';
import { OUTCOMES } from '../model/operation.ts';
import { isStorable } from '../model/storable.ts';
import { checkTenant } from './check-query.ts';
import { CONTENT } from './content-shape.ts';
import type { RestoreRequest } from './ports/history.ts';
import { isInstant, isPlainObject, isUuid } from './refuse.ts';

/** Beyond it a scope could not be written any more: 10,000 writes a second for three years. */
const MAX_SEQ = 1e12;
/** How far a clock that wrote the journal may be ahead of ours, in milliseconds. */
const CLOCK_SKEW_MS = 300_000;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isSeq: Check = (value) => isCount(value) && value !== 0;
const isCount: Check = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_SEQ;
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isShare: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const text =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= max && isStorable(value);
const isKey: Check = (value) =>
  text(MAX_BYTES.idempotency_key)(value) &&
  Buffer.byteLength(String(value)) <= MAX_BYTES.idempotency_key;
const isDigest: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const VERSIONED: Shape = {
  tenant_id: text(63),
  uuid: isUuid,
  root_uuid: isUuid,
  scope_uuid: isUuid,
  valid_from: isInstant,
  valid_until: nullOr(isInstant),
  closed_seq: nullOr(isSeq),
  recorded_seq: isSeq,
  retired_seq: nullOr(isSeq),
  superseded_by: nullOr(isUuid),
  cause: nullOr(oneOf(['change', 'correction', 'merge', 'cascade', 'redaction', 'prune'])),
  status: oneOf(['live', 'quarantined', 'rejected', 'suppressed', 'erased']),
  operation: oneOf(['ADD', 'UPDATE', 'DELETE', 'NOOP']),
};
const ENTRY: Shape = {
  seq: isSeq,
  ordinal: isCount,
  operation_id: isUuid,
  operation: oneOf(JOURNAL_OPERATIONS),
  table: nullOr(oneOf(TABLES)),
  uuid: nullOr(isUuid),
  root_uuid: nullOr(isUuid),
  outcome: oneOf(OUTCOMES),
  embedding: oneOf(['none', 'pending', 'done']),
  reason: nullOr((value) => value === '' || text(MAX_CHARS.reason)(value)),
  principal: text(200),
  on_behalf_of: nullOr(text(200)),
  writer: text(200),
  manifest_digest: nullOr(text(MAX_CHARS.manifest_digest)),
  decision: text(MAX_CHARS.decision),
  idempotency_key: nullOr(isKey),
  payload_digest: nullOr(isDigest),
  recorded_at: isInstant,
};
const STATE: Shape = {
  stability: (value) => isNumber(value) && Number(value) >= 0,
  difficulty: (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 10,
  reviewed_at: isInstant,
  utility: isShare,
  utility_variance: (value) => isNumber(value) && Number(value) >= 0,
  utility_at: nullOr(isInstant),
  count: isCount,
  touched_at: isInstant,
};
const OUTCOME: Shape = {
  usage_seq: isSeq,
  root_uuid: isUuid,
  composition_id: isUuid,
  kind: oneOf(['used', 'cited', 'confirmed', 'corrected', 'unused']),
  at: isInstant,
  state: (value) => stray(value, STATE) === null,
  recorded_at: isInstant,
};

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE`. Nothing was written. */
export function checkRestore(request: RestoreRequest): void {
  const { tenant, history, outcomes, recorded_at: now } = request;
  checkTenant(tenant);
  if (!isUuid(history.scope) || !isCount(history.head) || !isInstant(now))
    throw refused('The header', 'head', history.head);
  for (const [index, { table, row }] of history.rows.entries()) {
    const shape = rowShape(table, index);
    checkShape(row, shape, { what: 'Row', index });
    if (row.tenant_id !== tenant) throw refused(`Row \`${index}\``, 'tenant_id', row.tenant_id);
    const { content, value } = row as { readonly content?: unknown; readonly value?: unknown };
    if (typeof content === 'string' && Buffer.byteLength(content) > MAX_BYTES.content)
      throw tooLarge(index);
    if (table === 'memory_schema_typed' && value === null)
      throw refused(`Row \`${index}\``, 'value', value);
  }
  for (const [index, entry] of history.journal.entries())
    checkShape(entry, ENTRY, { what: 'Journal entry', index });
  checkHistory(history);
  checkOutcomes(request);
  const latest = toInstant(toEpochMs(now) + CLOCK_SKEW_MS);
  const times = [...history.journal, ...outcomes].map((entry) => entry.recorded_at);
  const ahead = times.find((time) => time > latest);
  if (ahead !== undefined) throw refused('An entry', 'recorded_at', ahead);
}

function checkOutcomes({ history, outcomes }: RestoreRequest): void {
  const roots = new Set<string>(history.rows.map(({ row }) => row.root_uuid));
  for (const [index, outcome] of outcomes.entries()) {
    const at = { what: 'Outcome', index };
    checkShape(outcome, OUTCOME, at);
    if (outcome.usage_seq !== index + 1)
      throw refused(`Outcome \`${index}\``, 'usage_seq', outcome.usage_seq);
    if (!roots.has(outcome.root_uuid))
      throw refused(`Outcome \`${index}\``, 'root_uuid', outcome.root_uuid);
  }
}

const SHAPES: Readonly<Record<Table, Shape>> = {
  blocks: { ...VERSIONED, ...CONTENT.blocks },
  subtree_summaries: { ...VERSIONED, ...CONTENT.subtree_summaries },
  memory_open_set: { ...VERSIONED, ...CONTENT.memory_open_set },
  memory_schema_typed: { ...VERSIONED, ...CONTENT.memory_schema_typed },
  context_links: { ...VERSIONED, ...CONTENT.context_links },
};

function rowShape(table: Table, index: number): Shape {
  if (TABLES.includes(table)) return SHAPES[table];
  throw refused(`Row \`${index}\``, 'table', table);
}

interface Place {
  readonly what: string;
  readonly index: number;
}

function checkShape(value: unknown, shape: Shape, { what, index }: Place): void {
  const field = stray(value, shape);
  if (field === null) return;
  const shownValue = isPlainObject(value) ? value[field] : value;
  throw refused(`${what} \`${index}\``, field, shownValue);
}

/** A field that is missing, unknown or not of its shape; null = none. */
function stray(value: unknown, shape: Shape): string | null {
  if (!isPlainObject(value)) return '';
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(shape, field));
  if (unknown !== undefined) return unknown;
  const bad = Object.entries(shape).find(
    ([field, check]) => !Object.hasOwn(value, field) || !check(value[field]),
  );
  return bad?.[0] ?? null;
}

const refused = (what: string, field: string, value: unknown): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message: `${what} of the import has the \`${field}\` \`${shown(value)}\`. Nothing was written.`,
    fix: 'Import an export that was not edited.',
    where: { field },
  });

const tooLarge = (index: number): ContextEngineError =>
  new ContextEngineError('WRITE.TOO_LARGE', {
    message: `The content of row \`${index}\` is longer than \`${MAX_BYTES.content}\` bytes. Nothing was written.`,
    fix: 'Import an export that was not edited.',
    where: { field: 'content' },
  });
