-- Work that is done off the path of a call, one row for each kind and scope. Whoever works claims the
-- row for a while; one that died leaves a claim that ends.
set local role contextengine_owner;

create table context_ops.jobs (
  tenant_id     text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  kind          text not null check (length(kind) between 1 and 63),
  scope_uuid    uuid not null,
  -- Grows each time that it is asked for: what is asked for while it runs, runs again.
  asked         bigint not null default 1,
  not_before    timestamptz not null,
  attempts      integer not null default 0,
  claimed_by    text,
  claimed_until timestamptz,
  -- A code: never words of turns.
  last_error    text check (length(last_error) <= 63),
  primary key (tenant_id, kind, scope_uuid)
);
create index jobs_by_time on context_ops.jobs (tenant_id, kind, not_before, scope_uuid);

select context_ops.seal_table('context_ops.jobs', true);
create policy finish_own on context_ops.jobs for delete
  using (tenant_id = (select current_setting('contextengine.tenant', true)));
grant select, insert, update, delete on context_ops.jobs to contextengine_app;
reset role;
