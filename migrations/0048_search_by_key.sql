-- The search finds a candidate's row by its key, whatever the planner knows of the table.
--
-- A table without statistics (a fresh database before its first analyze) looks as if it had one row,
-- so a candidate was looked for along the index of its scope: 1,000 rows read for each of 90
-- candidates, 9 of the 11 ms of a search of 2,000 facts. And where one scope holds much of a table,
-- whether another has any rows at all was found by reading the table from its beginning.
set local role contextengine_owner;

do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef(
    'context_ops.search_sql(jsonb, text, text, text, boolean, text)'::regprocedure);
  now_is := replace(was,
    'select r.valid_from from context.%I r join %s on p.scope = r.scope_uuid
    where r.tenant_id = $1 and r.uuid = c.uuid and %s limit 1',
    -- `offset 0` keeps the other conditions out, and with them the other indexes.
    'select r.valid_from from (select r.* from context.%I r
      where r.tenant_id = $1 and r.uuid = c.uuid offset 0) r
      join %s on p.scope = r.scope_uuid where %s limit 1');
  if now_is = was then raise exception 'search_sql is not as 0018_nearest left it'; end if;
  execute now_is;
  -- Statements that a session kept are those of before.
  was := pg_get_functiondef('context_ops.answer_part(jsonb, jsonb, jsonb)'::regprocedure);
  now_is := replace(was, '''contextengine_5_''', '''contextengine_6_''');
  if now_is = was then raise exception 'answer_part is not as 0022_lineage left it'; end if;
  execute now_is;
end
$functions$;

-- Whether the scopes can have what a part asks for: an order by the index of the scope is read from
-- that index.
create or replace function context_ops.may_hit(part jsonb, tenant text, scopes uuid[])
  returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  ledger constant text := part ->> 'table';
begin
  if part ->> 'mode' = 'scan' or part ? 'filter' and exists (
    select from jsonb_path_query(part -> 'filter', '$.**.field') f
    where context_ops.columns_of(ledger) ->> (f #>> '{}') is distinct from 'text') then
    return true;
  end if;
  if part ->> 'mode' = 'linked' and not exists (select from context.context_links l
    where l.tenant_id = tenant and l.scope_uuid = any (scopes)
      and l.link_type = part ->> 'link_type') then
    return false;
  end if;
  case ledger
  when 'blocks' then
    return exists (select from unnest(scopes) s(scope) cross join lateral (
      select from context.blocks r where r.tenant_id = tenant and r.scope_uuid = s.scope
      order by r.valid_from limit 1) r);
  when 'subtree_summaries' then
    return exists (select from unnest(scopes) s(scope) cross join lateral (
      select from context.subtree_summaries r where r.tenant_id = tenant and r.scope_uuid = s.scope
      order by r.valid_from limit 1) r);
  when 'memory_open_set' then
    return exists (select from unnest(scopes) s(scope) cross join lateral (
      select from context.memory_open_set r where r.tenant_id = tenant and r.scope_uuid = s.scope
      order by r.valid_from limit 1) r);
  when 'memory_schema_typed' then
    return exists (select from unnest(scopes) s(scope) cross join lateral (
      select from context.memory_schema_typed r
      where r.tenant_id = tenant and r.scope_uuid = s.scope
      order by r.valid_from limit 1) r);
  else
    return true;
  end case;
end
$body$;

reset role;
