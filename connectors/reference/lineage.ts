/**
 * `derived_from`, by definition: a row stands while each of its sources does. Every row of the
 * tenant is judged anew after each retirement, until none falls any more. The authority walks the
 * other way round, from what fell, so that the two can disagree
 * (test/property/lineage-agreement.test.ts).
 */
import { derivesFromItself, sourceGone } from '../../src/ledger/refusals.ts';
import { WITHDRAWING } from '../../src/ledger/withdrawal.ts';
import type { LinkRow } from '../../src/model/block.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { isRange, type Receipt, type Source } from '../../src/model/operation.ts';
import { isBelieved, patch, type Slot, type TenantState } from './store.ts';
import type { Transaction } from './transaction.ts';

/** Every source stands, and none of them derives from a version of the row itself. */
export function checkSources(tx: Transaction, root: Uuid, sources: readonly Source[]): void {
  for (const source of sources) {
    const members = isRange(source) ? blocksRead(tx, source) : versionRead(tx, source);
    if (members.length === 0) throw sourceGone(source);
    if (ancestorRoots(tx.tenant, members).has(root)) throw derivesFromItself(root, source);
  }
}

function versionRead(tx: Transaction, uuid: Uuid): readonly Slot[] {
  const slot = tx.tenant.versions.get(uuid);
  return slot && isBelieved(slot) && !tx.isOnlyClaimed(uuid) ? [slot] : [];
}

/** The operation that derives has its number already. */
function blocksRead(tx: Transaction, range: Exclude<Source, Uuid>): readonly Slot[] {
  const { scope, from_seq: from, to_seq: to, seen_seq: seen = to } = range;
  const head = tx.headBefore(scope);
  if (to > head || seen > head) return [];
  const wasSeen = blocksOf(tx.tenant, { scope, from, to, seen });
  const isGone = range.seen_seq !== undefined && !wasSeen.every(isBelieved);
  return isGone ? [] : wasSeen.filter(isBelieved);
}

interface Range {
  readonly scope: Uuid;
  readonly from: number;
  readonly to: number;
  readonly seen: number;
}

function blocksOf(tenant: TenantState, { scope, from, to, seen }: Range): readonly Slot[] {
  const blocks = tenant.scopes.get(scope)?.slots.blocks ?? [];
  return blocks.filter(({ entry: { table, row } }) => {
    if (table !== 'blocks' || row.is_scope) return false;
    const isIn = row.recorded_seq >= from && row.recorded_seq <= to;
    return isIn && (row.retired_seq === null || row.retired_seq > seen);
  });
}

/** The versions that a link names. */
function sourcesOf(tenant: TenantState, link: LinkRow): readonly Slot[] {
  const { to_uuid: to, from_seq: from, to_seq: last, seen_seq: seen } = link;
  if (from !== null && last !== null && seen !== null)
    return blocksOf(tenant, { scope: to, from, to: last, seen });
  const slot = tenant.versions.get(to);
  return slot ? [slot] : [];
}

const linksOf = ({ lineage }: TenantState): readonly LinkRow[] =>
  lineage.flatMap(({ entry }) => (entry.table === 'context_links' ? [entry.row] : []));

/** The versions that were cut from it, and those that were cut from them, with itself. */
export function partsOf(tenant: TenantState, slot: Slot): readonly Slot[] {
  const { uuid, root_uuid: root } = slot.entry.row;
  const cut = (tenant.roots.get(root) ?? []).filter(({ entry }) => entry.row.recut_of === uuid);
  return [slot, ...cut.flatMap((part) => partsOf(tenant, part))];
}

/** The version, and those that it was cut from. */
export function wholesOf(tenant: TenantState, slot: Slot): readonly Slot[] {
  const wholes = new Set([slot]);
  for (const { entry } of wholes) {
    const { recut_of: recutOf } = entry.row;
    const whole = recutOf === null ? undefined : tenant.versions.get(recutOf);
    if (whole) wholes.add(whole);
  }
  return [...wholes];
}

/** The links that lead from a version. */
export const linksFrom = (tenant: TenantState, { entry }: Slot): readonly LinkRow[] =>
  linksOf(tenant).filter((link) => link.from_uuid === entry.row.uuid);

/** Whether a link names the version. */
export const isReadBy = (tenant: TenantState, link: LinkRow, slot: Slot): boolean =>
  sourcesOf(tenant, link).includes(slot);

