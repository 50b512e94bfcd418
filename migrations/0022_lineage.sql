-- Lineage by version, and its barrier.
--
-- 1. A `derived_from` link leads from the version that was derived, to a version or to a range of
--    blocks of a scope. A version with a shorter or restored interval of another names it
--    (`recut_of`) and shares its lineage, in both directions.
-- 2. What derives from a version that fell is withdrawn by one function: the closure as a recursive
--    query, one update per table, one journal entry for each row that names the operation.
set local role contextengine_owner;

alter table context.context_links
  add column from_seq bigint,
  add column to_seq bigint,
  add column seen_seq bigint;
alter table context_ops.operations add column caused_by uuid;
create index operations_caused on context_ops.operations (tenant_id, caused_by)
  where caused_by is not null;
create index links_of_ranges on context.context_links (tenant_id, to_uuid, from_seq)
  where from_seq is not null;

-- Which version was cut from which, over all tables: the closure asks for both directions, and
-- would otherwise look into five tables for each.
alter table context_ops.row_ids add column recut_of uuid;
create index row_ids_recuts on context_ops.row_ids (tenant_id, recut_of) where recut_of is not null;

do $ledger$
declare
  ledger text;
  frozen text;
begin
  alter table context_ops.row_ids no force row level security;
  alter table context_ops.operations no force row level security;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('alter table context.%I add column recut_of uuid', ledger);
    execute format('alter table context.%I no force row level security', ledger);
    execute format('alter table context.%I disable trigger user', ledger);
  end loop;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed'] loop
    -- The version that came with the link: versions of one root that came at one number begin at
    -- different times.
    execute format('update context.context_links l set from_uuid = v.uuid from context.%I v
      where l.link_type = ''derived_from'' and v.tenant_id = l.tenant_id
        and v.root_uuid = l.from_uuid and v.scope_uuid = l.scope_uuid
        and v.recorded_seq = l.recorded_seq and v.valid_from = l.valid_from
        and v.uuid <> l.from_uuid', ledger);
    -- A re-cut came at the number at which the longer version was closed or retired, lies within
    -- it, and is not what the operation brought. Without a journal, it says the same.
    execute format($recuts$
      update context.%1$I p set recut_of = w.uuid from context.%1$I w
      where p.uuid <> p.root_uuid and w.tenant_id = p.tenant_id and w.root_uuid = p.root_uuid
        and w.scope_uuid = p.scope_uuid and w.recorded_seq < p.recorded_seq
        and (w.closed_seq = p.recorded_seq
          or w.retired_seq = p.recorded_seq and w.cause in ('change', 'merge'))
        and w.valid_from <= p.valid_from
        and (w.valid_until is null or w.closed_seq = p.recorded_seq
          or p.valid_until <= w.valid_until and p.closed_seq is null)
        and not exists (select from context_ops.operations o where o.tenant_id = p.tenant_id
          and o.scope_uuid = p.scope_uuid and o.seq = p.recorded_seq and o.uuid = p.uuid
          and o.operation <> 'RESTORE')
        and (exists (select from context_ops.operations o where o.tenant_id = p.tenant_id
            and o.scope_uuid = p.scope_uuid and o.seq = p.recorded_seq
            and o.operation <> 'RESTORE')
          or to_jsonb(p) - array[%2$s] = to_jsonb(w) - array[%2$s])$recuts$, ledger,
      $$'uuid', 'valid_from', 'valid_until', 'closed_seq', 'recorded_seq', 'retired_seq',
        'superseded_by', 'cause', 'status', 'operation', 'recut_of'$$);
    execute format('update context_ops.row_ids k set recut_of = r.recut_of from context.%I r
      where r.recut_of is not null and k.tenant_id = r.tenant_id and k.uuid = r.uuid', ledger);
  end loop;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('alter table context.%I enable trigger user', ledger);
    execute format('alter table context.%I force row level security', ledger);
    select string_agg(quote_ident(attname), ', ') into frozen from pg_attribute
      where attrelid = format('context.%I', ledger)::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in
          ('valid_until', 'closed_seq', 'retired_seq', 'superseded_by', 'cause', 'status');
    execute format('drop trigger frozen_columns on context.%I', ledger);
    execute format('create trigger frozen_columns before update of %s on context.%I
      for each row execute function context_ops.refuse_rewrite()', frozen, ledger);
    -- As in 0011_one_id, with what each was cut from.
    execute replace(replace(
      pg_get_functiondef(('context_ops.check_ids_' || ledger || '()')::regprocedure),
      'row_ids (tenant_id, uuid)', 'row_ids (tenant_id, uuid, recut_of)'),
      'select f.tenant_id, f.uuid from', 'select f.tenant_id, f.uuid, f.recut_of from');
    if position('f.recut_of' in
      pg_get_functiondef(('context_ops.check_ids_' || ledger || '()')::regprocedure)) = 0 then
      raise exception 'check_ids_% is not as 0011_one_id left it', ledger;
    end if;
  end loop;
  alter table context_ops.row_ids force row level security;
  alter table context_ops.operations force row level security;
end
$ledger$;

alter table context.context_links add constraint range_is_whole check (
  case when from_seq is null then to_seq is null and seen_seq is null
    else link_type = 'derived_from' and from_seq >= 1 and to_seq >= from_seq
      and seen_seq >= to_seq end) not valid;

-- Columns that are read.
do $columns$
declare
  was text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.columns_of(text)'::regprocedure);
  now_is := replace(replace(was, '"operation":"text"}''', '"operation":"text","recut_of":"uuid"}'''),
    '"metadata":"jsonb"}''::jsonb;
  else',
    '"metadata":"jsonb","from_seq":"bigint","to_seq":"bigint","seen_seq":"bigint"}''::jsonb;
  else');
  if position('recut_of' in now_is) = 0 or position('seen_seq' in now_is) = 0 then
    raise exception 'columns_of is not as 0016_quick_calls left it';
  end if;
  execute now_is;
  was := pg_get_functiondef('context.resolve(text, jsonb)'::regprocedure);
  now_is := replace(was, 'r.operation, r.parent_uuid', 'r.operation, r.recut_of, r.parent_uuid');
  if now_is = was then raise exception 'resolve is not as 0016_quick_calls left it'; end if;
  execute now_is;
  -- Statements that a session kept read the columns of before.
  was := pg_get_functiondef('context_ops.answer_part(jsonb, jsonb, jsonb)'::regprocedure);
  now_is := replace(was, '''contextengine_4_''', '''contextengine_5_''');
  if now_is = was then raise exception 'answer_part is not as 0014_words left it'; end if;
  execute now_is;
end
$columns$;

-- As in 0008_walls; entries of what an operation withdrew stand beside its own.
create or replace function context_ops.check_journal() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if exists (
    select from fresh f left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
    where h.moved_by is distinct from mine or f.seq <= h.moved_from or f.seq > h.head
      or h.restored_by is distinct from mine and (
        f.ordinal <> 0 and (f.operation <> 'CASCADE' or f.caused_by is null)
        or f.recorded_at <> h.recorded_at
        or f.principal is distinct from current_setting('contextengine.principal', true))) then
    raise exception 'A journal entry has number, time and principal of its transaction'
      using errcode = 'CE001';
  end if;
  return null;
end
$body$;

-- Its plan is kept, and joins what the statement changed with what that was before: a nested loop,
-- chosen while few rows changed, took minutes for 100,000.
alter function context_ops.check_settled() set enable_nestloop = off;

-- A row that is settled gets a new entry in every index of its table. In the index of words and tags
-- each entry took longer than all the rest (100,000 rows: 10 of 15 s, measured); from a list of
-- 64 kB they go there in one order. A search that reads this index reads at most that much more.
alter index context.blocks_search set (fastupdate = on, gin_pending_list_limit = 64);
alter index context.memory_open_set_search set (fastupdate = on, gin_pending_list_limit = 64);

-- All versions that are wrong if these are: each, the longer ones that it was cut from (what
-- derives from them derives from it), what derives from either, and the parts of that. `falls`:
-- whether the version itself is meant, or only what derives from it.
create function context_ops.closure_of(tenant text, fallen uuid[]) returns uuid[]
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (with recursive walk(uuid, falls) as (
    select f.uuid, true from unnest(fallen) f(uuid)
    union
    select e.uuid, e.falls from walk w cross join lateral (
      select k.recut_of as uuid, false as falls from context_ops.row_ids k
        where k.tenant_id = tenant and k.uuid = w.uuid and k.recut_of is not null
      union all
      select k.uuid, true from context_ops.row_ids k
        where w.falls and k.tenant_id = tenant and k.recut_of = w.uuid
      union all
      select l.from_uuid, true from context.context_links l
        where l.tenant_id = tenant and l.to_uuid = w.uuid and l.link_type = 'derived_from'
          and l.from_seq is null
      union all
      select l.from_uuid, true from context.blocks b join context.context_links l
          on l.tenant_id = tenant and l.to_uuid = b.scope_uuid and l.from_seq is not null
            and l.from_seq <= b.recorded_seq
        where b.tenant_id = tenant and b.uuid = w.uuid and not b.is_scope
          and b.recorded_seq <= l.to_seq
          and (b.retired_seq is null or b.retired_seq > l.seen_seq)) e)
    select coalesce(array_agg(distinct w.uuid), '{}') from walk w where w.falls);
end
$body$;

-- Forgetting takes the same closure, by version.
do $forget$
declare
  was    constant text := pg_get_functiondef(
    'context_ops.name_redacted(text, uuid, jsonb)'::regprocedure);
  now_is constant text := regexp_replace(was, 'below  constant text := ''[^;]*'';',
    'below  constant text := ''r.uuid = any ((select context_ops.closure_of($1, array('
    || 'select d.uuid from context_ops.redacted d where d.tenant_id = $1 '
    || 'and d.redaction_uuid = %L::uuid)))::uuid[])'';');
begin
  if now_is = was then raise exception 'name_redacted is not as 0019_forget left it'; end if;
  execute now_is;
end
$forget$;
grant execute on function context_ops.closure_of(text, uuid[]) to contextengine_eraser;

-- The barrier: withdraws every believed descendant of versions that this transaction retired or
-- suppressed, in the transaction, whatever the depth, across scopes. The caller holds the heads of
-- `held` FOR UPDATE and has moved that of the operation's own scope.
--
--   cause    scope, seq, operation_id, recorded_at, principal, on_behalf_of, writer,
--            manifest_digest, decision: of the operation. Its own scope takes the entries at
--            `seq`; every other scope draws one number.
--   watched  versions of which the caller wants to know whether they fell
--
-- Gives { further: [scopes] }, and nothing is done, where a descendant is in a scope that is not
-- held: lock it too, in the order of scopes, and begin again. Else { heads: [{scope, head}],
-- withdrawn: n, watched: [{uuid, seq}] }.
create function context_ops.withdraw_descendants(tenant text, fallen jsonb, cause jsonb, held jsonb,
  watched jsonb) returns jsonb
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  own      constant uuid := (cause ->> 'scope')::uuid;
  own_seq  constant bigint := (cause ->> 'seq')::bigint;
  ledgers  constant text[] := array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'];
  seeds    constant uuid[] := array(select jsonb_array_elements_text(fallen)::uuid);
  closure  uuid[] := context_ops.closure_of(tenant, seeds);
  ledger   text;
  found    record;
  uuids    uuid[] := '{}';
  roots    uuid[] := '{}';
  scopes   uuid[] := '{}';
  tables   text[] := '{}';
  others   uuid[];
  further  uuid[];
  heads    jsonb;
begin
  foreach ledger in array ledgers loop
    execute format('select coalesce(array_agg(r.uuid), ''{}'') as uuids,
        coalesce(array_agg(r.root_uuid), ''{}'') as roots,
        coalesce(array_agg(r.scope_uuid), ''{}'') as scopes
      from context.%I r where r.tenant_id = $1 and r.uuid = any ($2) and r.retired_seq is null
        and r.status = ''live''', ledger) into found using tenant, closure;
    uuids := uuids || found.uuids;
    roots := roots || found.roots;
    scopes := scopes || found.scopes;
    tables := tables || array_fill(ledger, array[cardinality(found.uuids)]);
  end loop;
  if cardinality(uuids) = 0 then
    return jsonb_build_object('heads', '[]'::jsonb, 'withdrawn', 0, 'watched', '[]'::jsonb);
  end if;
  others := array(select distinct s from unnest(scopes) s where s <> own order by s);
  further := array(select s from unnest(others) s where not held ? s::text);
  if cardinality(further) > 0 then
    return jsonb_build_object('further', to_jsonb(further));
  end if;
  with moved as (
      update context_ops.scope_heads h set head = h.head + 1,
        recorded_at = greatest(h.recorded_at, (cause ->> 'recorded_at')::timestamptz)
      where h.tenant_id = tenant and h.scope_uuid = any (others)
      returning h.scope_uuid as scope, h.head, h.recorded_at),
    numbered as (
      select m.scope, m.head as seq, m.recorded_at, 0 as first from moved m
      union all
      select h.scope_uuid, own_seq, h.recorded_at, 1 from context_ops.scope_heads h
        where h.tenant_id = tenant and h.scope_uuid = own),
    journal as (
      insert into context_ops.operations (tenant_id, scope_uuid, seq, ordinal, operation_id,
        operation, table_name, uuid, root_uuid, outcome, embedding, principal, on_behalf_of,
        writer, manifest_digest, decision, caused_by, recorded_at)
      select tenant, v.scope, n.seq,
        n.first - 1 + row_number() over (partition by v.scope order by v.uuid), v.uuid, 'CASCADE',
        v.ledger, v.uuid, v.root, 'stored', 'none', cause ->> 'principal',
        cause ->> 'on_behalf_of', cause ->> 'writer', cause ->> 'manifest_digest',
        cause ->> 'decision', (cause ->> 'operation_id')::uuid, n.recorded_at
      from unnest(uuids, roots, scopes, tables) v(uuid, root, scope, ledger)
      join numbered n on n.scope = v.scope)
    select coalesce(jsonb_agg(jsonb_build_object('scope', m.scope, 'head', m.head)), '[]')
      into heads from moved m;
  foreach ledger in array ledgers loop
    continue when ledger <> all (tables);
    execute format('update context.%I r set retired_seq = k.seq, cause = ''cascade''
      from (select v.uuid, coalesce((h ->> ''head'')::bigint, $3) as seq
        from unnest($1, $4, $5) v(uuid, scope, ledger)
        left join jsonb_array_elements($6) h on (h ->> ''scope'')::uuid = v.scope
        where v.ledger = $7) k
      where r.tenant_id = $2 and r.uuid = k.uuid', ledger)
      using uuids, tenant, own_seq, scopes, tables, heads, ledger;
  end loop;
  return jsonb_build_object('heads', heads, 'withdrawn', cardinality(uuids),
    'watched', (select coalesce(jsonb_agg(jsonb_build_object('uuid', v.uuid,
        'seq', coalesce((h ->> 'head')::bigint, own_seq))), '[]')
      from jsonb_array_elements_text(watched) w join unnest(uuids, scopes) v(uuid, scope)
        on v.uuid = w::uuid
      left join jsonb_array_elements(heads) h on (h ->> 'scope')::uuid = v.scope));
end
$body$;

-- Those of the versions that something derives from: what falls without any needs no barrier.
create function context_ops.derived_from_any(tenant text, versions jsonb) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (select coalesce(jsonb_agg(v.uuid), '[]')
    from (select t::uuid as uuid from jsonb_array_elements_text(versions) t) v
    where exists (select from context.context_links l where l.tenant_id = tenant
        and l.to_uuid = v.uuid and l.link_type = 'derived_from')
      or exists (select from context.blocks b join context.context_links l
          on l.tenant_id = tenant and l.to_uuid = b.scope_uuid and l.from_seq is not null
            and l.from_seq <= b.recorded_seq
        where b.tenant_id = tenant and b.uuid = v.uuid and b.recorded_seq <= l.to_seq));
end
$body$;

-- For each range: whether it holds a block that is believed, none of it was retired since it was
-- read, and it ends at or before the head.
create function context_ops.standing_ranges(tenant text, ranges jsonb) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (select coalesce(jsonb_agg(
      coalesce(h.head >= greatest(a.to_seq, a.seen_seq), false)
      and exists (select from context.blocks b where b.tenant_id = tenant
        and b.scope_uuid = a.scope and b.recorded_seq between a.from_seq and a.to_seq
        and not b.is_scope and b.retired_seq is null and b.status = 'live')
      and not exists (select from context.blocks b where b.tenant_id = tenant
        and b.scope_uuid = a.scope and b.recorded_seq between a.from_seq and a.to_seq
        and not b.is_scope and b.retired_seq > a.seen_seq) order by a.ord), '[]')
    from (select (r ->> 'scope')::uuid as scope, (r ->> 'from_seq')::bigint as from_seq,
        (r ->> 'to_seq')::bigint as to_seq, (r ->> 'seen_seq')::bigint as seen_seq, ord
      from jsonb_array_elements(ranges) with ordinality x(r, ord)) a
    left join context_ops.scope_heads h on h.tenant_id = tenant and h.scope_uuid = a.scope);
end
$body$;

-- Which of `targets` each start derives from, or is: by version, through re-cuts and ranges.
-- `starts`: { id, uuid } or { id, scope, from_seq, to_seq }. Gives [[id, target], ...].
create function context_ops.targets_above(tenant text, starts jsonb, targets jsonb) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (with recursive up(id, uuid) as (
    select s ->> 'id', u.uuid from jsonb_array_elements(starts) s cross join lateral (
      select (s ->> 'uuid')::uuid as uuid where s ? 'uuid'
      union all
      select b.uuid from context.blocks b where not s ? 'uuid' and b.tenant_id = tenant
        and b.scope_uuid = (s ->> 'scope')::uuid and not b.is_scope and b.retired_seq is null
        and b.recorded_seq between (s ->> 'from_seq')::bigint and (s ->> 'to_seq')::bigint) u
    union
    select up.id, e.uuid from up cross join lateral (
      select k.recut_of as uuid from context_ops.row_ids k
        where k.tenant_id = tenant and k.uuid = up.uuid and k.recut_of is not null
      union all
      select l.to_uuid from context.context_links l where l.tenant_id = tenant
        and l.from_uuid = up.uuid and l.link_type = 'derived_from' and l.from_seq is null
      union all
      select b.uuid from context.context_links l join context.blocks b
          on b.tenant_id = tenant and b.scope_uuid = l.to_uuid
            and b.recorded_seq >= l.from_seq and b.recorded_seq <= l.to_seq
        where l.tenant_id = tenant and l.from_uuid = up.uuid and l.link_type = 'derived_from'
          and l.from_seq is not null and not b.is_scope
          and (b.retired_seq is null or b.retired_seq > l.seen_seq)) e)
    select coalesce(jsonb_agg(jsonb_build_array(up.id, up.uuid)), '[]') from up
      where up.uuid = any (array(select jsonb_array_elements_text(targets)::uuid)));
end
$body$;

revoke execute on function context_ops.closure_of(text, uuid[]),
  context_ops.withdraw_descendants(text, jsonb, jsonb, jsonb, jsonb),
  context_ops.derived_from_any(text, jsonb), context_ops.standing_ranges(text, jsonb),
  context_ops.targets_above(text, jsonb, jsonb) from public;
grant execute on function context_ops.closure_of(text, uuid[]),
  context_ops.withdraw_descendants(text, jsonb, jsonb, jsonb, jsonb),
  context_ops.derived_from_any(text, jsonb), context_ops.standing_ranges(text, jsonb),
  context_ops.targets_above(text, jsonb, jsonb) to contextengine_app;
reset role;
