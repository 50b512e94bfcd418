/** What the manifests of a type of scope say of capture: where several serve it, the strictest. */
import { DEFAULT_WRITING, type Manifest, type WritingSettings } from '../model/manifest.ts';

/**
 * A turn is captured once, for all manifests that serve its scope: what one of them keeps out of
 * memory is kept out. `into` and `near_duplicate` have no strict side; the first manifest's hold.
 */
export function uniteSettings(serving: readonly Manifest[]): WritingSettings {
  const first = serving[0]?.writing ?? DEFAULT_WRITING;
  const all = [first, ...serving.flatMap(({ writing }) => writing ?? [])];
  return {
    ...first,
    never: [...new Set(all.flatMap(({ never }) => never))],
    minConfidence: Math.max(...all.map(({ minConfidence }) => minConfidence)),
    costBudgetUsdPerDay: Math.min(...all.map(({ costBudgetUsdPerDay: usd }) => usd)),
  };
}
