-- What was forgotten and erased is in the audit by the functions that do it alone: the application
-- role could append such an entry by itself, and so vouch for an erasure that never was.
set local role contextengine_owner;

create function context_ops.append_erasure(tenant text, entries jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if exists (select from jsonb_array_elements(entries) e
    where not coalesce(e ->> 'action' ~ '^(forget|erase|bring_back)\.[a-z_]+$'
      and e ->> 'decision' = 'allowed', false)) then
    raise exception 'This is audited by the function that checks it' using errcode = 'CE001';
  end if;
  perform context_ops.chain_audit(tenant, entries);
end
$body$;

-- As in 0021_settlements, without the entries above. Whoever was refused is told of by the engine.
create or replace function context_ops.append_audit(tenant text, entries jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  if exists (select from jsonb_array_elements(entries) e
    where not coalesce(e ->> 'action' ~ '^[a-z][a-z_]*(\.[a-z_]+)*$'
      and (e ->> 'decision' = 'denied' or e ->> 'decision' = 'allowed' and e ->> 'tier' = 'T1'
        and e ->> 'action'
          !~ '^(approvals|principals|rights|forget|erase|bring_back)(\.|$)'), false)) then
    raise exception 'This is audited by the function that checks it' using errcode = 'CE001';
  end if;
  perform context_ops.chain_audit(tenant, entries);
end
$body$;

revoke execute on function context_ops.append_erasure(text, jsonb) from public;
grant execute on function context_ops.append_erasure(text, jsonb) to contextengine_eraser;
revoke execute on function context_ops.append_audit(text, jsonb) from contextengine_eraser;

-- They are the eraser's own.
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;
do $functions$
declare
  named  regprocedure;
  was    text;
  now_is text;
begin
  foreach named in array array['context_ops.forget(text, jsonb)',
    'context_ops.erase(text, jsonb)']::regprocedure[] loop
    was := pg_get_functiondef(named);
    now_is := replace(was, 'context_ops.append_audit(', 'context_ops.append_erasure(');
    if now_is = was then raise exception '% is not as it was left', named; end if;
    execute now_is;
  end loop;
end
$functions$;
set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
reset role;
