/**
 * Rotation: what another session of the same principal was served within the hour counts half, so
 * that every session reaches deeper into the archive (seed 001). It reorders and silences nothing:
 * floors are judged without it, and where nothing fresh answers as well, nothing is lowered.
 */
import type { Uuid } from '../model/ids.ts';
import type { Formula, ScoringSettings } from '../model/manifest.ts';
import type { Signals } from '../model/signals/index.ts';
import { scoreOf } from '../scoring/score.ts';

interface Rotated {
  readonly root: string;
  readonly uuid: Uuid;
  readonly signals: Signals;
  readonly score: number;
}

export interface Rotation<T> {
  readonly items: readonly T[];
  /** Lowered. */
  readonly lowered: readonly Uuid[];
  /** Served within the hour as well, but nothing fresh answers in their place. */
  readonly kept: readonly Uuid[];
}

export const readsStale = ({ names }: Formula): boolean => names.includes('stale');

/** `items` were scored as if nothing had been served. */
export function rotate<T extends Rotated>(
  items: readonly T[],
  served: ReadonlySet<string>,
  settings: Pick<ScoringSettings, 'formula' | 'stalePenalty' | 'rivalShare'>,
): Rotation<T> {
  const { formula, stalePenalty, rivalShare } = settings;
  const isServed = ({ root }: Rotated): boolean => served.has(root);
  if (!readsStale(formula) || !items.some(isServed)) return { items, lowered: [], kept: [] };
  const best = items.reduce((most, { signals }) => Math.max(most, signals.sim ?? 0), 0);
  // Who matches the query at least so well answers it too.
  const answers = items.filter(({ signals }) => (signals.sim ?? 0) >= rivalShare * best);
  const alone = new Set<T>(answers.every(isServed) ? answers : []);
  const lowered: Uuid[] = [];
  const rotated = items.map((item) => {
    if (!isServed(item) || alone.has(item)) return item;
    lowered.push(item.uuid);
    const signals = { ...item.signals, stale: stalePenalty };
    return { ...item, signals, score: scoreOf(formula, signals).score };
  });
  return { items: rotated, lowered, kept: [...alone].map(({ uuid }) => uuid) };
}
