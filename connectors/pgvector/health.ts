/** Health: what can be said in two cheap statements. */
import type { Health } from '../../src/model/health.ts';
import { asText } from './rows.ts';
import type { Database } from './sql.ts';

const TIME = 'select extract(epoch from clock_timestamp())::float8::text as at';

/** Never rejects: a database that does not answer is a verdict. The latency is one round trip by the server's clock. */
export async function health(database: Database): Promise<Health> {
  try {
    const [before] = await database.query(TIME);
    const [after] = await database.query(TIME);
    const [facts] = await database.query(
      `select current_setting('server_version') as version, current_user::text as role, pg_database_size(current_database()) as bytes,
         (select extversion from pg_extension where extname = 'vector') as vector,
         (select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'context_ops' and c.relkind = 'r' and c.relname like 'emb\\_%') as spaces`,
    );
    const latencyMs = (Number(asText(after?.['at'])) - Number(asText(before?.['at']))) * 1000;
    const isSlow = latencyMs > SLOW_MS;
    return {
      verdict: isSlow ? 'degraded' : 'ok',
      latency_ms: Math.max(0, latencyMs),
      lag: 0,
      advice: isSlow ? [`A round trip took ${latencyMs.toFixed(0)} ms: look at the database's load and its distance.`] : [],
      details: { flavor: database.flavor, is_exclusive: database.isExclusive, vector_type: database.vectorType, ...facts },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      verdict: 'down',
      latency_ms: 0,
      lag: 0,
      advice: [`The database does not answer (${reason}): start it, or correct its URL.`],
      details: { flavor: database.flavor },
    };
  }
}

/** A composition has 180 ms (DESIGN 11) and makes two round trips. */
const SLOW_MS = 50;
