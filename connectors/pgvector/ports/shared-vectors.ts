/** Shared vectors: plain statements under row-level security; bytes travel as base64. */
import type { EmbeddingUse, SharedVectorsPort } from '../../../src/cxri/ports/shared-vectors.ts';
import { fromVectorBytes, toVectorBytes } from '../../../src/model/vector-bytes.ts';
import { inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { asText } from '../rows.ts';

const EPOCH =
  'coalesce((select e.epoch from context_ops.policy_epochs e where e.tenant_id = $1), 0)';

const FIND = `
  select ${EPOCH} as epoch, encode(v.digest, 'hex') as digest, encode(v.vector, 'base64') as vector
  from (select) one left join context_ops.shared_vectors v on v.tenant_id = $1 and v.space = $2
    and v.digest = any (array(select decode(d, 'hex') from jsonb_array_elements_text($3::jsonb) d))`;

const SHARE = `
  insert into context_ops.shared_vectors (tenant_id, space, digest, vector, made_at)
  select $1, $2, decode(k.digest, 'hex'), decode(k.vector, 'base64'), $5::timestamptz
  from jsonb_to_recordset($3::jsonb) k(digest text, vector text)
  where ${EPOCH} = $4::bigint order by k.digest
  on conflict (tenant_id, space, digest) do nothing`;

/** No call does more than so many. */
const OLD = `
  delete from context_ops.shared_vectors where (tenant_id, space, digest) in (
    select tenant_id, space, digest from context_ops.shared_vectors
    where tenant_id = $1 and made_at < $2::timestamptz order by 1, 2, 3 limit 500)`;

const ADD = `
  insert into context_ops.embedding_use as u
    (tenant_id, day, space, process, shared, provider, saved_chars)
  values ($1, $2::date, $3, $4, $5, $6, $7)
  on conflict (tenant_id, day, space) do update set process = u.process + excluded.process,
    shared = u.shared + excluded.shared, provider = u.provider + excluded.provider,
    saved_chars = u.saved_chars + excluded.saved_chars`;

export const sharedVectorsPort = (open: () => Database): SharedVectorsPort => ({
  sharedVectors: async (tenant, { space, digests }, signal) => {
    const rows = await inTenant(open(), { tenant, scopes: [], signal }, (tx) =>
      tx.query(FIND, [tenant, space, JSON.stringify(digests)]),
    );
    return {
      epoch: Number(rows[0]?.['epoch'] ?? 0),
      vectors: rows.flatMap(({ digest, vector }) =>
        digest === null
          ? []
          : [
              {
                digest: asText(digest),
                values: fromVectorBytes(Buffer.from(asText(vector), 'base64')),
              },
            ],
      ),
    };
  },
  shareVectors: async (tenant, { space, epoch, vectors, at, kept_since: keptSince }) =>
    inTenant(open(), { tenant, scopes: [] }, async (tx) => {
      const rows = vectors.map(({ digest, values }) => ({
        digest,
        vector: toVectorBytes(values).toString('base64'),
      }));
      // A statement of its own: the next one sees what a forget under way has done.
      await tx.query('select context_ops.lock_vectors($1)', [tenant]);
      await tx.query(SHARE, [tenant, space, JSON.stringify(rows), epoch, at]);
      await tx.query(OLD, [tenant, keptSince]);
    }),
  dropSharedVectors: async (tenant) =>
    inTenant(open(), { tenant, scopes: [] }, async (tx) => {
      await tx.query('delete from context_ops.shared_vectors where tenant_id = $1', [tenant]);
    }),
  addEmbeddingUse: async (tenant, { day, space, process, shared, provider, saved_chars }) =>
    inTenant(open(), { tenant, scopes: [] }, async (tx) => {
      await tx.query(ADD, [tenant, day, space, process, shared, provider, saved_chars]);
    }),
  embeddingUse: async (tenant, from) => {
    const rows = await inTenant(open(), { tenant, scopes: [] }, (tx) =>
      tx.query(
        `select day::text as day, space, process::text, shared::text, provider::text,
           saved_chars::text from context_ops.embedding_use
         where tenant_id = $1 and day >= $2::date order by 1, 2`,
        [tenant, from],
      ),
    );
    return rows.map(
      (row): EmbeddingUse => ({
        day: asText(row['day']),
        space: asText(row['space']),
        process: Number(row['process']),
        shared: Number(row['shared']),
        provider: Number(row['provider']),
        saved_chars: Number(row['saved_chars']),
      }),
    );
  },
});
