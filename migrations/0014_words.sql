-- Words of every script, and documents weighed as documents. The terms of a text changed
-- (src/text/terms.ts): titles, headings and subjects are read, words outside the built-in table have
-- grams of their letters, and a document has a norm of its own. Postings of old and new terms must
-- not be mixed, so the old ones go; what was written before is read again from the ledger, scope by
-- scope in batches (`context_ops.rebuild_postings`), and a search says so until it is done.

set local role contextengine_owner;

truncate context_ops.postings, context_ops.lexicons;
alter table context_ops.postings add column is_document boolean not null;
alter table context_ops.lexicons
  add column document_count bigint not null default 0,
  add column document_length bigint not null default 0;

-- The rules by which this schema's postings were made. Code of other rules must not add to them.
create function context_ops.word_rules() returns integer
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp as 'select 2';

-- Scopes that were there before: their rows up to `until_seq` have their postings up to `done_seq`.
create table context_ops.word_backlog (
  tenant_id  text collate "C" not null,
  scope_uuid uuid not null,
  done_seq   bigint not null,
  until_seq  bigint not null,
  primary key (tenant_id, scope_uuid)
);
alter table context_ops.scope_heads no force row level security;
insert into context_ops.word_backlog (tenant_id, scope_uuid, done_seq, until_seq)
  select h.tenant_id, h.scope_uuid, 0, h.head from context_ops.scope_heads h where h.head > 0;
alter table context_ops.scope_heads force row level security;
select context_ops.seal_table('context_ops.word_backlog', false);
grant select on context_ops.word_backlog to contextengine_app, contextengine_search;

drop function context_ops.add_postings(text, text, jsonb);

