-- Only rows that are shown are given the score of their words.
--
-- A search answers with some dozens of rows and grouped them with every row that a word of the
-- question stands in, to find the few scores (550 rows for 30 in PGlite: 1 of the 16 ms of a
-- search, measured).
set local role contextengine_owner;

do $functions$
declare
  was    text;
  now_is text;
begin
  was := pg_get_functiondef(
    'context_ops.search_sql(jsonb, text, text, text, boolean, text)'::regprocedure);
  now_is := replace(was,
    'every as (select x.uuid, min(x.distance) as distance, max(x.score) as score from (
          select uuid, distance, null::float8 as score, true as is_shown from found
          union all select n.uuid, null, null, true from beside b cross join lateral '
      || 'unnest(b.before[1:%5$s] || b.after[1:%5$s]) n(uuid)
          union all select uuid, null, score, false from words) x
        group by x.uuid having bool_or(x.is_shown))',
    -- Within `coalesce` the rows are looked up in a hash table; joined, they were compared one by
    -- one, because the planner expects few of them.
    'shown as materialized (select x.uuid, min(x.distance) as distance
        from (select uuid, distance from found
          union all select n.uuid, null
            from beside b cross join lateral unnest(b.before[1:%5$s] || b.after[1:%5$s]) n(uuid)) x
        group by x.uuid),
      every as (select x.uuid, min(x.distance) as distance, max(x.score) as score
        from (select uuid, distance, null::float8 as score from shown
          union all select uuid, null, score from words
            where coalesce(uuid in (select uuid from shown), false)) x
        group by x.uuid)');
  if now_is = was then raise exception 'search_sql is not as 0048_search_by_key left it'; end if;
  execute now_is;
  -- Statements that a session kept are those of before.
  was := pg_get_functiondef('context_ops.answer_part(jsonb, jsonb, jsonb)'::regprocedure);
  now_is := replace(was, '''contextengine_7_''', '''contextengine_8_''');
  if now_is = was then
    raise exception 'answer_part is not as 0054_lists_of_classes left it';
  end if;
  execute now_is;
end
$functions$;

reset role;
