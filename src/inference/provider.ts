/**
 * What a provider of embeddings is: a file that exports one definition, and one line in
 * `providers.ts`.
 */
import type { Embedder } from './embedder.ts';

export interface OptionFacts {
  /** `path`: a text; in a config file relative to its folder. */
  readonly type: 'text' | 'whole' | 'path';
  readonly isRequired?: true;
  /** Given in code alone, not in a config file: a secret, or how an endpoint is treated. */
  readonly isCode?: true;
  /** The variable of the environment that stands in where the option is absent. */
  readonly env?: string;
}

/** What the space of its vectors is named by; every provider takes both. */
export interface ModelOptions {
  readonly model: string;
  readonly dimensions: number;
}

export interface EmbedderProvider<N extends string = string, O extends ModelOptions = never> {
  /** As `provider` of the engine's `embedder` names it. */
  readonly name: N;
  /** The optional package that it loads when first used; null = none. */
  readonly package: string | null;
  readonly options: Readonly<Record<keyof O & string, OptionFacts>>;
  /** Judges the options and throws `CONFIG.INVALID_VALUE`; loads and sends nothing yet. */
  create(options: O, by: { readonly stopwatch: () => number }): Embedder;
}
