-- Every change of what is stored about a principal moves the policy epoch of its tenant. A cached
-- composition is served only at the epoch that it was judged at. The trigger runs as the role that
-- changes the rights, which is bound to the same tenant on both tables.
set local role contextengine_owner;

create function context_ops.move_policy_epoch() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  tenant constant text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
begin
  insert into context_ops.policy_epochs as e (tenant_id, epoch) values (tenant, 1)
    on conflict (tenant_id) do update set epoch = e.epoch + 1;
  return null;
end
$body$;
revoke execute on function context_ops.move_policy_epoch() from public;

create trigger rights_move_the_epoch
  after insert or update or delete on context_ops.principal_rights
  for each row execute function context_ops.move_policy_epoch();

reset role;
