-- Selection before limits: lists that choose among scopes, and searches by words that read on while too few of the rows found are visible.

set local role contextengine_owner;

-- A list that chooses before its limit cuts: scope by scope, the nearest first; `once`: the first of each scope that agrees in these columns; `shadow`: what agrees with
-- a row of a nearer scope comes last.
create function context_ops.nearest_sql(part jsonb, matches text, place text, ordering text) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  ledger  constant text := part ->> 'table';
  once    constant text := context_ops.key_sql(ledger, part #> '{nearest,once}');
  shadow  constant text := context_ops.key_sql(ledger, part #> '{nearest,shadow}');
  -- Without a choice among them no more rows of a scope than the limit are read.
  rows_of constant text := format('%1$s cross join lateral (select r.* from context.%2$I r where r.tenant_id = $1 and r.scope_uuid = p.scope and %3$s%4$s) r',
    place, ledger, matches, case when once is null and shadow is null then format(' order by %s limit $5', ordering) else '' end);
begin
  return format('(select r.* from (select r.*, null::float8 as dense, null::float8 as lexical, %3$s as is_shadowed from
      (select r.*, p.ord as place, %2$s as nth from %1$s) r where r.nth = 1) r order by r.is_shadowed, r.place, %4$s limit $5) r',
    rows_of,
    case when once is null then '1' else format('row_number() over (partition by p.ord, %s order by %s)', once, ordering) end,
    case when shadow is null then 'false' else format('r.place > min(r.place) over (partition by %s)', shadow) end,
    ordering);
end
$body$;

-- `r.a, r.b` of column names; null where there are none.
create function context_ops.key_sql(ledger text, names jsonb) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
begin
  if names is null then return null; end if;
  if jsonb_typeof(names) <> 'array' or jsonb_array_length(names) = 0 or exists (select from jsonb_array_elements_text(names) n
    where coalesce(context_ops.columns_of(ledger) ->> n in ('jsonb', 'text[]'), true)) then
    raise exception 'Cannot compare rows of % by `%`', ledger, left(names::text, 80) using errcode = 'CE002';
  end if;
  return (select string_agg(format('r.%I', n), ', ' order by ord) from jsonb_array_elements_text(names) with ordinality x(n, ord));
end
$body$;

-- The statement of a part: its hits in the order asked, what stands beside them, whether enough was looked at, and how the word leg ended.
create or replace function context_ops.pick_sql(part jsonb, has_words boolean, emb text, is_single boolean, shown text) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  ledger   constant text := part ->> 'table';
  matches  constant text := context_ops.visible_sql('r', 'p.head') || ' and ' || context_ops.filter_sql(ledger, part -> 'filter');
  place    constant text := context_ops.place_sql(is_single);
  answer   constant text := format('select coalesce(json_agg(%s), ''[]'') as hits, null::json as beside, true as is_enough, null::bigint as worded, null::float8 as worst from ', shown);
  ordering text;
begin
  if ledger not in ('blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links') then raise exception 'No table `%`', left(ledger, 80) using errcode = 'CE002'; end if;
  case part ->> 'mode'
  when 'list' then
    ordering := context_ops.order_by(ledger, part);
    if part ? 'nearest' then return answer || context_ops.nearest_sql(part, matches, place, ordering); end if;
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

-- As before; tells how many visible rows the word leg found and what the last of them scored.
create or replace function context_ops.search_sql(part jsonb, matches text, place text, emb text, has_words boolean, shown text) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
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
    near := format('select * from (select e.owner_uuid as uuid, e.embedding operator(public.<=>) (select $7::%s) as distance from context_ops.%I e
      where e.tenant_id = $1 and e.scope_uuid = any ($2) and e.owner_table = %L offset 0) x order by distance fetch first $10 rows with ties', type, emb, ledger);
  end if;
  if reach > 0 then
    beside := format('select f.uuid, array(%s) as before, array(%s) as after from found f
      cross join lateral (select h.* from context.blocks h where h.tenant_id = $1 and h.uuid = f.uuid limit 1) h join %s on p.scope = h.scope_uuid',
      context_ops.beside_sql(matches, '<', reach), context_ops.beside_sql(matches, '>', reach), place);
  end if;
  return format('with words as materialized (%1$s), near as materialized (%2$s),
      top as materialized (select uuid, score from words order by score desc fetch first $10 rows with ties),
      lex as materialized (select c.uuid, c.score from top c %3$s order by c.score desc, v.valid_from desc, c.uuid limit $5),
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
      ((select count(*) from top) < $10 or (select count(*) from lex) = $5) and ((select count(*) from near) < $10 or (select count(*) from den) = $5) as is_enough,
      (select count(*) from lex) as worded, (select min(score) from lex) as worst',
    words, near, seen, beside, reach, shown,
    case when type is null then 'null::float8'
      else format('1 - coalesce(s.distance, (select min(e.embedding operator(public.<=>) (select $7::%s)) from context_ops.%I e where e.tenant_id = $1 and e.owner_uuid = r.uuid))', type, emb) end,
    ledger);
