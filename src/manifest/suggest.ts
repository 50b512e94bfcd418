/** "Did you mean": the nearest of a list of names by edit distance. */

/** Edits (insert, delete, replace, swap of neighbours) between two names, case and word separators aside. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}

const fold = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, '');

/** The nearest of `known` within a third of its length, or undefined. Names over 64 characters are nobody's typing error. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const wanted = fold(name);
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(fold(candidate).length / 3)))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return ranked[0]?.candidate;
}

/** A fix for a wrong name: the nearest one if there is one, and the list of what there is. */
export function didYouMean(name: string, known: readonly string[]): string {
  const hit = nearest(name, known);
  const list = known.length === 0 ? '' : `Use one of ${known.slice(0, 24).map((entry) => `\`${entry}\``).join(', ')}${known.length > 24 ? ', …' : ''}.`;
  return hit === undefined ? list || 'Remove it.' : `Did you mean \`${hit}\`? ${list}`.trim();
}
