/** What the gate reads and says of a piece of a turn. */
import type { BlockRow } from '../../model/block.ts';
import type { DeclineReason, MemoryClass } from '../../model/capture.ts';
import type { AskedSecret } from '../secrets/asked-secret.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Voice } from '../voices/voice.ts';

export interface GateSettings {
  readonly layerNames: ReadonlySet<string>;
  /** Of the manifest's negative space: `neverPhrases`. */
  readonly never: readonly string[];
  /** Several people talk with each other. */
  readonly isAmongPeople?: boolean;
  /** The turn before it announced the words of somebody else. */
  readonly isOfOthers?: boolean;
  /** A role goes on in it that a turn before it gave. */
  readonly isInRole?: boolean;
  /** The turn before it asked something: what has no subject may be about whom that asked. */
  readonly isAnswer?: boolean;
  /** The turn before it asked anything: a few words may answer that. */
  readonly isReply?: boolean;
  /** How the turn before it ends: what stands first may be the value that it names. */
  readonly leadBefore?: string;
  /** The secret that a turn before it asked for. */
  readonly secretAsked?: AskedSecret | null;
  /** What of it a later turn of its speaker takes back. */
  readonly takenBack?: readonly { readonly start: number; readonly end: number }[];
}

export type Verdict =
  | {
      readonly isKept: true;
      readonly class: Exclude<MemoryClass, 'typed'>;
      readonly isCorrection: boolean;
      /** What the speaker asked to be remembered. */
      readonly isAsked: boolean;
      /** It denies what the speaker said just before, if that was about the same. */
      readonly isDenial?: boolean;
      /** Where nothing is known of what it speaks of, it claims nothing. */
      readonly isElseNone?: boolean;
      /** No more than the value that was meant: of what, the speaker said just before. */
      readonly isElliptic?: boolean;
      /** `Green, sorry`: of what was said last, or of nothing. */
      readonly isWeak?: boolean;
      /** By the classifier: no instruction is taken at its word. */
      readonly isGuessed?: boolean;
      /** A guess that is not to be believed without a review. */
      readonly isUnsure?: boolean;
    }
  | { readonly isKept: false; readonly reason: DeclineReason };

export interface GatedSegment {
  readonly turn: BlockRow;
  /** As it stands in the turn. */
  readonly whole: Sentence;
  /** Without lead-ins. */
  readonly sentence: Sentence;
  readonly verdict: Verdict;
  readonly voice: Voice;
}
