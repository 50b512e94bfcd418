-- The barrier, quicker. What a correction of 100,000 descendants cost on PostgreSQL (6.1 s of CPU,
-- measured): the closure 0.6; reading what fell, 0.6; journal 1.0; triggers before each row, which
-- lock it first, 0.8; comparing old rows with new ones 0.6; the check of tags 0.4.
--
-- Now 4.3 s, 1.6 of it entries in the four other indexes of facts.
--
-- 1. The closure asks for re-cuts and ranges only where the tenant has any, and says in which
--    scopes it went: the scopes are known before a row is touched.
-- 2. One statement settles the rows, writes the journal and moves the heads; what one table had is
--    not looked for in the next.
-- 3. What may be set is checked behind each row, by a condition that needs no call, or for all
--    rows of a statement at once.
set local role contextengine_owner;

-- As `closure_of` of 0022_lineage, with the scope of the link that led there (null where none did).
create function context_ops.walk_down(tenant text, fallen uuid[])
  returns table (uuid uuid, falls boolean, scope uuid)
  language plpgsql stable rows 1000 set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  has_recuts constant boolean := exists (select from context_ops.row_ids k
    where k.tenant_id = tenant and k.recut_of is not null);
  has_ranges constant boolean := exists (select from context.context_links l
    where l.tenant_id = tenant and l.from_seq is not null);
begin
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

create or replace function context_ops.closure_of(tenant text, fallen uuid[]) returns uuid[]
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (select coalesce(array_agg(distinct w.uuid), '{}')
    from context_ops.walk_down(tenant, fallen) w where w.falls);
end
$body$;

-- As in 0022_lineage. Where it gives { further: [scopes] }, the transaction has to be rolled back.
create or replace function context_ops.withdraw_descendants(tenant text, fallen jsonb, cause jsonb,
  held jsonb, watched jsonb) returns jsonb
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  -- Each row by its key: a plan that was made while a table was small read it from end to end.
  set enable_hashjoin = off set enable_mergejoin = off as $body$
declare
  own      constant uuid := (cause ->> 'scope')::uuid;
  seeds    constant uuid[] := array(select jsonb_array_elements_text(fallen)::uuid);
  closure  uuid[];
  scopes   uuid[];
  further  uuid[];
  numbers  jsonb;
  times    jsonb;
  answer   jsonb;
begin
  select array_agg(distinct w.uuid) filter (where w.falls), array_agg(distinct w.scope)
    into closure, scopes from context_ops.walk_down(tenant, seeds) w;
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
  with facts as (
      update context.memory_open_set r
        set retired_seq = (numbers ->> r.scope_uuid::text)::bigint, cause = 'cascade'
      from unnest(closure) v(uuid)
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and numbers ? r.scope_uuid::text
      returning r.uuid, r.root_uuid, r.scope_uuid),
    no_facts as materialized (
      select v.uuid from unnest(closure) v(uuid) except select f.uuid from facts f),
    blocks as (
      update context.blocks r
        set retired_seq = (numbers ->> r.scope_uuid::text)::bigint, cause = 'cascade'
      from no_facts v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and numbers ? r.scope_uuid::text
      returning r.uuid, r.root_uuid, r.scope_uuid),
    no_blocks as materialized (select v.uuid from no_facts v except select f.uuid from blocks f),
    summaries as (
      update context.subtree_summaries r
        set retired_seq = (numbers ->> r.scope_uuid::text)::bigint, cause = 'cascade'
      from no_blocks v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and numbers ? r.scope_uuid::text
      returning r.uuid, r.root_uuid, r.scope_uuid),
    no_summaries as materialized (
      select v.uuid from no_blocks v except select f.uuid from summaries f),
    typed as (
      update context.memory_schema_typed r
        set retired_seq = (numbers ->> r.scope_uuid::text)::bigint, cause = 'cascade'
      from no_summaries v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and numbers ? r.scope_uuid::text
      returning r.uuid, r.root_uuid, r.scope_uuid),
    no_typed as materialized (select v.uuid from no_summaries v except select f.uuid from typed f),
    links as (
      update context.context_links r
        set retired_seq = (numbers ->> r.scope_uuid::text)::bigint, cause = 'cascade'
      from no_typed v
      where r.tenant_id = tenant and r.uuid = v.uuid and r.retired_seq is null
        and r.status = 'live' and numbers ? r.scope_uuid::text
      returning r.uuid, r.root_uuid, r.scope_uuid),
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
      select tenant, f.scope_uuid, (numbers ->> f.scope_uuid::text)::bigint,
        case f.scope_uuid when own then 0 else -1 end
          + row_number() over (partition by f.scope_uuid order by f.uuid), f.uuid, 'CASCADE',
        f.ledger, f.uuid, f.root_uuid, 'stored', 'none', cause ->> 'principal',
        cause ->> 'on_behalf_of', cause ->> 'writer', cause ->> 'manifest_digest',
        cause ->> 'decision', (cause ->> 'operation_id')::uuid,
        (times ->> f.scope_uuid::text)::timestamptz
      from fell f)
    select jsonb_build_object(
        'further', (select jsonb_agg(distinct e.scope) from elsewhere e),
        'heads', (select coalesce(jsonb_agg(jsonb_build_object('scope', m.scope_uuid,
          'head', m.head)), '[]') from moved m),
        'withdrawn', (select count(*) from fell),
        'watched', (select coalesce(jsonb_agg(jsonb_build_object('uuid', f.uuid,
          'seq', (numbers ->> f.scope_uuid::text)::bigint)), '[]')
          from fell f where f.uuid = any (array(select jsonb_array_elements_text(watched)::uuid))))
      into answer;
  return jsonb_strip_nulls(answer);
