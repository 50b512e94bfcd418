/** Sources of a derived row, judged under the locks of their scopes. */
import type { Uuid } from '../model/ids.ts';
import { isRange, type Source } from '../model/operation.ts';
import { derivesFromItself, sourceGone } from './refusals.ts';
import { isBelieved, type WorkingSet } from './working-set.ts';

/** Every source is believed, and none of them derives from a version of the row itself. */
export function checkSources(set: WorkingSet, root: Uuid, sources: readonly Source[]): void {
  for (const source of sources)
    if (rootsOf(set, source).has(root)) throw derivesFromItself(root, source);
}

function rootsOf(set: WorkingSet, source: Source): ReadonlySet<Uuid> {
  if (isRange(source)) {
    const standing = set.rangeOf(source);
    if (!standing?.isStanding) throw sourceGone(source);
    return standing.roots;
  }
  const version = set.versions.get(source);
  if (!version || !isBelieved(version) || set.isOnlyClaimed(source)) throw sourceGone(source);
  return set.rootsAbove(source);
}
