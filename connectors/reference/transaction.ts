/**
 * One write request under way: it draws sequence numbers, keeps the journal, and can be taken back
 * as a whole.
 */
import type { WriteRequest } from '../../src/cxri/contract.ts';
import type { Moved } from '../../src/ledger/place-in-slot.ts';
import { scopeMissing } from '../../src/ledger/refusals.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import {
  type Operation,
  UNDECIDED,
  type WriteDecision,
  type Writer,
} from '../../src/model/operation.ts';
import type { Position } from '../../src/model/validity.ts';
import {
  emptyScope,
  type JournalEntry,
  lastTime,
  type ScopeState,
  type Store,
  type TenantState,
  Undo,
} from './store.ts';

export class Transaction {
  readonly tenant: TenantState;
  readonly request: WriteRequest;
  /** Of the store: a copy has the vectors of what it is a copy of. */
  readonly spaces: Store['spaces'];
  readonly undo = new Undo();
  readonly moved = new Map<Uuid, Moved>();
  /** What operations so far claim to make, and what their receipts name. */
  readonly #claimed = new Set<Uuid>();
  readonly #made = new Set<Uuid>();
  readonly #written = new Set<ScopeState>();
  readonly #lastTimes = new Map<ScopeState, Instant | null>();

  #decision = UNDECIDED;
  #under: ScopeState | null = null;
  readonly #cascades = new Map<ScopeState, number>();

  constructor(tenant: TenantState, request: WriteRequest, spaces: Store['spaces']) {
    this.tenant = tenant;
    this.spaces = spaces;
    this.request = request;
  }

  /**
   * The scope that orders the operation; made here where the operation is the ADD of a scope block.
   */
  scopeOf(operation: Operation): ScopeState {
    const known = this.tenant.scopes.get(operation.scope);
    if (known) return known;
    const isBirth =
      operation.operation === 'ADD' &&
      operation.table === 'blocks' &&
      operation.content.is_scope &&
      operation.uuid === operation.scope;
    if (!isBirth) throw scopeMissing(operation.scope);
    const scope = emptyScope(operation.scope);
    this.tenant.scopes.set(scope.uuid, scope);
    this.undo.push(() => this.tenant.scopes.delete(scope.uuid));
    return scope;
  }

  /** What is journaled from here on belongs to this operation of the request. */
  begin(index: number): void {
    this.#decision = this.request.decisions?.[index] ?? UNDECIDED;
  }

  claim(operation: Operation): void {
    if ('uuid' in operation) this.#claimed.add(operation.uuid);
  }

  /** A repeated key makes nothing under the id that it is sent with. */
  made(...ids: readonly (Uuid | null)[]): void {
    for (const id of ids) if (id !== null) this.#made.add(id);
  }

  /** Whether an operation before claimed the id, and made nothing under it. */
  isOnlyClaimed(id: Uuid): boolean {
    return this.#claimed.has(id) && !this.#made.has(id);
  }

  existingScope(uuid: Uuid): ScopeState {
    const scope = this.tenant.scopes.get(uuid);
    if (!scope) throw scopeMissing(uuid);
    return scope;
  }

  /** The newest time of the scope when this request first met it. */
  lastTimeBefore(scope: ScopeState): Instant | null {
    const known = this.#lastTimes.get(scope);
    if (known !== undefined) return known;
    const last = lastTime(scope);
    this.#lastTimes.set(scope, last);
    return last;
  }

  /** The head of a scope before the operation that is under way. */
  headBefore(uuid: Uuid): number {
    const scope = this.tenant.scopes.get(uuid);
    return scope ? scope.head - Number(scope === this.#under) : 0;
  }

  /** The one number of a scope where an operation elsewhere made rows fall. */
  cascadeSeq(scope: ScopeState): number {
    const seq = this.#cascades.get(scope) ?? this.nextSeq(scope);
    this.#cascades.set(scope, seq);
    return seq;
  }

  /** The number of an operation of the request. */
  ownSeq(scope: ScopeState): number {
    this.#under = scope;
    this.#cascades.clear();
    return this.nextSeq(scope);
  }

  nextSeq(scope: ScopeState): number {
    this.#written.add(scope);
    scope.head += 1;
    this.undo.push(() => {
      scope.head -= 1;
    });
    return scope.head;
  }

  journal(
    scope: ScopeState,
    entry: Omit<JournalEntry, keyof Writer | keyof WriteDecision | 'scope' | 'recorded_at'>,
  ): void {
    const { principal, on_behalf_of, writer } = this.request.writer;
    const written: JournalEntry = {
      ...entry,
      scope: scope.uuid,
      principal,
      on_behalf_of,
      writer,
      ...this.#decision,
      recorded_at: this.#time(scope),
    };
    scope.journal.push(written);
    this.undo.push(() => scope.journal.pop());
    const { idempotency_key: key } = written;
    if (key === null) return;
    scope.keys.set(key, written);
    this.undo.push(() => scope.keys.delete(key));
  }

  position(): Position {
    return [...this.#written].map((scope) => ({ scope: scope.uuid, head: scope.head }));
  }

  /** Never before the last time of the scope, whatever the clock says. */
  #time(scope: ScopeState): Instant {
    const last = lastTime(scope);
    return last !== null && last > this.request.recorded_at ? last : this.request.recorded_at;
  }
}
