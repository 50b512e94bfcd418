-- What is to be forgotten may wait whatever names it: a person, a text, a scope, the whole tenant; to
-- be erased at once as well; and so may bringing it back (kind `return`).
--
-- It is judged against what it reached when it was proposed: the ids of the live rows in its scopes,
-- as one digest. Where another row came or went since, it is in conflict (CE013). What was derived
-- from them in other scopes goes with them. No scopes = the whole tenant.
--
-- A name or a text stands beside the action (`target`), and only as long as it waits: the action,
-- which is what is signed and kept, has its keyed digest.
set local role contextengine_owner;

alter table context_ops.proposals drop constraint proposals_kind_check;
alter table context_ops.proposals add constraint proposals_kind_check
  check (kind in ('write', 'read', 'rights', 'redaction', 'return')) not valid;
alter table context_ops.proposals add column target text;

-- Whatever settles or blanks it drops its words; out of sight they are kept until it is erased. One
-- that lost them does not wait again.
create function context_ops.drop_target() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  if new.state = 'pending' and old.state <> 'pending' and new.target is null
    and new.action::jsonb #>> '{redaction,kind}' in ('author', 'subject', 'writer', 'person', 'text')
  then
    new.state := old.state;
    new.settled_at := old.settled_at;
  end if;
  if new.state <> 'pending' and not new.is_suppressed or new.action <> old.action then
    new.target := null;
  end if;
  return new;
end
$body$;
create trigger drop_target before update on context_ops.proposals
  for each row when (old.kind = 'redaction') execute function context_ops.drop_target();

-- Proposals with words that nobody settled in their time.
create function context_ops.lapse_proposals(tenant text, at timestamptz) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  lapsed record;
  total  bigint := 0;
begin
  for lapsed in
    update context_ops.proposals p set state = 'expired', settled_at = lapse_proposals.at
    where p.tenant_id = tenant and p.state = 'pending' and p.target is not null
      and (p.lapses_at <= clock_timestamp() or p.expires_at <= lapse_proposals.at)
    returning p.proposal_uuid, p.scope_uuid, p.tier, p.proposer
  loop
    total := total + 1;
    perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object('at', at,
      'principal', lapsed.proposer, 'action', 'approvals.expire', 'scope_uuid', lapsed.scope_uuid,
      'decision', 'expired', 'tier', lapsed.tier, 'detail', lapsed.proposal_uuid)));
  end loop;
  return total;
