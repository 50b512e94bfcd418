/** What the journal and the outcomes of a scope say of its facts: when, how often, and by whom. */
import type { Authority } from '../cxri/authority.ts';
import { type TenantId, toEpochMs, type Uuid } from '../model/ids.ts';
import { UNUSED, type UseOfRoot, withOutcome } from './estimate-importance.ts';

/** The writer of what upkeep did, in the journal. */
export const UPKEEP_WRITER = 'contextengine.upkeep';

export interface RootUse extends UseOfRoot {
  /** Of the last use; null = there was none. */
  readonly usedMs: number | null;
  /** Of the last citation or confirmation. */
  readonly citedMs: number | null;
}
export const NO_USE: RootUse = { ...UNUSED, usedMs: null, citedMs: null };

export interface ScopeUse {
  readonly roots: ReadonlyMap<Uuid, RootUse>;
  /** Up to which outcome it was read. */
  readonly usageHead: number;
}

type Reading = Pick<Authority, 'heads' | 'readJournal' | 'readOutcomes'>;
const PAGE = 500;

/** `before`: what was read already; what came since is added. */
export async function readUse(
  tenant: TenantId,
  scope: Uuid,
  { authority, before }: { readonly authority: Reading; readonly before: ScopeUse | null },
): Promise<ScopeUse> {
  const { usage_position: heads } = await authority.heads(tenant, [scope]);
  const head = heads.find((each) => each.scope === scope)?.head ?? 0;
  const roots = new Map(before?.roots);
  let after = before?.usageHead ?? 0;
  while (after < head) {
    const asked = { tenant, scope, after, head, limit: PAGE };
    const page = await authority.readOutcomes(asked);
    for (const { root_uuid: root, kind, at } of page) {
      const known = roots.get(root) ?? NO_USE;
      const next = withOutcome(known, kind);
      const ms = toEpochMs(at);
      const isUse = next.uses > known.uses;
      const isCited = isUse && kind !== 'used';
      roots.set(root, {
        ...next,
        usedMs: isUse ? Math.max(known.usedMs ?? ms, ms) : known.usedMs,
        citedMs: isCited ? Math.max(known.citedMs ?? ms, ms) : known.citedMs,
      });
    }
    after = page.at(-1)?.usage_seq ?? head;
  }
  return { roots, usageHead: head };
}

export interface JournalFacts {
  /** When a version was written, by its sequence number: not when what it says began. */
  readonly recordedMs: ReadonlyMap<number, number>;
  /** When upkeep archived a root last. */
  readonly archivedMs: ReadonlyMap<Uuid, number>;
}

export async function readJournalFacts(
  tenant: TenantId,
  { scope, head }: { readonly scope: Uuid; readonly head: number },
  authority: Reading,
): Promise<JournalFacts> {
  const recordedMs = new Map<number, number>();
  const archivedMs = new Map<Uuid, number>();
  let after = { seq: 0, ordinal: 0 };
  for (;;) {
    const page = await authority.readJournal({ tenant, scope, after, head, limit: PAGE });
    for (const entry of page) {
      const ms = toEpochMs(entry.recorded_at);
      if (!recordedMs.has(entry.seq)) recordedMs.set(entry.seq, ms);
      const { operation, writer, table, root_uuid: root } = entry;
      if (operation === 'DELETE' && writer === UPKEEP_WRITER && table === 'memory_open_set' && root)
        archivedMs.set(root, ms);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { recordedMs, archivedMs };
    after = { seq: last.seq, ordinal: last.ordinal };
  }
}
