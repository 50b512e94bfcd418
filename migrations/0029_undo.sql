-- Undo: an operation is taken back by another one, which retires what it brought and appends what
-- it closed or retired, with what was withdrawn because of it.
--
-- In the journal an `UNDO` names in `caused_by` the operation that it takes back; a `RETURN` is a
-- row that came back with it, and names the undo there. What comes back is a copy (`recut_of`)
-- over the same time. A link to a version says at which head of its scope that was read (`seen_seq`), so
-- that what of a source was lost before something was derived from it is told from what was lost
-- since.
set local role contextengine_owner;

do $checks$
declare
  target record;
begin
  for target in select c.conrelid::regclass as ledger, c.conname, c.conrelid
    = 'context_ops.operations'::regclass as is_journal
    from pg_constraint c join pg_class t on t.oid = c.conrelid
      join pg_namespace n on n.oid = t.relnamespace
    where n.nspname in ('context', 'context_ops') and c.contype = 'c'
      and pg_get_constraintdef(c.oid) like '%(operation = ANY%'
  loop
    execute format('alter table %s drop constraint %I', target.ledger, target.conname);
    execute format('alter table %s add constraint %I check (operation in (%s)) not valid',
      target.ledger, target.conname, case when target.is_journal
        then $$'ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO', 'CASCADE', 'RESTORE', 'RETURN'$$
        else $$'ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO'$$ end);
  end loop;
end
$checks$;

alter table context.context_links drop constraint range_is_whole;
alter table context.context_links add constraint range_is_whole check (
  case when from_seq is null then to_seq is null and (seen_seq is null
      or link_type = 'derived_from' and seen_seq >= 1)
    else link_type = 'derived_from' and from_seq >= 1 and to_seq >= from_seq
      and seen_seq >= to_seq end) not valid;

create index operations_by_id on context_ops.operations (tenant_id, operation_id)
  where operation in ('ADD', 'UPDATE', 'DELETE', 'UNDO') and outcome in ('stored', 'superseded');

-- As in 0022_lineage; rows that come back stand beside the undo as rows that fall do.
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
        f.ordinal <> 0 and (f.operation not in ('CASCADE', 'RETURN') or f.caused_by is null)
        or f.recorded_at <> h.recorded_at
        or f.principal is distinct from current_setting('contextengine.principal', true))) then
    raise exception 'A journal entry has number, time and principal of its transaction'
      using errcode = 'CE001';
  end if;
  return null;
end
$body$;

-- What the ledger says of versions, whatever their table. Rows of one `lane` say each something
-- else over time: those of a root, or of a key that has one value.
create function context_ops.states_of(tenant text, versions uuid[])
  returns table (ledger text, uuid uuid, scope uuid, recorded_seq bigint, retired_seq bigint,
    cause text, status text, valid_from timestamptz, valid_until timestamptz, lane text)
  language plpgsql stable rows 1000 set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return query
    select 'blocks', r.uuid, r.scope_uuid, r.recorded_seq, r.retired_seq, r.cause, r.status,
        r.valid_from, r.valid_until, r.root_uuid::text
      from context.blocks r where r.tenant_id = tenant and r.uuid = any (versions)
    union all
    select 'subtree_summaries', r.uuid, r.scope_uuid, r.recorded_seq, r.retired_seq, r.cause,
        r.status, r.valid_from, r.valid_until, r.root_uuid::text
      from context.subtree_summaries r where r.tenant_id = tenant and r.uuid = any (versions)
    union all
    select 'memory_open_set', r.uuid, r.scope_uuid, r.recorded_seq, r.retired_seq, r.cause,
        r.status, r.valid_from, r.valid_until, r.root_uuid::text
      from context.memory_open_set r where r.tenant_id = tenant and r.uuid = any (versions)
    union all
    select 'memory_schema_typed', r.uuid, r.scope_uuid, r.recorded_seq, r.retired_seq, r.cause,
        r.status, r.valid_from, r.valid_until, case r.cardinality when 'one' then
          jsonb_build_array(r.scope_uuid, r.subject, r.collection, r.property)::text
          else r.root_uuid::text end
      from context.memory_schema_typed r where r.tenant_id = tenant and r.uuid = any (versions)
    union all
    select 'context_links', r.uuid, r.scope_uuid, r.recorded_seq, r.retired_seq, r.cause, r.status,
        r.valid_from, r.valid_until, r.root_uuid::text
      from context.context_links r where r.tenant_id = tenant and r.uuid = any (versions);
end
$body$;

-- The versions with all that was cut from them.
create function context_ops.parts_of(tenant text, versions uuid[]) returns uuid[]
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (with recursive down(uuid) as (
    select v from unnest(versions) v
    union
    select k.uuid from down d join context_ops.row_ids k
      on k.tenant_id = tenant and k.recut_of = d.uuid)
    select coalesce(array_agg(d.uuid), '{}') from down d);
