/** Laws of what was served: by principal and session, for a time, gone with what is forgotten. */
import assert from 'node:assert/strict';
import type { ServedMark } from '../../cxri/ports/served.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent } from '../law-operations.ts';
import { forgetBlock } from './erasure.ts';

const NEVER = day(0);

const mark = (
  principal: string,
  [session, root]: readonly [Uuid, Uuid],
  at: number,
): ServedMark => ({
  principal,
  session_uuid: session,
  root_uuid: root,
  served_at: day(at),
});

export const served: readonly Law[] = [
  {
    name: 'what a principal was served is known to their other sessions, and to nobody else',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [here, there] = [await lab.scope(connection), await lab.scope(connection)];
      const [one, two] = [lab.id(), lab.id()];
      const marks = [mark('ana', [here, one], 5), mark('ana', [here, two], 5)];
      await connection.saveServed(lab.tenant, marks, NEVER);
      const to = (principal: string, except_session: Uuid, after = 4) =>
        connection.servedTo(lab.tenant, { principal, except_session, after: day(after) });
      assert.deepEqual([...(await to('ana', there))].sort(), [one, two].sort());
      assert.deepEqual(await to('ana', here), [], 'the session itself');
      assert.deepEqual(await to('ben', there), [], 'another principal');
      assert.deepEqual(await to('ana', there, 5), [], 'not after that time');
      const asked = { principal: 'ana', except_session: there, after: day(4) };
      assert.deepEqual(await connection.servedTo(lab.otherTenant, asked), [], 'another tenant');
    },
  },
  {
    name: 'the latest mark of a root counts, whatever the order, and a root is named once',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [a, b, c] = [lab.id(), lab.id(), lab.id()];
      const root = lab.id();
      const late = [mark('ana', [a, root], 9), mark('ana', [b, root], 9)];
      await connection.saveServed(lab.tenant, late, NEVER);
      await connection.saveServed(lab.tenant, [mark('ana', [a, root], 2)], NEVER);
      const asked = { principal: 'ana', except_session: c, after: day(8) };
      assert.deepEqual(await connection.servedTo(lab.tenant, asked), [root]);
    },
  },
  {
    name: 'marks from before the time that is kept go',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [old, young] = [lab.id(), lab.id()];
      const session = lab.id();
      await connection.saveServed(lab.tenant, [mark('ana', [session, old], 1)], NEVER);
      await connection.saveServed(lab.tenant, [mark('ana', [session, young], 9)], day(5));
      const asked = { principal: 'ana', except_session: lab.id(), after: NEVER };
      assert.deepEqual(await connection.servedTo(lab.tenant, asked), [young]);
    },
  },
  {
    name: 'forgetting reaches what was served: of the root and of the session',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, session] = [await lab.scope(connection), await lab.scope(connection)];
      const gone = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: gone }, factContent('it goes'))]);
      const stays = lab.id();
      const marks = [
        mark('ana', [scope, gone], 5),
        mark('ana', [scope, stays], 5),
        mark('ben', [session, stays], 5),
      ];
      await connection.saveServed(lab.tenant, marks, NEVER);
      const to = (principal: string) =>
        connection.servedTo(lab.tenant, {
          principal,
          except_session: lab.id(),
          after: day(4),
        });
      const forget = (kind: 'root' | 'scope', value: Uuid) =>
        connection.forget({ ...forgetBlock(lab, value), kind });
      await forget('root', gone);
      assert.deepEqual(await to('ana'), [stays]);
      await forget('scope', session);
      assert.deepEqual(await to('ben'), []);
    },
  },
];
