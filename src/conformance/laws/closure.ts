/** Laws of the closure of a scope, of heads, and of the list of scopes that are held. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addLink, blockContent, day, linkContent, noop } from '../law-operations.ts';

const only = (...scopes: readonly Uuid[]): HeldScopes => ({ all: false, uuids: new Set(scopes) });
const ALL: HeldScopes = { all: true, uuids: new Set() };

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
  authority.resolveScope({
    tenant: lab.tenant,
    principals: [],
    max_depth: 8,
    max_scopes: 64,
    ...asked,
  });

export const closure: readonly Law[] = [
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
        closure.map(
          (entry) => heads.position.find(({ scope }) => scope === entry.scope.root_uuid)?.head,
        ),
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
      const scopesAt = async (limits: {
        readonly max_depth?: number;
        readonly max_scopes?: number;
      }) => {
        const { closure, isCut } = await resolve(lab, connection, { scope: first, ...limits });
        return [closure.length, isCut];
      };
      assert.deepEqual(
        [
          await scopesAt({}),
          await scopesAt({ max_depth: 2 }),
          await scopesAt({ max_scopes: 4 }),
          await scopesAt({ max_depth: 4 }),
        ],
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
        (await resolve(lab, connection, { scope: own })).closure.map(
          (entry) => entry.scope.root_uuid,
        ),
        [own],
      );
      assert.deepEqual(
        (await connection.heads(lab.tenant, [foreign, own])).position.map(({ scope }) => scope),
        [own],
      );
    },
  },
  {
    name:
      '`inherits` is judged as of now: a link that was taken back opens nothing, not even for ' +
      'the past',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [session, user] = [await lab.scope(connection), await lab.scope(connection)];
      const link = lab.id();
      await lab.write(
        connection,
        [
          addLink(
            { scope: session, uuid: link },
            linkContent('inherits', { from: session, to: user }),
          ),
        ],
        {
          recorded: day(1),
        },
      );
      assert.equal((await resolve(lab, connection, { scope: session })).closure.length, 2);
      await lab.write(
        connection,
        [
          {
            operation: 'DELETE',
            table: 'context_links',
            scope: session,
            root_uuid: link,
            cause: 'correction',
            valid_from: day(2),
          },
        ],
        { recorded: day(2) },
      );
      assert.equal((await resolve(lab, connection, { scope: session })).closure.length, 1);
      assert.equal(
        (await resolve(lab, connection, { scope: session, recorded_as_of: day(1) })).closure.length,
        1,
      );
    },
  },
  {
    name: 'only a link that stands in the scope that inherits opens another',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [mine, theirs] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.refused(
        lab.write(connection, [
          addLink(
            { scope: theirs, uuid: lab.id() },
            linkContent('inherits', { from: mine, to: theirs }),
          ),
        ]),
        'WRITE.NOT_FOUND',
      );
      assert.deepEqual(
        (await resolve(lab, connection, { scope: mine })).closure.map(
          (entry) => entry.scope.root_uuid,
        ),
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
      const record = (recorded: number) =>
        lab.write(connection, [noop(scope)], { recorded: day(recorded) });
      await lab.write(
        connection,
        [
          {
            ...addBlock(
              { scope, uuid: scope },
              blockContent('', { is_scope: true, block_type: 'chat_session' }),
            ),
          },
        ],
        { recorded: day(10) },
      );
      await record(20);
      await record(5);
      await record(30);
      const headAt = async (at: number) =>
        (await resolve(lab, connection, { scope, recorded_as_of: day(at) })).closure[0]?.head;
      assert.deepEqual(
        [
          await headAt(5),
          await headAt(10),
          await headAt(19),
          await headAt(20),
          await headAt(30),
          await headAt(99),
        ],
        [0, 1, 1, 3, 4, 4],
      );
    },
  },
  {
    name: 'a scope is described by what it was made under and what it inherits from',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [inner, outer] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.write(connection, [
        addLink(
          { scope: inner, uuid: lab.id() },
          linkContent('inherits', { from: inner, to: outer }),
        ),
      ]);
      const described = async (tenant = lab.tenant) =>
        new Map(
          (await connection.describeScopes(tenant, [inner, outer, lab.id()], day(50))).map(
            ({ scope, key, inherits }) => [scope, { key, inherits }],
          ),
        );
      assert.deepEqual(
        await described(),
        new Map([
          [inner, { key: null, inherits: [outer] }],
          [outer, { key: null, inherits: [] }],
        ]),
      );
      assert.deepEqual(await described(lab.otherTenant), new Map());
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
        (await connection.listScopes(lab.tenant, held, day(50))).map(({ scope, head }) => [
          scope.root_uuid,
          head,
        ]);
      assert.deepEqual(await listed(ALL), [
        [first, 1],
        [second, 1],
      ]);
      assert.deepEqual(await listed(only(second)), [[second, 1]]);
      assert.deepEqual(await listed(only()), []);
    },
  },
];
