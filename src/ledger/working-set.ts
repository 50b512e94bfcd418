/**
 * What a write works on: the versions it may touch, as they were read under the scopes' locks, and
 * all that it does to them. Pure: a connector loads it and carries the difference over.
 */
import { assertThat } from '../codes/errors.ts';
import type { AnyRow, LinkRow, TypedContent, Versioned } from '../model/block.ts';
import { isInSlot, slotOf } from '../model/fact-slot.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { SaidAgain } from '../model/journal.ts';
import {
  type Operation,
  type Receipt,
  type SourceRange,
  UNDECIDED,
  type WriteDecision,
} from '../model/operation.ts';
import { toEntry } from './entry.ts';
import { type Moved, placeInSlot, type SlotPlacement } from './place-in-slot.ts';
import { idTaken, scopeMissing } from './refusals.ts';

export type Settlement = Partial<
  Pick<Versioned, 'valid_until' | 'closed_seq' | 'retired_seq' | 'superseded_by' | 'cause'>
>;

/** One version of the working set. `state`: as stored, stored and changed by this write, or new. */
export interface Version {
  entry: AnyRow;
  state: 'stored' | 'settled' | 'new';
}

export interface ScopeLock {
  head: number;
  readonly recordedAt: Instant | null;
}

export interface JournalRow {
  readonly scope: Uuid;
  readonly seq: number;
  readonly receipt: Receipt;
  readonly decision: WriteDecision;
  /** Of a row that comes back with an undo. Absent: the operation itself. */
  readonly kind?: 'RETURN';
  readonly ordinal?: number;
  /** Of an undo: what it takes back. Of what comes back with it: the undo. */
  readonly causedBy?: Uuid;
  readonly saidAgain?: SaidAgain;
  /** Set where this operation is the first with its key. */
  readonly key?: { readonly key: string; readonly digest: string };
}

/** An operation of the journal that has the key of one of ours. */
export interface KnownKey {
  /** null = what it wrote was erased: whatever is written under the key again is not stored. */
  readonly digest: string | null;
  readonly receipt: Receipt;
}

/** What the locks answered. */
export interface Held {
  readonly locks: ReadonlyMap<Uuid, ScopeLock>;
  readonly keys: Map<string, KnownKey>;
  /** New ids of the operations that name a row already, of whatever table. */
  readonly taken: ReadonlySet<Uuid>;
}

/** What is written, as far as the rules need it. */
export interface Written {
  readonly tenant: TenantId;
  readonly operations: readonly Operation[];
  readonly decisions?: readonly WriteDecision[];
  readonly must_be_new?: readonly Uuid[];
  readonly seed?: Uuid;
  readonly recorded_at: Instant;
}

/** A range as it stands: `roots` are those of the operations that it derives from or holds. */
export interface StandingRange {
  readonly range: SourceRange;
  readonly isStanding: boolean;
  readonly roots: ReadonlySet<Uuid>;
}

/** Versions that an operation found wrong, and that something derives from. */
export interface Fallen {
  readonly uuids: readonly Uuid[];
  readonly by: Receipt;
  readonly decision: WriteDecision;
}

export const keyOf = (scope: Uuid, key: string): string => JSON.stringify([scope, key]);
export const typedKeyOf = (
  scope: Uuid,
  of: Pick<TypedContent, 'subject' | 'collection' | 'property'>,
): string => JSON.stringify([scope, of.subject, of.collection, of.property]);

export const isBelieved = ({ entry: { row } }: Version): boolean =>
  row.retired_seq === null && row.status === 'live';

/** The ADD of a block that is its own scope: what makes a scope. */
export const isBirth = (operation: Operation): boolean =>
  operation.operation === 'ADD' &&
  operation.table === 'blocks' &&
  operation.content.is_scope &&
  operation.uuid === operation.scope;

export class WorkingSet {
  readonly request: Written;
  readonly versions = new Map<Uuid, Version>();
  /** The scopes of roots that edges lead from. */
  readonly places = new Map<Uuid, Uuid>();
  readonly journal: JournalRow[] = [];
  readonly written = new Set<Uuid>();
  /** What operations so far claim to make, and what their receipts name. */
  readonly #claimed = new Set<Uuid>();
  readonly #made = new Set<Uuid>();
  #decision = UNDECIDED;
  readonly #locks: ReadonlyMap<Uuid, ScopeLock>;
  readonly #keys: Map<string, KnownKey>;
  readonly #taken: ReadonlySet<Uuid>;
  readonly #roots = new Map<Uuid, Version[]>();
  readonly #typed = new Map<string, Version[]>();
  readonly #derivations = new Map<Uuid, LinkRow[]>();
  readonly #derived = new Set<Uuid>();
  readonly #rangedScopes = new Set<Uuid>();
  readonly #above = new Map<Uuid, Set<Uuid>>();
  readonly #saidAgain = new Map<Uuid, Instant[]>();
  readonly #ranges: StandingRange[] = [];
  readonly #moved = new Map<Uuid, Moved>();
  #fallen: Uuid[] = [];