end
$body$;

-- What a query's terms weigh in these scopes, and from where on their postings are read. Rare terms first: reading stops where the postings come to `most_read`, at two
-- terms at the earliest, and of no term more than its last `most_read` are read; so a common word does not make every search read the store. `unread`: the
-- weight of the terms of which something was left out, as a share of all.
drop function context_ops.weigh_terms(text, text, uuid[], text[]);
create function context_ops.weigh_terms(tenant text, ledger text, scopes uuid[], asked text[], most_read integer, out lexicon json, out in_scopes uuid[], out terms text[],
    out weights float8[], out after integer[], out mean_length float8, out unread float8)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $body$
declare
  documents bigint;
begin
  select coalesce(sum(l.documents), 0), coalesce(sum(l.total_length)::float8 / sum(l.documents), 0) into documents, mean_length
    from context_ops.lexicons l where l.tenant_id = tenant and l.owner_table = ledger and l.scope_uuid = any (scopes);
  with found as materialized (
      select s.scope, t.term, p.nth from unnest(scopes) s(scope) cross join unnest(asked) t(term) cross join lateral (
        select p.nth from context_ops.postings p where p.tenant_id = tenant and p.scope_uuid = s.scope and p.owner_table = ledger and p.term = t.term
        order by p.nth desc limit 1) p),
    counted as materialized (
      select t.term, coalesce(sum(f.nth), 0)::bigint as df from unnest(asked) t(term) left join found f on f.term = t.term group by t.term),
    chosen as materialized (
      select c.term, c.df, ln(1 + (documents - c.df + 0.5::float8) / (c.df + 0.5::float8)) as idf,
        sum(c.df) over (order by c.df = 0, c.df, c.term collate "C") <= most_read or row_number() over (order by c.df = 0, c.df, c.term collate "C") <= 2 as is_read
      from counted c order by c.df = 0, c.df, c.term collate "C" limit 48),
    told as (
      select c.term, f.scope, f.nth, c.idf / (select sum(k.idf) from chosen k) as weight from chosen c join found f on f.term = c.term where c.is_read)
  select array_agg(k.scope), array_agg(k.term), array_agg(k.weight), array_agg(greatest(0, k.nth - most_read)),
      (select json_build_object('documents', documents, 'mean_length', mean_length, 'frequencies', coalesce(json_object_agg(c.term, c.df), '{}')) from counted c),
      (select coalesce(sum(u.idf), 0) / greatest(1e-9::float8, (select sum(c.idf) from chosen c)) from chosen u where u.df > 0 and (not u.is_read
        or exists (select from told t where t.term = u.term and t.nth > most_read)))
    into in_scopes, terms, weights, after, lexicon, unread from told k;
end
$body$;

-- One part's hits. `is_partial`: the signals were weighed by a part of the postings. `is_cut`: a row that was not read could belong to the best.
create or replace function context_ops.answer_part(part jsonb, place jsonb, vectors jsonb) returns json
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  tenant   constant text := place ->> 'tenant';
  most     constant integer := (part ->> 'limit')::integer;
  starts   constant uuid[] := case when part ? 'from' then array(select jsonb_array_elements_text(part -> 'from')::uuid) end;
  after    constant text[] := case when part ? 'after' then array(select jsonb_array_elements_text(part -> 'after')) end;
  counts   constant boolean := place ? 'usage';
  asked    constant text[] := case when part ? 'terms' then array(select jsonb_array_elements_text(part -> 'terms')) end;
  emb      text;
  vector   text;
  scopes   uuid[];
  heads    bigint[];
  u_scopes uuid[];
  u_heads  bigint[];
  reach    integer := 2 * (part ->> 'limit')::integer + 16;
  -- Postings read of a term, and of all terms; grows up to where reading takes a second.
  most_read integer := 3000;
  most_of_all constant integer := 1536000;
  words    record;
  answer   record;
  is_kept  constant boolean := coalesce(length((part -> 'filter')::text), 0) <= 1000;
  shape    jsonb;
  name     text;
