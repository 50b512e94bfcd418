/** One write request under way: it draws sequence numbers, keeps the journal, and can be taken back as a whole. */
import type { WriteRequest } from '../../src/cxri/contract.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { Operation, Receipt } from '../../src/model/operation.ts';
import type { Position } from '../../src/model/validity.ts';
import { scopeMissing } from './refusals.ts';
import { emptyScope, type JournalEntry, lastTime, type ScopeState, type TenantState, Undo } from './store.ts';

export class Transaction {
  readonly tenant: TenantState;
  readonly request: WriteRequest;
  readonly undo = new Undo();
  readonly #written = new Set<ScopeState>();

  constructor(tenant: TenantState, request: WriteRequest) {
    this.tenant = tenant;
    this.request = request;
  }

  /** The scope that orders the operation; made here where the operation is the ADD of a scope block. */
  scopeOf(operation: Operation): ScopeState {
    const known = this.tenant.scopes.get(operation.scope);
    if (known) return known;
    const isBirth =
      operation.operation === 'ADD' && operation.table === 'blocks' && operation.content.is_scope && operation.uuid === operation.scope;
    if (!isBirth) throw scopeMissing(operation.scope);
    const scope = emptyScope(operation.scope);
    this.tenant.scopes.set(scope.uuid, scope);
    this.undo.push(() => this.tenant.scopes.delete(scope.uuid));
    return scope;
  }

  existingScope(uuid: Uuid): ScopeState {
    const scope = this.tenant.scopes.get(uuid);
    if (!scope) throw scopeMissing(uuid);
    return scope;
  }

  nextSeq(scope: ScopeState): number {
    this.#written.add(scope);
    scope.head += 1;
    this.undo.push(() => {
      scope.head -= 1;
    });
    return scope.head;
  }

  journal(scope: ScopeState, entry: Omit<JournalEntry, 'recordedAt' | 'writer'>): void {
    scope.journal.push({ ...entry, recordedAt: this.#time(scope), writer: this.request.writer });
    this.undo.push(() => scope.journal.pop());
  }

  rememberKey(scope: ScopeState, key: string, said: { readonly payload: string; readonly receipt: Receipt }): void {
    scope.keys.set(key, said);
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
