/** Scope heads: one tiny query, or memory where no one else can write to the database. */
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { Position } from '../../../src/model/validity.ts';
import type { Database } from '../driver/sql.ts';
import { toReadError } from '../refusals.ts';
import { asList, asObject, asText } from '../rows.ts';

export interface Heads {
  readonly position: Position;
  readonly usage_position: Position;
  readonly policy_epoch: number;
}
interface Known {
  readonly head: number;
  readonly usageHead: number;
  /** Whether both numbers were read; a commit alone moves only one of them. */
  readonly isRead: boolean;
}

/**
 * Invariant: an entry is never behind a write that was acknowledged
 * (test/integration/heads.test.ts). Entries only move forward, so a read that raced with a commit
 * cannot take one back.
 */
export class HeadCache {
  readonly #database: Database;
  readonly #tenants = new Map<TenantId, { epoch: number; readonly scopes: Map<Uuid, Known> }>();

  constructor(database: Database) {
    this.#database = database;
  }

  async read(
    tenant: TenantId,
    scopes: readonly Uuid[],
    signal: AbortSignal | undefined,
  ): Promise<Heads> {
    const memory = this.#database.isExclusive ? this.#tenants.get(tenant) : undefined;
    if (memory && scopes.every((scope) => memory.scopes.get(scope)?.isRead))
      return toHeads(scopes, memory.scopes, memory.epoch);
    const rows = await this.#database
      .query(
        'select context.heads($1, $2::jsonb) as answer',
        [tenant, JSON.stringify(scopes)],
        signal,
      )
      .catch((error: unknown) => {
        throw toReadError(error);
      });
    const answer = asObject(rows[0]?.['answer']);
    const found = new Map(
      asList(answer['heads']).map((entry): [Uuid, Known] => {
        const { scope, head, usage_head } = asObject(entry);
        return [
          asText(scope) as Uuid,
          { head: Number(head), usageHead: Number(usage_head), isRead: true },
        ]; // a uuid column
      }),
    );
    const epoch = Number(answer['policy_epoch']);
    if (this.#database.isExclusive) {
      for (const [scope, known] of found) this.#keep(tenant, scope, known);
      this.#tenantOf(tenant).epoch = epoch;
    }
    return toHeads(scopes, found, epoch);
  }

  /** After a commit. */
  moved(tenant: TenantId, what: 'head' | 'usageHead', position: Position): void {
    if (!this.#database.isExclusive) return;
    for (const { scope, head } of position)
      this.#keep(tenant, scope, { head: 0, usageHead: 0, isRead: false, [what]: head });
  }

  /** After a change of rights: the next read asks for the policy epoch. */
  forget(tenant: TenantId): void {
    this.#tenants.delete(tenant);
  }

  #keep(tenant: TenantId, scope: Uuid, next: Known): void {
    const { scopes } = this.#tenantOf(tenant);
    const known = scopes.get(scope);
    scopes.set(scope, {
      head: Math.max(known?.head ?? 0, next.head),
      usageHead: Math.max(known?.usageHead ?? 0, next.usageHead),
      isRead: next.isRead || (known?.isRead ?? false),
    });
  }

  #tenantOf(tenant: TenantId): { epoch: number; readonly scopes: Map<Uuid, Known> } {
    const known = this.#tenants.get(tenant) ?? { epoch: 0, scopes: new Map<Uuid, Known>() };
    this.#tenants.set(tenant, known);
    return known;
  }
}

/** One memory for all connections over a database: what one of them writes, the others must see. */
const CACHES = new WeakMap<Database, HeadCache>();

export function headsOf(database: Database): HeadCache {
  const known = CACHES.get(database) ?? new HeadCache(database);
  CACHES.set(database, known);
  return known;
}

const toHeads = (
  scopes: readonly Uuid[],
  known: ReadonlyMap<Uuid, Known>,
  policyEpoch: number,
): Heads => {
  const found = scopes.flatMap((scope) => {
    const entry = known.get(scope);
    return entry ? [{ scope, head: entry.head, usageHead: entry.usageHead }] : [];
  });
  return {
    position: found.map(({ scope, head }) => ({ scope, head })),
    usage_position: found.map(({ scope, usageHead }) => ({ scope, head: usageHead })),
    policy_epoch: policyEpoch,
  };
};
