-- The ledger: five versioned tables and the cache of compositions. Columns as src/model/block.ts names them.
-- Every key begins with the tenant, and no sequence is shared between tenants.

set local role contextengine_owner;

-- What every ledger row carries; a template that is dropped below.
create table context.versioned (
  tenant_id     text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  uuid          uuid not null,
  root_uuid     uuid not null,
  scope_uuid    uuid not null,
  valid_from    timestamptz not null,
  valid_until   timestamptz,
  closed_seq    bigint,
  recorded_seq  bigint not null check (recorded_seq > 0),
  retired_seq   bigint,
  superseded_by uuid,
  cause         text check (cause in ('change', 'correction', 'merge', 'cascade', 'redaction', 'prune')),
  status        text not null default 'live' check (status in ('live', 'quarantined', 'rejected', 'suppressed', 'erased')),
  operation     text not null check (operation in ('ADD', 'UPDATE', 'DELETE', 'NOOP')),
  constraint interval_is_not_empty check (valid_until > valid_from),
  constraint close_has_an_end check (closed_seq is null or valid_until is not null),
  constraint close_follows_record check (closed_seq >= recorded_seq),
  constraint retire_follows_record check (retired_seq >= recorded_seq)
);

-- 120,000 characters: no text of that length can exceed the 1 MB that a tsvector may have (hyphenated four-byte letters,
-- the worst case known, take 7.5 bytes a character), so indexing never refuses a write.
create function context.text_index(content text) returns tsvector
  language sql immutable strict parallel safe
  return to_tsvector('pg_catalog.english'::regconfig, left(content, 120000));

-- At most 64 tags of at most 512 bytes: an index entry may not exceed 2.7 kB.
create function context.tags_fit(tags text[]) returns boolean
  language sql immutable strict parallel safe
  return cardinality(tags) <= 64 and array_position(tags, null) is null and coalesce((select max(octet_length(tag)) <= 512 from unnest(tags) tag), true);

create table context.blocks (
  like context.versioned including constraints including defaults,
  parent_uuid uuid,
  block_type  text not null check (length(block_type) between 1 and 63),
  is_scope    boolean not null default false,
  role        text check (length(role) <= 63),
  author      text check (length(author) <= 200),
  occurred_at timestamptz not null,
  title       text check (length(title) <= 1000),
  content     text not null check (octet_length(content) <= 16777216),
  tags        text[] not null default '{}' check (context.tags_fit(tags)),
  metadata    jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  provenance  jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
  fts         tsvector generated always as (context.text_index(content)) stored,
  constraint scope_is_its_own check (not is_scope or root_uuid = scope_uuid),
  primary key (tenant_id, uuid)
);

create table context.subtree_summaries (
  like context.versioned including constraints including defaults,
  kind          text not null check (kind in ('rolling', 'per_doc', 'lineage')),
  content       text not null check (octet_length(content) <= 16777216),
  covers_to_seq bigint not null check (covers_to_seq >= 0),
  model         text check (length(model) <= 200),
  cost_usd      double precision not null default 0 check (cost_usd >= 0),
  provenance    jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
  fts           tsvector generated always as (context.text_index(content)) stored,
  primary key (tenant_id, uuid)
);

create table context.memory_open_set (
  like context.versioned including constraints including defaults,
  content    text not null check (octet_length(content) <= 16777216),
  subject    text check (length(subject) <= 1000),
  category   text check (length(category) <= 200),
  class      text not null check (length(class) between 1 and 63),
  importance double precision not null check (importance between 0 and 1),
  confidence double precision not null check (confidence between 0 and 1),
  tags       text[] not null default '{}' check (context.tags_fit(tags)),
  metadata   jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  provenance jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
  fts        tsvector generated always as (context.text_index(content)) stored,
  primary key (tenant_id, uuid)
);

-- Keys of 512 bytes: the three together stay under what one index entry may hold.
create table context.memory_schema_typed (
  like context.versioned including constraints including defaults,
  subject     text not null check (octet_length(subject) between 1 and 512),
  collection  text not null check (octet_length(collection) between 1 and 512),
  property    text not null check (octet_length(property) between 1 and 512),
  type        text not null check (type in ('text', 'int', 'date', 'bool', 'option', 'array')),
  value       jsonb not null,
  cardinality text not null check (cardinality in ('one', 'many')),
  confidence  double precision not null check (confidence between 0 and 1),
  provenance  jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
  primary key (tenant_id, uuid),
  -- Judged at commit, so that a re-cut may retire and append in any order.
  constraint one_value_at_a_time exclude using gist
    (tenant_id with =, scope_uuid with =, subject with =, collection with =, property with =, tstzrange(valid_from, valid_until) with &&)
    where (cardinality = 'one' and retired_seq is null and status = 'live') deferrable initially deferred,
  constraint one_version_at_a_time exclude using gist (tenant_id with =, root_uuid with =, tstzrange(valid_from, valid_until) with &&)
    where (cardinality = 'many' and retired_seq is null and status = 'live') deferrable initially deferred
);

create table context.context_links (
  like context.versioned including constraints including defaults,
  link_type text not null check (link_type in ('pinned', 'inherits', 'grants', 'derived_from', 'replaces', 'absorbed_by', 'co_occurs')),
  from_uuid uuid not null,
  to_uuid   uuid not null,
  ordinal   bigint not null default 0,
  weight    double precision not null default 1,
  metadata  jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  primary key (tenant_id, uuid)
);

drop table context.versioned;

create table context.compose_cache (
  tenant_id   text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  cache_key   text not null check (length(cache_key) <= 200),
  scope_uuid  uuid not null,
  composition jsonb not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (tenant_id, cache_key)
);

-- By need: recent turns; the next validity edge; scans and what waits for a vector; history.
create index blocks_recent on context.blocks (tenant_id, scope_uuid, occurred_at desc, recorded_seq desc, uuid desc);
create index typed_key on context.memory_schema_typed (tenant_id, scope_uuid, collection, subject, property);
create index links_from on context.context_links (tenant_id, from_uuid, link_type);
create index links_to on context.context_links (tenant_id, to_uuid, link_type);

do $indexes$
declare
  ledger text;
begin
  foreach ledger in array array['blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed', 'context_links'] loop
    execute format('create index %I on context.%I (tenant_id, scope_uuid, recorded_seq, uuid)', ledger || '_scan', ledger);
    execute format('create index %I on context.%I (tenant_id, scope_uuid, valid_from)', ledger || '_begins', ledger);
    execute format('create index %I on context.%I (tenant_id, scope_uuid, valid_until) where valid_until is not null', ledger || '_ends', ledger);
    execute format('create index %I on context.%I (tenant_id, root_uuid)', ledger || '_history', ledger);
  end loop;
end
$indexes$;

-- One index for words and containment: it serves any subset of its columns, and the tenant and scope entries are kept once.
-- fastupdate off: what waits in a pending list is read by every search, and nothing vacuums an embedded database.
create index blocks_search on context.blocks
  using gin (tenant_id, scope_uuid, fts, tags, metadata jsonb_path_ops) with (fastupdate = off);
create index memory_open_set_search on context.memory_open_set
  using gin (tenant_id, scope_uuid, fts, tags, metadata jsonb_path_ops) with (fastupdate = off);
create index subtree_summaries_search on context.subtree_summaries
  using gin (tenant_id, scope_uuid, fts) with (fastupdate = off);

reset role;
