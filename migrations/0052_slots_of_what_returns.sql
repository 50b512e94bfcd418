-- What comes back takes no slot of a captured fact that another value took meanwhile: as with a
-- typed value, it is refused as a whole, and the operation is named. Facts of one slot exclude each
-- other unless one of them stands beside (`capture_beside`); the same value is there once.
--
-- Two that were in sight together were weighed against each other when the later one was written,
-- and come back as they were. So the head of the scope is kept when a fact goes out of sight and
-- when it comes back: in the way is alone what was written between, or what the row itself was
-- written past. Of what was forgotten before, the head is not known; it comes back as before.
set local role contextengine_owner;

alter table context_ops.redacted add column out_seq bigint;
alter table context_ops.returned add column out_seq bigint, add column back_seq bigint;
create index returned_versions on context_ops.returned (tenant_id, uuid);
grant update (out_seq) on context_ops.redacted to contextengine_eraser;
grant update (out_seq, back_seq) on context_ops.returned to contextengine_eraser;

-- Of what another redaction took out of sight before, the head of then.
create function context_ops.keep_heads(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted d set out_seq = least(h.head, (
      select min(e.out_seq) from context_ops.redacted e where e.tenant_id = tenant
        and e.uuid = d.uuid and e.copy = d.copy and e.redaction_uuid <> redaction))
    from context_ops.scope_heads h where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'memory_open_set' and h.tenant_id = tenant and h.scope_uuid = d.scope_uuid;
end
$body$;

create function context_ops.keep_times_out(tenant text, redaction uuid, epoch bigint) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.returned b set out_seq = d.out_seq, back_seq = h.head
    from context_ops.redacted d, context_ops.scope_heads h
    where b.tenant_id = tenant and b.policy_epoch = epoch and b.table_name = 'memory_open_set'
      and d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'memory_open_set'
      and d.uuid = b.uuid and h.tenant_id = tenant and h.scope_uuid = b.scope_uuid;
end
$body$;

-- Operations that wrote a value of the slot of a fact where it would stand again.
create function context_ops.in_the_slot(tenant text, coming uuid[]) returns jsonb
  language sql stable set search_path = pg_catalog, pg_temp as $body$
  with v as materialized (
    select f.uuid, f.scope_uuid, f.recorded_seq, f.valid_from, f.valid_until, f.subject,
      f.metadata ->> 'capture_slot' as slot, f.metadata -> 'capture_value' as value,
      f.metadata @> '{"capture_beside": true}' as is_beside
    from context.memory_open_set f where f.tenant_id = tenant and f.uuid = any (coming)
      and jsonb_typeof(f.metadata -> 'capture_slot') = 'string'),
  taken as (
    select distinct r.scope_uuid, r.recorded_seq, r.root_uuid
    from v join context.memory_open_set r on r.tenant_id = tenant and r.scope_uuid = v.scope_uuid
      and r.metadata @> jsonb_build_object('capture_slot', v.slot)
      and r.subject is not distinct from v.subject
      and r.retired_seq is null and r.status = 'live'
      and (v.valid_until is null or r.valid_from < v.valid_until)
      and (r.valid_until is null or v.valid_from < r.valid_until)
      and (not (v.is_beside or r.metadata @> '{"capture_beside": true}')
        or r.metadata -> 'capture_value' is not distinct from v.value)
    where exists (
      select from (
        select d.uuid, d.out_seq, null::bigint as back_seq from context_ops.redacted d
          where d.tenant_id = tenant and d.uuid = v.uuid and d.copy = 'memory_open_set'
        union all
        select b.uuid, b.out_seq, b.back_seq from context_ops.returned b
          where b.tenant_id = tenant and b.uuid in (v.uuid, r.uuid)) w
      cross join lateral (select case w.uuid when v.uuid then r.recorded_seq
        else v.recorded_seq end as seq) other
      where w.out_seq < other.seq and (w.back_seq is null or other.seq <= w.back_seq)))
  select coalesce(jsonb_agg(distinct jsonb_build_object('operation_id',
      case o.operation when 'RETURN' then o.caused_by else o.operation_id end,
      'scope', o.scope_uuid)), '[]')
    from taken t join context_ops.operations o on o.tenant_id = tenant
      and o.scope_uuid = t.scope_uuid and o.seq = t.recorded_seq and o.root_uuid = t.root_uuid
$body$;

revoke execute on function context_ops.keep_heads(text, uuid),
  context_ops.keep_times_out(text, uuid, bigint), context_ops.in_the_slot(text, uuid[]) from public;
grant execute on function context_ops.keep_heads(text, uuid),
  context_ops.keep_times_out(text, uuid, bigint), context_ops.in_the_slot(text, uuid[])
  to contextengine_eraser;

-- They are the eraser's own.
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;
do $patched$
declare
  was    text := pg_get_functiondef('context_ops.forget(text, jsonb)'::regprocedure);
  now_is text := replace(was, 'perform context_ops.keep_copies(tenant, redaction);',
    'perform context_ops.keep_copies(tenant, redaction);' || chr(10)
    || '  perform context_ops.keep_heads(tenant, redaction);');
begin
  if now_is = was then raise exception 'forget is not as 0040_bring_back left it'; end if;
  execute now_is;
  was := pg_get_functiondef('context_ops.bring_back(text, jsonb)'::regprocedure);
  now_is := replace(replace(was, $old$  if taken <> '[]' then$old$,
      $new$  taken := (select coalesce(jsonb_agg(distinct t), '[]') from jsonb_array_elements(
    taken || context_ops.in_the_slot(tenant, array(select s.uuid
      from context_ops.states_of(tenant, coming) s where s.retired_seq is null))) t);
  if taken <> '[]' then$new$),
    'perform context_ops.restore_copies(tenant, redaction, at);',
    'perform context_ops.keep_times_out(tenant, redaction, moved);' || chr(10)
    || '  perform context_ops.restore_copies(tenant, redaction, at);');
  if position('in_the_slot' in now_is) = 0 or position('keep_times_out' in now_is) = 0 then
    raise exception 'bring_back is not as 0040_bring_back left it';
  end if;
  execute now_is;
end
$patched$;
set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
reset role;
