/** What the stages of a write are given besides the call. */
import type { Authority } from '../cxri/authority.ts';
import type { Embedder } from '../inference/embedder.ts';
import type { Uuid } from '../model/ids.ts';
import type { ManifestSet } from '../model/manifest.ts';
import type { PermissionDoor } from '../permission/door.ts';

export interface WriteDependencies {
  readonly authority: Authority;
  readonly embedder: Embedder | null;
  readonly manifests: ManifestSet;
  readonly permission: PermissionDoor;
  readonly newId: () => Uuid;
  /** Name and version of the writing software, for the journal. */
  readonly writer: string;
}
