-- One id names one row of a tenant, over all tables of the ledger. A primary key holds it within
-- its table; what names a row by id alone (a source, the end of a link, the root of a version)
-- would otherwise find the row of another table that took the id over. So each id is written into
-- one table of all ids, whose key also holds it against a transaction that is still open.
--
-- And a root is the id of its first version, in the same table and scope: so nothing else can be
-- called as a root is, and the root of a row is in no other table or scope.
set local role contextengine_owner;

create table context_ops.row_ids (
  tenant_id text collate "C" not null,
  uuid uuid not null,
  primary key (tenant_id, uuid)
);
select context_ops.seal_table('context_ops.row_ids', false);
grant select on context_ops.row_ids to contextengine_app;
-- The ids of rows that their own table has taken, by the triggers below alone.
create policy own_rows on context_ops.row_ids for insert to contextengine_owner with check (true);

do $ledger$
declare
  ledger text;
begin
  -- No role reads past forced row-level security here but the one that owns the table.
  alter table context_ops.row_ids no force row level security;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('alter table context.%I no force row level security', ledger);
    execute format('insert into context_ops.row_ids (tenant_id, uuid)
      select r.tenant_id, r.uuid from context.%I r on conflict do nothing', ledger);
    execute format('alter table context.%I force row level security', ledger);
    -- In the order of the key, so that two writers that share ids wait for each other one way
    -- round. The order and the limit of the second statement leave the planner no other index:
    -- with an equality alone, a plan that was made while the table was small read another index
    -- from end to end for each new row (200 turns beside 2,000 facts: 200 ms, measured). What the
    -- session may see does not matter to what is a root: the scopes are widened for the check.
    execute format($function$
      create function context_ops.%2$I() returns trigger
        language plpgsql security definer set search_path = pg_catalog, pg_temp
        set plan_cache_mode = force_generic_plan as $body$
      declare
        seen constant text := coalesce(current_setting('contextengine.scopes', true), '');
      begin
        insert into context_ops.row_ids (tenant_id, uuid)
          select f.tenant_id, f.uuid from fresh f order by f.tenant_id, f.uuid;
        if exists (select from fresh f where f.uuid <> f.root_uuid) then
          if seen <> '*' then perform set_config('contextengine.scopes', '*', true); end if;
          if exists (
            select from fresh f left join lateral (select r.uuid, r.root_uuid, r.scope_uuid
                from context.%1$I r where r.tenant_id = f.tenant_id and r.uuid >= f.root_uuid
                order by r.tenant_id, r.uuid limit 1) r
              on r.uuid = f.root_uuid and r.root_uuid = f.root_uuid and r.scope_uuid = f.scope_uuid
            where f.uuid <> f.root_uuid and r.uuid is null) then
            raise exception 'A version of context.%1$s has no first version in its scope'
              using errcode = 'CE001';
          end if;
          if seen <> '*' then perform set_config('contextengine.scopes', seen, true); end if;
        end if;
        return null;
      end
      $body$ $function$, ledger, 'check_ids_' || ledger);
    execute format('revoke execute on function context_ops.%I() from public',
      'check_ids_' || ledger);
    execute format('create trigger one_id after insert on context.%I
      referencing new table as fresh for each statement execute function context_ops.%I()',
      ledger, 'check_ids_' || ledger);
  end loop;
  alter table context_ops.row_ids force row level security;
end
$ledger$;

-- Which of the ids name a row, asked in the statement that takes the locks and after them: each
-- query of a volatile function sees what was committed before it.
create function context_ops.taken_ids(tenant text, ids jsonb) returns jsonb
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (select coalesce(jsonb_agg(r.uuid), '[]')
    from (select t::uuid as id from jsonb_array_elements_text(ids) t) i
    cross join lateral (select k.uuid from context_ops.row_ids k
      where k.tenant_id = taken_ids.tenant and k.uuid >= i.id
      order by k.tenant_id, k.uuid limit 1) r
    where r.uuid = i.id);
end
$body$;
revoke execute on function context_ops.taken_ids(text, jsonb) from public;
grant execute on function context_ops.taken_ids(text, jsonb) to contextengine_app;

reset role;
