-- Forgetting: what is named is out of sight at once, on every path, and is erased later.
--
-- contextengine_eraser  owns the functions that suppress, erase and bring back, and nobody else may
--                       execute them. A login that is a member of it takes the role for the one
--                       transaction; the application role is no member, so that it can neither erase
--                       nor bring back.
--
-- What was forgotten is kept as ids alone (`redacted`): so that what an export of before brings is
-- known, and a copy that was still on its way is found.

do $roles$
begin
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'contextengine_eraser') then
      create role contextengine_eraser nologin;
    end if;
  exception when duplicate_object or unique_violation then
    null; -- made by another database's migration at the same moment
  end;
  begin
    if not pg_has_role(current_user, 'contextengine_eraser', 'member') then
      execute format('grant contextengine_eraser to %I', current_user);
    end if;
  exception when insufficient_privilege then
    raise notice 'Role contextengine_eraser was not granted to %: ask an administrator', current_user;
  end;
  -- So that the owner may give functions to it. Where the server knows the difference (PostgreSQL 16)
  -- without its rights: what the owner runs is held by the owner's policies.
  begin
    if not pg_has_role('contextengine_owner', 'contextengine_eraser', 'member') then
      execute 'grant contextengine_eraser to contextengine_owner' || case
        when current_setting('server_version_num')::integer >= 160000
        then ' with inherit false, set true' else '' end;
    end if;
  exception when insufficient_privilege then
    null; -- given by the first database's migration
  end;
end
$roles$;
grant usage on schema context, context_ops to contextengine_eraser;

set local role contextengine_owner;

create table context_ops.redactions (
  tenant_id      text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  redaction_uuid uuid not null,
  target_kind    text not null check (target_kind in ('version', 'root', 'block', 'author',
    'subject', 'writer', 'person', 'text', 'scope', 'tenant')),
  state          text not null default 'suppressed'
    check (state in ('suppressed', 'erased', 'brought_back')),
  principal      text not null check (length(principal) between 1 and 200),
  on_behalf_of   text check (length(on_behalf_of) <= 200),
  suppressed_at  timestamptz not null,
  erase_after    timestamptz not null check (erase_after >= suppressed_at),
  erased_at      timestamptz,
  counts         jsonb not null default '{}',
  certificate    jsonb,
  primary key (tenant_id, redaction_uuid),
  -- The certificate is never ahead of the fact.
  constraint certified_when_erased check (certificate is null or state = 'erased')
);

-- `digest` is that of an artifact; its `uuid` is made from it. `kept`: what a receipt said, for as
-- long as it may be brought back; nobody but the eraser reads it.
create table context_ops.redacted (
  tenant_id      text not null,
  redaction_uuid uuid not null,
  copy           text not null check (copy in ('blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links', 'receipts', 'proposals', 'artifacts')),
  uuid           uuid not null,
  scope_uuid     uuid,
  digest         text,
  kept           jsonb,
  primary key (tenant_id, redaction_uuid, copy, uuid)
);
create index redacted_copies on context_ops.redacted (tenant_id, uuid);

alter table context_ops.proposals add column is_suppressed boolean not null default false;
alter table context_ops.artifacts add column is_suppressed boolean not null default false;

-- Every table of a tenant is the eraser's to read, of the tenant that the transaction is set to.
create or replace function context_ops.seal_table(target regclass, has_scope boolean) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  tenant constant text := $$tenant_id = (select current_setting('contextengine.tenant', true))$$;
  scopes constant text := $$((select current_setting('contextengine.scopes', true)) = '*'
    or scope_uuid = any ((select string_to_array(nullif(nullif(current_setting('contextengine.scopes', true), ''), '*'), ','))::uuid[]))$$;
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy read_own on %s for select using (%s)', target, case when has_scope then tenant || ' and ' || scopes else tenant end);
  execute format('create policy append_own on %s for insert with check (%s)', target, tenant);
  execute format('create policy settle_own on %s for update using (%s) with check (%s)', target, tenant, tenant);
  execute format('create policy sealed_search on %s for select to contextengine_search using (true)', target);
  execute format('create policy of_eraser on %s to contextengine_eraser using (%s) with check (%s)', target, tenant, tenant);
  execute format('grant select on %s to contextengine_eraser', target);