/** Its parts, and what derives from it or from a longer version, with the parts of that. */
export function derivedFrom(tenant: TenantState, slot: Slot): readonly Slot[] {
  const wholes = new Set(wholesOf(tenant, slot));
  const derived = linksOf(tenant).flatMap((link) => {
    const version = tenant.versions.get(link.from_uuid);
    return version && sourcesOf(tenant, link).some((source) => wholes.has(source)) ? [version] : [];
  });
  return [slot, ...derived].flatMap((each) => partsOf(tenant, each));
}

/** Whether a version has the place of this one since it was retired, with the same content. */
export const isReplaced = (tenant: TenantState, { entry: { row } }: Slot): boolean =>
  (tenant.roots.get(row.root_uuid) ?? []).some(
    ({ entry }) =>
      entry.row.recut_of === row.uuid && entry.row.recorded_seq >= (row.retired_seq ?? 0),
  );

/** Wrong, and nothing took its place with the same content. */
const isLost = (tenant: TenantState, slot: Slot): boolean =>
  slot.entry.row.retired_seq !== null &&
  WITHDRAWING.has(slot.entry.row.cause) &&
  !isReplaced(tenant, slot);

/** Whether nothing of its sources is lost, but for what is `returning`. */
export const isFounded = (tenant: TenantState, slot: Slot, returning: ReadonlySet<Slot>): boolean =>
  wholesOf(tenant, slot)
    .flatMap((whole) => linksFrom(tenant, whole))
    .every((link) =>
      lostParts(tenant, link).every(
        (part) => returning.has(part) || tenant.lostBefore.get(link.uuid)?.has(part) === true,
      ),
    );

function ancestorRoots(tenant: TenantState, starts: readonly Slot[]): ReadonlySet<Uuid> {
  const seen = new Set(starts);
  for (const slot of seen) {
    const { uuid, recut_of: recutOf } = slot.entry.row;
    const whole = recutOf === null ? undefined : tenant.versions.get(recutOf);
    if (whole) seen.add(whole);
    for (const link of linksOf(tenant))
      if (link.from_uuid === uuid) for (const source of sourcesOf(tenant, link)) seen.add(source);
  }
  return new Set([...seen].map(({ entry }) => entry.row.root_uuid));
}

/**
 * Retires what does not stand any more, and journals each row after the operation that caused it.
 * Each scope but the writer's own gets a sequence number of its own.
 */
export function withdrawDescendants(tx: Transaction, by: Receipt): void {
  const fallen = new Set<Slot>();
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const slot of unfounded(tx.tenant)) {
      patch(slot, { retired_seq: seqFor(tx, slot, by), cause: 'cascade' }, tx.undo);
      fallen.add(slot);
      hasChanged = true;
    }
  }
  const ordered = [...fallen].sort((a, b) => (a.entry.row.uuid < b.entry.row.uuid ? -1 : 1));
  const counts = new Map<Uuid, number>([[by.scope, 1]]);
  for (const { entry } of ordered) {
    const { scope_uuid: of, uuid, root_uuid, retired_seq: seq } = entry.row;
    const ordinal = counts.get(of) ?? 0;
    counts.set(of, ordinal + 1);
    tx.journal(tx.existingScope(of), {
      seq: seq ?? 0,
      ordinal,
      operation_id: uuid,
      operation: 'CASCADE',
      table: entry.table,
      uuid,
      root_uuid,
      outcome: 'stored',
      embedding: 'none',
      reason: null,
      idempotency_key: null,
      payload_digest: null,
      caused_by: by.operation_id,
    });
  }
}

/** Believed rows, a source of which is lost. */
const unfounded = (tenant: TenantState): readonly Slot[] =>
  linksOf(tenant).flatMap((link) => {
    const derived = tenant.versions.get(link.from_uuid);
    const believed = derived ? partsOf(tenant, derived).filter(isBelieved) : [];
    if (believed.length === 0) return [];
    const before = tenant.lostBefore.get(link.uuid);
    return lostParts(tenant, link).some((source) => !before?.has(source)) ? believed : [];
  });

const lostParts = (tenant: TenantState, link: LinkRow): readonly Slot[] =>
  sourcesOf(tenant, link)
    .flatMap((source) => partsOf(tenant, source))
    .filter((source) => isLost(tenant, source));

/** What of a source was lost before something derived from it was not read. */
export function rememberLost(tenant: TenantState, { entry: { table, row } }: Slot): void {
  if (table !== 'context_links' || row.link_type !== 'derived_from') return;
  const lost = lostParts(tenant, row);
  if (lost.length > 0) tenant.lostBefore.set(row.uuid, new Set(lost));
}

function seqFor(tx: Transaction, { entry }: Slot, by: Receipt): number {
  const { scope_uuid: scope } = entry.row;
  return scope === by.scope ? by.seq : tx.cascadeSeq(tx.existingScope(scope));
}
