/**
 * `derived_from`: sources are checked when a row is made from them, and its descendants are
 * withdrawn when one turns out wrong.
 */
import { ContextEngineError } from '../../src/codes/errors.ts';
import { sourceGone } from '../../src/ledger/refusals.ts';
import type { Cause, LinkRow } from '../../src/model/block.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { isBelieved, patch, type ScopeState, type Slot, type TenantState } from './store.ts';
import type { Transaction } from './transaction.ts';

/** Every source is a version that is believed, and none of them derives from the row itself. */
export function checkSources(tx: Transaction, root: Uuid, sources: readonly Uuid[]): void {
  const { tenant } = tx;
  for (const source of sources) {
    const slot = tenant.versions.get(source);
    if (!slot || !isBelieved(slot) || tx.isOnlyClaimed(source)) {
      throw sourceGone(source);
    }
    if (ancestors(tenant, slot.entry.row.root_uuid).has(root)) {
      throw new ContextEngineError('WRITE.INVALID', {
        message: `\`${root}\` would derive from itself by way of \`${source}\`.`,
        fix: 'Derive it from rows that do not depend on it.',
      });
    }
  }
}

/** The root itself and everything that it derives from, by root. */
function ancestors(tenant: TenantState, root: Uuid): ReadonlySet<Uuid> {
  const seen = new Set<Uuid>([root]);
  for (const from of seen) {
    for (const link of linksFrom(tenant, from)) {
      const source = tenant.versions.get(link.to_uuid)?.entry.row.root_uuid;
      if (source !== undefined) seen.add(source);
    }
  }
  return seen;
}

const linksFrom = (tenant: TenantState, root: Uuid): readonly LinkRow[] =>
  [...tenant.derivations.values()].flatMap((slots) =>
    slots.flatMap((slot) =>
      slot.entry.table === 'context_links' && slot.entry.row.from_uuid === root && isBelieved(slot)
        ? [slot.entry.row]
        : [],
    ),
  );

/**
 * Causes that say "this was wrong": what was made from it is wrong too. A change leaves the past as
 * it was.
 */
const WITHDRAWING: readonly (Cause | null)[] = ['correction', 'prune', 'redaction', 'cascade'];

/**
 * Retires every believed descendant of versions that were just retired. Each scope but the writer's
 * own gets a sequence number of its own.
 */
export function withdrawDescendants(
  tx: Transaction,
  retired: readonly Slot[],
  own: { readonly scope: ScopeState; readonly seq: number },
): void {
  const seqs = new Map<ScopeState, number>([[own.scope, own.seq]]);
  const queue = retired.filter((slot) => WITHDRAWING.includes(slot.entry.row.cause));
  for (const slot of queue) {
    for (const root of descendantsOf(tx.tenant, slot)) {
      for (const derived of (tx.tenant.roots.get(root) ?? []).filter(isBelieved)) {
        patch(derived, { retired_seq: seqFor(tx, derived, seqs), cause: 'cascade' }, tx.undo);
        queue.push(derived);
      }
    }
  }
}

/** Roots that derive from the version, or from a longer version that it was re-cut from. */
function descendantsOf(tenant: TenantState, slot: Slot): readonly Uuid[] {
  const { row } = slot.entry;
  const versions = (tenant.roots.get(row.root_uuid) ?? []).filter(
    (other) => other === slot || isRecutOf(slot, other),
  );
  const links = versions.flatMap((version) => tenant.derivations.get(version.entry.row.uuid) ?? []);
  return links.flatMap((link) =>
    link.entry.table === 'context_links' && link.entry.row.status === 'live'
      ? [link.entry.row.from_uuid]
      : [],
  );
}

function isRecutOf(slot: Slot, other: Slot): boolean {
  const [part, whole] = [slot.entry.row, other.entry.row];
  if (
    whole.retired_seq === null ||
    whole.recorded_seq >= part.recorded_seq ||
    WITHDRAWING.includes(whole.cause)
  )
    return false;
  return (
    whole.valid_from <= part.valid_from &&
    (whole.valid_until === null ||
      (part.valid_until !== null && part.valid_until <= whole.valid_until))
  );
}

function seqFor(tx: Transaction, derived: Slot, seqs: Map<ScopeState, number>): number {
  const { table, row } = derived.entry;
  const scope = tx.existingScope(row.scope_uuid);
  const known = seqs.get(scope);
  if (known !== undefined) return known;
  const seq = tx.nextSeq(scope);
  seqs.set(scope, seq);
  tx.journal(scope, {
    seq,
    operation_id: row.uuid,
    operation: 'CASCADE',
    table,
    uuid: row.uuid,
    root_uuid: row.root_uuid,
    outcome: 'stored',
    embedding: 'none',
    reason: null,
    idempotency_key: null,
    payload_digest: null,
  });
  return seq;
}
