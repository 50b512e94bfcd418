-- No digest of content is without a key: those of before get one. HMAC of the SHA-256 that was there
-- is what the code makes now, so that a repeated write, or ingest, is known as before. Ids of rows
-- stay, also where they were made of content: they are what everything else points at.
set local role contextengine_owner;

-- Scopes of before keep their ids, which some were given by a digest of the application's key or of
-- what was ingested: under such an id these alone are found, so that whoever makes a scope under it
-- today does not take the key's place.
create table context_ops.earlier_scopes (
  tenant_id  text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  scope_uuid uuid not null,
  primary key (tenant_id, scope_uuid)
);

alter table context_ops.tenant_keys no force row level security;
alter table context_ops.scope_heads no force row level security;
alter table context_ops.operations no force row level security;
alter table context_ops.receipts no force row level security;
alter table context_ops.redacted no force row level security;
alter table context.blocks no force row level security;
alter table context.blocks disable trigger user;
alter table context_ops.operations disable trigger user;
alter table context_ops.receipts disable trigger user;

insert into context_ops.tenant_keys as k (tenant_id, digest_key, signing_seed)
  select t.tenant_id, context_ops.random_key(), context_ops.random_key()
  from (select distinct h.tenant_id from context_ops.scope_heads h) t
  on conflict (tenant_id) do update set digest_key = excluded.digest_key,
    signing_seed = excluded.signing_seed, public_key = null where k.digest_key is null;

-- Version 8: of its maker's own making.
insert into context_ops.earlier_scopes (tenant_id, scope_uuid)
  select h.tenant_id, h.scope_uuid from context_ops.scope_heads h
  where substr(h.scope_uuid::text, 15, 1) = '8';
select context_ops.seal_table('context_ops.earlier_scopes', false);
grant select on context_ops.earlier_scopes to contextengine_app;

-- As `keyed_digest`, the pads of a tenant made once: 230,000 entries in seconds.
create function context_ops.with_pads(pads bytea[], said text) returns text
  language sql immutable as $body$
  select encode(sha256(pads[2] || sha256(pads[1] || convert_to(said, 'UTF8'))), 'hex')
$body$;
-- The id that an ingest gave a chunk, by its entry in the document (`src/ingest/keys.ts`).
create function context_ops.chunk_root(root uuid, entry text) returns text
  language sql immutable as $body$
  select format('%s-%s-8%s-%s%s-%s', substr(h, 1, 8), substr(h, 9, 4), substr(h, 14, 3),
    to_hex(get_byte(decode(substr(h, 17, 2), 'hex'), 0) & 63 | 128), substr(h, 19, 2),
    substr(h, 21, 12))
  from encode(sha256(convert_to('5:chunk36:' || root || length(entry) || ':' || entry, 'UTF8')),
    'hex') h
$body$;

do $rekey$
declare
  held context_ops.tenant_keys;
  pads bytea[];
begin
  for held in select * from context_ops.tenant_keys k where k.digest_key is not null loop
    pads := array[decode(repeat('36', 64), 'hex'), decode(repeat('5c', 64), 'hex')];
    for i in 0 .. 31 loop
      pads[1] := set_byte(pads[1], i, get_byte(held.digest_key, i) # 54);
      pads[2] := set_byte(pads[2], i, get_byte(held.digest_key, i) # 92);
    end loop;
    update context_ops.operations o
      set payload_digest = context_ops.with_pads(pads, o.payload_digest)
      where o.tenant_id = held.tenant_id and o.payload_digest is not null;
    -- Of an ingest: the last part that is a digest, or all of it.
    update context_ops.operations o set idempotency_key = m.part[1]
        || context_ops.with_pads(pads, 'ingest ' || m.part[2]) || m.part[3]
      from (select p.scope_uuid, p.seq, p.ordinal, regexp_match(p.idempotency_key,
          '^((?:turn|fact|typed):|document:[0-9a-f-]{36}:)([0-9a-f]{64})((?::[0-9]+)?)$') as part
        from context_ops.operations p where p.tenant_id = held.tenant_id
          and p.idempotency_key ~ '^(turn|fact|typed|document):') m
      where m.part is not null and o.tenant_id = held.tenant_id and o.scope_uuid = m.scope_uuid
        and o.seq = m.seq and o.ordinal = m.ordinal;
    update context.blocks b set metadata = b.metadata - 'sha256' || jsonb_build_object(
        'digest', context_ops.with_pads(pads, 'ingest ' || (b.metadata ->> 'sha256')),
        'chunks', (select coalesce(jsonb_agg(left(context_ops.with_pads(pads, 'ingest '
            || left(e.entry, 12)), 12) || substr(e.entry, 13) || '='
            || context_ops.chunk_root(b.root_uuid, e.entry) order by e.place), '[]')
          from jsonb_array_elements_text(b.metadata -> 'chunks') with ordinality e(entry, place)))
      where b.tenant_id = held.tenant_id and b.block_type = 'document'
        and b.metadata ->> 'sha256' ~ '^[0-9a-f]{64}$'
        and jsonb_typeof(b.metadata -> 'chunks') = 'array';
    update context_ops.receipts c set receipt = jsonb_set(c.receipt, '{text_sha256}', to_jsonb(
        context_ops.with_pads(pads, c.receipt ->> 'text_sha256')))
      where c.tenant_id = held.tenant_id and c.receipt ->> 'text_sha256' <> '';
    update context_ops.redacted d set kept = jsonb_set(d.kept, '{text_sha256}', to_jsonb(
        context_ops.with_pads(pads, d.kept ->> 'text_sha256')))
      where d.tenant_id = held.tenant_id and d.kept ->> 'text_sha256' <> '';
    -- What was kept of an artifact beside its digest was made of that.
    update context_ops.redacted d
      set uuid = md5(context_ops.with_pads(pads, coalesce(d.digest, d.uuid::text)))::uuid
      where d.tenant_id = held.tenant_id and d.copy = 'artifacts';
  end loop;
end
$rekey$;
drop function context_ops.with_pads(bytea[], text), context_ops.chunk_root(uuid, text);

alter table context.blocks enable trigger user;
alter table context.blocks force row level security;
alter table context_ops.operations enable trigger user;
alter table context_ops.receipts enable trigger user;
alter table context_ops.redacted force row level security;
alter table context_ops.receipts force row level security;
alter table context_ops.operations force row level security;
alter table context_ops.scope_heads force row level security;
alter table context_ops.tenant_keys force row level security;

-- A signature can be checked against a guess of what it signed: it goes with the action.
grant update (signature) on context_ops.proposals to contextengine_eraser;

do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := replace(was, 'md5(a.digest)::uuid', 'md5(context_ops.keyed_digest('
    || 'context_ops.ensure_keys(tenant), a.digest))::uuid');
  if now_is = was then raise exception 'name_copies is not as 0019_forget left it'; end if;
  execute now_is;
  was := pg_get_functiondef('context_ops.blank_copies(text, uuid)'::regprocedure);
  now_is := replace(was, 'fingerprint = repeat(''0'', 64),',
    'fingerprint = repeat(''0'', 64), signature = null,');
  if now_is = was then raise exception 'blank_copies is not as 0023_erase left it'; end if;
  execute now_is;
end
$functions$;
reset role;
