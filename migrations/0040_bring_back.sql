-- What was forgotten comes back, as long as its grace period lasts: rows are live again, with their
-- words; copies say again what they said. What was taken from them meanwhile is kept beside
-- their ids (`redacted.kept`), for nobody but the eraser, until it is erased or brought back.
--
-- It is refused as a whole (CE010 when it is erased, or due) where the place of a row was taken
-- since, or a source of it was lost since: a row of which no source stands is never shown, and the
-- times of one fact never overlap. The caller is given what is in the way.
set local role contextengine_owner;

alter table context_ops.redactions add column brought_back_at timestamptz;

-- The versions that came back, for projections that hold them no more, by the policy epoch from
-- which on they are there. Ids alone.
create table context_ops.returned (
  tenant_id      text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  policy_epoch   bigint not null,
  uuid           uuid not null,
  redaction_uuid uuid not null,
  table_name     text not null check (table_name in ('blocks', 'subtree_summaries',
    'memory_open_set', 'memory_schema_typed', 'context_links')),
  scope_uuid     uuid not null,
  root_uuid      uuid not null,
  primary key (tenant_id, policy_epoch, uuid)
);
select context_ops.seal_table('context_ops.returned', true);
grant select on context_ops.returned to contextengine_app;
grant select, insert on context_ops.returned to contextengine_eraser;
grant update (brought_back_at) on context_ops.redactions to contextengine_eraser;
grant delete on context_ops.redacted to contextengine_eraser;
grant update (done_seq) on context_ops.embedding_progress to contextengine_eraser;
grant execute on function context_ops.standing_among(text, uuid[]),
  context_ops.states_of(text, uuid[]), context_ops.is_replaced(text, uuid, bigint)
  to contextengine_eraser;

-- What leaves a copy when it is forgotten, but for receipts, whose words `mask_receipts` keeps.
create function context_ops.keep_copies(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted d set kept = jsonb_build_object('reasons', k.reasons)
    from (select e.copy, e.uuid, jsonb_object_agg(o.operation_id, o.reason) as reasons
      from context_ops.redacted e join context_ops.operations o on o.tenant_id = tenant
        and o.scope_uuid = e.scope_uuid and e.uuid in (o.uuid, o.root_uuid)
      where e.tenant_id = tenant and e.redaction_uuid = redaction and o.reason is not null
      group by e.copy, e.uuid) k
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = k.copy
      and d.uuid = k.uuid;
  update context_ops.redacted d set kept = jsonb_build_object('state', p.state)
    from context_ops.proposals p where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'proposals' and p.tenant_id = tenant and p.proposal_uuid = d.uuid
      and p.state = 'pending' and not p.is_suppressed;
end
$body$;

-- Named by another redaction as well that is not brought back: it stays as it is, and what was
-- kept of it with that one.
create function context_ops.hand_over(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted o set kept = d.kept || coalesce(o.kept, '{}')
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.kept is not null and o.tenant_id = tenant and o.copy = d.copy and o.uuid = d.uuid
      and o.redaction_uuid = (select min(e.redaction_uuid::text)::uuid from context_ops.redacted e
        join context_ops.redactions n on n.tenant_id = tenant
          and n.redaction_uuid = e.redaction_uuid and n.state = 'suppressed'
        where e.tenant_id = tenant and e.redaction_uuid <> redaction and e.copy = d.copy
          and e.uuid = d.uuid);
  delete from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
    and exists (select from context_ops.redacted e where e.tenant_id = tenant and e.copy = d.copy
      and e.uuid = d.uuid and e.redaction_uuid <> redaction);
end
$body$;

-- Operations that wrote what is believed now where a row would stand again.
create function context_ops.in_the_way(tenant text, coming uuid[]) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  ledger text;
  those  jsonb;
  named  jsonb := '[]';
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('select coalesce(jsonb_agg(distinct jsonb_build_object(''operation_id'',
        case o.operation when ''RETURN'' then o.caused_by else o.operation_id end,
        ''scope'', o.scope_uuid)), ''[]'')
      from context.%1$I v join context.%1$I r on r.tenant_id = $1 and r.scope_uuid = v.scope_uuid
        and r.retired_seq is null and r.status = ''live'' and (r.root_uuid = v.root_uuid %2$s)
        and (v.valid_until is null or r.valid_from < v.valid_until)
        and (r.valid_until is null or v.valid_from < r.valid_until)
      join context_ops.operations o on o.tenant_id = $1 and o.scope_uuid = r.scope_uuid
        and o.seq = r.recorded_seq and o.root_uuid = r.root_uuid
      where v.tenant_id = $1 and v.uuid = any ($2)', ledger,
      case ledger when 'memory_schema_typed' then 'or r.cardinality = ''one''
        and v.cardinality = ''one'' and r.subject = v.subject and r.collection = v.collection
        and r.property = v.property' else '' end) into those using tenant, coming;
    named := named || those;
  end loop;
  return named;
