-- What waits to be forgotten is in the scopes that it names, which are what a reviewer has to hold;
-- and who proposed it holds them still when it is approved.
set local role contextengine_owner;

create function context_ops.refuse_wider() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  named constant uuid := (new.action::jsonb #>> '{redaction,value}')::uuid;
begin
  if exists (
    select from context.blocks r where r.tenant_id = new.tenant_id
      and named in (r.uuid, r.root_uuid) and r.scope_uuid <> all (new.scopes)
    union all select from context.memory_open_set r where r.tenant_id = new.tenant_id
      and named in (r.uuid, r.root_uuid) and r.scope_uuid <> all (new.scopes)
    union all select from context.memory_schema_typed r where r.tenant_id = new.tenant_id
      and named in (r.uuid, r.root_uuid) and r.scope_uuid <> all (new.scopes)
    union all select from context.subtree_summaries r where r.tenant_id = new.tenant_id
      and named in (r.uuid, r.root_uuid) and r.scope_uuid <> all (new.scopes)
    union all select from context.context_links r where r.tenant_id = new.tenant_id
      and named in (r.uuid, r.root_uuid) and r.scope_uuid <> all (new.scopes)) then
    raise exception 'A redaction names the scopes of what goes' using errcode = 'CE001';
  end if;
  return new;
end
$body$;
create trigger refuse_wider before insert on context_ops.proposals
  for each row when (new.kind = 'redaction') execute function context_ops.refuse_wider();
revoke execute on function context_ops.refuse_wider() from public;
grant create on schema context_ops to contextengine_eraser;
alter function context_ops.refuse_wider() owner to contextengine_eraser;
revoke create on schema context_ops from contextengine_eraser;

do $settlement$
declare
  held   regprocedure;
  was    text;
  now_is text;
begin
  select p.oid::regprocedure into strict held from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'context_ops' and p.prosrc like '%The proposer does not hold it any more%';
  was := pg_get_functiondef(held);
  now_is := replace(was, $$held.kind = 'read' and not$$,
    $$held.kind in ('read', 'redaction') and not$$);
  if now_is = was then raise exception '% is not as 0021_settlements left it', held; end if;
  execute now_is;
end
$settlement$;
reset role;
