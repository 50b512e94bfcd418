-- The time of a head bounds everything that is written after it: journal times never go back, and a
-- write that takes its time from the clock begins no earlier. So it moves with a number of the
-- journal alone, and no further than an hour ahead of this server's clock: what clocks without time
-- service drift to (src/model/clock.ts). A head that is ahead already stays where it is.
set local role contextengine_owner;

create or replace function context_ops.check_head() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  if (tg_op = 'INSERT' or new.recorded_at > old.recorded_at)
    and new.recorded_at > clock_timestamp() + interval '1 hour' then
    raise exception 'The clock of the writer is more than an hour ahead of this database'
      using errcode = 'CE004';
  end if;
  if tg_op = 'INSERT' then
    new.restored_by := case when new.head > 0 or new.usage_head > 0 then mine end;
    new.moved_by := new.restored_by;
    new.usage_moved_by := new.restored_by;
    new.moved_from := 0;
    new.usage_moved_from := 0;
    return new;
  end if;
  if new.head < old.head or new.usage_head < old.usage_head or new.recorded_at < old.recorded_at
    then
    raise exception 'The head of scope % does not go back', old.scope_uuid using errcode = 'CE001';
  end if;
  if new.recorded_at > old.recorded_at and new.head = old.head then
    raise exception 'The time of the head of scope % moves with its number', old.scope_uuid
      using errcode = 'CE001';
  end if;
  if new.head > old.head and old.moved_by is distinct from mine then
    new.moved_by := mine;
    new.moved_from := old.head;
  end if;
  if new.usage_head > old.usage_head and old.usage_moved_by is distinct from mine then
    new.usage_moved_by := mine;
    new.usage_moved_from := old.usage_head;
  end if;
  return new;
end
$body$;

reset role;
