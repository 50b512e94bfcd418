-- Walls against the application role itself: what it can put in the way of a function that runs as
-- another role, and what it can write past the engine.
--
-- 1. Every function pins its search path, with pg_temp last: without that a temporary domain named
--    `text` is found before the type, and its check runs as the owner of the function.
-- 2. A kept statement is executed only if it carries a seal that only contextengine_search makes.
-- 3. Sequence numbers, the journal and the heads are bound to each other and to the transaction.

-- 3. The transaction that last moved a head, and from where. Rows, settlements and the journal may
-- use the numbers between `moved_from` and `head`, in that transaction alone. A head that is
-- inserted above 0 is that of a restored scope, whose rows bring their numbers, times and writers
-- with them.
set local role contextengine_owner;

alter table context_ops.scope_heads
  add column moved_by xid8,
  add column moved_from bigint not null default 0,
  add column usage_moved_by xid8,
  add column usage_moved_from bigint not null default 0,
  add column restored_by xid8,
  add constraint head_is_safe check (head < 9007199254740992 and usage_head < 9007199254740992
    and recorded_at < 'infinity') not valid;

create or replace function context_ops.check_head() returns trigger
  language plpgsql as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if tg_op = 'INSERT' then
    new.restored_by := case when new.head > 0 or new.usage_head > 0 then mine end;
    new.moved_by := new.restored_by;
    new.usage_moved_by := new.restored_by;
    new.moved_from := 0;
    new.usage_moved_from := 0;
    return new;
  end if;
  if new.head < old.head or new.usage_head < old.usage_head or new.recorded_at < old.recorded_at
    then
    raise exception 'The head of scope % does not go back', old.scope_uuid using errcode = 'CE001';
  end if;
  if new.head > old.head and old.moved_by is distinct from mine then
    new.moved_by := mine;
    new.moved_from := old.head;
  end if;
  if new.usage_head > old.usage_head and old.usage_moved_by is distinct from mine then
    new.usage_moved_by := mine;
    new.usage_moved_from := old.usage_head;
  end if;
  return new;
end
$body$;
drop trigger forward_only on context_ops.scope_heads;
create trigger forward_only before insert or update on context_ops.scope_heads
  for each row execute function context_ops.check_head();

-- A head moves in the statement that writes its journal or its usage events: one entry for each
-- number.
create function context_ops.check_advance() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
begin
  if exists (
    select from after n join before o on o.tenant_id = n.tenant_id and o.scope_uuid = n.scope_uuid
    where n.restored_by is distinct from pg_current_xact_id() and (
      n.head - o.head <> (select count(distinct j.seq) from context_ops.operations j
        where j.tenant_id = n.tenant_id and j.scope_uuid = n.scope_uuid
          and j.seq > o.head and j.seq <= n.head)
      or n.usage_head - o.usage_head <> (select count(*) from context_ops.usage_events u
        where u.tenant_id = n.tenant_id and u.scope_uuid = n.scope_uuid
          and u.usage_seq > o.usage_head and u.usage_seq <= n.usage_head))) then
    raise exception 'A head moves together with the entries of its numbers' using errcode = 'CE001';
  end if;
  return null;
end
$body$;
create trigger advance after update on context_ops.scope_heads
  referencing old table as before new table as after
  for each statement execute function context_ops.check_advance();

create function context_ops.check_journal() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if exists (
    select from fresh f left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
    where h.moved_by is distinct from mine or f.seq <= h.moved_from or f.seq > h.head
      or h.restored_by is distinct from mine and (f.ordinal <> 0 or f.recorded_at <> h.recorded_at
        or f.principal is distinct from current_setting('contextengine.principal', true))) then
    raise exception 'A journal entry has number, time and principal of its transaction'
      using errcode = 'CE001';
  end if;
  return null;
end
$body$;
create trigger of_this_transaction after insert on context_ops.operations
  referencing new table as fresh for each statement execute function context_ops.check_journal();

create function context_ops.check_usage() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
begin
  if exists (
    select from fresh f left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
    where h.usage_moved_by is distinct from pg_current_xact_id()
      or f.usage_seq <= h.usage_moved_from or f.usage_seq > h.usage_head) then
    raise exception 'A usage event has a number of its transaction' using errcode = 'CE001';
  end if;
  return null;
