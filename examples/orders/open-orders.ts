/**
 * Open orders of a tenant, each with what the ledger knows of its customer: one statement, under
 * row-level security.
 */
import { memoryOpenSet, visible, withTenant } from 'contextengine/drizzle';
import { and, asc, eq } from 'drizzle-orm';
import {
  integer,
  type PgDatabase,
  type PgQueryResultHKT,
  pgTable,
  text,
} from 'drizzle-orm/pg-core';

export const orders = pgTable('orders', {
  tenant_id: text().notNull(),
  order_id: integer().notNull(),
  customer: text().notNull(),
  status: text({ enum: ['open', 'shipped'] }).notNull(),
  total_cents: integer().notNull(),
});

export interface OrderWithFact {
  readonly order_id: number;
  readonly customer: string;
  /** One row is one fact; null where the ledger knows nothing of the customer. */
  readonly fact: string | null;
}

/** `db` is any drizzle database on PostgreSQL or PGlite whose role is the one of setup.sql. */
export function openOrdersWithFacts<Q extends PgQueryResultHKT>(
  db: PgDatabase<Q>,
  tenant: string,
): Promise<readonly OrderWithFact[]> {
  return db.transaction((tx) =>
    withTenant(tx, tenant, () =>
      tx
        .select({
          order_id: orders.order_id,
          customer: orders.customer,
          fact: memoryOpenSet.content,
        })
        .from(orders)
        .leftJoin(
          memoryOpenSet,
          and(
            eq(memoryOpenSet.tenant_id, orders.tenant_id),
            eq(memoryOpenSet.subject, orders.customer),
            visible(memoryOpenSet),
          ),
        )
        .where(eq(orders.status, 'open'))
        .orderBy(asc(orders.order_id), asc(memoryOpenSet.valid_from), asc(memoryOpenSet.uuid)),
    ),
  );
}
