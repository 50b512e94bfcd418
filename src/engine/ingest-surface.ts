/** What `ingest` takes and gives. */
import type { CallOptions } from './call-options.ts';

/** How a source is read; without it, it is seen from its name and beginning. */
export type IngestKind = 'jsonl' | 'markdown' | 'text' | 'locomo' | 'facts' | 'scripts';

export type IngestSource =
  /** A file or a folder. */
  | string
  | {
      readonly path: string;
      readonly as?: IngestKind;
      /** What it is known by from run to run. Default: the last part of the path. */
      readonly name?: string;
    }
  /** A document that is no file: the body of a pull request, a page that was fetched. */
  | {
      /** What it is known by; its class is seen from it, as from a path. */
      readonly name: string;
      readonly content: string;
      /** ISO 8601. Default: what its front matter or name says, else now. */
      readonly date?: string;
    };

export interface IngestProgress {
  /** Everything is checked before anything is written. */
  readonly phase: 'checking' | 'writing';
  /** Of the phase. */
  readonly records: number;
  /** null = not known yet. */
  readonly total: number | null;
}
export interface IngestOptions extends CallOptions {
  /** Called after each record that was checked, and after each batch that was written. */
  readonly onProgress?: (progress: IngestProgress) => void;
}
/** Rows by outcome; a row that is there already is a `duplicate`. */
export interface IngestAnswer {
  readonly stored: number;
  readonly duplicate: number;
  readonly superseded: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly conflict: number;
  readonly embedding_pending: number;
}
