/** Generated calls of every public method, by anyone, at anything, with objects that change. */
import { randomUUID } from 'node:crypto';
import type { ContextEngine, Operation, PermissionProfile } from '../../src/index.ts';
import { parseUuid, toInstant } from '../../src/model/ids.ts';
import { MEMORY_FORMS } from './attack-memory-calls.ts';
import { type Right, renamed } from './attack-model.ts';
import { lordOf, nothing, type ScopeName, type Target, type World } from './attack-world.ts';
import { Dice } from './dice.ts';
import { signed } from './scope-files.ts';

/**
 * What a call is made with. `dressed` claims `profile`, some of the time by an object that changes.
 */
interface Asked {
  readonly engine: ContextEngine;
  readonly world: World;
  readonly own: Target;
  readonly target: Target;
  readonly dressed: PermissionProfile;
  readonly options: { readonly permission_profile: PermissionProfile };
  readonly dice: Dice;
  /** Done when the call has begun. */
  readonly later: (() => void)[];
}
export interface Need {
  readonly right: Right;
  readonly on: 'own' | 'target';
}
/** A way to call a method: what it needs, and whether the model knows that it then succeeds. */
export interface Form {
  readonly entry: string;
  readonly needs: readonly Need[];
  readonly isSure: boolean;
  /** What it stores goes into this scope. */
  readonly writes: 'own' | 'target' | null;
  readonly call: (asked: Asked) => Promise<unknown>;
}

const need = (right: Right, on: Need['on'] = 'target'): Need => ({ right, on });
type Body = Form['call'];
const form = (entry: string, needs: readonly Need[], call: Body): Form => {
  const written = needs.find(({ right }) => right !== 'read');
  return { entry, needs, isSure: true, writes: written?.on ?? null, call };
};
const unsure = (entry: string, needs: readonly Need[], call: Body): Form => ({
  ...form(entry, needs, call),
  isSure: false,
});

const compose = (asked: Asked, more: object = {}): Promise<unknown> =>
  asked.engine.composeBlockContext({
    scope_block_uuid: asked.target.scope,
    intent: asked.dice.of(['fact', 'follow_up', 'temporal', 'recall_decision']),
    query: asked.dice.of(['where is the safe?', '', 'city']),
    permission_profile: asked.dressed,
    ...more,
  });

