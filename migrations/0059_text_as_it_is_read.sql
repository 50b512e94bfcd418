-- What a text is looked for by is what a reader sees: a composition shows no characters that cannot
-- be seen, and other normal forms look alike. `forget` of a text or a name, and the scan for copies,
-- looked at the characters that are stored, so that what was shown could not be found.
--
-- `comparable` and `comparable_name` are the twins of `comparableText` and `comparableName` in
-- src/text/visible-text.ts; test/integration/shown-text.test.ts holds them equal.
set local role contextengine_owner;

-- Nothing that cannot be seen, and one space for each run of white space.
create function context_ops.visible(said text) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $body$
begin
  if said !~ '[^\u0021-\u007e ]|  ' then return said; end if;
  -- Line ends of every kind, then controls, what Unicode calls default-ignorable, annotations.
  said := regexp_replace(said, '[\u000d\u0085\u2028\u2029]', E'\n', 'g');
  said := regexp_replace(said, '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c'
    || '\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164'
    || '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    || '\U000e0000-\U000e0fff]', '', 'g');
  -- Each run of white space but a single blank: those are most, and would take ten times as long.
  return regexp_replace(said, ' [\u0009\u000a\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+'
    || '|[\u0009\u000a\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]'
    || '[\u0009\u000a\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*', ' ', 'g');
end
$body$;

create function context_ops.comparable(said text) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $body$
declare
  seen constant text := context_ops.visible(said);
begin
  if octet_length(seen) = length(seen) then return lower(seen); end if;
  return replace(lower(replace(normalize(seen, NFKC), 'İ', 'i')), 'ς', 'σ');
end
$body$;

create function context_ops.comparable_name(name text) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $body$
begin
  return normalize(context_ops.visible(name), NFC);
end
$body$;

-- Whether a string of the value says it, as a reader compares the two. Times and ids are nobody's
-- words.
create or replace function context_ops.says(said jsonb, needle text) returns boolean
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $body$
declare
  looked_for constant text := nullif(context_ops.comparable(needle), '');
begin
  return exists (select from jsonb_path_query(said, 'strict $.**') t
    where jsonb_typeof(t) = 'string' and strpos(context_ops.comparable(t #>> '{}'), looked_for) > 0
      and t #>> '{}' !~ '^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
end
$body$;

do $functions$
declare
  item   record;
  was    text;
  now_is text;
begin
  for item in select * from (values
    ('named_sql(text, text)', $$'r.author = $2'$$,
      $$'context_ops.comparable_name(r.author) = context_ops.comparable_name($2)'$$),
    ('named_sql(text, text)', $$'r.subject = $2'$$,
      $$'context_ops.comparable_name(r.subject) = context_ops.comparable_name($2)'$$),
    ('name_copies(text, uuid, jsonb)', 'strpos(lower(p.target), lower(said)) > 0',
      'context_ops.says(to_jsonb(p.target), said)'),
    ('name_copies(text, uuid, jsonb)', $$and p.target = said)$$,
      $$and context_ops.comparable_name(p.target) = context_ops.comparable_name(said))$$),
    ('name_copies(text, uuid, jsonb)', $$o #>> '{content,author}' = said$$,
      $$context_ops.comparable_name(o #>> '{content,author}') = context_ops.comparable_name(said)$$),
    ('name_copies(text, uuid, jsonb)', $$o #>> '{content,subject}' = said$$,
      $$context_ops.comparable_name(o #>> '{content,subject}') = context_ops.comparable_name(said)$$),
    ('name_copies(text, uuid, jsonb)',
      $$strpos(lower(a.content), lower(said)) > 0
          or strpos(lower(a.content), needle) > 0$$,
      $$strpos(context_ops.comparable(a.content), nullif(context_ops.comparable(said), '')) > 0
          or strpos(context_ops.comparable(a.content), nullif(context_ops.comparable(needle), '')) > 0$$)
  ) v (target, found, instead) loop
    was := pg_get_functiondef(('context_ops.' || item.target)::regprocedure);
    now_is := replace(was, item.found, item.instead);
    if now_is = was then raise exception '% is not as it was left: %', item.target, item.found; end if;
    execute now_is;
  end loop;
end
$functions$;

revoke execute on function context_ops.visible(text), context_ops.comparable(text),
  context_ops.comparable_name(text) from public;
grant execute on function context_ops.visible(text), context_ops.comparable(text),
  context_ops.comparable_name(text) to contextengine_eraser;

-- The scan is the eraser's own.
grant create on schema context_ops to contextengine_eraser;
set local role contextengine_eraser;
do $functions$
declare
  was    text := pg_get_functiondef('context_ops.scan_copies(text, jsonb)'::regprocedure);
  now_is text;
  item   record;
begin
  for item in select * from (values
    ('array(select lower(n) from', 'array(select context_ops.comparable(n) from'),
    ('union select context_ops.json_needle(n) from',
      'union select context_ops.comparable(context_ops.json_needle(n)) from'),
    -- A control character stands in JSON as an escape.
    ('exists (select from unnest($2) n where strpos(lower(r.%I::text), n) > 0)',
      $$exists (select from (select context_ops.comparable(r.%I::text)) v (said), unnest($2) n
          where n <> '''' and (strpos(v.said, n) > 0
            or strpos(v.said, ''\'') > 0 and context_ops.says(to_jsonb(r.%I), n)))$$),
    ('item.nspname, item.relname, item.attname, item.attname, item.attname)',
      'item.nspname, item.relname, item.attname, item.attname, item.attname, item.attname)')
  ) v (found, instead) loop
    now_is := replace(was, item.found, item.instead);
    if now_is = was then raise exception 'scan_copies is not as it was left: %', item.found; end if;
    was := now_is;
  end loop;
  execute now_is;
end
$functions$;
set local role contextengine_owner;
revoke create on schema context_ops from contextengine_eraser;
reset role;
