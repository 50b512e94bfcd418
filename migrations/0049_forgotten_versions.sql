-- A root of which one version was forgotten can be changed by a proposal as by a write: what counts
-- is whether a version of it is left. Before, a proposal was refused that named such a root, where
-- the forgotten version was its first.
set local role contextengine_owner;
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;

create or replace function context_ops.refuse_forgotten() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  named jsonb := new.action::jsonb -> 'operations';
begin
  perform pg_advisory_xact_lock_shared(
    hashtextextended('contextengine.erasure.' || new.tenant_id, 0));
  if jsonb_typeof(named) <> 'array' then return new; end if;
  if exists (
    select from jsonb_array_elements(named) o cross join lateral (
      select o ->> 'uuid'
      union all select s #>> '{}' from jsonb_array_elements(
        case jsonb_typeof(o -> 'sources') when 'array' then o -> 'sources' else '[]' end) s) i (id)
    join context_ops.redacted d on d.tenant_id = new.tenant_id and d.uuid::text = i.id)
  or exists (
    select from jsonb_array_elements(named) o
    join context_ops.redacted d
      on d.tenant_id = new.tenant_id and d.uuid::text = o ->> 'root_uuid'
    where not context_ops.has_version(new.tenant_id, o ->> 'table', d.uuid)) then
    raise exception 'What is proposed is made of what was forgotten' using errcode = 'CE001';
  end if;
  return new;
end
$body$;

-- Whether a version of the root is left.
create function context_ops.has_version(tenant text, ledger text, root uuid) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  is_there boolean;
begin
  if ledger is null or not ledger = any (array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links']) then return false; end if;
  execute format('select exists (select from context.%I r
    where r.tenant_id = $1 and r.root_uuid = $2 and r.status = ''live'')', ledger)
    into is_there using tenant, root;
  return is_there;
end
$body$;
revoke execute on function context_ops.has_version(text, text, uuid) from public;

set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
reset role;
