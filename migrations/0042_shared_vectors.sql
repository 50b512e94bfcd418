-- The shared level of the embedding cache: vectors of texts by keyed digests, so that another process
-- asks no provider for what one has asked already; and what the levels saved, by day. No text is in
-- either. Whatever is forgotten takes all vectors of its tenant along: which of them were made of it
-- nobody can tell, and to make them anew costs money, not memory.
set local role contextengine_owner;

create table context_ops.shared_vectors (
  tenant_id text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  space     text not null check (length(space) between 1 and 300),
  -- HMAC-SHA-256 under the tenant's key.
  digest    bytea not null check (octet_length(digest) = 32),
  -- Little-endian single precision.
  vector    bytea not null check (octet_length(vector) between 4 and 65536),
  made_at   timestamptz not null,
  primary key (tenant_id, space, digest)
);
alter table context_ops.shared_vectors alter vector set storage external;
create index shared_vectors_by_time on context_ops.shared_vectors (tenant_id, made_at);
select context_ops.seal_table('context_ops.shared_vectors', false);
create policy drop_own on context_ops.shared_vectors for delete
  using (tenant_id = (select current_setting('contextengine.tenant', true)));
grant select, insert, delete on context_ops.shared_vectors to contextengine_app;
grant select, delete on context_ops.shared_vectors to contextengine_eraser;

create table context_ops.embedding_use (
  tenant_id   text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  day         date not null,
  space       text not null check (length(space) between 1 and 300),
  process     bigint not null check (process >= 0),
  shared      bigint not null check (shared >= 0),
  provider    bigint not null check (provider >= 0),
  -- Characters that no provider was asked for.
  saved_chars bigint not null check (saved_chars >= 0),
  primary key (tenant_id, day, space)
);
select context_ops.seal_table('context_ops.embedding_use', false);
create policy drop_own on context_ops.embedding_use for delete
  using (tenant_id = (select current_setting('contextengine.tenant', true)));
grant select, insert, update, delete on context_ops.embedding_use to contextengine_app;
grant select, delete on context_ops.embedding_use to contextengine_eraser;

create function context_ops.drop_shared_vectors(tenant text, asked jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  delete from context_ops.shared_vectors v where v.tenant_id = tenant;
  if asked ->> 'kind' = 'tenant' then
    delete from context_ops.embedding_use u where u.tenant_id = tenant;
  end if;
end
$body$;
revoke execute on function context_ops.drop_shared_vectors(text, jsonb) from public;
grant execute on function context_ops.drop_shared_vectors(text, jsonb) to contextengine_eraser;

do $functions$
declare
  was    text;
  now_is text;
begin
  -- Called when something is forgotten, and again when it is erased.
  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := regexp_replace(was, '\nbegin\n',
    E'\nbegin\n  perform context_ops.drop_shared_vectors(tenant, asked);\n');
  if now_is = was then raise exception 'name_copies is not as 0034_served left it'; end if;
  execute now_is;
end
$functions$;

reset role;
