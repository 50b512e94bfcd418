/**
 * The cosine from which two statements may be one: each space of embeddings has its own, for a
 * cosine of one says nothing in another. `node scripts/measure-near-duplicate.mjs` measures it.
 */
import { type EmbeddingSpace, spaceName } from './embedder.ts';

/**
 * Measured spaces, by name. In the built-in one, 27 of 100 updates that differ in a word are as
 * alike as .92, as are 31 of 100 paraphrases: likeness alone tells them apart nowhere. Of those
 * whose words agree as well, .92 is the lowest at which no update is left; 10 paraphrases are.
 */
const MEASURED: ReadonlyMap<string, number> = new Map([['builtin/use-static-30k.2/256', 0.92]]);

/**
 * Of a space that nobody measured. Models of sentences put texts of one topic nearer to each other
 * than the built-in one does: what is not known again is stored twice, which loses nothing.
 */
export const UNMEASURED_NEAR_DUPLICATE = 0.95;

/** null = no vectors: nothing is compared by them. */
export const nearDuplicateOf = (space: EmbeddingSpace | null): number =>
  (space && MEASURED.get(spaceName(space))) ?? UNMEASURED_NEAR_DUPLICATE;
