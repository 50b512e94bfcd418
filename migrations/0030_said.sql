-- What `forget` of a text names: what people wrote, not names of columns, states, ids or times; copies
-- only of scopes that are held; every kept copy of what was erased; and proposals that come late.
set local role contextengine_owner;

-- Whether a string of the value says it, in either case. Times and ids are nobody's words.
create function context_ops.says(said jsonb, needle text) returns boolean
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  return exists (select from jsonb_path_query(said, 'strict $.**') t
    where jsonb_typeof(t) = 'string' and strpos(lower(t #>> '{}'), lower(needle)) > 0
      and t #>> '{}' !~ '^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
end
$body$;

-- Of an operation that is proposed, what somebody wrote.
create function context_ops.words_of_action(action jsonb) returns jsonb
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
begin
  if jsonb_typeof(action -> 'operations') is distinct from 'array' then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_array(o -> 'reason', c -> 'content', c -> 'title',
      c -> 'author', c -> 'subject', c -> 'category', c -> 'tags', c -> 'value', c -> 'metadata')),
    '[]')
    from jsonb_array_elements(action -> 'operations') o cross join lateral (select o -> 'content') v (c));
end
$body$;

do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef('context_ops.named_sql(text, text)'::regprocedure);
  now_is := replace(was,
    $$'strpos(lower(to_jsonb(r)::text), context_ops.json_needle($2)) > 0'$$,
    $$'context_ops.says(' || case ledger
      when 'blocks' then 'jsonb_build_array(r.content, r.title, r.author, r.tags, r.metadata)'
      when 'subtree_summaries' then 'to_jsonb(r.content)'
      when 'memory_open_set' then
        'jsonb_build_array(r.content, r.subject, r.category, r.tags, r.metadata)'
      when 'memory_schema_typed' then 'jsonb_build_array(r.subject, r.value, r.value::text)'
      else 'r.metadata' end || ', $2)'$$);
  if now_is = was then raise exception 'named_sql is not as 0019_forget left it'; end if;
  execute now_is;

  was := pg_get_functiondef('context_ops.name_copies(text, uuid, jsonb)'::regprocedure);
  now_is := replace(was, 'needle is not null and strpos(lower(c.receipt::text), needle) > 0',
    $$is_held(c.scope_uuid) and context_ops.says(jsonb_build_array(c.receipt #> '{request,query}',
        c.receipt #> '{request,inputs}'), said) and named_by = 'text'$$);
  if now_is = was then raise exception 'name_copies is not as it was left: receipts'; end if;
  was := now_is;
  now_is := replace(was, $$named_by in ('writer', 'person') and c.receipt #>> '{request,principal}' = said$$,
    $$is_held(c.scope_uuid) and named_by in ('writer', 'person') and said in (
        c.receipt #>> '{request,principal}', c.receipt #>> '{request,on_behalf_of}')$$);
  if now_is = was then raise exception 'name_copies is not as it was left: principals'; end if;
  was := now_is;
  now_is := replace(was, 'needle is not null and strpos(lower(p.action), needle) > 0',
    $$is_held(p.scope_uuid) and named_by = 'text'
        and context_ops.says(context_ops.words_of_action(p.action::jsonb), said)$$);
  if now_is = was then raise exception 'name_copies is not as it was left: proposals'; end if;
  was := now_is;
  now_is := replace(was, $$named_by in ('writer', 'person') and said in (p.proposer, p.on_behalf_of)$$,
    $$is_held(p.scope_uuid) and named_by in ('writer', 'person')
        and said in (p.proposer, p.on_behalf_of)$$);
  if now_is = was then raise exception 'name_copies is not as it was left: proposers'; end if;
  was := now_is;
  now_is := replace(was, $$or named_by in ('author', 'person') and o #>> '{content,author}' = said$$,
    $$or is_held(p.scope_uuid) and named_by in ('author', 'person')
          and o #>> '{content,author}' = said$$);
  now_is := replace(now_is, $$or named_by in ('subject', 'person') and o #>> '{content,subject}' = said$$,
    $$or is_held(p.scope_uuid) and named_by in ('subject', 'person')
          and o #>> '{content,subject}' = said$$);
  if now_is = was then raise exception 'name_copies is not as it was left: authors'; end if;
  was := now_is;
  now_is := replace(was, $$if named_by in ('text', 'tenant') then$$,
    $$if named_by = 'tenant' or named_by = 'text' and held is null and said is not null then$$);
  if now_is = was then raise exception 'name_copies is not as it was left: artifacts'; end if;
  -- Nobody learns what is said in scopes that they do not hold.
  now_is := replace(now_is, 'is_held(c.scope_uuid)', '(held is null or c.scope_uuid = any (held))');
  now_is := replace(now_is, 'is_held(p.scope_uuid)', '(held is null or p.scopes <@ held)');
  now_is := replace(now_is, $$  needle constant text$$,
    $$  held   constant uuid[] := case when jsonb_typeof(asked -> 'scopes') = 'array'
    then array(select jsonb_array_elements_text(asked -> 'scopes')::uuid) end;
  needle constant text$$);
  execute now_is;

  -- A copy may have been kept by several redactions.
  was := pg_get_functiondef('context_ops.blank_copies(text, uuid)'::regprocedure);
  now_is := replace(was, $$and d.redaction_uuid = redaction and d.kept is not null;$$,
    $$and d.kept is not null and exists (select from context_ops.redacted e
      where e.tenant_id = tenant and e.redaction_uuid = redaction and e.copy = d.copy
        and e.uuid = d.uuid);$$);
  if now_is = was then raise exception 'blank_copies is not as 0026_keyed_digests left it'; end if;
  execute now_is;
end
$functions$;
revoke execute on function context_ops.says(jsonb, text), context_ops.words_of_action(jsonb)
  from public;
grant execute on function context_ops.says(jsonb, text), context_ops.words_of_action(jsonb)
  to contextengine_eraser;

-- A proposal that was on its way when what it is made of was forgotten waits for nobody.
create function context_ops.refuse_forgotten() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  named jsonb := new.action::jsonb -> 'operations';
begin
  perform pg_advisory_xact_lock_shared(
    hashtextextended('contextengine.erasure.' || new.tenant_id, 0));
  if jsonb_typeof(named) = 'array' and exists (
    select from jsonb_array_elements(named) o cross join lateral (
      select o ->> 'root_uuid' union all select o ->> 'uuid'
      union all select s #>> '{}' from jsonb_array_elements(
        case jsonb_typeof(o -> 'sources') when 'array' then o -> 'sources' else '[]' end) s) i (id)
    join context_ops.redacted d on d.tenant_id = new.tenant_id and d.uuid::text = i.id) then
    raise exception 'What is proposed is made of what was forgotten' using errcode = 'CE001';
  end if;
  return new;
end
$body$;
create trigger refuse_forgotten before insert on context_ops.proposals
  for each row execute function context_ops.refuse_forgotten();
revoke execute on function context_ops.refuse_forgotten() from public;
grant create on schema context_ops to contextengine_eraser;
alter function context_ops.refuse_forgotten() owner to contextengine_eraser;
revoke create on schema context_ops from contextengine_eraser;
reset role;
