/**
 * A stretch of a text, and what it costs whatever comes after it. Costs may be fractions; a count
 * rounds their sum up.
 */
export interface CountedPiece {
  readonly units: number;
  readonly tokens: number;
}

/** Cuts a text into pieces that cover it in order. */
export type Pieces = (text: string) => Iterable<CountedPiece>;
