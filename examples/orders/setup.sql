-- A backend's own table beside the ledger, and the role that its connection works as. Run once, as a role that may create
-- roles, after `contextengine migrate`.

create table orders (
  tenant_id   text not null,
  order_id    integer not null,
  customer    text not null,
  status      text not null check (status in ('open', 'shipped')),
  total_cents integer not null,
  primary key (tenant_id, order_id)
);

-- The same setting guards both: the tenant of `withTenant`. No tenant set means no row.
alter table orders enable row level security;
create policy own_orders on orders
  using (tenant_id = current_setting('contextengine.tenant', true));

-- The role may read the ledger and the records beside it, and nothing else of them. It owns no table, so row-level security
-- holds it; it is no member of a contextengine role.
create role shop_backend;
grant select, insert, update on orders to shop_backend;
grant usage on schema context, context_ops to shop_backend;
grant select on context.blocks, context.subtree_summaries, context.memory_open_set,
  context.memory_schema_typed, context.context_links to shop_backend;
grant select on context_ops.operations, context_ops.receipts, context_ops.usage_events
  to shop_backend;
