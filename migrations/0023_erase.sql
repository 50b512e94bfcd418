-- Erasing what was forgotten, with a certificate; and the keys of a tenant.
--
-- `digest_key` is what digests of content are made with (HMAC-SHA-256): without it none of them says
-- anything about what it was made of. The application reads it, of its own tenant: whoever reads a
-- tenant's rows learns no more of what is there from the key, and what the key protects is what
-- outlives it: backups, exports and dumps of before, whose digests nobody can check a guess against
-- once it is destroyed. A sealed function would be asked as easily as the key is read, at a round
-- trip for each digest. `signing_seed` is the eraser's alone: the application cannot make a
-- certificate.
set local role contextengine_owner;

create table context_ops.tenant_keys (
  tenant_id    text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  digest_key   bytea check (length(digest_key) = 32),
  signing_seed bytea check (length(signing_seed) = 32),
  public_key   text check (public_key ~ '^[0-9a-f]{64}$'),
  -- When the keys before these were destroyed, with all of the tenant.
  destroyed_at timestamptz,
  primary key (tenant_id)
);
select context_ops.seal_table('context_ops.tenant_keys', false);
grant select (tenant_id, digest_key, public_key, destroyed_at) on context_ops.tenant_keys
  to contextengine_app;
grant update (digest_key, signing_seed, public_key, destroyed_at) on context_ops.tenant_keys
  to contextengine_eraser;

create function context_ops.random_key() returns bytea
  language plpgsql volatile set search_path = pg_catalog, pg_temp as $body$
begin
  return sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()));
end
$body$;

-- The key of the tenant, made when it is first asked for, or first after it was destroyed.
create function context_ops.ensure_keys(tenant text) returns bytea
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  held context_ops.tenant_keys;
begin
  if tenant is distinct from current_setting('contextengine.tenant', true) then
    raise exception 'The key of another tenant' using errcode = 'CE001';
  end if;
  select k.* into held from context_ops.tenant_keys k where k.tenant_id = tenant;
  if held.digest_key is not null then return held.digest_key; end if;
  insert into context_ops.tenant_keys as k (tenant_id, digest_key, signing_seed)
    values (tenant, context_ops.random_key(), context_ops.random_key())
    on conflict (tenant_id) do update set digest_key = excluded.digest_key,
      signing_seed = excluded.signing_seed, public_key = null where k.digest_key is null;
  select k.* into held from context_ops.tenant_keys k where k.tenant_id = tenant;
  return held.digest_key;
end
$body$;

