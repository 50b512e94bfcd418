-- A question loses its words with what it was answered by. It is no forgotten text itself: who asks
-- it again, or says it in a turn that stays, has no copy of anything that was forgotten. So
-- `erase --verify` named live turns, imports were refused for them, and no receipt of the question
-- kept it any more. Only of a text that is forgotten by itself the questions that say it are copies.
set local role contextengine_owner;

create or replace function context_ops.keep_digests(tenant text, redaction uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  key  constant bytea := context_ops.ensure_keys(tenant);
  ipad bytea := decode(repeat('36', 64), 'hex');
  opad bytea := decode(repeat('5c', 64), 'hex');
begin
  for i in 0 .. 31 loop
    ipad := set_byte(ipad, i, get_byte(key, i) # 54);
    opad := set_byte(opad, i, get_byte(key, i) # 92);
  end loop;
  insert into context_ops.redacted_texts (tenant_id, redaction_uuid, digest)
    with gone as materialized (select d.copy, d.uuid, d.kept from context_ops.redacted d
      where d.tenant_id = tenant and d.redaction_uuid = redaction),
    said as (
      select to_jsonb(array[r.content, r.title]) as texts from context.blocks r
        join gone g on g.copy = 'blocks' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select to_jsonb(r.content) from context.memory_open_set r
        join gone g on g.copy = 'memory_open_set' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select to_jsonb(r.content) from context.subtree_summaries r
        join gone g on g.copy = 'subtree_summaries' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select r.value from context.memory_schema_typed r
        join gone g on g.copy = 'memory_schema_typed' and g.uuid = r.uuid where r.tenant_id = tenant
      union all select jsonb_build_array(g.kept #> '{request,query}', g.kept #> '{request,inputs}')
        from gone g where g.kept is not null and exists (select from context_ops.redactions n
          where n.tenant_id = tenant and n.redaction_uuid = redaction and n.target_kind = 'text'))
    select distinct tenant, redaction,
      encode(sha256(opad || sha256(ipad || convert_to(t, 'UTF8'))), 'hex')
    from said s cross join lateral context_ops.texts_in(s.texts) t
    on conflict do nothing;
end
$body$;

reset role;
