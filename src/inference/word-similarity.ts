/**
 * How close two words are in meaning, by the table of the built-in embedder; for rankings that
 * compare word by word (MaxSim).
 */
import type { WordSimilarity } from '../text/terms.ts';
import { loadWordTable, ROW_LENGTH, type WordTable } from './word-table.ts';

/**
 * Numbers of a row that are compared: the first are the principal ones. MaxSim over LoCoMo (760
 * questions, turns alone): R@10 65.7 with 128,
 * 65.6 with all 256 at twice the cost, 65.3 with 64. All small similarities counted: without those
 * under 0.45 the first is 62.9.
 */
const COMPARED = 128;

/**
 * Reads the table if nothing else has yet (about 40 ms, once in a process). It does not matter
 * which embedder the engine uses.
 */
export const loadWordSimilarity = async (): Promise<WordSimilarity> =>
  wordSimilarity(await loadWordTable());

/**
 * Lengths of rows are computed when first needed and kept: 120 KB for a table, however many use it.
 */
const keptLengths = new WeakMap<WordTable, Float32Array>();

/**
 * A word that the table does not have is 0 to all others and 1 to itself. About 0.15 µs a
 * comparison.
 */
export function wordSimilarity(table: WordTable): WordSimilarity {
  const { rows, vectors } = table;
  const lengths = keptLengths.get(table) ?? new Float32Array(rows.size);
  keptLengths.set(table, lengths);
  const startOf = (row: number): Int8Array =>
    vectors.subarray(row * ROW_LENGTH, row * ROW_LENGTH + COMPARED);
  const lengthOf = (row: number): number => {
    const known = lengths[row] ?? 0;
    if (known > 0) return known;
    const length = Math.fround(Math.sqrt(dot(vectors, row, startOf(row))));
    lengths[row] = length;
    return length;
  };
  return (word) => {
    const own = rows.get(word);
    if (own === undefined) return (other) => (other === word ? 1 : 0);
    const vector = startOf(own);
    const ownLength = lengthOf(own);
    return (other) => {
      const row = rows.get(other);
      if (row === undefined) return 0;
      return row === own ? 1 : dot(vectors, row, vector) / (ownLength * lengthOf(row));
    };
  };
}

/** Of whole numbers, so exact in any order: four sums side by side take half the time of one. */
function dot(vectors: Int8Array, row: number, vector: Int8Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0, at = row * ROW_LENGTH; index < COMPARED; index += 4, at += 4) {
    a = (a + (vectors[at] ?? 0) * (vector[index] ?? 0)) | 0;
    b = (b + (vectors[at + 1] ?? 0) * (vector[index + 1] ?? 0)) | 0;
    c = (c + (vectors[at + 2] ?? 0) * (vector[index + 2] ?? 0)) | 0;
    d = (d + (vectors[at + 3] ?? 0) * (vector[index + 3] ?? 0)) | 0;
  }
  return a + b + c + d;
}
