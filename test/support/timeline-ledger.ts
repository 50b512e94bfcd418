/** A ledger of one root that carries out placements and refuses to set anything twice. */
import { InternalError } from '../../src/codes/errors.ts';
import type { Placement } from '../../src/ledger/placing.ts';
import type { Versioned } from '../../src/model/block.ts';
import {
  type Instant,
  parseInstant,
  parseUuid,
  toInstant,
  type Uuid,
} from '../../src/model/ids.ts';
import { isVisible } from '../../src/model/validity.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type LedgerEntry = Mutable<
  Pick<
    Versioned,
    | 'uuid'
    | 'valid_from'
    | 'valid_until'
    | 'closed_seq'
    | 'recorded_seq'
    | 'retired_seq'
    | 'superseded_by'
    | 'status'
  >
> & { value: string };

const FIRST_DAY = Date.parse(parseInstant('2026-01-01', 'first day'));
/** The n-th day of the test calendar. */
export const day = (n: number): Instant => toInstant(FIRST_DAY + n * 86_400_000);
export const uuidOf = (n: number): Uuid =>
  parseUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, 'uuid');

export class TimelineLedger {
  readonly entries: LedgerEntry[] = [];
  head = 0;
  #ids = 1_000_000;

  believed(): readonly LedgerEntry[] {
    return this.entries.filter((entry) => entry.retired_seq === null);
  }

  apply(
    placement: Placement,
    written: { readonly uuid: Uuid; readonly value: string } | null,
  ): void {
    this.head += 1;
    for (const { uuid, valid_until, superseded_by } of placement.close) {
      const entry = this.#entry(uuid);
      if (entry.valid_until !== null || entry.closed_seq !== null || entry.retired_seq !== null)
        throw new InternalError('closed twice');
      Object.assign(entry, { valid_until, closed_seq: this.head, superseded_by });
    }
    for (const { uuid, superseded_by } of placement.retire) {
      const entry = this.#entry(uuid);
      if (entry.retired_seq !== null) throw new InternalError('retired twice');
      Object.assign(entry, {
        retired_seq: this.head,
        superseded_by: entry.superseded_by ?? superseded_by,
      });
    }
    for (const append of placement.append) {
      if (append.kind === 'recut')
        this.#add(uuidOf((this.#ids += 1)), this.#entry(append.copy_of).value, append);
      else if (written) this.#add(written.uuid, written.value, append);
      else throw new InternalError('a new version without content');
    }
  }

  /** What is seen at (V, K); throws where two versions are seen at once. */
  at(validAt: Instant, head = this.head): string | null {
    const seen = this.entries.filter((entry) => isVisible(entry, validAt, head));
    if (seen.length > 1) throw new InternalError(`two versions at ${validAt}`);
    return seen[0]?.value ?? null;
  }

  #entry(uuid: Uuid): LedgerEntry {
    const entry = this.entries.find((candidate) => candidate.uuid === uuid);
    if (!entry) throw new InternalError(`no version ${uuid}`);
    return entry;
  }

  #add(
    uuid: Uuid,
    value: string,
    span: { readonly valid_from: Instant; readonly valid_until: Instant | null },
  ): void {
    const unset = {
      closed_seq: null,
      retired_seq: null,
      superseded_by: null,
      status: 'live' as const,
    };
    this.entries.push({
      uuid,
      value,
      valid_from: span.valid_from,
      valid_until: span.valid_until,
      recorded_seq: this.head,
      ...unset,
    });
  }
}
