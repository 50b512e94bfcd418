/** Two tenants for attacks: scopes that inherit from each other, each with texts that name it. */
import { randomUUID } from 'node:crypto';
import type { ContextEngine, PermissionProfile, WriteResult } from '../../src/index.ts';
import { parseUuid } from '../../src/model/ids.ts';
import type { JudgedScope } from './attack-model.ts';

export const ATTACK_MANIFESTS = new URL('./fixtures/attack', import.meta.url).pathname;

/** `sealed` is read under T2; of `free` agents write memory at T1. */
const PLANS = {
  own: { type: 'notes_scope', inherits: ['held', 'unheld'], reads: 'T1', writes: 'T2' },
  held: { type: 'notes_scope', inherits: ['unheld'], reads: 'T1', writes: 'T2' },
  free: { type: 'free_scope', inherits: ['unheld'], reads: 'T1', writes: 'T1' },
  sealed: { type: 'sealed_scope', inherits: [], reads: 'T2', writes: 'T1' },
  unheld: { type: 'notes_scope', inherits: [], reads: 'T1', writes: 'T2' },
  foreign: { type: 'notes_scope', inherits: [], reads: 'T1', writes: 'T2' },
} as const;
export type ScopeName = keyof typeof PLANS;
export const SCOPE_NAMES = Object.keys(PLANS) as readonly ScopeName[];
/** Inner scopes last: an outer one is there before it is inherited from. */
const MAKING: readonly ScopeName[] = ['foreign', 'unheld', 'sealed', 'held', 'free', 'own'];

/** What a call can name of a scope. */
export interface Target {
  readonly scope: string;
  /** Root of a fact, and its version. */
  readonly fact: string;
  readonly version: string;
  readonly turn: string;
  /** That brought the turn. */
  readonly operation: string;
  readonly link: string;
  readonly composition: string;
}
export interface World {
  readonly home: string;
  readonly abroad: string;
  readonly targets: Readonly<Record<ScopeName, Target>>;
  readonly judged: (name: ScopeName) => JudgedScope;
  /** An export of a scope of a third tenant, in the format without a journal. */
  readonly donor: { readonly scope: string; readonly lines: readonly string[] };
}

export const lordOf = (tenant: string): PermissionProfile => ({
  principal: 'lord',
  tenant,
  kind: 'human',
  scopes: '*',
});

export const canaryOf = (name: string): string => `canary${name}`;
/** The scopes whose words are in a text. */
export const canariesIn = (text: string): readonly ScopeName[] =>
  SCOPE_NAMES.filter((name) => text.includes(canaryOf(name)));

/** Names nothing that is there. */
export const nothing = (): Target => ({
  scope: randomUUID(),
  fact: randomUUID(),
  version: randomUUID(),
  turn: randomUUID(),
  operation: randomUUID(),
  link: randomUUID(),
  composition: randomUUID(),
});

const first = ({ receipts: [receipt] }: WriteResult) => ({
  root: receipt?.root_uuid ?? '',
  version: receipt?.uuid ?? '',
  operation: receipt?.operation_id ?? '',
});

/** A scope of the name, with one row of every kind, and a composition of it. */
async function plant(
  engine: ContextEngine,
  name: ScopeName | 'donor',
  at: { readonly tenant: string; readonly type: string; readonly inherits: readonly string[] },
): Promise<Target> {
  const { tenant, type, inherits } = at;
  const call = { permission_profile: lordOf(tenant) };
  const word = canaryOf(name);
  const made = await engine.scopes.create({ type, title: `of ${word}`, inherits }, call);
  const scope = made.scope_block_uuid;
  const fact = first(await engine.remember(scope, { content: `the safe is ${word}` }, call));
  const turn = first(await engine.append(scope, { content: `where is ${word}?` }, call));
  await engine.setTyped(scope, 'user', 'profile', 'city', word, call);
  // Nobody derives from a scope whose manifest seals it, or composes of it.
  const seen =
    name === 'sealed'
      ? { link: randomUUID(), composition: randomUUID() }
      : await plantDerived(engine, { word, scope, fact, call });
  const { root, operation } = turn;
  return { scope, fact: fact.root, version: fact.version, turn: root, operation, ...seen };
}

interface Planted {
  readonly word: string;
  readonly scope: string;
  readonly fact: ReturnType<typeof first>;
  readonly call: { readonly permission_profile: PermissionProfile };
}

/** What has sources, and a composition. */
async function plantDerived(
  engine: ContextEngine,
  { word, scope, fact, call }: Planted,
): Promise<Pick<Target, 'link' | 'composition'>> {
  const covers = { kind: 'rolling', covers_to_seq: 1, sources: [fact.version] } as const;
  await engine.summarize(scope, { ...covers, content: `all of ${word}` }, call);
  const link = first(await engine.link(scope, { type: 'pinned', to: fact.root }, call));
  const request = { scope_block_uuid: scope, intent: 'fact', query: `safe ${word}` };
  const { composition_id: composition } = await engine.composeBlockContext({ ...request, ...call });
  return { link: link.root, composition };
}

export async function plantWorld(engine: ContextEngine, number: number): Promise<World> {
  const [home, abroad, third] = [`home-${number}`, `abroad-${number}`, `third-${number}`];
  const targets: Partial<Record<ScopeName, Target>> = {};
  for (const name of MAKING) {
    const { type, inherits } = PLANS[name];
    const tenant = name === 'foreign' ? abroad : home;
    const outer = inherits.flatMap((outside) => targets[outside]?.scope ?? []);
    targets[name] = await plant(engine, name, { tenant, type, inherits: outer });
  }
  const planted = targets as Record<ScopeName, Target>;
  const judged = (name: ScopeName): JudgedScope => {
    const { reads, writes } = PLANS[name];
    const tenant = name === 'foreign' ? abroad : home;
    return { tenant, uuid: planted[name].scope, reads, writes };
  };
  const given = await plant(engine, 'donor', { tenant: third, type: 'notes_scope', inherits: [] });
  const lines: string[] = [];
  const call = { permission_profile: lordOf(third) };
  for await (const line of engine.exportScope(given.scope, call)) lines.push(JSON.stringify(line));
  return { home, abroad, targets: planted, judged, donor: { scope: given.scope, lines } };
}

/**
 * Where the scopes of the world stand. What `reads` seals is listed for nobody: there a NOOP, which
 * takes one number, tells the head. `asked`: how often it was asked before.
 */
export async function headsOf(
  engine: ContextEngine,
  world: World,
  asked: number,
): Promise<ReadonlyMap<ScopeName, number>> {
  const heads = new Map<string, number>();
  for (const tenant of [world.home, world.abroad]) {
    const listed = await engine.scopes.list({ permission_profile: lordOf(tenant) });
    // A scope of another tenant may have the same id.
    for (const name of SCOPE_NAMES.filter((each) => world.judged(each).tenant === tenant))
      for (const { scope_block_uuid: uuid, head } of listed)
        if (uuid === world.targets[name].scope) heads.set(uuid, head);
  }
  const sealed = parseUuid(world.targets.sealed.scope, 'scope');
  const { receipts } = await engine.write(
    [{ operation: 'NOOP', scope: sealed, reason: 'where the scope stands' }],
    { permission_profile: lordOf(world.home) },
  );
  heads.set(sealed, (receipts[0]?.seq ?? 0) - asked);
  return new Map(SCOPE_NAMES.map((name) => [name, heads.get(world.targets[name].scope) ?? -1]));
}
