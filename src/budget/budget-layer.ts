/** What is offered to the budget, and what it gives back. */
import type { DropReason } from '../model/candidate.ts';
import type { Cut } from '../model/layer.ts';
import type { TokenCounter } from './counter.ts';

export interface BudgetItem {
  /** Unique in its layer. */
  readonly key: string;
  readonly text: string;
  /**
   * What the item offers, 0..1, calibrated so that it compares between layers of equal rank; there,
   * bid per token decides.
   */
  readonly bid: number;
  /** What stands once above all items of a layer with the same head; '' = nothing. */
  readonly head?: string;
  /** Served last, from tokens that nothing else uses. */
  readonly isSpare?: boolean;
  /** A row's words, not the manifest's: cut where a layer that is never cut does not fit. */
  readonly isStored?: boolean;
  /** What it shows, where another layer may show it too: the root of its row. */
  readonly same?: string;
  /** UTF-16 units that `text` already is of a longer text. */
  readonly kept?: number;
  /** The item as it will stand in the whole, with `text` or a prefix of it. */
  readonly render: (text: string) => string;
}

export interface BudgetLayer {
  readonly name: string;
  /** 1 = most important, cut last. */
  readonly rank: number;
  readonly cut: Cut;
  readonly minTokens: number;
  readonly maxTokens: number | null;
  /** No layer that can be cut repeats what this one shows. */
  readonly isHistory?: boolean;
  /**
   * Best first for `items`, oldest first for `oldest`, in text order for `sentences` and `never`.
   */
  readonly items: readonly BudgetItem[];
}

/** A layer as it goes to the renderer; one without items is left out. */
export interface KeptLayer {
  readonly name: string;
  readonly items: readonly KeptItem[];
}
export interface KeptItem {
  readonly key: string;
  readonly text: string;
  /** UTF-16 units of the original text that were kept; null = whole. */
  readonly kept: number | null;
  readonly tokens: number;
}

export interface FitInput {
  /** In render order. */
  readonly layers: readonly BudgetLayer[];
  readonly totalTokens: number;
  readonly counter: TokenCounter;
  /** Renders these layers and no others. Pure. */
  readonly render: (layers: readonly KeptLayer[]) => string;
}

export interface FittedLayer extends KeptLayer {
  /** What the layer could have used. */
  readonly budget: number;
  /** What it uses, tags included. */
  readonly tokens: number;
  readonly dropped: readonly { readonly key: string; readonly reason: DropReason }[];
}

export interface FittedContext {
  /** All layers in render order, also those that kept nothing. */
  readonly layers: readonly FittedLayer[];
  readonly text: string;
  /** Tokens of `text`, counted whole. */
  readonly tokens: number;
}
