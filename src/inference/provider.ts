/**
 * What a provider of embeddings is: a file that exports one definition, and one line in
 * `providers.ts`.
 */
import { type FieldSchema, type InputSchema, input, text, whole } from '../inputs/schema.ts';
import type { Embedder } from './embedder.ts';

/** The schema of an option, and how it is given. */
export interface OptionFacts extends FieldSchema {
  readonly isRequired?: true;
  /** In a config file relative to its folder. */
  readonly isPath?: true;
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
  /** The options were checked against their schemas; loads and sends nothing yet. */
  create(options: O, by: { readonly stopwatch: () => number }): Embedder;
}

const MOST = 2 ** 31 - 1;
export const atLeast = (field: string, least: number, most: number = MOST): FieldSchema =>
  whole(least, most, `Give a whole number from ${least} to ${most} as \`${field}\`.`);

/** The options that every provider takes. */
export const MODEL_OPTIONS = {
  model: {
    ...text(),
    fix: 'Name the embedding model, for example `text-embedding-3-small`.',
    isRequired: true,
  },
  dimensions: { ...atLeast('dimensions', 1), isRequired: true },
} as const satisfies Readonly<Record<keyof ModelOptions, OptionFacts>>;

/** `npm run build` compiles it to `generated/validate.js`. */
export const optionsSchema = ({ name, options }: Described): InputSchema =>
  input<typeof options>(
    { what: `${name} embedder`, code: 'CONFIG.INVALID_VALUE' },
    options,
    Object.keys(options).filter((field) => options[field]?.isRequired),
  );

/** The part of a provider that is data. */
export interface Described {
  readonly name: string;
  readonly options: Readonly<Record<string, OptionFacts>>;
}
