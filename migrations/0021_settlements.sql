-- What an attack on approvals found: a signature serves in the database that it was asked in; who
-- approves a change of rights holds what it gives; a settlement is judged before its write is tried;
-- a proposer has at most 100 proposals that wait; a session sees a proposal where it holds all of
-- its scopes; what the application role says to the audit has the time of this server beside it.
set local role contextengine_owner;

-- Made when it is first asked for: a database that comes of a template, or of the package's seed,
-- then has one of its own.
create table context_ops.database_ids (
  tenant_id text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  random_id uuid not null default gen_random_uuid(),
  primary key (tenant_id)
);
select context_ops.seal_table('context_ops.database_ids', false);
grant select on context_ops.database_ids to contextengine_app;

-- A copy by template has another oid, one by dump and restore another cluster or oid.
create function context_ops.database_id(tenant text) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  insert into context_ops.database_ids (tenant_id) values (tenant) on conflict do nothing;
  return (select encode(sha256(convert_to(i.random_id || ':' || c.system_identifier || ':' || d.oid,
      'UTF8')), 'hex')
    from context_ops.database_ids i, pg_control_system() c, pg_database d
    where i.tenant_id = tenant and d.datname = current_database());
end
$body$;

create function context_ops.tier_rank(kind text, tiers jsonb, key text) returns integer
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return array_position(array['T1', 'T2', 'T3', 'excluded'], coalesce(tiers ->> key,
    case when key = 'reads' or key = 'writes' and kind <> 'agent' then 'T1'
      when key = 'writes' then 'T2' else 'T3' end));
end
$body$;

-- `stored` holds at least what the principal of the change holds after it: what `set` gives it, and
-- what it has where it is enabled or can approve by a new key. Taking away needs nothing.
create function context_ops.holds_what_changes(stored context_ops.principal_rights, change jsonb)
  returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
declare
  kind  text := change ->> 'kind';
  tiers jsonb := coalesce(change -> 'tiers', '{}');
begin
  if change ->> 'action' not in ('set', 'enable', 'add_key') then return true; end if;
  if change ->> 'action' <> 'set' then
    select r.kind, r.tiers into kind, tiers from context_ops.principal_rights r
      where r.tenant_id = stored.tenant_id and r.principal = change ->> 'principal';
    if not found then return true; end if; -- refused where it is applied
  end if;
  return stored.all_scopes and not exists (
    select from unnest(array['reads', 'writes', 'cross_scope', 'deletes', 'grants', 'redactions',
      'approvals']) k
    where context_ops.tier_rank(kind, tiers, k)
      < context_ops.tier_rank(stored.kind, stored.tiers, k));
end
$body$;

create index proposals_of_proposer on context_ops.proposals (tenant_id, proposer)
  where state = 'pending';
create policy all_scopes on context_ops.proposals as restrictive for select using (
  (select current_setting('contextengine.scopes', true)) = '*'
  or scopes <@ (select string_to_array(nullif(nullif(current_setting('contextengine.scopes', true),
    ''), '*'), ','))::uuid[]);