begin
  select array_agg(p.scope order by p.ord), array_agg(p.head order by p.ord) into scopes, heads
    from unnest(array(select jsonb_array_elements_text(place -> 'scopes')::uuid), array(select jsonb_array_elements_text(place -> 'heads')::bigint)) with ordinality p(scope, head, ord)
    where not part ? 'scopes' or part -> 'scopes' ? p.scope::text;
  if scopes is null then return json_build_object('id', part ->> 'id', 'columns', '[]'::json, 'hits', '[]'::json); end if;
  if part ? 'vector' then
    emb := context_ops.space_table(part #>> '{vector,space}');
    vector := vectors ->> (part #>> '{vector,index}')::integer;
    if to_regclass('context_ops.' || emb) is null then
      raise exception 'No vectors of `%` are stored', left(part #>> '{vector,space}', 200) using errcode = 'CE003';
    end if;
  end if;
  if counts then
    u_scopes := array(select jsonb_array_elements_text(place #> '{usage,scopes}')::uuid);
    u_heads := array(select jsonb_array_elements_text(place #> '{usage,heads}')::bigint);
  end if;
  if part ? 'terms' then
    select * into words from context_ops.weigh_terms(tenant, part ->> 'table', scopes, asked, most_read);
  else
    select null::json as lexicon, null::uuid[] as in_scopes, null::text[] as terms, null::float8[] as weights, null::integer[] as after, null::float8 as mean_length,
      0::float8 as unread into words;
  end if;
  shape := (part - '{id,limit,vector,terms,scopes,from,after}'::text[]) || jsonb_build_object('words', words.terms is not null, 'space', emb, 'single', cardinality(scopes) = 1, 'counts', counts);
  if not context_ops.may_hit(part, tenant, scopes) then
    return json_build_object('id', part ->> 'id', 'columns', '[]'::json, 'hits', '[]'::json, 'lexicon', words.lexicon);
  end if;
  name := 'contextengine_3_' || md5(shape::text);
  loop
    if is_kept then
      perform context_ops.keep_statement(name, part, shape);
      execute format('execute %I(%L, %L, %L, %L, %s, %L, %L, %L, %L, %s, %L, %L, %L, %L, %L, %L)', name,
        tenant, scopes, heads, place ->> 'valid_at', most, words.in_scopes, vector, u_scopes, u_heads,
        coalesce(reach::text, 'null'), starts, after, words.terms, words.weights, words.after,
        words.mean_length) into answer;
    else
      execute context_ops.statement_of(part, shape) into answer using tenant, scopes, heads,
        (place ->> 'valid_at')::timestamptz, most, words.in_scopes, vector, u_scopes, u_heads, reach,
        starts, after, words.terms, words.weights, words.after, words.mean_length;
    end if;
    exit when coalesce(answer.is_enough, true) and (words.unread = 0 or answer.worded >= most or most_read >= most_of_all);
    -- Too few of the rows that the read postings name are visible: read on, so that rows which a filter, their time or a scope's head hides never stand before others.
    if coalesce(answer.is_enough, true) then
      most_read := most_read * 8;
      select * into words from context_ops.weigh_terms(tenant, part ->> 'table', scopes, asked, most_read);
      continue;
    end if;
    -- Each row looked at costs a descent (64 instead of 160 rows: 0.6 to 1.8 ms less, p10 on a busy machine); each more run costs all of the search.
    reach := case when reach < 8 * most then 8 * most + 64 end;
  end loop;
  return json_build_object('id', part ->> 'id', 'columns', array(select jsonb_object_keys(context_ops.columns_of(part ->> 'table'))), 'hits', answer.hits,
    'beside', answer.beside, 'lexicon', words.lexicon, 'is_partial', words.unread > 0,
    'is_cut', words.unread > 0 and (answer.worded < most or answer.worst < words.unread));
exception when others then
  return json_build_object('id', part ->> 'id', 'sqlstate', sqlstate, 'message', sqlerrm);
end
$body$;

revoke execute on function context_ops.nearest_sql(jsonb, text, text, text), context_ops.key_sql(text, jsonb), context_ops.weigh_terms(text, text, uuid[], text[], integer) from public;
grant execute on function context_ops.nearest_sql(jsonb, text, text, text), context_ops.key_sql(text, jsonb), context_ops.weigh_terms(text, text, uuid[], text[], integer) to contextengine_search;

reset role;
