/**
 * A direction for any string, the same on every machine: what stands in for words that no table
 * has.
 */

/** Places that a string adds to; two strings share one of 256 now and then, eight hardly ever. */
const PLACES = 8;
const PER_PLACE = 1 / Math.sqrt(PLACES);
/**
 * Starts of four hashes, each gives two places: the offset basis of FNV-1a and three
 * others.
 */
const SEEDS = [0x811c9dc5, 0x811cbcb4, 0x9e3779b9, 0x85ebca77] as const;

/**
 * Adds the string's direction, of length 1 (more or less where two of its own places coincide)
 * times `length`.
 */
export function addDirection(sums: Float64Array, feature: string, length: number): void {
  for (const seed of SEEDS) {
    const hash = hash32(feature, seed);
    addTo(sums, (hash & 0xffff) % sums.length, hash & 0x80000000 ? -length : length);
    addTo(sums, ((hash >>> 16) & 0x3fff) % sums.length, hash & 0x40000000 ? -length : length);
  }
}

function addTo(sums: Float64Array, place: number, length: number): void {
  sums[place] = (sums[place] ?? 0) + length * PER_PLACE;
}

/**
 * FNV-1a over UTF-16 units with the finisher of MurmurHash3, after which all bits are independent.
 */
function hash32(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
