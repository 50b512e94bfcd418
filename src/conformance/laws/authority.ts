/** The second interface, of the one connector that is the authority. */
import assert from 'node:assert/strict';
import type { Authority, FoldUsage, UsageEvent } from '../../cxri/authority.ts';
import type { CompositionReceipt } from '../../model/composition.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { Lab } from '../lab.ts';
import { VECTOR_SPACE, VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addLink,
  addTyped,
  blockContent,
  day,
  factContent,
  linkContent,
  noop,
  removeFact,
  typedContent,
  WRITER,
} from '../make.ts';

const ALL: HeldScopes = { all: true, uuids: new Set() };
const only = (...scopes: readonly Uuid[]): HeldScopes => ({ all: false, uuids: new Set(scopes) });

interface Inheritance {
  readonly from: Uuid;
  readonly to: Uuid;
  readonly ordinal: number;
  readonly tenant?: TenantId;
}
const inherit = (lab: Lab, authority: Authority, { from, to, ordinal, tenant }: Inheritance) =>
  lab.write(
    authority,
    [addLink({ scope: from, uuid: lab.id() }, linkContent('inherits', { from, to, ordinal }))],
    tenant === undefined ? {} : { tenant },
  );

type Asked = Partial<Parameters<Authority['resolveScope']>[0]> & { readonly scope: Uuid };
const resolve = (lab: Lab, authority: Authority, asked: Asked) =>
  authority.resolveScope({ tenant: lab.tenant, principals: [], max_depth: 8, max_scopes: 64, ...asked });
/** Counts, and adds a day of utility each time: enough to see order and state. */
const fold: FoldUsage = (before, event) => ({
  stability: (before?.stability ?? 0) + 1,
  difficulty: 5,
  reviewed_at: event.at,
  utility: event.kind === 'corrected' ? 0 : 1,
  utility_variance: 0.5,
  utility_at: event.at,
  count: (before?.count ?? 0) + 1,
  touched_at: event.at,
});

function receiptOf(lab: Lab, scope: Uuid): CompositionReceipt {
  const tokens = { used: 1, budget: 2, reserved: 3, exact: true, encoding: 'o200k_base' } as const;
  return {
    composition_id: lab.id(),
    scope_uuid: scope,
    created_at: day(1),
    position: [{ scope, head: 1 }],
    usage_position: [],
    settings_digest: 'd',
    encoding: 'o200k_base',
    text_sha256: 't',
    request: {
      intent: 'fact',
      query: 'q 🙂',
      inputs: { a: 'b' },
      principal: 'p',
      as_of: day(1),
      model: null,
      format: 'xml',
      time_zone: 'UTC',
    },
    manifest: { name: 'm', version: '1', digest: 'd' },
    tokens,
    layers: {},
    items: [],
    dropped: [],
    degraded: [],
    warnings: [],
  };
}

