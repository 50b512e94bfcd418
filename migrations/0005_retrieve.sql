-- The sealed search: every part of a query in one statement.
--
-- Operators that are not leakproof (@@, @>) lose their index under row-level security (measured: 1.5 -> 43.7 ms), so these
-- functions run as contextengine_search, which sees all rows, and repeat tenant, scope and visibility themselves. Tenant and
-- scopes come from the settings alone, never from the request.
--
-- Parameters of every built statement: $1 tenant, $2 scopes, $3 heads, $4 valid at, $5 limit, $6 words, $7 vector, $8 scopes of the
-- usage position, $9 usage heads, $10 dense candidates looked at, $11 roots that links start from, $12 keys after which a scan goes on,
-- $13 the words that rows are looked up by.

set local role contextengine_owner;

-- The columns that filters may name, with their types; in the order that rows are returned.
create function context_ops.columns_of(ledger text) returns jsonb
  language sql immutable strict parallel safe as $body$
  select '{"tenant_id":"text","uuid":"uuid","root_uuid":"uuid","scope_uuid":"uuid","valid_from":"timestamptz","valid_until":"timestamptz",
    "closed_seq":"bigint","recorded_seq":"bigint","retired_seq":"bigint","superseded_by":"uuid","cause":"text","status":"text","operation":"text"}'::jsonb ||
  case ledger
    when 'blocks' then '{"parent_uuid":"uuid","block_type":"text","is_scope":"boolean","role":"text","author":"text","occurred_at":"timestamptz",
      "title":"text","content":"text","tags":"text[]","metadata":"jsonb","provenance":"jsonb"}'::jsonb
    when 'subtree_summaries' then '{"kind":"text","content":"text","covers_to_seq":"bigint","model":"text","cost_usd":"double precision","provenance":"jsonb"}'::jsonb
    when 'memory_open_set' then '{"content":"text","subject":"text","category":"text","class":"text","importance":"double precision",
      "confidence":"double precision","tags":"text[]","metadata":"jsonb","provenance":"jsonb"}'::jsonb
    when 'memory_schema_typed' then '{"subject":"text","collection":"text","property":"text","type":"text","value":"jsonb","cardinality":"text",
      "confidence":"double precision","provenance":"jsonb"}'::jsonb
    when 'context_links' then '{"link_type":"text","from_uuid":"uuid","to_uuid":"uuid","ordinal":"bigint","weight":"double precision","metadata":"jsonb"}'::jsonb
  end
$body$;

-- A row as an array of its columns, in the order of columns_of: half of what the same row with names costs to make and to read.
create function context_ops.row_sql(ledger text) returns text
  language sql immutable strict parallel safe as $body$
  select 'json_build_array(' || string_agg(format('r.%I', key), ', ' order by ord) || ')' from jsonb_object_keys(context_ops.columns_of(ledger)) with ordinality k(key, ord)
$body$;

-- {a,b} and 1 -> {"a": {"b": 1}}: containment is what the index can answer.
create function context_ops.nested(path text[], value jsonb) returns jsonb
  language plpgsql immutable as $body$
declare
  name   text;
  result jsonb := value;
begin
  for i in reverse cardinality(path) .. 1 loop
    name := path[i];
    result := jsonb_build_object(name, result);
  end loop;
  return result;
end
$body$;

-- One comparison of a filter tree. SQLSTATE CE002: the filter is malformed.
create function context_ops.compare_sql(ledger text, leaf jsonb) returns text
  language plpgsql stable as $body$
declare
  field  constant text := leaf ->> 'field';
  type   constant text := case when field like 'metadata.%' then 'metadata' else context_ops.columns_of(ledger) ->> field end;
  path   constant text[] := string_to_array(substr(field, 10), '.');
  target constant text := case when type = 'metadata' then format('r.metadata #> %L::text[]', path) else format('r.%I', field) end;
  parts  text[] := '{}';
  item   record;
