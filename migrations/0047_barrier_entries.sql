-- The barrier, quicker again. 100,000 descendants, PostgreSQL 17, two cores, both versions in turn
-- on one server: 2.3 s of its CPU instead of 3.4, 47 MB of WAL instead of 66-72. What is left: 30 %
-- looks into indexes (each row is found twice, by its source and by its id), 13 % entries of the
-- journal's key.
--
-- 1. A tenant without re-cuts and ranges is walked down by one index.
-- 2. What fell is settled in the order of its ids, which the journal's numbers have too.
-- 3. Number, time and writer are read once, not from JSON for each row.
-- 4. Of the journal's three index entries for each row, one is left.
-- 5. The check behind the rows compares old with new ones only where it has to; the pattern of a
--    tenant's name is matched where its scopes are.
-- 6. A withdrawn version is 16 bytes longer than what it replaces: of 300,000 of the bench 17,644
--    had no room in the half of a page that was left free, and made entries in every index. With
--    55 % left free none did; the table is 6 % larger. Pages that are there stay as they are, as
--    in 0041_room_to_fall.
set local role contextengine_owner;

-- As in 0032_barrier. Where the tenant has neither re-cuts nor ranges, a step down is one look into
-- an index: the four branches of the other walk took a third of its time.
create or replace function context_ops.walk_down(tenant text, fallen uuid[])
  returns table (uuid uuid, falls boolean, scope uuid)
  language plpgsql stable rows 1000 set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $body$
declare
  has_recuts constant boolean := exists (select from context_ops.row_ids k
    where k.tenant_id = tenant and k.recut_of is not null);
  has_ranges constant boolean := exists (select from context.context_links l
    where l.tenant_id = tenant and l.from_seq is not null);
begin
  if not has_recuts and not has_ranges then
    return query with recursive walk(uuid, scope) as (
      select f.uuid, null::uuid from unnest(fallen) f(uuid)
      union
      select l.from_uuid, l.scope_uuid from walk w join context.context_links l
        on l.tenant_id = tenant and l.to_uuid = w.uuid and l.link_type = 'derived_from'
          and l.from_seq is null)
      select w.uuid, true, w.scope from walk w;
    return;
  end if;
  return query with recursive walk(uuid, falls, scope) as (
    select f.uuid, true, null::uuid from unnest(fallen) f(uuid)
    union
    select e.uuid, e.falls, e.scope from walk w cross join lateral (
      select l.from_uuid as uuid, true as falls, l.scope_uuid as scope from context.context_links l
        where l.tenant_id = tenant and l.to_uuid = w.uuid and l.link_type = 'derived_from'
          and l.from_seq is null
      union all
      select k.recut_of, false, null from context_ops.row_ids k
        where has_recuts and k.tenant_id = tenant and k.uuid = w.uuid and k.recut_of is not null
      union all
      select k.uuid, true, null from context_ops.row_ids k
        where has_recuts and w.falls and k.tenant_id = tenant and k.recut_of = w.uuid
      union all
      select l.from_uuid, true, l.scope_uuid from context.blocks b join context.context_links l
          on l.tenant_id = tenant and l.to_uuid = b.scope_uuid and l.from_seq is not null
            and l.from_seq <= b.recorded_seq
        where has_ranges and b.tenant_id = tenant and b.uuid = w.uuid and not b.is_scope
          and b.recorded_seq <= l.to_seq
          and (b.retired_seq is null or b.retired_seq > l.seen_seq)) e)
    select w.uuid, w.falls, w.scope from walk w;
end
$body$;

-- As in 0032_barrier; number and time of the scope that the cause is in are looked up once, what
-- all entries share is read from `cause` once. Where it gives { further: [scopes] }, the transaction
-- has to be rolled back.
create or replace function context_ops.withdraw_descendants(tenant text, fallen jsonb, cause jsonb,
  held jsonb, watched jsonb) returns jsonb
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  -- Each row by its key: a plan that was made while a table was small read it from end to end.
  set enable_hashjoin = off set enable_mergejoin = off as $body$
declare
  own      constant uuid := (cause ->> 'scope')::uuid;
  own_seq  constant bigint := (cause ->> 'seq')::bigint;
  causer   constant uuid := (cause ->> 'operation_id')::uuid;
  who      constant text := cause ->> 'principal';
  whose    constant text := cause ->> 'on_behalf_of';
  program  constant text := cause ->> 'writer';
  manifest constant text := cause ->> 'manifest_digest';
  decided  constant text := cause ->> 'decision';
  seeds    constant uuid[] := array(select jsonb_array_elements_text(fallen)::uuid);
  closure  uuid[];
  scopes   uuid[];
  further  uuid[];
  numbers  jsonb;
  times    jsonb;
  own_time timestamptz;
  answer   jsonb;