export const authority: readonly Law[] = [
  {
    name: 'the closure of a scope is breadth first by ordinal, each scope once, cycles and all',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [session, user, project, org] = [
        await lab.scope(connection),
        await lab.scope(connection),
        await lab.scope(connection),
        await lab.scope(connection),
      ];
      await inherit(lab, connection, { from: session, to: project, ordinal: 1 });
      await inherit(lab, connection, { from: session, to: user, ordinal: 0 });
      await inherit(lab, connection, { from: user, to: org, ordinal: 0 });
      await inherit(lab, connection, { from: project, to: org, ordinal: 0 });
      await inherit(lab, connection, { from: org, to: session, ordinal: 0 });
      const { closure, isCut } = await resolve(lab, connection, { scope: session });
      assert.deepEqual(
        closure.map((entry) => [entry.scope.root_uuid, entry.depth]),
        [
          [session, 0],
          [user, 1],
          [project, 1],
          [org, 2],
        ],
      );
      assert.equal(isCut, false);
      const heads = await connection.heads(
        lab.tenant,
        closure.map((entry) => entry.scope.root_uuid),
      );
      assert.deepEqual(
        closure.map((entry) => entry.head),
        closure.map((entry) => heads.position.find(({ scope }) => scope === entry.scope.root_uuid)?.head),
      );
    },
  },
  {
    name: 'the closure is cut at its limits, and says so',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const chain: Uuid[] = [];
      for (let n = 0; n < 5; n += 1) chain.push(await lab.scope(connection));
      for (const [index, from] of chain.entries()) {
        const to = chain[index + 1];
        if (to !== undefined) await inherit(lab, connection, { from, to, ordinal: 0 });
      }
      const [first = lab.id()] = chain;
      const scopesAt = async (limits: { readonly max_depth?: number; readonly max_scopes?: number }) => {
        const { closure, isCut } = await resolve(lab, connection, { scope: first, ...limits });
        return [closure.length, isCut];
      };
      assert.deepEqual(
        [await scopesAt({}), await scopesAt({ max_depth: 2 }), await scopesAt({ max_scopes: 4 }), await scopesAt({ max_depth: 4 })],
        [
          [5, false],
          [3, true],
          [4, true],
          [5, false],
        ],
      );
    },
  },
  {
    name: 'a scope of another tenant is neither found nor inherited from',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const foreign = await lab.scope(connection, lab.otherTenant);
      const own = await lab.scope(connection);
      await inherit(lab, connection, { from: own, to: foreign, ordinal: 0 });
      assert.deepEqual((await resolve(lab, connection, { scope: foreign })).closure, []);
      assert.deepEqual((await resolve(lab, connection, { scope: lab.id() })).closure, []);
      assert.deepEqual(
        (await resolve(lab, connection, { scope: own })).closure.map((entry) => entry.scope.root_uuid),
        [own],
      );
      assert.deepEqual(
        (await connection.heads(lab.tenant, [foreign, own])).position.map(({ scope }) => scope),
        [own],
      );
    },
  },
  {
    name: '`inherits` is judged as of now: a link that was taken back opens nothing, not even for the past',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [session, user] = [await lab.scope(connection), await lab.scope(connection)];
      const link = lab.id();
      await lab.write(connection, [addLink({ scope: session, uuid: link }, linkContent('inherits', { from: session, to: user }))], {
        recorded: day(1),
      });
      assert.equal((await resolve(lab, connection, { scope: session })).closure.length, 2);
      await lab.write(
        connection,
        [{ operation: 'DELETE', table: 'context_links', scope: session, root_uuid: link, cause: 'correction', valid_from: day(2) }],
        { recorded: day(2) },
      );
      assert.equal((await resolve(lab, connection, { scope: session })).closure.length, 1);
      assert.equal((await resolve(lab, connection, { scope: session, recorded_as_of: day(1) })).closure.length, 1);
    },
  },
  {
    name: 'only a link that stands in the scope that inherits opens another',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [mine, theirs] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.write(connection, [addLink({ scope: theirs, uuid: lab.id() }, linkContent('inherits', { from: mine, to: theirs }))]);
      assert.deepEqual(
        (await resolve(lab, connection, { scope: mine })).closure.map((entry) => entry.scope.root_uuid),
        [mine],
      );
    },
  },
  {
    name: 'heads as of a time are those of the journal, whose times never run backwards',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = lab.id();
      const record = (recorded: number) => lab.write(connection, [noop(scope)], { recorded: day(recorded) });
      await lab.write(
        connection,
        [{ ...addBlock({ scope, uuid: scope }, blockContent('', { is_scope: true, block_type: 'chat_session' })) }],
        { recorded: day(10) },
      );
      await record(20);
      await record(5);
      await record(30);
      const headAt = async (at: number) => (await resolve(lab, connection, { scope, recorded_as_of: day(at) })).closure[0]?.head;
      assert.deepEqual(
        [await headAt(5), await headAt(10), await headAt(19), await headAt(20), await headAt(30), await headAt(99)],
        [0, 1, 1, 3, 4, 4],
      );
    },
  },
  {
    name: 'the scopes that are held are listed, no others',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [first, second] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.scope(connection, lab.otherTenant);
      const listed = async (held: HeldScopes) =>
        (await connection.listScopes(lab.tenant, held, day(50))).map(({ scope, head }) => [scope.root_uuid, head]);
      assert.deepEqual(await listed(ALL), [
        [first, 1],
        [second, 1],
      ]);
      assert.deepEqual(await listed(only(second)), [[second, 1]]);
      assert.deepEqual(await listed(only()), []);
    },
  },
  {
    name: 'a receipt comes back as it was saved, to its tenant and to who holds its scope',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const receipts = [receiptOf(lab, scope), receiptOf(lab, other)] as const;
      await connection.saveReceipts(lab.tenant, receipts);
      assert.deepEqual(await connection.loadReceipt(lab.tenant, receipts[0].composition_id, ALL), receipts[0]);
      assert.deepEqual(await connection.loadReceipt(lab.tenant, receipts[1].composition_id, only(other)), receipts[1]);
      assert.equal(await connection.loadReceipt(lab.tenant, receipts[0].composition_id, only(other)), null);
      assert.equal(await connection.loadReceipt(lab.otherTenant, receipts[0].composition_id, ALL), null);
      assert.equal(await connection.loadReceipt(lab.tenant, lab.id(), ALL), null);
    },
  },
  {
    name: 'the latest receipts of a manifest are listed newest first, of scopes that are held',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const at = (place: Uuid, n: number, name = 'm') => ({
        ...receiptOf(lab, place),
        created_at: day(n),
        manifest: { name, version: String(n), digest: 'd' },
      });
      await connection.saveReceipts(lab.tenant, [at(scope, 2), at(other, 3), at(scope, 1), at(scope, 4, 'n'), at(scope, 5)]);
      await connection.saveReceipts(lab.otherTenant, [at(scope, 6)]);
      const listed = async (limit: number, held: HeldScopes) =>
        (await connection.listReceipts(lab.tenant, { manifest: 'm', limit }, held)).map(({ manifest }) => manifest.version);
      assert.deepEqual(
        [await listed(9, ALL), await listed(2, ALL), await listed(9, only(other))],
        [['5', '3', '2', '1'], ['5', '3'], ['3']],
      );
    },
  },
  {
    name: 'an artifact is kept by its digest, for its tenant; saving it again is free',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      for (let n = 0; n < 2; n += 1)
        await connection.saveArtifact(lab.tenant, { digest: 'digest', kind: 'manifest', content: 'a: "🙂"\n' });
      assert.equal(await connection.loadArtifact(lab.tenant, 'digest'), 'a: "🙂"\n');
      assert.equal(await connection.loadArtifact(lab.otherTenant, 'digest'), null);
      assert.equal(await connection.loadArtifact(lab.tenant, 'another'), null);
    },
  },
  {
    name: 'outcomes fold in order, and each usage position sees the state of its time',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [used, unused] = [lab.id(), lab.id()];
      const { position } = await lab.write(
        connection,
        [used, unused].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      const event = (at: number, kind: UsageEvent['kind'] = 'used'): UsageEvent => ({
        scope_uuid: scope,
        root_uuid: used,
        composition_id: lab.id(),
        kind,
        at: day(at),
      });
      const first = await connection.recordUsage(lab.tenant, { events: [event(1)], fold, recorded_at: day(1) });
      const second = await connection.recordUsage(lab.tenant, { events: [event(2), event(3, 'corrected')], fold, recorded_at: day(3) });
      const countsAt = async (usage_position: typeof first | undefined) => {
        const { parts } = await connection.query({
          tenant: lab.tenant,
          position,
          valid_at: day(50),
          ...(usage_position && { usage_position }),
          parts: [{ id: 'p', table: 'memory_open_set', mode: 'list', limit: 5, order: { by: 'uuid', direction: 'asc' } }],
        });
        const [part] = parts;
        return part?.ok ? part.hits.map((hit) => hit.usage?.count ?? null) : [];
      };
      assert.deepEqual(
        [await countsAt(first), await countsAt(second), await countsAt([{ scope, head: 0 }]), await countsAt(undefined)],
        [
          [1, null],
          [3, null],
          [null, null],
          [null, null],
        ],
      );
      const { usage_position } = await connection.heads(lab.tenant, [scope]);
      assert.deepEqual(usage_position, second);
    },
  },
  {
    name: 'rows that wait for a vector are given out oldest first, until they have one',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.ensureSpace(VECTOR_SPACE);
      const scope = await lab.scope(connection);
      const facts = [lab.id(), lab.id(), lab.id()];
      const pruned = lab.id();
      await lab.write(
        connection,
        [...facts, pruned].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      await lab.write(connection, [
        addTyped({ scope, uuid: lab.id() }, typedContent('none')),
        removeFact(scope, pruned, { cause: 'prune', from: 1 }),
      ]);
      const waiting = async (limit: number) =>
        (await connection.pendingEmbeddings(lab.tenant, VECTOR_SPACE_NAME, limit)).map(({ uuid }) => uuid);
      assert.deepEqual([await waiting(2), await waiting(100)], [facts.slice(0, 2), facts]);
      assert.deepEqual(await connection.pendingEmbeddings(lab.otherTenant, VECTOR_SPACE_NAME, 100), []);
      const [item] = await connection.pendingEmbeddings(lab.tenant, VECTOR_SPACE_NAME, 1);
      assert.ok(item);
      const { content: _content, ...place } = item;
      for (let n = 0; n < 2; n += 1)
        await connection.storeEmbeddings(VECTOR_SPACE_NAME, [{ ...place, ordinal: 0, origin: 'content', values: [1, 0, 0, 0] }]);
      assert.deepEqual(await waiting(100), facts.slice(1));
    },
  },
  {
    name: 'an exported scope comes back in another tenant as it stood, and only where there is none',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [kept, pruned] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: kept }, factContent('kept')),
        addFact({ scope, uuid: pruned }, factContent('pruned')),
      ]);
      const { position } = await lab.write(connection, [removeFact(scope, pruned, { cause: 'prune', from: 1 })]);
      const head = position[0]?.head ?? 0;
      const rows = [
        ...(await lab.scan(connection, { table: 'blocks', position, limit: 100 })),
        ...(await lab.scan(connection, { table: 'memory_open_set', position, limit: 100 })),
      ];
      const restore = () => connection.restoreScope({ tenant: lab.otherTenant, scope, head, rows, writer: WRITER, recorded_at: day(60) });
      await restore();
      const there = { position, tenant: lab.otherTenant };
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', there), [kept]);
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { ...there, position: [{ scope, head: head - 1 }] }), [kept, pruned]);
      await lab.refused(restore(), 'WRITE.INVALID');
      const { receipts } = await lab.write(connection, [noop(scope)], { tenant: lab.otherTenant });
      assert.equal(receipts[0]?.seq, head + 1);
    },
  },
];
