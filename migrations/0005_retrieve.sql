-- The sealed search: every part of a query in one statement.
--
-- Operators that are not leakproof (@>) lose their index under row-level security (measured: 1.5 -> 43.7 ms), so these
-- functions run as contextengine_search, which sees all rows, and repeat tenant, scope and visibility themselves. Tenant and
-- scopes come from the settings alone, never from the request.
--
-- Parameters of every built statement: $1 tenant, $2 scopes, $3 heads, $4 valid at, $5 limit, $6 scopes of the weighed terms, $7 vector,
-- $8 scopes of the usage position, $9 usage heads, $10 candidates that each leg looks at, $11 roots that links start from, $12 keys after which a
-- scan goes on, $13 the weighed terms, $14 their weights, $15 the postings after which they are read, $16 the mean length of the texts.

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

-- `vector(256)`, of the space that a table holds; null where there is no such table.
create function context_ops.vector_type(emb text) returns text
  language sql stable as $body$
  select format_type(atttypid, atttypmod) from pg_attribute where attrelid = to_regclass('context_ops.' || emb) and attname = 'embedding'
$body$;

-- The scopes and heads as a relation p(scope, head, ord). One scope, the usual case, is one row and no join.
create function context_ops.place_sql(is_single boolean) returns text
  language sql immutable strict parallel safe as $body$
  select case when is_single then '(select ($2)[1] as scope, ($3)[1] as head, 1 as ord) p' else 'unnest($2, $3) with ordinality as p(scope, head, ord)' end
$body$;

-- Search by words, by meaning, or both: the union of the best of each leg, with both signals. The vector leg is exact (`offset 0` keeps
-- an approximate index away, and each distance is computed once; the vector in a subquery, because a plan that is not kept would read its text for each row). Each leg looks at its best $10 first, those that tie with the last of them too,
-- and joins only those to their rows (lateral with a limit: by key, whatever the planner believes about sizes); where too few of them are
-- visible the caller runs it again without that limit, so that the answer never depends on it. `shown` is one row of the answer.
create function context_ops.search_sql(part jsonb, matches text, place text, emb text, has_words boolean, shown text) returns text
  language plpgsql stable as $body$
declare
  ledger  constant text := part ->> 'table';
  type    constant text := context_ops.vector_type(emb);
  reach   constant integer := coalesce((part ->> 'neighbours')::integer, 0);
  -- The rows of a leg's candidates that the part may see, the best of them.
  seen    constant text := format('cross join lateral (select r.valid_from from context.%I r join %s on p.scope = r.scope_uuid
    where r.tenant_id = $1 and r.uuid = c.uuid and %s limit 1) v', ledger, place, matches);
  words   text := 'select null::uuid as uuid, null::float8 as score where false';
  near    text := 'select null::uuid as uuid, null::float8 as distance where false';
  beside  text := 'select null::uuid as uuid, null::uuid[] as before, null::uuid[] as after where false';