end
$body$;

do $policies$
declare
  item record;
  tenant constant text := $$tenant_id = (select current_setting('contextengine.tenant', true))$$;
begin
  for item in
    select c.oid::regclass as target, n.nspname, c.relname from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where n.nspname in ('context', 'context_ops') and c.relkind = 'r' and c.relrowsecurity
  loop
    execute format('create policy of_eraser on %s to contextengine_eraser using (%s) with check (%s)', item.target, tenant, tenant);
    execute format('grant select on %s to contextengine_eraser', item.target);
    if starts_with(item.relname, 'emb_') then
      execute format('grant delete on %s to contextengine_eraser', item.target);
    end if;
    -- What is not live is out of sight for whoever reads the tables: the engine, and applications
    -- that join them. The owner's triggers look for the first version of a root, whatever became of
    -- it.
    if item.nspname = 'context' and item.relname <> 'compose_cache' then
      execute format($$create policy is_live on %s as restrictive for select to contextengine_app
        using (status = 'live')$$, item.target);
    end if;
  end loop;
  create policy is_shown on context_ops.proposals as restrictive for select
    to contextengine_app, contextengine_owner using (not is_suppressed);
  create policy is_shown on context_ops.artifacts as restrictive for select
    to contextengine_app, contextengine_owner using (not is_suppressed);
end
$policies$;
select context_ops.seal_table('context_ops.redactions', false),
  context_ops.seal_table('context_ops.redacted', false);
grant select on context_ops.redactions to contextengine_app;
grant select (tenant_id, redaction_uuid, copy, uuid, scope_uuid, digest) on context_ops.redacted
  to contextengine_app;

create or replace function context_ops.ensure_space(space text, dimensions integer,
  vector_type text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  target constant text := context_ops.space_table(space);
begin
  if to_regclass('context_ops.' || target) is not null then return; end if;
  if vector_type not in ('vector', 'halfvec') or dimensions not between 1
    and 4000 or space !~ ('^[^/]+/.+/' || dimensions || '$') or length(space) > 200 then
    raise exception 'No embedding space is called `%` with % dimensions of %', left(space, 200),
      dimensions, vector_type using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('contextengine.' || target, 0));
  if to_regclass('context_ops.' || target) is not null then return; end if;
  execute format('create table context_ops.%I (
    tenant_id   text not null,
    owner_uuid  uuid not null,
    origin      text not null check (origin in (''content'', ''question'', ''window'')),
    ordinal     integer not null check (ordinal >= 0),
    scope_uuid  uuid not null,
    owner_table text not null check (owner_table in (''blocks'', ''memory_open_set'',
      ''subtree_summaries'')),
    embedding   %s(%s) not null,
    primary key (tenant_id, owner_uuid, origin,
      ordinal))', target, 'public.' || vector_type, dimensions);
  execute format('comment on table context_ops.%I is %L', target, space);
  execute format('create index %I on context_ops.%I (tenant_id, scope_uuid, owner_table)', target
    || '_scope', target);
  execute format('grant select, insert on context_ops.%I to contextengine_app', target);
  execute format('grant select on context_ops.%I to contextengine_search', target);
  execute format('grant delete on context_ops.%I to contextengine_eraser', target);
  perform context_ops.seal_table(to_regclass('context_ops.' || target), true);
end
$body$;

-- What the eraser may change of a ledger row, the triggers hold it to: `check_settlement` to the
-- order of states, this to the one step in which content goes.
create function context_ops.refuse_rewrite() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  if current_user = 'contextengine_eraser' and old.status = 'suppressed'
    and new.status = 'erased' then return new; end if;
  raise exception 'UPDATE of context.% is refused: the ledger is append-only', tg_table_name
    using errcode = 'CE001', hint = 'Append a new version instead.';
end
$body$;
-- Its columns are what the eraser was granted.
create function context_ops.refuse_unless_erasing() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  if current_user = 'contextengine_eraser' and tg_op = 'UPDATE' then return null; end if;
  raise exception '% of context.% is refused: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'CE001', hint = 'Append a new version instead.';