end
$body$;

-- Receipts, proposals, artifacts and reasons of the journal say again what they said. A proposal
-- waits again unless it is late, or another one of the same waits in its place.
create function context_ops.restore_copies(tenant text, redaction uuid, at timestamptz)
  returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.receipts c set receipt = (c.receipt - 'is_masked') || d.kept
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'receipts' and d.kept is not null and c.tenant_id = tenant
      and c.composition_id = d.uuid;
  update context_ops.operations o set reason = k.reason
    from (select d.scope_uuid, r.key::uuid as operation_id, r.value as reason
      from context_ops.redacted d cross join lateral jsonb_each_text(d.kept -> 'reasons') r
      where d.tenant_id = tenant and d.redaction_uuid = redaction and d.kept ? 'reasons') k
    where o.tenant_id = tenant and o.scope_uuid = k.scope_uuid
      and o.operation_id = k.operation_id and o.reason is null;
  update context_ops.artifacts a set is_suppressed = false from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'artifacts'
      and a.tenant_id = tenant and a.digest = d.digest;
  update context_ops.proposals p set is_suppressed = false from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'proposals'
      and p.tenant_id = tenant and p.proposal_uuid = d.uuid;
  update context_ops.proposals p set state = 'pending', settled_at = null
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'proposals' and d.kept ->> 'state' = 'pending' and p.tenant_id = tenant
      and p.proposal_uuid = d.uuid and p.lapses_at > clock_timestamp()
      and p.expires_at > restore_copies.at and not exists (
        select from context_ops.proposals o where o.tenant_id = tenant and o.state = 'pending'
          and o.fingerprint = p.fingerprint and o.proposal_uuid <> p.proposal_uuid);
end
$body$;

-- {redaction, scopes, at, principal, on_behalf_of, tier}; `scopes`: those held, null = all. Gives
-- {redaction, epoch}, or what is in the way: {taken: [{operation_id, scope}]} or {lost: true}; then
-- nothing was changed. Again, it gives the redaction as it is, without an epoch. The same
-- transaction gives the words back with `return_postings`.
create function context_ops.bring_back(tenant text, asked jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  redaction constant uuid := (asked ->> 'redaction')::uuid;
  at        constant timestamptz := (asked ->> 'at')::timestamptz;
  scopes    constant uuid[] := case when jsonb_typeof(asked -> 'scopes') = 'array'
    then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end;
  coming  uuid[];
  derived jsonb;
  locked  uuid[] := '{}';
  touched uuid[];
  taken   jsonb;
  held    context_ops.redactions;
  moved   bigint;
  item    record;
  ledger  text;
begin
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '*', true);
  perform pg_advisory_xact_lock(hashtextextended('contextengine.erasure.' || tenant, 0));
  select r.* into held from context_ops.redactions r
    where r.tenant_id = tenant and r.redaction_uuid = redaction for update;
  if held.redaction_uuid is null or scopes is not null and (
    held.target_kind = 'tenant'
    or exists (select from context_ops.redacted d where d.tenant_id = tenant
        and d.redaction_uuid = redaction and (d.scope_uuid = any (scopes)) is not true)
    or exists (select from context_ops.returned d where d.tenant_id = tenant
        and d.redaction_uuid = redaction and d.scope_uuid <> all (scopes))) then
    raise exception 'No such redaction' using errcode = 'CE009';
  end if;
  if held.state = 'brought_back' then
    return jsonb_build_object('redaction', to_jsonb(held));
  end if;
  if held.state = 'erased' or held.erase_after <= at then
    raise exception 'What it named %', case held.state when 'erased' then 'is erased'
      else 'is to be erased: its grace period is over' end using errcode = 'CE010';
  end if;
  coming := array(select d.uuid from context_ops.redacted d where d.tenant_id = tenant
    and d.redaction_uuid = redaction and d.copy not in ('receipts', 'proposals', 'artifacts')
    and not exists (select from context_ops.redacted e join context_ops.redactions n
      on n.tenant_id = tenant and n.redaction_uuid = e.redaction_uuid and n.state <> 'brought_back'
      where e.tenant_id = tenant and e.uuid = d.uuid and e.copy = d.copy
        and e.redaction_uuid <> redaction));
  coming := array(select s.uuid from context_ops.states_of(tenant, coming) s
    where s.status = 'suppressed');
  -- Nobody writes where it comes back, nor where its sources lie.
  loop
    derived := context_ops.standing_among(tenant, array(select s.uuid
      from context_ops.states_of(tenant, coming) s where s.retired_seq is null));
    touched := array(select distinct s from (
      select jsonb_array_elements_text(derived -> 'scopes')::uuid as s
      union select d.scope_uuid from context_ops.redacted d
        where d.tenant_id = tenant and d.redaction_uuid = redaction and d.uuid = any (coming)) u
      order by s);
    exit when touched <@ locked;
    perform from context_ops.scope_heads h where h.tenant_id = tenant
      and h.scope_uuid = any (touched) order by h.scope_uuid for update;
    locked := locked || touched;
  end loop;
  taken := context_ops.in_the_way(tenant, array(select s.uuid
    from context_ops.states_of(tenant, coming) s where s.retired_seq is null));
  if taken <> '[]' then return jsonb_build_object('taken', taken); end if;
  if jsonb_array_length(derived -> 'standing') < (select count(*)
    from context_ops.states_of(tenant, coming) s where s.retired_seq is null) then
    return jsonb_build_object('lost', true);
  end if;

  perform context_ops.hand_over(tenant, redaction);
  insert into context_ops.policy_epochs as e (tenant_id, epoch) values (tenant, 1)
    on conflict (tenant_id) do update set epoch = e.epoch + 1 returning e.epoch into moved;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('with back as (
        update context.%1$I r set status = ''live'' where r.tenant_id = $1 and r.uuid = any ($2)
          and r.status = ''suppressed'' returning r.uuid, r.scope_uuid, r.root_uuid)
      insert into context_ops.returned (tenant_id, policy_epoch, uuid, redaction_uuid, table_name,
        scope_uuid, root_uuid)
      select $1, $3, b.uuid, $4, %1$L, b.scope_uuid, b.root_uuid from back b', ledger)
      using tenant, coming, moved, redaction;
  end loop;
  perform context_ops.restore_copies(tenant, redaction, at);
  -- Vectors are made again.
  for item in select s.scope, min(s.recorded_seq) as first
    from context_ops.states_of(tenant, coming) s group by s.scope
  loop
    update context_ops.embedding_progress p set done_seq = item.first - 1
      where p.tenant_id = tenant and p.scope_uuid = item.scope and p.done_seq >= item.first;
  end loop;
  delete from context_ops.redacted_texts t
    where t.tenant_id = tenant and t.redaction_uuid = redaction;
  delete from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction;
  delete from context.compose_cache c where c.tenant_id = tenant;
  update context_ops.redactions r set state = 'brought_back', brought_back_at = at
    where r.tenant_id = tenant and r.redaction_uuid = redaction returning r.* into held;
  perform context_ops.append_erasure(tenant, jsonb_build_array(jsonb_build_object(
    'at', asked -> 'at', 'principal', asked -> 'principal', 'on_behalf_of', asked -> 'on_behalf_of',
    'action', 'bring_back.' || held.target_kind, 'scope_uuid', null, 'decision', 'allowed',
    'tier', asked -> 'tier', 'detail', redaction)));
  return jsonb_build_object('redaction', to_jsonb(held), 'epoch', moved);
