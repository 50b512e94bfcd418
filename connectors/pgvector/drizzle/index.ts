/**
 * contextengine/drizzle: what an application may read of the ledger, typed for drizzle-orm, and the
 * tenant it reads as. Which role the connection of the application needs stands in docs/server.md,
 * "The ledger beside your own tables".
 *
 * @module contextengine/drizzle
 */
export {
  blocks,
  contextLinks,
  memoryOpenSet,
  memorySchemaTyped,
  subtreeSummaries,
} from './ledger.ts';
export { operations, receipts, usageEvents } from './records.ts';
export { type TenantOrScopes, visible, withTenant } from './with-tenant.ts';
