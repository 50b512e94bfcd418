/** The walls behind the walls: the engine refuses to work as a role that row-level security would not hold. */
import { ContextEngineError } from '../../src/errors.ts';
import type { SqlSession } from './sql.ts';

function refusal(message: string, fix: string): ContextEngineError {
  return new ContextEngineError('CONNECTOR.ROLE', { message, fix });
}

/** Asked as the user who logs in, before the role is taken: names the reason why it could not be. */
export async function assertRoleIsReachable(session: SqlSession, role: string): Promise<void> {
  const [answer] = await session.query(
    `select session_user as login, r.oid is not null as is_there, coalesce(pg_has_role(session_user, r.oid, 'member'), false) as is_member
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
    throw refusal(`\`${answer.login}\` may not act as \`${role}\``, `Run \`grant ${role} to ${answer.login}\` as an administrator.`);
}

/** Throws `CONNECTOR.ROLE` when the session's role is a superuser, bypasses row-level security, or owns (or may act as the owner of) the tables. */
export async function assertRoleIsConfined(session: SqlSession): Promise<void> {
  const [role] = await session.query(`
    select current_user as name, r.rolsuper as is_super, r.rolbypassrls as bypasses,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname in ('context', 'context_ops') and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'member')) as owns
    from pg_roles r where r.rolname = current_user`);
  const fix = 'Work as `contextengine_app`, or as a role that was granted it and nothing more.';
  if (role?.is_super === true) throw refusal(`The role \`${role.name}\` is a superuser: row-level security would not hold it`, fix);
  if (role?.bypasses === true) throw refusal(`The role \`${role.name}\` has BYPASSRLS`, fix);
  if (role?.owns !== false) throw refusal(`The role \`${role?.name}\` owns the tables or may act as their owner`, fix);
}
