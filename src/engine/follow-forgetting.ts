/**
 * What follows on a `forget` in memory that was captured: it is no part of the transaction that
 * forgets. Where that process dies before it, `erase` does it, and a `forget` of the same.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { TargetKind } from '../model/erasure.ts';
import type { Uuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import type { NamedOperation } from '../model/undo.ts';
import { writeOperations } from '../write/write.ts';
import type { CallOptions } from './call-options.ts';
import { failureOf } from './capture-failure.ts';
import { captureDependencies } from './capture-worker.ts';
import { type EngineParts, signalOf } from './engine-parts.ts';
import type { FollowedForgetting } from './methods/forget-surface.ts';

interface Forgotten {
  readonly redaction: Uuid;
  readonly kind: TargetKind;
  readonly grant: Grant;
}

/** Never rejects for what the world did: what was forgotten is forgotten. */
export async function followForgetting(
  forgotten: Forgotten,
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<FollowedForgetting> {
  // Nothing of the tenant is left.
  if (forgotten.kind === 'tenant') return NOTHING;
  const by = captureDependencies(parts, await parts.profileOf(options));
  const capture = await import('../capture/forget/after-forgetting.ts');
  const asked = { ...forgotten, timeZone: parts.timeZone };
  try {
    const { failures, ...counts } = await capture.followForgetting(asked, by);
    const told = failures.map(({ code, ...where }) => ({ ...failureOf(code), ...where }));
    return { ...counts, failures: told };
  } catch (error) {
    if (!(error instanceof ContextEngineError)) throw error;
    return { ...NOTHING, failures: [{ ...failureOf(error.code), scope_block_uuid: null }] };
  }
}

const NOTHING: FollowedForgetting = {
  given_back: 0,
  said_again: 0,
  waits: 0,
  failures: [],
};

/** What is done once it is back, or put back where it stays out of sight. */
export interface UndoneFollowing {
  readonly isBack: () => Promise<void>;
  readonly stays: () => Promise<void>;
}

/** Before a redaction is brought back, what followed on it is undone, the last first. */
export async function undoFollowed(
  { redaction, grant }: Omit<Forgotten, 'kind'>,
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<UndoneFollowing> {
  const { authority, timeZone } = parts;
  const { tenant, scopes } = grant;
  const followed = await authority.operationsAfter(tenant, redaction, scopes);
  if (followed.length === 0) return { isBack: nothing, stays: nothing };
  const operations = followed.map(({ operation_id: id }) => id);
  const asked = { redaction, operations };
  const { receipts } = await authority.forgottenCaptures(tenant, asked, scopes);
  const profile = await parts.profileOf(options);
  const undo = async ({ operation_id: target, scope }: NamedOperation) => {
    const operation = { operation: 'UNDO', scope, target } as const;
    const call = { operations: [operation], profile, now: parts.now(), ...signalOf(options) };
    return (await writeOperations(call, parts)).receipts;
  };
  const undone: NamedOperation[] = [];
  const stays = async (): Promise<void> => {
    for (const each of undone.toReversed()) await undo(each);
  };
  try {
    for (const each of followed)
      for (const { operation_id, outcome, scope } of await undo(each))
        if (outcome === 'stored') undone.push({ operation_id, scope });
  } catch (error) {
    await stays();
    throw error;
  }
  const isBack = async (): Promise<void> => {
    const by = captureDependencies(parts, profile);
    const { followReturn } = await import('../capture/forget/after-forgetting.ts');
    const amending = receipts.map((receipt) => ({ receipt, operations }));
    await followReturn({ redaction, timeZone }, amending, by);
  };
  return { isBack, stays };
}
const nothing = async (): Promise<void> => undefined;
