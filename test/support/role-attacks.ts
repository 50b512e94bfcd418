/**
 * What someone with raw SQL under the application role tries. Each runs in a transaction of tenant
 * `ours`.
 */
import { id } from './ledger.ts';

export const OWN = { scope: id(0, 0), block: id(0, 1), fact: id(0, 2) } as const;
export const THEIRS = { scope: id(1, 0), block: id(1, 1), fact: id(1, 2) } as const;
/** The seed of each scope is three operations. */
export const HEAD = 3;
const FRESH = id(0, 99);

export interface RoleAttack {
  readonly name: string;
  readonly sql: string;
  /** The SQLSTATEs of a refusal; null: it runs, and shows and changes nothing. */
  readonly refused: RegExp | null;
}
export interface ListedAttack {
  readonly name: string;
  readonly sql: string;
  /** Words of the list of what row-level security is not for, in docs/permissions.md. */
  readonly listed: string;
  /** Where it is refused all the same. */
  readonly except?: 'postgres' | 'pglite';
}

const attacks = (refused: RegExp | null, cases: Readonly<Record<string, string>>): RoleAttack[] =>
  Object.entries(cases).map(([name, sql]) => ({ name, sql, refused }));

const fact = (values: Readonly<Record<string, string>>): string => {
  const row: Record<string, string> = {
    tenant_id: `'ours'`,
    uuid: `'${FRESH}'`,
    root_uuid: `'${FRESH}'`,
    scope_uuid: `'${OWN.scope}'`,
    valid_from: `'2026-01-01Z'`,
    recorded_seq: String(HEAD + 1),
    operation: `'ADD'`,
    content: `'forged'`,
    class: `'fact'`,
    importance: '0.5',
    confidence: '1',
    ...values,
  };
  return `insert into context.memory_open_set (${Object.keys(row)}) values (${Object.values(row)})`;
};

/** Of the transaction, so that head and journal say the same. */
const LATER = `date_trunc('milliseconds', now())`;
const JOURNAL = `insert into context_ops.operations (tenant_id, scope_uuid, seq, ordinal, operation_id,
  operation, outcome, principal, writer, decision, recorded_at) select`;
const entry = (values: Readonly<Record<string, string>> = {}): string => {
  const row: Record<string, string> = {
    tenant: `'ours'`,
    seq: String(HEAD + 1),
    ordinal: '0',
    principal: `'mallory'`,
    recorded_at: LATER,
    ...values,
  };
  return `${JOURNAL} ${row['tenant']}, '${OWN.scope}', ${row['seq']}, ${row['ordinal']}, '${FRESH}',
    'NOOP', 'stored', ${row['principal']}, 'raw', 'T1', ${row['recorded_at']}`;
};
const moved = (by: number, also: string): string =>
  `with moved as (update context_ops.scope_heads set head = head + ${by}, recorded_at = ${LATER}
     where scope_uuid = '${OWN.scope}') ${also}`;
/** What the engine's own write does, by hand. */
export const HONEST = `${moved(1, entry())}; ${fact({})}`;

const USAGE = (seq: number): string => `insert into context_ops.usage_events select 'ours',
  '${OWN.scope}', ${seq}, '${OWN.fact}', '${FRESH}', 'used', now(), '{}', now()`;

