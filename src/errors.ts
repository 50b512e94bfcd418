/**
 * The closed table of error codes, and the one error class that leaves the library.
 * `code` = `NAMESPACE.REASON`. A code is added here first; `test/tidy.test.ts` holds this table equal to the README's.
 */

/** Every code, with what it means and whether trying again can help. */
export const ERROR_CODES = {
  'MANIFEST.NOT_FOUND': { retryable: false, summary: 'no manifest serves the scope type, or the named one is not loaded' },
  'MANIFEST.INVALID': { retryable: false, summary: 'a manifest has findings of severity error; they are in meta.findings' },
  'MANIFEST.UNKNOWN_PLACEHOLDER': { retryable: false, summary: 'a text uses {{name}} that no input declares' },
  'MANIFEST.MISSING_INPUT': { retryable: false, summary: 'a required input has no value in the request' },
  'MANIFEST.UNKNOWN_INPUT': { retryable: false, summary: 'the request gives an input that the manifest does not declare' },
  'MANIFEST.UNKNOWN_INTENT': { retryable: false, summary: 'the intent is neither built in nor declared by the manifest' },
  'MANIFEST.FORMULA': { retryable: false, summary: 'a scoring formula does not parse' },
  'FEATURE.NOT_LANDED': { retryable: false, summary: 'a capability of the design that this version does not have yet' },
  'FEATURE.INERT': { retryable: false, summary: 'a setting that is valid but has no effect in this version' },
  'SCOPE.NOT_FOUND': { retryable: false, summary: 'no such scope for this tenant' },
  'SCOPE.NOT_A_SCOPE': { retryable: false, summary: 'the uuid names a block that is not a scope' },
  'SCOPE.CYCLE': { retryable: false, summary: 'inherits would form a cycle' },
  'PERMISSION.PROFILE_MISSING': { retryable: false, summary: 'the call has no permission profile' },
  'PERMISSION.INVALID_PROFILE': { retryable: false, summary: 'the permission profile is malformed or wider than its principal' },
  'PERMISSION.DENIED': { retryable: false, summary: 'the principal may not do this here' },
  'PERMISSION.APPROVAL_REQUIRED': {
    retryable: false,
    summary: 'a T2 or T3 action: decided, but approvals have not landed in this version',
  },
  'PERMISSION.UNAVAILABLE': { retryable: true, summary: 'the permission store did not answer; the call failed closed' },
  'CONNECTOR.UNAVAILABLE': { retryable: true, summary: 'the database did not answer' },
  'CONNECTOR.DEADLINE': { retryable: true, summary: 'the deadline passed or the call was aborted' },
  'CONNECTOR.LOCKED': { retryable: true, summary: 'another process holds the embedded database' },
  'CONNECTOR.MISSING_CAPABILITY': { retryable: false, summary: 'the connector cannot give what is asked; isolation is never emulated' },
  'CONNECTOR.ROLE': { retryable: false, summary: 'the database role would bypass row-level security or lacks a grant' },
  'CONNECTOR.INVALID_REQUEST': { retryable: false, summary: 'a malformed request reached a connector' },
  'CONNECTOR.CLOSED': { retryable: false, summary: 'the engine or connection was closed' },
  'CONNECTOR.CORRUPT': { retryable: false, summary: 'the embedded folder is not a database of ours or is damaged' },
  'WRITE.INVALID': { retryable: false, summary: 'an operation is malformed; nothing was written' },
  'WRITE.IDEMPOTENCY_CONFLICT': { retryable: false, summary: 'the idempotency key was used with another payload' },
  'WRITE.NOT_FOUND': { retryable: false, summary: 'UPDATE or DELETE of a root that is not there' },
  'WRITE.TYPE_MISMATCH': { retryable: false, summary: 'a typed value does not fit its collection' },
  'WRITE.TOO_LARGE': { retryable: false, summary: 'a content is longer than the limit' },
  'WRITE.SOURCE_GONE': { retryable: false, summary: 'a derived row names a source that is not visible' },
  'WRITE.REFUSED': { retryable: false, summary: 'the database refused an illegal change' },
  'BUDGET.STATIC_TOO_LONG': { retryable: false, summary: 'a layer that is never cut is longer than the budget' },
  'BUDGET.INVALID': { retryable: false, summary: 'budget numbers are negative or contradict each other' },
  'INFERENCE.UNAVAILABLE': { retryable: true, summary: 'the embedding provider did not answer' },
  'INFERENCE.DIMENSIONS': { retryable: false, summary: 'a vector of another embedding space' },
  'INFERENCE.MISSING_PACKAGE': { retryable: false, summary: 'an optional package is not installed' },
  'MIGRATION.PENDING': { retryable: false, summary: 'the database has not been migrated' },
  'MIGRATION.CHANGED': { retryable: false, summary: 'an applied migration differs from its file' },
  'MIGRATION.FAILED': { retryable: false, summary: 'a migration did not apply; nothing of it was kept' },
  'CODE.MISSING_PACKAGE': { retryable: false, summary: '`typescript`, with which the lint of code reads it, is not installed' },
  'EVAL.DATA': { retryable: false, summary: 'a data set, manifest or baseline of the eval harness cannot be read as what it claims to be' },
  'EVAL.REGRESSION': { retryable: false, summary: 'a gated metric fell below its baseline' },
  'EVAL.STALE_BASELINE': { retryable: false, summary: 'the ranking, the data or the settings changed and the baseline did not' },
  'CONFIG.INVALID_VALUE': { retryable: false, summary: 'an option or argument has a value that is not allowed' },
  'CONFIG.UNKNOWN_KEY': { retryable: false, summary: 'a field of a call, or a configuration key, that does not exist' },
  'CLI.USAGE': { retryable: false, summary: 'the command line is wrong' },
  'CLI.INPUT': { retryable: false, summary: 'an input file cannot be read as what it claims to be' },
  'RECEIPT.NOT_FOUND': { retryable: false, summary: 'no composition with this id was remembered' },
  'RECEIPT.INCOMPLETE': { retryable: false, summary: 'the composition cannot be replayed byte for byte; meta.gone says what is missing' },
} as const satisfies Record<string, { retryable: boolean; summary: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

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
    this.retryable = ERROR_CODES[code].retryable;
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

/** A bug of ours. Never caught below the CLI. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** Guards a law that no input can break. */
export function assertThat(condition: unknown, law: string): asserts condition {
  if (!condition) throw new InternalError(`Broken invariant: ${law}`);
}
