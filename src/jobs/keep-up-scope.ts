/**
 * Upkeep of the facts of one scope: reads what they are worth by now, then archives and prunes
 * through the write path that is handed in, so that every step is judged and journaled. Classes
 * with a layer of their own are always loaded: that nobody cites them says nothing.
 */
import type { Authority } from '../cxri/authority.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import { OWN_LAYER_CLASSES } from '../layers/fact-classes.ts';
import type { AnyRow } from '../model/block.ts';
import { type Instant, type TenantId, toEpochMs, type Uuid } from '../model/ids.ts';
import type { DeleteOperation, WriteResult } from '../model/operation.ts';
import {
  CITED_DAYS,
  type FadedFact,
  type KeptReason,
  type ScopeUpkeep,
  type UpkeepRules,
} from '../model/upkeep.ts';
import { estimateImportance, fadedImportance } from './estimate-importance.ts';
import type { ProtectedRows } from './protected-rows.ts';
import {
  type JournalFacts,
  NO_USE,
  type RootUse,
  readJournalFacts,
  readUse,
  type ScopeUse,
} from './scope-use.ts';

export interface ScopeWork {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly head: number;
  readonly rules: UpkeepRules;
  readonly halfLifeDays: (fact: AnyRow) => number;
  readonly protectedRows: ProtectedRows;
  /** Roots that wait in a proposal already. */
  readonly proposed: ReadonlySet<Uuid>;
  readonly authority: Pick<Authority, 'heads' | 'read' | 'readJournal' | 'readOutcomes'>;
  readonly now: Instant;
  /** Archived and pruned at most, each. */
  readonly most: number;
  /** null = a dry run. */
  readonly write: ((operations: readonly DeleteOperation[]) => Promise<WriteResult>) | null;
}

const DAY_MS = 86_400_000;
const PAGE = 500;
/** A write holds the head of its scope: others wait no longer than for so many. */
const OPERATIONS_AT_ONCE = 100;

type Fact = Extract<AnyRow, { readonly table: 'memory_open_set' }>;
type Kept = Record<KeptReason, number>;

export async function keepUpScope(work: ScopeWork): Promise<ScopeUpkeep> {
  const { tenant, scope, head, authority, most } = work;
  const use = await readUse(tenant, scope, { authority, before: null });
  const journal = await readJournalFacts(tenant, { scope, head }, authority);
  const kept: Kept = { pinned: 0, cited: 0, source: 0, proposed: 0 };
  const judging = { work, use, journal, kept };
  const { facts, faded } = await readFaded(judging);
  const old = await readArchived(judging);
  const archived = await carryOut('change', weakest(faded, most), judging);
  const pruned = await carryOut('prune', weakest(old, most), judging);
  return {
    scope_block_uuid: scope,
    facts,
    archived: archived.done,
    pruned: pruned.done,
    kept,
    is_more: faded.length > most || old.length > most,
    proposals: [...archived.proposals, ...pruned.proposals],
  };
}

const weakest = (facts: readonly FadedFact[], most: number): readonly FadedFact[] =>
  [...facts]
    .sort((a, b) => a.importance - b.importance || (a.root_uuid < b.root_uuid ? -1 : 1))
    .slice(0, most);

interface Judging {
  readonly work: ScopeWork;
  readonly use: ScopeUse;
  readonly journal: JournalFacts;
  readonly kept: Kept;
}

/** What is current, under the floor, and idle for long enough. */
async function readFaded(
  judging: Judging,
): Promise<{ readonly facts: number; readonly faded: readonly FadedFact[] }> {
  const { tenant, scope, head, rules, authority, now } = judging.work;
  const faded: FadedFact[] = [];
  let facts = 0;
  const pages = scanPages(authority, {
    ...{ tenant, table: 'memory_open_set', limit: PAGE },
    ...{ position: [{ scope, head }], visible_at: now },
  });
  for await (const rows of pages) {
    facts += rows.length;
    for (const fact of rows) {
      if (fact.table !== 'memory_open_set' || OWN_LAYER_CLASSES.includes(fact.row.class)) continue;
      const found = judge(fact, judging);
      const isFaded = found.importance < rules.archiveUnder && found.idle_days >= rules.unusedDays;
      if (isFaded && !isKept(fact, judging)) faded.push(found);
    }
  }
  return { facts, faded };
}