const OBJECTS: readonly RoleAttack[] = [
  ...attacks(/^(42501|3F000|0A000|58P01)$/, {
    'a temporary domain named text': 'create domain pg_temp.text as pg_catalog.text check (true)',
    'a temporary table': 'create temp table uuid (a int)',
    'a temporary view of the ledger': 'create temp view v as select * from context.blocks',
    'a temporary function': `create function pg_temp.f() returns int language sql as 'select 1'`,
    'a temporary sequence': 'create temp sequence s',
    'a temporary aggregate': 'create aggregate pg_temp.a(int) (sfunc = int4pl, stype = int)',
    'a temporary enum named jsonb': `create type pg_temp.jsonb as enum ('x')`,
    'a function in public': `create function public.md5(text) returns text language sql as 'select 1'`,
    'an operator in public':
      'create operator public.|| (leftarg = text, rightarg = integer, function = textcat)',
    'a domain in public': 'create domain public.text as pg_catalog.text',
    'a cast': 'create cast (jsonb as text) with inout as implicit',
    'a schema': 'create schema mine',
    'a schema named like itself': 'create schema contextengine_app',
    'a table in context': 'create table context.mine (a int)',
    'a function in context_ops': `create function context_ops.f() returns int language sql as 'select 1'`,
    'an overload of search': `create function context_ops.search(text) returns int language sql as 'select 1'`,
    'a replaced search': `create or replace function context_ops.search(request jsonb) returns json language sql as 'select null::json'`,
    'an untrusted language': 'create extension plpython3u',
    'an event trigger':
      'create event trigger e on ddl_command_start execute function context_ops.refuse_change()',
    'a trigger on blocks':
      'create trigger t before insert on context.blocks for each row execute function context_ops.refuse_change()',
    'a rule on blocks': 'create rule r as on insert to context.blocks do instead nothing',
    'a policy': 'create policy open_all on context.blocks using (true)',
    'no row-level security': 'alter table context.blocks disable row level security',
    'not forced': 'alter table context.blocks no force row level security',
    'no triggers': 'alter table context.blocks disable trigger all',
    'a dropped trigger': 'drop trigger of_this_transaction on context.blocks',
    'a dropped constraint': 'alter table context_ops.artifacts drop constraint digest_is_true',
    'an own search path for search':
      'alter function context_ops.search(jsonb) set search_path = public',
    'the seal': 'select secret from context_sealed.seal',
    'a seal made': `select context_sealed.seal_of('prepare x')`,
    'a part answered': `select context_ops.answer_part('{}', '{}', '[]')`,
    'a statement kept': `select context_ops.keep_statement('x', '{}', '{}')`,
    'a table sealed anew': `select context_ops.seal_table('context.blocks', false)`,
  }),
];

const RIGHTS: readonly RoleAttack[] = [
  ...attacks(/^(42501|42704|0A000|22023|55P02)$/, {
    'everything owned dropped': 'drop owned by contextengine_app',
    'replication role': 'set session_replication_role = replica',
    'a library': `load '/tmp/evil.so'`,
    'a library for all sessions': `set session_preload_libraries = 'evil'`,
    'row security off': 'set local row_security = off; select count(*) from context.blocks',
    'a new role': 'create role mallory superuser',
    'more for itself': 'alter role contextengine_app bypassrls',
    'membership in the owner': 'grant contextengine_owner to contextengine_app',
    'membership in the search': 'grant contextengine_search to contextengine_app',
    'the password table': 'select * from pg_authid',
    'a file': `select pg_read_file('/etc/passwd')`,
    'a folder': `select pg_ls_dir('/')`,
    'a large object from a file': `select lo_import('/etc/passwd')`,
    'copy from a program': `copy context.blocks from program 'id'`,
    'copy to a file': `copy context.blocks to '/tmp/blocks'`,
    'copy into the ledger': 'copy context.blocks from stdin',
    'a subscription': `create subscription s connection '' publication p with (connect = false)`,
    'a publication': 'create publication p for all tables',
    'the configuration': `set log_statement = 'all'`,
    'exclusive lock of the ledger': 'lock table context.blocks in access exclusive mode',
  }),
  ...attacks(null, {
    'a grant of DELETE': 'grant delete on context.blocks to contextengine_app',
    'rows of others by id': `select * from context.memory_open_set where uuid = '${THEIRS.fact}'`,
    'rows of others by an error': `select 1 / (length(content) - length(content)) from context.memory_open_set where tenant_id = 'theirs'`,
    'statistics of others': `select * from pg_stats where schemaname in ('context', 'context_ops') and tablename <> 'schema_migrations'`,
    'rights of others': 'select * from context_ops.principal_rights',
  }),
];

