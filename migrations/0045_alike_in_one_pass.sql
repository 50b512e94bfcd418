-- Of the distances between the vectors of a scope and those of a batch, only those within `least`
-- leave the inner scan: 33 texts of 20,000 facts 140 -> 115 ms (measured).
set local role contextengine_owner;
grant create on schema context_ops to contextengine_search;
set local role contextengine_search;
do $alike$
declare
  was    constant text := pg_get_functiondef('context_ops.facts_alike(jsonb)'::regprocedure);
  now_is constant text := replace(replace(replace(was,
    'min(d.distance) as distance', 'min(e.embedding operator(public.<=>) d.values) as distance'),
    'select v.n, e.embedding operator(public.<=>) v.values as distance from vectors v offset 0) d',
    'select v.n, v.values from vectors v
          where (e.embedding operator(public.<=>) v.values) <= 1 - $7 offset 0) d'),
    chr(10) || '        and d.distance <= 1 - $7 group by', chr(10) || '      group by');
begin
  if position('d.distance <= 1' in now_is) > 0
    or position('v.values) <= 1 - $7' in now_is) = 0 then
    raise exception 'facts_alike is not as 0038_facts_alike left it';
  end if;
  execute now_is;
end
$alike$;
set local role contextengine_owner;
revoke create on schema context_ops from contextengine_search;
reset role;
