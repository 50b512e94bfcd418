-- Capture: how far each consumer has read a scope, and what it made of each batch of turns. A plan is
-- kept before it is carried out, so that it is carried out once, and goes when its receipt comes: it
-- holds words of turns, the receipt holds their places alone.
set local role contextengine_owner;

create table context_ops.progress (
  tenant_id  text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  consumer   text not null check (length(consumer) between 1 and 200),
  scope_uuid uuid not null,
  done_seq   bigint not null default 0 check (done_seq >= 0),
  moved_at   timestamptz not null,
  primary key (tenant_id, consumer, scope_uuid)
);

create table context_ops.captures (
  tenant_id    text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  scope_uuid   uuid not null,
  consumer     text not null check (length(consumer) between 1 and 200),
  from_seq     bigint not null check (from_seq > 0),
  to_seq       bigint not null check (to_seq >= from_seq),
  capture_uuid uuid not null,
  plan         jsonb,
  receipt      jsonb,
  planned_at   timestamptz not null,
  primary key (tenant_id, scope_uuid, consumer, from_seq),
  check ((plan is null) <> (receipt is null))
);
create index captures_open on context_ops.captures (tenant_id, scope_uuid, consumer)
  where receipt is null;

select context_ops.seal_table('context_ops.progress', true),
  context_ops.seal_table('context_ops.captures', true);
grant select, insert, update on context_ops.progress, context_ops.captures to contextengine_app;

-- The words of an erased turn go with it, also from a plan that nobody carried out.
create function context_ops.erase_from_plans() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.captures c set plan = jsonb_set(c.plan, '{plan,writes}', (
      select coalesce(jsonb_agg(w.write order by w.ord), '[]')
      from jsonb_array_elements(c.plan #> '{plan,writes}') with ordinality w(write, ord)
      where w.write ->> 'source_uuid' <> new.uuid::text))
    where c.tenant_id = new.tenant_id and c.receipt is null
      and c.plan #> '{plan,sources}' ? new.uuid::text;
  return null;
end
$body$;
revoke execute on function context_ops.erase_from_plans() from public;
create trigger plans_forget after update of status on context.blocks
  for each row when (new.status = 'erased')
  execute function context_ops.erase_from_plans();

create trigger no_truncate before truncate on context_ops.captures
  for each statement execute function context_ops.refuse_change();
reset role;
