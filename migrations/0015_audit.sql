-- The audit is a chain: every entry has a number of its tenant and the digest of the entry before
-- it, so that an edited, removed, added or moved entry is found at its number
-- (src/permission/verify-audit.ts reads the chain by itself). Entries come through sealed functions
-- alone: the application role reads the table and cannot write it.
--
-- The head of the chain is one row of the tenant. Whoever appends holds its lock until the end of the
-- transaction and takes it last, after the heads of scopes: writes that audit nothing never meet it.
set local role contextengine_owner;

create table context_ops.audit_chains (
  tenant_id text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  seq       bigint not null default 0 check (seq >= 0),
  digest    text not null default repeat('0', 64) check (length(digest) = 64),
  primary key (tenant_id)
);

-- What src/model/audit.ts says, byte for byte: each field with its length, so that no two entries
-- have one text. `-` = null.
create function context_ops.audit_digest(previous text, tenant text, seq bigint,
  entry jsonb) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return encode(sha256(convert_to(previous || (
    select string_agg(coalesce(octet_length(f.value) || ':' || f.value, '-'), ',' order by f.ord)
    from unnest(array[tenant, seq::text, entry ->> 'at', entry ->> 'principal',
      entry ->> 'on_behalf_of', entry ->> 'action', entry ->> 'scope_uuid', entry ->> 'decision',
      entry ->> 'tier', entry ->> 'detail']) with ordinality f(value, ord)), 'UTF8')), 'hex');
end
$body$;

alter table context_ops.audit no force row level security;
alter table context_ops.audit_chains owner to contextengine_owner;
alter table context_ops.audit disable trigger user;
alter table context_ops.audit
  drop constraint audit_decision_check,
  add column on_behalf_of text,
  add column seq bigint,
  add column previous text,
  add column digest text;

-- In UTC with milliseconds, as an instant is written.
create function context_ops.audit_time(at timestamptz) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$body$;

-- What was audited before has no order but its time. An entry of a time that no instant has gets the
-- nearest that there is.
do $chain$
declare
  entry context_ops.audit;
  head  context_ops.audit_chains;
  time  timestamptz;
begin
  for entry in select a.* from context_ops.audit a order by a.tenant_id, a.at, a.entry_id loop
    if head.tenant_id is distinct from entry.tenant_id then
      insert into context_ops.audit_chains (tenant_id) values (entry.tenant_id) returning * into head;
    end if;
    time := date_trunc('milliseconds', least(greatest(entry.at, '0001-01-01Z'), '9999-12-31Z'));
    update context_ops.audit a set seq = head.seq + 1, at = time, previous = head.digest,
      digest = context_ops.audit_digest(head.digest, a.tenant_id, head.seq + 1, to_jsonb(a)
        || jsonb_build_object('at', context_ops.audit_time(time)))
      where a.tenant_id = entry.tenant_id and a.entry_id = entry.entry_id
      returning a.seq, a.digest into head.seq, head.digest;
    update context_ops.audit_chains c set seq = head.seq, digest = head.digest
      where c.tenant_id = head.tenant_id;
  end loop;
end
$chain$;

alter table context_ops.audit
  drop constraint audit_pkey,
  drop column entry_id,
  alter column seq set not null,
  alter column previous set not null,
  alter column digest set not null,
  add primary key (tenant_id, seq),
  add constraint decision_is_known check (decision in
    ('denied', 'allowed', 'proposed', 'approved', 'rejected', 'expired', 'conflict')),
  add constraint entry_is_short check (length(principal) between 1 and 200
    and length(on_behalf_of) <= 200 and length(action) between 1 and 100 and length(tier) <= 20
    and length(detail) <= 300 and isfinite(at)) not valid;
drop index context_ops.audit_time;
alter table context_ops.audit enable trigger user;
alter table context_ops.audit force row level security;

-- Called by the sealed functions: nobody else may execute it.
create function context_ops.chain_audit(tenant text, entries jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  head  context_ops.audit_chains;
  entry jsonb;
  time  timestamptz;
begin
  if jsonb_array_length(entries) = 0 then return; end if;
  if jsonb_array_length(entries) > 1000 then
    raise exception 'More than 1,000 entries at once' using errcode = 'CE001';
  end if;
  select c.* into head from context_ops.audit_chains c where c.tenant_id = tenant for update;
  if not found then
    insert into context_ops.audit_chains (tenant_id) values (tenant) on conflict do nothing;
    select c.* into head from context_ops.audit_chains c where c.tenant_id = tenant for update;
  end if;
  for entry in select e.value from jsonb_array_elements(entries) with ordinality e(value, ord)
    order by e.ord loop
    time := date_trunc('milliseconds', (entry ->> 'at')::timestamptz);
    entry := entry || jsonb_build_object('at', context_ops.audit_time(time),
      'scope_uuid', (entry ->> 'scope_uuid')::uuid);
    insert into context_ops.audit (tenant_id, seq, at, principal, on_behalf_of, action, scope_uuid,
      decision, tier, detail, previous, digest)
      values (tenant, head.seq + 1, time, entry ->> 'principal', entry ->> 'on_behalf_of',
        entry ->> 'action', (entry ->> 'scope_uuid')::uuid, entry ->> 'decision', entry ->> 'tier',
        entry ->> 'detail', head.digest,
        context_ops.audit_digest(head.digest, tenant, head.seq + 1, entry))
      returning seq, digest into head.seq, head.digest;
  end loop;
  update context_ops.audit_chains c set seq = head.seq, digest = head.digest
    where c.tenant_id = tenant;
end
$body$;

-- What the engine tells of. Approvals are told by the functions that check them.
create function context_ops.append_audit(tenant text, entries jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if exists (select from jsonb_array_elements(entries) e
    where e ->> 'decision' not in ('denied', 'allowed') or e ->> 'action' like 'approvals.%'
      and e ->> 'decision' <> 'denied') then
    raise exception 'An approval is audited by the function that checks it' using errcode = 'CE001';
  end if;
  perform context_ops.chain_audit(tenant, entries);
end
$body$;

-- A refusal in one round trip and one commit: nothing else was to be committed with it.
create function context.audit(tenant text, entries jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '', true);
  perform context_ops.append_audit(tenant, entries);
end
$body$;

select context_ops.seal_table('context_ops.audit_chains', false);
revoke insert on context_ops.audit from contextengine_app;
grant select on context_ops.audit_chains to contextengine_app;
create trigger no_truncate before truncate on context_ops.audit_chains
  for each statement execute function context_ops.refuse_change();
create trigger no_delete before delete on context_ops.audit_chains
  for each statement execute function context_ops.refuse_change();

revoke execute on function context_ops.audit_digest(text, text, bigint, jsonb),
  context_ops.audit_time(timestamptz), context_ops.chain_audit(text, jsonb),
  context_ops.append_audit(text, jsonb), context.audit(text, jsonb) from public;
grant execute on function context_ops.append_audit(text, jsonb), context.audit(text, jsonb)
  to contextengine_app;
reset role;
