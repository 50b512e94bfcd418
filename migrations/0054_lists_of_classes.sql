-- Facts of a few classes are listed class by class, each from an index.
--
-- `index` asks for the newest rules and lessons with every composition. Where a scope holds some
-- thousand facts and few or none of those classes, the list read all of them along their order in
-- time to find the few (2,000 facts in PGlite: 4.8 of the 35 ms of a search, measured).
set local role contextengine_owner;

create index memory_open_set_class
  on context.memory_open_set (tenant_id, scope_uuid, class, valid_from, uuid);

-- The classes that every row of the filter must be one of; null where it does not say.
create function context_ops.classes_of(ledger text, filter jsonb) returns text[]
  language sql stable set search_path = pg_catalog, pg_temp as $body$
  select array(select distinct jsonb_array_elements_text(leaf -> 'in'))
  from jsonb_array_elements(coalesce(filter -> 'and', jsonb_build_array(filter))) leaf
  where ledger = 'memory_open_set' and leaf ->> 'field' = 'class'
    and jsonb_typeof(leaf -> 'in') = 'array' and not leaf -> 'in' @> '[null]'
  limit 1
$body$;
revoke execute on function context_ops.classes_of(text, jsonb) from public;
grant execute on function context_ops.classes_of(text, jsonb) to contextengine_search;

-- A list that chooses before its limit cuts: scope by scope, the nearest first; `once`: the first
-- of each scope that agrees in these columns; `shadow`: what agrees with a row of a nearer scope
-- comes last.
create or replace function context_ops.nearest_sql(part jsonb, matches text, place text,
  ordering text) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  ledger  constant text := part ->> 'table';
  once    constant text := context_ops.key_sql(ledger, part #> '{nearest,once}');
  shadow  constant text := context_ops.key_sql(ledger, part #> '{nearest,shadow}');
  classes constant text[] := context_ops.classes_of(ledger, part -> 'filter');
  rows_of text := format('select r.* from context.%I r
    where r.tenant_id = $1 and r.scope_uuid = p.scope and %s', ledger, matches);
begin
  -- Without a choice among them no more rows of a scope, or of a class of it, than the limit are
  -- read.
  if once is null and shadow is null then
    if classes is not null then
      rows_of := format('select r.* from unnest(%L::text[]) c(class)
        cross join lateral (%s and r.class = c.class order by %s limit $5) r',
        classes, rows_of, ordering);
    end if;
    rows_of := format('%s order by %s limit $5', rows_of, ordering);
  end if;
  return format('(select r.* from (select r.*, null::float8 as dense, null::float8 as lexical,
      %3$s as is_shadowed from (select r.*, p.ord as place, %2$s as nth
        from %5$s cross join lateral (%1$s) r) r where r.nth = 1) r
    order by r.is_shadowed, r.place, %4$s limit $5) r',
    rows_of,
    case when once is null then '1'
      else format('row_number() over (partition by p.ord, %s order by %s)', once, ordering) end,
    case when shadow is null then 'false'
      else format('r.place > min(r.place) over (partition by %s)', shadow) end,
    ordering, place);
end
$body$;

do $functions$
declare
  was    text;
  now_is text;
begin
  -- Where no scope has a fact of these classes, nothing is asked for.
  was := pg_get_functiondef('context_ops.may_hit(jsonb, text, uuid[])'::regprocedure);
  now_is := replace(replace(was, 'ledger constant text := part ->> ''table'';',
    'ledger  constant text := part ->> ''table'';
  classes constant text[] := context_ops.classes_of(ledger, part -> ''filter'');'),
    'when ''memory_open_set'' then
    return exists (',
    'when ''memory_open_set'' then
    if classes is not null then
      return exists (select from unnest(scopes) s(scope) cross join unnest(classes) c(class)
        cross join lateral (select from context.memory_open_set r
          where r.tenant_id = tenant and r.scope_uuid = s.scope and r.class = c.class
          order by r.valid_from, r.uuid limit 1) r);
    end if;
    return exists (');
  if position('classes constant' in now_is) = 0 or position('c(class)' in now_is) = 0 then
    raise exception 'may_hit is not as 0048_search_by_key left it';
  end if;
  execute now_is;
  -- Statements that a session kept are those of before.
  was := pg_get_functiondef('context_ops.answer_part(jsonb, jsonb, jsonb)'::regprocedure);
  now_is := replace(was, '''contextengine_6_''', '''contextengine_7_''');
  if now_is = was then raise exception 'answer_part is not as 0048_search_by_key left it'; end if;
  execute now_is;
end
$functions$;

reset role;