begin
  with w as materialized (select * from context_ops.walk_down(tenant, seeds))
    select array(select w.uuid from w where w.falls except select unnest(seeds) order by 1),
      array(select distinct w.scope from w) into closure, scopes;
  further := array(select s from unnest(scopes) s where not held ? s::text order by s);
  if cardinality(further) > 0 then
    return jsonb_build_object('further', to_jsonb(further));
  end if;
  -- By scope, not by a join: how many scopes there are is not known to a plan that is kept.
  select coalesce(jsonb_object_agg(h.scope_uuid,
        case h.scope_uuid when own then (cause ->> 'seq')::bigint else h.head + 1 end), '{}'),
      coalesce(jsonb_object_agg(h.scope_uuid, case h.scope_uuid when own then h.recorded_at
        else greatest(h.recorded_at, (cause ->> 'recorded_at')::timestamptz) end), '{}')
    into numbers, times from context_ops.scope_heads h
    where h.tenant_id = tenant
      and h.scope_uuid = any (array(select jsonb_array_elements_text(held)::uuid));
  own_time := (times ->> own::text)::timestamptz;
  with facts as (
      update context.memory_open_set r
        set retired_seq = case r.scope_uuid when own then own_seq
            else (numbers ->> r.scope_uuid::text)::bigint end, cause = 'cascade'
      from unnest(closure) v(uuid)
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and (r.scope_uuid = own or numbers ? r.scope_uuid::text)
      returning r.uuid, r.root_uuid, r.scope_uuid, r.retired_seq),
    no_facts as materialized (
      select v.uuid from unnest(closure) v(uuid)
        where (select count(*) from facts) < cardinality(closure)
      except select f.uuid from facts f),
    blocks as (
      update context.blocks r
        set retired_seq = case r.scope_uuid when own then own_seq
            else (numbers ->> r.scope_uuid::text)::bigint end, cause = 'cascade'
      from no_facts v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and (r.scope_uuid = own or numbers ? r.scope_uuid::text)
      returning r.uuid, r.root_uuid, r.scope_uuid, r.retired_seq),
    no_blocks as materialized (select v.uuid from no_facts v except select f.uuid from blocks f),
    summaries as (
      update context.subtree_summaries r
        set retired_seq = case r.scope_uuid when own then own_seq
            else (numbers ->> r.scope_uuid::text)::bigint end, cause = 'cascade'
      from no_blocks v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and (r.scope_uuid = own or numbers ? r.scope_uuid::text)
      returning r.uuid, r.root_uuid, r.scope_uuid, r.retired_seq),
    no_summaries as materialized (
      select v.uuid from no_blocks v except select f.uuid from summaries f),
    typed as (
      update context.memory_schema_typed r
        set retired_seq = case r.scope_uuid when own then own_seq
            else (numbers ->> r.scope_uuid::text)::bigint end, cause = 'cascade'
      from no_summaries v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and (r.scope_uuid = own or numbers ? r.scope_uuid::text)
      returning r.uuid, r.root_uuid, r.scope_uuid, r.retired_seq),
    no_typed as materialized (select v.uuid from no_summaries v except select f.uuid from typed f),
    links as (
      update context.context_links r
        set retired_seq = case r.scope_uuid when own then own_seq
            else (numbers ->> r.scope_uuid::text)::bigint end, cause = 'cascade'
      from no_typed v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and (r.scope_uuid = own or numbers ? r.scope_uuid::text)
      returning r.uuid, r.root_uuid, r.scope_uuid, r.retired_seq),
    -- Of what fell in no scope that is held: a re-cut has no link that names its scope.
    elsewhere as (
      select s.scope from context_ops.states_of(tenant,
          array(select v.uuid from no_typed v except select f.uuid from links f)) s
        where s.retired_seq is null and s.status = 'live' and not numbers ? s.scope::text),
    fell as materialized (
      select 'memory_open_set' as ledger, f.* from facts f
      union all select 'blocks', f.* from blocks f
      union all select 'subtree_summaries', f.* from summaries f
      union all select 'memory_schema_typed', f.* from typed f
      union all select 'context_links', f.* from links f),
    moved as (
      update context_ops.scope_heads h set head = h.head + 1,
        recorded_at = greatest(h.recorded_at, (cause ->> 'recorded_at')::timestamptz)
      where h.tenant_id = tenant and h.scope_uuid <> own
        and h.scope_uuid = any (array(select distinct f.scope_uuid from fell f))
      returning h.scope_uuid, h.head),
    journal as (
      insert into context_ops.operations (tenant_id, scope_uuid, seq, ordinal, operation_id,
        operation, table_name, uuid, root_uuid, outcome, embedding, principal, on_behalf_of,
        writer, manifest_digest, decision, caused_by, recorded_at)
      select tenant, f.scope_uuid, f.retired_seq,
        case f.scope_uuid when own then 0 else -1 end
          + row_number() over (partition by f.scope_uuid order by f.uuid), f.uuid, 'CASCADE',
        f.ledger, f.uuid, f.root_uuid, 'stored', 'none', who, whose, program, manifest, decided,
        causer, case f.scope_uuid when own then own_time
          else (times ->> f.scope_uuid::text)::timestamptz end
      from fell f)
    select jsonb_build_object(
        'further', (select jsonb_agg(distinct e.scope) from elsewhere e),
        'heads', (select coalesce(jsonb_agg(jsonb_build_object('scope', m.scope_uuid,
          'head', m.head)), '[]') from moved m),
        'withdrawn', (select count(*) from fell),
        'watched', (select coalesce(jsonb_agg(jsonb_build_object('uuid', f.uuid,
          'seq', f.retired_seq)), '[]')
          from fell f where f.uuid = any (array(select jsonb_array_elements_text(watched)::uuid))))
      into answer;
  return jsonb_strip_nulls(answer);