const END_OF_TIME = `'9999-12-31Z'`;
const ROWS: readonly RoleAttack[] = [
  ...attacks(/^CE004$/, {
    'a head of the year 9999, with its journal': moved(
      1,
      entry({ recorded_at: END_OF_TIME }),
    ).replace(LATER, END_OF_TIME),
    'a head of the end of time': `update context_ops.scope_heads set recorded_at = 'infinity'`,
    'a new head of the year 9999': `insert into context_ops.scope_heads
      (tenant_id, scope_uuid, recorded_at) values ('ours', '${id(7, 7)}', ${END_OF_TIME})`,
  }),
  ...attacks(/^(CE001|23514|42501|23503)$/, {
    'a row of the past': fact({ recorded_seq: '1' }),
    'a row of the present head': fact({ recorded_seq: String(HEAD) }),
    'a row beyond the head': fact({ recorded_seq: '999' }),
    'a row without the head': fact({}),
    'a row of a past number beside an honest one': `${moved(1, entry())}; ${fact({ recorded_seq: '2' })}`,
    'a row that is closed in the past': `${moved(1, entry())}; ${fact({ valid_until: `'2026-02-01Z'`, closed_seq: '999' })}`,
    'a row that is not live': `${moved(1, entry())}; ${fact({ status: `'suppressed'` })}`,
    'a row of another tenant': fact({ tenant_id: `'theirs'`, scope_uuid: `'${THEIRS.scope}'` }),
    'a row that is there, of another tenant': fact({
      tenant_id: `'theirs'`,
      uuid: `'${THEIRS.fact}'`,
    }),
    'a row of a scope without a head': fact({ scope_uuid: `'${id(7, 7)}'` }),
    'a version of a foreign root': `${moved(1, entry())}; ${fact({ root_uuid: `'${id(7, 7)}'` })}`,
    'a head that jumps': moved(1000, entry()),
    'a head without a journal': 'update context_ops.scope_heads set head = head + 1',
    'a head to the end of numbers': 'update context_ops.scope_heads set head = 9007199254740993',
    'a head that goes back': 'update context_ops.scope_heads set head = head - 1',
    'a time that moves without its head':
      "update context_ops.scope_heads set recorded_at = date_trunc('milliseconds', now())",
    'a head that says who moved it':
      'update context_ops.scope_heads set moved_by = pg_current_xact_id(), moved_from = 0',
    'a journal entry of the past': entry({ seq: '1', ordinal: '7' }),
    'a journal entry without its number': entry(),
    'a journal entry of another principal': moved(1, entry({ principal: `'alice'` })),
    'a journal entry of another time': moved(1, entry({ recorded_at: `'2020-01-01Z'` })),
    'two journal entries of one number': `${moved(1, entry())}; ${entry({ ordinal: '1' })}`,
    'a journal entry of another tenant': entry({ tenant: `'theirs'` }),
    'a changed journal': `update context_ops.operations set principal = 'alice'`,
    'a deleted journal': 'delete from context_ops.operations',
    'a closed row': `update context.memory_open_set set valid_until = '2027-01-01Z', closed_seq = 2`,
    'a retired row': `update context.memory_open_set set retired_seq = ${HEAD + 1}, cause = 'prune'`,
    'a retired row by ON CONFLICT': `${fact({ uuid: `'${OWN.fact}'` })} on conflict (tenant_id, uuid)
      do update set retired_seq = 9, cause = 'prune'`,
    'a retired row by MERGE': `merge into context.memory_open_set t using (select 1) s on true
      when matched then update set retired_seq = 9, cause = 'prune'`,
    'a suppressed row': `update context.memory_open_set set status = 'suppressed'`,
    'a usage event of the past': USAGE(1),
    'a usage head without events': 'update context_ops.scope_heads set usage_head = usage_head + 1',
    'an artifact under a false digest': `insert into context_ops.artifacts values ('ours', repeat('0', 64), 'file', 'x')`,
    'a manifest under a false digest': `insert into context_ops.artifacts
      values ('ours', repeat('0', 64), 'manifest', '{"source": "x"}')`,
    'a posting': `insert into context_ops.postings values ('ours', '${OWN.scope}', 'blocks', 'w', 999, '${FRESH}', 1, 1, false)`,
    'a posting by the function': `select context_ops.add_postings('ours', 'blocks',
      '[{"scope": "${OWN.scope}", "uuid": "${FRESH}", "length": 1, "terms": {"w": 1}}]', 2)`,
    'a posting of other rules': `select context_ops.add_postings('ours', 'blocks', '[]', 1)`,
    'words of a scope that does not wait for them': `select context_ops.rebuild_postings('ours',
      '${OWN.scope}', '{0,1}', '{}', 2)`,
    'a scope that waits for its words': `insert into context_ops.word_backlog
      values ('ours', '${OWN.scope}', 0, 1)`,
    'a word count': 'update context_ops.lexicons set documents = 0',
    'a state of a proposal': `update context_ops.proposals set state = 'approved'`,
    'a proposal past the function': `insert into context_ops.proposals (tenant_id, proposal_uuid,
      scopes, kind, tier, proposer, fingerprint, action, digest, proposed_at, expires_at, lapses_at)
      values ('ours', '${FRESH}', '{}', 'write', 'T2', 'a', repeat('0', 64), '{}',
      encode(sha256('{}'), 'hex'), now(), now() + interval '1 day', now() + interval '1 day')`,
    'a key': `insert into context_ops.principal_keys values ('ours', repeat('0', 64), 'a', '', false)`,
    'a right': `insert into context_ops.principal_rights values ('ours', 'mallory', 'human')`,
    'a receipt changed': `update context_ops.receipts set receipt = '{}'`,
    'an audit entry deleted': 'delete from context_ops.audit',
    'an audit entry edited': `update context_ops.audit set principal = 'alice'`,
    'an audit entry beside the chain': `insert into context_ops.audit (tenant_id, seq, at, principal,
      action, decision, tier, detail, previous, digest) values ('ours', 1, now(), 'alice', 'x',
      'denied', 'T1', '', repeat('0', 64), repeat('0', 64))`,
    'a chain that begins anew': `update context_ops.audit_chains set seq = 0`,
    'a chain of its own': `insert into context_ops.audit_chains (tenant_id) values ('ours')`,
    'an entry past the sealed function': `select context_ops.chain_audit('ours', '[]')`,
    'an approval that was none': `select context_ops.append_audit('ours',
      '[{"at": "2026-01-01Z", "principal": "alice", "action": "approvals.approve",
         "decision": "approved", "tier": "T3", "detail": ""}]')`,
    'an erasure that was none': `select context_ops.append_audit('ours',
      '[{"at": "2026-01-01Z", "principal": "alice", "action": "erase.tenant",
         "decision": "allowed", "tier": "T1", "detail": ""}]')`,
    'an erasure past the sealed functions': `select context_ops.append_erasure('ours',
      '[{"at": "2026-01-01Z", "principal": "alice", "action": "erase.tenant",
         "decision": "allowed", "tier": "T1", "detail": ""}]')`,
    'an entry of another tenant': `select context_ops.append_audit('theirs',
      '[{"at": "2026-01-01Z", "principal": "alice", "action": "x", "decision": "denied",
         "tier": "T1", "detail": ""}]')`,
    'an entry as long as a book': `select context_ops.append_audit('ours',
      jsonb_build_array(jsonb_build_object('at', '2026-01-01Z', 'principal', 'a', 'action', 'x',
        'decision', 'denied', 'tier', 'T1', 'detail', repeat('x', 301))))`,
  }),
];

