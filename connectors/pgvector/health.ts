/** Health, from two cheap statements. */
import type { Health } from '../../src/model/health.ts';
import type { Database, SqlRow } from './driver/sql.ts';
import { asText } from './rows.ts';

const TIME = 'select extract(epoch from clock_timestamp())::float8::text as at';

/**
 * Never rejects: a database that does not answer is a verdict. The latency is one round trip by the
 * server's clock.
 */
export async function health(database: Database): Promise<Health> {
  try {
    const [before] = await database.query(TIME);
    const [after] = await database.query(TIME);
    const [facts] = await database.query(
      `select current_setting('server_version') as version, current_user::text as role,
        pg_database_size(current_database()) as bytes,
         (select extversion from pg_extension where extname = 'vector') as vector,
         (select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'context_ops' and c.relkind = 'r' and c.relname like 'emb\\_%') as spaces`,
    );
    const [rights] = await database.query(RIGHTS);
    const latencyMs = (Number(asText(after?.['at'])) - Number(asText(before?.['at']))) * 1000;
    const isSlow = latencyMs > SLOW_MS;
    return {
      verdict: isSlow ? 'degraded' : 'ok',
      latency_ms: Math.max(0, latencyMs),
      lag: 0,
      advice: [
        ...(isSlow
          ? [
              `A round trip took ${latencyMs.toFixed(0)} ms: look at the database's load and ` +
                'its distance.',
            ]
          : []),
        ...adviceOn(rights ?? {}, database.flavor),
      ],
      details: {
        flavor: database.flavor,
        is_exclusive: database.isExclusive,
        vector_type: database.vectorType,
        ...facts,
      },
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

/** What the login has beyond what the engine needs. */
const RIGHTS = `select current_database()::text as database, l.rolsuper as is_super,
  session_user::text as login,
  has_database_privilege(current_user, current_database(), 'temporary') as makes_temporary,
  has_schema_privilege(current_user, 'public', 'create') as makes_public
  from pg_catalog.pg_roles l where l.rolname = session_user`;

/** The session of an embedded database is always a superuser's. */
function adviceOn(rights: SqlRow, flavor: Database['flavor']): readonly string[] {
  const { database, login } = rights;
  return [
    ...(rights['makes_temporary'] === true
      ? [`Run \`revoke temporary on database ${String(database)} from public\` as its owner.`]
      : []),
    ...(rights['makes_public'] === true
      ? ['Run `revoke create on schema public from public` as its owner.']
      : []),
    ...(rights['is_super'] === true && flavor === 'postgres'
      ? [`The login \`${String(login)}\` is a superuser: for development only.`]
      : []),
  ];
}

/** A composition has 180 ms (DESIGN 11) and makes two round trips. */
const SLOW_MS = 50;
