/**
 * What models cost, as their makers listed it on a day. A model that is not here needs a price in
 * the options of the engine: without one no cap on cost can hold.
 */
export interface ModelPrice {
  readonly input_usd_per_million: number;
  readonly output_usd_per_million: number;
}
export interface ListedPrice extends ModelPrice {
  readonly model: string;
  /** The day on which it was read from the list of the maker. */
  readonly as_of: string;
}

const AS_OF = '2025-06-01';

export const LISTED_PRICES: readonly ListedPrice[] = [
  { model: 'gpt-4.1', input_usd_per_million: 2, output_usd_per_million: 8, as_of: AS_OF },
  { model: 'gpt-4.1-mini', input_usd_per_million: 0.4, output_usd_per_million: 1.6, as_of: AS_OF },
  { model: 'gpt-4.1-nano', input_usd_per_million: 0.1, output_usd_per_million: 0.4, as_of: AS_OF },
  { model: 'gpt-4o', input_usd_per_million: 2.5, output_usd_per_million: 10, as_of: AS_OF },
  { model: 'gpt-4o-mini', input_usd_per_million: 0.15, output_usd_per_million: 0.6, as_of: AS_OF },
];

/** Dollars per million tokens that are embedded. */
const EMBEDDING_PRICES: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 0.02,
  'text-embedding-3-large': 0.13,
  'text-embedding-ada-002': 0.1,
};
const CHARS_A_TOKEN = 4;

/** Of texts that no provider was asked for, by their length; null = the model has no price here. */
export function savedUsd(model: string, chars: number): number | null {
  const price = EMBEDDING_PRICES[model];
  return price === undefined ? null : (chars / CHARS_A_TOKEN / 1_000_000) * price;
}

export const listedPrice = (model: string): ListedPrice | undefined =>
  LISTED_PRICES.find((price) => price.model === model);

export const costOf = (
  { input, output }: { readonly input: number; readonly output: number },
  price: ModelPrice,
): number =>
  (input * price.input_usd_per_million + output * price.output_usd_per_million) / 1_000_000;