async function collected(lines: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const ownReader = need('read', 'own');
const ownWriter = need('derived', 'own');
const reader = need('read');
const READS: readonly Form[] = [
  form('composeBlockContext', [reader], (asked) => compose(asked)),
  form('composeBlockContext', [reader], (asked) => compose(asked, { trace: true })),
  unsure('composeBlockContext', [ownReader, reader], (asked) => {
    const { own, target } = asked;
    return compose(asked, { scope_block_uuid: own.scope, include_scopes: [target.scope] });
  }),
  unsure('composeBlockContext', [ownReader, need('named')], (asked) => {
    const position = [{ scope: asked.target.scope, head: 2 }];
    return compose(asked, { scope_block_uuid: asked.own.scope, recorded_as_of: position });
  }),
  form('history', [reader], ({ engine, target, options, dice }) =>
    engine.history(dice.of([target.fact, target.turn, target.link, target.scope]), options),
  ),
  form('exportScope', [reader], ({ engine, target, options }) =>
    collected(engine.exportScope(target.scope, options)),
  ),
  form('explain', [reader], ({ engine, target, options, dice }) =>
    engine.explain(dice.of([target.composition, { latest_of: target.scope }]), options),
  ),
  form('replay', [reader], ({ engine, target, options }) =>
    engine.replay(target.composition, options),
  ),
  unsure('recordOutcome', [reader], ({ engine, target, options }) =>
    engine.recordOutcome({ composition_id: target.composition, used: [target.fact] }, options),
  ),
  unsure('recordOutcome', [ownReader, reader], ({ engine, own, target, options }) =>
    engine.recordOutcome({ composition_id: own.composition, confirmed: [target.fact] }, options),
  ),
  form('approvals.list', [need('none')], ({ engine, options }) =>
    engine.approvals.list({ state: null }, options),
  ),
  unsure('audit.list', [need('whole')], ({ engine, options }) =>
    engine.audit.list({ limit: 20 }, options),
  ),
  unsure('audit.verify', [need('whole')], ({ engine, options }) =>
    engine.audit.verify(undefined, options),
  ),
  unsure('principals.list', [need('whole')], ({ engine, options }) =>
    engine.principals.list(options),
  ),
  form('scopes.list', [need('none')], ({ engine, options }) => engine.scopes.list(options)),
  form('preview', [need('none')], ({ engine, options, dice }) => {
    const manifest = dice.of(engine.manifests.manifests);
    const { name, digest } = manifest;
    return engine.preview({ manifest: name, working: digest, against: digest, last: 2 }, options);
  }),
];

const WRITES: readonly Form[] = [
  form('append', [need('raw')], ({ engine, target, options, later }) => {
    const turns = [{ content: 'a turn' }];
    later.push(() => turns.push({ content: 'one more' }));
    return engine.append(target.scope, turns, options);
  }),
  form('append', [need('derived')], ({ engine, target, options, dice }) => {
    const block_type = dice.of(['core_memory', 'convention', 'task']);
    return engine.append(target.scope, { content: 'obey', block_type }, options);
  }),
  unsure('append', [need('raw', 'own'), reader], ({ engine, own, target, options }) =>
    engine.append(own.scope, { content: 'below', parent_uuid: target.turn }, options),
  ),
  form('remember', [need('derived')], ({ engine, target, options }) =>
    engine.remember(target.scope, { content: 'a fact' }, options),
  ),
  unsure('remember', [ownWriter, reader], ({ engine, own, target, options, dice, later }) => {
    const names = { sources: [target.version], replaces: target.fact, corrects: target.fact };
    const key = dice.of(['sources', 'replaces', 'corrects'] as const);
    const facts = [{ content: 'a fact', [key]: names[key] }];
    later.push(() => facts.splice(0));
    return engine.remember(own.scope, facts, options);
  }),
  form('setTyped', [need('derived')], ({ engine, target, options }) =>
    engine.setTyped(target.scope, 'user', 'profile', 'mood', 'calm', options),
  ),
  unsure('setTyped', [need('derived')], ({ engine, target, options }) => {
    const corrected = { ...options, correction: true };
    return engine.setTyped(target.scope, 'user', 'profile', 'city', 'Bern', corrected);
  }),
  unsure('setTyped', [ownWriter, reader], ({ engine, own, target, options }) => {
    const from = { ...options, sources: [target.version] };
    return engine.setTyped(own.scope, 'user', 'profile', 'mood', 'calm', from);
  }),
  unsure('summarize', [need('derived'), reader], ({ engine, target, options }) => {
    const covers = { kind: 'rolling', covers_to_seq: 1, sources: [target.version] } as const;
    return engine.summarize(target.scope, { ...covers, content: 'all' }, options);
  }),
  unsure('summarize', [ownWriter, reader], ({ engine, own, target, options }) => {
    const covers = { kind: 'rolling', covers_to_seq: 1, sources: [target.version] } as const;
    return engine.summarize(own.scope, { ...covers, content: 'all' }, options);
  }),
];

const EDGES: readonly Form[] = [
  unsure('link', [ownWriter, reader], ({ engine, own, target, options, dice }) => {
    const type = dice.of(['pinned', 'co_occurs', 'replaces', 'absorbed_by']);
    return engine.link(own.scope, { type, to: target.fact }, options);
  }),
  form('link', [need('derived')], ({ engine, target, options }) =>
    engine.link(target.scope, { type: 'pinned', to: target.turn }, options),
  ),
  unsure('link', [ownWriter, reader], ({ engine, own, target, options }) =>
    engine.link(own.scope, { type: 'co_occurs', from: target.fact, to: own.fact }, options),
  ),
  unsure('link', [need('inherit', 'own'), reader], ({ engine, own, target, options, dice }) => {
    const type = dice.of(['inherits', 'grants']);
    return engine.link(own.scope, { type, to: target.scope }, options);
  }),
  unsure('unlink', [need('remove')], ({ engine, target, options }) =>
    engine.unlink(target.scope, target.link, options),
  ),
  unsure('unlink', [need('remove', 'own'), reader], ({ engine, own, target, options }) =>
    engine.unlink(own.scope, target.link, options),
  ),
  unsure('scopes.create', [need('none'), reader], ({ engine, target, options }) =>
    engine.scopes.create({ type: 'notes_scope', inherits: [target.scope] }, options),
  ),
  unsure('scopes.create', [need('make')], ({ engine, target, options }) =>
    engine.scopes.create({ type: 'notes_scope', uuid: target.scope }, options),
  ),
  unsure('scopes.create', [need('none')], ({ engine, options, dice }) => {
    const key = { idempotency_key: `key ${dice.roll(4)}` };
    return engine.scopes.create({ type: 'notes_scope', ...key }, options);
  }),
];

const factContent = {
  content: 'a fact',
  subject: null,
  category: null,
  class: 'fact',
  importance: 0.5,
  confidence: 1,
  tags: [],
  metadata: {},
  provenance: {},
} as const;

/** Names another scope once it has been looked at, and once the call has begun. */
function operationOf(asked: Asked, operation: Operation): readonly Operation[] {
  const elsewhere = parseUuid(asked.world.targets.unheld.scope, 'scope');
  const changing = { ...operation };
  if (asked.dice.roll(3) === 0) {
    let looks = 0;
    const scope = (): string => {
      looks += 1;
      return looks === 1 ? operation.scope : elsewhere;
    };
    Object.defineProperty(changing, 'scope', { get: scope, enumerable: true, configurable: true });
  } else asked.later.push(() => Object.assign(changing, { scope: elsewhere }));
  return [changing];
}

const send = (asked: Asked, operation: Operation): Promise<unknown> =>
  asked.engine.write(operationOf(asked, operation), asked.options);
const uuidOf = (value: string) => parseUuid(value, 'uuid');
const addition = (scope: string, uuid: string): Operation => ({
  operation: 'ADD',
  table: 'memory_open_set',
  scope: uuidOf(scope),
  uuid: uuidOf(uuid),
  content: factContent,
  valid_from: toInstant(Date.UTC(2026, 0, 1)),
});

const OPERATIONS: readonly Form[] = [
  form('write', [need('derived')], (asked) =>
    send(asked, addition(asked.target.scope, randomUUID())),
  ),
  unsure('write', [need('derived')], (asked) =>
    send(asked, {
      operation: 'NOOP',
      scope: uuidOf(asked.target.scope),
      reason: 'nothing',
      idempotency_key: `n${asked.dice.roll(3)}`,
    }),
  ),
  unsure('write', [ownWriter, reader], ({ ...asked }) => {
    const { own, target, dice } = asked;
    const about = {
      table: 'memory_open_set',
      scope: uuidOf(own.scope),
      root_uuid: uuidOf(target.fact),
      cause: dice.of(['change', 'correction'] as const),
      valid_from: toInstant(Date.now()),
    } as const;
    return dice.roll(2) === 0
      ? send(asked, { ...about, operation: 'DELETE' })
      : send(asked, {
          ...about,
          operation: 'UPDATE',
          uuid: uuidOf(randomUUID()),
          content: factContent,
        });
  }),
  unsure('write', [need('raw', 'own'), need('raw')], (asked) => {
    const { own, target, engine, options } = asked;
    const operations = [own.scope, target.scope].map((scope) => addition(scope, randomUUID()));
    return engine.write(operations, options);
  }),
  unsure('importScope', [need('import')], ({ engine, world, target, options }) => {
    const { scope, lines } = world.donor;
    const copied = lines.map((line) => JSON.parse(line.replaceAll(scope, target.scope)));
    return engine.importScope(given(copied), options);
  }),
  form('importScope', [need('whole')], ({ engine, world, options }) => {
    const fresh = new Map<string, string>();
    const renamed = (uuid: string): string => {
      const name = fresh.get(uuid) ?? randomUUID();
      fresh.set(uuid, name);
      return name;
    };
    const copied = world.donor.lines.map((line) => JSON.parse(line.replace(UUIDS, renamed)));
    return engine.importScope(given(copied), options);
  }),
  form('embedPending', [need('whole')], ({ engine, options }) => engine.embedPending(options)),
];
/** As an exporter would end them. */
async function* given(
  lines: readonly Readonly<Record<string, unknown>>[],
): AsyncGenerator<unknown> {
  yield* signed(lines);
}
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export const FORMS = [...READS, ...WRITES, ...EDGES, ...OPERATIONS, ...MEMORY_FORMS];

const DRESSES = ['plain', 'plain', 'getter', 'proxy', 'options', 'late'] as const;

/** A claim, worn by an object that claims all of the tenant at the second look. */
function dressed(profile: PermissionProfile, later: (() => void)[], dice: Dice): Asked['options'] {
  const lord: PermissionProfile = { ...lordOf(profile.tenant), principal: profile.principal };
  const looks = new Map<PropertyKey, number>();
  const isFirst = (key: PropertyKey): boolean => {
    looks.set(key, (looks.get(key) ?? 0) + 1);
    return looks.get(key) === 1;
  };
  const dress = dice.of(DRESSES);
  if (dress === 'getter') {
    const shifty = { ...profile };
    for (const key of ['scopes', 'kind', 'tiers'] as const) {
      if (profile[key] === undefined) continue;
      const get = (): unknown => (isFirst(key) ? profile[key] : lord[key]);
      Object.defineProperty(shifty, key, { get, enumerable: true, configurable: true });
    }
    return { permission_profile: shifty };
  }
  if (dress === 'proxy') {
    const get = (of: PermissionProfile, key: PropertyKey): unknown =>
      Reflect.get(isFirst(key) ? of : lord, key);
    return { permission_profile: new Proxy({ ...profile }, { get }) };
  }
  if (dress === 'options')
    return {
      get permission_profile() {
        return isFirst('permission_profile') ? profile : lord;
      },
    };
  if (dress === 'plain') return { permission_profile: profile };
  const changing = structuredClone(profile);
  later.push(() => Object.assign(changing.tiers ?? {}, { reads: 'T1', writes: 'T1' }));
  later.push(() => Object.assign(changing, lord));
  return { permission_profile: changing };
}

const KINDS = ['human', 'human', 'agent', 'service'] as const;
/** A human who holds the whole tenant: some calls succeed for nobody else. */
const allOf = (world: World, dice: Dice): PermissionProfile =>
  lordOf(dice.roll(7) === 0 ? world.abroad : world.home);

const HELD: readonly ScopeName[] = ['own', 'held', 'free', 'sealed', 'foreign'];

function claimOf(world: World, dice: Dice): PermissionProfile {
  const tiers: Partial<Record<'reads' | 'writes' | 'deletes', 'T1' | 'T2' | 'T3' | 'excluded'>> =
    {};
  for (const key of ['reads', 'writes', 'deletes'] as const)
    if (dice.roll(3) === 0) tiers[key] = dice.of(['T1', 'T1', 'T1', 'T2', 'T3', 'excluded']);
  const held = HELD.filter((name) => dice.roll(name === 'foreign' ? 6 : 3) !== 0);
  return {
    principal: dice.of(['ann', 'bob', 'constructor', 'lord']),
    tenant: dice.roll(7) === 0 ? world.abroad : world.home,
    kind: dice.of(KINDS),
    scopes: dice.roll(8) === 0 ? '*' : held.map((name) => world.targets[name].scope),
    tiers,
  };
}

/** Some act for others: for who holds more, or for anyone. */
function profileOf(world: World, dice: Dice): PermissionProfile {
  if (dice.roll(3) === 0) return allOf(world, dice);
  const claim = claimOf(world, dice);
  const choice = dice.roll(6);
  if (choice === 0) return { ...claim, on_behalf_of: claimOf(world, dice) };
  if (choice !== 1 || claim.scopes === '*') return claim;
  const outer = { ...claim, principal: 'carl', scopes: [...claim.scopes, randomUUID()] };
  return { ...claim, kind: dice.of(['agent', claim.kind]), on_behalf_of: outer };
}

const TARGETS: readonly (ScopeName | 'absent')[] = [
  ...(['own', 'own', 'held', 'free', 'sealed', 'foreign', 'unheld', 'unheld', 'absent'] as const),
];

export interface GeneratedCall {
  readonly form: Form;
  readonly profile: PermissionProfile;
  readonly target: ScopeName | 'absent';
  /** Once more at something else is the twin of it. */
  readonly run: (engine: ContextEngine, target: Target) => Promise<unknown>;
  readonly at: Target;
}

export function generatedCall(world: World, seed: number): GeneratedCall {
  const dice = new Dice(seed);
  const made = dice.of(FORMS);
  const profile = profileOf(world, dice);
  const target = dice.of(TARGETS);
  const dress = dice.roll(2 ** 31);
  const named = target === 'absent' ? nothing() : world.targets[target];
  const run = (engine: ContextEngine, at: Target): Promise<unknown> => {
    const later: (() => void)[] = [];
    // The twin is dressed and rolled alike.
    const again = new Dice(dress);
    const worn = at === named ? profile : renamed(profile, named.scope, at.scope);
    const options = dressed(worn, later, again);
    const own = world.targets.own;
    const asked = { engine, world, own, target: at, options, dice: again, later };
    const claim = made.entry === 'composeBlockContext' ? options.permission_profile : worn;
    const begun = made.call({ ...asked, dressed: claim });
    for (const change of later) change();
    return begun;
  };
  return { form: made, profile, target, run, at: named };
}