end
$body$;

-- Whether a copy has the place of a version since it was retired.
create function context_ops.is_replaced(tenant text, version uuid, retired bigint) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return exists (select from context_ops.states_of(tenant, array(
      select k.uuid from context_ops.row_ids k
      where k.tenant_id = is_replaced.tenant and k.recut_of = version)) c
    where c.recorded_seq >= retired);
end
$body$;

-- Whether something is believed of the root, or of the key that has one value, over the time of a
-- version that is not.
create function context_ops.is_taken(tenant text, ledger text, version uuid) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  is_it boolean;
begin
  execute format('select exists (select from context.%1$I v join context.%1$I r
      on r.tenant_id = $1 and r.scope_uuid = v.scope_uuid and r.retired_seq is null
        and r.status = ''live'' and (r.root_uuid = v.root_uuid %2$s)
        and (v.valid_until is null or r.valid_from < v.valid_until)
        and (r.valid_until is null or v.valid_from < r.valid_until)
      where v.tenant_id = $1 and v.uuid = $2)', ledger,
    case ledger when 'memory_schema_typed' then 'or r.cardinality = ''one''
      and v.cardinality = ''one'' and r.subject = v.subject and r.collection = v.collection
      and r.property = v.property' else '' end) into is_it using tenant, version;
  return is_it;
end
$body$;

-- Believed versions that derive from these or from what was cut from them.
create function context_ops.built_from(tenant text, versions jsonb) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  sources constant uuid[] := context_ops.parts_of(tenant,
    array(select jsonb_array_elements_text(versions)::uuid));
  derived constant uuid[] := context_ops.parts_of(tenant, array(
    select l.from_uuid from context.context_links l where l.tenant_id = tenant
      and l.to_uuid = any (sources) and l.link_type = 'derived_from' and l.from_seq is null
    union
    select l.from_uuid from context.blocks b join context.context_links l
        on l.tenant_id = tenant and l.to_uuid = b.scope_uuid and l.from_seq is not null
          and l.from_seq <= b.recorded_seq
      where b.tenant_id = tenant and b.uuid = any (sources) and not b.is_scope
        and b.recorded_seq <= l.to_seq
        and (b.retired_seq is null or b.retired_seq > l.seen_seq)));
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('scope', s.scope, 'seq', s.recorded_seq)),
      '[]')
    from context_ops.states_of(tenant, derived) s
    where s.retired_seq is null and s.status = 'live');
end
$body$;

-- Believed rows that a root which is taken away would leave behind: links from and to it, blocks
-- below it and, where it is a scope, all that the scope holds.
create function context_ops.leaning_on(tenant text, roots jsonb) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  gone constant uuid[] := array(select jsonb_array_elements_text(roots)::uuid);
begin
  return (select coalesce(jsonb_agg(distinct jsonb_build_object('scope', r.scope_uuid,
      'seq', r.recorded_seq)), '[]')
    from (
      select l.root_uuid, l.scope_uuid, l.recorded_seq from context.context_links l
        where l.tenant_id = tenant and l.link_type <> 'derived_from'
          and (l.to_uuid = any (gone) or l.from_uuid = any (gone))
          and l.retired_seq is null and l.closed_seq is null and l.status = 'live'
      union all
      select b.root_uuid, b.scope_uuid, b.recorded_seq from context.blocks b
        where b.tenant_id = tenant and b.parent_uuid = any (gone)
          and b.retired_seq is null and b.status = 'live'
      union all
      select b.root_uuid, b.scope_uuid, b.recorded_seq from context.blocks b
        where b.tenant_id = tenant and b.scope_uuid = any (gone)
          and b.retired_seq is null and b.status = 'live'
      union all
      select b.root_uuid, b.scope_uuid, b.recorded_seq from context.subtree_summaries b
        where b.tenant_id = tenant and b.scope_uuid = any (gone)
          and b.retired_seq is null and b.status = 'live'
      union all
      select b.root_uuid, b.scope_uuid, b.recorded_seq from context.memory_open_set b
        where b.tenant_id = tenant and b.scope_uuid = any (gone)
          and b.retired_seq is null and b.status = 'live'
      union all
      select b.root_uuid, b.scope_uuid, b.recorded_seq from context.memory_schema_typed b
        where b.tenant_id = tenant and b.scope_uuid = any (gone)
          and b.retired_seq is null and b.status = 'live') r
    where r.root_uuid <> all (gone));
end
$body$;

