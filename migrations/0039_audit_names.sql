-- What the application role says to the audit was done is one of three: a link that gives rights, a
-- read of other scopes, an import. Any other name could read like what a sealed function did
-- (`erasure.tenant`, `redactions.person`, `certificate`), and whoever reads the audit would take it
-- for that. What was denied keeps the name of its door.
set local role contextengine_owner;

create or replace function context_ops.append_audit(tenant text, entries jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if exists (select from jsonb_array_elements(entries) e
    where not coalesce(e ->> 'action' ~ '^[a-z][a-z_]*(\.[a-z_]+)*$'
      and (e ->> 'decision' = 'denied' or e ->> 'decision' = 'allowed' and e ->> 'tier' = 'T1'
        and e ->> 'action' in ('write.grants', 'compose.cross_scope', 'import')), false)) then
    raise exception 'This is audited by the function that checks it' using errcode = 'CE001';
  end if;
  perform context_ops.chain_audit(tenant, entries);
end
$body$;
reset role;
