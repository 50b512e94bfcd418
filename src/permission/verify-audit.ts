/** Reads a chain of audit entries by itself, and names every entry that is not what it was. */
import { AUDIT_START, type AuditHead, type AuditRecord, auditText } from '../model/audit.ts';
import type { TenantId } from '../model/ids.ts';

export interface AuditFault {
  readonly seq: number;
  /**
   * `edited`: the entry does not have its digest, or the next one followed another. `removed`: no
   * entry has the number. `added`: the number is beyond the head, or taken twice. `rewritten`: the
   * whole chain was made anew, against a head that was kept elsewhere.
   */
  readonly fault: 'edited' | 'removed' | 'added' | 'rewritten';
}

export interface AuditVerdict {
  readonly entries: number;
  /** Keep it elsewhere: a later check against it finds a chain that was made anew as a whole. */
  readonly head: AuditHead;
  /** By number, at most 1,000. */
  readonly faults: readonly AuditFault[];
}

const MAX_FAULTS = 1000;

export class AuditVerifier {
  readonly #tenant: TenantId;
  readonly #digestOf: (text: string) => string;
  readonly #known: AuditHead | null;
  readonly #faults = new Map<number, AuditFault>();
  /** Numbers that were seen, as runs without a gap. */
  readonly #runs: { readonly from: number; to: number }[] = [];
  #last: AuditHead = AUDIT_START;
  #entries = 0;

  constructor(
    tenant: TenantId,
    by: { readonly digestOf: (text: string) => string; readonly known?: AuditHead | undefined },
  ) {
    this.#tenant = tenant;
    this.#digestOf = by.digestOf;
    this.#known = by.known ?? null;
  }

  /** The number up to which entries were read. */
  get read(): number {
    return this.#last.seq;
  }

  /** Entries by number, each page after the one before it. */
  add(records: readonly AuditRecord[]): void {
    for (const record of records) this.#addOne(record);
  }

  /** After the last entry. `head` is what the store says the last one is. */
  end(head: AuditHead): AuditVerdict {
    const last = this.#last;
    let next = 1;
    for (const { from, to } of [...this.#runs, { from: head.seq + 1, to: head.seq }]) {
      this.#reportAll(next, Math.min(from - 1, head.seq), 'removed');
      for (let seq = Math.max(from, head.seq + 1); seq <= to; seq += 1) this.#faults.delete(seq);
      this.#reportAll(Math.max(from, head.seq + 1), to, 'added');
      next = to + 1;
    }
    if (last.seq === head.seq && last.digest !== head.digest) this.#report(last.seq, 'edited');
    const known = this.#known;
    if (known && known.seq > Math.max(head.seq, last.seq)) this.#report(known.seq, 'removed');
    const faults = [...this.#faults.values()].sort((a, b) => a.seq - b.seq);
    return { entries: this.#entries, head, faults };
  }

  #addOne(record: AuditRecord): void {
    const { seq, previous, digest } = record;
    this.#entries += 1;
    if (seq <= this.#last.seq) {
      this.#report(seq, 'added');
      return;
    }
    const isNext = seq === this.#last.seq + 1;
    const run = this.#runs.at(-1);
    if (isNext && run) run.to = seq;
    else this.#runs.push({ from: seq, to: seq });
    const isWhole = this.#digestOf(auditText(this.#tenant, record, record)) === digest;
    if (!isWhole) this.#report(seq, 'edited');
    // An entry that is whole says what it followed: then the one before it is another now.
    else if (isNext && previous !== this.#last.digest)
      this.#report(Math.max(1, this.#last.seq), 'edited');
    const known = this.#known;
    if (known?.seq === seq && known.digest !== digest) this.#report(seq, 'rewritten');
    this.#last = { seq, digest };
  }

  #reportAll(from: number, to: number, fault: AuditFault['fault']): void {
    for (let seq = from; seq <= to && this.#hasRoom(); seq += 1) this.#report(seq, fault);
  }

  #hasRoom = (): boolean => this.#faults.size < MAX_FAULTS;

  /** The first that is found of a number stands: what follows from it is no fault of its own. */
  #report(seq: number, fault: AuditFault['fault']): void {
    if (this.#hasRoom() && !this.#faults.has(seq)) this.#faults.set(seq, { seq, fault });
  }
}