  constructor(request: Written, held: Held) {
    this.request = request;
    this.#locks = held.locks;
    this.#keys = held.keys;
    this.#taken = held.taken;
  }

  /** What is journaled from here on is decided as this operation of the request. */
  begin(index: number): void {
    this.#decision = this.request.decisions?.[index] ?? UNDECIDED;
  }

  record(row: Omit<JournalRow, 'decision'>): void {
    this.journal.push({ ...row, decision: this.#decision });
    const { uuid } = row.receipt;
    if (row.saidAgain && uuid !== null) this.setSaidAgain(uuid, row.saidAgain.from);
  }

  /** One id names one row of the tenant, over all tables. */
  checkFree(uuid: Uuid): void {
    if (this.versions.has(uuid) || this.#taken.has(uuid)) throw idTaken(uuid);
  }

  /** Adds a version: one that was read, or a new one, whose id no other has. */
  add(entry: AnyRow, state: 'stored' | 'new'): Version {
    const known = this.versions.get(entry.row.uuid);
    if (known && state === 'new') throw idTaken(entry.row.uuid);
    if (known) return known;
    const version: Version = { entry, state };
    this.versions.set(entry.row.uuid, version);
    listIn(this.#roots, entry.row.root_uuid).push(version);
    if (entry.table === 'memory_schema_typed')
      listIn(this.#typed, typedKeyOf(entry.row.scope_uuid, entry.row)).push(version);
    if (state === 'new' && entry.table === 'context_links') this.#addLineage(entry.row);
    return version;
  }

  #addLineage(link: LinkRow): void {
    if (link.link_type !== 'derived_from') return;
    listIn(this.#derivations, link.from_uuid).push(link);
    if (link.from_seq === null) this.#derived.add(link.to_uuid);
    else this.#rangedScopes.add(link.to_uuid);
  }

  settle(version: Version, columns: Settlement): void {
    version.entry = toEntry(version.entry.table, { ...version.entry.row, ...columns });
    if (version.state === 'stored') version.state = 'settled';
  }

  /** The connector withdrew a version, and has carried that over. */
  withdrawn(uuid: Uuid, seq: number): void {
    const version = this.versionOf(uuid);
    const columns: Settlement = { retired_seq: seq, cause: 'cascade' };
    version.entry = toEntry(version.entry.table, { ...version.entry.row, ...columns });
  }

  /** The connector carried everything over; what comes next is a difference to that. */
  carriedOver(): void {
    this.journal.length = 0;
    for (const version of this.versions.values()) version.state = 'stored';
  }

  claim(operation: Operation): void {
    if ('uuid' in operation) this.#claimed.add(operation.uuid);
  }

  /** A repeated key makes nothing under the id that it is sent with. */
  made(...ids: readonly (Uuid | null)[]): void {
    for (const id of ids) if (id !== null) this.#made.add(id);
  }

  /** Whether an operation before claimed the id, and made nothing under it. */
  isOnlyClaimed = (id: Uuid): boolean => this.#claimed.has(id) && !this.#made.has(id);

  versionOf(uuid: Uuid): Version {
    const version = this.versions.get(uuid);
    assertThat(version, 'a placement names versions that were given to it');
    return version;
  }

  versionsOf = (root: Uuid): readonly Version[] => this.#roots.get(root) ?? [];

  /** What was to begin a root went to another; an end of the same write names the first. */
  went(uuid: Uuid, root: Uuid): void {
    if (uuid !== root) this.#moved.set(uuid, { root, isEnded: false });
  }

  /** Versions of its slot were read with those of its root. */
  placeInSlot = (operation: Operation): SlotPlacement =>
    placeInSlot(operation, {
      operations: this.request.operations,
      believed: (fact) => {
        const slot = slotOf(fact);
        return [...this.versions.values()]
          .filter((version) => isBelieved(version) && isInSlot(version.entry, slot))
          .map(({ entry }) => entry);
      },
      rootRows: (root) => this.versionsOf(root).map(({ entry }) => entry),
      saidAgain: ({ uuid }) => this.saidAgain(uuid),
      moved: this.#moved,
    });

  /** From then on the version was said again, by a statement that stands. */
  setSaidAgain = (uuid: Uuid, from: Instant): void => void listIn(this.#saidAgain, uuid).push(from);

  /** The version, or another that was cut from the same one, or came back as a copy of it. */
  saidAgain = (uuid: Uuid): readonly Instant[] => {
    const whole = this.#firstOf(uuid);
    return this.versionsOf(this.versionOf(uuid).entry.row.root_uuid).flatMap(({ entry }) => {
      const said = this.#saidAgain.get(entry.row.uuid) ?? [];
      return said.length > 0 && this.#firstOf(entry.row.uuid) === whole ? said : [];
    });
  };

  #firstOf(uuid: Uuid): Uuid {
    let first = uuid;
    for (const row of this.wholesOf(uuid)) first = row.uuid;
    return first;
  }

  valuesOf = (
    scope: Uuid,
    key: Pick<TypedContent, 'subject' | 'collection' | 'property'>,
  ): readonly Version[] => this.#typed.get(typedKeyOf(scope, key)) ?? [];

  /** Stored versions that something derives from. */
  setDerived(uuids: readonly Uuid[]): void {
    for (const uuid of uuids) this.#derived.add(uuid);
  }

  /** Of a stored version that is a source: a root of the operations that it derives from. */
  setAbove(uuid: Uuid, root: Uuid): void {
    const roots = this.#above.get(uuid) ?? new Set<Uuid>();
    this.#above.set(uuid, roots.add(root));
  }

  setRange(range: StandingRange): void {
    this.#ranges.push(range);
  }
  /** As it was read last. */
  rangeOf = (from: Pick<SourceRange, 'scope' | 'from_seq' | 'to_seq'>): StandingRange | undefined =>
    this.#ranges.findLast(
      ({ range: { scope, from_seq, to_seq } }) =>
        scope === from.scope && from_seq === from.from_seq && to_seq === from.to_seq,
    );

  /** Roots that the version derives from, as far as the operations change them, and its own. */
  rootsAbove(uuid: Uuid): ReadonlySet<Uuid> {
    const roots = new Set<Uuid>();
    const seen = new Set<Uuid>([uuid]);
    for (const at of seen) {
      const version = this.versions.get(at);
      if (version) roots.add(version.entry.row.root_uuid);
      for (const root of this.#above.get(at) ?? []) roots.add(root);
      const recutOf = version?.entry.row.recut_of;
      if (recutOf) seen.add(recutOf);
      for (const { to_uuid: to, from_seq, to_seq } of this.#derivations.get(at) ?? []) {
        if (from_seq === null || to_seq === null) seen.add(to);
        else
          for (const root of this.rangeOf({ scope: to, from_seq, to_seq })?.roots ?? [])
            roots.add(root);
      }
    }
    return roots;
  }

  /** The version, and the longer ones that it was cut from. */
  *wholesOf(uuid: Uuid): Generator<AnyRow['row']> {
    for (let at: Uuid | null = uuid; at !== null; ) {
      const row: AnyRow['row'] | undefined = this.versions.get(at)?.entry.row;
      if (row) yield row;
      at = row?.recut_of ?? null;
    }
  }

  /** A version that turned out wrong: what derives from it, or a longer one, falls with it. */
  fall({ entry: { row } }: Version): void {
    for (const { uuid, scope_uuid: scope } of this.wholesOf(row.uuid))
      if (this.#derived.has(uuid) || this.#rangedScopes.has(scope)) {
        this.#fallen.push(row.uuid);
        return;
      }
  }

  /** What fell with the operation, once it has its receipt; null = nothing that has descendants. */
  takeFallen(by: Receipt): Fallen | null {
    const uuids = this.#fallen;
    this.#fallen = [];
    return uuids.length === 0 ? null : { uuids, by, decision: this.#decision };
  }

  known = (scope: Uuid, key: string): KnownKey | undefined => this.#keys.get(keyOf(scope, key));
  remember = (scope: Uuid, key: string, known: KnownKey): void =>
    void this.#keys.set(keyOf(scope, key), known);

  nextSeq(scope: Uuid): number {
    const lock = this.lockOf(scope);
    this.written.add(scope);
    lock.head += 1;
    return lock.head;
  }

  lockOf(scope: Uuid): ScopeLock {
    const lock = this.#locks.get(scope);
    if (!lock) throw scopeMissing(scope);
    return lock;
  }
  lockedScopes = (): readonly Uuid[] => [...this.#locks.keys()];

  /** Journal time: never before the last of the scope, whatever the clock says. */
  timeOf(scope: Uuid): Instant {
    const { recordedAt } = this.lockOf(scope);
    return recordedAt !== null && recordedAt > this.request.recorded_at
      ? recordedAt
      : this.request.recorded_at;
  }
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
