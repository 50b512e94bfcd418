/**
 * An import, checked before a connector sees it: shapes, limits, and the laws of a scope's history.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { storedProblem } from '../inputs/check-input.ts';
import { MAX_SEQ, type StoredName } from '../inputs/stored-schemas.ts';
import { checkHistory } from '../ledger/check-history.ts';
import { TABLES } from '../model/block.ts';
import { MAX_BYTES } from '../model/content-limits.ts';
import { isStoredInstant, isStoredUuid, shown, toEpochMs, toInstant } from '../model/ids.ts';
import { checkTenant } from './check-request.ts';
import { type RestoredScope, type RestoreRequest, restoredBy } from './ports/history.ts';
import { isPlainObject } from './refuse.ts';

/** How far a clock that wrote the journal may be ahead of ours, in milliseconds. */
const CLOCK_SKEW_MS = 300_000;

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE`. Nothing was written. */
export function checkRestore(request: RestoreRequest): void {
  checkTenant(request.tenant);
  for (const each of restoredBy(request)) checkScope(each, request);
}

function checkScope(
  scope: RestoredScope,
  { tenant, recorded_at: now }: Pick<RestoreRequest, 'tenant' | 'recorded_at'>,
): void {
  const { history, outcomes } = scope;
  if (!isStoredUuid(history.scope) || !isHead(history.head) || !isStoredInstant(now))
    throw refused('The header', 'head', history.head);
  for (const [index, { table, row }] of history.rows.entries()) {
    if (!TABLES.includes(table)) throw refused(`Row \`${index}\``, 'table', table);
    checkStored(`row_${table}`, row, { what: 'Row', index });
    if (row.tenant_id !== tenant) throw refused(`Row \`${index}\``, 'tenant_id', row.tenant_id);
    const { content, value } = row as { readonly content?: unknown; readonly value?: unknown };
    if (typeof content === 'string' && Buffer.byteLength(content) > MAX_BYTES.content)
      throw tooLarge(index);
    if (table === 'memory_schema_typed' && value === null)
      throw refused(`Row \`${index}\``, 'value', value);
  }
  for (const [index, entry] of history.journal.entries())
    checkStored('journal_entry', entry, { what: 'Journal entry', index });
  checkHistory(history);
  checkOutcomes(scope);
  const latest = toInstant(toEpochMs(now) + CLOCK_SKEW_MS);
  const times = [...history.journal, ...outcomes].map((entry) => entry.recorded_at);
  const ahead = times.find((time) => time > latest);
  if (ahead !== undefined) throw refused('An entry', 'recorded_at', ahead);
}

function checkOutcomes({ history, outcomes }: RestoredScope): void {
  const roots = new Set<string>(history.rows.map(({ row }) => row.root_uuid));
  for (const [index, outcome] of outcomes.entries()) {
    const at = { what: 'Outcome', index };
    checkStored('outcome_event', outcome, at);
    if (outcome.usage_seq !== index + 1)
      throw refused(`Outcome \`${index}\``, 'usage_seq', outcome.usage_seq);
    if (!roots.has(outcome.root_uuid))
      throw refused(`Outcome \`${index}\``, 'root_uuid', outcome.root_uuid);
  }
}

interface Place {
  readonly what: string;
  readonly index: number;
}

function checkStored(name: StoredName, value: unknown, { what, index }: Place): void {
  const problem = storedProblem(name, value);
  if (!problem) return;
  const { field } = problem;
  throw refused(`${what} \`${index}\``, field, isPlainObject(value) ? value[field] : value);
}

const isHead = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_SEQ;

const refused = (what: string, field: string, value: unknown): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message: `${what} of the import has the \`${field}\` \`${shown(value)}\`. Nothing was written.`,
    fix: 'Import an export that was not edited.',
    where: { field },
  });

const tooLarge = (index: number): ContextEngineError =>
  new ContextEngineError('WRITE.TOO_LARGE', {
    message:
      `The content of row \`${index}\` is longer than \`${MAX_BYTES.content}\` bytes. Nothing ` +
      'was written.',
    fix: 'Import an export that was not edited.',
    where: { field: 'content' },
  });