-- Texts as [{"scope", "uuid", "length", "is_document", "terms": {term: times}}], in the order of
-- writing. Runs under the locks of their scopes.
create function context_ops.insert_postings(tenant text, ledger text, texts jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan as $body$
begin
  insert into context_ops.lexicons as l (tenant_id, scope_uuid, owner_table, documents,
    total_length, document_count, document_length)
    select tenant, t.scope, ledger, count(*), sum(t.length), count(*) filter (where t.is_document),
        coalesce(sum(t.length) filter (where t.is_document), 0)
      from jsonb_to_recordset(texts) t(scope uuid, length bigint, is_document boolean)
      group by t.scope order by t.scope
    on conflict (tenant_id, scope_uuid, owner_table) do update set
      documents = l.documents + excluded.documents,
      total_length = l.total_length + excluded.total_length,
      document_count = l.document_count + excluded.document_count,
      document_length = l.document_length + excluded.document_length;
  -- In the order of the index: a batch then goes to it, and a term's postings lie, side by side.
  insert into context_ops.postings (tenant_id, scope_uuid, owner_table, term, nth, owner_uuid, tf,
    length, is_document)
    with fresh as materialized (
      select t.scope, e.term collate "C" as term, t.uuid, e.times::integer as tf, t.length,
        coalesce(t.is_document, false) as is_document,
        row_number() over (partition by t.scope, e.term collate "C" order by t.ord) as place
      from rows from (jsonb_to_recordset(texts) as (scope uuid, uuid uuid, length integer,
        is_document boolean, terms jsonb)) with ordinality t(scope, uuid, length, is_document,
          terms, ord),
        jsonb_each_text(t.terms) e(term, times)),
    last as materialized (
      select f.scope, f.term, coalesce((select p.nth from context_ops.postings p
        where p.tenant_id = tenant and p.scope_uuid = f.scope
        and p.owner_table = ledger and p.term = f.term order by p.nth desc limit 1), 0) as nth
      from fresh f where f.place = 1)
    select tenant, f.scope, ledger, f.term, l.nth + f.place, f.uuid, f.tf, f.length,
      f.is_document from fresh f
      join last l using (scope, term)
    order by f.scope, f.term, f.place;
end
$body$;

create function context_ops.assert_rules(rules integer) returns void
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  if rules is distinct from context_ops.word_rules() then
    raise exception 'The words of this database are those of rules %, not %',
      context_ops.word_rules(), rules using errcode = 'CE001',
      hint = 'Use the version of contextengine that migrated this database.';
  end if;
end
$body$;

create function context_ops.add_postings(tenant text, ledger text, texts jsonb,
  rules integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  perform context_ops.assert_rules(rules);
  perform context_ops.assert_moved(tenant, array(
    select distinct t.scope from jsonb_to_recordset(texts) t(scope uuid)));
  perform context_ops.insert_postings(tenant, ledger, texts);
end
$body$;

-- Postings of rows that were there before, all that lie in (`done`, `high`]. Under the lock of the
-- scope, so that a term's postings are numbered without a gap. Texts by table.
create function context_ops.rebuild_postings(tenant text, scope uuid, span bigint[], texts jsonb,
  rules integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  ledger text;
begin
  perform context_ops.assert_rules(rules);
  perform from context_ops.scope_heads h
    where h.tenant_id = tenant and h.scope_uuid = scope for update;
  update context_ops.word_backlog b set done_seq = span[2]
    where b.tenant_id = tenant and b.scope_uuid = scope and b.done_seq = span[1]
      and span[2] > span[1] and span[2] <= b.until_seq;
  if not found then
    raise exception 'Rows % to % of the scope do not wait for their words', span[1], span[2]
      using errcode = 'CE001';
  end if;
  for ledger in select jsonb_object_keys(texts) loop
    if exists (select from jsonb_to_recordset(texts -> ledger) t(scope uuid)
      where t.scope is distinct from rebuild_postings.scope) then
      raise exception 'A text is not of the scope' using errcode = 'CE001';
    end if;
    perform context_ops.insert_postings(tenant, ledger, texts -> ledger);
  end loop;
end
$body$;

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

create or replace function context_ops.keep_statement(kept_as text, part jsonb, shape jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  begins    constant text := format('prepare %I(', kept_as);
  kept      text;
  statement text;
begin
  select p.statement into kept from pg_catalog.pg_prepared_statements p where p.name = kept_as;
  if found then
    if starts_with(substr(kept, 69), begins)
      and substr(kept, 3, 64) = context_sealed.seal_of(substr(kept, 69)) then return; end if;
    execute format('deallocate %I', kept_as);
  end if;
  perform context_ops.make_room();
  -- The vector as what it is: as text it was read anew wherever the statement names it (0.3 ms
  -- each).
  statement := begins || 'pg_catalog.text, pg_catalog.uuid[], pg_catalog.int8[],'
    || ' pg_catalog.timestamptz, pg_catalog.int4, pg_catalog.uuid[], '
    || coalesce(context_ops.vector_type(shape ->> 'space'), 'pg_catalog.text')
    || ', pg_catalog.uuid[], pg_catalog.int8[], pg_catalog.int4, pg_catalog.uuid[],'
    || ' pg_catalog.text[],'
    || ' pg_catalog.text[], pg_catalog.float8[], pg_catalog.int4[], pg_catalog.float8[]) as '
    || context_ops.statement_of(part, shape);
  execute '/*' || context_sealed.seal_of(statement) || '*/' || statement;
end
$body$;

-- As before; a gram weighs a quarter of a term, and the mean lengths are those of turns and of
-- documents.
drop function context_ops.weigh_terms(text, text, uuid[], text[], integer);
create function context_ops.weigh_terms(tenant text, ledger text, scopes uuid[], asked text[], most_read integer, out lexicon json, out in_scopes uuid[], out terms text[],
    out weights float8[], out after integer[], out mean_lengths float8[], out unread float8)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $body$
declare
  documents bigint;
begin
  select coalesce(sum(l.documents), 0), array[
      coalesce(sum(l.total_length - l.document_length)::float8
        / nullif(sum(l.documents - l.document_count), 0), 0),
      coalesce(sum(l.document_length)::float8 / nullif(sum(l.document_count), 0), 0)]
    into documents, mean_lengths
    from context_ops.lexicons l where l.tenant_id = tenant and l.owner_table = ledger
      and l.scope_uuid = any (scopes);
  with found as materialized (
      select s.scope, t.term, p.nth from unnest(scopes) s(scope) cross join unnest(asked) t(term) cross join lateral (
        select p.nth from context_ops.postings p where p.tenant_id = tenant and p.scope_uuid = s.scope and p.owner_table = ledger and p.term = t.term
        order by p.nth desc limit 1) p),
    counted as materialized (
      select t.term, coalesce(sum(f.nth), 0)::bigint as df from unnest(asked) t(term) left join found f on f.term = t.term group by t.term),
    chosen as materialized (
      select c.term, c.df, case when starts_with(c.term, '~') then 0.25::float8 else 1 end
          * ln(1 + (documents - c.df + 0.5::float8) / (c.df + 0.5::float8)) as idf,
        sum(c.df) over (order by c.df = 0, c.df, c.term collate "C") <= most_read or row_number() over (order by c.df = 0, c.df, c.term collate "C") <= 2 as is_read
      from counted c order by c.df = 0, c.df, c.term collate "C" limit 48),
    told as (
      select c.term, f.scope, f.nth, c.idf / (select sum(k.idf) from chosen k) as weight from chosen c join found f on f.term = c.term where c.is_read)
  select array_agg(k.scope), array_agg(k.term), array_agg(k.weight), array_agg(greatest(0, k.nth - most_read)),
      (select json_build_object('documents', documents, 'mean_length', mean_lengths[1],
        'mean_document_length', mean_lengths[2], 'frequencies', coalesce(json_object_agg(c.term, c.df), '{}')) from counted c),
      (select coalesce(sum(u.idf), 0) / greatest(1e-9::float8, (select sum(c.idf) from chosen c)) from chosen u where u.df > 0 and (not u.is_read
        or exists (select from told t where t.term = u.term and t.nth > most_read)))
    into in_scopes, terms, weights, after, lexicon, unread from told k;
end
$body$;

-- As before; `is_rebuilding`: rows of before the last change of the words still wait for theirs.
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
  is_rebuilding boolean;
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
    select null::json as lexicon, null::uuid[] as in_scopes, null::text[] as terms, null::float8[] as weights, null::integer[] as after, null::float8[] as mean_lengths,
      0::float8 as unread into words;
  end if;
  shape := (part - '{id,limit,vector,terms,scopes,from,after}'::text[]) || jsonb_build_object('words', words.terms is not null, 'space', emb, 'single', cardinality(scopes) = 1, 'counts', counts);
  is_rebuilding := part ? 'terms' and exists (select from context_ops.word_backlog b
    where b.tenant_id = tenant and b.scope_uuid = any (scopes) and b.done_seq < b.until_seq);
  if not context_ops.may_hit(part, tenant, scopes) then
    return json_build_object('id', part ->> 'id', 'columns', '[]'::json, 'hits', '[]'::json, 'lexicon', words.lexicon);
  end if;
  name := 'contextengine_4_' || md5(shape::text);
  loop
    if is_kept then
      perform context_ops.keep_statement(name, part, shape);
      execute format('execute %I(%L, %L, %L, %L, %s, %L, %L, %L, %L, %s, %L, %L, %L, %L, %L, %L)', name,
        tenant, scopes, heads, place ->> 'valid_at', most, words.in_scopes, vector, u_scopes, u_heads,
        coalesce(reach::text, 'null'), starts, after, words.terms, words.weights, words.after,
        words.mean_lengths) into answer;
    else
      execute context_ops.statement_of(part, shape) into answer using tenant, scopes, heads,
        (place ->> 'valid_at')::timestamptz, most, words.in_scopes, vector, u_scopes, u_heads, reach,
        starts, after, words.terms, words.weights, words.after, words.mean_lengths;
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
    'is_rebuilding', is_rebuilding,
    'is_cut', words.unread > 0 and (answer.worded < most or answer.worst < words.unread));
exception when others then
  return json_build_object('id', part ->> 'id', 'sqlstate', sqlstate, 'message', sqlerrm);
end
$body$;

revoke execute on function context_ops.word_rules(), context_ops.assert_rules(integer),
  context_ops.insert_postings(text, text, jsonb),
  context_ops.add_postings(text, text, jsonb, integer),
  context_ops.rebuild_postings(text, uuid, bigint[], jsonb, integer),
  context_ops.weigh_terms(text, text, uuid[], text[], integer) from public;
grant execute on function context_ops.word_rules(),
  context_ops.add_postings(text, text, jsonb, integer),
  context_ops.rebuild_postings(text, uuid, bigint[], jsonb, integer) to contextengine_app;
grant execute on function context_ops.weigh_terms(text, text, uuid[], text[], integer)
  to contextengine_search;

reset role;
