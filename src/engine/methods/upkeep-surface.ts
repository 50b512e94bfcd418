/** The surface of upkeep as types. */
import type { ScopeUuid } from '../../model/ids.ts';
import type { UpkeepRun } from '../../model/upkeep.ts';
import type { CallOptions } from '../call-options.ts';

export interface UpkeepInput {
  /** This scope alone; default: all that the caller reads and whose manifest asks for upkeep. */
  readonly scope?: ScopeUuid;
  /** Says what would be done, and writes nothing. */
  readonly dry_run?: boolean;
  /** Facts that are archived, and as many that are pruned, in a scope; 1,000 by default. */
  readonly limit?: number;
  /** Steps on mounts that begin later are left for another run; 600 by default. */
  readonly mount_seconds?: number;
}

export interface Upkeep {
  /**
   * Archives facts that fell under `retention.archive_under` of their manifest and that nobody
   * uses, prunes those archived long ago, and tends the indexes and old files of the mounts. Facts
   * that are pinned, typed, or were cited within 30 days stay. Archiving takes the tier of
   * `writes`, pruning that of `deletes`; both are journaled, and `undo` takes them back.
   */
  upkeep(input?: UpkeepInput, options?: CallOptions): Promise<UpkeepRun>;
}
