/**
 * The guards of the ports: malformed requests do not reach a connector, wrong answers do not leave
 * it.
 */
import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { InternalError } from '../../src/codes/errors.ts';
import { addScope, day, WRITER } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardAuthority } from '../../src/cxri/guard/authority.ts';
import { parseTenant, parseUuid } from '../../src/model/ids.ts';
import type { HeldScopes } from '../../src/model/permission.ts';

const tenant = parseTenant('ports');
const [scope, other] = ['0', '1'].map((n) =>
  parseUuid(`00000000-0000-4000-8000-00000000000${n}`, 'uuid'),
);
const ALL: HeldScopes = { all: true, uuids: new Set() };
const NONE: HeldScopes = { all: false, uuids: new Set() };

async function filled(): Promise<Authority> {
  const authority = referenceAuthority();
  if (!scope) throw new Error('no scope');
  await authority.write({
    tenant,
    writer: WRITER,
    recorded_at: day(1),
    operations: [addScope(scope)],
  });
  return authority;
}
const ask = { tenant, principals: [], max_depth: 0, max_scopes: 1 } as const;

/** Methods on a prototype, as a connector written as a class has them. */
function asClass(right: Authority): Authority {
  const prototype: object = Object.fromEntries(Object.entries(right));
  return Object.assign(Object.create(prototype), {
    [Symbol.asyncDispose]: () => right[Symbol.asyncDispose](),
  });
}

describe('the guards of the ports', () => {
  it('serve a connector whose methods stand on a prototype', async () => {
    const guarded = guardAuthority(asClass(await filled()));
    if (!scope) throw new Error('no scope');
    const { closure } = await guarded.resolveScope({ ...ask, scope });
    expect(closure.map((entry) => entry.scope.root_uuid)).toEqual([scope]);
    expect(await guarded.listScopes(tenant, ALL, day(2))).toHaveLength(1);
    expect((await guarded.heads(tenant, [scope])).position).toEqual([{ scope, head: 1 }]);
  });

  const requests: Readonly<Record<string, (guarded: Authority) => Promise<unknown>>> = {
    'a tenant that is none': (guarded) =>
      guarded.loadArtifact(String('a b') as typeof tenant, 'digest'),
    'a scope that is no UUID': (guarded) =>
      guarded.resolveScope({ ...ask, scope: String('x') as NonNullable<typeof scope> }),
    'a vector that is not finite': (guarded) =>
      guarded.storeEmbeddings('a/b/2', [
        {
          tenant,
          scope_uuid: parseUuid(String(scope), 'scope'),
          table: 'blocks',
          uuid: parseUuid(String(scope), 'uuid'),
          ordinal: 0,
          origin: 'content',
          values: [1, Number.NaN],
        },
      ]),
    'an event without a root': (guarded) =>
      guarded.recordUsage(tenant, {
        events: [
          {
            scope_uuid: parseUuid(String(scope), 'scope'),
            root_uuid: String('x') as NonNullable<typeof scope>,
            composition_id: parseUuid(String(scope), 'id'),
            kind: 'used',
            at: day(1),
          },
        ],
        fold: () => {
          throw new Error('never folded');
        },
        recorded_at: day(1),
      }),
    'an audit entry of no time': (guarded) =>
      guarded.audit(tenant, [
        {
          principal: 'p',
          on_behalf_of: null,
          action: 'a',
          scope_uuid: null,
          decision: 'denied',
          tier: 'T1',
          detail: '',
          at: String('now') as ReturnType<typeof day>,
        },
      ]),
  };
  it.each(Object.keys(requests))('refuse %s', async (name) => {
    const guarded = guardAuthority(await filled());
    await expect(requests[name]?.(guarded)).rejects.toMatchObject({
      code: 'CONNECTOR.INVALID_REQUEST',
    });
  });

  const answers: Readonly<Record<string, (right: Authority) => Partial<Authority>>> = {
    'lists a scope that is not held': (right) => ({
      listScopes: (of, _held, now) => right.listScopes(of, ALL, now),
    }),
    'answers another scope': (right) => ({
      resolveScope: (request) =>
        right.resolveScope({ ...request, scope: parseUuid(String(scope), 'scope') }),
    }),
    'gives heads of other scopes': (right) => ({
      heads: (of) => right.heads(of, [parseUuid(String(scope), 'scope')]),
    }),
  };
  it.each(Object.keys(answers))('refuse the answer of a connector that %s', async (name) => {
    const right = await filled();
    const guarded = guardAuthority({ ...right, ...answers[name]?.(right) });
    const absent = parseUuid(String(other), 'scope');
    const calls = [
      () => guarded.listScopes(tenant, NONE, day(2)),
      () => guarded.resolveScope({ ...ask, scope: absent }),
      () => guarded.heads(tenant, [absent]),
    ];
    const faults = await Promise.all(
      calls.map((call) =>
        call().then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    expect(faults.filter((fault) => fault instanceof InternalError)).toHaveLength(1);
    expect(faults.filter((fault) => fault !== null)).toHaveLength(1);
  });
});