end
$body$;
do $triggers$
declare
  ledger text;
  frozen text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    select string_agg(quote_ident(attname), ', ') into frozen from pg_attribute
      where attrelid = format('context.%I', ledger)::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in ('valid_until', 'closed_seq', 'retired_seq',
          'superseded_by', 'cause', 'status');
    execute format('drop trigger frozen_columns on context.%I', ledger);
    execute format('create trigger frozen_columns before update of %s on context.%I
      for each row execute function context_ops.refuse_rewrite()', frozen, ledger);
  end loop;
  drop trigger no_change on context_ops.operations;
  create trigger no_change before update or delete on context_ops.operations
    for each statement execute function context_ops.refuse_unless_erasing();
end
$triggers$;

grant update (status, author, role, title, content, tags, metadata, provenance)
  on context.blocks to contextengine_eraser;
grant update (status, content, model, provenance) on context.subtree_summaries
  to contextengine_eraser;
grant update (status, content, subject, category, class, tags, metadata, provenance)
  on context.memory_open_set to contextengine_eraser;
grant update (status, subject, collection, property, type, value, provenance)
  on context.memory_schema_typed to contextengine_eraser;
grant update (status, metadata) on context.context_links to contextengine_eraser;
grant update (reason, payload_digest) on context_ops.operations to contextengine_eraser;
grant update (receipt) on context_ops.receipts to contextengine_eraser;
grant update (is_suppressed, state, settled_at, action, digest, fingerprint)
  on context_ops.proposals to contextengine_eraser;
grant update (is_suppressed), delete on context_ops.artifacts to contextengine_eraser;
grant delete on context.compose_cache to contextengine_eraser;
grant update, delete on context_ops.postings to contextengine_eraser;
grant update on context_ops.lexicons to contextengine_eraser;
grant update (head) on context_ops.scope_heads to contextengine_eraser; -- to lock it
grant insert, update on context_ops.policy_epochs to contextengine_eraser;
grant insert, update (state, erased_at, counts, certificate) on context_ops.redactions
  to contextengine_eraser;
grant insert, update (kept) on context_ops.redacted to contextengine_eraser;
grant execute on function context_ops.append_audit(text, jsonb), context.tags_fit(text[])
  to contextengine_eraser;

-- A text as it stands in JSON, without its quotes: what is looked for in rows, receipts, proposals.
create function context_ops.json_needle(said text) returns text
  language plpgsql immutable strict set search_path = pg_catalog, pg_temp as $body$
begin
  return lower(substr(to_jsonb(said)::text, 2, length(to_jsonb(said)::text) - 2));
end
$body$;

-- Which rows of a ledger table a target names. $1 tenant, $2 the target, $3 scopes (null = all).
create function context_ops.named_sql(ledger text, target_kind text) returns text
  language plpgsql immutable strict set search_path = pg_catalog, pg_temp as $body$
declare
  columns constant jsonb := context_ops.columns_of(ledger);
  -- A scope goes when it is named, not by who made it or what its title says.
  within  constant text := case ledger when 'blocks' then 'not r.is_scope and ' else '' end;
  author  constant text := case when columns ? 'author' then 'r.author = $2' else 'false' end;
  subject constant text := case when columns ? 'subject' then 'r.subject = $2' else 'false' end;
  writer  constant text := 'exists (select from context_ops.operations o where o.tenant_id = $1
    and o.scope_uuid = r.scope_uuid and o.seq = r.recorded_seq and o.uuid = r.uuid
    and (o.principal = $2 or o.on_behalf_of = $2))';
begin
  return case when target_kind in ('author', 'subject', 'writer', 'person', 'text') then within
    else '' end || case target_kind
    when 'version' then 'r.uuid = $2::uuid'
    when 'root' then 'r.root_uuid = $2::uuid'
    when 'block' then case ledger when 'blocks' then 'r.root_uuid = $2::uuid' else 'false' end
    when 'scope' then 'r.scope_uuid = $2::uuid'
    when 'tenant' then 'true'
    when 'author' then author
    when 'subject' then subject
    when 'writer' then writer
    when 'person' then format('(%s or %s or %s)', author, subject, writer)
    when 'text' then 'strpos(lower(to_jsonb(r)::text), context_ops.json_needle($2)) > 0'
  end;