end
$body$;

-- Words of rows that came back in this transaction, as `add_postings` takes them: behind those that
-- are there, so that a term is numbered without a gap.
create function context_ops.return_postings(tenant text, ledger text, texts jsonb, rules integer)
  returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  perform context_ops.assert_rules(rules);
  if exists (select from jsonb_to_recordset(texts) t(scope uuid, uuid uuid)
    where not exists (select from context_ops.returned b where b.tenant_id = tenant
        and b.uuid = t.uuid and b.scope_uuid = t.scope and b.table_name = ledger)
      or exists (select from context_ops.postings p where p.tenant_id = tenant
        and p.scope_uuid = t.scope and p.owner_table = ledger and p.owner_uuid = t.uuid)) then
    raise exception 'A text did not come back, or has its words' using errcode = 'CE001';
  end if;
  perform context_ops.insert_postings(tenant, ledger, texts);
end
$body$;

revoke execute on function context_ops.keep_copies(text, uuid), context_ops.hand_over(text, uuid),
  context_ops.in_the_way(text, uuid[]), context_ops.restore_copies(text, uuid, timestamptz),
  context_ops.bring_back(text, jsonb), context_ops.return_postings(text, text, jsonb, integer)
  from public;
grant execute on function context_ops.keep_copies(text, uuid), context_ops.hand_over(text, uuid),
  context_ops.in_the_way(text, uuid[]), context_ops.restore_copies(text, uuid, timestamptz),
  context_ops.bring_back(text, jsonb), context_ops.return_postings(text, text, jsonb, integer)
  to contextengine_eraser;

-- They are the eraser's own.
grant create on schema context_ops to contextengine_eraser;
alter function context_ops.bring_back(text, jsonb) owner to contextengine_eraser;
set local role contextengine_eraser;
do $forget$
declare
  was    constant text := pg_get_functiondef('context_ops.forget(text, jsonb)'::regprocedure);
  now_is constant text := replace(was, 'perform context_ops.mask_receipts(tenant, redaction);',
    'perform context_ops.mask_receipts(tenant, redaction);' || chr(10)
    || '  perform context_ops.keep_copies(tenant, redaction);');
begin
  if now_is = was then raise exception 'forget is not as 0027_late_copies left it'; end if;
  execute now_is;
end
$forget$;
set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
reset role;
