-- Copies that come after what they were copied from was forgotten: an import of an export of before
-- under other ids, a receipt or an artifact that another process still had.
set local role contextengine_owner;

-- The digests of what is forgotten are kept from then on, not from the erasure on. Of many texts
-- the pads of the key are made once.
create or replace function context_ops.keep_digests(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  key  constant bytea := context_ops.ensure_keys(tenant);
  ipad bytea := decode(repeat('36', 64), 'hex');
  opad bytea := decode(repeat('5c', 64), 'hex');
begin
  for i in 0 .. 31 loop
    ipad := set_byte(ipad, i, get_byte(key, i) # 54);
    opad := set_byte(opad, i, get_byte(key, i) # 92);
  end loop;
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
    select distinct tenant, redaction,
      encode(sha256(opad || sha256(ipad || convert_to(t, 'UTF8'))), 'hex')
    from said s cross join lateral context_ops.texts_in(s.texts) t
    on conflict do nothing;
end
$body$;

-- They are the eraser's own.
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;
do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.forget(text, jsonb)'::regprocedure);
  now_is := replace(was, 'perform context_ops.mask_receipts(tenant, redaction);',
    'perform context_ops.mask_receipts(tenant, redaction);' || chr(10)
    || '  perform context_ops.keep_digests(tenant, redaction);');
  if now_is = was then raise exception 'forget is not as 0019_forget left it'; end if;
  execute now_is;
  -- What waits for its erasure still stands.
  was := pg_get_functiondef('context_ops.scan_copies(text, jsonb)'::regprocedure);
  now_is := replace(was, 'join context_ops.redacted_texts d on d.tenant_id = $1',
    'join (select e.digest from context_ops.redacted_texts e join context_ops.redactions n
            on n.tenant_id = $1 and n.redaction_uuid = e.redaction_uuid and n.state = ''''erased''''
            where e.tenant_id = $1) d on true');
  if now_is = was then raise exception 'scan_copies is not as 0023_erase left it'; end if;
  execute now_is;
end
$functions$;
set local role contextengine_owner;

-- How many of the texts, as `texts_in` has them, were forgotten in the tenant. Whoever has a text
-- learns by it whether it was: no import could be judged otherwise.
create function context_ops.forgotten_texts(tenant text, said jsonb) returns bigint
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $body$
declare
  key constant bytea := (select k.digest_key from context_ops.tenant_keys k
    where k.tenant_id = forgotten_texts.tenant);
begin
  if tenant is distinct from current_setting('contextengine.tenant', true) then
    raise exception 'The texts of another tenant' using errcode = 'CE001';
  end if;
  if key is null or not exists (select from context_ops.redacted_texts d
    where d.tenant_id = forgotten_texts.tenant) then return 0; end if;
  return (select count(*) from context_ops.texts_in(said) t
    join context_ops.redacted_texts d on d.tenant_id = forgotten_texts.tenant
      and d.digest = context_ops.keyed_digest(key, t));
end
$body$;
create index redacted_texts_by_digest on context_ops.redacted_texts (tenant_id, digest);

-- What an artifact's tombstone is called, once its digest is gone.
create function context_ops.artifact_name(tenant text, digest text) returns uuid
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $body$
begin
  return md5(context_ops.keyed_digest(context_ops.ensure_keys(tenant), digest))::uuid;
end
$body$;

-- Receipts come some time after their compositions, from any process. One that was composed before
-- something was forgotten and comes after it loses the words of its user, whatever was forgotten:
-- the text or the name that was given is not kept. So does one that served what was forgotten, or
-- was asked with its words, by whatever clock. Nothing is forgotten meanwhile.
create function context_ops.save_receipts(tenant text, given jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  last_forgotten timestamptz;
begin
  if tenant is distinct from current_setting('contextengine.tenant', true) then
    raise exception 'The receipts of another tenant' using errcode = 'CE001';
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('contextengine.erasure.' || tenant, 0));
  select max(greatest(n.suppressed_at, n.erased_at)) into last_forgotten
    from context_ops.redactions n where n.tenant_id = save_receipts.tenant;
  insert into context_ops.receipts (tenant_id, composition_id, scope_uuid, created_at, receipt)
    select save_receipts.tenant, k.composition_id, k.scope_uuid, k.created_at,
      case when last_forgotten is not null and (k.created_at <= last_forgotten
        or exists (select from (select k.scope_uuid as uuid union all
            select (i ->> 'uuid')::uuid from jsonb_array_elements(k.receipt -> 'items') i) u
          join context_ops.redacted d on d.tenant_id = save_receipts.tenant and d.uuid = u.uuid)
        or context_ops.forgotten_texts(save_receipts.tenant, jsonb_build_array(
          k.receipt #> '{request,query}', k.receipt #> '{request,inputs}')) > 0)
      then k.receipt || jsonb_build_object('is_masked', true, 'warnings', '[]'::jsonb,
        'text_sha256', '', 'request', (k.receipt -> 'request') || '{"query": "", "inputs": {}}')
      else k.receipt end
    from jsonb_to_recordset(given) k(composition_id uuid, scope_uuid uuid, created_at timestamptz,
      receipt jsonb)
    on conflict do nothing;
end
$body$;

grant insert on context_ops.receipts to contextengine_eraser;
grant execute on function context_ops.ensure_keys(text) to contextengine_eraser;
revoke execute on function context_ops.forgotten_texts(text, jsonb),
  context_ops.artifact_name(text, text), context_ops.save_receipts(text, jsonb) from public;
grant execute on function context_ops.forgotten_texts(text, jsonb),
  context_ops.artifact_name(text, text), context_ops.save_receipts(text, jsonb)
  to contextengine_app, contextengine_eraser;
alter function context_ops.forgotten_texts(text, jsonb) owner to contextengine_eraser;
alter function context_ops.save_receipts(text, jsonb) owner to contextengine_eraser;
revoke create on schema context_ops from contextengine_eraser;
reset role;
