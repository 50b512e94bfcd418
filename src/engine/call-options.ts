import type { PermissionProfile } from '../model/permission.ts';

/** Options of every call that reads or writes on behalf of someone. */
export interface CallOptions {
  readonly permission_profile?: PermissionProfile;
  readonly signal?: AbortSignal;
}
