import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import {
  addFact,
  addScope,
  day,
  factContent,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import { guard } from '../../src/cxri/guard/connection.ts';
import { parseTenant, parseUuid } from '../../src/model/ids.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const tenant = parseTenant('retry');
const id = (n: number) => parseUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'id');
const scope = id(1);

describe('a writer that repeats what was not acknowledged', () => {
  it('leaves each fact once, whichever call failed and whether it had been carried out', async () => {
    const faults: readonly Fault[] = ['before', 'after'];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 8 }),
        fc.constantFrom(...faults),
        fc.integer({ min: 1, max: 6 }),
        async (failAt, fault, writes) => {
          const right = referenceAuthority();
          await right.write({
            tenant,
            writer: WRITER,
            operations: [addScope(scope)],
            recorded_at: day(0),
          });
          const connection = guard(faulty(right, failAt, fault).authority);
          let ids = 10;
          for (let n = 0; n < writes; n += 1) {
            const send = () => {
              ids += 1;
              return connection.write({
                tenant,
                writer: WRITER,
                operations: [
                  addFact({ scope, uuid: id(ids) }, factContent(`fact ${n}`), { key: `k${n}` }),
                ],
                recorded_at: day(1),
              });
            };
            const first = await send().catch(() => null);
            const { receipts } = first ?? (await send());
            expect(['stored', 'duplicate']).toContain(receipts[0]?.outcome);
          }
          const { rows } = await right.read({
            kind: 'scan',
            tenant,
            table: 'memory_open_set',
            position: [{ scope, head: 1000 }],
            limit: 100,
          });
          expect(rows.map(({ row }) => ('content' in row ? row.content : '')).sort()).toEqual(
            Array.from({ length: writes }, (_, n) => `fact ${n}`),
          );
        },
      ),
    );
  });
});
