/** What is made from something stands and falls with it. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addSummary,
  blockContent,
  day,
  factContent,
  removeFact,
  summaryContent,
  updateFact,
} from '../law-operations.ts';

export const lineage: readonly Law[] = [
  {
    name: 'each source becomes a `derived_from` link in the same write',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [turn, fact] = [lab.id(), lab.id()];
      await lab.write(connection, [addBlock({ scope, uuid: turn }, blockContent('said'))]);
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: fact }, factContent('meant'), { sources: [turn] }),
      ]);
      const links = await lab.hits(
        connection,
        {
          id: 'l',
          table: 'context_links',
          mode: 'list',
          limit: 10,
          order: { by: 'ordinal', direction: 'asc' },
          filter: { field: 'link_type', eq: 'derived_from' },
        },
        { position },
      );
      assert.deepEqual(
        links.map((hit) => hit.table === 'context_links' && [hit.row.from_uuid, hit.row.to_uuid]),
        [[fact, turn]],
      );
    },
  },
  {
    name:
      'a row is not made from a source that is not there, was taken back, or is of another ' +
      'tenant',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [gone, foreign] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: gone }, factContent('gone'))]);
      await lab.write(connection, [removeFact(scope, gone, { cause: 'prune', from: 1 })]);
      const theirs = await lab.scope(connection, lab.otherTenant);
      await lab.write(
        connection,
        [addFact({ scope: theirs, uuid: foreign }, factContent('theirs'))],
        { tenant: lab.otherTenant },
      );
      for (const source of [lab.id(), gone, foreign]) {
        const derived = lab.id();
        await lab.refused(
          lab.write(connection, [
            addFact({ scope, uuid: derived }, factContent('derived'), { sources: [source] }),
          ]),
          'WRITE.SOURCE_GONE',
        );
        assert.deepEqual(await lab.versions(connection, [derived]), []);
      }
    },
  },
  {
    name:
      'a source that turns out wrong takes its descendants with it, at any depth and in any ' +
      'scope, in the same write',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [source, child, grandchild, bystander] = [lab.id(), lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: source }, factContent('wrong')),
        addFact({ scope, uuid: bystander }, factContent('right')),
      ]);
      await lab.write(connection, [
        addFact({ scope, uuid: child }, factContent('child'), { sources: [source] }),
      ]);
      await lab.write(connection, [
        addSummary({ scope: other, uuid: grandchild }, summaryContent('grandchild', 1), {
          sources: [child, bystander],
        }),
      ]);
      const before = [scope, other].map((of) => ({ scope: of, head: 3 + Number(of === scope) }));
      const seenBefore = await lab.uuids(connection, 'memory_open_set', { position: before });
      await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('corrected'), {
          root: source,
          from: 1,
          cause: 'correction',
        }),
      ]);
      const rows = await lab.versions(connection, [child, grandchild, bystander]);
      assert.deepEqual(rows.map(({ row }) => [row.uuid, row.cause]).sort(), [
        [child, 'cascade'],
        [grandchild, 'cascade'],
        [bystander, null],
      ]);
      const position = [scope, other].map((of) => ({ scope: of, head: 1000 }));
      assert.deepEqual(await lab.uuids(connection, 'subtree_summaries', { position }), []);
      assert.ok(!(await lab.uuids(connection, 'memory_open_set', { position })).includes(child));
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', { position: before }),
        seenBefore,
        'earlier heads saw it and still do',
      );
    },
  },
  {
    name: 'a change of the world leaves what was made from the past as it is',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [source, child] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: source }, factContent('then'))]);
      await lab.write(connection, [
        addFact({ scope, uuid: child }, factContent('child'), { sources: [source] }),
      ]);
      const { position } = await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('now'), { root: source, from: 10 }),
      ]);
      assert.ok(
        (await lab.uuids(connection, 'memory_open_set', { position, at: day(20) })).includes(child),
      );
    },
  },
  {
    name: 'nothing derives from itself',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [source, child] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: source }, factContent('source'))]);
      await lab.write(connection, [
        addFact({ scope, uuid: child }, factContent('child'), { sources: [source] }),
      ]);
      await lab.refused(
        lab.write(connection, [
          updateFact({ scope, uuid: lab.id() }, factContent('circle'), {
            root: source,
            from: 5,
            sources: [child],
          }),
        ]),
        'WRITE.INVALID',
        'WRITE.REFUSED',
      );
    },
  },
];
