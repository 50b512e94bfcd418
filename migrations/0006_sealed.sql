-- The functions that the application calls: retrieve (sealed inside), resolve, and what they share.

set local role contextengine_owner;

-- The next instant after valid_at at which a row of the position begins or ends by itself.
do $edges$
declare
  probes text;
begin
  select string_agg(format($probe$
      (select r.valid_from as edge from context.%1$I r where r.tenant_id = tenant and r.scope_uuid = p.scope and r.valid_from > moment
        and r.status = 'live' and r.recorded_seq <= p.head and (r.retired_seq is null or r.retired_seq > p.head) order by r.valid_from limit 1)
      union all
      (select r.valid_until from context.%1$I r where r.tenant_id = tenant and r.scope_uuid = p.scope and r.valid_until > moment
        and r.status = 'live' and r.recorded_seq <= p.head and (r.retired_seq is null or r.retired_seq > p.head)
        and (r.closed_seq is null or r.closed_seq <= p.head) order by r.valid_until limit 1)$probe$, ledger), ' union all ') into probes
  from unnest(array['blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links']) ledger;
  -- One plan for all calls: every probe is one index descent whatever the values are, and planning ten of them costs more than running them.
  execute format($function$
    create function context_ops.next_edge(tenant text, scopes uuid[], heads bigint[], moment timestamptz) returns timestamptz
      language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
    begin
      return (select min(probe.edge) from unnest(scopes, heads) as p(scope, head) cross join lateral (%s) probe);
    end
    $body$ $function$, probes);
end
$edges$;

-- Whether a part can have hits at all, by one index descent. Planning the statement of a part costs 1 to 1.4 ms, and most scopes have no
-- pins, summaries or typed values. Every statement of these modes joins the rows looked for here. A filter on other than text may hold a value
-- that cannot be cast: the statement runs, so that it is refused whether or not there are rows.
create function context_ops.may_hit(part jsonb, tenant text, scopes uuid[]) returns boolean
  language plpgsql stable as $body$
declare
  ledger constant text := part ->> 'table';
