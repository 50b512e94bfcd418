-- The words of the texts: one posting for each term of each text, written with the row (src/model/terms.ts makes the terms, at write and query
-- alike). They take the place of the tsvector columns, which know no document frequencies.

set local role contextengine_owner;

drop index context.blocks_search, context.memory_open_set_search, context.subtree_summaries_search;
alter table context.blocks drop column fts;
alter table context.memory_open_set drop column fts;
alter table context.subtree_summaries drop column fts;
drop function context.text_index(text);

-- Containment alone; as before, the tenant and scope entries are kept once, and nothing waits in a pending list.
create index blocks_search on context.blocks using gin (tenant_id, scope_uuid, tags, metadata jsonb_path_ops) with (fastupdate = off);
create index memory_open_set_search on context.memory_open_set using gin (tenant_id, scope_uuid, tags, metadata jsonb_path_ops) with (fastupdate = off);

-- The neighbours of a turn are index descents, however many conversations stand in its scope.
create index blocks_conversation on context.blocks
  (tenant_id, scope_uuid, block_type, coalesce(parent_uuid, '00000000-0000-0000-0000-000000000000'), occurred_at, recorded_seq, uuid);

-- `nth` counts the postings of a term in a table of a scope, under the scope's lock: the last one is the document frequency, one descent away,
-- and no counter is ever rewritten. Measured on 6,000 turns (71,000 postings) in PGlite against a row per text with an array of terms, GIN and a
-- table of frequencies: 12 instead of 3 MB and 0.9 instead of 0.7 s to write (the tsvectors: 0.7 s), but 2.3 instead of 5.7 ms to rank.
create table context_ops.postings (
  tenant_id   text collate "C" not null,
  scope_uuid  uuid not null,
  owner_table text collate "C" not null check (owner_table in ('blocks', 'memory_open_set', 'subtree_summaries')),
  term        text collate "C" not null,
  nth         integer not null check (nth > 0),
  owner_uuid  uuid not null,
  tf          integer not null check (tf > 0),
  length      integer not null check (length > 0),
  primary key (tenant_id, scope_uuid, owner_table, term, nth)
);

-- How many texts have terms, and how many they have in all.
create table context_ops.lexicons (
  tenant_id    text collate "C" not null,
  scope_uuid   uuid not null,
  owner_table  text collate "C" not null,
  documents    bigint not null,
  total_length bigint not null,
  primary key (tenant_id, scope_uuid, owner_table)
);

grant select, insert on context_ops.postings to contextengine_app;
grant select, insert, update (documents, total_length) on context_ops.lexicons to contextengine_app;
grant select on context_ops.postings, context_ops.lexicons to contextengine_search;
select context_ops.seal_table('context_ops.postings', true), context_ops.seal_table('context_ops.lexicons', true);

-- Texts as [{"scope", "uuid", "length", "terms": {term: times}}], in the order of writing. Runs under the locks of their scopes.
create function context_ops.add_postings(tenant text, ledger text, texts jsonb) returns void
  language plpgsql as $body$
begin
  insert into context_ops.lexicons as l (tenant_id, scope_uuid, owner_table, documents, total_length)
    select tenant, t.scope, ledger, count(*), sum(t.length) from jsonb_to_recordset(texts) t(scope uuid, length bigint) group by t.scope order by t.scope
    on conflict (tenant_id, scope_uuid, owner_table) do update set documents = l.documents + excluded.documents, total_length = l.total_length + excluded.total_length;
  -- In the order of the index: a batch then goes to it, and a term's postings lie, side by side.
  insert into context_ops.postings (tenant_id, scope_uuid, owner_table, term, nth, owner_uuid, tf, length)
    with fresh as materialized (
      select t.scope, e.term collate "C" as term, t.uuid, e.times::integer as tf, t.length, row_number() over (partition by t.scope, e.term collate "C" order by t.ord) as place
      from rows from (jsonb_to_recordset(texts) as (scope uuid, uuid uuid, length integer, terms jsonb)) with ordinality t(scope, uuid, length, terms, ord),
        jsonb_each_text(t.terms) e(term, times)),
    last as materialized (
      select f.scope, f.term, coalesce((select p.nth from context_ops.postings p where p.tenant_id = tenant and p.scope_uuid = f.scope
        and p.owner_table = ledger and p.term = f.term order by p.nth desc limit 1), 0) as nth
      from fresh f where f.place = 1)
    select tenant, f.scope, ledger, f.term, l.nth + f.place, f.uuid, f.tf, f.length from fresh f join last l using (scope, term)
    order by f.scope, f.term, f.place;
end
$body$;

-- What a query's terms weigh in these scopes, and from where on their postings are read. Rare terms first: reading stops where the postings come
-- to 3,000 (PGlite: 1 us each), at two terms at the earliest, and of no term more than its last 3,000 are read; so a common word never makes a
-- search read the store. `is_partial` says that something was left out. The arithmetic is src/model/bm25.ts's.
create function context_ops.weigh_terms(tenant text, ledger text, scopes uuid[], asked text[], out lexicon json, out in_scopes uuid[], out terms text[],
    out weights float8[], out after integer[], out mean_length float8, out is_partial boolean)
  language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
declare
  most_read constant integer := 3000;
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
      exists (select from chosen c where c.df > 0 and not c.is_read) or coalesce(bool_or(k.nth > most_read), false)
    into in_scopes, terms, weights, after, lexicon, is_partial from told k;
end
$body$;

revoke execute on function context_ops.add_postings(text, text, jsonb), context_ops.weigh_terms(text, text, uuid[], text[]) from public;
grant execute on function context_ops.add_postings(text, text, jsonb) to contextengine_app;
grant execute on function context_ops.weigh_terms(text, text, uuid[], text[]) to contextengine_search;

reset role;
