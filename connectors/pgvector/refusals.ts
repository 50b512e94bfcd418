/** What a refused statement means to the caller of the connector. */
import { ContextEngineError, type ErrorCode } from '../../src/codes/errors.ts';
import { idTaken, nothingNamed, redactionMissing } from '../../src/ledger/refusals.ts';
import { shown } from '../../src/model/ids.ts';
import { SqlError } from './driver/sql.ts';

/** SQLSTATE of serialization failures and deadlocks: the same transaction again can succeed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof SqlError && (error.sqlstate === '40001' || error.sqlstate === '40P01');

/** SQLSTATE of a unique index, and of the trigger that holds ids unique over all tables. */
export const isTakenId = (error: unknown): boolean =>
  error instanceof SqlError && error.sqlstate === '23505';

/**
 * A write that the database refused: bad data is the caller's, a broken law is `WRITE.REFUSED`.
 * Nothing of it was kept.
 */
export function toWriteError(error: unknown): unknown {
  if (!(error instanceof SqlError)) return error;
  if (isConflict(error)) return tooManyWriters(error);
  // Class 22: a value that a column cannot hold (NUL, a lone surrogate, a time out of range).
  // 54000: an index entry that is too long.
  if (error.sqlstate.startsWith('22') || error.sqlstate === '54000')
    return refusal('WRITE.INVALID', error, 'Correct the value; nothing was written.');
  if (error.sqlstate === '23514' && error.message.includes('content_check'))
    return refusal('WRITE.TOO_LARGE', error, 'Split the content: 16 MB is the limit.');
  // Taken meanwhile, or by an id that the write itself derives: the server does not report which.
  if (isTakenId(error)) return idTaken(null, error);
  if (error.sqlstate === 'CE004')
    return refusal('WRITE.REFUSED', error, 'Set the clock of the writer; nothing was written.');
  if (error.sqlstate === 'CE009')
    return error.message.includes('redaction') ? redactionMissing() : nothingNamed();
  const settling = SETTLING[error.sqlstate];
  if (settling !== undefined) return refusal(settling.code, error, settling.fix);
  if (error.sqlstate === 'CE001' || error.sqlstate.startsWith('23'))
    return refusal('WRITE.REFUSED', error, 'Correct the operation; nothing was written.');
  return unexpected(error);
}

/** What the sealed functions of approvals and rights refuse. */
const SETTLING: Readonly<Record<string, { readonly code: ErrorCode; readonly fix: string }>> = {
  CE005: {
    code: 'PERMISSION.DENIED',
    fix:
      'Let another person or service that holds `approvals` there settle it; rights of a server ' +
      'change by a signed approval, or with the login that migrates.',
  },
  CE006: {
    code: 'PERMISSION.PROPOSAL_SETTLED',
    fix: 'Propose it again, if it is still wanted.',
  },
  CE007: {
    code: 'PERMISSION.SIGNATURE_INVALID',
    fix: 'Sign the digest of the proposal with a key that is registered for the approver.',
  },
  CE012: {
    code: 'PERMISSION.TOO_MANY_PROPOSALS',
    fix: 'Let some of them be settled first, or take them back with `approvals.reject`.',
  },
  CE010: {
    code: 'WRITE.REFUSED',
    fix: 'Forget it again, if it is to be erased.',
  },
  CE008: {
    code: 'PERMISSION.RIGHTS_REFUSED',
    fix: 'See what is stored with `principals.list`.',
  },
};

export const tooManyWriters = (cause: Error): ContextEngineError =>
  new ContextEngineError('CONNECTOR.UNAVAILABLE', {
    message: `The write met other writers too often: ${cause.message}`,
    fix: 'Try the write again.',
    cause,
  });

/** A read that failed. */
export function toReadError(error: unknown): unknown {
  if (!(error instanceof SqlError)) return error;
  const code = codeOfPart(error.sqlstate);
  return code === 'CONNECTOR.UNAVAILABLE'
    ? unexpected(error)
    : refusal(code, error, 'Correct the request.');
}

/** The code of a part that failed by itself, from the SQLSTATE that the sealed search answers. */
export function codeOfPart(sqlstate: string): ErrorCode {
  // 22000: vectors of different dimensions
  if (sqlstate === 'CE003' || sqlstate === '22000') return 'INFERENCE.DIMENSIONS';
  if (sqlstate === 'CE002' || sqlstate.startsWith('22')) return 'CONNECTOR.INVALID_REQUEST';
  return 'CONNECTOR.UNAVAILABLE';
}

const refusal = (code: ErrorCode, error: SqlError, fix: string): ContextEngineError =>
  new ContextEngineError(code, {
    message: `The database refused it: ${shown(error.message)}`,
    fix,
    meta: { sqlstate: error.sqlstate },
    cause: error,
  });

function unexpected(error: SqlError): ContextEngineError {
  const isRights = error.sqlstate === '42501';
  return new ContextEngineError(isRights ? 'CONNECTOR.ROLE' : 'CONNECTOR.UNAVAILABLE', {
    message: `The database answered ${error.sqlstate}: ${shown(error.message)}`,
    fix: isRights
      ? 'Run `contextengine migrate`, and connect as a member of `contextengine_app`.'
      : 'Look at the database log; try again.',
    meta: { sqlstate: error.sqlstate },
    cause: error,
  });
}

export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted)
    throw new ContextEngineError('CONNECTOR.DEADLINE', {
      message: 'The call was aborted before it reached the database.',
      fix: 'Call again without aborting.',
      cause: signal.reason,
    });
};
