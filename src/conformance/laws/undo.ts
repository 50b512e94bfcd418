/** Laws of undo: what an operation did is taken back, once, unless others build on it. */
import assert from 'node:assert/strict';
import type { Connection } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { UndoOperation } from '../../model/operation.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, factContent, updateFact } from '../law-operations.ts';

const undo = (scope: Uuid, target: Uuid): UndoOperation => ({ operation: 'UNDO', scope, target });

interface Corrected {
  readonly connection: Connection;
  readonly scope: Uuid;
  readonly source: Uuid;
  readonly child: Uuid;
  /** The operation that corrected the source. */
  readonly correction: Uuid;
}

/** A fact that was corrected, and what was made from it. */
async function corrected(lab: Lab): Promise<Corrected> {
  const connection = await lab.connect();
  const scope = await lab.scope(connection);
  const [source, child] = [lab.id(), lab.id()];
  await lab.write(connection, [addFact({ scope, uuid: source }, factContent('first'))]);
  await lab.write(connection, [
    addFact({ scope, uuid: child }, factContent('child'), { sources: [source] }),
  ]);
  const { receipts } = await lab.write(connection, [
    updateFact({ scope, uuid: lab.id() }, factContent('second'), {
      root: source,
      from: 1,
      cause: 'correction',
    }),
  ]);
  const [receipt] = receipts;
  assert.ok(receipt);
  return { connection, scope, source, child, correction: receipt.operation_id };
}

/** The texts that are believed of each root. */
async function believed(
  lab: Lab,
  { connection }: Corrected,
  roots: readonly Uuid[],
): Promise<readonly string[]> {
  const asked = { kind: 'history', tenant: lab.tenant, scopes: '*', roots } as const;
  const { rows } = await connection.read(asked);
  return rows
    .filter(({ row }) => row.retired_seq === null)
    .map(({ row }) => ('content' in row ? row.content : ''))
    .sort();
}

export const undoing: readonly Law[] = [
  {
    name: 'an undo retires what an operation brought, and what it ended is there again',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const at = await corrected(lab);
      const both = [at.source, at.child];
      assert.deepEqual(await believed(lab, at, both), ['second']);
      const { receipts } = await lab.write(at.connection, [undo(at.scope, at.correction)]);
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome),
        ['stored'],
      );
      assert.deepEqual(await believed(lab, at, both), ['child', 'first']);
    },
  },
  {
    name: 'an undo is done once: again it is a duplicate, and changes nothing',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const at = await corrected(lab);
      await lab.write(at.connection, [undo(at.scope, at.correction)]);
      const { receipts } = await lab.write(at.connection, [undo(at.scope, at.correction)]);
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome),
        ['duplicate'],
      );
      assert.deepEqual(await believed(lab, at, [at.source]), ['first']);
    },
  },
  {
    name: 'an undo of what others build on is refused, and changes nothing',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const at = await corrected(lab);
      await lab.write(at.connection, [
        updateFact({ scope: at.scope, uuid: lab.id() }, factContent('third'), {
          root: at.source,
          from: 1,
          cause: 'correction',
        }),
      ]);
      const tried = lab.write(at.connection, [undo(at.scope, at.correction)]);
      await lab.refused(tried, 'WRITE.BUILT_ON');
      assert.deepEqual(await believed(lab, at, [at.source]), ['third']);
    },
  },
  {
    name: 'the journal names an operation to those who hold its scope, whatever came of it',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const noop = { operation: 'NOOP', scope, reason: 'nothing new' } as const;
      const { receipts } = await lab.write(connection, [noop]);
      const [receipt] = receipts;
      assert.ok(receipt);
      const { operation_id, outcome } = receipt;
      const all = { all: true, uuids: new Set<Uuid>() };
      const named = (tenant: typeof lab.tenant, held = all, id = operation_id) =>
        connection.operationNamed(tenant, id, held);
      const found = { operation_id, operation: 'NOOP', scope, outcome, root_uuid: null };
      assert.deepEqual(await named(lab.tenant), found);
      assert.deepEqual(await named(lab.tenant, { all: false, uuids: new Set([scope]) }), found);
      assert.equal(await named(lab.tenant, { all: false, uuids: new Set() }), null);
      assert.equal(await named(lab.otherTenant), null);
      assert.equal(await named(lab.tenant, all, lab.id()), null);
    },
  },
];
