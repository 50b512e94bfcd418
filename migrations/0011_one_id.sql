-- One id names one row of a tenant, over all tables of the ledger. A primary key holds it within
-- its table; what names a row by id alone (a source, the end of a link, the root of a version)
-- would otherwise find the row of another table that took the id over.
--
-- And a root is the id of its first version, in the same table and scope: so nothing else can be
-- called as a root is, and the root of a row is in no other table or scope.
set local role contextengine_owner;

do $ledger$
declare
  ledgers constant text[] := array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'];
  ledger text;
begin
  -- One function a table, so that each keeps its plan: one descent of a primary key for each row
  -- and table. The order and the limit leave the planner no other index: with an equality alone, a
  -- plan that was made while a table was small read another index from end to end for each new row
  -- (200 turns beside 2,000 facts: 200 ms, measured). What the session may see does not matter to
  -- what is taken: the scopes are widened for the check alone.
  foreach ledger in array ledgers loop
    execute format($function$
      create function context_ops.%2$I() returns trigger
        language plpgsql set search_path = pg_catalog, pg_temp
        set plan_cache_mode = force_generic_plan as $body$
      declare
        seen constant text := coalesce(current_setting('contextengine.scopes', true), '');
      begin
        if seen <> '*' then perform set_config('contextengine.scopes', '*', true); end if;
        if exists (select from fresh f cross join lateral (%3$s limit 1) r) then
          raise exception 'An id of a row of context.%1$s is taken' using errcode = '23505';
        end if;
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
        return null;
      end
      $body$ $function$, ledger, 'check_ids_' || ledger,
      (select string_agg(format('select from (select r.uuid from context.%I r
          where r.tenant_id = f.tenant_id and r.uuid >= f.uuid
          order by r.tenant_id, r.uuid limit 1) r where r.uuid = f.uuid', other), ' union all ')
        from unnest(ledgers) other where other <> ledger));
    execute format('revoke execute on function context_ops.%I() from public',
      'check_ids_' || ledger);
    execute format('create trigger one_id after insert on context.%I
      referencing new table as fresh for each statement execute function context_ops.%I()',
      ledger, 'check_ids_' || ledger);
  end loop;

  -- Which of the ids name a row, asked in the statement that takes the locks and after them: each
  -- query of a volatile function sees what was committed before it. It shows what the session may
  -- see.
  execute format($function$
    create function context_ops.taken_ids(tenant text, ids jsonb) returns jsonb
      language plpgsql set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $body$
    begin
      return (select coalesce(jsonb_agg(i.id), '[]')
        from (select t::uuid as id from jsonb_array_elements_text(ids) t) i
        cross join lateral (%s limit 1) r);
    end
    $body$ $function$,
    (select string_agg(format('select from (select r.uuid from context.%I r
        where r.tenant_id = taken_ids.tenant and r.uuid >= i.id
        order by r.tenant_id, r.uuid limit 1) r where r.uuid = i.id', each), ' union all ')
      from unnest(ledgers) each));
end
$ledger$;
revoke execute on function context_ops.taken_ids(text, jsonb) from public;
grant execute on function context_ops.taken_ids(text, jsonb) to contextengine_app;

reset role;