create or replace function context_ops.check_approval(held context_ops.proposals, settlement jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  who    constant text := settlement ->> 'principal';
  stored context_ops.principal_rights;
  key    context_ops.principal_keys;
  -- Rights come from the table alone; a claim cannot add any here.
  may_review boolean;
  -- The human of an embedded folder, of whom nothing is stored.
  is_owner   boolean;
begin
  if held.lapses_at <= clock_timestamp()
    or held.expires_at <= (settlement ->> 'at')::timestamptz then
    raise exception 'The proposal has expired' using errcode = 'CE006';
  end if;
  if who is null or who = held.proposer or who is not distinct from held.on_behalf_of
    or who is not distinct from (held.action::jsonb #>> '{change,principal}')
    or settlement ->> 'on_behalf_of' is not null or settlement ->> 'kind' = 'agent' then
    raise exception 'Another person or service approves' using errcode = 'CE005';
  end if;
  if exists (select from context_ops.principal_rights r where r.tenant_id = held.tenant_id
    and r.is_disabled and r.principal in (held.proposer, held.on_behalf_of)) then
    raise exception 'The proposer is disabled' using errcode = 'CE005';
  end if;
  select r.* into stored from context_ops.principal_rights r
    where r.tenant_id = held.tenant_id and r.principal = who;
  is_owner := stored.principal is null and coalesce(settlement ->> 'is_owner' = 'true', false)
    and exists (select from pg_roles r where r.rolname = session_user and r.rolsuper);
  may_review := stored.principal is not null and not stored.is_disabled and stored.kind <> 'agent'
    and stored.tiers ->> 'approvals' is distinct from 'excluded'
    and (stored.all_scopes or held.kind <> 'rights' and cardinality(held.scopes) > 0
      and held.scopes <@ stored.scopes);
  if settlement ->> 'decision' = 'reject' then
    if not coalesce(may_review, false) and not is_owner then
      raise exception 'The reviewer does not hold approvals here' using errcode = 'CE005';
    end if;
    return;
  end if;
  -- What the proposer has lost since, nobody gives back by approving it.
  if exists (select from context_ops.principal_rights r where r.tenant_id = held.tenant_id
    and r.principal in (held.proposer, held.on_behalf_of)
    and (r.tiers ->> (held.action::jsonb ->> 'key') = 'excluded'
      or held.kind = 'read' and not (r.all_scopes or held.scopes <@ r.scopes))) then
    raise exception 'The proposer does not hold it any more' using errcode = 'CE005';
  end if;
  if settlement ->> 'signature' is not null or held.tier = 'T3' or held.kind = 'rights' then
    if not coalesce(may_review, false) then
      raise exception 'The approver does not hold approvals here' using errcode = 'CE005';
    end if;
    -- A change of rights by who does not hold them would be a way to more than they hold.
    if held.kind = 'rights' and not context_ops.holds_what_changes(stored,
      held.action::jsonb -> 'change') then
      raise exception 'The approver holds less than the principal' using errcode = 'CE005';
    end if;
    -- A copy of a database has the same rows and keys: what was asked there is not asked here.
    if held.action::jsonb ->> 'database' is distinct from context_ops.database_id(held.tenant_id) then
      raise exception 'The proposal was made in another database, or by an earlier version'
        using errcode = 'CE007';
    end if;
    select k.* into key from context_ops.principal_keys k where k.tenant_id = held.tenant_id
      and k.key_id = settlement ->> 'key_id' and k.principal = who and not k.is_revoked;
    if not found or settlement ->> 'signature' is null
      or settlement ->> 'signature' !~ '^[0-9a-f]{128}$' or not context_ops.is_signed_by(
        key.public_key, convert_to('contextengine approval v1 ' || held.digest, 'UTF8'),
        decode(settlement ->> 'signature', 'hex')) then
      raise exception 'No signature of a registered key over this proposal' using errcode = 'CE007';
    end if;
  elsif not coalesce(may_review and stored.tiers ->> 'approvals' = 'T1', false)
    and not is_owner then
    raise exception 'The reviewer does not hold approvals here' using errcode = 'CE005';
  end if;
end
$body$;

create or replace function context_ops.propose(tenant text, proposal jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  said  constant jsonb := (proposal ->> 'action')::jsonb;
  made  context_ops.proposals;
  lapsed record;
  at    constant timestamptz := (said ->> 'proposed_at')::timestamptz;
begin
  if said ->> 'tenant' is distinct from tenant
    or not (said ?& array['proposal', 'kind', 'tier', 'proposer', 'scopes', 'expires_at']) then
    raise exception 'A proposal names its tenant, its proposer and its end' using errcode = 'CE001';
  end if;
  -- Whoever may call this says the tier; a right takes a signature whatever they say.
  if said ->> 'kind' = 'rights' and (said ->> 'tier' <> 'T3' or said -> 'scopes' <> '[]') then
    raise exception 'A change of rights is T3, of the whole tenant' using errcode = 'CE001';
  end if;
  for lapsed in
    update context_ops.proposals p set state = 'expired', settled_at = at
    where p.tenant_id = tenant and p.fingerprint = proposal ->> 'fingerprint'
      and p.state = 'pending' and (p.lapses_at <= clock_timestamp() or p.expires_at <= at)
    returning p.proposal_uuid, p.scope_uuid, p.tier, p.proposer
  loop
    perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object('at', at,
      'principal', lapsed.proposer, 'action', 'approvals.expire', 'scope_uuid', lapsed.scope_uuid,
      'decision', 'expired', 'tier', lapsed.tier, 'detail', lapsed.proposal_uuid)));
  end loop;
  -- One after the other for a proposer, so that none passes the limit.
  perform pg_advisory_xact_lock(hashtextextended(jsonb_build_array(tenant, said -> 'proposer')::text, 17));
  if (select count(*) >= 100 from context_ops.proposals p where p.tenant_id = tenant
      and p.proposer = said ->> 'proposer' and p.state = 'pending'
      and p.lapses_at > clock_timestamp() and p.expires_at > at)
    and not exists (select from context_ops.proposals p where p.tenant_id = tenant
      and p.fingerprint = proposal ->> 'fingerprint' and p.state = 'pending') then
    raise exception '100 proposals of % wait already', said ->> 'proposer' using errcode = 'CE012';
  end if;
  insert into context_ops.proposals (tenant_id, proposal_uuid, scope_uuid, scopes, kind, tier,
      proposer, on_behalf_of, fingerprint, action, digest, proposed_at, expires_at, lapses_at)
    values (tenant, (said ->> 'proposal')::uuid, (said #>> '{scopes,0}')::uuid,
      array(select jsonb_array_elements_text(said -> 'scopes')::uuid), said ->> 'kind',
      said ->> 'tier', said ->> 'proposer', said ->> 'on_behalf_of', proposal ->> 'fingerprint',
      proposal ->> 'action', proposal ->> 'digest', at, (said ->> 'expires_at')::timestamptz,
      clock_timestamp() + ((said ->> 'expires_at')::timestamptz - at))
    on conflict (tenant_id, fingerprint) where state = 'pending' do nothing returning * into made;
  if made.proposal_uuid is null then
    select p.* into made from context_ops.proposals p where p.tenant_id = tenant
      and p.fingerprint = proposal ->> 'fingerprint' and p.state = 'pending';
  else
    perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object('at', at,
      'principal', made.proposer, 'on_behalf_of', made.on_behalf_of,
      'action', (said ->> 'kind') || '.' || coalesce(said ->> 'key', ''),
      'scope_uuid', made.scope_uuid, 'decision', 'proposed', 'tier', made.tier,
      'detail', made.proposal_uuid)));
  end if;
  return to_jsonb(made);
