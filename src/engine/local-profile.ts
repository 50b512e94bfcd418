import type { PermissionProfile } from '../model/permission.ts';

/** Who acts on an embedded database when no one is named: it is the user's own folder. */
export const LOCAL_PROFILE: PermissionProfile = Object.freeze({
  principal: 'local',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
});
