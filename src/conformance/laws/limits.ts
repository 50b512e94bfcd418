/** Time limits, limits of size, and the end of a connection. */
import assert from 'node:assert/strict';
import type { QueryRequest } from '../../cxri/contract.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, noop } from '../law-operations.ts';

export const limits: readonly Law[] = [
  {
    name: 'a call that was aborted, or has no time left, is refused and writes nothing',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const request: QueryRequest = {
        tenant: lab.tenant,
        position: [{ scope, head: 1 }],
        valid_at: day(1),
        parts: [{ id: 'p', table: 'blocks', mode: 'linked', link_type: 'pinned', limit: 5 }],
      };
      const signal = AbortSignal.abort();
      await lab.refused(connection.query({ ...request, signal }), 'CONNECTOR.DEADLINE');
      await lab.refused(connection.query({ ...request, deadline_ms: 0 }), 'CONNECTOR.DEADLINE');
      await lab.refused(connection.query({ ...request, deadline_ms: -5 }), 'CONNECTOR.DEADLINE');
      await lab.refused(
        connection.query({ ...request, deadline_ms: Number.NaN }),
        'CONNECTOR.INVALID_REQUEST',
      );
      await lab.refused(
        connection.read({ kind: 'versions', tenant: lab.tenant, scopes: '*', uuids: [], signal }),
        'CONNECTOR.DEADLINE',
      );
      await lab.refused(lab.write(connection, [noop(scope)], { signal }), 'CONNECTOR.DEADLINE');
      const { receipts } = await lab.write(connection, [noop(scope)]);
      assert.equal(receipts[0]?.seq, 2);
      assert.equal(
        (await connection.query({ ...request, deadline_ms: 60_000 })).parts.length,
        1,
        'a call within its time is answered',
      );
    },
  },
  {
    name: 'no part returns more than it was asked for',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const { position } = await lab.write(
        connection,
        Array.from({ length: 30 }, (_, n) =>
          addFact({ scope, uuid: lab.id() }, factContent(`green fact ${n}`)),
        ),
      );
      for (const limit of [1, 7, 30, 1000]) {
        const listed = await lab.hits(
          connection,
          {
            id: 'l',
            table: 'memory_open_set',
            mode: 'list',
            limit,
            order: { by: 'uuid', direction: 'asc' },
          },
          { position },
        );
        assert.equal(listed.length, Math.min(limit, 30));
        if (!connection.capabilities.text) continue;
        const found = await lab.hits(
          connection,
          { id: 's', table: 'memory_open_set', mode: 'search', text: 'green', limit },
          { position },
        );
        assert.equal(found.length, Math.min(limit, 30));
      }
    },
  },
  {
    name: 'a closed connection refuses every operation; another one goes on',
    needs: ['write'],
    check: async (lab) => {
      const [closed, open] = [await lab.connect(), await lab.connect()];
      const scope = await lab.scope(open);
      await closed[Symbol.asyncDispose]();
      await lab.refused(
        closed.read({ kind: 'versions', tenant: lab.tenant, scopes: '*', uuids: [] }),
        'CONNECTOR.CLOSED',
      );
      await lab.refused(lab.write(closed, [noop(scope)]), 'CONNECTOR.CLOSED');
      await lab.refused(
        lab.uuids(closed, 'blocks', { position: [{ scope, head: 1 }] }),
        'CONNECTOR.CLOSED',
      );
      await lab.refused(closed.health(), 'CONNECTOR.CLOSED');
      assert.deepEqual(await lab.uuids(open, 'blocks', { position: [{ scope, head: 1 }] }), [
        scope,
      ]);
    },
  },
  {
    name: 'health says how it stands, how long that took, and what to do',
    needs: [],
    check: async (lab) => {
      const connection = await lab.connect();
      const health = await connection.health();
      assert.ok(['ok', 'degraded', 'down'].includes(health.verdict));
      assert.ok(health.latency_ms >= 0 && health.lag >= 0);
      assert.ok(
        health.verdict === 'ok' || health.advice.length > 0,
        'what is not well comes with advice',
      );
    },
  },
];