end
$body$;

-- The versions of a root that are believed and go on: what a link to it was judged against.
create function context_ops.standing_versions(tenant text, root uuid) returns uuid[]
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
begin
  return array(
    select v.uuid from (
      select r.uuid from context.blocks r where r.tenant_id = tenant and r.root_uuid = root
        and r.status = 'live' and r.retired_seq is null and r.closed_seq is null
      union all select r.uuid from context.subtree_summaries r where r.tenant_id = tenant
        and r.root_uuid = root and r.status = 'live' and r.retired_seq is null and r.closed_seq is null
      union all select r.uuid from context.memory_open_set r where r.tenant_id = tenant
        and r.root_uuid = root and r.status = 'live' and r.retired_seq is null and r.closed_seq is null
      union all select r.uuid from context.memory_schema_typed r where r.tenant_id = tenant
        and r.root_uuid = root and r.status = 'live' and r.retired_seq is null and r.closed_seq is null
      union all select r.uuid from context.context_links r where r.tenant_id = tenant
        and r.root_uuid = root and r.status = 'live' and r.retired_seq is null and r.closed_seq is null
    ) v order by v.uuid);
end
$body$;

-- The proposal under its lock, and whether what it links to, or a scope that it ends, has moved.
-- Who settles it is judged here, before anything of it is tried: a refusal tells nothing of the
-- write.
create function context_ops.begin_settlement(tenant text, id uuid, settlement jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  held   context_ops.proposals;
  action jsonb;
  moved  boolean;
begin
  select p.* into held from context_ops.proposals p
    where p.tenant_id = tenant and p.proposal_uuid = id for update;
  if not found then return null; end if;
  action := held.action::jsonb;
  if held.state = 'pending' and (settlement ->> 'decision' <> 'reject'
      or settlement ->> 'principal' is distinct from held.proposer
      or settlement ->> 'on_behalf_of' is distinct from held.on_behalf_of) then
    perform context_ops.check_approval(held, settlement);
  end if;
  -- Of the scopes that are compared nothing is written until the end of this transaction.
  perform from context_ops.scope_heads h where h.tenant_id = tenant and h.scope_uuid in (
      select (e ->> 'scope')::uuid from jsonb_array_elements(coalesce(action -> 'heads', '[]')
        || coalesce(action -> 'targets', '[]')) e)
    order by h.scope_uuid for update;
  moved := exists (select from jsonb_array_elements(coalesce(action -> 'heads', '[]')) e
      where (e ->> 'head')::bigint is distinct from (select h.head from context_ops.scope_heads h
        where h.tenant_id = tenant and h.scope_uuid = (e ->> 'scope')::uuid))
    or exists (select from jsonb_array_elements(coalesce(action -> 'targets', '[]')) e
      where context_ops.standing_versions(tenant, (e ->> 'root_uuid')::uuid)
        is distinct from array(select jsonb_array_elements_text(e -> 'versions')::uuid));
  return jsonb_build_object('proposal', to_jsonb(held), 'has_moved', moved);
end
$body$;
drop function context_ops.lock_proposal(text, uuid);

-- The first principal of a tenant, by the login that migrates: a right that nobody could sign for.
create function context_ops.add_first_principal(tenant text, change jsonb, key jsonb, entry jsonb)
  returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if not exists (select from pg_roles r where r.rolname = session_user and (r.rolsuper
    or pg_has_role(r.oid, 'contextengine_owner', 'member'))) then
    raise exception 'Only the login that migrates adds the first principal' using errcode = 'CE005';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(jsonb_build_array(tenant)::text, 17));
  if exists (select from context_ops.principal_rights r where r.tenant_id = tenant) then
    raise exception 'A principal of the tenant is stored already' using errcode = 'CE008';
  end if;
  perform context_ops.apply_rights(tenant, change);
  if key is not null then perform context_ops.apply_rights(tenant, key); end if;
  perform context_ops.chain_audit(tenant, jsonb_build_array(entry || jsonb_build_object(
    'action', 'principals.first', 'decision', 'allowed', 'tier', 'T1',
    'detail', change ->> 'principal')));