end
$body$;

-- As in 0029_undo: one look at a head for all entries of a scope.
create or replace function context_ops.check_journal() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if exists (
    select from (select f.tenant_id, f.scope_uuid, min(f.seq) as low, max(f.seq) as high,
        min(f.recorded_at) as first, max(f.recorded_at) as last,
        bool_and(f.principal is not distinct from current_setting('contextengine.principal', true)
          and (f.ordinal = 0 or f.operation in ('CASCADE', 'RETURN') and f.caused_by is not null))
          as is_mine
      from fresh f group by f.tenant_id, f.scope_uuid) f
    left join lateral (select h.* from context_ops.scope_heads h
      where h.tenant_id = f.tenant_id and h.scope_uuid = f.scope_uuid limit 1) h on true
    where h.moved_by is distinct from mine or f.low <= h.moved_from or f.high > h.head
      or h.restored_by is distinct from mine
        and (f.is_mine is not true or f.first <> h.recorded_at or f.last <> h.recorded_at)) then
    raise exception 'A journal entry has number, time and principal of its transaction'
      using errcode = 'CE001';
  end if;
  return null;
end
$body$;

-- Old and new rows of a statement meet in a hash table: to sort both took twice as long.
alter function context_ops.check_settled() set enable_mergejoin = off;
alter function context_ops.check_settled() set enable_hashjoin = on;

-- Called for a row that breaks a rule; says which.
create or replace function context_ops.check_settlement() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  closes  constant boolean := old.closed_seq is distinct from new.closed_seq
    or old.valid_until is distinct from new.valid_until;
  retires constant boolean := old.retired_seq is distinct from new.retired_seq;
  ends    constant boolean := closes or retires;
begin
  raise exception 'Version % of context.%: %', old.uuid, tg_table_name, case
    when old.retired_seq is not null and ends then 'it is retired; nothing of it changes any more'
    when closes and (old.valid_until is not null or new.valid_until is null
      or new.closed_seq is null) then 'valid_until and closed_seq are set once, together'
    when retires and (new.retired_seq is null or new.cause is null)
      then 'retired_seq is set once, with a cause'
    when old.superseded_by is distinct from new.superseded_by
      and (old.superseded_by is not null or not ends)
      then 'superseded_by is set once, with a close or a retirement'
    when old.status is distinct from new.status
      then format('status does not go from %s to %s', old.status, new.status)
    else 'cause is set with a close or a retirement' end
    using errcode = 'CE001';
end
$body$;

do $triggers$
declare
  ledger text;
  frozen text;
  closes  constant text := '(old.closed_seq is distinct from new.closed_seq
    or old.valid_until is distinct from new.valid_until)';
  retires constant text := 'old.retired_seq is distinct from new.retired_seq';
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('drop trigger settlement on context.%I', ledger);
    execute format('create trigger settlement after update on context.%1$I for each row when (
        old.retired_seq is not null and (%2$s or %3$s)
        or %2$s and (old.valid_until is not null or new.valid_until is null
          or new.closed_seq is null)
        or %3$s and (new.retired_seq is null or new.cause is null)
        or old.superseded_by is distinct from new.superseded_by
          and (old.superseded_by is not null or not (%2$s or %3$s))
        or old.cause is distinct from new.cause and not (%3$s or %2$s and old.cause is null)
        or old.status is distinct from new.status and (old.status, new.status) not in (
          (''quarantined'', ''live''), (''quarantined'', ''rejected''), (''live'', ''suppressed''),
          (''suppressed'', ''live''), (''suppressed'', ''erased'')))
      execute function context_ops.check_settlement()', ledger, closes, retires);
    select string_agg(quote_ident(attname), ', ') into frozen from pg_attribute
      where attrelid = format('context.%I', ledger)::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in
          ('valid_until', 'closed_seq', 'retired_seq', 'superseded_by', 'cause', 'status');
    execute format('drop trigger frozen_columns on context.%I', ledger);
    execute format('create trigger frozen_columns after update of %s on context.%I
      for each row execute function context_ops.refuse_rewrite()', frozen, ledger);
  end loop;
  -- What is short as a whole has no long tag: the function is called for the rest.
  foreach ledger in array array['blocks', 'memory_open_set'] loop
    execute format('alter table context.%1$I drop constraint %1$s_tags_check', ledger);
    execute format('alter table context.%1$I add constraint %1$s_tags_check check (
      case when octet_length(array_to_string(tags, '''')) <= 512
        then cardinality(tags) <= 64 and array_position(tags, null) is null
        else context.tags_fit(tags) end) not valid', ledger);
  end loop;
end
$triggers$;

revoke execute on function context_ops.walk_down(text, uuid[]) from public;
grant execute on function context_ops.walk_down(text, uuid[])
  to contextengine_app, contextengine_eraser;
reset role;
