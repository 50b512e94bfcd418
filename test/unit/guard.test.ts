import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { InternalError } from '../../src/codes/errors.ts';
import {
  addBlock,
  addFact,
  addScope,
  blockContent,
  day,
  factContent,
  noop,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import type { Capability, Connection, Hit, QueryRequest } from '../../src/cxri/contract.ts';
import { guard } from '../../src/cxri/guard/connection.ts';
import { parseTenant, parseUuid } from '../../src/model/ids.ts';

const tenant = parseTenant('guarded');
const id = (n: number) => parseUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'id');
const [scope, fact] = [id(1), id(2)];
const list = {
  id: 'p',
  table: 'memory_open_set',
  mode: 'list',
  limit: 5,
  order: { by: 'uuid', direction: 'asc' },
} as const;
const request: QueryRequest = {
  tenant,
  position: [{ scope, head: 9 }],
  valid_at: day(5),
  parts: [list],
};

async function filled(): Promise<Connection> {
  const connection = referenceAuthority();
  await connection.write({
    tenant,
    writer: WRITER,
    operations: [addScope(scope), addFact({ scope, uuid: fact }, factContent('kept'))],
    recorded_at: day(0),
  });
  return connection;
}
const lacking = (connection: Connection, ...missing: readonly Capability[]): Connection => ({
  ...connection,
  capabilities: {
    ...connection.capabilities,
    ...Object.fromEntries(missing.map((capability) => [capability, false])),
  },
});
/** Answers a query with its hits changed: what a connector with a bug would do. */
const bent = (connection: Connection, change: (hit: Hit) => Hit): Connection => ({
  ...connection,
  query: async (asked) => {
    const answer = await connection.query(asked);
    return {
      ...answer,
      parts: answer.parts.map((part) =>
        part.ok ? { ...part, hits: part.hits.map(change) } : part,
      ),
    };
  },
});
const withRow = (hit: Hit, columns: object): Hit =>
  ({ ...hit, row: { ...hit.row, ...columns } }) as Hit;