/** What upkeep archived long ago, and nobody took back, used or built on since. */
async function readArchived(judging: Judging): Promise<readonly FadedFact[]> {
  const { work, journal, use } = judging;
  const { tenant, scope, rules, authority, now } = work;
  const { pruneAfterDays } = rules;
  if (pruneAfterDays === null) return [];
  const until = toEpochMs(now) - pruneAfterDays * DAY_MS;
  const due = [...journal.archivedMs].filter(
    ([root, ms]) => ms <= until && (use.roots.get(root)?.usedMs ?? 0) < ms,
  );
  const old: FadedFact[] = [];
  for (let start = 0; start < due.length; start += PAGE) {
    const roots = due.slice(start, start + PAGE).map(([root]) => root);
    const { rows } = await authority.read({ kind: 'history', tenant, scopes: [scope], roots });
    for (const root of roots) {
      const believed = rows.filter(({ row }) => row.root_uuid === root && row.retired_seq === null);
      const last = believed.at(-1);
      const isOver = believed.every(
        ({ row }) => row.valid_until !== null && row.valid_until <= now,
      );
      if (last?.table !== 'memory_open_set' || !isOver) continue;
      if (!believed.some((version) => isKept(version, judging))) old.push(judge(last, judging));
    }
  }
  return old;
}

function judge({ table, row }: Fact, { work, use, journal }: Judging): FadedFact {
  const nowMs = toEpochMs(work.now);
  const used = use.roots.get(row.root_uuid) ?? NO_USE;
  // What began long ago and was written yesterday is a memory of a day.
  const touched = Math.max(
    toEpochMs(row.valid_from),
    journal.recordedMs.get(row.recorded_seq) ?? 0,
    used.usedMs ?? 0,
  );
  const idleDays = Math.max(0, nowMs - touched) / DAY_MS;
  const estimate = estimateImportance(row.importance, used);
  const halfLifeDays = work.halfLifeDays({ table, row });
  return {
    ...{ scope_uuid: row.scope_uuid, root_uuid: row.root_uuid, uuid: row.uuid },
    ...{ content: row.content, stated: row.importance, uses: used.uses },
    estimate: tidy(estimate),
    importance: tidy(fadedImportance(estimate, { idleDays, halfLifeDays })),
    idle_days: Math.floor(idleDays),
    operation_id: null,
  };
}

const tidy = (value: number): number => Math.round(value * 1e6) / 1e6;

function isKept({ row }: AnyRow, { work, use, kept }: Judging): boolean {
  const { protectedRows, proposed } = work;
  const { root_uuid: root, uuid } = row;
  const reason: KeptReason | null =
    protectedRows.pinned.has(root) || protectedRows.pinned.has(uuid)
      ? 'pinned'
      : isCited(use.roots.get(root), work)
        ? 'cited'
        : protectedRows.sources.has(uuid)
          ? 'source'
          : proposed.has(root)
            ? 'proposed'
            : null;
  if (reason !== null) kept[reason] += 1;
  return reason !== null;
}

const isCited = (use: RootUse | undefined, { now }: ScopeWork): boolean =>
  use?.citedMs != null && use.citedMs > toEpochMs(now) - CITED_DAYS * DAY_MS;

interface Done {
  readonly done: readonly FadedFact[];
  readonly proposals: readonly Uuid[];
}

async function carryOut(
  cause: 'change' | 'prune',
  chosen: readonly FadedFact[],
  { work, use: before }: Judging,
): Promise<Done> {
  const { tenant, scope, authority, write, now } = work;
  if (write === null) return { done: chosen, proposals: [] };
  const done: FadedFact[] = [];
  const proposals: Uuid[] = [];
  let use = before;
  for (let start = 0; start < chosen.length; start += OPERATIONS_AT_ONCE) {
    // What was used while others were written stays.
    const seen = use;
    use = await readUse(tenant, scope, { authority, before: seen });
    const batch = chosen
      .slice(start, start + OPERATIONS_AT_ONCE)
      .filter(({ root_uuid: root }) => usesOf(use, root) === usesOf(before, root));
    if (batch.length === 0) continue;
    const result = await write(batch.map((fact) => toOperation(fact, cause, now)));
    if (result.proposal) proposals.push(result.proposal.proposal_uuid);
    const { receipts } = result;
    batch.forEach((fact, place) => {
      const { outcome, operation_id } = receipts[place] ?? {};
      if (outcome === 'stored' && operation_id) done.push({ ...fact, operation_id });
    });
  }
  return { done, proposals };
}

const usesOf = ({ roots }: ScopeUse, root: Uuid): number => roots.get(root)?.uses ?? 0;

function toOperation(fact: FadedFact, cause: 'change' | 'prune', now: Instant): DeleteOperation {
  const { scope_uuid: scope, root_uuid, uuid, importance, idle_days: days, uses } = fact;
  const what = cause === 'change' ? 'archived' : 'pruned';
  return {
    ...{ operation: 'DELETE', table: 'memory_open_set', scope, root_uuid, cause },
    valid_from: now,
    expected_version: uuid,
    reason: `upkeep: ${what}, importance ${importance.toFixed(3)}, ${uses} uses, ${days} days idle`,
  };
}
