-- Scores of postings are added up by hash.
--
-- A search adds up what each of its words is worth, row by row: 1,600 postings of 550 rows for a
-- question of nine words over 2,000 facts. The planner expects few of them and sorts them by row
-- first, which takes longer than all the rest of the words (5 of 15 ms in PGlite). Where an order is
-- asked for, as of the best rows, there is a sort all the same: `off` only makes it the last choice.
-- An index that has the order is always one of the scope.
set local role contextengine_owner;

alter function context_ops.answer_part(jsonb, jsonb, jsonb) set enable_sort = off;

reset role;