begin
  if part ->> 'mode' = 'scan' or part ? 'filter' and exists (select from jsonb_path_query(part -> 'filter', '$.**.field') f
    where context_ops.columns_of(ledger) ->> (f #>> '{}') is distinct from 'text') then return true; end if;
  if part ->> 'mode' = 'linked' and not exists (select from context.context_links l
    where l.tenant_id = tenant and l.scope_uuid = any (scopes) and l.link_type = part ->> 'link_type') then return false; end if;
  case ledger
  when 'blocks' then return exists (select from context.blocks r where r.tenant_id = tenant and r.scope_uuid = any (scopes));
  when 'subtree_summaries' then return exists (select from context.subtree_summaries r where r.tenant_id = tenant and r.scope_uuid = any (scopes));
  when 'memory_open_set' then return exists (select from context.memory_open_set r where r.tenant_id = tenant and r.scope_uuid = any (scopes));
  when 'memory_schema_typed' then return exists (select from context.memory_schema_typed r where r.tenant_id = tenant and r.scope_uuid = any (scopes));
  else return true;
  end case;
end
$body$;

-- The text of a part's statement. Its shape is all that the text depends on.
create function context_ops.statement_of(part jsonb, shape jsonb) returns text
  language sql stable as $body$
  select context_ops.pick_sql(part, (shape ->> 'words')::boolean, shape ->> 'space', (shape ->> 'single')::boolean, format('json_build_array(%s, r.dense, r.lexical, %s)',
    context_ops.row_sql(part ->> 'table'),
    case when (shape ->> 'counts')::boolean then '(select u.state from unnest($8, $9) as q(scope, head) join context_ops.usage_events u on u.scope_uuid = q.scope
      where u.tenant_id = $1 and u.scope_uuid = r.scope_uuid and u.root_uuid = r.root_uuid and u.usage_seq <= q.head order by u.usage_seq desc limit 1)' else 'null::jsonb' end))
$body$;

-- A session keeps 64 statements (a plan takes some 100 kB); filters that come once would pile up. Beginning anew costs each shape one planning.
create function context_ops.make_room() returns void
  language plpgsql as $body$
declare
  kept constant text[] := array(select p.name from pg_prepared_statements p where starts_with(p.name, 'contextengine_'));
begin
  for i in 1 .. case when cardinality(kept) < 64 then 0 else cardinality(kept) end loop
    execute format('deallocate %I', kept[i]);
  end loop;
end
$body$;

-- One part's hits as JSON: [[columns], dense, lexical, usage]; of a search by text the lexicon, and of one with neighbours what stands beside each
-- row found. A part that fails is answered with its SQLSTATE; the others are not touched by it.
--
-- A part's statement is prepared under the digest of its shape and kept by the session: building and planning it took 1 to 4 ms, more than most parts
-- take to run (6,000 turns in PGlite: a list 2.8 -> 1.6 ms, words and meaning with neighbours 25 -> 14 ms). The values of a filter stand in the text,
-- so a long filter, mostly one of ids, is not kept. The name holds a version: a migration that changes what a shape stands for raises it, because
-- sessions may live through it. Volatile because PREPARE and EXECUTE are not allowed otherwise.
create function context_ops.answer_part(part jsonb, place jsonb, vectors jsonb) returns json
  language plpgsql as $body$
declare
  tenant   constant text := place ->> 'tenant';
  most     constant integer := (part ->> 'limit')::integer;
  starts   constant uuid[] := case when part ? 'from' then array(select jsonb_array_elements_text(part -> 'from')::uuid) end;
  after    constant text[] := case when part ? 'after' then array(select jsonb_array_elements_text(part -> 'after')) end;
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
    select * into words from context_ops.weigh_terms(tenant, part ->> 'table', scopes, array(select jsonb_array_elements_text(part -> 'terms')));
  else
    select null::json as lexicon, null::uuid[] as in_scopes, null::text[] as terms, null::float8[] as weights, null::integer[] as after, null::float8 as mean_length,
      false as is_partial into words;
  end if;
  shape := (part - '{id,limit,vector,terms,scopes,from,after}'::text[]) || jsonb_build_object('words', words.terms is not null, 'space', emb, 'single', cardinality(scopes) = 1, 'counts', counts);
  if not context_ops.may_hit(part, tenant, scopes) then
    return json_build_object('id', part ->> 'id', 'columns', '[]'::json, 'hits', '[]'::json, 'lexicon', words.lexicon);
  end if;
  name := 'contextengine_1_' || md5(shape::text);
  loop
    if is_kept then
      begin
        execute format('execute %I(%L, %L, %L, %L, %s, %L, %L, %L, %L, %s, %L, %L, %L, %L, %L, %L)', name, tenant, scopes, heads, place ->> 'valid_at', most, words.in_scopes, vector, u_scopes, u_heads,
          coalesce(reach::text, 'null'), starts, after, words.terms, words.weights, words.after, words.mean_length) into answer;
      exception when invalid_sql_statement_name then
        perform context_ops.make_room();
        -- The vector as what it is: as text it was read anew wherever the statement names it (0.3 ms each).
        execute format('prepare %I(text, uuid[], bigint[], timestamptz, integer, uuid[], %s, uuid[], bigint[], integer, uuid[], text[], text[], float8[], integer[], float8) as %s',
          name, coalesce(context_ops.vector_type(emb), 'text'), context_ops.statement_of(part, shape));
        continue;
      end;
    else
      execute context_ops.statement_of(part, shape) into answer using tenant, scopes, heads, (place ->> 'valid_at')::timestamptz, most, words.in_scopes, vector, u_scopes, u_heads, reach, starts, after,
        words.terms, words.weights, words.after, words.mean_length;
    end if;
    exit when coalesce(answer.is_enough, true);
    -- Each row looked at costs a descent (64 instead of 160 rows: 0.6 to 1.8 ms less, p10 on a busy machine); each more run costs all of the search.
    reach := case when reach < 8 * most then 8 * most + 64 end;
  end loop;
  return json_build_object('id', part ->> 'id', 'columns', array(select jsonb_object_keys(context_ops.columns_of(part ->> 'table'))), 'hits', answer.hits,
    'beside', answer.beside, 'lexicon', words.lexicon, 'is_partial', words.is_partial);
exception when others then
  return json_build_object('id', part ->> 'id', 'sqlstate', sqlstate, 'message', sqlerrm);
end
$body$;

-- One plan for the fixed statements around the parts (planned anew each time, resolve took 2.3 instead of 1.2 ms), and for those that are kept.
create function context_ops.search(request jsonb) returns json
  language plpgsql security definer set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan as $body$
declare
  tenant constant text := nullif(current_setting('contextengine.tenant', true), '');
  scopes constant text[] := string_to_array(nullif(nullif(current_setting('contextengine.scopes', true), ''), '*'), ',');
  place  jsonb;
  parts  json;
begin
  if tenant is null or scopes is null or cardinality(scopes) <> jsonb_array_length(request -> 'heads') then
    raise exception 'A search needs a tenant and scopes, and one head for each' using errcode = 'CE002';
  end if;
  place := jsonb_build_object('tenant', tenant, 'scopes', to_jsonb(scopes), 'heads', request -> 'heads', 'valid_at', request -> 'valid_at')
    || case when request ? 'usage' then jsonb_build_object('usage', request -> 'usage') else '{}' end;
  select coalesce(json_agg(context_ops.answer_part(part, place, request -> 'vectors') order by ord), '[]') into parts
    from jsonb_array_elements(request -> 'parts') with ordinality p(part, ord);
  return json_build_object('parts', parts, 'next_edge', case when request ? 'edge' then context_ops.next_edge(
    tenant, scopes::uuid[], array(select jsonb_array_elements_text(request -> 'heads')::bigint), (request ->> 'valid_at')::timestamptz) end);
end
$body$;

-- Sets tenant and scopes for this statement and searches: one round trip, nothing left behind on the connection.
create function context.retrieve(tenant text, scopes text, request jsonb) returns json
  language plpgsql as $body$
begin
  perform set_config('contextengine.tenant', tenant, true), set_config('contextengine.scopes', scopes, true);
  return context_ops.search(request);
end
$body$;

-- The closure of a scope: breadth first along `inherits`, by the parent's place, then ordinal, then uuid. Authority edges are judged now,
-- whatever instant a composition asks for: an edge holds while it is neither retired nor closed, nor past its own end. It counts only where it is
-- written in the scope that inherits.
create function context.resolve(tenant text, request jsonb) returns json
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
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

-- The heads now; scopes that are not there are left out.
create function context.heads(tenant text, scopes jsonb) returns json
  language plpgsql set plan_cache_mode = force_generic_plan as $body$
begin
  perform set_config('contextengine.tenant', tenant, true), set_config('contextengine.scopes', '*', true);
  return json_build_object(
    'heads', (select coalesce(json_agg(json_build_object('scope', h.scope_uuid, 'head', h.head, 'usage_head', h.usage_head)), '[]')
      from context_ops.scope_heads h where h.tenant_id = tenant and h.scope_uuid = any (array(select jsonb_array_elements_text(scopes)::uuid))),
    'policy_epoch', coalesce((select e.epoch from context_ops.policy_epochs e where e.tenant_id = tenant), 0));
end
$body$;

-- The first statement of a write: sets the tenant, makes the heads of new scopes, locks all heads in scope order, and looks up the
-- idempotency keys under those locks.
create function context_ops.lock_scopes(tenant text, scopes jsonb, fresh jsonb, keys jsonb) returns json
  language plpgsql as $body$
declare
  heads json;
begin
  perform set_config('contextengine.tenant', tenant, true), set_config('contextengine.scopes', '*', true);
  insert into context_ops.scope_heads (tenant_id, scope_uuid)
    select tenant, f::uuid from jsonb_array_elements_text(fresh) f order by 2 on conflict do nothing;
  select coalesce(json_agg(json_build_object('scope', l.scope_uuid, 'head', l.head, 'usage_head', l.usage_head,
      'recorded_at', case when isfinite(l.recorded_at) then l.recorded_at end)), '[]') into heads
    from (select h.* from context_ops.scope_heads h where h.tenant_id = tenant and h.scope_uuid = any (array(select jsonb_array_elements_text(scopes)::uuid))
      order by h.scope_uuid for update) l;
  return json_build_object('heads', heads, 'known', (select coalesce(json_agg(row_to_json(o)), '[]')
    from jsonb_to_recordset(keys) k(scope uuid, key text)
    join context_ops.operations o on o.tenant_id = tenant and o.scope_uuid = k.scope and o.idempotency_key = k.key));
end
$body$;

-- Nothing gathers statistics in an embedded database, and without them the planner takes every table for one page. Runs as the owner,
-- because only the owner may; it changes no row.
create function context_ops.refresh_statistics(tables jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, public as $body$
declare
  target text;
begin
  for target in select jsonb_array_elements_text(tables) loop
    if to_regclass('context.' || quote_ident(target)) is not null then
      execute format('analyze context.%I', target);
    elsif (target = 'postings' or target like 'emb\_%') and to_regclass('context_ops.' || quote_ident(target)) is not null then
      execute format('analyze context_ops.%I', target);
    end if;
  end loop;
end
$body$;

grant create on schema context_ops to contextengine_search;
alter function context_ops.search(jsonb) owner to contextengine_search;
revoke create on schema context_ops from contextengine_search;

-- Execution is granted by name. New functions are PUBLIC's until revoked, so this stands at the end.
revoke execute on all functions in schema context, context_ops from public;
grant execute on function context.retrieve(text, text, jsonb), context.resolve(text, jsonb), context.heads(text, jsonb), context_ops.search(jsonb),
  context_ops.lock_scopes(text, jsonb, jsonb, jsonb), context_ops.refresh_statistics(jsonb) to contextengine_app;
grant execute on function context_ops.columns_of(text), context_ops.row_sql(text), context_ops.nested(text[], jsonb), context_ops.compare_sql(text, jsonb), context_ops.order_sql(text, text, text, jsonb),
  context_ops.filter_sql(text, jsonb, integer), context_ops.visible_sql(text, text), context_ops.order_by(text, jsonb), context_ops.vector_type(text),
  context_ops.place_sql(boolean), context_ops.beside_sql(text, text, integer),
  context_ops.search_sql(jsonb, text, text, text, boolean, text), context_ops.pick_sql(jsonb, boolean, text, boolean, text), context_ops.may_hit(jsonb, text, uuid[]), context_ops.answer_part(jsonb, jsonb, jsonb), context_ops.statement_of(jsonb, jsonb), context_ops.make_room(),
  context_ops.next_edge(text, uuid[], bigint[], timestamptz) to contextengine_search;
reset role;
