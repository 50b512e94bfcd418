/** "Did you mean": the nearest known name, if it is near enough to be a slip of the fingers. */

/** ` Did you mean \`x\`?`, or the empty text. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean \`${near}\`?`;
}

/**
 * The known name within a third of the length in edits (at least 1, at most 4 or `most`), ties to
 * the first.
 */
export function nearest(name: string, known: readonly string[], most = 4): string | undefined {
  if (name.length > 64) return undefined;
  const limit = Math.min(most, Math.max(1, Math.floor(name.length / 3)));
  let best: { name: string; edits: number } | undefined;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits <= limit && (best === undefined || edits < best.edits))
      best = { name: candidate, edits };
  }
  return best?.name;
}

/** Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