/** A tenant's name is checked where its scopes are numbered; no ledger has a row without them. */
const NAMES = attacks(/^(23514|CE001)$/, {
  'a scope of a tenant that none may be called': `set local contextengine.tenant = 'a/b';
    insert into context_ops.scope_heads (tenant_id, scope_uuid) values ('a/b', '${FRESH}')`,
  'a row of a tenant that none may be called': `set local contextengine.tenant = 'a/b';
    ${fact({ tenant_id: `'a/b'` })}`,
});

export const REFUSED: readonly RoleAttack[] = [...OBJECTS, ...RIGHTS, ...ROWS, ...NAMES];

/** What raw SQL under the application role can do: docs/permissions.md lists it. */
export const LISTED: readonly ListedAttack[] = [
  {
    name: 'another tenant by the setting',
    sql: `set local contextengine.tenant = 'theirs'; select 1 from context.memory_open_set`,
    listed: 'choose any tenant',
  },
  {
    name: 'any principal by the setting',
    sql: `set local contextengine.principal = 'alice'; ${moved(1, entry({ principal: `'alice'` }))}`,
    listed: 'name any principal',
  },
  { name: 'an honest write', sql: HONEST, listed: 'write rows' },
  {
    name: 'an audit entry of another principal',
    sql: `select context_ops.append_audit('ours', '[{"at": "2026-01-01Z", "principal": "alice",
      "action": "x", "decision": "denied", "tier": "T1", "detail": ""}]')`,
    listed: 'append audit entries',
  },
  { name: 'a large object', sql: 'select lo_create(0)', listed: 'large objects' },
  { name: 'an advisory lock', sql: 'select pg_advisory_xact_lock(1)', listed: 'advisory locks' },
  {
    name: 'the statements of the session',
    sql: 'select statement from pg_prepared_statements',
    listed: 'statements that the session keeps',
  },
  {
    name: 'the role of the embedded session',
    sql: 'reset role; select rolsuper from pg_roles where rolname = current_user',
    listed: 'embedded database',
  },
];
