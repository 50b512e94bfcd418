/**
 * Ranked retrieval: membership, signals and limits. The order of texts is a matter of taste; the
 * order of exact cosines is not.
 */
import assert from 'node:assert/strict';
import type { QueryPart } from '../../cxri/contract.ts';
import { indexText, lexicalSignal } from '../../text/bm25.ts';
import { isDocument, searchText } from '../../text/search-text.ts';
import { type Lab, VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addFact, blockContent, day, factContent } from '../law-operations.ts';

const part = { id: 's', table: 'memory_open_set', mode: 'search', limit: 10 } as const;

export const search: readonly Law[] = [
  {
    name:
      'a text finds rows that have any of its words, with a signal from 0 to 1 that more words ' +
      'do not lower',
    needs: ['write', 'text'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [both, one, none] = [lab.id(), lab.id(), lab.id()];
      const texts = [
        [both, 'green tea leaves'],
        [one, 'green paint colour'],
        [none, 'railway station'],
      ] as const;
      const { position } = await lab.write(
        connection,
        texts.map(([uuid, text]) => addFact({ scope, uuid }, factContent(text))),
      );
      const hits = await lab.hits(connection, { ...part, text: 'green tea' }, { position });
      const signals = new Map(hits.map((hit) => [hit.row.uuid, hit.signals.lexical]));
      assert.deepEqual([...signals.keys()].sort(), [both, one]);
      const [best = 0, lesser = 0] = [signals.get(both), signals.get(one)];
      assert.ok(0 < lesser && lesser < best && best <= 1, `0 < ${lesser} < ${best} <= 1`);
      assert.ok(
        hits.every((hit) => hit.signals.dense === undefined),
        'no vector was given',
      );
    },
  },
  {
    name: 'a text of stop words, signs or nothing finds nothing and is not an error',
    needs: ['write', 'text'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('the and of it')),
      ]);
      for (const text of [
        'the of and',
        '',
        '   ',
        '!?&|()<->:*',
        "'",
        '\\',
        '🙂',
        'a:b*&!(c|d',
        'x'.repeat(50_000),
        'word '.repeat(20_000),
      ]) {
        assert.deepEqual(
          await lab.hits(connection, { ...part, text }, { position }),
          [],
          text.slice(0, 20),
        );
      }
    },
  },
  {
    name: 'what is no longer visible is not found',
    needs: ['write', 'text'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [ended, pruned] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: ended }, factContent('green ended'), { until: 5 }),
        addFact({ scope, uuid: pruned }, factContent('green pruned')),
      ]);
      const { position } = await lab.write(connection, [
        {
          operation: 'DELETE',
          table: 'memory_open_set',
          scope,
          root_uuid: pruned,
          cause: 'prune',
          valid_from: day(1),
        },
      ]);
      assert.deepEqual(await lab.hits(connection, { ...part, text: 'green' }, { position }), []);
    },
  },
  {
    name: 'a vector finds the nearest rows, the exact cosine with each',
    needs: ['write', 'vector', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const vectors = [
        [1, 0, 0, 0],
        [0.6, 0.8, 0, 0],
        [0, 0, 1, 0],
        [-1, 0, 0, 0],
      ];
      const rows = vectors.map((values) => ({
        uuid: lab.id(),
        values,
        tenant: lab.tenant,
        scope,
        table: 'memory_open_set' as const,
      }));
      const { position } = await lab.write(connection, [
        ...rows.map(({ uuid }) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
        addFact({ scope, uuid: lab.id() }, factContent('without a vector')),
      ]);
      await lab.storeVectors(connection, rows);
      const hits = await lab.hits(
        connection,
        { ...part, limit: 3, vector: { space: VECTOR_SPACE_NAME, values: [1, 0, 0, 0] } },
        { position },
      );
      assert.deepEqual(
        hits.map((hit) => hit.row.uuid),
        rows.slice(0, 3).map(({ uuid }) => uuid),
      );
      for (const [index, expected] of [1, 0.6, 0].entries())
        assert.ok(
          Math.abs((hits[index]?.signals.dense ?? -9) - expected) < 1e-3,
          `cosine ${expected}`,
        );
    },
  },
  {
    name:
      'text and vector together give the union of both, each row with both signals where it ' +
      'has them',
    needs: ['write', 'hybrid', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const [near, worded] = [lab.id(), lab.id()];
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: near }, factContent('railway')),
        addFact({ scope, uuid: worded }, factContent('green tea')),
      ]);
      const place = { tenant: lab.tenant, scope, table: 'memory_open_set' as const };
      await lab.storeVectors(connection, [
        { ...place, uuid: near, values: [1, 0, 0, 0] },
        { ...place, uuid: worded, values: [0, 1, 0, 0] },
      ]);
      const hits = await lab.hits(
        connection,
        {
          ...part,
          limit: 1,
          text: 'green tea',
          vector: { space: VECTOR_SPACE_NAME, values: [1, 0, 0, 0] },
        },
        { position },
      );
      const signals = new Map(hits.map((hit) => [hit.row.uuid, hit.signals]));
      assert.deepEqual([...signals.keys()].sort(), [near, worded]);
      assert.ok(
        signals.get(worded)?.dense !== undefined,
        'a row found by its words has its cosine too',
      );
      assert.ok(
        signals.get(worded)?.lexical !== undefined && signals.get(near)?.lexical === undefined,
      );
    },
  },
  {
    name: 'a long filter that holds for all changes neither hits nor signals',
    needs: ['write', 'hybrid', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const uuids = [lab.id(), lab.id(), lab.id()];
      const texts = ['green tea', 'green paint', 'railway'];
      const operations = uuids.map((uuid, n) =>
        addFact({ scope, uuid }, factContent(texts[n] ?? '')),
      );
      const { position } = await lab.write(connection, operations);
      const place = { tenant: lab.tenant, scope, table: 'memory_open_set' as const };
      await lab.storeVectors(
        connection,
        uuids.map((uuid, n) => ({ ...place, uuid, values: [1, n, 0, 0] })),
      );
      const asked = {
        ...part,
        limit: 3,
        text: 'green tea',
        vector: { space: VECTOR_SPACE_NAME, values: [0.3, 0.1, 0.7, 0] },
      };
      const others = Array.from({ length: 50 }, () => lab.id());
      const shown = (hits: Awaited<ReturnType<Lab['hits']>>) =>
        hits.map(({ row, signals }) => [row.uuid, signals.dense, signals.lexical]);
      const without = await lab.hits(connection, asked, { position });
      const within = await lab.hits(
        connection,
        { ...asked, filter: { field: 'uuid', in: [...uuids, ...others] } },
        { position },
      );
      assert.equal(without.length, 3);
      assert.deepEqual(shown(within), shown(without));
    },
  },
  {
    name: 'a search by text tells what it was weighed with: the texts of its table in its scopes',
    needs: ['write', 'text', 'authority'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other, foreign] = [
        await lab.scope(connection),
        await lab.scope(connection),
        await lab.scope(connection, lab.otherTenant),
      ];
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('green tea leaves')),
        addFact({ scope, uuid: lab.id() }, factContent('green paint')),
        addFact({ scope, uuid: lab.id() }, factContent('the of and')),
        addBlock({ scope, uuid: lab.id() }, blockContent('green grass')),
        addFact({ scope: other, uuid: lab.id() }, factContent('green meadows, green hills')),
      ]);
      await lab.write(
        connection,
        [addFact({ scope: foreign, uuid: lab.id() }, factContent('green tea'))],
        { tenant: lab.otherTenant },
      );
      const lexiconOf = async (asked: QueryPart) => {
        const { parts } = await connection.query({
          tenant: lab.tenant,
          position,
          valid_at: day(50),
          parts: [asked],
        });
        return parts[0]?.ok ? parts[0].lexicon : undefined;
      };
      const text = 'green tea, green trains?';
      assert.deepEqual(await lexiconOf({ ...part, text, scopes: [scope] }), {
        documents: 2,
        mean_length: 2.5,
        mean_document_length: 0,
        frequencies: { green: 2, tea: 1, train: 0 },
      });
      assert.deepEqual(await lexiconOf({ ...part, text }), {
        documents: 3,
        mean_length: 3,
        mean_document_length: 0,
        frequencies: { green: 3, tea: 1, train: 0 },
      });
      assert.deepEqual(await lexiconOf({ ...part, text: 'the' }), {
        documents: 3,
        mean_length: 3,
        mean_document_length: 0,
        frequencies: {},
      });
      assert.deepEqual(await lexiconOf({ ...part, table: 'subtree_summaries', text: 'tea' }), {
        documents: 0,
        mean_length: 0,
        mean_document_length: 0,
        frequencies: { tea: 0 },
      });
    },
  },
  {
    name:
      'the lexical signal is BM25 by that lexicon, of rows that their vectors or their ' +
      'neighbours brought as well',
    needs: ['write', 'hybrid', 'vectors', 'authority'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const texts = [
        'green tea',
        'green green paint',
        'the railway station',
        'a tea house by the green river, closed on Mondays',
        'green',
      ];
      const blocks = texts.map((text, n) =>
        addBlock({ scope, uuid: lab.id() }, blockContent(text, { occurred_at: day(n) })),
      );
      const { position } = await lab.write(connection, blocks);
      const vectors = blocks.map(({ uuid }, n) => ({
        tenant: lab.tenant,
        scope,
        table: 'blocks' as const,
        uuid,
        values: [n === 1 ? 1 : 0, 1, n, 0],
      }));
      await lab.storeVectors(await lab.raw(), vectors);
      const vector = { space: VECTOR_SPACE_NAME, values: [1, 1, 1, 0] };
      const { parts } = await connection.query({
        tenant: lab.tenant,
        position,
        valid_at: day(50),
        parts: [{ ...part, table: 'blocks', limit: 1, neighbours: 2, text: 'green tea', vector }],
      });
      const [answer] = parts;
      assert.ok(answer?.ok && answer.lexicon && answer.hits.length === 4);
      const signalOf = lexicalSignal(answer.lexicon);
      for (const { row, signals } of answer.hits) {
        const expected = signalOf(indexText(searchText(row), isDocument(row)));
        assert.ok(signals.dense !== undefined, 'each of them has a vector');
        assert.equal(signals.lexical === undefined, expected === undefined);
        assert.ok(
          Math.abs((signals.lexical ?? 0) - (expected ?? 0)) < 1e-8,
          `${signals.lexical} is not ${expected}`,
        );
      }
    },
  },
  {
    name:
      'a vector of another space, or of other dimensions, is an error of its part, and never a ' +
      'guess',
    needs: ['write', 'vector', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const fact = lab.id();
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: fact }, factContent('a')),
      ]);
      await lab.storeVectors(connection, [
        { tenant: lab.tenant, scope, table: 'memory_open_set', uuid: fact, values: [1, 0, 0, 0] },
      ]);
      for (const vector of [
        { space: 'conformance/other/4', values: [1, 0, 0, 0] },
        { space: VECTOR_SPACE_NAME, values: [1, 0, 0] },
      ]) {
        const sound = {
          id: 'sound',
          table: 'memory_open_set',
          mode: 'linked',
          link_type: 'pinned',
          limit: 5,
        } as const;
        const { parts } = await connection.query({
          tenant: lab.tenant,
          position,
          valid_at: day(50),
          parts: [{ ...part, vector }, sound],
        });
        assert.equal(parts[0]?.ok === false && parts[0].error.code, 'INFERENCE.DIMENSIONS');
        assert.equal(parts[1]?.ok, true, 'the other parts are answered');
      }
    },
  },
  {
    name: 'vectors of another tenant are not seen',
    needs: ['write', 'vector', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [scope, foreign] = [
        await lab.scope(connection),
        await lab.scope(connection, lab.otherTenant),
      ];
      const [own, theirs] = [lab.id(), lab.id()];
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: own }, factContent('own')),
      ]);
      await lab.write(
        connection,
        [addFact({ scope: foreign, uuid: theirs }, factContent('theirs'))],
        { tenant: lab.otherTenant },
      );
      const values = [1, 0, 0, 0];
      await lab.storeVectors(connection, [
        { tenant: lab.otherTenant, scope: foreign, table: 'memory_open_set', uuid: theirs, values },
        { tenant: lab.otherTenant, scope: foreign, table: 'memory_open_set', uuid: own, values },
      ]);
      const hits = await lab.hits(
        connection,
        { ...part, vector: { space: VECTOR_SPACE_NAME, values } },
        { position: [...position, { scope: foreign, head: 1000 }] },
      );
      assert.deepEqual(
        hits.map(({ row }) => row.uuid),
        [],
      );
    },
  },
];
