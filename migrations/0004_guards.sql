-- Who may do what: privileges first, row-level security second, triggers third. The triggers hold for the owner too.

set local role contextengine_owner;

-- The application appends. Of a ledger row it may set only what is set once.
do $privileges$
declare
  ledger text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links'] loop
    execute format('grant select, insert, update (valid_until, closed_seq, retired_seq, superseded_by, cause, status) on context.%I to contextengine_app', ledger);
    execute format('grant select on context.%I to contextengine_search', ledger);
  end loop;
end
$privileges$;
grant select, insert on context.compose_cache to contextengine_app;
grant select, insert, update (head, usage_head, recorded_at) on context_ops.scope_heads to contextengine_app;
grant select, insert on context_ops.operations, context_ops.usage_events, context_ops.receipts, context_ops.artifacts, context_ops.audit to contextengine_app;
grant select on context_ops.principal_rights, context_ops.policy_epochs to contextengine_app;
grant select, insert, update on context_ops.embedding_progress to contextengine_app;
grant select on context_ops.usage_events to contextengine_search;
grant execute on function context.text_index(text), context.tags_fit(text[]) to contextengine_app, contextengine_search;

-- Row-level security, forced. No tenant set means no row and no insert; no scopes set means no row of a scope.
-- The settings are read once per statement (an initplan), not once per row.
create function context_ops.seal_table(target regclass, has_scope boolean) returns void
  language plpgsql as $body$
declare
  tenant constant text := $$tenant_id = (select current_setting('contextengine.tenant', true))$$;
  scopes constant text := $$((select current_setting('contextengine.scopes', true)) = '*'
    or scope_uuid = any ((select string_to_array(nullif(nullif(current_setting('contextengine.scopes', true), ''), '*'), ','))::uuid[]))$$;
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy read_own on %s for select using (%s)', target, case when has_scope then tenant || ' and ' || scopes else tenant end);
  execute format('create policy append_own on %s for insert with check (%s)', target, tenant);
  execute format('create policy settle_own on %s for update using (%s) with check (%s)', target, tenant, tenant);
  execute format('create policy sealed_search on %s for select to contextengine_search using (true)', target);
end
$body$;

do $policies$
declare
  item record;
begin
  for item in
    select c.oid::regclass as target,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'scope_uuid') and c.relname not in ('audit', 'embedding_progress') as has_scope
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('context', 'context_ops') and c.relkind = 'r' and c.relname <> 'schema_migrations'
  loop
    perform context_ops.seal_table(item.target, item.has_scope);
  end loop;
end
$policies$;

-- SQLSTATE CE001: an illegal change of the ledger.
create function context_ops.refuse_change() returns trigger
  language plpgsql as $body$
begin
  raise exception '% of context.% is refused: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'CE001', hint = 'Append a new version instead.';
end
$body$;

-- What is set once is set together:
--   close   valid_until and closed_seq, of a version whose end was not known; superseded_by and cause with them
--   retire  retired_seq and cause; superseded_by where no close has set it
--   status  quarantined -> live | rejected, live -> suppressed, suppressed -> live | erased
create function context_ops.check_settlement() returns trigger
  language plpgsql as $body$
declare
  closes  constant boolean := old.closed_seq is distinct from new.closed_seq or old.valid_until is distinct from new.valid_until;
  retires constant boolean := old.retired_seq is distinct from new.retired_seq;
  ends    constant boolean := closes or retires;
begin
  if old.retired_seq is not null and ends then
    raise exception 'Version % of context.% is retired; nothing of it changes any more', old.uuid, tg_table_name using errcode = 'CE001';
  end if;
  if closes and (old.valid_until is not null or new.valid_until is null or new.closed_seq is null) then
    raise exception 'Version % of context.%: valid_until and closed_seq are set once, together', old.uuid, tg_table_name using errcode = 'CE001';
  end if;
  if retires and (new.retired_seq is null or new.cause is null) then
    raise exception 'Version % of context.%: retired_seq is set once, with a cause', old.uuid, tg_table_name using errcode = 'CE001';
  end if;
  if old.superseded_by is distinct from new.superseded_by and (old.superseded_by is not null or not ends) then
    raise exception 'Version % of context.%: superseded_by is set once, with a close or a retirement', old.uuid, tg_table_name using errcode = 'CE001';
  end if;
  if old.cause is distinct from new.cause and not (retires or (closes and old.cause is null)) then
    raise exception 'Version % of context.%: cause is set with a close or a retirement', old.uuid, tg_table_name using errcode = 'CE001';
  end if;
  if old.status is distinct from new.status and (old.status, new.status) not in
    (('quarantined', 'live'), ('quarantined', 'rejected'), ('live', 'suppressed'), ('suppressed', 'live'), ('suppressed', 'erased')) then
    raise exception 'Version % of context.%: status does not go from % to %', old.uuid, tg_table_name, old.status, new.status using errcode = 'CE001';
  end if;
  return new;
