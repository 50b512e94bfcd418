/** Messages between the main thread and the worker that runs PGlite. */
import type { ServerError } from '../server-error.ts';

/** Handed over as `workerData`. */
export interface PgliteStart {
  /** Absolute path of the database folder; null keeps everything in memory. */
  readonly dataDir: string | null;
  /** An uncompressed tar of a database folder to start an in-memory database from. */
  readonly image?: Uint8Array;
  /**
   * Without it a folder that holds no database is an error, so that a wrong path never makes an
   * empty one.
   */
  readonly mayInitialize: boolean;
  /** PGlite's `WebAssembly.Module`; without it the worker compiles its own. */
  readonly code?: object;
}

export type PgliteRequest =
  | {
      readonly id: number;
      readonly kind: 'run';
      readonly text: string;
      readonly params: readonly (string | null)[];
    }
  | { readonly id: number; readonly kind: 'exec'; readonly text: string }
  | { readonly id: number; readonly kind: 'close' };

/**
 * Values travel as text: one string is cheaper to pass between threads than a parsed object, and
 * both drivers decode alike.
 */
export type PgliteReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string; readonly log: readonly string[] }
  | {
      readonly kind: 'rows';
      readonly id: number;
      readonly columns: readonly { readonly name: string; readonly oid: number }[];
      readonly rows: readonly (readonly (string | null)[])[];
      readonly command: string;
    }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly error: ServerError }
  /** The database itself is gone (a trap in the WASM, a PANIC): nothing more will be answered. */
  | { readonly kind: 'broken'; readonly id: number; readonly message: string };
