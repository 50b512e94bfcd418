/**
 * Datamarking: spaces of retrieved text become a marker, so that a model can tell data from
 * instructions at every word.
 */

const PRIVATE_USE_START = 0xe000;
const PRIVATE_USE_COUNT = 6400;

/**
 * A private-use character derived from the seed (FNV-1a): the same request at the same position
 * gives the same bytes.
 */
export function datamarker(seed: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++)
    hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193) >>> 0;
  return String.fromCharCode(PRIVATE_USE_START + (hash % PRIVATE_USE_COUNT));
}

/**
 * Marks a text. The marker is taken out of the text first, so that text cannot pretend and the
 * marking can be undone.
 */
export const markData = (text: string, marker: string): string =>
  text.replaceAll(marker, '').replaceAll(' ', marker);
