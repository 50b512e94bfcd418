-- What an erased turn said goes from a plan also where another turn says it: a correction in few
-- words repeats the statement that it corrects, and what is proposed anew repeats what waited.
set local role contextengine_owner;

create or replace function context_ops.erase_from_plans() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.captures c set plan = jsonb_set(jsonb_set(c.plan, '{plan,writes}', (
      select coalesce(jsonb_agg(
          case when w.write #> '{instead,before}' is null then w.write
            else jsonb_set(w.write, '{instead,before}',
              context_ops.without_source(w.write #> '{instead,before}', new.uuid)) end
          order by w.ord), '[]')
      from jsonb_array_elements(c.plan #> '{plan,writes}') with ordinality w(write, ord)
      where w.write ->> 'source_uuid' <> new.uuid::text
        and strpos(coalesce(w.write #>> '{operation,sources}', ''), new.uuid::text) = 0)),
      '{plan,retractions}', (
      select coalesce(jsonb_agg(
          case when r.retraction #> '{what,rest}' is not null then
              jsonb_set(r.retraction, '{what,rest}',
                context_ops.without_source(r.retraction #> '{what,rest}', new.uuid))
            when r.retraction #> '{what,stays}' is not null then
              jsonb_set(r.retraction, '{what,stays}',
                context_ops.without_source(r.retraction #> '{what,stays}', new.uuid))
            else r.retraction end
          order by r.ord), '[]')
      from jsonb_array_elements(coalesce(c.plan #> '{plan,retractions}', '[]'))
        with ordinality r(retraction, ord)))
    where c.tenant_id = new.tenant_id and c.receipt is null
      and strpos(c.plan::text, new.uuid::text) > 0;
  return null;
end
$body$;

-- The operations that are made of other turns.
create function context_ops.without_source(operations jsonb, source uuid) returns jsonb
  language sql immutable set search_path = pg_catalog, pg_temp as $body$
  select coalesce(jsonb_agg(o.operation order by o.ord), '[]')
  from jsonb_array_elements(operations) with ordinality o(operation, ord)
  where strpos(coalesce(o.operation ->> 'sources', ''), source::text) = 0
$body$;
revoke execute on function context_ops.without_source(jsonb, uuid) from public;
reset role;
