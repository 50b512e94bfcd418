/** The surface of memory as types: what is captured, and what is remembered. */
import type { CaptureCounts, CaptureReceipt } from '../model/capture.ts';
import type { FactFilter, FactRecord, FactState } from '../model/fact-record.ts';
import type { ScopeUuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import type { FactChangeInput } from '../model/write-input.ts';
import type { CallOptions } from './call-options.ts';

export interface CaptureInput {
  /** An IANA name, for the days of `yesterday` and `by Friday`. Default UTC. */
  readonly time_zone?: string;
  /** Batches of 200 turns at most. Default: until nothing is left. */
  readonly max_batches?: number;
}
export interface CaptureAnswer {
  /** One for each batch; empty where nothing was left to capture. */
  readonly receipts: readonly CaptureReceipt[];
  /** Of all batches. */
  readonly counts: CaptureCounts;
  /** `max_batches` ended it before the last turn. */
  readonly is_more: boolean;
  readonly warnings: readonly string[];
}

/** Which facts: all that is given holds. */
export interface FactListing extends Omit<FactFilter, 'source'> {
  /** This scope and those that it inherits from; default: all that the caller reads. */
  readonly scope?: string;
  /** Default `current`. */
  readonly state?: FactState;
  /** What they were made from: the uuid of a turn, or of the scope of the turns. */
  readonly source?: string;
  /** At most 1,000, 100 by default. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly after?: string;
}
export interface FactPage {
  /** The latest to begin first. */
  readonly facts: readonly FactRecord[];
  /** Of all pages. */
  readonly total: number;
  /** null = this is the last page. */
  readonly cursor: string | null;
}
export interface FactSearch {
  /** This one and those that it inherits from. */
  readonly scope: string;
  /** At most 100, 10 by default. */
  readonly limit?: number;
}
/** `score`: 0..1, words and meaning alike. */
export type FoundFact = FactRecord & { readonly score: number };

/** What the engine does with memory. */
export interface Memory {
  /**
   * Turns of the scope that were not captured yet become memory: what a person said of themselves
   * by the rights of the caller, all else as proposals. Each turn once for each version of the
   * extractor.
   */
  capture(scope: ScopeUuid, input?: CaptureInput, options?: CallOptions): Promise<CaptureAnswer>;
  /** Work that waits: captures of scopes whose manifest says `writing.capture`. */
  readonly jobs: {
    /**
     * Runs what is due in the tenant, by the rights of the profile, until nothing is. `postponed`:
     * the codes that jobs failed with; they are tried again later.
     */
    run(
      options?: CallOptions,
    ): Promise<{ readonly done: number; readonly postponed: readonly string[] }>;
  };
  /**
   * Memory in hand: each version with what it was made from, when, by whom, and who approved it.
   */
  readonly facts: {
    list(asked?: FactListing, options?: CallOptions): Promise<FactPage>;
    /** A version by its uuid, or the last believed one of a root. */
    get(id: string, options?: CallOptions): Promise<FactRecord>;
    /**
     * Facts of the scope and of those that it inherits from, as they stand now, by words and by
     * meaning. Typed values are found by `list`.
     */
    search(query: string, asked: FactSearch, options?: CallOptions): Promise<readonly FoundFact[]>;
    /** All versions of a root, oldest first. */
    history(root: string, options?: CallOptions): Promise<readonly FactRecord[]>;
    /** It is otherwise from an instant on: what it said before stays true for its time. */
    update(root: string, change: FactChangeInput, options?: CallOptions): Promise<WriteResult>;
  };
}
