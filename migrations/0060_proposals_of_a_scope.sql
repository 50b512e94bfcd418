-- So many proposals of a proposer wait for each scope, no longer over the whole tenant: capture
-- proposes under one name for all scopes, and what nobody reviews in one held up all others.
set local role contextengine_owner;

do $function$
declare
  was    constant text := pg_get_functiondef('context_ops.propose(text, jsonb)'::regprocedure);
  now_is text := replace(was, $$and p.proposer = said ->> 'proposer' and p.state = 'pending'$$,
    $$and p.proposer = said ->> 'proposer' and p.state = 'pending'
      and p.scope_uuid is not distinct from (said #>> '{scopes,0}')::uuid$$);
begin
  if now_is = was then raise exception 'propose is not as 0046_proposed_words left it'; end if;
  execute replace(now_is, '100 proposals of % wait already', '100 proposals of % wait for this scope');
end
$function$;