end
$body$;
create trigger of_this_transaction after insert on context_ops.usage_events
  referencing new table as fresh for each statement execute function context_ops.check_usage();

create function context_ops.check_settled() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if exists (
    select from (select n.tenant_id, n.scope_uuid, min(s.seq) as low, max(s.seq) as high
      from after n join before o on o.tenant_id = n.tenant_id and o.uuid = n.uuid
      cross join lateral (values (o.closed_seq, n.closed_seq), (o.retired_seq, n.retired_seq))
        s(was, seq)
      where s.seq is distinct from s.was group by n.tenant_id, n.scope_uuid) n
    left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = n.tenant_id and h.scope_uuid = n.scope_uuid limit 1) h on true
    where h.moved_by is distinct from mine or n.low <= h.moved_from or n.high > h.head) then
    raise exception 'A version of context.% is settled by no number of this transaction',
      tg_table_name
      using errcode = 'CE001';
  end if;
  return null;
end
$body$;

-- The same for the ledger. One function a table, so that each keeps its plans. A row arrives live,
-- with numbers of its transaction, and a root stays in one scope: a version elsewhere would take it
-- over.
do $ledger$
declare
  ledger text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format($function$
      create function context_ops.%2$I() returns trigger
        language plpgsql set plan_cache_mode = force_generic_plan as $body$
      declare
        mine constant xid8 := pg_current_xact_id();
      begin
        if exists (
          select from (select f.tenant_id, f.scope_uuid, min(f.recorded_seq) as low,
              max(greatest(f.recorded_seq, f.closed_seq, f.retired_seq)) as high,
              bool_and(f.status = 'live') as is_live
            from fresh f group by f.tenant_id, f.scope_uuid) f
          left join lateral (select h.* from context_ops.scope_heads h
            where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
          where h.moved_by is distinct from mine or f.low <= h.moved_from or f.high > h.head
            or not f.is_live) then
          raise exception 'A row of context.%1$s has no number of this transaction, or is not live'
            using errcode = 'CE001';
        end if;
        if exists (
          select from fresh f left join lateral (select h.* from context_ops.scope_heads h
            where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
          where f.uuid <> f.root_uuid and (
            exists (select from context.%1$I r where r.tenant_id = f.tenant_id
              and r.root_uuid = f.root_uuid and r.scope_uuid <> f.scope_uuid)
            or h.restored_by is distinct from mine and not exists (select from context.%1$I r
              where r.tenant_id = f.tenant_id and r.root_uuid = f.root_uuid and r.uuid <> f.uuid)))
                then
          raise exception 'A version of context.%1$s has no earlier version in its scope'
            using errcode = 'CE001';
        end if;
        return null;
      end
      $body$ $function$, ledger, 'check_fresh_' || ledger);
    execute format('create trigger of_this_transaction after insert on context.%I
      referencing new table as fresh for each statement execute function context_ops.%I()',
      ledger, 'check_fresh_' || ledger);
    execute format('create trigger settled_in_this_transaction after update on context.%I
      referencing old table as before new table as after
      for each statement execute function context_ops.check_settled()', ledger);
    -- Nothing of the engine sets a status; what suppresses and erases will be a sealed function.
    execute format('revoke update (status) on context.%I from contextengine_app', ledger);
  end loop;
end
$ledger$;

-- Postings and word counts are written by one function, as the owner: numbered without a gap, and
-- only for scopes whose head this transaction moved. Row-level security is forced on the owner as
-- well.
revoke insert on context_ops.postings, context_ops.lexicons from contextengine_app;
revoke update (documents, total_length) on context_ops.lexicons from contextengine_app;
revoke update on context_ops.embedding_progress from contextengine_app;
grant update (done_seq) on context_ops.embedding_progress to contextengine_app;

create function context_ops.assert_moved(tenant text, scopes uuid[]) returns void
  language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
begin
  if exists (select from unnest(scopes) s(scope) left join lateral (
      select h.moved_by from context_ops.scope_heads h
      where h.tenant_id = tenant and h.scope_uuid = s.scope limit 1) h on true
    where h.moved_by is distinct from pg_current_xact_id_if_assigned()) then
    raise exception 'This transaction did not move the head of the scope' using errcode = 'CE001';
  end if;
end
$body$;

create or replace function context_ops.add_postings(tenant text, ledger text,
  texts jsonb) returns void
  language plpgsql security definer set plan_cache_mode = force_generic_plan as $body$
begin
  perform context_ops.assert_moved(tenant, array(
    select distinct t.scope from jsonb_to_recordset(texts) t(scope uuid)));
  insert into context_ops.lexicons as l (tenant_id, scope_uuid, owner_table, documents,
    total_length)
    select tenant, t.scope, ledger, count(*), sum(t.length)
      from jsonb_to_recordset(texts) t(scope uuid, length bigint) group by t.scope order by t.scope
    on conflict (tenant_id, scope_uuid,
      owner_table) do update set documents = l.documents + excluded.documents,
        total_length = l.total_length + excluded.total_length;
  -- In the order of the index: a batch then goes to it, and a term's postings lie, side by side.
  insert into context_ops.postings (tenant_id, scope_uuid, owner_table, term, nth, owner_uuid, tf,
    length)
    with fresh as materialized (
      select t.scope, e.term collate "C" as term, t.uuid, e.times::integer as tf, t.length,
        row_number() over (partition by t.scope, e.term collate "C" order by t.ord) as place
      from rows from (jsonb_to_recordset(texts) as (scope uuid, uuid uuid, length integer,
        terms jsonb)) with ordinality t(scope, uuid, length, terms, ord),
        jsonb_each_text(t.terms) e(term, times)),
    last as materialized (
      select f.scope, f.term, coalesce((select p.nth from context_ops.postings p
        where p.tenant_id = tenant and p.scope_uuid = f.scope
        and p.owner_table = ledger and p.term = f.term order by p.nth desc limit 1), 0) as nth
      from fresh f where f.place = 1)
    select tenant, f.scope, ledger, f.term, l.nth + f.place, f.uuid, f.tf, f.length from fresh f
      join last l using (scope, term)
    order by f.scope, f.term, f.place;
end
$body$;

-- An artifact is found by the digest of what it holds: of a manifest its source, else the whole.
alter table context_ops.artifacts add constraint digest_is_true
  check (coalesce(digest = encode(sha256(
  convert_to(case kind when 'manifest' then content::json ->> 'source' else content end, 'UTF8')),
    'hex'),
  false)) not valid;

-- 2. What seals a kept statement. Nobody but contextengine_search can read it. (An embedded
-- database has that of the seed it was unpacked from; whoever holds its raw connection is a
-- superuser anyway.)
create schema context_sealed;
grant usage on schema context_sealed to contextengine_search;
create table context_sealed.seal (secret bytea not null);
insert into context_sealed.seal
  values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
grant select on context_sealed.seal to contextengine_search;
alter table context_sealed.seal enable row level security;
alter table context_sealed.seal force row level security;
create policy sealed on context_sealed.seal for select to contextengine_search using (true);

-- 64 hex digits.
create function context_sealed.seal_of(statement text) returns text
  language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
begin
  return (select encode(sha256(s.secret || sha256(s.secret || convert_to(statement, 'UTF8'))),
    'hex')
    from context_sealed.seal s);
end
$body$;

-- A part's statement is prepared under the digest of its shape and kept by the session: building
-- and planning it took 1 to 4 ms, more than most parts take to run (6,000 turns in PGlite: a list
-- 2.8 -> 1.6 ms, words and meaning with neighbours 25 -> 14 ms). The application role may prepare
-- statements under any name, and what is executed here runs as contextengine_search: so the text of
-- a kept statement begins with a seal over the rest of it, name and types included, and is executed
-- only if the seal is right. Types are named with their schema: those of a statement, unlike its
-- names, are not looked up again under this function's search path.
create function context_ops.keep_statement(kept_as text, part jsonb, shape jsonb) returns void
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
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
    || ' pg_catalog.text[], pg_catalog.float8[], pg_catalog.int4[], pg_catalog.float8) as '
    || context_ops.statement_of(part, shape);
  execute '/*' || context_sealed.seal_of(statement) || '*/' || statement;
end
$body$;

create or replace function context_ops.answer_part(part jsonb, place jsonb,
  vectors jsonb) returns json
  language plpgsql as $body$
declare
  tenant   constant text := place ->> 'tenant';
  most     constant integer := (part ->> 'limit')::integer;
  starts   constant uuid[] := case when part ? 'from'
    then array(select jsonb_array_elements_text(part -> 'from')::uuid) end;
  after    constant text[] := case when part ? 'after'
    then array(select jsonb_array_elements_text(part -> 'after')) end;
  counts   constant boolean := place ? 'usage';
  emb      text;
  vector   text;
  scopes   uuid[];
  heads    bigint[];
  u_scopes uuid[];
  u_heads  bigint[];
  reach    integer := 2 * (part ->> 'limit')::integer + 16;
  words    record;
  answer   record;
  is_kept  constant boolean := coalesce(length((part -> 'filter')::text), 0) <= 1000;
  shape    jsonb;
  name     text;
  statement text;
begin
  select array_agg(p.scope order by p.ord), array_agg(p.head order by p.ord) into scopes, heads
    from unnest(array(select jsonb_array_elements_text(place -> 'scopes')::uuid),
      array(select jsonb_array_elements_text(place -> 'heads')::bigint)) with ordinality p(scope,
        head, ord)
    where not part ? 'scopes' or part -> 'scopes' ? p.scope::text;
  if scopes is null then return json_build_object('id', part ->> 'id', 'columns', '[]'::json,
    'hits', '[]'::json); end if;
  if part ? 'vector' then
    emb := context_ops.space_table(part #>> '{vector,space}');
    vector := vectors ->> (part #>> '{vector,index}')::integer;
    if to_regclass('context_ops.' || emb) is null then
      raise exception 'No vectors of `%` are stored', left(part #>> '{vector,space}',
        200) using errcode = 'CE003';
    end if;
  end if;
  if counts then
    u_scopes := array(select jsonb_array_elements_text(place #> '{usage,scopes}')::uuid);
    u_heads := array(select jsonb_array_elements_text(place #> '{usage,heads}')::bigint);
  end if;
  if part ? 'terms' then
    select * into words from context_ops.weigh_terms(tenant, part ->> 'table', scopes,
      array(select jsonb_array_elements_text(part -> 'terms')));
  else
    select null::json as lexicon, null::uuid[] as in_scopes, null::text[] as terms, null::float8[]
      as weights, null::integer[] as after, null::float8 as mean_length,
      false as is_partial into words;
  end if;
  shape := (part - '{id,limit,vector,terms,scopes,from,after}'::text[])
    || jsonb_build_object('words', words.terms is not null, 'space', emb, 'single',
      cardinality(scopes) = 1, 'counts', counts);
  if not context_ops.may_hit(part, tenant, scopes) then
    return json_build_object('id', part ->> 'id', 'columns', '[]'::json, 'hits', '[]'::json,
      'lexicon', words.lexicon);
  end if;
  name := 'contextengine_2_' || md5(shape::text);
  loop
    if is_kept then
      perform context_ops.keep_statement(name, part, shape);
      execute format('execute %I(%L, %L, %L, %L, %s, %L, %L, %L, %L, %s, %L, %L, %L, %L, %L, %L)',
        name,
        tenant, scopes, heads, place ->> 'valid_at', most, words.in_scopes, vector, u_scopes,
          u_heads,
        coalesce(reach::text, 'null'), starts, after, words.terms, words.weights, words.after,
        words.mean_length) into answer;
    else
      execute context_ops.statement_of(part, shape) into answer using tenant, scopes, heads,
        (place ->> 'valid_at')::timestamptz, most, words.in_scopes, vector, u_scopes, u_heads,
          reach,
        starts, after, words.terms, words.weights, words.after, words.mean_length;
    end if;
    exit when coalesce(answer.is_enough, true);
    -- Each row looked at costs a descent (64 instead of 160 rows: 0.6 to 1.8 ms less, p10 on a busy
    -- machine); each more run costs all of the search.
    reach := case when reach < 8 * most then 8 * most + 64 end;
  end loop;
  return json_build_object('id', part ->> 'id', 'columns',
    array(select jsonb_object_keys(context_ops.columns_of(part ->> 'table'))), 'hits', answer.hits,
    'beside', answer.beside, 'lexicon', words.lexicon, 'is_partial', words.is_partial);
exception when others then
  return json_build_object('id', part ->> 'id', 'sqlstate', sqlstate, 'message', sqlerrm);
end
$body$;

-- Both operators that the search names are pgvector's, which is not in its search path.
do $operators$
begin
  execute replace(pg_get_functiondef(
    'context_ops.search_sql(jsonb, text, text, text, boolean, text)'::regprocedure),
    '<=>', 'operator(public.<=>)');
end
$operators$;

create or replace function context_ops.ensure_space(space text, dimensions integer,
  vector_type text) returns void
  language plpgsql security definer as $body$
declare
  target constant text := context_ops.space_table(space);
begin
  if to_regclass('context_ops.' || target) is not null then return; end if;
  if vector_type not in ('vector', 'halfvec') or dimensions not between 1
    and 4000 or space !~ ('^[^/]+/.+/' || dimensions || '$') or length(space) > 200 then
    raise exception 'No embedding space is called `%` with % dimensions of %', left(space, 200),
      dimensions, vector_type using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('contextengine.' || target, 0));
  if to_regclass('context_ops.' || target) is not null then return; end if;
  execute format('create table context_ops.%I (
    tenant_id   text not null,
    owner_uuid  uuid not null,
    origin      text not null check (origin in (''content'', ''question'', ''window'')),
    ordinal     integer not null check (ordinal >= 0),
    scope_uuid  uuid not null,
    owner_table text not null check (owner_table in (''blocks'', ''memory_open_set'',
      ''subtree_summaries'')),
    embedding   %s(%s) not null,
    primary key (tenant_id, owner_uuid, origin,
      ordinal))', target, 'public.' || vector_type, dimensions);
  execute format('comment on table context_ops.%I is %L', target, space);
  execute format('create index %I on context_ops.%I (tenant_id, scope_uuid, owner_table)', target
    || '_scope', target);
  execute format('grant select, insert on context_ops.%I to contextengine_app', target);
  execute format('grant select on context_ops.%I to contextengine_search', target);
  perform context_ops.seal_table(to_regclass('context_ops.' || target), true);
end
$body$;

-- 1. Bodies that are parsed when they are made (`return`, `begin atomic`) have no path to pin. The
-- law is held by test/attack/functions.test.ts.
do $pins$
declare
  target record;
begin
  for target in
    select p.oid::regprocedure as name, p.proname from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('context', 'context_ops', 'context_sealed') and p.prosqlbody is null
  loop
    execute format('alter function %s set search_path = pg_catalog, pg_temp', target.name);
    -- What the session may have set to anything: how times and numbers are read and written.
    if target.proname in ('search', 'resolve', 'lock_scopes') then
      execute format('alter function %s set timezone = ''UTC''', target.name);
      execute format('alter function %s set extra_float_digits = 1', target.name);
      execute format('alter function %s set jit = off', target.name);
    end if;
  end loop;
end
$pins$;
alter function context_ops.lock_scopes(text, jsonb, jsonb, jsonb)
  set plan_cache_mode = force_generic_plan;

revoke execute on all functions in schema context, context_ops, context_sealed from public;
grant execute on function context_ops.keep_statement(text, jsonb, jsonb),
  context_sealed.seal_of(text) to contextengine_search;
reset role;

-- Temporary objects and objects in `public` are what an attack on a search path is made of; the
-- engine needs neither. Taken from PUBLIC, because nothing can be taken from one role that
-- everybody has; the logins that are there keep what they had. Only an owner may: the engine's
-- health says what is left.
do $rights$
declare
  other record;
begin
  for other in select r.rolname,
      has_database_privilege(r.oid, current_database(), 'temporary') as has_temporary,
      has_schema_privilege(r.oid, 'public', 'create') as has_create
    from pg_roles r where r.rolcanlogin and not r.rolsuper
      and not pg_has_role(r.oid, 'contextengine_app', 'member')
  loop
    if other.has_temporary then
      execute format('grant temporary on database %I to %I', current_database(), other.rolname);
    end if;
    if other.has_create then
      execute format('grant create on schema public to %I', other.rolname);
    end if;
  end loop;
  execute format('revoke temporary on database %I from public', current_database());
  revoke create on schema public from public;
exception when insufficient_privilege then
  raise notice 'TEMP on the database or CREATE on public stays with PUBLIC: the owner may take it';
end
$rights$;
