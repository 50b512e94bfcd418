/** What `ingest` takes and gives. */
import type { Uuid } from '../../model/ids.ts';
import type { CallOptions } from '../call-options.ts';

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
export interface RemovedDocument extends Pick<StoredDocument, 'root_uuid' | 'path'> {}
/** A document as it stands in the ledger. */
export interface StoredDocument {
  /** What `forget({ block })` takes out with all its chunks. */
  readonly root_uuid: Uuid;
  /** Below its source. */
  readonly path: string;
  readonly title: string | null;
  readonly class: string;
  readonly source_id: string | null;
  readonly valid_from: string;
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
  /**
   * Documents of a folder whose file is not there any more. They stay in the ledger until they are
   * forgotten.
   */
  readonly removed: readonly RemovedDocument[];
  /** What was read otherwise than it may have been meant, such as a TTL that is no time. */
  readonly warnings: readonly string[];
}
