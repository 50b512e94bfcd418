/**
 * What a signal is: a number about an item that a formula may use. One file each beside this one.
 */
import type { AnyRow, SourceClass } from '../block.ts';

/** What is known of an item when its signals are made; what takes an algorithm is handed in. */
export interface ItemFacts {
  readonly source: AnyRow;
  /** Weighted fusion of the legs, 0..1. */
  readonly similarity: number;
  /** Of each leg, 0..1. */
  readonly dense: number;
  readonly lexical: number;
  /** Closest words, 0..1; null = neither the formula nor the fusion compares words. */
  readonly maxsim: number | null;
  /** null = the formula reads none of it. */
  readonly conversation: ConversationNumbers | null;
  /** null = the formula does not read it, or now is not asked for. */
  readonly latest: number | null;
  /** null = the formula reads no classes. */
  readonly standing: Standing | null;
  readonly retrievability: number;
  /** null = no outcome yet. */
  readonly utility: number | null;
  /** Outcomes so far. */
  readonly outcomes: number;
  /** Since the row became valid. */
  readonly ageHours: number;
  /** Since the last outcome, else as the age. */
  readonly idleHours: number;
  /** Tags of the row whose words stand next to each other in the query or in its task. */
  readonly tagMatches: number;
  /** This principal was served it within the hour, in another session. */
  readonly isServedElsewhere: boolean;
  /** Distance of the row's scope in the closure. */
  readonly depth: number;
  /** Decay weight of the intent. */
  readonly lambda: number;
  /** Of `ScoringSettings`. */
  readonly settings: {
    readonly beta: number;
    readonly recencyHalfLifeHours: number;
    readonly importanceHalfLifeDays: number;
    readonly importanceHalfLives: Readonly<Record<string, number>>;
    readonly importanceFloor: number;
    readonly frequencyCap: number;
    readonly classBoosts: { readonly lesson: number; readonly process: number };
    readonly stalePenalty: number;
    readonly trust: Readonly<Record<SourceClass | 'unknown', number>>;
  };
}

/** What links say of a document: its own or, of a chunk, those of its document. */
export interface Standing {
  readonly isAbsorbed: boolean;
  readonly isReplaced: boolean;
}

/** What a turn is among the turns around it; `scoring/conversation.ts` reads it. */
export interface ConversationNumbers {
  readonly window: number;
  readonly previous: number;
  readonly session: number;
  readonly author: number;
  readonly date: number;
  readonly when: number;
  readonly question: number;
  readonly length: number;
  readonly strangers: number;
  readonly unseen: number;
  readonly unnamed: number;
}

interface SignalFacts {
  /** For the docs. */
  readonly meaning: string;
  readonly range: readonly [number, number];
  /** null = the item has no such number. */
  readonly of: (item: ItemFacts) => number | null;
}

interface UsualFacts {
  /** A knob from the manifest rather than a property of the item. */
  readonly isParameter: boolean;
  /** It counts something: an ordinary item stands at the beginning of the range. */
  readonly isCounted: boolean;
  /** Read of the turns around the item, and only where a formula names one of these. */
  readonly isOfConversation: boolean;
  /** How well the item answers the query: `explain` names it first. */
  readonly isAboutQuery: boolean;
  /**
   * It says how well an item answers. False = which of the items that do stands first: it counts
   * for the order, and not for `floor_of_best`.
   */
  readonly isRelevance: boolean;
  /** `explain` names it. */
  readonly isExplained: boolean;
  /**
   * The rows that have it at all; null = every row. A lint warns where a layer holds no such rows.
   */
  readonly only: 'turn' | 'block' | null;
}

export interface SignalDefinition<N extends string = string> extends SignalFacts, UsualFacts {
  readonly name: N;
}

/** A definition; what is not given is as of most signals. */
export const defineSignal = <const N extends string>(
  given: { readonly name: N } & SignalFacts & Partial<UsualFacts>,
): SignalDefinition<N> => ({
  isParameter: false,
  isCounted: false,
  isOfConversation: false,
  isAboutQuery: false,
  isRelevance: true,
  isExplained: true,
  only: null,
  ...given,
});
