import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { UsageState } from '../../src/cxri/contract.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('heads');
const state = (count: number): UsageState => ({
  stability: 1,
  difficulty: 1,
  reviewed_at: day(0),
  utility: 0,
  utility_variance: 1,
  utility_at: null,
  count,
  touched_at: day(0),
});

describeOnDatabases('heads', (open) => {
  let authority: Authority;
  beforeAll(async () => {
    authority = pgvectorAuthority((await open()).database);
  });
  const write = (scope: ReturnType<typeof id>) =>
    authority.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(1),
      operations: [makeScope(scope), { operation: 'NOOP', scope, reason: 'once more' }],
    });

  it('are never behind a write that was acknowledged, also where a read was under way meanwhile', async () => {
    for (let n = 1; n <= 20; n += 1) {
      const scope = id(1, n);
      const racing = authority.heads(TENANT, [scope]);
      const { position } = await write(scope);
      await racing;
      expect((await authority.heads(TENANT, [scope])).position).toEqual(position);
      await authority.write({
        tenant: TENANT,
        writer: WRITER,
        recorded_at: day(1),
        operations: [{ operation: 'NOOP', scope, reason: 'again' }],
      });
      expect((await authority.heads(TENANT, [scope])).position).toEqual([{ scope, head: 3 }]);
    }
  });

  it('leave out scopes that are not there, and find them once they are', async () => {
    const [known, later] = [id(2, 1), id(2, 2)];
    await write(known);
    expect((await authority.heads(TENANT, [known, later])).position).toEqual([
      { scope: known, head: 2 },
    ]);
    await write(later);
    expect((await authority.heads(TENANT, [later, known])).position).toEqual([
      { scope: later, head: 2 },
      { scope: known, head: 2 },
    ]);
    expect((await authority.heads(tenantNamed('other'), [known])).position).toEqual([]);
  });

  it('move with usage apart from writes', async () => {
    const scope = id(3, 1);
    await write(scope);
    const event = {
      scope_uuid: scope,
      root_uuid: scope,
      composition_id: id(3, 2),
      kind: 'used',
      at: day(1),
    } as const;
    await authority.recordUsage(TENANT, {
      events: [event, { ...event, composition_id: id(3, 3) }],
      fold: (before) => state((before?.count ?? 0) + 1),
      recorded_at: day(1),
    });
    const { position, usage_position } = await authority.heads(TENANT, [scope]);
    expect(position).toEqual([{ scope, head: 2 }]);
    expect(usage_position).toEqual([{ scope, head: 2 }]);
  });
});
