/**
 * The walls behind the walls: whoever sends raw SQL through the engine's connection is held by what
 * the login may do, because `set role` and `reset role` are only statements. So the login is
 * judged, not the role that it takes.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import { APPLICATION_ROLE, OWNER_ROLE, SEARCH_ROLE } from './database.ts';
import type { SqlRow, SqlSession } from './sql.ts';

export interface Login {
  readonly name: string;
  /**
   * Why row-level security would not hold it; null = it does, and the engine works as the login
   * itself.
   */
  readonly unconfined: string | null;
}

/** Memberships that let a login read, write or become what row-level security guards. */
const BEYOND = [
  OWNER_ROLE,
  SEARCH_ROLE,
  'pg_write_all_data',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
];

const refusal = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.ROLE', { message, fix });

/**
 * Throws `MIGRATION.PENDING` where the application role is missing, `CONNECTOR.ROLE` where the
 * login has none of its rights.
 */
export async function judgeLogin(session: SqlSession): Promise<Login> {
  const [row] = await session.query(
    `select session_user::text as login, current_user::text as acting,
       a.oid is not null as is_there, pg_has_role(l.oid, a.oid, 'member') as is_member,
       pg_has_role(l.oid, a.oid, 'usage') as inherits,
       l.rolsuper, l.rolbypassrls, l.rolcreaterole, l.rolreplication,
       (select min(b.rolname) from pg_catalog.pg_roles b
        where b.rolname = any (string_to_array($2, ','))
          and pg_has_role(l.oid, b.oid, 'member')) as beyond,
       exists (select from pg_catalog.pg_class c
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('context', 'context_ops', 'context_sealed')
           and pg_has_role(l.oid, c.relowner, 'member')) as owns
     from pg_catalog.pg_roles l left join pg_catalog.pg_roles a on a.rolname = $1
     where l.rolname = session_user`,
    [APPLICATION_ROLE, BEYOND.join(',')],
  );
  const name = String(row?.['login']);
  if (row?.['is_there'] !== true)
    throw new ContextEngineError('MIGRATION.PENDING', {
      message: `The server has no role \`${APPLICATION_ROLE}\`: the database has not been migrated`,
      fix: 'Run `contextengine migrate` as a role that may create schemas, roles and extensions.',
    });
  if (row['is_member'] !== true)
    throw refusal(
      `\`${name}\` may not act as \`${APPLICATION_ROLE}\``,
      `Run \`grant ${APPLICATION_ROLE} to ${name}\` as an administrator.`,
    );
  const unconfined = reasonOf(row);
  if (unconfined !== null) return { name, unconfined };
  if (row['inherits'] !== true)
    throw refusal(
      `\`${name}\` does not inherit the rights of \`${APPLICATION_ROLE}\``,
      `Run \`alter role ${name} inherit\` and grant \`${APPLICATION_ROLE}\` to it again.`,
    );
  if (row['acting'] !== name && row['acting'] !== APPLICATION_ROLE)
    throw refusal(
      `\`${name}\` acts as \`${row['acting']}\` from the start`,
      'Take `role` out of the URL and of the settings of the login.',
    );
  return { name, unconfined: null };
}

function reasonOf(row: SqlRow): string | null {
  if (row['rolsuper'] === true) return 'is a superuser';
  if (row['rolbypassrls'] === true) return 'has BYPASSRLS';
  if (row['rolreplication'] === true) return 'has REPLICATION, which reads all rows';
  if (row['rolcreaterole'] === true) return 'has CREATEROLE, which may grant itself other roles';
  if (row['owns'] === true) return 'owns the tables or may act as their owner';
  return typeof row['beyond'] === 'string' ? `may act as \`${row['beyond']}\`` : null;
}

/**
 * The one exception: a development server on this machine, over a session of its own, where the
 * engine takes the application role in the startup packet. Through a pooler the role would be state
 * of a session that other clients get.
 */
export function refuseUnconfined(login: Login, why: 'remote' | 'pooler'): ContextEngineError {
  const reason =
    why === 'remote'
      ? 'that is accepted from a development server on this machine alone'
      : 'behind a pooler `set role` would be left to other clients';
  return refusal(
    `The login \`${login.name}\` ${login.unconfined}: row-level security would not hold it, ` +
      `and ${reason}`,
    "Work as a login of its own: `create role my_app login password '…' in role " +
      `${APPLICATION_ROLE}\`.`,
  );
}

/**
 * The role of a session, and what would let it pass by row-level security: columns and source of a
 * select of one row.
 */
export const ROLE_COLUMNS = `r.rolname as name, r.rolsuper as is_super, r.rolbypassrls as bypasses,
  exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('context', 'context_ops') and c.relkind in ('r', 'p')
      and pg_has_role(r.oid, c.relowner, 'member')) as owns,
  coalesce((select pg_has_role(r.oid, s.oid, 'member') from pg_roles s
    where s.rolname = '${SEARCH_ROLE}'), false) as searches`;
export const ROLE_SOURCE = '(select * from pg_roles where rolname = current_user) r';

/**
 * Asked as the user who logs in, before the role is taken: names the reason why it could not be.
 */
export async function assertRoleIsReachable(session: SqlSession, role: string): Promise<void> {
  const [answer] = await session.query(
    `select session_user as login, r.oid is not null as is_there,
      coalesce(pg_has_role(session_user, r.oid, 'member'), false) as is_member
     from (select $1::text as name) asked left join pg_roles r on r.rolname = asked.name`,
    [role],
  );
  if (answer?.is_there !== true) {
    throw new ContextEngineError('MIGRATION.PENDING', {
      message: `The server has no role \`${role}\`: the database has not been migrated`,
      fix: 'Run `contextengine migrate` as a role that may create schemas, roles and extensions.',
    });
  }
  if (answer.is_member !== true)
    throw refusal(
      `\`${answer.login}\` may not act as \`${role}\``,
      `Run \`grant ${role} to ${answer.login}\` as an administrator.`,
    );
}

/**
 * Throws `CONNECTOR.ROLE` when the session's role is a superuser, bypasses row-level security, owns
 * (or may act as the owner of) the tables, or may act as the role that sees all rows.
 */
export async function assertRoleIsConfined(session: SqlSession): Promise<void> {
  const [row] = await session.query(`select ${ROLE_COLUMNS} from ${ROLE_SOURCE}`);
  assertRoleRow(
    row ?? {},
    '`contextengine_app`, or as a role that was granted it and nothing more',
  );
}

/** Judges a row of {@link ROLE_COLUMNS}; what the answer leaves out counts against the role. */
export function assertRoleRow(role: SqlRow, better: string): void {
  const name = String(role.name);
  const fix = `Work as ${better}.`;
  if (role.is_super !== false)
    throw refusal(`The role \`${name}\` is a superuser: row-level security would not hold it`, fix);
  if (role.bypasses !== false) throw refusal(`The role \`${name}\` has BYPASSRLS`, fix);
  if (role.owns !== false)
    throw refusal(`The role \`${name}\` owns the tables or may act as their owner`, fix);
  if (role.searches !== false)
    throw refusal(
      `The role \`${name}\` may act as \`${SEARCH_ROLE}\`, which sees every tenant`,
      fix,
    );
}