describe('the guard', () => {
  it('refuses a connector that does not pre-filter outright', async () => {
    const connection = lacking(await filled(), 'prefilter');
    expect(() => guard(connection)).toThrow(
      expect.objectContaining({ code: 'CONNECTOR.MISSING_CAPABILITY' }),
    );
  });

  it.each([
    ['another tenant', { tenant_id: parseTenant('other') }],
    ['another scope', { scope_uuid: id(9) }],
    ['a later head', { recorded_seq: 10 }],
    ['a version that was retired', { retired_seq: 3 }],
    ['a version that is over', { valid_until: day(5) }],
    ['a version that has not begun', { valid_from: day(6) }],
    ['a row that is quarantined', { status: 'quarantined' }],
  ])('refuses the whole answer when it holds a row of %s', async (_what, columns) => {
    const connection = guard(bent(await filled(), (hit) => withRow(hit, columns)));
    await expect(connection.query(request)).rejects.toThrow(InternalError);
  });

  describe('around a search', () => {
    const search = {
      id: 's',
      table: 'blocks',
      mode: 'search',
      text: 'quokka',
      limit: 5,
      neighbours: 1,
    } as const;
    const turns = [id(11), id(12), id(13)];
    const searching: QueryRequest = { ...request, parts: [search] };
    async function talked(): Promise<Connection> {
      const connection = await filled();
      const operations = turns.map((uuid, n) =>
        addBlock(
          { scope, uuid },
          blockContent(n === 1 ? 'a quokka' : 'said', { occurred_at: day(n) }),
        ),
      );
      await connection.write({ tenant, writer: WRITER, operations, recorded_at: day(0) });
      return connection;
    }

    it('passes neighbours', async () => {
      const bare = await talked();
      const answer = await guard(bare).query(searching);
      expect(answer).toEqual(await bare.query(searching));
      expect(answer.parts[0]?.ok && answer.parts[0].hits.length).toBe(3);
    });

    it.each<[string, (hit: Hit) => Hit]>([
      ['a signal above 1', (hit) => ({ ...hit, signals: { lexical: 1.1 } })],
      ['a signal of 0', (hit) => ({ ...hit, signals: { lexical: 0 } })],
      ['a cosine of 2', (hit) => ({ ...hit, signals: { dense: 2 } })],
      ['the same row twice', (hit) => withRow(hit, { uuid: turns[0] })],
      ['nothing of what stands beside it', ({ beside: _beside, ...hit }) => hit],
      [
        'a row beside itself',
        (hit) => ({ ...hit, beside: { previous: hit.row.uuid, next: null } }),
      ],
      [
        'a neighbour that does not know of it',
        (hit) => ({ ...hit, beside: { previous: null, next: turns[1] ?? null } }),
      ],
      [
        'a neighbour of another conversation',
        (hit) => (hit.row.uuid === turns[0] ? withRow(hit, { parent_uuid: id(9) }) : hit),
      ],
    ])('refuses an answer with %s', async (_what, change) => {
      await expect(guard(bent(await talked(), change)).query(searching)).rejects.toThrow(
        InternalError,
      );
    });

    it.each([
      { documents: -1 },
      { documents: 0.5 },
      { mean_length: Number.NaN },
      { frequencies: { quokka: 99 } },
    ])('refuses a lexicon with %j', async (wrong) => {
      const connection = await talked();
      const query: Connection['query'] = async (asked) => {
        const answer = await connection.query(asked);
        return {
          ...answer,
          parts: answer.parts.map((part) =>
            part.ok && part.lexicon ? { ...part, lexicon: { ...part.lexicon, ...wrong } } : part,
          ),
        };
      };
      await expect(guard({ ...connection, query }).query(searching)).rejects.toThrow(InternalError);
    });

    it.each([
      { neighbours: 5 },
      { neighbours: -1 },
      { neighbours: 0.5 },
      { table: 'memory_open_set' as const },
    ])('answers a part that asks for %j with an error', async (change) => {
      const { parts } = await guard(await talked()).query({
        ...request,
        parts: [{ ...search, ...change }],
      });
      expect(parts[0]).toMatchObject({ ok: false, error: { code: 'CONNECTOR.INVALID_REQUEST' } });
    });
  });

  it('passes an answer that is as asked, unchanged', async () => {
    const bare = await filled();
    expect(await guard(bare).query(request)).toEqual(await bare.query(request));
  });

  it('refuses what the connector cannot do, and only that', async () => {
    const bare = await filled();
    const two = {
      tenant,
      writer: WRITER,
      operations: [noop(scope), noop(scope)],
      recorded_at: day(1),
    };
    await expect(
      guard(lacking(bare, 'write')).write({ ...two, operations: [noop(scope)] }),
    ).rejects.toMatchObject({
      code: 'CONNECTOR.MISSING_CAPABILITY',
    });
    await expect(guard(lacking(bare, 'atomic')).write(two)).rejects.toMatchObject({
      code: 'CONNECTOR.MISSING_CAPABILITY',
    });
    await expect(
      guard(lacking(bare, 'atomic')).write({ ...two, operations: [noop(scope)] }),
    ).resolves.toMatchObject({
      counts: { stored: 1 },
    });
    await expect(
      guard(lacking(bare, 'changes')).subscribe({ tenant, scopes: [scope] }, () => {}),
    ).rejects.toMatchObject({
      code: 'CONNECTOR.MISSING_CAPABILITY',
    });
    const { parts } = await guard(lacking(bare, 'text')).query({
      ...request,
      parts: [list, { id: 's', table: 'memory_open_set', mode: 'search', text: 'kept', limit: 5 }],
    });
    expect(parts).toMatchObject([
      { id: 'p', ok: true },
      { id: 's', ok: false, error: { code: 'CONNECTOR.MISSING_CAPABILITY' } },
    ]);
  });

  it('ends a call that takes longer than it may, whatever the connector does', async () => {
    const silent: Connection = {
      ...(await filled()),
      query: () => new Promise(() => {}),
      read: () => new Promise(() => {}),
    };
    await expect(guard(silent).query({ ...request, deadline_ms: 5 })).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
      retryable: true,
    });
    const abort = new AbortController();
    const reading = guard(silent).read({
      kind: 'versions',
      tenant,
      scopes: '*',
      uuids: [fact],
      signal: abort.signal,
    });
    abort.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE' });
  });

  it('does not send a connector the parts that are malformed', async () => {
    const bare = await filled();
    const sent: string[] = [];
    const spied: Connection = {
      ...bare,
      query: async (asked) => {
        sent.push(...asked.parts.map(({ id: part }) => part));
        return bare.query(asked);
      },
    };
    const { parts } = await guard(spied).query({
      ...request,
      parts: [{ ...list, id: 'bad', limit: 0 }, list],
    });
    expect(sent).toEqual(['p']);
    expect(parts.map(({ id: part, ok }) => [part, ok])).toEqual([
      ['bad', false],
      ['p', true],
    ]);
  });

  it('refuses a receipt list that does not fit the operations', async () => {
    const bare = await filled();
    const forgetful: Connection = {
      ...bare,
      write: async (asked) => ({ ...(await bare.write(asked)), receipts: [] }),
    };
    await expect(
      guard(forgetful).write({
        tenant,
        writer: WRITER,
        operations: [noop(scope)],
        recorded_at: day(1),
      }),
    ).rejects.toThrow(InternalError);
  });
});
