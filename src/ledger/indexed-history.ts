/** A scope's history as the laws look at it: rows by id, root and sequence number. */
import { ContextEngineError } from '../codes/errors.ts';
import type { AnyRow, LinkRow, TypedContent } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { JournalRecord, ScopeHistory } from '../model/journal.ts';

/** A history that no sequence of writes can leave. */
export const brokenHistory = (what: string, field?: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message: `The history of the scope is not one that writes leave: ${what}. Nothing was written.`,
    fix: 'Import an export that was not edited; export the scope again if you have it.',
    ...(field !== undefined && { where: { field } }),
  });

export const typedKeyOf = ({
  subject,
  collection,
  property,
}: Pick<TypedContent, 'subject' | 'collection' | 'property'>): string =>
  JSON.stringify([subject, collection, property]);

export class IndexedHistory {
  readonly scope: Uuid;
  readonly head: number;
  readonly journal: readonly JournalRecord[];
  readonly rows: readonly AnyRow[];
  readonly byUuid = new Map<Uuid, AnyRow>();
  readonly #roots = new Map<Uuid, AnyRow[]>();
  readonly #recorded = new Map<number, AnyRow[]>();
  readonly #closed = new Map<number, AnyRow[]>();
  readonly #retired = new Map<number, AnyRow[]>();
  readonly #entries = new Map<number, JournalRecord[]>();
  readonly #links = new Map<Uuid, LinkRow[]>();
  readonly #derivations = new Map<Uuid, LinkRow[]>();
  readonly #ranges: LinkRow[] = [];
  readonly #cuts = new Map<Uuid, AnyRow[]>();

  constructor({ scope, head, rows, journal }: ScopeHistory) {
    this.scope = scope;
    this.head = head;
    this.rows = rows;
    this.journal = journal;
    for (const entry of rows) this.#add(entry);
    for (const entry of journal) listIn(this.#entries, entry.seq).push(entry);
  }

  #add(entry: AnyRow): void {
    const { row } = entry;
    if (this.byUuid.has(row.uuid))
      throw brokenHistory(`the version \`${row.uuid}\` is there twice`);
    this.byUuid.set(row.uuid, entry);
    listIn(this.#roots, row.root_uuid).push(entry);
    listIn(this.#recorded, row.recorded_seq).push(entry);
    if (row.closed_seq !== null) listIn(this.#closed, row.closed_seq).push(entry);
    if (row.retired_seq !== null) listIn(this.#retired, row.retired_seq).push(entry);
    if (row.recut_of !== null) listIn(this.#cuts, row.recut_of).push(entry);
    if (entry.table !== 'context_links' || entry.row.link_type !== 'derived_from') return;
    listIn(this.#links, entry.row.from_uuid).push(entry.row);
    if (entry.row.from_seq === null) listIn(this.#derivations, entry.row.to_uuid).push(entry.row);
    else if (entry.row.to_uuid === this.scope) this.#ranges.push(entry.row);
  }

  roots = (): readonly Uuid[] => [...this.#roots.keys()];
  versionsOf = (root: Uuid): readonly AnyRow[] => this.#roots.get(root) ?? [];
  /** Rows that came, that were closed, that were retired at a sequence number. */
  recordedAt = (seq: number): readonly AnyRow[] => this.#recorded.get(seq) ?? [];
  closedAt = (seq: number): readonly AnyRow[] => this.#closed.get(seq) ?? [];
  retiredAt = (seq: number): readonly AnyRow[] => this.#retired.get(seq) ?? [];
  entriesAt = (seq: number): readonly JournalRecord[] => this.#entries.get(seq) ?? [];
  /** `derived_from` links that lead from a version. */
  linksOf = (version: Uuid): readonly LinkRow[] => this.#links.get(version) ?? [];
  isElsewhere = ({ to_uuid: to, from_seq: from }: LinkRow): boolean =>
    from === null ? !this.byUuid.has(to) : to !== this.scope;

  /** The versions that a link names, as far as they are of this scope. */
  sourcesOf(link: LinkRow): readonly AnyRow[] {
    const source = this.byUuid.get(link.to_uuid);
    if (link.from_seq === null) return source ? [source] : [];
    return this.isElsewhere(link) ? [] : this.rows.filter((entry) => isInRange(entry, link));
  }

  /** `derived_from` links that name a version, by itself or in a range. */
  derivationsOf(entry: AnyRow): readonly LinkRow[] {
    const ranges = this.#ranges.filter((link) => isInRange(entry, link));
    return [...(this.#derivations.get(entry.row.uuid) ?? []), ...ranges];
  }

  /** The version, and the longer ones that it was cut from. */
  wholesOf(entry: AnyRow): readonly AnyRow[] {
    const wholes = new Set<AnyRow>([entry]);
    for (const { row } of wholes) {
      const whole = row.recut_of === null ? undefined : this.byUuid.get(row.recut_of);
      if (whole) wholes.add(whole);
    }
    return [...wholes];
  }

  /** The version, and those that were cut from it. */
  partsOf(entry: AnyRow): readonly AnyRow[] {
    const parts = new Set<AnyRow>([entry]);
    for (const { row } of parts) for (const part of this.#cuts.get(row.uuid) ?? []) parts.add(part);
    return [...parts];
  }

  /** Sequence numbers at which something is recorded, closed, retired or journaled; ascending. */
  seqs(): readonly number[] {
    const all = [this.#recorded, this.#closed, this.#retired, this.#entries];
    return [...new Set(all.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
  }
}

function isInRange({ table, row }: AnyRow, { from_seq, to_seq, seen_seq }: LinkRow): boolean {
  if (table !== 'blocks' || row.is_scope) return false;
  const isIn = row.recorded_seq >= (from_seq ?? 0) && row.recorded_seq <= (to_seq ?? 0);
  return isIn && (row.retired_seq === null || row.retired_seq > (seen_seq ?? 0));
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
