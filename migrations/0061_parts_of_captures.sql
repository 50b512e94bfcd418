-- A batch that waits in its middle has a receipt of what is written: what is left is a part of its
-- own, with a plan and then a receipt.
set local role contextengine_owner;

alter table context_ops.captures
  add column part int not null default 0 check (part >= 0),
  drop constraint captures_pkey,
  add primary key (tenant_id, scope_uuid, consumer, from_seq, part);
reset role;
