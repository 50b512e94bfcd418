-- Roles, schemas and extensions.
--
-- contextengine_owner   owns everything; only migrations act as it
-- contextengine_app     what the engine works as: reads under row-level security, appends, nothing else
-- contextengine_search  owns the sealed search functions; nobody works as it
--
-- Roles belong to the cluster: another database of it may have made them already.

do $roles$
declare
  role_name text;
begin
  foreach role_name in array array['contextengine_owner', 'contextengine_app', 'contextengine_search'] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- made by another database's migration at the same moment
    end;
  end loop;
  -- The migrating user must be able to act as the owner. Memberships that a plain user may not give are the administrator's to give.
  foreach role_name in array array['contextengine_owner', 'contextengine_search', 'contextengine_app'] loop
    begin
      -- Also where it is a member already: who made a role may administer it, but not yet act as it.
      execute format('grant %I to %I', role_name, current_user);
    exception when insufficient_privilege then
      raise notice 'Role % was not granted to %: ask an administrator', role_name, current_user;
    end;
  end loop;
  begin
    grant contextengine_search to contextengine_owner;
  exception when insufficient_privilege then
    null; -- given by the first database's migration
  end;
  execute format('grant create on database %I to contextengine_owner', current_database());
end
$roles$;

create extension if not exists vector with schema public;
create extension if not exists btree_gin with schema public;
create extension if not exists btree_gist with schema public;

create schema if not exists context;
create schema if not exists context_ops;
alter schema context owner to contextengine_owner;
alter schema context_ops owner to contextengine_owner;
grant usage on schema context, context_ops to contextengine_app, contextengine_search;
