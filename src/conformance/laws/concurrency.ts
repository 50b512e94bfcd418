/** Two writers at once: sequence order is commit order, and no write is lost. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import {
  addFact,
  addScope,
  addTyped,
  day,
  factContent,
  noop,
  typedContent,
  updateFact,
} from '../law-operations.ts';

const ROUNDS = 8;

export const concurrency: readonly Law[] = [
  {
    name: 'two writers of one scope draw every number once, and each finds all that it was told',
    needs: ['write'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scope = await lab.scope(writers[0]);
      const results = await Promise.all(
        Array.from({ length: ROUNDS }, (_, n) => {
          const connection = writers[n % 2 === 0 ? 0 : 1];
          return lab.write(connection, [
            addFact({ scope, uuid: lab.id() }, factContent(`a ${n}`)),
            addFact({ scope, uuid: lab.id() }, factContent(`b ${n}`)),
          ]);
        }),
      );
      const receipts = results.flatMap((result) => result.receipts);
      assert.deepEqual(
        receipts.map(({ seq }) => seq).sort((a, b) => a - b),
        Array.from({ length: 2 * ROUNDS }, (_, n) => n + 2),
      );
      for (const { receipts: own } of results)
        assert.equal((own[1]?.seq ?? 0) - (own[0]?.seq ?? 0), 1, 'a batch is not torn apart');
      const seen = await lab.uuids(writers[0], 'memory_open_set', {
        position: [{ scope, head: 1000 }],
      });
      assert.deepEqual([...seen].sort(), receipts.map(({ uuid }) => uuid).sort());
    },
  },
  {
    name: 'of writers that judged one version, one wins and the others learn of it',
    needs: ['write'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scope = await lab.scope(writers[0]);
      const root = lab.id();
      await lab.write(writers[0], [addFact({ scope, uuid: root }, factContent('judged'))]);
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          lab.write(writers[n % 2 === 0 ? 0 : 1], [
            updateFact({ scope, uuid: lab.id() }, factContent(`by ${n}`), {
              root,
              from: 2 + n,
              expected: root,
            }),
          ]),
        ),
      );
      assert.deepEqual(results.map((result) => result.receipts[0]?.outcome).sort(), [
        'conflict',
        'conflict',
        'conflict',
        'conflict',
        'conflict',
        'superseded',
      ]);
      assert.equal(
        (
          await lab.uuids(writers[0], 'memory_open_set', {
            position: [{ scope, head: 1000 }],
            at: day(40),
          })
        ).length,
        1,
      );
    },
  },
  {
    name: 'writers of one typed key leave one value at a time',
    needs: ['write'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scope = await lab.scope(writers[0]);
      await Promise.all(
        Array.from({ length: ROUNDS }, (_, n) =>
          lab.write(writers[n % 2 === 0 ? 0 : 1], [
            addTyped({ scope, uuid: lab.id() }, typedContent(`city ${n}`), {
              from: (n * 5) % ROUNDS,
            }),
          ]),
        ),
      );
      for (let on = 0; on < ROUNDS + 2; on += 1)
        assert.equal(
          (
            await lab.uuids(writers[0], 'memory_schema_typed', {
              position: [{ scope, head: 1000 }],
              at: day(on),
            })
          ).length,
          1,
          `day ${on}`,
        );
    },
  },
  {
    name: 'one key sent by both at once is written once',
    needs: ['write', 'idempotent'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scope = await lab.scope(writers[0]);
      const results = await Promise.all(
        Array.from({ length: 4 }, (_, n) =>
          lab.write(writers[n % 2 === 0 ? 0 : 1], [
            addFact({ scope, uuid: lab.id() }, factContent('once'), { key: 'same' }),
          ]),
        ),
      );
      assert.deepEqual(results.map((result) => result.receipts[0]?.outcome).sort(), [
        'duplicate',
        'duplicate',
        'duplicate',
        'stored',
      ]);
      assert.equal(new Set(results.map((result) => result.receipts[0]?.uuid)).size, 1);
    },
  },
  {
    name: 'writers of the same scopes in opposite order both get through',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scopes = [lab.id(), lab.id()] as const;
      await lab.write(
        writers[0],
        scopes.map((scope) => addScope(scope)),
      );
      const results = await Promise.all(
        Array.from({ length: ROUNDS }, (_, n) => {
          const order = n % 2 === 0 ? scopes : [scopes[1], scopes[0]];
          return lab.write(
            writers[n % 2 === 0 ? 0 : 1],
            order.map((scope) => noop(scope)),
          );
        }),
      );
      for (const scope of scopes) {
        const seqs = results
          .flatMap((result) => result.receipts)
          .filter((receipt) => receipt.scope === scope)
          .map(({ seq }) => seq);
        assert.deepEqual(
          seqs.sort((a, b) => a - b),
          Array.from({ length: ROUNDS }, (_, n) => n + 2),
        );
      }
    },
  },
  {
    name: 'writers whose sources cross all get through, and a correction takes what they derived',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const writers = [await lab.connect(), await lab.connect()] as const;
      const scopes = [
        await lab.scope(writers[0]),
        await lab.scope(writers[0]),
        await lab.scope(writers[0]),
      ];
      const sources = scopes.map(() => lab.id());
      await lab.write(
        writers[0],
        scopes.map((scope, n) =>
          addFact({ scope, uuid: sources[n] ?? scope }, factContent(`source ${n}`)),
        ),
      );
      const derived = Array.from({ length: 3 * ROUNDS }, (_, n) => ({
        scope: scopes[n % 3] ?? lab.id(),
        uuid: lab.id(),
        // Each scope derives from the other two, so that any two writers want locks of each other.
        sources: sources.filter((_source, of) => of !== n % 3),
      }));
      const written = await Promise.all(
        derived.map(({ scope, uuid, sources: from }, n) =>
          lab.write(writers[n % 2 === 0 ? 0 : 1], [
            addFact({ scope, uuid }, factContent(`derived ${n}`), { sources: from }),
          ]),
        ),
      );
      assert.deepEqual(
        written.map(({ receipts }) => receipts[0]?.outcome),
        derived.map(() => 'stored'),
      );
      await Promise.all(
        scopes.map((scope, n) =>
          lab.write(writers[n % 2 === 0 ? 0 : 1], [
            updateFact({ scope, uuid: lab.id() }, factContent(`corrected ${n}`), {
              root: sources[n] ?? scope,
              cause: 'correction',
            }),
          ]),
        ),
      );
      const rows = await lab.versions(
        writers[0],
        derived.map(({ uuid }) => uuid),
      );
      assert.deepEqual(
        rows.map(({ row }) => row.cause),
        derived.map(() => 'cascade'),
      );
    },
  },
];
