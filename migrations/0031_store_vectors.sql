-- Vectors are stored in one call: the tenancy, the lock against an erasure, the look at which rows
-- are in sight and the rows themselves. As statements of their own, the look was planned anew for
-- every write, half of what such a write cost the database.
set role contextengine_owner;

-- `rows`: {owner_uuid, origin, ordinal, scope_uuid, owner_table, embedding}. Gives the table that
-- the vectors went to; null where the space was never made. A vector of a row that is not in sight
-- is left out: the lock orders this call and a `forget`, and what comes after the lock sees what
-- was committed before it, so the transaction must be of READ COMMITTED.
create function context_ops.store_vectors(tenant text, space text, rows jsonb) returns text
  language plpgsql
  set plan_cache_mode = 'force_generic_plan'
  set search_path = pg_catalog, pg_temp
as $body$
declare
  target constant text := context_ops.space_table(space);
  seen   uuid[];
begin
  if to_regclass('context_ops.' || target) is null then return null; end if;
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '*', true), context_ops.lock_vectors(tenant);
  select array_agg(k.owner_uuid) into seen
  from jsonb_to_recordset(rows) k(owner_uuid uuid, owner_table text)
  where case k.owner_table
    when 'memory_open_set' then exists (select from context.memory_open_set r
      where r.tenant_id = tenant and r.uuid = k.owner_uuid)
    when 'blocks' then exists (select from context.blocks r
      where r.tenant_id = tenant and r.uuid = k.owner_uuid)
    when 'subtree_summaries' then exists (select from context.subtree_summaries r
      where r.tenant_id = tenant and r.uuid = k.owner_uuid)
    else false end;
  execute format('insert into context_ops.%1$I (tenant_id, owner_uuid, origin, ordinal, scope_uuid,
      owner_table, embedding)
    select $1, k.owner_uuid, k.origin, k.ordinal, k.scope_uuid, k.owner_table, k.embedding
    from jsonb_populate_recordset(null::context_ops.%1$I, $2) k where k.owner_uuid = any ($3)
    on conflict do nothing', target) using tenant, rows, seen;
  return target;
end
$body$;
revoke execute on function context_ops.store_vectors(text, text, jsonb) from public;
grant execute on function context_ops.store_vectors(text, text, jsonb) to contextengine_app;
reset role;
