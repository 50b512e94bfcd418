/** An exported scope comes back as it stood, sequence numbers included. */
import type { Authority } from '../../src/cxri/authority.ts';
import { ContextEngineError } from '../../src/errors.ts';
import { TABLES } from '../../src/model/block.ts';
import { digestUuid } from './ids.ts';
import { insertPostings } from './postings.ts';
import { toWriteError } from './refusals.ts';
import { setTenancy } from './session.ts';
import { type Database, SqlError, type SqlSession } from './sql.ts';
import { insertJournalRows, insertRows, type JournalColumns } from './write-flush.ts';

export type RestoreRequest = Parameters<Authority['restoreScope']>[0];

export async function restoreScope(database: Database, request: RestoreRequest): Promise<void> {
  const stray = request.rows.find(({ row }) => row.scope_uuid !== request.scope || row.recorded_seq > request.head);
  if (stray)
    throw refused(
      `The row \`${stray.row.uuid}\` is not of scope \`${request.scope}\` up to its head \`${request.head}\`.`,
      'Import an export as it is.',
    );
  await database
    .transaction((tx) => restoreOnce(tx, request))
    .catch((error: unknown) => {
      if (error instanceof SqlError && error.sqlstate === '23505')
        throw refused(`A row of scope \`${request.scope}\` is there already: ${error.detail ?? error.message}`, 'Import each scope once.');
      throw toWriteError(error);
    });
}

const refused = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', { message: `${message} Nothing was written.`, fix });

async function restoreOnce(tx: SqlSession, request: RestoreRequest): Promise<void> {
  const { tenant, scope, head, writer } = request;
  await setTenancy(tx, { tenant, scopes: '*' });
  const made = await tx.query(
    'insert into context_ops.scope_heads (tenant_id, scope_uuid, head, recorded_at) values ($1, $2, $3, $4) on conflict do nothing returning head',
    [tenant, scope, head, request.recorded_at],
  );
  if (made.length === 0) throw refused(`The tenant \`${tenant}\` has the scope \`${scope}\` already.`, 'Import it into another tenant.');
  for (const table of TABLES) {
    const rows = request.rows.flatMap((entry) => (entry.table === table ? [{ ...entry.row, tenant_id: tenant }] : []));
    await insertRows(tx, table, rows);
    await insertPostings(tx, table, { tenant, rows });
  }
  const journal = request.rows.map(
    ({ table, row }, ordinal): JournalColumns => ({
      tenant_id: tenant,
      scope_uuid: scope,
      seq: row.recorded_seq,
      ordinal,
      operation_id: digestUuid('restore', tenant, row.uuid),
      operation: 'RESTORE',
      table_name: table,
      uuid: row.uuid,
      root_uuid: row.root_uuid,
      outcome: 'stored',
      embedding: 'none',
      reason: null,
      principal: writer.principal,
      on_behalf_of: writer.on_behalf_of,
      writer: writer.writer,
      manifest_digest: writer.manifest_digest,
      decision: writer.decision,
      idempotency_key: null,
      payload_digest: null,
      recorded_at: request.recorded_at,
    }),
  );
  if (journal.length > 0) await insertJournalRows(tx, journal);
}