end
$body$;

-- As in 0008_walls. That every number of the new rows is of this transaction says enough; old rows
-- are compared with new ones only where one is not (a row that was settled before).
create or replace function context_ops.check_settled() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_nestloop = off
  set enable_mergejoin = off set enable_hashjoin = on as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if not exists (
    select from (select n.tenant_id, n.scope_uuid, min(least(n.closed_seq, n.retired_seq)) as low,
        max(greatest(n.closed_seq, n.retired_seq)) as high
      from after n group by n.tenant_id, n.scope_uuid) n
    left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = n.tenant_id and h.scope_uuid = n.scope_uuid limit 1) h on true
    where h.moved_by is distinct from mine or n.low <= h.moved_from or n.high > h.head) then
    return null;
  end if;
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

-- A tenant's name is checked where its numbers are (`scope_heads`), and a ledger takes no row of a
-- scope that has none (`of_this_transaction`). A pattern that is matched again with every version
-- that is settled was 6 % of a barrier.
do $constraints$
declare
  ledger text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('alter table context.%I drop constraint versioned_tenant_id_check', ledger);
    execute format('alter table context.%I add constraint versioned_tenant_id_check
      check (octet_length(tenant_id) between 1 and 63) not valid', ledger);
  end loop;
end
$constraints$;

-- Of all entries of one number, the first says its time and one says who caused them: 100,000
-- entries of a barrier are one in each of these indexes, not 100,000.
drop index context_ops.operations_time;
create index operations_time on context_ops.operations (tenant_id, scope_uuid, recorded_at, seq)
  where ordinal = 0;
drop index context_ops.operations_caused;
create index operations_caused on context_ops.operations (tenant_id, caused_by)
  where caused_by is not null and (operation <> 'CASCADE' or ordinal <= 1);

-- As in 0016_quick_calls, by the index above.
create or replace function context.resolve(tenant text, request jsonb)
  returns json
  language plpgsql
 set plan_cache_mode = 'force_generic_plan'
 set search_path = 'pg_catalog', 'pg_temp'
 set "TimeZone" = 'UTC'
 set extra_float_digits = '1'
 set jit = 'off'
as $body$
declare
  first_scope constant uuid := (request ->> 'scope')::uuid;
  known_at    constant timestamptz := (request ->> 'recorded_as_of')::timestamptz;
  max_depth   constant integer := (request ->> 'max_depth')::integer;
  max_scopes  constant integer := (request ->> 'max_scopes')::integer;
  closure     uuid[] := array[first_scope];
  depths      integer[] := array[0];
  frontier    uuid[] := array[first_scope];
  found       uuid[];
  is_cut      boolean := false;
  depth       integer := 0;
begin
  perform set_config('contextengine.tenant', tenant, true), set_config('contextengine.scopes', '*', true);
  loop
    select coalesce(array_agg(n.to_uuid order by n.place), '{}') into found from (
      select l.to_uuid, min(l.place) as place from (
        select k.to_uuid, row_number() over (order by array_position(frontier, k.from_uuid), k.ordinal, k.to_uuid) as place
        from context.context_links k where k.tenant_id = tenant and k.link_type = 'inherits' and k.from_uuid = any (frontier)
          and k.scope_uuid = k.from_uuid and k.status = 'live' and k.retired_seq is null
          and (k.valid_until is null or (k.closed_seq is null and k.valid_until > clock_timestamp()))) l
      where l.to_uuid <> all (closure) and exists (select from context.blocks b where b.tenant_id = tenant and b.root_uuid = l.to_uuid and b.status = 'live' and b.retired_seq is null)
      group by l.to_uuid) n;
    exit when cardinality(found) = 0;
    depth := depth + 1;
    if depth > max_depth then is_cut := true; exit; end if;
    if cardinality(closure) + cardinality(found) > max_scopes then
      is_cut := true;
      found := found[1 : max_scopes - cardinality(closure)];
    end if;
    closure := closure || found;
    depths := depths || array_fill(depth, array[cardinality(found)]);
    frontier := found;
    exit when is_cut;
  end loop;
  return json_build_object(
    'closure', (select coalesce(json_agg(json_build_object('scope', s.row, 'depth', c.depth,
        'recorded_at', case when isfinite(h.recorded_at) then h.recorded_at end,
        'head', case when known_at is null then coalesce(h.head, 0) else coalesce((select o.seq from context_ops.operations o
          where o.tenant_id = tenant and o.scope_uuid = c.scope and o.ordinal = 0
              and o.recorded_at <= known_at order by o.recorded_at desc, o.seq desc limit 1), 0) end,
        'usage_head', case when known_at is null then coalesce(h.usage_head, 0) else coalesce((select u.usage_seq from context_ops.usage_events u
          where u.tenant_id = tenant and u.scope_uuid = c.scope and u.recorded_at <= known_at order by u.recorded_at desc, u.usage_seq desc limit 1), 0) end) order by c.ord), '[]')
      from unnest(closure, depths) with ordinality c(scope, depth, ord)
      left join context_ops.scope_heads h on h.tenant_id = tenant and h.scope_uuid = c.scope
      cross join lateral (select (select row_to_json(x) from (select r.tenant_id, r.uuid, r.root_uuid, r.scope_uuid, r.valid_from, r.valid_until, r.closed_seq,
          r.recorded_seq, r.retired_seq, r.superseded_by, r.cause, r.status, r.operation, r.parent_uuid, r.block_type, r.is_scope, r.role, r.author,
          r.occurred_at, r.title, r.content, r.tags, r.metadata, r.provenance) x) as row from context.blocks r where r.tenant_id = tenant and r.root_uuid = c.scope and r.status = 'live' and r.retired_seq is null
        order by r.valid_from desc, r.recorded_seq desc limit 1) s),
    'is_cut', is_cut,
    'rights', (select coalesce(json_object_agg(g.principal, json_build_object('kind', g.kind, 'tiers', g.tiers, 'all', g.all_scopes, 'scopes', to_json(g.scopes), 'is_disabled', g.is_disabled)), '{}')
      from context_ops.principal_rights g where g.tenant_id = tenant and request -> 'principals' ? g.principal),
    'policy_epoch', coalesce((select e.epoch from context_ops.policy_epochs e where e.tenant_id = tenant), 0));
end
$body$;

-- As in 0029_undo, by the index above.
create or replace function context_ops.returning_of(tenant text, operation uuid, brought jsonb)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  fell     constant uuid[] := array(select o.uuid
    from (select distinct c.scope_uuid, c.seq from context_ops.operations c
      where c.tenant_id = tenant and c.caused_by = returning_of.operation
        and c.operation = 'CASCADE' and c.ordinal <= 1) p
    cross join lateral (select j.uuid from context_ops.operations j
      where j.tenant_id = tenant and j.scope_uuid = p.scope_uuid and j.seq = p.seq
        and j.caused_by = returning_of.operation and j.operation = 'CASCADE') o);
  below    constant uuid[] := context_ops.closure_of(tenant,
    fell || array(select jsonb_array_elements_text(brought)::uuid));
  all_down constant uuid[] := array(select s.uuid from context_ops.states_of(tenant, below) s
    where s.status = 'live' and s.cause = 'cascade'
      and not context_ops.is_replaced(tenant, s.uuid, s.retired_seq));
  first    constant jsonb := context_ops.standing_among(tenant, all_down);
  standing constant uuid[] := array(select jsonb_array_elements_text(first -> 'standing')::uuid);
  free     uuid[];
begin
  free := array(
    with s as materialized (select f.*, f.uuid = any (fell) as is_own
      from context_ops.states_of(tenant, standing) f)
    select s.uuid from s where s.is_own or not exists (
        select from s o where o.lane = s.lane and o.uuid <> s.uuid
          and (o.is_own or (o.retired_seq, o.uuid) > (s.retired_seq, s.uuid))
          and (s.valid_until is null or o.valid_from < s.valid_until)
          and (o.valid_until is null or s.valid_from < o.valid_until))
      and not context_ops.is_taken(tenant, s.ledger, s.uuid));
  return jsonb_build_object('scopes', first -> 'scopes', 'rows',
    case when cardinality(free) = cardinality(standing) then first -> 'standing'
      else context_ops.standing_among(tenant, free) -> 'standing' end);
end
$body$;

alter table context.memory_open_set set (fillfactor = 45);
alter table context.subtree_summaries set (fillfactor = 45);
reset role;
