-- What waits for a review (T2) or an approval (T3), the keys that approve, and rights that change.
-- The application role reads these tables and writes them through sealed functions alone. What makes
-- an approval is checked here: the signature of a registered key of another principal over the digest
-- of the exact action. So whoever sends SQL as the application role can neither approve, nor register
-- a key, nor change a right.
set local role contextengine_owner;

create table context_ops.principal_keys (
  tenant_id  text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  key_id     text not null check (key_id = encode(sha256(public_key), 'hex')),
  principal  text not null check (length(principal) between 1 and 200),
  public_key bytea not null check (length(public_key) = 32),
  is_revoked boolean not null default false,
  primary key (tenant_id, key_id)
);
create index keys_of_principal on context_ops.principal_keys (tenant_id, principal);

create table context_ops.proposals (
  tenant_id     text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  proposal_uuid uuid not null,
  scope_uuid    uuid,
  scopes        uuid[] not null,
  kind          text not null check (kind in ('write', 'read', 'rights')),
  tier          text not null check (tier in ('T2', 'T3')),
  proposer      text not null check (length(proposer) between 1 and 200),
  on_behalf_of  text check (length(on_behalf_of) <= 200),
  fingerprint   text not null check (length(fingerprint) = 64),
  action        text not null,
  digest        text not null check (digest = encode(sha256(convert_to(action, 'UTF8')), 'hex')),
  state         text not null default 'pending'
    check (state in ('pending', 'approved', 'rejected', 'expired', 'conflict', 'used')),
  proposed_at   timestamptz not null,
  expires_at    timestamptz not null check (expires_at > proposed_at),
  -- By this server's clock, which nobody who sends SQL can set.
  lapses_at     timestamptz not null,
  settled_at    timestamptz,
  settled_by    text,
  key_id        text,
  signature     bytea,
  primary key (tenant_id, proposal_uuid)
);
create unique index proposals_waiting on context_ops.proposals (tenant_id, fingerprint)
  where state = 'pending';
create index proposals_by_time on context_ops.proposals (tenant_id, state, proposed_at desc);
select context_ops.seal_table('context_ops.principal_keys', false),
  context_ops.seal_table('context_ops.proposals', true);
grant select on context_ops.principal_keys, context_ops.proposals to contextengine_app;

-- Ed25519 (RFC 8032), verification alone: what is checked here cannot be claimed by whoever sends SQL.
create function context_ops.le_number(bytes bytea) returns numeric
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  n numeric := 0;
begin
  for i in reverse length(bytes) - 1 .. 0 loop n := n * 256 + get_byte(bytes, i); end loop;
  return n;
end
$body$;

create function context_ops.mod_power(base numeric, exponent numeric, modulus numeric)
  returns numeric
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  n numeric := 1;
  b numeric := mod(base, modulus);
  e numeric := exponent;
begin
  while e > 0 loop
    if mod(e, 2) = 1 then n := mod(n * b, modulus); end if;
    b := mod(b * b, modulus);
    e := div(e, 2);
  end loop;
  return n;
end
$body$;

-- Extended coordinates [x, y, z, t] of a point; the sum of two.
create function context_ops.curve_sum(m numeric[], n numeric[]) returns numeric[]
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  p constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  d constant numeric := 37095705934669439343138083508754565189542113879843219016388785533085940283555;
  a constant numeric := mod((m[2] - m[1]) * (n[2] - n[1]), p);
  b constant numeric := mod((m[2] + m[1]) * (n[2] + n[1]), p);
  c constant numeric := mod(mod(2 * m[4] * n[4], p) * d, p);
  e constant numeric := mod(2 * m[3] * n[3], p);
begin
  return array[mod((b - a) * (e - c), p), mod((e + c) * (b + a), p), mod((e - c) * (e + c), p),
    mod((b - a) * (b + a), p)];
end
$body$;

