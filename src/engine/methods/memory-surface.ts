/** The surface of memory as types: what is captured, and what is remembered. */
import type { EmbeddingUse } from '../../cxri/ports/shared-vectors.ts';
import type { ListedPrice } from '../../inference/prices.ts';
import type { CaptureCounts, CaptureReceipt } from '../../model/capture.ts';
import type { CostRecord } from '../../model/extraction.ts';
import type { FactFilter, FactRecord, FactState } from '../../model/fact-record.ts';
import type { Instant, ScopeUuid, Uuid } from '../../model/ids.ts';
import type { WriteResult } from '../../model/operation.ts';
import type { FactChangeInput } from '../../model/write-input.ts';
import type { CallOptions } from '../call-options.ts';
import type {
  CaptureListing,
  CapturePage,
  CaptureProgress,
  JobListing,
  WaitingJob,
} from './capture-surface.ts';
import type { Profiles } from './profile-surface.ts';

export interface CaptureInput {
  /** An IANA name, for the days of `yesterday` and `by Friday`. Default: that of the engine. */
  readonly time_zone?: string;
  /** Batches of 200 turns at most. Default: until nothing is left. */
  readonly max_batches?: number;
  /**
   * What failed of earlier captures of the scope, and that alone, once more: pieces of which no
   * answer of a model could be used, or that another write came before. The receipts are those of
   * then, with what became of these pieces now in their place.
   */
  readonly retry?: boolean;
}
export interface CaptureAnswer {
  /**
   * One for each batch, the last one of what of it is written where the rest waits; empty where
   * nothing was left to capture.
   */
  readonly receipts: readonly CaptureReceipt[];
  /** Of all batches. */
  readonly counts: CaptureCounts;
  /** `max_batches` ended it before the last turn, or the rest waits. */
  readonly is_more: boolean;
  /**
   * Why turns wait, and until when: the budget of the day is spent, another worker has asked a
   * model about them, or as many proposals wait for a review as may. Nothing is lost. null =
   * nothing waits.
   */
  readonly waits: {
    readonly code: 'CAPTURE.BUDGET_SPENT' | 'CAPTURE.BUSY' | 'CAPTURE.REVIEWS_WAIT';
    readonly until: Instant;
  } | null;
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

export interface CostListing {
  /** Default: all that the caller reads. */
  readonly scope?: string;
  /** In UTC, both included: `2026-05-01`. Default today. */
  readonly from_day?: string;
  readonly to_day?: string;
  /** At most 1,000, 100 by default. */
  readonly limit?: number;
}

export interface EmbeddingDay extends EmbeddingUse {
  /** Of all texts, those that no provider was asked for. */
  readonly hit_rate: number;
  /** By the listed price, four characters a token; null = the model has none. */
  readonly saved_usd: number | null;
}

export interface CoreLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Since when it stands there without a break. */
  readonly since: Instant;
}
/** Core memory as a composition of a scope reads it. */
export interface CoreMemory {
  /** Where the block stands: the scope asked for, or the nearest that it inherits from. */
  readonly scope_block_uuid: Uuid;
  /** null = there is none yet; the first line makes it in the scope asked for. */
  readonly root_uuid: Uuid | null;
  readonly uuid: Uuid | null;
  readonly lines: readonly CoreLine[];
  /** Of the strictest `core` layer of the manifests. */
  readonly max_lines: number;
  /** How often it was written. */
  readonly versions: number;
}
/** As it is afterwards, with what was written; no receipts = nothing had to be. */
export interface CoreChange extends CoreMemory {
  readonly result: WriteResult;
}

/** What the engine does with memory. */
export interface Memory extends Profiles {
  /**
   * Turns of the scope that were not captured yet become memory: what a person said of themselves
   * by the rights of the caller, all else as proposals. Each turn once for each version of the
   * extractor.
   */
  capture(scope: ScopeUuid, input?: CaptureInput, options?: CallOptions): Promise<CaptureAnswer>;
  /** What captures made of a scope, by hand and behind appends alike. */
  readonly captures: {
    /** The receipts of a scope, a page at a time. */
    list(asked: CaptureListing, options?: CallOptions): Promise<CapturePage>;
    /** What of a scope is not captured yet, and why. */
    progress(scope: ScopeUuid, options?: CallOptions): Promise<CaptureProgress>;
  };
  /** Work that waits: captures of scopes whose manifest says `writing.capture`. */
  readonly jobs: {
    /** What is not done, in the order in which it is due; with what it failed with. */
    list(asked?: JobListing, options?: CallOptions): Promise<readonly WaitingJob[]>;
    /**
     * Runs what is due in the scopes that the profile holds, by its rights, until nothing is.
     * `postponed`: the codes that jobs failed with; they are tried again later.
     */
    run(
      options?: CallOptions,
    ): Promise<{ readonly done: number; readonly postponed: readonly string[] }>;
  };
  /**
   * Core memory by its lines, versioned like everything: `history` and `undo` take its root and its
   * operations. Over `max_lines` a change is `WRITE.TOO_LARGE`, which shows the newest lines.
   */
  readonly core: {
    show(scope: ScopeUuid, options?: CallOptions): Promise<CoreMemory>;
    /** All of it anew; an empty text ends it. */
    edit(scope: ScopeUuid, text: string, options?: CallOptions): Promise<CoreChange>;
    /** Lines at the end. */
    add(scope: ScopeUuid, text: string, options?: CallOptions): Promise<CoreChange>;
    /** A line by its number or by its words. */
    drop(scope: ScopeUuid, line: number | string, options?: CallOptions): Promise<CoreChange>;
  };
  /** What models cost for captures. */
  readonly costs: {
    /** By scope, manifest, UTC day and model; the latest day first. */
    list(asked?: CostListing, options?: CallOptions): Promise<readonly CostRecord[]>;
    /**
     * Texts that were embedded, by the level of the cache that answered them, day and space; each
     * process adds its own when it closes. Of people and services that hold the whole tenant: empty
     * for others. `from_day`: default a week ago.
     */
    embeddings(from_day?: string, options?: CallOptions): Promise<readonly EmbeddingDay[]>;
    /** The prices that are known, each with the day that it is of. */
    prices(options?: CallOptions): Promise<readonly ListedPrice[]>;
  };
  /**
   * Memory in hand: each version with what it was made from, when, by whom, and who approved it.
   */
  readonly facts: {
    list(asked?: FactListing, options?: CallOptions): Promise<FactPage>;
    /**
     * A version by its uuid, or the last believed one of a root. The first version has the uuid of
     * its root: `history` shows it.
     */
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
