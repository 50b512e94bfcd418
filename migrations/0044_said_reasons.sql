-- Reasons of the journal that say a text that is forgotten go with it, whatever row they are of,
-- also where an earlier redaction keeps them. They are kept by operation (`redacted.copy` is
-- `operations`), and come back when nothing else names the operation.
set local role contextengine_owner;

alter table context_ops.redacted drop constraint redacted_copy_check;
alter table context_ops.redacted add constraint redacted_copy_check check (copy in ('blocks',
  'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links', 'receipts',
  'proposals', 'artifacts', 'operations'));

create function context_ops.name_reasons(tenant text, redaction uuid, asked jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  said constant text := asked ->> 'value';
  held constant uuid[] := case when jsonb_typeof(asked -> 'scopes') = 'array'
    then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end;
begin
  if asked ->> 'kind' is distinct from 'text' or said is null then return; end if;
  insert into context_ops.redacted (tenant_id, redaction_uuid, copy, uuid, scope_uuid, kept)
    select tenant, redaction, 'operations', s.operation_id, s.scope_uuid,
      jsonb_build_object('reasons', jsonb_build_object(s.operation_id, min(s.reason)))
    from (select o.operation_id, o.scope_uuid, o.reason from context_ops.operations o
        where o.tenant_id = tenant and o.reason is not null
      union all select r.key::uuid, d.scope_uuid, r.value from context_ops.redacted d
        cross join lateral jsonb_each_text(d.kept -> 'reasons') r
        where d.tenant_id = tenant and d.redaction_uuid <> redaction and d.kept ? 'reasons') s
    where (held is null or s.scope_uuid = any (held))
      and context_ops.says(to_jsonb(s.reason), said)
    group by s.operation_id, s.scope_uuid on conflict do nothing;
  perform context_ops.drop_reasons(tenant, redaction);
  update context_ops.operations o set reason = null from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'operations'
      and o.tenant_id = tenant and o.scope_uuid = d.scope_uuid and o.operation_id = d.uuid
      and o.reason is not null;
end
$body$;

-- No other redaction keeps a reason of an operation that this one names.
create function context_ops.drop_reasons(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted k set kept = jsonb_set(k.kept, '{reasons}',
      (k.kept -> 'reasons') - array(select r.key from jsonb_object_keys(k.kept -> 'reasons') r (key)
        join context_ops.operations o on o.tenant_id = tenant and o.operation_id = r.key::uuid
          and o.scope_uuid = k.scope_uuid
        join context_ops.redacted d on d.tenant_id = tenant and d.redaction_uuid = redaction
          and d.uuid = any (array[o.uuid, o.root_uuid, o.operation_id])))
    where k.tenant_id = tenant and k.redaction_uuid <> redaction and k.kept ? 'reasons';
end
$body$;

-- What another redaction names as well is kept with that one, unless it is erased.
create function context_ops.hand_over_reasons(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  item record;
begin
  for item in select d.copy, d.uuid, d.scope_uuid, r.key, r.value from context_ops.redacted d
    cross join lateral jsonb_each(d.kept -> 'reasons') r
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.kept ? 'reasons'
      and exists (select from context_ops.redacted e join context_ops.operations o
        on o.tenant_id = tenant and o.scope_uuid = d.scope_uuid and o.operation_id = r.key::uuid
          and e.uuid = any (array[o.uuid, o.root_uuid, o.operation_id])
        where e.tenant_id = tenant and e.redaction_uuid <> redaction
          and e.scope_uuid = d.scope_uuid)
  loop
    update context_ops.redacted e set kept = jsonb_set(coalesce(e.kept, '{}'), '{reasons}',
        coalesce(e.kept -> 'reasons', '{}') || jsonb_build_object(item.key, item.value))
      where e.tenant_id = tenant and (e.redaction_uuid, e.copy, e.uuid) = (
        select n.redaction_uuid, n.copy, n.uuid from context_ops.redacted n
        join context_ops.operations o on o.tenant_id = tenant and o.scope_uuid = item.scope_uuid
          and o.operation_id = item.key::uuid
          and n.uuid = any (array[o.uuid, o.root_uuid, o.operation_id])
        join context_ops.redactions w on w.tenant_id = tenant
          and w.redaction_uuid = n.redaction_uuid
        where n.tenant_id = tenant and n.redaction_uuid <> redaction
          and n.scope_uuid = item.scope_uuid
        order by w.state = 'erased' desc, n.redaction_uuid, n.copy, n.uuid limit 1)
      and exists (select from context_ops.redactions w where w.tenant_id = tenant
        and w.redaction_uuid = e.redaction_uuid and w.state = 'suppressed');
    update context_ops.redacted d set kept = d.kept #- array['reasons', item.key]
      where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = item.copy
        and d.uuid = item.uuid;
  end loop;
end
$body$;

revoke execute on function context_ops.name_reasons(text, uuid, jsonb),
  context_ops.drop_reasons(text, uuid), context_ops.hand_over_reasons(text, uuid) from public;
grant execute on function context_ops.name_reasons(text, uuid, jsonb),
  context_ops.drop_reasons(text, uuid), context_ops.hand_over_reasons(text, uuid)
  to contextengine_eraser;

do $functions$
declare
  item   record;
  was    text;
  now_is text;
begin
  for item in select * from (values
    ('name_copies(text, uuid, jsonb)', 'name_reasons(tenant, redaction, asked)'),
    ('restore_copies(text, uuid, timestamptz)', 'hand_over_reasons(tenant, redaction)'),
    ('blank_copies(text, uuid)', 'drop_reasons(tenant, redaction)')) v (target, first) loop
    was := pg_get_functiondef(('context_ops.' || item.target)::regprocedure);
    now_is := regexp_replace(was, '\nbegin\n',
      E'\nbegin\n  perform context_ops.' || item.first || E';\n');
    if now_is = was then raise exception '% is not as it was left', item.target; end if;
    execute now_is;
  end loop;
end
$functions$;

reset role;