create function context_ops.is_signed_by(public_key bytea, message bytea, signature bytea)
  returns boolean
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  p  constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  q  constant numeric := 7237005577332262213973186563042994240857116359379907606001950938285454250989;
  d  constant numeric := 37095705934669439343138083508754565189542113879843219016388785533085940283555;
  top constant numeric := 57896044618658097711785492504343953926634992332820282019728792003956564819968;
  half constant numeric := 19681161376707505956807079304988542015446066515923890162744021073123829784752;
  base constant numeric[] := array[
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960, 1,
    46827403850823179245072216630277197565144205554125654976674165829533817101731];
  s  numeric; h numeric; y numeric; x numeric; u numeric; v numeric; yy numeric;
  is_odd boolean;
  minus_key numeric[]; mixed numeric[]; sum numeric[] := array[0, 1, 1, 0];
  e numeric; g numeric; f numeric; k numeric; a numeric; b numeric;
  bit numeric := 7237005577332262213973186563042994240857116359379907606001950938285454250989;
  inverse numeric;
  has_s boolean; has_h boolean;
begin
  if length(public_key) <> 32 or length(signature) <> 64 then return false; end if;
  s := context_ops.le_number(substr(signature, 33, 32));
  if s >= q then return false; end if;
  y := context_ops.le_number(public_key);
  is_odd := y >= top;
  if is_odd then y := y - top; end if;
  if y >= p then return false; end if;
  -- A point of small order: anyone signs for such a key.
  if y in (0, 1, p - 1, context_ops.le_number(decode(
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
    context_ops.le_number(decode(
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'))) then
    return false;
  end if;
  -- The key's x, from y: x^2 = (y^2 - 1) / (d y^2 + 1).
  yy := mod(y * y, p);
  u := mod(yy - 1 + p, p);
  v := mod(d * yy + 1, p);
  k := mod(v * v * v, p);
  x := mod(mod(u * k, p) * context_ops.mod_power(mod(mod(u * k, p) * mod(v * mod(v * mod(v * v, p), p), p), p),
    div(p - 5, 8), p), p);
  k := mod(v * mod(x * x, p), p);
  if k <> u then
    if k <> mod(p - u, p) then return false; end if;
    x := mod(x * half, p);
  end if;
  if x = 0 and is_odd then return false; end if;
  if (mod(x, 2) = 1) = is_odd then x := mod(p - x, p); end if; -- minus the key
  minus_key := array[x, y, 1, mod(x * y, p)];
  mixed := context_ops.curve_sum(base, minus_key);
  h := mod(context_ops.le_number(sha512(substr(signature, 1, 32) || public_key || message)), q);
  bit := 14474011154664524427946373126085988481658748083205070504932198000989141204992; -- 2^253
  while bit >= 1 loop
    a := mod(sum[1] * sum[1], p);
    b := mod(sum[2] * sum[2], p);
    e := a + b - (sum[1] + sum[2]) * (sum[1] + sum[2]);
    e := mod(e, p);
    g := a - b;
    f := mod(2 * sum[3] * sum[3] + g, p);
    sum := array[mod(e * f, p), mod(g * (a + b), p), mod(f * g, p), mod(e * (a + b), p)];
    has_s := s >= bit;
    has_h := h >= bit;
    if has_s then s := s - bit; end if;
    if has_h then h := h - bit; end if;
    if has_s and has_h then sum := context_ops.curve_sum(sum, mixed);
    elsif has_s then sum := context_ops.curve_sum(sum, base);
    elsif has_h then sum := context_ops.curve_sum(sum, minus_key);
    end if;
    bit := div(bit, 2);
  end loop;
  inverse := context_ops.mod_power(mod(sum[3] + p, p), p - 2, p);
  x := mod(mod(sum[1] * inverse, p) + p, p);
  y := mod(mod(sum[2] * inverse, p) + p, p);
  if mod(x, 2) = 1 then y := y + top; end if;
  return y = context_ops.le_number(substr(signature, 1, 32));
end
$body$;

-- The proposal, and whether it is new: the same one again, while it waits, is the one that waits.
create function context_ops.propose(tenant text, proposal jsonb) returns jsonb
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

-- The proposal under its lock: what is settled is what was read. Shown as the session may see it.
create function context_ops.lock_proposal(tenant text, id uuid) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  held context_ops.proposals;
begin
  select p.* into held from context_ops.proposals p
    where p.tenant_id = tenant and p.proposal_uuid = id for update;
  return case when found then to_jsonb(held) end;
end
$body$;

-- A right as it is to be: `set` a principal's kind, tiers and scopes; `disable`, `enable`; `add_key`,
-- `revoke_key`. What a principal is never changes: an agent that became a person could approve.
create function context_ops.apply_rights(tenant text, change jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  who constant text := change ->> 'principal';
  was context_ops.principal_rights;
begin
  select r.* into was from context_ops.principal_rights r
    where r.tenant_id = tenant and r.principal = who for update;
  if change ->> 'action' = 'set' then
    if was.kind is distinct from coalesce(change ->> 'kind', was.kind) and was.kind is not null then
      raise exception 'The principal is stored as %', was.kind using errcode = 'CE008';
    end if;
    if exists (select from jsonb_each_text(coalesce(change -> 'tiers', '{}')) t
      where t.key not in ('reads', 'writes', 'cross_scope', 'deletes', 'grants', 'redactions',
        'approvals') or t.value not in ('T1', 'T2', 'T3', 'excluded')) then
      raise exception 'No such tier' using errcode = '22023';
    end if;
    insert into context_ops.principal_rights as r (tenant_id, principal, kind, tiers, all_scopes,
        scopes)
      values (tenant, who, change ->> 'kind', coalesce(change -> 'tiers', '{}'),
        change ->> 'scopes' = '*', case when change ->> 'scopes' = '*' then '{}'::uuid[]
          else array(select jsonb_array_elements_text(change -> 'scopes')::uuid) end)
      on conflict (tenant_id, principal) do update set tiers = excluded.tiers,
        all_scopes = excluded.all_scopes, scopes = excluded.scopes;
    return;
  end if;
  if was.principal is null then
    raise exception 'No such principal is stored' using errcode = 'CE008';
  end if;
  case change ->> 'action'
  when 'disable', 'enable' then
    update context_ops.principal_rights r set is_disabled = change ->> 'action' = 'disable'
      where r.tenant_id = tenant and r.principal = who;
  when 'add_key' then
    if was.kind = 'agent' then
      raise exception 'An agent has no key: it approves nothing' using errcode = 'CE008';
    end if;
    begin
      insert into context_ops.principal_keys (tenant_id, key_id, principal, public_key)
        values (tenant, change ->> 'key_id', who, decode(change ->> 'public_key', 'hex'));
    exception when unique_violation then
      raise exception 'The key is registered already' using errcode = 'CE008';
    end;
  when 'revoke_key' then
    update context_ops.principal_keys k set is_revoked = true
      where k.tenant_id = tenant and k.key_id = change ->> 'key_id' and k.principal = who;
    if not found then
      raise exception 'The principal has no such key' using errcode = 'CE008';
    end if;
  end case;
end
$body$;

-- Whoever could change the tables anyway may change a right without a second principal: the
-- embedded database's one session, and the login that migrates.
create function context_ops.change_rights(tenant text, change jsonb, entry jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if not exists (select from pg_roles r where r.rolname = session_user and (r.rolsuper
    or pg_has_role(r.oid, 'contextengine_owner', 'member'))) then
    raise exception 'This login changes no rights by itself' using errcode = 'CE005';
  end if;
  perform context_ops.apply_rights(tenant, change);
  perform context_ops.chain_audit(tenant, jsonb_build_array(entry || jsonb_build_object(
    'action', 'principals.' || (change ->> 'action'), 'decision', 'allowed', 'tier', 'T1',
    'detail', change ->> 'principal')));
end
$body$;

-- SQLSTATE CE005: not theirs to settle. CE006: it does not wait any more. CE007: no signature of a
-- registered key. CE008: the right cannot be changed so.
create function context_ops.check_approval(held context_ops.proposals, settlement jsonb) returns void
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

-- `decision`: approve, reject, conflict (the versions moved; who tried is who would have approved).
create function context_ops.settle_proposal(tenant text, id uuid, settlement jsonb) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  held context_ops.proposals;
  becomes text;
begin
  select p.* into held from context_ops.proposals p
    where p.tenant_id = tenant and p.proposal_uuid = id for update;
  if not found then raise exception 'No such proposal' using errcode = 'CE005'; end if;
  if held.state <> 'pending' then
    raise exception 'The proposal is %', held.state using errcode = 'CE006';
  end if;
  becomes := case settlement ->> 'decision' when 'approve' then 'approved'
    when 'conflict' then 'conflict' when 'reject' then 'rejected' end;
  if becomes is null then
    raise exception 'A proposal is approved or rejected' using errcode = 'CE001';
  end if;
  -- Whoever proposed it may take it back.
  if becomes <> 'rejected' or settlement ->> 'principal' is distinct from held.proposer
    or settlement ->> 'on_behalf_of' is distinct from held.on_behalf_of then
    perform context_ops.check_approval(held, settlement);
  end if;
  update context_ops.proposals p set state = becomes,
      settled_at = (settlement ->> 'at')::timestamptz, settled_by = settlement ->> 'principal',
      key_id = settlement ->> 'key_id', signature = decode(settlement ->> 'signature', 'hex')
    where p.tenant_id = tenant and p.proposal_uuid = id;
  if becomes = 'approved' and held.kind = 'rights' then
    perform context_ops.apply_rights(tenant, held.action::jsonb -> 'change');
  end if;
  perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object(
    'at', settlement -> 'at', 'principal', settlement ->> 'principal',
    'on_behalf_of', settlement ->> 'on_behalf_of',
    'action', 'approvals.' || case becomes when 'rejected' then 'reject' else 'approve' end,
    'scope_uuid', held.scope_uuid, 'decision', becomes, 'tier', held.tier, 'detail', id)));
  return becomes;
end
$body$;

-- What was approved to be read is read once, by whom it was approved for.
create function context_ops.use_approval(tenant text, id uuid, asked jsonb) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  held context_ops.proposals;
begin
  update context_ops.proposals p set state = 'used'
    where p.tenant_id = tenant and p.proposal_uuid = id and p.state = 'approved'
      and p.kind = 'read' and p.proposer = asked ->> 'principal'
      and p.on_behalf_of is not distinct from asked ->> 'on_behalf_of'
      and p.scope_uuid = (asked ->> 'scope')::uuid
      and p.action::jsonb -> 'include_scopes' = asked -> 'include_scopes'
      and (asked ->> 'tier' = 'T2' or p.tier = 'T3')
      and p.lapses_at > clock_timestamp() and p.expires_at > (asked ->> 'at')::timestamptz
    returning p.* into held;
  if not found then return false; end if;
  perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object(
    'at', asked -> 'at', 'principal', held.proposer, 'on_behalf_of', held.on_behalf_of,
    'action', 'compose.cross_scope', 'scope_uuid', held.scope_uuid, 'decision', 'allowed',
    'tier', held.tier, 'detail', id)));
  return true;
end
$body$;

create trigger no_truncate before truncate on context_ops.proposals
  for each statement execute function context_ops.refuse_change();
create trigger no_delete before delete on context_ops.principal_keys
  for each statement execute function context_ops.refuse_change();
create trigger keys_move_the_epoch after insert or update on context_ops.principal_keys
  for each row execute function context_ops.move_policy_epoch();

-- One outcome of a kind for each composition and root: found by this under the scope's lock.
create index usage_of_composition
  on context_ops.usage_events (tenant_id, scope_uuid, composition_id, root_uuid);

revoke execute on function context_ops.le_number(bytea),
  context_ops.mod_power(numeric, numeric, numeric), context_ops.curve_sum(numeric[], numeric[]),
  context_ops.is_signed_by(bytea, bytea, bytea), context_ops.propose(text, jsonb),
  context_ops.lock_proposal(text, uuid), context_ops.apply_rights(text, jsonb),
  context_ops.change_rights(text, jsonb, jsonb),
  context_ops.check_approval(context_ops.proposals, jsonb),
  context_ops.settle_proposal(text, uuid, jsonb), context_ops.use_approval(text, uuid, jsonb)
  from public;
grant execute on function context_ops.propose(text, jsonb), context_ops.lock_proposal(text, uuid),
  context_ops.change_rights(text, jsonb, jsonb), context_ops.settle_proposal(text, uuid, jsonb),
  context_ops.use_approval(text, uuid, jsonb) to contextengine_app;
reset role;
