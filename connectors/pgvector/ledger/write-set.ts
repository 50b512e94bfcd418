/**
 * What a write works on: the versions it may touch, as they were read under the scopes' locks, and
 * all that it does to them. Nothing here reaches the database; `write-flush.ts` carries the
 * difference over in a few statements.
 */

import { assertThat } from '../../../src/codes/errors.ts';
import type { WriteRequest } from '../../../src/cxri/contract.ts';
import { idTaken } from '../../../src/ledger/refusals.ts';
import type { AnyRow, LinkRow, Table, TypedContent, Versioned } from '../../../src/model/block.ts';
import type { Instant, Uuid } from '../../../src/model/ids.ts';
import {
  type Operation,
  type Receipt,
  UNDECIDED,
  type WriteDecision,
} from '../../../src/model/operation.ts';
import { scopeMissing } from '../refusals.ts';
import { toEntry } from '../rows.ts';

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
  readonly operation: string;
  readonly table: Table | null;
  readonly uuid: Uuid | null;
  readonly root: Uuid | null;
  readonly receipt: Receipt | null;
  readonly decision: WriteDecision;
  /** Set where this operation is the first with its key. */
  readonly key?: { readonly key: string; readonly digest: string };
}

/** An operation of the journal that has the key of one of ours. */
export interface KnownKey {
  readonly digest: string;
  readonly receipt: Receipt;
}

/** What the locks answered. */
export interface Held {
  readonly locks: ReadonlyMap<Uuid, ScopeLock>;
  readonly keys: Map<string, KnownKey>;
  /** New ids of the operations that name a row already, of whatever table. */
  readonly taken: ReadonlySet<Uuid>;
}

export const keyOf = (scope: Uuid, key: string): string => JSON.stringify([scope, key]);
export const typedKeyOf = (
  scope: Uuid,
  of: Pick<TypedContent, 'subject' | 'collection' | 'property'>,
): string => JSON.stringify([scope, of.subject, of.collection, of.property]);

export const isBelieved = ({ entry: { row } }: Version): boolean =>
  row.retired_seq === null && row.status === 'live';
export const covers = ({ entry: { row } }: Version, at: Instant): boolean =>
  row.valid_from <= at && (row.valid_until === null || at < row.valid_until);
/** The ADD of a block that is its own scope: what makes a scope. */
export const isBirth = (operation: Operation): boolean =>
  operation.operation === 'ADD' &&
  operation.table === 'blocks' &&
  operation.content.is_scope &&
  operation.uuid === operation.scope;

export class WriteSet {
  readonly request: WriteRequest;
  readonly versions = new Map<Uuid, Version>();
  /** The scopes of roots that edges lead from. */
  readonly places = new Map<Uuid, Uuid>();
  /** What operations so far claim to make, and what their receipts name. */
  readonly #claimed = new Set<Uuid>();
  readonly #made = new Set<Uuid>();
  readonly journal: JournalRow[] = [];
  #decision = UNDECIDED;
  readonly written = new Set<Uuid>();
  readonly #locks: ReadonlyMap<Uuid, ScopeLock>;
  readonly #keys: Map<string, KnownKey>;
  readonly #taken: ReadonlySet<Uuid>;
  readonly #roots = new Map<Uuid, Version[]>();
  readonly #typed = new Map<string, Version[]>();
  readonly #derivations = new Map<Uuid, LinkRow[]>();
  readonly #sources = new Map<Uuid, LinkRow[]>();

  constructor(request: WriteRequest, held: Held) {
    this.request = request;
    this.#locks = held.locks;
    this.#keys = held.keys;
    this.#taken = held.taken;
  }

  /**
   * What is journaled from here on, cascades among it, is decided as this operation of the request.
   */
  begin(index: number): void {
    this.#decision = this.request.decisions?.[index] ?? UNDECIDED;
  }

  record(row: Omit<JournalRow, 'decision'>): void {
    this.journal.push({ ...row, decision: this.#decision });
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
    if (entry.table === 'context_links' && entry.row.link_type === 'derived_from') {
      listIn(this.#derivations, entry.row.to_uuid).push(entry.row);
      listIn(this.#sources, entry.row.from_uuid).push(entry.row);
    }
    return version;
  }

  settle(version: Version, columns: Settlement): void {
    version.entry = toEntry(version.entry.table, { ...version.entry.row, ...columns });
    if (version.state === 'stored') version.state = 'settled';
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
  valuesOf = (
    scope: Uuid,
    key: Pick<TypedContent, 'subject' | 'collection' | 'property'>,
  ): readonly Version[] => this.#typed.get(typedKeyOf(scope, key)) ?? [];
  /** `derived_from` links that point at a version. */
  derivationsOf = (source: Uuid): readonly LinkRow[] => this.#derivations.get(source) ?? [];
  /** `derived_from` links of a root. */
  sourcesOf = (root: Uuid): readonly LinkRow[] => this.#sources.get(root) ?? [];

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