-- Of versions that were withdrawn: those of which no source is lost if all of them come back. A
-- source is lost where a part of it was found wrong and nothing took its place since; what of it
-- was lost before its reading is not meant. Gives { standing: [...], scopes: [...] }: the scopes of
-- the versions and of their sources.
create function context_ops.standing_among(tenant text, withdrawn uuid[]) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
begin
  return (with recursive up(version, whole) as (
    select v, v from unnest(withdrawn) v
    union
    select u.version, k.recut_of from up u join context_ops.row_ids k
      on k.tenant_id = tenant and k.uuid = u.whole and k.recut_of is not null),
  read(version, uuid, seen) as materialized (
    select u.version, l.to_uuid, coalesce(l.seen_seq, case when exists (
        select from context_ops.states_of(tenant, array[l.to_uuid]) s
        where s.scope = l.scope_uuid) then l.recorded_seq - 1 else 0 end)
      from up u join context.context_links l on l.tenant_id = tenant and l.from_uuid = u.whole
        and l.link_type = 'derived_from' and l.from_seq is null
    union
    select u.version, b.uuid, l.seen_seq
      from up u join context.context_links l on l.tenant_id = tenant and l.from_uuid = u.whole
          and l.link_type = 'derived_from' and l.from_seq is not null
        join context.blocks b on b.tenant_id = tenant and b.scope_uuid = l.to_uuid
          and b.recorded_seq between l.from_seq and l.to_seq and not b.is_scope
          and (b.retired_seq is null or b.retired_seq > l.seen_seq)),
  down(source, uuid) as (
    select distinct r.uuid, r.uuid from read r
    union
    select d.source, k.uuid from down d join context_ops.row_ids k
      on k.tenant_id = tenant and k.recut_of = d.uuid),
  states as materialized (
    select s.uuid, s.scope, s.retired_seq, s.cause
      from context_ops.states_of(tenant, array(select distinct d.uuid from down d)) s),
  lost as materialized (
    select r.version, d.uuid from read r join down d on d.source = r.uuid
      join states s on s.uuid = d.uuid
      where s.cause in ('correction', 'prune', 'redaction', 'cascade') and s.retired_seq > r.seen
        and not context_ops.is_replaced(tenant, s.uuid, s.retired_seq)),
  blocked(uuid) as (
    select l.version from lost l where l.uuid <> all (withdrawn)
    union
    select l.version from blocked b join lost l on l.uuid = b.uuid)
  select jsonb_build_object(
    'standing', coalesce((select jsonb_agg(v order by v) from unnest(withdrawn) v
      where v not in (select b.uuid from blocked b)), '[]'),
    'scopes', coalesce((select jsonb_agg(distinct s.scope) from (
        select s.scope from states s
        union
        select w.scope from context_ops.states_of(tenant, withdrawn) w) s), '[]')));
end
$body$;

-- What was withdrawn and comes back with an undo: because of the operation that is taken back, and
-- because of others, where it derives from what comes back now. Of the latter nothing that meets
-- what is believed over the same time.
--
-- Gives { rows: [...], scopes: [...] }: the scopes have to be locked.
create function context_ops.returning_of(tenant text, operation uuid, brought jsonb)
  returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  fell     constant uuid[] := array(select o.uuid from context_ops.operations o
    where o.tenant_id = tenant and o.caused_by = returning_of.operation
      and o.operation = 'CASCADE');
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

-- The vectors of versions, for the copies of them that came back.
create function context_ops.copy_vectors(tenant text, copies jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  space text;
begin
  perform context_ops.lock_vectors(tenant);
  for space in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'context_ops' and c.relkind = 'r' and c.relname ~ '^emb_[0-9a-f]{16}$'
      and has_table_privilege(c.oid, 'insert')
  loop
    execute format('insert into context_ops.%1$I (tenant_id, owner_uuid, origin, ordinal,
        scope_uuid, owner_table, embedding)
      select e.tenant_id, k.uuid, e.origin, e.ordinal, e.scope_uuid, e.owner_table, e.embedding
      from jsonb_to_recordset($2) k(uuid uuid, of uuid)
        join context_ops.%1$I e on e.tenant_id = $1 and e.owner_uuid = k.of
      on conflict do nothing', space) using tenant, copies;
  end loop;
end
$body$;

revoke execute on function context_ops.states_of(text, uuid[]), context_ops.parts_of(text, uuid[]),
  context_ops.built_from(text, jsonb), context_ops.leaning_on(text, jsonb),
  context_ops.returning_of(text, uuid, jsonb), context_ops.standing_among(text, uuid[]),
  context_ops.is_replaced(text, uuid, bigint), context_ops.is_taken(text, text, uuid),
  context_ops.copy_vectors(text, jsonb) from public;
grant execute on function context_ops.states_of(text, uuid[]), context_ops.parts_of(text, uuid[]),
  context_ops.built_from(text, jsonb), context_ops.leaning_on(text, jsonb),
  context_ops.returning_of(text, uuid, jsonb), context_ops.standing_among(text, uuid[]),
  context_ops.is_replaced(text, uuid, bigint), context_ops.is_taken(text, text, uuid),
  context_ops.copy_vectors(text, jsonb) to contextengine_app;
reset role;