end
$body$;

-- When this server wrote the entry: whoever may append states the time of what happened.
alter table context_ops.audit add column written_at timestamptz;

create or replace function context_ops.audit_digest(previous text, tenant text, seq bigint,
  entry jsonb) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return encode(sha256(convert_to(previous || (
    select string_agg(coalesce(octet_length(f.value) || ':' || f.value, '-'), ',' order by f.ord)
    from unnest(array[tenant, seq::text, entry ->> 'at', entry ->> 'principal',
      entry ->> 'on_behalf_of', entry ->> 'action', entry ->> 'scope_uuid', entry ->> 'decision',
      entry ->> 'tier', entry ->> 'detail']
      -- An entry of an earlier version has none.
      || case when entry ->> 'written_at' is null then '{}' else array[entry ->> 'written_at'] end
    ) with ordinality f(value, ord)), 'UTF8')), 'hex');
end
$body$;

create or replace function context_ops.chain_audit(tenant text, entries jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $body$
declare
  head  context_ops.audit_chains;
  entry jsonb;
  time  timestamptz;
  now   constant timestamptz := date_trunc('milliseconds', clock_timestamp());
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
      'scope_uuid', (entry ->> 'scope_uuid')::uuid, 'written_at', context_ops.audit_time(now));
    insert into context_ops.audit (tenant_id, seq, at, principal, on_behalf_of, action, scope_uuid,
      decision, tier, detail, previous, digest, written_at)
      values (tenant, head.seq + 1, time, entry ->> 'principal', entry ->> 'on_behalf_of',
        entry ->> 'action', (entry ->> 'scope_uuid')::uuid, entry ->> 'decision', entry ->> 'tier',
        entry ->> 'detail', head.digest,
        context_ops.audit_digest(head.digest, tenant, head.seq + 1, entry), now)
      returning seq, digest into head.seq, head.digest;
  end loop;
  update context_ops.audit_chains c set seq = head.seq, digest = head.digest
    where c.tenant_id = tenant;
end
$body$;

-- What the engine tells of: denials, and what it allowed at T1. What needs a second principal, and
-- each change of rights, is told by the function that checks it.
create or replace function context_ops.append_audit(tenant text, entries jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if exists (select from jsonb_array_elements(entries) e
    where not coalesce(e ->> 'action' ~ '^[a-z][a-z_]*(\.[a-z_]+)*$'
      and (e ->> 'decision' = 'denied' or e ->> 'decision' = 'allowed'
        and (e ->> 'tier' = 'T1' or e ->> 'action' ~ '^(forget|erase)\.') and e ->> 'action' !~ '^(approvals|principals|rights)(\.|$)'), false)) then
    raise exception 'This is audited by the function that checks it' using errcode = 'CE001';
  end if;
  perform context_ops.chain_audit(tenant, entries);
end
$body$;

revoke execute on function context_ops.database_id(text),
  context_ops.tier_rank(text, jsonb, text),
  context_ops.holds_what_changes(context_ops.principal_rights, jsonb),
  context_ops.standing_versions(text, uuid), context_ops.begin_settlement(text, uuid, jsonb),
  context_ops.add_first_principal(text, jsonb, jsonb, jsonb) from public;
grant execute on function context_ops.database_id(text),
  context_ops.begin_settlement(text, uuid, jsonb) to contextengine_app;
reset role;
