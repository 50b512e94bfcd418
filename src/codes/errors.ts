/** The one error class that leaves the library. Its codes stand in `code-table.ts`. */

import { CODES, codeRows, type ErrorCode } from './code-table.ts';

export type { ErrorCode } from './code-table.ts';

/** Every code that is thrown, with what it means and whether trying again can help. */
export const ERROR_CODES = Object.fromEntries(
  codeRows().flatMap(([code, { error, meaning }]) =>
    error ? [[code, { retryable: error.retryable, summary: meaning }]] : [],
  ),
  // The rows with the facet `error` are by definition those of the type.
) as Readonly<Record<ErrorCode, { readonly retryable: boolean; readonly summary: string }>>;

/** Where a failure is: a file position, a request field, or an item of a batch. */
export interface ErrorLocation {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
  readonly index?: number;
}

export interface ErrorDetails {
  /** What happened, with the values in backticks. */
  readonly message: string;
  /** What to do, imperative. */
  readonly fix: string;
  readonly where?: ErrorLocation;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The only error that public functions throw, but for bugs ({@link InternalError}). */
export class ContextEngineError extends Error {
  override readonly name = 'ContextEngineError';
  readonly code: ErrorCode;
  readonly fix: string;
  readonly where: ErrorLocation | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor(code: ErrorCode, details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.fix = details.fix;
    this.where = details.where;
    this.meta = details.meta ?? {};
    this.retryable = CODES[code].error.retryable;
  }

  toJSON(): Record<string, unknown> {
    return {
      code: this.code,
      message: this.message,
      fix: this.fix,
      ...(this.where && { where: this.where }),
      meta: this.meta,
      retryable: this.retryable,
    };
  }
}

/**
 * The world broke, not the call: what depends on it waits, and goes on once that is mended. A key
 * that a provider refuses is no reason to try again, and none to give up what was asked for.
 */
export const isOperational = (error: unknown): boolean =>
  error instanceof ContextEngineError && (error.retryable || error.code === 'INFERENCE.REFUSED');

/** A bug of ours. Never caught below the CLI. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** Guards a law that no input can break. */
export function assertThat(condition: unknown, law: string): asserts condition {
  if (!condition) throw new InternalError(`Broken invariant: ${law}`);
}
