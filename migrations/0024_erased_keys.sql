-- The idempotency key of an erased row is often a digest of what the row said: it becomes a keyed
-- digest, by which the same write is known again (a `duplicate` that stores nothing) as long as the
-- key of the tenant is there, and which says nothing once it is destroyed.
set local role contextengine_owner;
grant update (idempotency_key) on context_ops.operations to contextengine_eraser;

create function context_ops.erased_key(key bytea, given text) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return 'erased:' || context_ops.keyed_digest(key, given);
end
$body$;
revoke execute on function context_ops.erased_key(bytea, text) from public;
grant execute on function context_ops.erased_key(bytea, text) to contextengine_eraser;

-- Of the keys that a write brings, those of operations whose rows were erased; under the key that
-- the write brings.
create function context_ops.erased_operations(tenant text, keys jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  held_key constant bytea := (select t.digest_key from context_ops.tenant_keys t
    where t.tenant_id = erased_operations.tenant);
begin
  if tenant is distinct from current_setting('contextengine.tenant', true) then
    raise exception 'The keys of another tenant' using errcode = 'CE001';
  end if;
  if held_key is null or not exists (select from context_ops.redactions r
    where r.tenant_id = erased_operations.tenant and r.state = 'erased') then return '[]'; end if;
  return (select coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object('idempotency_key', k.key)), '[]')
    from jsonb_to_recordset(keys) k(scope uuid, key text)
    join context_ops.operations o on o.tenant_id = erased_operations.tenant
      and o.scope_uuid = k.scope
      and o.idempotency_key = context_ops.erased_key(held_key, k.key));
end
$body$;
revoke execute on function context_ops.erased_operations(text, jsonb) from public;
grant execute on function context_ops.erased_operations(text, jsonb) to contextengine_app;

create function context_ops.blank_keys(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  held_key constant bytea := (select t.digest_key from context_ops.tenant_keys t
    where t.tenant_id = blank_keys.tenant);
begin
  update context_ops.operations o set idempotency_key = context_ops.erased_key(held_key,
      o.idempotency_key)
    from context_ops.redacted d where d.tenant_id = blank_keys.tenant
      and d.redaction_uuid = redaction and o.tenant_id = blank_keys.tenant
      and o.scope_uuid = d.scope_uuid and d.uuid in (o.uuid, o.root_uuid)
      and o.idempotency_key is not null and not starts_with(o.idempotency_key, 'erased:');
end
$body$;
revoke execute on function context_ops.blank_keys(text, uuid) from public;
grant execute on function context_ops.blank_keys(text, uuid) to contextengine_eraser;

do $erase$
declare
  was    constant text := pg_get_functiondef('context_ops.blank_rows(text, uuid)'::regprocedure);
  now_is constant text := replace(was, 'update context_ops.operations o set reason',
    'perform context_ops.blank_keys(tenant, redaction);' || chr(10)
    || '  update context_ops.operations o set reason');
begin
  if now_is = was then raise exception 'blank_rows is not as 0023_erase left it'; end if;
  execute now_is;
end
$erase$;
reset role;
