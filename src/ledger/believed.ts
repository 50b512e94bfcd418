/**
 * What is believed between two writes, by root and by typed key, with ends as they were known then.
 */
import type { AnyRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import { typedKeyOf } from './indexed-history.ts';
import type { BelievedVersion } from './placing.ts';

interface Known extends BelievedVersion {
  readonly isOne: boolean;
}

export class Believed {
  readonly #roots = new Map<Uuid, Map<Uuid, Known>>();
  readonly #keys = new Map<string, Map<Uuid, Known>>();

  ofRoot = (root: Uuid): readonly Known[] => [...(this.#roots.get(root)?.values() ?? [])];
  ofKeyOf = (entry: AnyRow): readonly Known[] =>
    entry.table === 'memory_schema_typed'
      ? [...(this.#keys.get(typedKeyOf(entry.row))?.values() ?? [])]
      : [];

  /** Carries out what happened at a sequence number. */
  apply(step: {
    readonly recorded: readonly AnyRow[];
    readonly closed: readonly AnyRow[];
    readonly retired: readonly AnyRow[];
  }): void {
    for (const entry of step.closed) this.#set(entry, entry.row.valid_until);
    for (const entry of step.recorded)
      this.#set(entry, entry.row.closed_seq === null ? entry.row.valid_until : null);
    for (const entry of step.retired)
      for (const group of this.#groupsOf(entry)) group.delete(entry.row.uuid);
  }

  /**
   * A root, or the value of a key, that would be believed twice at one time; among groups of these
   * rows.
   */
  overlapAmong(entries: readonly AnyRow[]): Uuid | null {
    for (const entry of entries) {
      const ones = this.ofKeyOf(entry).filter(({ isOne }) => isOne);
      const versions = [this.ofRoot(entry.row.root_uuid), ones];
      if (versions.some(hasOverlap)) return entry.row.root_uuid;
    }
    return null;
  }

  #set(entry: AnyRow, until: BelievedVersion['valid_until']): void {
    const { uuid, valid_from } = entry.row;
    const isOne = entry.table === 'memory_schema_typed' && entry.row.cardinality === 'one';
    for (const group of this.#groupsOf(entry))
      group.set(uuid, { uuid, valid_from, valid_until: until, isOne });
  }

  #groupsOf(entry: AnyRow): readonly Map<Uuid, Known>[] {
    const root = groupIn(this.#roots, entry.row.root_uuid);
    if (entry.table !== 'memory_schema_typed') return [root];
    return [root, groupIn(this.#keys, typedKeyOf(entry.row))];
  }
}

function groupIn<K>(groups: Map<K, Map<Uuid, Known>>, key: K): Map<Uuid, Known> {
  const group = groups.get(key) ?? new Map<Uuid, Known>();
  groups.set(key, group);
  return group;
}

function hasOverlap(versions: readonly BelievedVersion[]): boolean {
  const ordered = [...versions].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
  return ordered.some((version, index) => {
    const next = ordered[index + 1];
    return (
      next !== undefined && (version.valid_until === null || version.valid_until > next.valid_from)
    );
  });
}
