/**
 * What an adapter gives: sources, each the content of one scope, and the records of a source in
 * order.
 */
import type { FactInput, TypedOptions } from '../model/write-input.ts';

export interface TurnRecord {
  readonly kind: 'turn';
  readonly role: string | null;
  readonly author: string | null;
  /** ISO 8601 in UTC; null where the source has none. */
  readonly occurredAt: string | null;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly blockType: string;
  /** What else makes the turn itself, such as an id in the source. */
  readonly identity: string;
}

export interface DocumentChunk {
  readonly text: string;
  readonly heading: string | null;
  /** Of a hook in an index, the document that it is of. */
  readonly target?: string;
  /** Where it ends before its document does. */
  readonly untilMs?: number;
}

export interface DocumentRecord {
  readonly kind: 'document';
  /** Path below the source, `/` between folders: what the document is known by. */
  readonly path: string;
  readonly title: string;
  /**
   * `lesson`, `retro`, `design`, `process`, `index`, `document`, or what the document says of
   * itself.
   */
  readonly class: string;
  /** What it says of itself in a line; null = nothing. */
  readonly description: string | null;
  readonly chunks: readonly DocumentChunk[];
  readonly sha256: string;
  /**
   * What it says it is of, its name does, or the last commit of it; where none does, `modifiedMs`.
   */
  readonly datedMs: number;
  readonly modifiedMs: number;
  /** When it ends: its TTL. */
  readonly untilMs: number | null;
  /** TTLs of it, as they are written, that are no time: what they stand by does not end. */
  readonly unreadTtls: readonly string[];
}

export interface FactRecord {
  readonly kind: 'fact';
  readonly fact: FactInput;
}

export interface TypedRecord {
  readonly kind: 'typed';
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
  readonly options: TypedOptions;
}

export type IngestRecord = TurnRecord | DocumentRecord | FactRecord | TypedRecord;

/**
 * The content of one scope. `records` is read twice: once to check everything, once to write it.
 * Throws `CLI.INPUT`.
 */
export interface Source {
  /** What it is found again by. */
  readonly name: string;
  readonly title: string;
  records(): AsyncIterable<IngestRecord>;
  /** Of a folder: whether a document that was read from it may still be. */
  hasFile?(path: string): Promise<boolean>;
  /** Of a folder: the files that no adapter reads, by path. */
  readonly leftOut?: readonly string[];
}

export const ADAPTERS = ['jsonl', 'markdown', 'text', 'locomo', 'facts', 'scripts'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** What an adapter receives. */
export interface SourceFile {
  readonly path: string;
  /** As messages show it. */
  readonly shown: string;
  /** File or folder name, or what `--source` says. */
  readonly name: string;
  /** Whether `name` was given, and is therefore what the scope is found by, alone. */
  readonly isNamed: boolean;
}
