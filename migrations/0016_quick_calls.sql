-- Two calls on the way of every composition.
--
-- 1. The columns of a ledger table are asked for by each part of a search. A function in SQL is planned at each call
--    (0.1 ms, ten calls a composition); this one keeps its constants.
-- 2. The closure brings the journal times of its scopes itself; they took a second look into the heads.
set local role contextengine_owner;

create or replace function context_ops.columns_of(ledger text) returns jsonb
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $body$
declare
  common constant jsonb := '{"tenant_id":"text","uuid":"uuid","root_uuid":"uuid","scope_uuid":"uuid",
    "valid_from":"timestamptz","valid_until":"timestamptz","closed_seq":"bigint","recorded_seq":"bigint",
    "retired_seq":"bigint","superseded_by":"uuid","cause":"text","status":"text","operation":"text"}';
begin
  case ledger
  when 'blocks' then return common || '{"parent_uuid":"uuid","block_type":"text","is_scope":"boolean","role":"text","author":"text",
      "occurred_at":"timestamptz","title":"text","content":"text","tags":"text[]","metadata":"jsonb",
      "provenance":"jsonb"}'::jsonb;
  when 'subtree_summaries' then return common || '{"kind":"text","content":"text","covers_to_seq":"bigint","model":"text",
      "cost_usd":"double precision","provenance":"jsonb"}'::jsonb;
  when 'memory_open_set' then return common || '{"content":"text","subject":"text","category":"text","class":"text",
      "importance":"double precision","confidence":"double precision","tags":"text[]","metadata":"jsonb",
      "provenance":"jsonb"}'::jsonb;
  when 'memory_schema_typed' then return common || '{"subject":"text","collection":"text","property":"text","type":"text",
      "value":"jsonb","cardinality":"text","confidence":"double precision","provenance":"jsonb"}'::jsonb;
  when 'context_links' then return common || '{"link_type":"text","from_uuid":"uuid","to_uuid":"uuid","ordinal":"bigint",
      "weight":"double precision","metadata":"jsonb"}'::jsonb;
  else return null;
  end case;
end
$body$;

-- As in 0006_sealed, with the time of each head.
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
          where o.tenant_id = tenant and o.scope_uuid = c.scope and o.recorded_at <= known_at order by o.recorded_at desc, o.seq desc limit 1), 0) end,
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

reset role;