begin
  if type is null or (type = 'metadata' and not context_ops.columns_of(ledger) ? 'metadata') then
    raise exception 'No field `%` in %', left(coalesce(field, '?'), 80), ledger using errcode = 'CE002';
  end if;
  for item in select key, value from jsonb_each(leaf - 'field') loop
    parts := parts || case
      when item.key = 'eq' and item.value = 'null' then case when type = 'metadata' then format('(%s is null or %s = ''null'')', target, target) else target || ' is null' end
      when item.key = 'eq' and type = 'metadata' then
        format('(r.metadata @> %L::jsonb and %s = %L::jsonb)', context_ops.nested(path, item.value), target, item.value)
      when item.key = 'eq' and type = 'jsonb' then format('%s = %L::jsonb', target, item.value)
      when item.key = 'eq' and type <> 'text[]' then format('%s = %L::%s', target, item.value #>> '{}', type)
      when item.key = 'in' and jsonb_typeof(item.value) = 'array' and type not in ('metadata', 'jsonb', 'text[]') and not item.value @> '[null]' then
        format('%s = any (%L::%s[])', target, array(select jsonb_array_elements_text(item.value)), type)
      when item.key = 'in' and jsonb_typeof(item.value) = 'array' then (
        select coalesce('(' || string_agg(context_ops.compare_sql(ledger, jsonb_build_object('field', field, 'eq', one)), ' or ') || ')', 'false')
        from jsonb_array_elements(item.value) one)
      when item.key in ('gt', 'gte', 'lt', 'lte') then context_ops.order_sql(target, type, item.key, item.value)
      when item.key = 'contains' and type = 'text[]' and jsonb_typeof(item.value) = 'array' then
        format('%s @> %L::text[]', target, array(select jsonb_array_elements_text(item.value)))
      when item.key = 'has' and type = 'jsonb' then format('%s @> %L::jsonb', target, item.value)
    end;
    if parts[cardinality(parts)] is null then
      raise exception 'The filter `%` cannot be applied to `%` of %', left(item.key, 80), field, ledger using errcode = 'CE002';
    end if;
  end loop;
  if cardinality(parts) = 0 then
    raise exception 'The filter on `%` compares nothing', field using errcode = 'CE002';
  end if;
  return array_to_string(parts, ' and ');
end
$body$;

-- Texts are compared by code point, whatever the database's collation is.
create function context_ops.order_sql(target text, type text, comparison text, value jsonb) returns text
  language sql immutable as $body$
  select case
    when type in ('jsonb', 'text[]', 'boolean') or jsonb_typeof(value) not in ('string', 'number') then null
    when type = 'metadata' and jsonb_typeof(value) = 'number' then format('case when jsonb_typeof(%s) = ''number'' then (%s)::numeric %s %L::numeric end', target, target, sign, value #>> '{}')
    when type = 'metadata' then format('case when jsonb_typeof(%s) = ''string'' then ((%s) #>> ''{}'') collate "C" %s %L end', target, target, sign, value #>> '{}')
    when type = 'text' then format('%s collate "C" %s %L', target, sign, value #>> '{}')
    else format('%s %s %L::%s', target, sign, value #>> '{}', type)
  end
  from (select case comparison when 'gt' then '>' when 'gte' then '>=' when 'lt' then '<' else '<=' end as sign) s
$body$;

-- Always in parentheses: what it is joined to (tenant, scope, visibility) binds it, whatever it says.
create function context_ops.filter_sql(ledger text, filter jsonb, depth integer default 0) returns text
  language plpgsql stable as $body$
declare
  joined text;
begin
  if filter is null or filter = 'null' then return 'true'; end if;
  if depth > 16 or jsonb_typeof(filter) <> 'object' then
    raise exception 'The filter is nested too deeply or is no object' using errcode = 'CE002';
  end if;
  if filter ? 'not' then return '(not coalesce(' || context_ops.filter_sql(ledger, filter -> 'not', depth + 1) || ', false))'; end if;
  if filter ? 'and' or filter ? 'or' then
    select '(' || string_agg(context_ops.filter_sql(ledger, one, depth + 1), case when filter ? 'and' then ' and ' else ' or ' end) || ')' into joined
      from jsonb_array_elements(coalesce(filter -> 'and', filter -> 'or')) one;
    return coalesce(joined, case when filter ? 'and' then 'true' else 'false' end);
  end if;
  return '(' || context_ops.compare_sql(ledger, filter) || ')';
end
$body$;

-- The validity rule of src/model/validity.ts, against the head of the row's own scope.
create function context_ops.visible_sql(ledger_alias text, head text) returns text
  language sql immutable strict parallel safe as $body$
  select format('%1$s.status = ''live'' and %1$s.recorded_seq <= %2$s and (%1$s.retired_seq is null or %1$s.retired_seq > %2$s)
    and %1$s.valid_from <= $4 and (%1$s.valid_until is null or %1$s.valid_until > $4 or %1$s.closed_seq > %2$s)', ledger_alias, head)
$body$;

-- Any of the words, never all of them. At most 48 words, the first ones: a longer query says nothing more about relevance.
create function context_ops.any_word(query text) returns tsquery
  language sql stable strict parallel safe as $body$
  select nullif(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | '), '')::tsquery
  from (select lexeme from unnest(to_tsvector('pg_catalog.english'::regconfig, left(query, 8000))) order by positions[1], lexeme limit 48) w
$body$;

-- The words that tell rows apart, where a scope is large: a word that half of the rows have makes the search rank them all (20,000 rows of
-- one scope: 50 -> 5 ms), and hardly moves the order. Words are kept from the rarest on while the planner expects at most 2,000 rows
-- for them, and two of them always. The planner's estimate is the only source of word frequencies that this role may read and that costs no scan.
-- Ranking goes by all words. Volatile because EXPLAIN is not allowed otherwise.
create function context_ops.telling_words(ledger text, words tsquery, most_rows bigint) returns tsquery
  language plpgsql volatile as $body$
declare
  known    constant real := (select c.reltuples from pg_class c where c.oid = to_regclass('context.' || quote_ident(ledger)));
  kept     text[] := '{}';
  expected double precision := 0;
  item     record;
  plan     json;
  word     text;
  lexemes  text[] := '{}';
  rates    double precision[] := '{}';
begin
  if words is null or most_rows <= 4000 or known is null or known < 1000 then return words; end if;
  foreach word in array string_to_array(words::text, ' | ') loop
    execute format('explain (format json) select from context.%I r where r.fts @@ %L::tsquery', ledger, word) into plan;
    lexemes := lexemes || word;
    rates := rates || (plan #>> '{0,Plan,Plan Rows}')::double precision / known;
  end loop;
  for item in select w.lexeme, w.rate from unnest(lexemes, rates) w(lexeme, rate) order by w.rate, w.lexeme loop
    expected := expected + item.rate * most_rows;
    exit when cardinality(kept) >= 2 and expected > 2000;
    kept := kept || item.lexeme;
  end loop;
  return array_to_string(kept, ' | ')::tsquery;
end
$body$;

create function context_ops.order_by(ledger text, part jsonb) returns text
  language plpgsql stable as $body$
declare
  field     constant text := part #>> '{order,by}';
  direction constant text := case part #>> '{order,direction}' when 'asc' then 'asc' when 'desc' then 'desc' end;
  type      constant text := context_ops.columns_of(ledger) ->> field;
begin
  if type is null or direction is null or type in ('jsonb', 'text[]') then
    raise exception 'Cannot order % by `%`', ledger, left(coalesce(field, '?'), 80) using errcode = 'CE002';
  end if;
  -- Nulls come last either way. Said only where there can be some: an index in plain descending order has them first.
  return format('r.%I%s %s%s', field, case type when 'text' then ' collate "C"' else '' end, direction,
      case when direction = 'desc' and field not in ('occurred_at', 'valid_from', 'recorded_seq', 'uuid', 'importance', 'confidence', 'covers_to_seq', 'ordinal') then ' nulls last' else '' end)
    || case when field = 'occurred_at' then format(', r.recorded_seq %s', direction) else '' end || format(', r.uuid %s', direction);
end
$body$;

-- The scopes and heads as a relation p(scope, head, ord). One scope, the usual case, is constants: the planner then knows what it looks
-- for (at 2,000 facts 17 -> 12 ms, of which 0.4 ms planning).
create function context_ops.place_sql(is_single boolean) returns text
  language sql immutable strict parallel safe as $body$
  select case when is_single then '(select ($2)[1] as scope, ($3)[1] as head, 1 as ord) p' else 'unnest($2, $3) with ordinality as p(scope, head, ord)' end
$body$;

-- Search by words, by meaning, or both: the union of the best of each leg, with both signals. The vector leg is exact (`offset 0` keeps
-- an approximate index away, and each distance is computed once). It looks at the nearest $10 first and joins only those to their rows
-- (lateral with a limit: by key, whatever the planner believes about sizes); where too few of them are visible the caller runs it again
-- without that limit, so that the answer never depends on it.
create function context_ops.search_sql(ledger text, matches text, place text, emb text, has_words boolean) returns text
  language plpgsql stable as $body$
declare
  type constant text := (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = to_regclass('context_ops.' || emb) and attname = 'embedding');
  lex  text := 'select null::uuid as uuid where false';
  near text := 'select null::uuid as uuid, null::float8 as distance where false';
begin
  if not context_ops.columns_of(ledger) ? 'content' then raise exception '% cannot be searched', ledger using errcode = 'CE002'; end if;
  if has_words then
    lex := format('select r.uuid from %s join context.%I r on r.scope_uuid = p.scope
      where r.tenant_id = $1 and r.fts @@ $13 and %s order by ts_rank(r.fts, $6) desc, r.valid_from desc, r.uuid limit $5', place, ledger, matches);
  end if;
  if type is not null then
    near := format('select * from (select e.owner_uuid as uuid, e.embedding <=> $7::%s as distance from context_ops.%I e
      where e.tenant_id = $1 and e.scope_uuid = any ($2) and e.owner_table = %L offset 0) x order by distance limit $10', type, emb, ledger);
  end if;
  return format('with lex as (%s), near as materialized (%s), den as materialized (
      select n.uuid, n.distance from (select near.uuid, min(near.distance) as distance from near group by near.uuid) n
        cross join lateral (select r.valid_from from context.%I r join %s on p.scope = r.scope_uuid
          where r.tenant_id = $1 and r.uuid = n.uuid and %s limit 1) v order by n.distance, v.valid_from desc, n.uuid limit $5)
    select * from (select r.*, %s as dense, %s as lexical, (select count(*) from near) as looked, (select count(*) from den) as seen
      from lex full join den using (uuid) join context.%3$I r on r.tenant_id = $1 and r.uuid = coalesce(lex.uuid, den.uuid) offset 0) r
    order by coalesce(r.dense, 0) + coalesce(r.lexical, 0) desc, r.valid_from desc, r.uuid',
    lex, near, ledger, place, matches,
    case when type is null then 'null::float8'
      else format('1 - coalesce(den.distance, (select min(e.embedding <=> $7::%s) from context_ops.%I e where e.tenant_id = $1 and e.owner_uuid = r.uuid))', type, emb) end,
    -- 0.0607927 = 0.1 / (pi^2 / 6): ts_rank of a text that has every term of the query once, with the default weights.
    case when has_words then 'nullif(least(1, ts_rank(r.fts, $6) / 0.0607927)::float8, 0)' else 'null::float8' end);
end
$body$;

-- The statement of a part: the columns of its table, dense and lexical (search: looked and seen as well), in the order asked.
create function context_ops.pick_sql(part jsonb, has_words boolean, emb text, is_single boolean) returns text
  language plpgsql stable as $body$
declare
  ledger   constant text := part ->> 'table';
  matches  constant text := context_ops.visible_sql('r', 'p.head') || ' and ' || context_ops.filter_sql(ledger, part -> 'filter');
  place    constant text := context_ops.place_sql(is_single);
  ordering text;
begin
  if ledger not in ('blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links') then raise exception 'No table `%`', left(ledger, 80) using errcode = 'CE002'; end if;
  case part ->> 'mode'
  when 'list' then
    ordering := context_ops.order_by(ledger, part);
    return format('select r.*, null::float8 as dense, null::float8 as lexical from %1$s cross join lateral
      (select r.* from context.%2$I r where r.tenant_id = $1 and r.scope_uuid = p.scope and %4$s order by %3$s limit $5) r order by %3$s limit $5',
      place, ledger, ordering, matches);
  when 'scan' then
    return format('select r.*, null::float8 as dense, null::float8 as lexical from %1$s join context.%2$I r on r.scope_uuid = p.scope where r.tenant_id = $1 and %3$s
      and ($12 is null or (r.scope_uuid, r.recorded_seq, r.uuid) > (($12)[1]::uuid, ($12)[2]::bigint, ($12)[3]::uuid))
      order by r.scope_uuid, r.recorded_seq, r.uuid limit $5',
      place, ledger, case when (part ->> 'visible')::boolean then matches
        else 'r.status = ''live'' and r.recorded_seq <= p.head and ' || context_ops.filter_sql(ledger, part -> 'filter') end);
  when 'linked' then
    return format('select r.*, null::float8 as dense, null::float8 as lexical from
      (select n.to_uuid, min(n.rank) as rank from (select l.to_uuid, row_number() over (order by p.ord, l.ordinal, l.uuid) as rank
        from %1$s join context.context_links l on l.scope_uuid = p.scope
        where l.tenant_id = $1 and l.link_type = %3$L and l.from_uuid = any (coalesce($11, $2)) and %4$s) n group by n.to_uuid) k
      join context.%2$I r on r.tenant_id = $1 and r.root_uuid = k.to_uuid join %1$s on p.scope = r.scope_uuid where %5$s
      order by k.rank, r.uuid limit $5',
      place, ledger, part ->> 'link_type', context_ops.visible_sql('l', 'p.head'), matches);
  when 'search' then
    return context_ops.search_sql(ledger, matches, place, emb, has_words);
  else
    raise exception 'No mode `%`', left(coalesce(part ->> 'mode', '?'), 80) using errcode = 'CE002';
  end case;
end
$body$;

reset role;
