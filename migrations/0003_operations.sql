-- What the engine keeps beside the ledger (schema context_ops).

set local role contextengine_owner;

-- The head of a scope grows with each committed write. Writers take this row FOR UPDATE, so that sequence order is commit order.
create table context_ops.scope_heads (
  tenant_id   text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  scope_uuid  uuid not null,
  head        bigint not null default 0 check (head >= 0),
  usage_head  bigint not null default 0 check (usage_head >= 0),
  recorded_at timestamptz not null default '-infinity',
  primary key (tenant_id, scope_uuid)
);

-- The journal: one row per operation (of a restored scope, one per row: those of one seq differ in the ordinal). The idempotency key lives here.
create table context_ops.operations (
  tenant_id       text not null,
  scope_uuid      uuid not null,
  seq             bigint not null check (seq > 0),
  ordinal         integer not null default 0,
  operation_id    uuid not null,
  operation       text not null check (operation in ('ADD', 'UPDATE', 'DELETE', 'NOOP', 'CASCADE', 'RESTORE')),
  table_name      text,
  uuid            uuid,
  root_uuid       uuid,
  outcome         text not null check (outcome in ('stored', 'superseded', 'duplicate', 'quarantined', 'rejected', 'conflict')),
  embedding       text not null default 'none' check (embedding in ('none', 'pending', 'done')),
  reason          text check (length(reason) <= 10000),
  principal       text not null,
  on_behalf_of    text,
  writer          text not null,
  manifest_digest text,
  decision        text not null,
  idempotency_key text check (octet_length(idempotency_key) <= 1024),
  payload_digest  text,
  recorded_at     timestamptz not null,
  primary key (tenant_id, scope_uuid, seq, ordinal)
);
create unique index operations_idempotency on context_ops.operations (tenant_id, scope_uuid, idempotency_key) where idempotency_key is not null;
create index operations_time on context_ops.operations (tenant_id, scope_uuid, recorded_at, seq);

create table context_ops.principal_rights (
  tenant_id   text not null,
  principal   text not null,
  kind        text not null check (kind in ('human', 'agent', 'service')),
  tiers       jsonb not null default '{}',
  all_scopes  boolean not null default false,
  scopes      uuid[] not null default '{}',
  is_disabled boolean not null default false,
  primary key (tenant_id, principal)
);

create table context_ops.policy_epochs (
  tenant_id text not null,
  epoch     bigint not null default 0,
  primary key (tenant_id)
);

-- Outcomes, append-only. Each row carries the state folded so far, so that the state at a usage position is one row.
create table context_ops.usage_events (
  tenant_id      text not null,
  scope_uuid     uuid not null,
  usage_seq      bigint not null check (usage_seq > 0),
  root_uuid      uuid not null,
  composition_id uuid not null,
  kind           text not null check (kind in ('used', 'cited', 'confirmed', 'corrected', 'unused')),
  at             timestamptz not null,
  state          jsonb not null,
  recorded_at    timestamptz not null,
  primary key (tenant_id, scope_uuid, usage_seq)
);
create index usage_state on context_ops.usage_events (tenant_id, scope_uuid, root_uuid, usage_seq desc);
create index usage_time on context_ops.usage_events (tenant_id, scope_uuid, recorded_at, usage_seq);

create table context_ops.receipts (
  tenant_id      text not null,
  composition_id uuid not null,
  scope_uuid     uuid not null,
  created_at     timestamptz not null,
  receipt        jsonb not null,
  primary key (tenant_id, composition_id)
);
create index receipts_of_scope on context_ops.receipts (tenant_id, scope_uuid, created_at);

create table context_ops.artifacts (
  tenant_id text not null,
  digest    text not null check (length(digest) between 1 and 128),
  kind      text not null check (kind in ('manifest', 'file', 'collection')),
  content   text not null,
  primary key (tenant_id, digest)
);

-- Two entries of the same instant are two rows.
create table context_ops.audit (
  tenant_id  text not null,
  entry_id   uuid not null default gen_random_uuid(),
  at         timestamptz not null,
  principal  text not null,
  action     text not null,
  scope_uuid uuid,
  decision   text not null check (decision in ('denied', 'allowed')),
  tier       text not null,
  detail     text not null,
  primary key (tenant_id, entry_id)
);
create index audit_time on context_ops.audit (tenant_id, at);

-- Up to which sequence number every row of a scope has its vector: what lies below is not looked at again.
create table context_ops.embedding_progress (
  tenant_id  text not null,
  space      text not null,
  scope_uuid uuid not null,
  done_seq   bigint not null,
  primary key (tenant_id, space, scope_uuid)
);

reset role;