begin
  if not context_ops.columns_of(ledger) ? 'content' then raise exception '% cannot be searched', ledger using errcode = 'CE002'; end if;
  if has_words then
    -- BM25 as src/model/bm25.ts has it, k1 0.9 and b 0.3; rounded as there, so that ties are ties.
    words := format('select p.owner_uuid as uuid, round(1e9::float8 * sum(w.weight * p.tf / (p.tf + 0.9::float8 * (0.7::float8 + 0.3::float8 * p.length / $16)))) / 1e9::float8 as score
      from unnest($6, $13, $14, $15) w(scope, term, weight, after) cross join lateral (select p.owner_uuid, p.tf, p.length from context_ops.postings p
        where p.tenant_id = $1 and p.scope_uuid = w.scope and p.owner_table = %L and p.term = w.term and p.nth > w.after offset 0) p group by p.owner_uuid', ledger);
  end if;
  if type is not null then
    near := format('select * from (select e.owner_uuid as uuid, e.embedding <=> (select $7::%s) as distance from context_ops.%I e
      where e.tenant_id = $1 and e.scope_uuid = any ($2) and e.owner_table = %L offset 0) x order by distance fetch first $10 rows with ties', type, emb, ledger);
  end if;
  if reach > 0 then
    beside := format('select f.uuid, array(%s) as before, array(%s) as after from found f
      cross join lateral (select h.* from context.blocks h where h.tenant_id = $1 and h.uuid = f.uuid limit 1) h join %s on p.scope = h.scope_uuid',
      context_ops.beside_sql(matches, '<', reach), context_ops.beside_sql(matches, '>', reach), place);
  end if;
  return format('with words as materialized (%1$s), near as materialized (%2$s),
      top as materialized (select uuid, score from words order by score desc fetch first $10 rows with ties),
      lex as materialized (select c.uuid from top c %3$s order by c.score desc, v.valid_from desc, c.uuid limit $5),
      den as materialized (select c.uuid, c.distance from (select near.uuid, min(near.distance) as distance from near group by near.uuid) c %3$s
        order by c.distance, v.valid_from desc, c.uuid limit $5),
      found as materialized (select uuid, den.distance from lex full join den using (uuid)),
      beside as materialized (%4$s),
      every as (select x.uuid, min(x.distance) as distance, max(x.score) as score from (
          select uuid, distance, null::float8 as score, true as is_shown from found
          union all select n.uuid, null, null, true from beside b cross join lateral unnest(b.before[1:%5$s] || b.after[1:%5$s]) n(uuid)
          union all select uuid, null, score, false from words) x
        group by x.uuid having bool_or(x.is_shown))
    select (select coalesce(json_agg(%6$s order by coalesce(r.dense, 0) + coalesce(r.lexical, 0) desc, r.valid_from desc, r.uuid), ''[]'')
        from (select r.*, %7$s as dense, s.score as lexical from every s
          cross join lateral (select r.* from context.%8$I r where r.tenant_id = $1 and r.uuid = s.uuid limit 1) r offset 0) r) as hits,
      (select json_agg(json_build_array(b.uuid, b.before, b.after)) from beside b) as beside,
      ((select count(*) from top) < $10 or (select count(*) from lex) = $5) and ((select count(*) from near) < $10 or (select count(*) from den) = $5) as is_enough',
    words, near, seen, beside, reach, shown,
    case when type is null then 'null::float8'
      else format('1 - coalesce(s.distance, (select min(e.embedding <=> (select $7::%s)) from context_ops.%I e where e.tenant_id = $1 and e.owner_uuid = r.uuid))', type, emb) end,
    ledger);
end
$body$;

-- The uuids before (`<`) or after (`>`) the block h in its conversation, the nearest first: one more than are shown, so that each shown row's
-- neighbours are known.
create function context_ops.beside_sql(matches text, side text, reach integer) returns text
  language sql immutable strict parallel safe as $body$
  select format('select r.uuid from context.blocks r where r.tenant_id = $1 and r.scope_uuid = h.scope_uuid and r.block_type = h.block_type
      and coalesce(r.parent_uuid, %1$L) = coalesce(h.parent_uuid, %1$L) and (r.occurred_at, r.recorded_seq, r.uuid) %2$s (h.occurred_at, h.recorded_seq, h.uuid) and %3$s
      order by r.occurred_at %4$s, r.recorded_seq %4$s, r.uuid %4$s limit %5$s',
    '00000000-0000-0000-0000-000000000000', side, matches, case side when '<' then 'desc' else 'asc' end, reach + 1)
$body$;

-- The statement of a part: its hits in the order asked, what stands beside them, and whether enough was looked at.
create function context_ops.pick_sql(part jsonb, has_words boolean, emb text, is_single boolean, shown text) returns text
  language plpgsql stable as $body$
declare
  ledger   constant text := part ->> 'table';
  matches  constant text := context_ops.visible_sql('r', 'p.head') || ' and ' || context_ops.filter_sql(ledger, part -> 'filter');
  place    constant text := context_ops.place_sql(is_single);
  answer   constant text := format('select coalesce(json_agg(%s), ''[]'') as hits, null::json as beside, true as is_enough from ', shown);
  ordering text;
begin
  if ledger not in ('blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links') then raise exception 'No table `%`', left(ledger, 80) using errcode = 'CE002'; end if;
  case part ->> 'mode'
  when 'list' then
    ordering := context_ops.order_by(ledger, part);
    return answer || format('(select r.*, null::float8 as dense, null::float8 as lexical from %1$s cross join lateral
      (select r.* from context.%2$I r where r.tenant_id = $1 and r.scope_uuid = p.scope and %4$s order by %3$s limit $5) r order by %3$s limit $5) r',
      place, ledger, ordering, matches);
  when 'scan' then
    return answer || format('(select r.*, null::float8 as dense, null::float8 as lexical from %1$s join context.%2$I r on r.scope_uuid = p.scope where r.tenant_id = $1 and %3$s
      and ($12 is null or (r.scope_uuid, r.recorded_seq, r.uuid) > (($12)[1]::uuid, ($12)[2]::bigint, ($12)[3]::uuid))
      order by r.scope_uuid, r.recorded_seq, r.uuid limit $5) r',
      place, ledger, case when (part ->> 'visible')::boolean then matches
        else 'r.status = ''live'' and r.recorded_seq <= p.head and ' || context_ops.filter_sql(ledger, part -> 'filter') end);
  when 'linked' then
    return answer || format('(select r.*, null::float8 as dense, null::float8 as lexical from
      (select n.to_uuid, min(n.rank) as rank from (select l.to_uuid, row_number() over (order by p.ord, l.ordinal, l.uuid) as rank
        from %1$s join context.context_links l on l.scope_uuid = p.scope
        where l.tenant_id = $1 and l.link_type = %3$L and l.from_uuid = any (coalesce($11, $2)) and %4$s) n group by n.to_uuid) k
      join context.%2$I r on r.tenant_id = $1 and r.root_uuid = k.to_uuid join %1$s on p.scope = r.scope_uuid where %5$s
      order by k.rank, r.uuid limit $5) r',
      place, ledger, part ->> 'link_type', context_ops.visible_sql('l', 'p.head'), matches);
  when 'search' then
    return context_ops.search_sql(part, matches, place, emb, has_words, shown);
  else
    raise exception 'No mode `%`', left(coalesce(part ->> 'mode', '?'), 80) using errcode = 'CE002';
  end case;
end
$body$;

reset role;
