/** The port of a model that answers in JSON of a schema. What it answers is untrusted text. */
import type { ModelPrice } from './prices.ts';

export interface ModelQuestion {
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the answer, under a name. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly mostOutputTokens: number;
  readonly signal?: AbortSignal;
}
export interface ModelAnswer {
  readonly text: string;
  /** As the endpoint counted; null = it did not say. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export interface StructuredModel {
  readonly model: string;
  readonly price: ModelPrice;
  /** The longest that one `ask` takes, in milliseconds. */
  readonly patienceMs: number;
  /**
   * One request, asked once. Throws `INFERENCE.REFUSED` where the key is not accepted or the model
   * is not there, else `INFERENCE.UNAVAILABLE`. `meta.status`: of its answer, 400 = it refuses this
   * request; `meta.is_free`: the endpoint refused it or was not reached, so that it cost nothing.
   */
  ask(question: ModelQuestion): Promise<ModelAnswer>;
}
