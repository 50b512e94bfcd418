/** A copy of an argument holds all that the argument says, or the call is refused. */
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallOptions, ContextEngine, PermissionProfile } from '../../src/index.ts';
import { ContextEngineError, createContextEngine } from '../../src/index.ts';
import { plainCopy } from '../../src/model/plain-copy.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const NOBODY: PermissionProfile = {
  principal: 'nobody',
  tenant: 'local',
  kind: 'human',
  scopes: [],
};
const ANYONE: PermissionProfile = { ...NOBODY, scopes: '*' };

class Options {
  readonly #profile: PermissionProfile;
  constructor(profile: PermissionProfile) {
    this.#profile = profile;
  }
  get permission_profile(): PermissionProfile {
    return this.#profile;
  }
}
class Narrowed {
  principal = 'bot';
  tenant = 'local';
  kind = 'human';
  scopes = '*';
  get tiers(): object {
    return { reads: 'excluded' };
  }
}
class Behalf {
  principal = 'bot';
  tenant = 'local';
  kind = 'agent';
  scopes = '*';
  get on_behalf_of(): PermissionProfile {
    return NOBODY;
  }
}

const field = (value: unknown, enumerable: boolean): object =>
  Object.defineProperty({}, 'permission_profile', { value, enumerable });

const OPTIONS: Readonly<Record<string, unknown>> = {
  'a class with a getter': new Options(NOBODY),
  'an inherited field': Object.create({ permission_profile: NOBODY }),
  'an inherited field behind a forged root': Object.create(
    Object.create(null, { permission_profile: { value: NOBODY } }),
  ),
  'a field that is not enumerable': field(NOBODY, false),
  'a symbol': { [Symbol('permission_profile')]: NOBODY },
  'a Map': new Map([['permission_profile', NOBODY]]),
  'a Date': new Date(0),
  'an empty list of bytes': new Uint8Array(0),
  'a signal': new AbortController().signal,
  'a boxed text': Object('text'),
  'a profile that is undefined': { permission_profile: undefined },
  'a profile whose toJSON gives nothing': {
    permission_profile: { ...NOBODY, toJSON: () => undefined },
  },
  'a toJSON that gives nothing': { permission_profile: NOBODY, toJSON: () => undefined },
  'tiers of a class': { permission_profile: new Narrowed() },
  'on_behalf_of of a class': { permission_profile: new Behalf() },
  'tiers that are a Map': {
    permission_profile: { ...ANYONE, tiers: new Map([['reads', 'excluded']]) },
  },
  'tiers that are a list': { permission_profile: { ...ANYONE, tiers: [] } },
  'tiers that are a Date': { permission_profile: { ...ANYONE, tiers: new Date(0) } },
  'tiers that are a signal': {
    permission_profile: { ...ANYONE, tiers: new AbortController().signal },
  },
  'tiers that are not enumerable': {
    permission_profile: Object.defineProperty({ ...ANYONE }, 'tiers', {
      value: { reads: 'excluded' },
      enumerable: false,
    }),
  },
};

describe('the options of a call', () => {
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    engine = await openEngine({ embedder: 'off' });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    return () => engine.close();
  });

  it.each(Object.keys(OPTIONS))('never act as another principal: %s', async (name) => {
    const options = OPTIONS[name] as CallOptions;
    const asked = [
      () => engine.scopes.list(options),
      () => engine.append(scope, { content: 'x' }, options),
      async () => {
        for await (const line of engine.exportScope(scope, options)) return line;
        return 'no line';
      },
    ];
    for (const call of asked) {
      const { code, fix } = await refusalOf(call());
      expect(code).toMatch(
        /^(CONFIG\.INVALID_VALUE|PERMISSION\.(INVALID_PROFILE|PROFILE_MISSING))$/,
      );
      expect(fix).toMatch(/plain object|Pass an object|`permission_profile: /);
    }
  });

  it('may come without a field, of no prototype, of another realm, or through toJSON', async () => {
    const plain: readonly unknown[] = [
      undefined,
      {},
      Object.assign(Object.create(null), { permission_profile: ANYONE }),
      runInNewContext(`(${JSON.stringify({ permission_profile: ANYONE })})`),
      { permission_profile: { toJSON: () => ANYONE } },
    ];
    for (const options of plain)
      expect(await engine.scopes.list(options as CallOptions)).toHaveLength(1);
  });
});

describe('an authority', () => {
  it('that answers with a class is refused, rather than read in part', async () => {
    const answered = { ...ANYONE, principal: 'zed' };
    await using engine = await openEngine({
      embedder: 'off',
      authority: async () => Object.assign(new Narrowed(), answered) as PermissionProfile,
    });
    expect((await refusalOf(engine.scopes.list())).code).toMatch(/INVALID_(VALUE|PROFILE)$/);
  });

  it('is not lost with the options of an engine that are no plain object', async () => {
    const lost = new Map([['authority', () => NOBODY]]) as never;
    expect((await refusalOf(createContextEngine(lost))).code).toBe('CONFIG.INVALID_VALUE');
  });
});

describe('plainCopy', () => {
  it('keeps lists, dates, boxed values and typed arrays', () => {
    const given = {
      at: new Date(5),
      list: [1, [2]],
      text: Object('t'),
      bytes: Uint8Array.of(7, 8),
    };
    expect(plainCopy<unknown>(given)).toEqual({
      at: new Date(5),
      list: [1, [2]],
      text: 't',
      bytes: [7, 8],
    });
  });

  it.each([new Set([1]), /x/, new Error('x'), new ArrayBuffer(1), Object(1n)])(
    'refuses %s, of which it would keep nothing',
    (value) => {
      expect(() => plainCopy({ value })).toThrow(ContextEngineError);
    },
  );
});
