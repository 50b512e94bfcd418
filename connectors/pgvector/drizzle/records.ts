/**
 * What the engine keeps beside the ledger and an application may read: journal, receipts and usage.
 * Existing views, as in ledger.ts.
 */
import { bigint, integer, jsonb, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { UsageState } from '../../../src/cxri/contract.ts';
import type { CompositionReceipt } from '../../../src/model/composition.ts';
import { OUTCOMES } from '../../../src/model/operation.ts';

const contextOps = pgSchema('context_ops');

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const sequence = () => bigint({ mode: 'number' });

/** The journal: one row is one operation. */
export const operations = contextOps
  .view('operations', {
    tenant_id: text().notNull(),
    scope_uuid: uuid().notNull(),
    seq: sequence().notNull(),
    ordinal: integer().notNull(),
    operation_id: uuid().notNull(),
    operation: text({
      enum: ['ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO', 'CASCADE', 'RESTORE', 'RETURN'],
    }).notNull(),
    table_name: text(),
    uuid: uuid(),
    root_uuid: uuid(),
    outcome: text({ enum: OUTCOMES }).notNull(),
    embedding: text({ enum: ['none', 'pending', 'done'] }).notNull(),
    reason: text(),
    principal: text().notNull(),
    on_behalf_of: text(),
    writer: text().notNull(),
    manifest_digest: text(),
    decision: text().notNull(),
    idempotency_key: text(),
    payload_digest: text(),
    caused_by: uuid(),
    recorded_at: instant().notNull(),
    said_again_from: instant(),
    said_again_in: uuid().array(),
  })
  .existing();

/** What was composed, from what; no retrieved text. */
export const receipts = contextOps
  .view('receipts', {
    tenant_id: text().notNull(),
    composition_id: uuid().notNull(),
    scope_uuid: uuid().notNull(),
    created_at: instant().notNull(),
    receipt: jsonb().$type<CompositionReceipt>().notNull(),
  })
  .existing();

/** Outcomes of roots; each row carries the state folded so far. */
export const usageEvents = contextOps
  .view('usage_events', {
    tenant_id: text().notNull(),
    scope_uuid: uuid().notNull(),
    usage_seq: sequence().notNull(),
    root_uuid: uuid().notNull(),
    composition_id: uuid().notNull(),
    kind: text({ enum: ['used', 'cited', 'confirmed', 'corrected', 'unused'] }).notNull(),
    at: instant().notNull(),
    state: jsonb().$type<UsageState>().notNull(),
    recorded_at: instant().notNull(),
  })
  .existing();
