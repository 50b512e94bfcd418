-- What a model was asked for a capture, what it answered and what that cost, one row for each call. The
-- most that a call can cost is kept before it is made, so that a cap holds whoever dies; the answer
-- is kept before it is acted on, and goes when its capture is finished: it holds words of turns.
set local role contextengine_owner;

create table context_ops.extractions (
  tenant_id     text not null check (tenant_id ~ '^[A-Za-z0-9_.-]{1,63}$'),
  scope_uuid    uuid not null,
  consumer      text not null check (length(consumer) between 1 and 200),
  from_seq      bigint not null check (from_seq > 0),
  attempt       integer not null check (attempt between 1 and 1000000),
  to_seq        bigint not null check (to_seq >= from_seq),
  state         text not null default 'asked' check (state in ('asked', 'answered', 'failed')),
  -- Places in turns, no words of them.
  segments      jsonb not null,
  answer        text,
  manifest      text not null check (length(manifest) <= 200),
  model         text not null check (length(model) <= 200),
  day           date not null,
  usd           double precision not null check (usd >= 0),
  input_tokens  bigint not null default 0 check (input_tokens >= 0),
  output_tokens bigint not null default 0 check (output_tokens >= 0),
  asked_at      timestamptz not null,
  asked_until   timestamptz not null,
  primary key (tenant_id, scope_uuid, consumer, from_seq, attempt),
  check (answer is null or state = 'answered')
);
create index extractions_by_day on context_ops.extractions (tenant_id, scope_uuid, manifest, day);

select context_ops.seal_table('context_ops.extractions', true);
grant select, insert, update on context_ops.extractions to contextengine_app;

-- The words of an erased turn go with it, also from an answer that nobody acted on.
create function context_ops.erase_from_answers() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
begin
  update context_ops.extractions e set answer = null, state = 'failed'
    where e.tenant_id = new.tenant_id and e.scope_uuid = new.scope_uuid and e.answer is not null
      and new.recorded_seq between e.from_seq and e.to_seq;
  return null;
end
$body$;
revoke execute on function context_ops.erase_from_answers() from public;
create trigger answers_forget after update of status on context.blocks
  for each row when (new.status = 'erased')
  execute function context_ops.erase_from_answers();

create trigger no_truncate before truncate on context_ops.extractions
  for each statement execute function context_ops.refuse_change();
reset role;
