-- A statement that says again what is believed leaves from when on it says so, and its sources.
--
-- Without it, a value that comes late, of an instant before that, takes the place of the other for
-- good.
set local role contextengine_owner;

alter table context_ops.operations add column said_again_from timestamptz,
  add column said_again_in uuid[],
  add constraint operations_said_again check (
    (said_again_from is null) = (said_again_in is null)
    and (said_again_from is null or outcome = 'duplicate' and uuid is not null));
create index operations_said_again on context_ops.operations (tenant_id, uuid)
  where said_again_from is not null;
