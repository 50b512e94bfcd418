-- Given versions, in the order given, where the part may see them: what another engine found, judged
-- here, in the statement that answers the other parts. They stand in `from` ($11), as the roots of a
-- linked part do, so that the arguments of a kept plan stay as they are.
set local role contextengine_owner;

create function context_ops.keys_sql(part jsonb, matches text, place text, emb text) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  type constant text := context_ops.vector_type(emb);
begin
  return format('(select r.*, %4$s as dense, null::float8 as lexical
      from unnest($11) with ordinality k(uuid, nth) cross join lateral (
        select r.* from context.%2$I r join %1$s on p.scope = r.scope_uuid
        where r.tenant_id = $1 and r.uuid = k.uuid and %3$s limit 1) r
      order by k.nth limit $5) r',
    place, part ->> 'table', matches,
    case when type is null then 'null::float8'
      else format('1 - (select min(e.embedding operator(public.<=>) (select $7::%s))
        from context_ops.%I e where e.tenant_id = $1 and e.owner_uuid = r.uuid)', type, emb) end);
end
$body$;
revoke execute on function context_ops.keys_sql(jsonb, text, text, text) from public;
grant execute on function context_ops.keys_sql(jsonb, text, text, text) to contextengine_search;

do $mode$
declare
  before constant text := pg_get_functiondef(
    'context_ops.pick_sql(jsonb, boolean, text, boolean, text)'::regprocedure);
  after  constant text := replace(before, $from$when 'search' then$from$,
    $to$when 'keys' then
    return answer || context_ops.keys_sql(part, matches, place, emb);
  when 'search' then$to$);
begin
  if after = before then raise exception 'pick_sql has no mode search'; end if;
  execute after;
end
$mode$;

reset role;