-- HMAC-SHA-256 (RFC 2104) of a text under a key of 32 bytes, in hexadecimal digits.
create function context_ops.keyed_digest(key bytea, said text) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  pads bytea[] := array[decode(repeat('36', 64), 'hex'), decode(repeat('5c', 64), 'hex')];
begin
  for i in 0 .. 31 loop
    pads[1] := set_byte(pads[1], i, get_byte(key, i) # 54);
    pads[2] := set_byte(pads[2], i, get_byte(key, i) # 92);
  end loop;
  return encode(sha256(pads[2] || sha256(pads[1] || convert_to(said, 'UTF8'))), 'hex');
end
$body$;

-- Keyed digests of the texts that were erased: by them a copy that was missed is found.
create table context_ops.redacted_texts (
  tenant_id      text not null,
  redaction_uuid uuid not null,
  digest         text not null check (length(digest) = 64),
  primary key (tenant_id, redaction_uuid, digest)
);
select context_ops.seal_table('context_ops.redacted_texts', false);
grant insert, select, delete on context_ops.redacted_texts to contextengine_eraser;
grant update (kept, digest) on context_ops.redacted to contextengine_eraser;
grant update (manifest_digest) on context_ops.operations to contextengine_eraser;

-- Texts of a value, also those within JSON, that are long enough to be somebody's words; times and
-- ids are nobody's.
create function context_ops.texts_in(said jsonb) returns setof text
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return query select t #>> '{}' from jsonb_path_query(said, 'strict $.**') t
    where jsonb_typeof(t) = 'string' and length(t #>> '{}') >= 12
      and t #>> '{}' !~ '^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|[0-9a-f-]{36})$';
end
$body$;

create function context_ops.keep_digests(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  key constant bytea := (select k.digest_key from context_ops.tenant_keys k
    where k.tenant_id = tenant);
begin
  insert into context_ops.redacted_texts (tenant_id, redaction_uuid, digest)
    with gone as materialized (select d.copy, d.uuid, d.kept from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction),
    said as (
      select to_jsonb(array[r.content, r.title]) as texts from context.blocks r
        join gone g on g.copy = 'blocks' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select to_jsonb(r.content) from context.memory_open_set r
        join gone g on g.copy = 'memory_open_set' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select to_jsonb(r.content) from context.subtree_summaries r
        join gone g on g.copy = 'subtree_summaries' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select r.value from context.memory_schema_typed r
        join gone g on g.copy = 'memory_schema_typed' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select jsonb_build_array(g.kept #> '{request,query}', g.kept #> '{request,inputs}')
        from gone g where g.kept is not null)
    select distinct tenant, redaction, context_ops.keyed_digest(key, t)
    from said s cross join lateral context_ops.texts_in(s.texts) t
    on conflict do nothing;
end
$body$;

-- Content goes; what stays of a row is that there was one, in its place in time.
create function context_ops.blank_rows(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  ledger text;
  blank  text;
begin
  for ledger, blank in select * from (values
    ('blocks', $$author = null, role = null, title = null, content = '', tags = '{}',
      metadata = '{}', provenance = '{}'$$),
    ('subtree_summaries', $$content = '', model = null, provenance = '{}'$$),
    ('memory_open_set', $$content = '', subject = null, category = null, class = 'erased',
      tags = '{}', metadata = '{}', provenance = '{}'$$),
    ('memory_schema_typed', $$subject = 'erased', collection = 'erased', property = 'erased',
      value = 'null', provenance = '{}'$$),
    ('context_links', $$metadata = '{}'$$)) v loop
    execute format('update context.%I r set status = ''erased'', %s from context_ops.redacted d
      where d.tenant_id = $1 and d.redaction_uuid = $2 and d.copy = %L and r.tenant_id = $1
        and r.uuid = d.uuid and r.status = ''suppressed''', ledger, blank, ledger)
      using tenant, redaction;
  end loop;
  update context_ops.operations o set reason = null, payload_digest = null
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and o.tenant_id = tenant and o.scope_uuid = d.scope_uuid and d.uuid in (o.uuid, o.root_uuid)
      and (o.reason is not null or o.payload_digest is not null);
end
$body$;

create function context_ops.blank_copies(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted d set kept = null where d.tenant_id = tenant
    and d.redaction_uuid = redaction and d.kept is not null;
  -- The digest of a manifest is one of the files that it holds.
  update context_ops.receipts c set receipt = jsonb_set(c.receipt, '{manifest,digest}', '""')
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'artifacts' and c.tenant_id = tenant
      and c.receipt #>> '{manifest,digest}' = d.digest;
  update context_ops.operations o set manifest_digest = null
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'artifacts' and o.tenant_id = tenant and o.manifest_digest = d.digest;
  delete from context_ops.artifacts a using context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'artifacts'
      and a.tenant_id = tenant and a.digest = d.digest;
  update context_ops.redacted d set digest = null where d.tenant_id = tenant
    and d.redaction_uuid = redaction and d.digest is not null;
  update context_ops.proposals p set is_suppressed = true, action = '{}',
      digest = encode(sha256(convert_to('{}', 'UTF8')), 'hex'), fingerprint = repeat('0', 64),
      state = case p.state when 'pending' then 'rejected' else p.state end
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'proposals' and p.tenant_id = tenant and p.proposal_uuid = d.uuid;
end
$body$;

-- The planner's statistics hold values of the rows. Only the owner may take them again.
create function context_ops.forget_statistics() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  analyze context.blocks, context.subtree_summaries, context.memory_open_set,
    context.memory_schema_typed, context.context_links, context_ops.receipts,
    context_ops.proposals, context_ops.artifacts, context_ops.operations, context_ops.postings;
end
$body$;

-- {redaction, at, principal, on_behalf_of, tier}. Gives the redaction as it is now, and what signs its
-- certificate, which the same transaction keeps with `certify`. Erasing again gives what is kept.
create function context_ops.erase(tenant text, asked jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  redaction constant uuid := (asked ->> 'redaction')::uuid;
  held   context_ops.redactions;
  totals jsonb;
begin
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '*', true);
  perform pg_advisory_xact_lock(hashtextextended('contextengine.erasure.' || tenant, 0));
  select r.* into held from context_ops.redactions r
    where r.tenant_id = tenant and r.redaction_uuid = redaction for update;
  if not found then raise exception 'No such redaction' using errcode = 'CE009'; end if;
  if held.state = 'brought_back' then
    raise exception 'What it named was brought back' using errcode = 'CE010';
  end if;
  perform context_ops.ensure_keys(tenant);
  if held.state = 'suppressed' then
    -- What was on its way when it was forgotten.
    perform context_ops.name_copies(tenant, redaction,
      jsonb_build_object('kind', held.target_kind));
    perform context_ops.mask_receipts(tenant, redaction);
    totals := context_ops.count_redacted(tenant, redaction) || jsonb_build_object(
      'postings', (held.counts ->> 'postings')::bigint
        + context_ops.drop_postings(tenant, redaction),
      'vectors', (held.counts ->> 'vectors')::bigint + context_ops.drop_vectors(tenant, redaction));
    perform context_ops.keep_digests(tenant, redaction);
    perform context_ops.blank_rows(tenant, redaction);
    perform context_ops.blank_copies(tenant, redaction);
    delete from context.compose_cache c where c.tenant_id = tenant;
    perform context_ops.forget_statistics();
    update context_ops.policy_epochs e set epoch = e.epoch + 1 where e.tenant_id = tenant;
    update context_ops.redactions r set state = 'erased', counts = totals,
        erased_at = (asked ->> 'at')::timestamptz
      where r.tenant_id = tenant and r.redaction_uuid = redaction returning r.* into held;
    perform context_ops.append_audit(tenant, jsonb_build_array(jsonb_build_object(
      'at', asked -> 'at', 'principal', asked -> 'principal',
      'on_behalf_of', asked -> 'on_behalf_of', 'action', 'erase.' || held.target_kind,
      'scope_uuid', null, 'decision', 'allowed', 'tier', asked -> 'tier', 'detail', redaction)));
  end if;
  return jsonb_build_object('redaction', to_jsonb(held), 'seed', (select
    encode(k.signing_seed, 'hex') from context_ops.tenant_keys k where k.tenant_id = tenant));
end
$body$;

-- With all of a tenant its keys go: after the certificate was signed.
create function context_ops.certify(tenant text, redaction uuid, signed jsonb, public_key text)
  returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  named text;
begin
  update context_ops.redactions r set certificate = signed where r.tenant_id = tenant
    and r.redaction_uuid = redaction and r.state = 'erased' and r.certificate is null
    returning r.target_kind into named;
  if named is null then
    raise exception 'Nothing of it waits for a certificate' using errcode = 'CE001';
  end if;
  update context_ops.tenant_keys k set public_key = certify.public_key
    where k.tenant_id = tenant and k.signing_seed is not null;
  if named = 'tenant' then
    update context_ops.tenant_keys k set digest_key = null, signing_seed = null,
      destroyed_at = clock_timestamp() where k.tenant_id = tenant;
    delete from context_ops.redacted_texts t where t.tenant_id = tenant;
  end if;
end
$body$;

-- Every column of every table that can hold a text, of this tenant: where the given texts stand, and
-- where a text stands whose keyed digest was kept when it was erased. [{table, column, rows}].
create function context_ops.scan_copies(tenant text, needles jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  key     bytea;
  item    record;
  hits    bigint;
  found   jsonb := '[]';
  looked  bigint := 0;
  asked   constant text[] := array(select lower(n) from jsonb_array_elements_text(needles) n
    union select context_ops.json_needle(n) from jsonb_array_elements_text(needles) n);
begin
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '*', true);
  key := context_ops.ensure_keys(tenant);
  for item in
    select n.nspname, c.relname, a.attname, a.atttypid::regtype::text as type from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('context', 'context_ops') and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attisdropped and has_table_privilege(c.oid, 'select')
      and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
      and a.attname <> 'tenant_id' and c.relname <> 'redacted_texts'
    order by n.nspname, c.relname, a.attnum
  loop
    looked := looked + 1;
    execute format('select count(*) from %I.%I r where r.tenant_id = $1 and r.%I is not null
      and (exists (select from unnest($2) n where strpos(lower(r.%I::text), n) > 0)
        or exists (select from context_ops.texts_in(to_jsonb(r.%I)) t
          join context_ops.redacted_texts d on d.tenant_id = $1
            and d.digest = context_ops.keyed_digest($3, t)))',
      item.nspname, item.relname, item.attname, item.attname, item.attname)
      into hits using tenant, asked, key;
    if hits > 0 then
      found := found || jsonb_build_object('table', item.nspname || '.' || item.relname,
        'column', item.attname, 'rows', hits);
    end if;
  end loop;
  return jsonb_build_object('columns', looked, 'found', found);
end
$body$;

revoke execute on function context_ops.random_key(), context_ops.forget_statistics(), context_ops.ensure_keys(text),
  context_ops.keyed_digest(bytea, text), context_ops.texts_in(jsonb),
  context_ops.keep_digests(text, uuid), context_ops.blank_rows(text, uuid),
  context_ops.blank_copies(text, uuid), context_ops.erase(text, jsonb),
  context_ops.certify(text, uuid, jsonb, text), context_ops.scan_copies(text, jsonb) from public;
grant execute on function context_ops.ensure_keys(text), context_ops.keyed_digest(bytea, text),
  context_ops.forget_statistics(), context_ops.texts_in(jsonb), context_ops.keep_digests(text, uuid),
  context_ops.blank_rows(text, uuid), context_ops.blank_copies(text, uuid),
  context_ops.erase(text, jsonb), context_ops.certify(text, uuid, jsonb, text),
  context_ops.scan_copies(text, jsonb) to contextengine_eraser;
grant execute on function context_ops.ensure_keys(text) to contextengine_app;
grant create on schema context_ops to contextengine_eraser;
alter function context_ops.erase(text, jsonb) owner to contextengine_eraser;
alter function context_ops.certify(text, uuid, jsonb, text) owner to contextengine_eraser;
alter function context_ops.scan_copies(text, jsonb) owner to contextengine_eraser;
revoke create on schema context_ops from contextengine_eraser;
reset role;
