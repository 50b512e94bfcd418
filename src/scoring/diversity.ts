/** Few rather than many: of items that say the same, the best one; of the rest, those that add something (maximal marginal relevance). */
import type { DropReason } from '../model/candidate.ts';
import { compareScored, type Ordered } from './order.ts';
import { type Fingerprint, fingerprint, isNearDuplicate, similarity } from './similarity.ts';

/** Cosine or share of words above which the weaker of two items is dropped (seed 000 and Governed Memory agree on it). */
const NEAR_DUPLICATE = 0.92;

export interface DiverseItem extends Ordered {
  readonly text: string;
  /** Of unit length. */
  readonly vector?: readonly number[];
}
export interface DiversitySettings {
  /** 1 = relevance only, 0 = difference only. */
  readonly lambda: number;
  readonly nearDuplicate?: number;
  /** Items kept at most. */
  readonly limit?: number;
}
export interface Diversified<T> {
  /** In the order chosen, the best first. */
  readonly kept: readonly T[];
  /** In score order. */
  readonly dropped: readonly { readonly item: T; readonly reason: Extract<DropReason, 'near_duplicate' | 'same_text' | 'limit'> }[];
}

interface Entry<T> {
  readonly item: T;
  readonly print: Fingerprint;
  /** Score as a share of the best one's: the scale that likeness is weighed on. Used for this order only, never shown as a score. */
  readonly relevance: number;
  /** Greatest likeness to a kept item. */
  likeness: number;
  isDuplicate: boolean;
}

/** Deterministic and blind to the order of `items`. Costs (kept x items) comparisons. */
export function diversify<T extends DiverseItem>(items: readonly T[], settings: DiversitySettings): Diversified<T> {
  const { lambda, nearDuplicate = NEAR_DUPLICATE, limit = Number.POSITIVE_INFINITY } = settings;
  const { entries, repeats } = distinctTexts(items);
  const dropped: Diversified<T>['dropped'][number][] = repeats.map((item) => ({ item, reason: 'same_text' }));
  const kept: T[] = [];
  while (kept.length < limit) {
    const best = takeBest(entries, lambda);
    if (!best) break;
    kept.push(best.item);
    if (kept.length < limit) compareWith(best, entries, nearDuplicate);
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (!entry?.isDuplicate) continue;
      dropped.push({ item: entry.item, reason: 'near_duplicate' });
      entries.splice(index, 1);
    }
  }
  for (const { item } of entries) dropped.push({ item, reason: 'limit' });
  return { kept, dropped: dropped.sort((a, b) => compareScored(a.item, b.item)) };
}

/** Entries in score order, one per text. */
function distinctTexts<T extends DiverseItem>(items: readonly T[]): { entries: Entry<T>[]; repeats: T[] } {
  const sorted = [...items].sort(compareScored);
  const best = Math.max(0, sorted[0]?.score ?? 0);
  const seen = new Set<string>();
  const entries: Entry<T>[] = [];
  const repeats: T[] = [];
  for (const item of sorted) {
    if (seen.has(item.text)) {
      repeats.push(item);
      continue;
    }
    seen.add(item.text);
    const relevance = best > 0 ? item.score / best : 0;
    entries.push({ item, print: fingerprint(item.text, item.vector), relevance, likeness: 0, isDuplicate: false });
  }
  return { entries, repeats };
}

/** Removes and gives the entry of the greatest margin; of equals the one first in score order. */
function takeBest<T>(entries: Entry<T>[], lambda: number): Entry<T> | undefined {
  let bestIndex = 0;
  let bestMargin = Number.NEGATIVE_INFINITY;
  entries.forEach((entry, index) => {
    const margin = lambda * entry.relevance - (1 - lambda) * entry.likeness;
    if (margin > bestMargin) {
      bestMargin = margin;
      bestIndex = index;
    }
  });
  return entries.splice(bestIndex, 1)[0];
}

function compareWith<T>(kept: Entry<T>, entries: readonly Entry<T>[], threshold: number): void {
  for (const entry of entries) {
    const alike = similarity(kept.print, entry.print);
    entry.likeness = Math.max(entry.likeness, alike);
    entry.isDuplicate ||= isNearDuplicate(kept.print, entry.print, { alike, threshold });
  }
}
