/** What the engine's methods share. */
import type { Authority } from '../cxri/authority.ts';
import type { Embedder } from '../inference/embedder.ts';
import type { StructuredModel } from '../inference/structured-model.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { ManifestSet } from '../model/manifest.ts';
import type { Grant, PermissionProfile } from '../model/permission.ts';
import type { PermissionDoor } from '../permission/door.ts';
import type { OutageMarker } from '../telemetry/outage-marker.ts';
import type { CallOptions } from './context-engine.ts';

export interface EngineParts {
  readonly authority: Authority;
  readonly manifests: ManifestSet;
  readonly permission: PermissionDoor;
  readonly embedder: Embedder | null;
  /** The database works on another processor: while it does, this one is free. */
  readonly isServer: boolean;
  /** That extracts; null = by rules. */
  readonly model: StructuredModel | null;
  /** Of captures that name none. */
  readonly timeZone: string;
  readonly digestOf: (text: string) => string;
  readonly now: () => Instant;
  readonly newId: () => Uuid;
  readonly profileOf: (call: CallOptions | undefined) => Promise<PermissionProfile>;
  readonly writer: string;
  /** Waits for the receipts that are still on their way. */
  readonly settled: () => Promise<void>;
  readonly outage: OutageMarker;
  /** Refuses use after close. */
  readonly open: <A extends readonly unknown[], R>(
    body: (...args: A) => Promise<R>,
  ) => (...args: A) => Promise<R>;
}

/** What a call may do, outside of any one scope. `door` names where it entered. */
export async function grantOf(
  parts: Pick<EngineParts, 'permission' | 'profileOf'>,
  options: CallOptions | undefined,
  door: string,
): Promise<Grant> {
  const profile = await parts.profileOf(options);
  return parts.permission.judge(profile, { door, field: 'permission_profile' });
}

/** Who may read at all: a profile whose `reads` is not T1 sees nothing by looking back either. */
export async function readerOf(
  parts: Pick<EngineParts, 'permission' | 'profileOf'>,
  options: CallOptions | undefined,
): Promise<Grant> {
  const door = 'look_back';
  const grant = await grantOf(parts, options, door);
  await parts.permission.assertReader(grant, { door, field: 'permission_profile' });
  return grant;
}

export const signalOf = (options: CallOptions | undefined): Pick<CallOptions, 'signal'> =>
  options?.signal ? { signal: options.signal } : {};
