/** Laws of the journal: who decided what, for each operation by itself. */
import assert from 'node:assert/strict';
import type { WriteDecision } from '../../model/operation.ts';
import type { Law } from '../law.ts';
import { addFact, factContent, noop, removeFact } from '../law-operations.ts';

const FIRST: WriteDecision = { decision: 'T1', manifest_digest: 'digest of the first' };
const SECOND: WriteDecision = { decision: 'T2', manifest_digest: 'digest of the second' };

export const journal: readonly Law[] = [
  {
    name: 'each operation of a batch is journaled with its own decision, what it withdraws with it',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [one, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [source, derived] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope: one, uuid: source }, factContent('said'))]);
      await lab.write(connection, [
        addFact({ scope: other, uuid: derived }, factContent('meant'), { sources: [source] }),
      ]);
      await lab.write(
        connection,
        [noop(other), removeFact(one, source, { cause: 'correction', from: 1 })],
        { decisions: [FIRST, SECOND] },
      );
      const entries = (scope: typeof one) =>
        connection.readJournal({
          tenant: lab.tenant,
          scope,
          after: { seq: 2, ordinal: 0 },
          head: 1000,
          limit: 100,
        });
      const decided = async (scope: typeof one) =>
        (await entries(scope)).map(({ operation, decision, manifest_digest }) => ({
          operation,
          decision,
          manifest_digest,
        }));
      assert.deepEqual(await decided(one), [{ operation: 'DELETE', ...SECOND }]);
      assert.deepEqual(await decided(other), [
        { operation: 'NOOP', ...FIRST },
        { operation: 'CASCADE', ...SECOND },
      ]);
    },
  },
];
