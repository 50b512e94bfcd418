-- The nearest vectors by a heap of as many as are looked at.
--
-- `fetch first n rows with ties` sorts every vector of the scope; `limit n` keeps n (2,000 vectors in PGlite: 0.5 of
-- 8.5 ms of a search). What is cut with the n-th may be as near as it. So enough was looked at only if all that a leg
-- answers with is nearer than the farthest one looked at; else the search looks on, as it does for hidden rows.
set local role contextengine_owner;

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
    -- BM25 as src/text/bm25.ts has it, a turn and a document each by its own k1, b and mean length;
    -- rounded as there, so that ties are ties.
    words := format('select p.owner_uuid as uuid, round(1e9::float8 * sum(w.weight * p.tf / (p.tf
        + case when p.is_document
          then 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / ($16)[2])
          else 0.9::float8 * (0.7::float8 + 0.3::float8 * p.length / ($16)[1]) end))) / 1e9::float8
        as score
      from unnest($6, $13, $14, $15) w(scope, term, weight, after) cross join lateral (
        select p.owner_uuid, p.tf, p.length, p.is_document from context_ops.postings p
        where p.tenant_id = $1 and p.scope_uuid = w.scope and p.owner_table = %L
          and p.term = w.term and p.nth > w.after offset 0) p group by p.owner_uuid', ledger);
  end if;
  if type is not null then
    near := format('select * from (select e.owner_uuid as uuid, e.embedding operator(public.<=>) (select $7::%s) as distance from context_ops.%I e
      where e.tenant_id = $1 and e.scope_uuid = any ($2) and e.owner_table = %L offset 0) x order by distance limit $10', type, emb, ledger);
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
      ((select count(*) from top) < $10 or (select count(*) from lex) = $5) and ((select count(*) from near) < $10
        or (select count(*) from den) = $5 and (select max(distance) from den) < (select max(distance) from near)) as is_enough,
      (select count(*) from lex) as worded, (select min(score) from lex) as worst',
    words, near, seen, beside, reach, shown,
    case when type is null then 'null::float8'
      else format('1 - coalesce(s.distance, (select min(e.embedding operator(public.<=>) (select $7::%s)) from context_ops.%I e where e.tenant_id = $1 and e.owner_uuid = r.uuid))', type, emb) end,
    ledger);
end
$body$;

reset role;