end
$body$;
-- One that reaches other rows since something was forgotten, which `asked` says.
create function context_ops.end_moved_proposal(tenant text, id uuid, asked jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  moved record;
begin
  update context_ops.proposals p
    set state = 'conflict', settled_at = (asked ->> 'at')::timestamptz
    where p.tenant_id = tenant and p.proposal_uuid = id and p.state = 'pending'
    returning p.scope_uuid, p.tier into moved;
  if not found then return; end if;
  perform context_ops.chain_audit(tenant, jsonb_build_array(jsonb_build_object('at', asked -> 'at',
    'principal', asked -> 'principal', 'on_behalf_of', asked -> 'on_behalf_of',
    'action', 'approvals.conflict', 'scope_uuid', moved.scope_uuid, 'decision', 'conflict',
    'tier', moved.tier, 'detail', id)));
end
$body$;
revoke execute on function context_ops.end_moved_proposal(text, uuid, jsonb) from public;
grant execute on function context_ops.end_moved_proposal(text, uuid, jsonb) to contextengine_eraser;

create index proposals_with_words on context_ops.proposals (tenant_id)
  where state = 'pending' and target is not null;

-- Whoever may call `propose` says what waits: it names no less than what a reviewer has to hold.
create function context_ops.check_redaction(tenant text, said jsonb, target text) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  kind     constant text := said ->> 'kind';
  asked    constant jsonb := coalesce(said -> 'redaction', '{}');
  named_by constant text := coalesce(asked ->> 'kind', '');
  is_words constant boolean := named_by in ('author', 'subject', 'writer', 'person', 'text');
  is_whole constant boolean := said -> 'scopes' = '[]';
begin
  if (kind = 'redaction') <> (said ? 'redaction') or (kind = 'return') <> (said ? 'bring_back')
    or kind in ('redaction', 'return') and said ->> 'key' is distinct from 'redactions'
    or (target is not null) <> is_words
    or kind = 'redaction' and not coalesce(case
      when named_by in ('version', 'root', 'block') then not is_whole
      when named_by = 'scope' then said -> 'scopes' ? (asked ->> 'value')
      when named_by = 'tenant' then is_whole and asked -> 'within' = 'null'
      when is_words then asked -> 'within' = case when is_whole then 'null'::jsonb else said -> 'scopes' end
        and asked ->> 'value' = context_ops.keyed_digest(context_ops.ensure_keys(tenant),
          'redaction ' || named_by || ' ' || target)
      end, false)
    or asked ->> 'is_now' = 'true' and asked -> 'reach' is null then
    raise exception 'A redaction names what goes, and its scopes' using errcode = 'CE001';
  end if;
end
$body$;

do $functions$
declare
  held   regprocedure;
  was    text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.propose(text, jsonb)'::regprocedure);
  now_is := regexp_replace(was, 'if \(said ->> ''kind'' = ''redaction''\).*?end if;',
    'perform context_ops.check_redaction(tenant, said, proposal ->> ''target'');
  perform context_ops.lapse_proposals(tenant, at);');
  if now_is = was then raise exception 'propose is not as 0035_proposed_redactions left it'; end if;
  was := now_is;
  now_is := replace(was, 'digest, proposed_at, expires_at, lapses_at)',
    'digest, proposed_at, expires_at, target, lapses_at)');
  now_is := replace(now_is, $$clock_timestamp() + ((said ->> 'expires_at')$$,
    $$proposal ->> 'target', clock_timestamp() + ((said ->> 'expires_at')$$);
  if now_is = was then raise exception 'propose is not as 0021_settlements left it'; end if;
  execute now_is;

  -- Who holds a part does not hold the whole.
  select p.oid::regprocedure into strict held from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'context_ops' and p.prosrc like '%The proposer does not hold it any more%';
  was := pg_get_functiondef(held);
  now_is := replace(was,
    $$held.kind in ('read', 'redaction') and not (r.all_scopes or held.scopes <@ r.scopes)$$,
    $$held.kind in ('read', 'redaction', 'return') and not (r.all_scopes
        or cardinality(held.scopes) > 0 and held.scopes <@ r.scopes)$$);
  if now_is = was then raise exception '% is not as 0037_judged_redactions left it', held; end if;
  execute now_is;

  -- Proposals to forget what is forgotten otherwise.
  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := replace(was, $$from context_ops.proposals p where p.tenant_id = tenant and ($$,
    $$from context_ops.proposals p where p.tenant_id = tenant and (
      p.target is not null and (held is null or cardinality(p.scopes) > 0 and p.scopes <@ held)
        and (named_by = 'text' and strpos(lower(p.target), lower(said)) > 0
          or named_by in ('author', 'subject', 'writer', 'person') and p.target = said) or$$);
  if now_is = was then raise exception 'name_copies is not as it was left'; end if;
  execute now_is;
end
$functions$;

-- They are the eraser's own.
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;

do $wider$
declare
  was    constant text := pg_get_functiondef('context_ops.refuse_wider()'::regprocedure);
  now_is constant text := replace(was,
    $$named constant uuid := (new.action::jsonb #>> '{redaction,value}')::uuid;$$,
    $$named constant uuid := case when new.action::jsonb #>> '{redaction,kind}' in ('version', 'root',
    'block') then (new.action::jsonb #>> '{redaction,value}')::uuid end;$$);
begin
  if now_is = was then raise exception 'refuse_wider is not as 0037_judged_redactions left it'; end if;
  execute now_is;
end
$wider$;

-- The live rows that a redaction names in these scopes; null = in all.
create function context_ops.reached_rows(tenant text, redaction uuid, scopes uuid[])
  returns table (copy text, uuid uuid, scope_uuid uuid)
  language plpgsql stable rows 1000 set search_path = pg_catalog, pg_temp as $body$
begin
  return query select s.ledger, s.uuid, s.scope from context_ops.states_of(tenant,
      array(select d.uuid from context_ops.redacted d where d.tenant_id = tenant
        and d.redaction_uuid = redaction)) s
    where s.status = 'live' and (scopes is null or s.scope = any (scopes));
end
$body$;

create function context_ops.reach_digest(tenant text, redaction uuid, scopes uuid[]) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
begin
  return (select encode(sha256(convert_to(
      coalesce(string_agg(r.uuid::text, ',' order by r.uuid), ''), 'UTF8')), 'hex')
    from context_ops.reached_rows(tenant, redaction, scopes) r);
end
$body$;

-- {kind, value, scopes, has_questions, has_proposals}: what a target would reach of what is not out of sight, as
-- {scopes, is_whole, counts, digest}. It is named as by `forget`, and that taken back: nothing is
-- changed. Copies beside the ledger count where they are asked for.
create function context_ops.reach_of(tenant text, asked jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  redaction constant uuid := gen_random_uuid();
  held      constant uuid[] := case when jsonb_typeof(asked -> 'scopes') = 'array'
    then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end;
  questions constant boolean := coalesce(asked ->> 'has_questions' = 'true', false);
  proposals constant boolean := coalesce(asked ->> 'has_proposals' = 'true', false);
  reasons jsonb := '[]';
  reached jsonb;
begin
  if tenant is distinct from current_setting('contextengine.tenant', true) then
    raise exception 'The rows of another tenant' using errcode = 'CE001';
  end if;
  if questions and asked ->> 'kind' = 'text' then
    reasons := (select coalesce(jsonb_agg(jsonb_build_object('uuid', o.operation_id, 'scope_uuid',
        o.scope_uuid)), '[]') from context_ops.operations o where o.tenant_id = tenant
      and (held is null or o.scope_uuid = any (held)) and o.reason is not null
      and context_ops.says(to_jsonb(o.reason), asked ->> 'value'));
  end if;
  begin
    while context_ops.name_redacted(tenant, redaction, asked) > 0 loop end loop;
    if questions or proposals then perform context_ops.name_copies(tenant, redaction, asked); end if;
    with found as materialized (
      select r.copy, r.uuid, r.scope_uuid from context_ops.reached_rows(tenant, redaction, held) r
      union select 'operations', o.uuid, o.scope_uuid
        from jsonb_to_recordset(reasons) o (uuid uuid, scope_uuid uuid)
      union select d.copy, d.uuid, d.scope_uuid from context_ops.redacted d
        join context_ops.receipts c on c.tenant_id = tenant and c.composition_id = d.uuid
        where questions and d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'receipts'
          and not c.receipt ? 'is_masked' and (held is null or d.scope_uuid = any (held))
      union select d.copy, d.uuid, s from context_ops.redacted d
        join context_ops.proposals p on p.tenant_id = tenant and p.proposal_uuid = d.uuid
        cross join lateral unnest(case when cardinality(p.scopes) = 0 then array[null::uuid]
          else p.scopes end) s
        where proposals and d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'proposals'
          and not p.is_suppressed and p.kind not in ('redaction', 'return')
          and (held is null or cardinality(p.scopes) > 0 and p.scopes <@ held)
      union select d.copy, d.uuid, null from context_ops.redacted d
        join context_ops.artifacts a on a.tenant_id = tenant and a.digest = d.digest
        where questions and d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'artifacts'
          and not a.is_suppressed and held is null)
    select jsonb_build_object('digest', context_ops.reach_digest(tenant, redaction, held),
        'counts', (select coalesce(jsonb_object_agg(c.copy, c.count), '{}') from (
          select f.copy, count(distinct f.uuid) as count from found f group by f.copy) c),
        'scopes', to_jsonb(array(select distinct f.scope_uuid from found f
          where f.scope_uuid is not null order by f.scope_uuid)),
        'is_whole', asked ->> 'kind' = 'tenant'
          or exists (select from found f where f.scope_uuid is null)) into reached;
    raise exception 'Nothing is kept of what was looked up' using errcode = 'CE013';
  exception when sqlstate 'CE013' then null;
  end;
  return reached;
end
$body$;

-- What is forgotten ends each proposal by words that reaches other rows since: none keeps words of a
-- row that is gone. One that is being settled is judged by that.
create function context_ops.end_moved(tenant text, asked jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  waiting record;
begin
  for waiting in
    select p.proposal_uuid, p.target, p.action::jsonb -> 'redaction' as said
      from context_ops.proposals p
      where p.tenant_id = tenant and p.state = 'pending' and p.target is not null
      order by p.proposed_at, p.proposal_uuid for update skip locked
  loop
    continue when context_ops.reach_of(tenant, jsonb_build_object('kind', waiting.said -> 'kind',
        'value', waiting.target, 'scopes', waiting.said -> 'within')) ->> 'digest'
      is not distinct from waiting.said #>> '{reach,digest}';
    perform context_ops.end_moved_proposal(tenant, waiting.proposal_uuid, asked);
  end loop;
end
$body$;

do $forget$
declare
  was    constant text := pg_get_functiondef('context_ops.forget(text, jsonb)'::regprocedure);
  now_is constant text := replace(replace(was, '  totals := context_ops.count_redacted(tenant, redaction)',
    '  perform context_ops.end_moved(tenant, asked);
  totals := context_ops.count_redacted(tenant, redaction)'), '  perform context_ops.name_copies(tenant, redaction, asked);',
    $sql$  if asked ->> 'judged' <> context_ops.reach_digest(tenant, redaction,
      case when jsonb_typeof(asked -> 'scopes') = 'array'
        then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end) then
    raise exception 'What it names has moved' using errcode = 'CE013';
  end if;
  perform context_ops.name_copies(tenant, redaction, asked);$sql$);
begin
  if now_is not like '%CE013%end_moved%' then raise exception 'forget is not as it was left'; end if;
  execute now_is;
end
$forget$;
revoke execute on function context_ops.reached_rows(text, uuid, uuid[]),
  context_ops.reach_digest(text, uuid, uuid[]), context_ops.reach_of(text, jsonb),
  context_ops.end_moved(text, jsonb) from public;
grant execute on function context_ops.reach_of(text, jsonb) to contextengine_app;

set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
revoke execute on function context_ops.drop_target(), context_ops.lapse_proposals(text, timestamptz),
  context_ops.check_redaction(text, jsonb, text) from public;
grant execute on function context_ops.lapse_proposals(text, timestamptz) to contextengine_app;
reset role;
