/**
 * What is evaluated: stores to fill, and questions whose evidence is known.
 *
 * - *key*: a stable name of an item, given by the data set; the runner learns which row it became.
 * - *evidence*: the keys of the items that answer a question; none = the store cannot answer it.
 */
import type { FactInput, TurnInput, TypedOptions } from '../src/index.ts';

export interface KeyedTurn extends TurnInput {
  readonly key: string;
}
export interface KeyedFact extends Omit<FactInput, 'replaces' | 'corrects'> {
  readonly key: string;
  /** When it was served and then used. ISO 8601. */
  readonly uses?: readonly string[];
  /** Key of the fact that this one takes over from. */
  readonly replaces?: string;
}
export interface KeyedTyped extends TypedOptions {
  readonly key: string;
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
}

/** A scope and what is in it. */
export interface EvalStore {
  readonly key: string;
  readonly scopeType: string;
  readonly title: string;
  /** Keys of stores before this one. */
  readonly inherits: readonly string[];
  /** When the questions are asked: the clock of everything that forgets. ISO 8601. */
  readonly now: string;
  readonly turns: readonly KeyedTurn[];
  readonly facts: readonly KeyedFact[];
  readonly typed: readonly KeyedTyped[];
}

export interface EvalQuestion {
  readonly id: string;
  readonly category: string;
  /** Key of the store that it is asked of. */
  readonly store: string;
  readonly query: string;
  /** The layer that should hold the evidence. */
  readonly layer: string;
  /** Empty = unanswerable. */
  readonly evidence: readonly string[];
  /**
   * Any of the evidence answers alone: chunks that overlap, or say the same. Default: all of it is
   * asked for.
   */
  readonly isAnyEnough?: boolean;
  /**
   * Keys that must not come before the evidence: values that were true once, things of a similar
   * name.
   */
  readonly rivals?: readonly string[];
  /** Asked about the past: the ledger as it stood then. */
  readonly asOf?: string;
  readonly intent: string;
  readonly side: Side;
}

/** Weights are chosen on `dev` alone; `held_out` says what they are worth. */
export const SIDES = ['dev', 'held_out'] as const;
export type Side = (typeof SIDES)[number];

export interface EvalSuite {
  readonly name: string;
  /** SHA-256 over what the suite was read from. */
  readonly dataSha256: string;
  /** What every question hands to the placeholders of the manifest. */
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  readonly stores: readonly EvalStore[];
  readonly questions: readonly EvalQuestion[];
  /** Questions that were left out, and why. */
  readonly skipped: readonly { readonly id: string; readonly why: string }[];
}
