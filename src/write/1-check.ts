/**
 * Stage 1: the operations are of the shape that every connector takes, before anything is looked
 * up.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { checkOperations } from '../cxri/check-write.ts';
import { isCaptureKey } from '../model/capture-key.ts';
import { type Instant, shown, type Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import type { PermissionProfile } from '../model/permission.ts';

export interface WriteCall {
  readonly operations: readonly Operation[];
  readonly profile: PermissionProfile;
  readonly now: Instant;
  readonly signal?: AbortSignal;
  /**
   * What the caller calls the text of an operation, where it wrote none itself. Default
   * `content.content`.
   */
  readonly textField?: string;
  /** Of the operations that wait, each becomes a proposal of its own. */
  readonly isApart?: boolean;
  /** By capture itself: its facts keep the mark that says so, and its keys are its own. */
  readonly isOfCapture?: boolean;
  /** Scopes that the call makes, under ids that the engine chose. */
  readonly created?: ReadonlySet<Uuid>;
}

declare const CHECKED: unique symbol;

/** At least one operation, each of its shape. */
export interface CheckedWrite extends WriteCall {
  readonly created: ReadonlySet<Uuid>;
  /** Only this stage makes one. */
  readonly [CHECKED]: true;
}

/** Throws `WRITE.INVALID` or `WRITE.TOO_LARGE`. The guard checks again, as it does for everyone. */
export function checkWriteCall(call: WriteCall): CheckedWrite {
  checkOperations(call.operations);
  if (call.isOfCapture !== true) for (const each of call.operations.entries()) assertOwnKey(each);
  // The mark is a type alone: nothing carries it at run time.
  return { ...call, created: call.created ?? new Set<Uuid>() } as CheckedWrite;
}

function assertOwnKey([index, { idempotency_key: key }]: readonly [number, Operation]): void {
  if (key === undefined || !isCaptureKey(key)) return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: `\`idempotency_key\` is \`${shown(key)}\`.`,
    fix: 'Choose a key that does not begin with `capture/`: those are of capture.',
    where: { field: 'idempotency_key', index },
  });
}
