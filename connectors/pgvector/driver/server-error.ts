/**
 * What a server says about a refused statement, in the field names that node-postgres and PGlite
 * share.
 */
export interface ServerError {
  readonly message: string;
  readonly code: string;
  readonly severity?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  /** 1-based character offset into the statement, as text. */
  readonly position?: string | undefined;
  readonly where?: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The server's part of a thrown value; null when it has no SQLSTATE, that is, when it did not come
 * from a server.
 */
export function toServerError(thrown: unknown): ServerError | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  const fields: Partial<Record<string, unknown>> = { ...thrown };
  const code = textOf(fields.code);
  // Node's own errors have codes too, and some of them (`EPIPE`) are as long as a SQLSTATE.
  const isSqlstate = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !('syscall' in thrown);
  if (!isSqlstate) return null;
  const message =
    thrown instanceof Error ? thrown.message : (textOf(fields.message) ?? 'unknown server error');
  return {
    message,
    code,
    severity: textOf(fields.severity),
    detail: textOf(fields.detail),
    hint: textOf(fields.hint),
    position: textOf(fields.position),
    where: textOf(fields.where),
  };
}