end
$body$;

do $triggers$
declare
  ledger text;
  frozen text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links'] loop
    select string_agg(quote_ident(attname), ', ') into frozen from pg_attribute
      where attrelid = format('context.%I', ledger)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname not in ('valid_until', 'closed_seq', 'retired_seq', 'superseded_by', 'cause', 'status');
    execute format('create trigger frozen_columns before update of %s on context.%I for each row execute function context_ops.refuse_change()', frozen, ledger);
    execute format('create trigger settlement before update on context.%I for each row execute function context_ops.check_settlement()', ledger);
    execute format('create trigger no_delete before delete on context.%I for each statement execute function context_ops.refuse_change()', ledger);
    execute format('create trigger no_truncate before truncate on context.%I for each statement execute function context_ops.refuse_change()', ledger);
  end loop;
  foreach ledger in array array['operations', 'usage_events', 'audit'] loop
    execute format('create trigger no_change before update or delete on context_ops.%I for each statement execute function context_ops.refuse_change()', ledger);
    execute format('create trigger no_truncate before truncate on context_ops.%I for each statement execute function context_ops.refuse_change()', ledger);
  end loop;
end
$triggers$;

-- A head never goes back.
create function context_ops.check_head() returns trigger
  language plpgsql as $body$
begin
  if new.head < old.head or new.usage_head < old.usage_head or new.recorded_at < old.recorded_at then
    raise exception 'The head of scope % does not go back', old.scope_uuid using errcode = 'CE001';
  end if;
  return new;
end
$body$;
create trigger forward_only before update on context_ops.scope_heads for each row execute function context_ops.check_head();

-- One table per embedding space, named by the digest of `provider/model/dimensions`; the space itself stands in the table's comment.
create function context_ops.space_table(space text) returns text
  language sql immutable strict parallel safe
  return 'emb_' || left(md5(space), 16);

-- Runs as the owner, because the application cannot make tables. It makes nothing but a space, of a checked type and size.
create function context_ops.ensure_space(space text, dimensions integer, vector_type text) returns void
  language plpgsql security definer set search_path = pg_catalog, public as $body$
declare
  target constant text := context_ops.space_table(space);
begin
  if to_regclass('context_ops.' || target) is not null then return; end if;
  if vector_type not in ('vector', 'halfvec') or dimensions not between 1 and 4000 or space !~ ('^[^/]+/.+/' || dimensions || '$') or length(space) > 200 then
    raise exception 'No embedding space is called `%` with % dimensions of %', left(space, 200), dimensions, vector_type using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('contextengine.' || target, 0));
  if to_regclass('context_ops.' || target) is not null then return; end if;
  execute format('create table context_ops.%I (
    tenant_id   text not null,
    owner_uuid  uuid not null,
    origin      text not null check (origin in (''content'', ''question'', ''window'')),
    ordinal     integer not null check (ordinal >= 0),
    scope_uuid  uuid not null,
    owner_table text not null check (owner_table in (''blocks'', ''memory_open_set'', ''subtree_summaries'')),
    embedding   %s(%s) not null,
    primary key (tenant_id, owner_uuid, origin, ordinal))', target, vector_type, dimensions);
  execute format('comment on table context_ops.%I is %L', target, space);
  execute format('create index %I on context_ops.%I (tenant_id, scope_uuid, owner_table)', target || '_scope', target);
  execute format('grant select, insert on context_ops.%I to contextengine_app', target);
  execute format('grant select on context_ops.%I to contextengine_search', target);
  perform context_ops.seal_table(to_regclass('context_ops.' || target), true);
end
$body$;
revoke execute on function context_ops.ensure_space(text, integer, text), context_ops.seal_table(regclass, boolean) from public;
grant execute on function context_ops.ensure_space(text, integer, text), context_ops.space_table(text) to contextengine_app, contextengine_search;

reset role;
