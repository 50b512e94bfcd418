-- What each principal was served, by session: a later session of theirs ranks it lower for an hour.
-- Ids and times alone, no words; a row goes within a day, and with what is forgotten.
set local role contextengine_owner;

create table context_ops.served (
  tenant_id    text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  principal    text not null check (length(principal) between 1 and 200),
  session_uuid uuid not null,
  root_uuid    uuid not null,
  served_at    timestamptz not null,
  primary key (tenant_id, principal, session_uuid, root_uuid)
);
create index served_by_time on context_ops.served (tenant_id, served_at);

select context_ops.seal_table('context_ops.served', false);
create policy forget_own on context_ops.served for delete
  using (tenant_id = (select current_setting('contextengine.tenant', true)));
grant select, insert, update, delete on context_ops.served to contextengine_app;
grant delete on context_ops.served to contextengine_eraser;

-- Marks of roots of which something goes, of sessions that go, and of whoever is named. What a mark
-- says is worth an hour, so it goes with any version of its root.
create function context_ops.drop_served(tenant text, redaction uuid, asked jsonb) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
begin
  delete from context_ops.served s where s.tenant_id = tenant and (
    asked ->> 'kind' = 'tenant'
    or asked ->> 'kind' in ('writer', 'person') and s.principal = asked ->> 'value'
    or s.session_uuid in (select d.uuid from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction)
    or s.root_uuid in (select r.root_uuid from context_ops.redacted d
      join context.memory_open_set r on r.tenant_id = tenant and r.uuid = d.uuid
      where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'memory_open_set'
      union all select r.root_uuid from context_ops.redacted d
      join context.blocks r on r.tenant_id = tenant and r.uuid = d.uuid
      where d.tenant_id = tenant and d.redaction_uuid = redaction and d.copy = 'blocks'));
end
$body$;
revoke execute on function context_ops.drop_served(text, uuid, jsonb) from public;
grant execute on function context_ops.drop_served(text, uuid, jsonb) to contextengine_eraser;

do $functions$
declare
  was    text;
  now_is text;
begin
  -- Called when something is forgotten, and again when it is erased.
  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := regexp_replace(was, '\nbegin\n',
    E'\nbegin\n  perform context_ops.drop_served(tenant, redaction, asked);\n');
  if now_is = was then raise exception 'name_copies is not as 0030_said left it'; end if;
  execute now_is;
end
$functions$;

reset role;
