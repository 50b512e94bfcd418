-- What is to be forgotten may wait for another principal, as a write does: a proposal of kind
-- `redaction`, settled by the functions of 0021_settlements in the transaction that forgets.
set local role contextengine_owner;
alter table context_ops.proposals drop constraint proposals_kind_check;
alter table context_ops.proposals add constraint proposals_kind_check
  check (kind in ('write', 'read', 'rights', 'redaction')) not valid;

-- Whoever may call `propose` says what waits: a redaction names no less than the scopes that it
-- reaches, which are what a reviewer has to hold.
do $propose$
declare
  was    constant text := pg_get_functiondef('context_ops.propose(text, jsonb)'::regprocedure);
  now_is constant text := replace(was, '  for lapsed in',
    $sql$  if (said ->> 'kind' = 'redaction') <> (said ? 'redaction') or said ->> 'kind' = 'redaction'
    and (said ->> 'key' <> 'redactions' or said -> 'scopes' = '[]'
      or not coalesce(said #>> '{redaction,kind}' in ('version', 'root', 'block'), false)) then
    raise exception 'A redaction names a row and its scopes' using errcode = 'CE001';
  end if;
  for lapsed in$sql$);
begin
  if now_is = was then raise exception 'propose is not as 0021_settlements left it'; end if;
  execute now_is;
end
$propose$;
reset role;
