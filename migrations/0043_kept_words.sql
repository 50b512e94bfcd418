-- A receipt that an earlier redaction masked says nothing any more; what it said is kept there
-- (`redacted.kept`), and is judged instead: so whatever is forgotten later reaches its words as well.
-- What comes back of them is handed over, what is erased is erased wherever it is kept.
set local role contextengine_owner;

do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := replace(was, $$select tenant, redaction, 'receipts', c.composition_id, c.scope_uuid
    from context_ops.receipts c where c.tenant_id = tenant and ($$,
    $$, masked as materialized (select d.uuid, d.kept -> 'request' as request
      from context_ops.redacted d
      where d.tenant_id = tenant and d.copy = 'receipts' and d.kept ? 'request')
    select tenant, redaction, 'receipts', c.composition_id, c.scope_uuid
    from context_ops.receipts c left join masked m on m.uuid = c.composition_id
    where c.tenant_id = tenant and ($$);
  if now_is = was then raise exception 'name_copies is not as 0042_shared_vectors left it'; end if;
  was := now_is;
  now_is := replace(was, $$or c.receipt #>> '{request,query}' in (select t.content from texts t)$$,
    $$or coalesce(m.request, c.receipt -> 'request') ->> 'query' in (
        select t.content from texts t)$$);
  if now_is = was then raise exception 'name_copies is not as 0019_forget left it: texts'; end if;
  was := now_is;
  now_is := replace(was, $$context_ops.says(jsonb_build_array(c.receipt #> '{request,query}',
        c.receipt #> '{request,inputs}'), said)$$,
    $$context_ops.says(jsonb_build_array(
        coalesce(m.request, c.receipt -> 'request') -> 'query',
        coalesce(m.request, c.receipt -> 'request') -> 'inputs'), said)$$);
  if now_is = was then raise exception 'name_copies is not as 0030_said left it: receipts'; end if;
  execute now_is;
end
$functions$;

reset role;