end
$body$;

-- One round of naming: what the target names, what was derived from it, what stands below a block,
-- and the links of what goes. Gives how many rows came in.
create function context_ops.name_redacted(tenant text, redaction uuid, asked jsonb) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  kind   constant text := asked ->> 'kind';
  held   constant uuid[] := case when jsonb_typeof(asked -> 'scopes') = 'array'
    then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end;
  ledger text;
  came   bigint;
  total  bigint := 0;
  named  constant text := 'insert into context_ops.redacted (tenant_id, redaction_uuid, copy, uuid, scope_uuid)
    select $1, %L::uuid, %L, r.uuid, r.scope_uuid from context.%I r
    where r.tenant_id = $1 and r.status <> ''erased'' and %s on conflict do nothing';
  -- A version that goes takes the whole root of what was derived from it.
  below  constant text := 'exists (select from context_ops.redacted d join context.context_links l
      on l.tenant_id = $1 and l.link_type = ''derived_from'' and l.to_uuid = d.uuid
    where d.tenant_id = $1 and d.redaction_uuid = %L::uuid and l.from_uuid = r.root_uuid)';
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format(named, redaction, ledger, ledger, context_ops.named_sql(ledger, kind)
      || ' and ($3::uuid[] is null or r.scope_uuid = any ($3))') using tenant, asked ->> 'value', held;
    get diagnostics came = row_count;
    total := total + came;
    execute format(named, redaction, ledger, ledger, format(below, redaction)) using tenant;
    get diagnostics came = row_count;
    total := total + came;
  end loop;
  if kind in ('block', 'scope', 'tenant') then
    execute format(named, redaction, 'blocks', 'blocks', format('exists (select from context_ops.redacted d
      where d.tenant_id = $1 and d.redaction_uuid = %L::uuid and d.copy = ''blocks'' and d.uuid = r.parent_uuid)',
      redaction)) using tenant;
    get diagnostics came = row_count;
    total := total + came;
  end if;
  if kind in ('root', 'block', 'scope', 'tenant') then
    foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
      'memory_schema_typed', 'context_links'] loop
      execute format(named, redaction, ledger, ledger, format('exists (select from context_ops.redacted d
        join context.blocks b on b.tenant_id = $1 and b.uuid = d.uuid and b.is_scope
        where d.tenant_id = $1 and d.redaction_uuid = %L::uuid and d.copy = ''blocks''
          and b.root_uuid = r.scope_uuid)', redaction)) using tenant;
      get diagnostics came = row_count;
      total := total + came;
    end loop;
  end if;
  -- A root that keeps other versions keeps its links, but for those to the source that goes.
  execute format(named, redaction, 'context_links', 'context_links', format('exists (select from context_ops.redacted d
    where d.tenant_id = $1 and d.redaction_uuid = %L::uuid and d.copy <> ''context_links''
      and d.uuid in (r.from_uuid, r.to_uuid) and (%L <> ''version'' or d.uuid <> $2::uuid
        or r.link_type = ''derived_from'' and r.to_uuid = d.uuid))', redaction, kind))
    using tenant, case when kind = 'version' then asked ->> 'value' end;
  get diagnostics came = row_count;
  return total + came;
end
$body$;

-- Copies beside the ledger. Compositions that served what goes, or were asked with its words, or in
-- a scope that goes; proposals that say it. Without the target's value (when it is erased later) what
-- the rows still hold is enough.
create function context_ops.name_copies(tenant text, redaction uuid, asked jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  named_by constant text := asked ->> 'kind';
  said   constant text := asked ->> 'value';
  needle constant text := case when named_by = 'text' then context_ops.json_needle(said) end;
begin
  insert into context_ops.redacted (tenant_id, redaction_uuid, copy, uuid, scope_uuid)
    with gone as materialized (select d.uuid, d.copy from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction),
    texts as materialized (
      select r.content from context.blocks r join gone g on g.uuid = r.uuid
        where r.tenant_id = tenant and r.content <> ''
      union select r.content from context.memory_open_set r join gone g on g.uuid = r.uuid
        where r.tenant_id = tenant and r.content <> '')
    select tenant, redaction, 'receipts', c.composition_id, c.scope_uuid
    from context_ops.receipts c where c.tenant_id = tenant and (
      named_by = 'tenant' or c.scope_uuid in (select g.uuid from gone g)
      or named_by in ('writer', 'person') and c.receipt #>> '{request,principal}' = said
      or c.receipt #>> '{request,query}' in (select t.content from texts t)
      or exists (select from jsonb_array_elements(c.receipt -> 'items') i
        where (i ->> 'uuid')::uuid in (select g.uuid from gone g))
      or needle is not null and strpos(lower(c.receipt::text), needle) > 0)
    on conflict do nothing;
  insert into context_ops.redacted (tenant_id, redaction_uuid, copy, uuid, scope_uuid)
    with gone as materialized (select d.uuid::text as uuid, d.copy from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction)
    select tenant, redaction, 'proposals', p.proposal_uuid, p.scope_uuid
    from context_ops.proposals p where p.tenant_id = tenant and (
      named_by = 'tenant' or p.scope_uuid::text in (select g.uuid from gone g)
      or named_by in ('writer', 'person') and said in (p.proposer, p.on_behalf_of)
      or exists (select from jsonb_array_elements(p.action::jsonb -> 'operations') o
        where o ->> 'uuid' in (select g.uuid from gone g)
          or o ->> 'root_uuid' in (select g.uuid from gone g)
          or o -> 'sources' ?| array(select g.uuid from gone g)
          or named_by in ('author', 'person') and o #>> '{content,author}' = said
          or named_by in ('subject', 'person') and o #>> '{content,subject}' = said)
      or needle is not null and strpos(lower(p.action), needle) > 0)
    on conflict do nothing;
  if named_by in ('text', 'tenant') then
    insert into context_ops.redacted (tenant_id, redaction_uuid, copy, uuid, digest)
      select tenant, redaction, 'artifacts', md5(a.digest)::uuid, a.digest
      from context_ops.artifacts a where a.tenant_id = tenant
        and (named_by = 'tenant' or strpos(lower(a.content), lower(said)) > 0
          or strpos(lower(a.content), needle) > 0)
      on conflict do nothing;
  end if;
end
$body$;

-- Postings of what goes, at once: word statistics tell of what they count. What stays is numbered
-- again without a gap, in its order: the last number of a term is its document frequency.
create function context_ops.drop_postings(tenant text, redaction uuid) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan as $body$
declare
  parked constant integer := 1000000000;
  holes  jsonb;
  total  bigint;
begin
  update context_ops.lexicons l set documents = l.documents - o.documents,
      total_length = l.total_length - o.length, document_count = l.document_count - o.document_count,
      document_length = l.document_length - o.document_length
    from (select t.scope_uuid, t.owner_table, count(*) as documents, sum(t.length) as length,
        count(*) filter (where t.is_document) as document_count,
        coalesce(sum(t.length) filter (where t.is_document), 0) as document_length
      from (select distinct p.scope_uuid, p.owner_table, p.owner_uuid, p.length, p.is_document
        from context_ops.redacted d join context_ops.postings p on p.tenant_id = tenant
          and p.scope_uuid = d.scope_uuid and p.owner_table = d.copy and p.owner_uuid = d.uuid
        where d.tenant_id = tenant and d.redaction_uuid = redaction) t
      group by t.scope_uuid, t.owner_table) o
    where l.tenant_id = tenant and l.scope_uuid = o.scope_uuid and l.owner_table = o.owner_table;
  with gone as (delete from context_ops.postings p using context_ops.redacted d
      where p.tenant_id = tenant and d.tenant_id = tenant and d.redaction_uuid = redaction
        and p.scope_uuid = d.scope_uuid and p.owner_table = d.copy and p.owner_uuid = d.uuid
      returning p.scope_uuid, p.owner_table, p.term, p.nth),
    first as (select g.scope_uuid as scope, g.owner_table as ledger, g.term, min(g.nth) as hole,
        count(*) as lost from gone g group by 1, 2, 3)
    select coalesce(jsonb_agg(to_jsonb(f)), '[]'), coalesce(sum(f.lost), 0) into holes, total
    from first f;
  update context_ops.postings p set nth = p.nth + parked
    from jsonb_to_recordset(holes) h(scope uuid, ledger text, term text, hole integer)
    where p.tenant_id = tenant and p.scope_uuid = h.scope and p.owner_table = h.ledger
      and p.term = h.term and p.nth > h.hole;
  update context_ops.postings p set nth = n.nth
    from (select p.scope_uuid, p.owner_table, p.term, p.nth as was,
        h.hole - 1 + row_number() over (partition by p.scope_uuid, p.owner_table, p.term
          order by p.nth) as nth
      from jsonb_to_recordset(holes) h(scope uuid, ledger text, term text, hole integer)
      join context_ops.postings p on p.tenant_id = tenant and p.scope_uuid = h.scope
        and p.owner_table = h.ledger and p.term = h.term and p.nth > parked) n
    where p.tenant_id = tenant and p.scope_uuid = n.scope_uuid and p.owner_table = n.owner_table
      and p.term = n.term and p.nth = n.was;
  return total;
end
$body$;

create function context_ops.drop_vectors(tenant text, redaction uuid) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  emb   text;
  lost  bigint;
  total bigint := 0;
begin
  for emb in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'context_ops' and c.relkind = 'r' and starts_with(c.relname, 'emb_')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'owner_uuid')
  loop
    execute format('delete from context_ops.%I e using context_ops.redacted d
      where e.tenant_id = $1 and d.tenant_id = $1 and d.redaction_uuid = $2
        and e.owner_table = d.copy and e.owner_uuid = d.uuid', emb) using tenant, redaction;
    get diagnostics lost = row_count;
    total := total + lost;
  end loop;
  return total;
end
$body$;

-- The words of the user leave the receipt and wait beside it.
create function context_ops.mask_receipts(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.redacted d set kept = jsonb_build_object('request', c.receipt -> 'request',
      'warnings', c.receipt -> 'warnings', 'text_sha256', c.receipt -> 'text_sha256')
    from context_ops.receipts c where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'receipts' and c.tenant_id = tenant and c.composition_id = d.uuid
      and not c.receipt ? 'is_masked';
  update context_ops.receipts c set receipt = c.receipt || jsonb_build_object('is_masked', true,
      'warnings', '[]'::jsonb, 'text_sha256', '',
      'request', (c.receipt -> 'request') || '{"query": "", "inputs": {}}'::jsonb)
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'receipts' and c.tenant_id = tenant and c.composition_id = d.uuid
      and not c.receipt ? 'is_masked';
end
$body$;

create function context_ops.count_redacted(tenant text, redaction uuid) returns jsonb
  language plpgsql stable set search_path = pg_catalog, pg_temp as $body$
begin
  return (select coalesce(jsonb_object_agg(c.copy, c.count), '{}') from (
    select d.copy, count(*) as count from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction group by d.copy) c);
end
$body$;

-- {redaction, kind, value, scopes, at, erase_after, principal, on_behalf_of, tier}. Nobody writes
-- into the scopes meanwhile: so nothing is derived from what goes, and a vector that was computed
-- before is not stored after (`lock_vectors`).
create function context_ops.forget(tenant text, asked jsonb) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  redaction constant uuid := (asked ->> 'redaction')::uuid;
  locked    bigint := -1;
  touched   bigint;
  came      bigint;
  ledger    text;
  totals    jsonb;
begin
  perform set_config('contextengine.tenant', tenant, true),
    set_config('contextengine.scopes', '*', true);
  perform pg_advisory_xact_lock(hashtextextended('contextengine.erasure.' || tenant, 0));
  insert into context_ops.redactions (tenant_id, redaction_uuid, target_kind, principal,
      on_behalf_of, suppressed_at, erase_after)
    values (tenant, redaction, asked ->> 'kind', asked ->> 'principal', asked ->> 'on_behalf_of',
      (asked ->> 'at')::timestamptz, (asked ->> 'erase_after')::timestamptz);
  loop
    came := context_ops.name_redacted(tenant, redaction, asked);
    continue when came > 0;
    perform from context_ops.scope_heads h where h.tenant_id = tenant and h.scope_uuid in (
      select d.scope_uuid from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction) order by h.scope_uuid for update;
    select count(distinct d.scope_uuid) into touched from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction;
    exit when touched = locked;
    locked := touched;
  end loop;
  perform context_ops.name_copies(tenant, redaction, asked);
  if not exists (select from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction) then
    raise exception 'Nothing is there that this names' using errcode = 'CE009';
  end if;
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set',
    'memory_schema_typed', 'context_links'] loop
    execute format('update context.%I r set status = ''suppressed'' from context_ops.redacted d
      where d.tenant_id = $1 and d.redaction_uuid = $2 and d.copy = %L and r.tenant_id = $1
        and r.uuid = d.uuid and r.status = ''live''', ledger, ledger) using tenant, redaction;
  end loop;
  perform context_ops.mask_receipts(tenant, redaction);
  update context_ops.operations o set reason = null from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and o.tenant_id = tenant
      and o.scope_uuid = d.scope_uuid and d.uuid in (o.uuid, o.root_uuid) and o.reason is not null;
  update context_ops.proposals p set is_suppressed = true,
      state = case p.state when 'pending' then 'rejected' else p.state end,
      settled_at = coalesce(p.settled_at, (asked ->> 'at')::timestamptz)
    from context_ops.redacted d where d.tenant_id = tenant and d.redaction_uuid = redaction
      and d.copy = 'proposals' and p.tenant_id = tenant and p.proposal_uuid = d.uuid;
  update context_ops.artifacts a set is_suppressed = true from context_ops.redacted d
    where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'artifacts'
      and a.tenant_id = tenant and a.digest = d.digest;
  totals := context_ops.count_redacted(tenant, redaction) || jsonb_build_object(
    'postings', context_ops.drop_postings(tenant, redaction),
    'vectors', context_ops.drop_vectors(tenant, redaction));
  delete from context.compose_cache c where c.tenant_id = tenant;
  insert into context_ops.policy_epochs as e (tenant_id, epoch) values (tenant, 1)
    on conflict (tenant_id) do update set epoch = e.epoch + 1;
  update context_ops.redactions n set counts = totals
    where n.tenant_id = tenant and n.redaction_uuid = redaction;
  perform context_ops.append_audit(tenant, jsonb_build_array(jsonb_build_object(
    'at', asked -> 'at', 'principal', asked -> 'principal', 'on_behalf_of', asked -> 'on_behalf_of',
    'action', 'forget.' || (asked ->> 'kind'), 'scope_uuid', case when asked ->> 'kind' = 'scope'
      then asked ->> 'value' end,
    'decision', 'allowed', 'tier', asked -> 'tier', 'detail', redaction)));
  return totals;
end
$body$;

-- Before a vector is stored, in a statement of its own: what is read after it sees what was
-- forgotten before it.
create function context_ops.lock_vectors(tenant text) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('contextengine.erasure.' || tenant, 0));
end
$body$;

revoke execute on function context_ops.refuse_rewrite(), context_ops.refuse_unless_erasing(),
  context_ops.json_needle(text), context_ops.named_sql(text, text),
  context_ops.name_redacted(text, uuid, jsonb), context_ops.name_copies(text, uuid, jsonb),
  context_ops.drop_postings(text, uuid), context_ops.drop_vectors(text, uuid),
  context_ops.count_redacted(text, uuid), context_ops.mask_receipts(text, uuid),
  context_ops.forget(text, jsonb), context_ops.lock_vectors(text) from public;
grant execute on function context_ops.json_needle(text), context_ops.named_sql(text, text),
  context_ops.name_redacted(text, uuid, jsonb), context_ops.name_copies(text, uuid, jsonb),
  context_ops.drop_postings(text, uuid), context_ops.drop_vectors(text, uuid),
  context_ops.count_redacted(text, uuid), context_ops.mask_receipts(text, uuid),
  context_ops.columns_of(text),
  context_ops.forget(text, jsonb) to contextengine_eraser;
grant execute on function context_ops.lock_vectors(text) to contextengine_app;
grant create on schema context_ops to contextengine_eraser;
alter function context_ops.forget(text, jsonb) owner to contextengine_eraser;
revoke create on schema context_ops from contextengine_eraser;
reset role;
