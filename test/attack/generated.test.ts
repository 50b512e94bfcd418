/**
 * Generated calls over all public entries, judged by a model of who may see and do what: nothing is
 * shown that is not readable, nothing changes that is not held, every refusal has its code, and what
 * is not held answers like what is not there.
 */
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { type ContextEngine, ContextEngineError } from '../../src/index.ts';
import { FORMS, type GeneratedCall, generatedCall } from '../support/attack-calls.ts';
import { claims, isHeld, together, type Verdict, verdictOf } from '../support/attack-model.ts';
import { attackSize } from '../support/attack-size.ts';
import {
  ATTACK_MANIFESTS,
  canariesIn,
  headsOf,
  nothing,
  plantWorld,
  type ScopeName,
  type Target,
  type World,
} from '../support/attack-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';

const ENTRIES = [...new Set(FORMS.map(({ entry }) => entry))];
/** What judges no profile: numbers of the store, and the end. */
const OPEN_TO_ALL = ['close', 'costs.prices', 'health'];

const NAMESPACES: ReadonlySet<string> = new Set([
  ...['scopes', 'approvals', 'principals', 'audit', 'erasure', 'jobs', 'facts', 'costs', 'mounts'],
  ...['core', 'captures'],
]);
/**
 * What settles and gives rights is attacked in `approvals.test.ts`, what takes memory away in
 * `forgetting.test.ts`, mounts in `test/integration/mounts.test.ts`,
 * the use of embeddings in `embedding-cache.test.ts`; `bound-engine.test.ts` holds that `as` adds
 * nothing.
 */
const ELSEWHERE: readonly string[] = [
  ...['approvals.approve', 'approvals.message', 'approvals.reject', 'approvals.show'],
  ...['as', 'forget', 'jobs.run', 'upkeep', 'mounts.feed', 'mounts.rebuild'],
  ...['mounts.health', 'costs.embeddings'],
  ...['list', 'erase', 'bringBack', 'certificate', 'check', 'verify', 'compact'].map(
    (name) => `erasure.${name}`,
  ),
  ...['addKey', 'disable', 'enable', 'revokeKey', 'set'].map((name) => `principals.${name}`),
];

/** The methods of an engine, by the names that a call of them has. */
const entriesOf = (engine: object): readonly string[] =>
  Object.entries(engine)
    .flatMap(([name, member]) => {
      if (typeof member === 'function') return [name];
      if (!NAMESPACES.has(name)) return [];
      return Object.keys(member).map((inner) => `${name}.${inner}`);
    })
    .sort();

/** A world is attacked this often, and then another: its scopes grow with what succeeds. */
const CALLS_PER_WORLD = 500;
const CALLS_PER_CHECK = 25;
const MOST_SHARES = 3;

interface Ending {
  readonly isRefused: boolean;
  /** All of it, as far as anyone can see it. */
  readonly text: string;
  /** What a caller is told: of a refusal its code and words. */
  readonly told: string;
  readonly isEmpty: boolean;
  readonly isBare: boolean;
}

async function endingOf(call: () => Promise<unknown>): Promise<Ending> {
  try {
    const answer = await call();
    const text = JSON.stringify(answer) ?? '';
    // What waits for a second principal changed nothing.
    const isWaiting = text.includes('"proposal":{"proposal_uuid"');
    // A profile that is set to what it is asks for no write; it was read as any.
    const isNoWrite = text.startsWith('{"receipts":[],');
    const isEmpty = text === '[]' || text === '{"recorded":0}' || isWaiting || isNoWrite;
    return { isRefused: false, text, told: `answer ${text}`, isEmpty, isBare: false };
  } catch (error) {
    const seen = inspect(error, { depth: 8, showHidden: true, maxStringLength: null });
    if (!(error instanceof ContextEngineError))
      return { isRefused: true, text: seen, told: seen, isEmpty: true, isBare: true };
    const { code, message, fix, where, meta, cause } = error;
    const told = inspect({ code, message, fix, where, meta }, { depth: 8 });
    const text = `${seen} ${JSON.stringify({ told, cause })}`;
    return { isRefused: true, text, told, isEmpty: true, isBare: false };
  }
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What is told, without the names of the target, ids that the engine made, times and the cache. */
function untold({ told }: Ending, target: Target, world: World): string {
  const names = new Set(Object.values(target));
  const known = new Set(Object.values(world.targets.own));
  return told
    .replace(UUIDS, (uuid) => (names.has(uuid) ? 'TARGET' : known.has(uuid) ? uuid : 'ID'))
    .replace(/"state":"\w+"/g, '')
    .replace(/[0-9a-f]{64}/g, 'DIGEST')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=":)[\d.e-]+/g, 'N');
}

interface Tally {
  calls: number;
  readonly findings: string[];
  /** By entry: calls that the model allows, those that it does not refuse and that succeed, refusals. */
  readonly allowed: Map<string, number>;
  readonly succeeded: Map<string, number>;
  readonly refused: Map<string, number>;
  twins: number;
}

class Attack {
  readonly #engine: ContextEngine;
  readonly #tally: Tally;
  readonly #world: World;
  /** A claim made a scope of the id that a foreign one has: that id names two from then on. */
  isSpoilt = false;
  #heads: ReadonlyMap<ScopeName, number> = new Map();
  #asked = 0;
  /** Since the last look at the heads. */
  #mayMove = new Set<ScopeName>();
  #recent: string[] = [];

  constructor(engine: ContextEngine, world: World, tally: Tally) {
    this.#engine = engine;
    this.#world = world;
    this.#tally = tally;
  }

  async begin(): Promise<void> {
    this.#heads = await this.#look();
  }

  async attack(seed: number): Promise<void> {
    const call = generatedCall(this.#world, seed);
    const verdict = this.#verdictOf(call);
    const what = this.#nameOf(call, seed);
    this.#recent.push(what);
    this.#expectMoves(call, verdict);
    const ending = await endingOf(() => call.run(this.#engine, call.at));
    this.#tally.calls += 1;
    this.#judge(call, { ending, verdict, what });
    this.isSpoilt ||= this.#isNamesake(call, ending);
    if (!this.isSpoilt && this.#isHidden(call)) await this.#compareWithAbsent(call, ending, what);
    if (this.#recent.length >= CALLS_PER_CHECK) await this.checkHeads();
  }

  #verdictOf({ form, profile, target }: GeneratedCall): Verdict {
    const at = target === 'absent' ? null : this.#world.judged(target);
    const own = this.#world.judged('own');
    // What a write names of the scope that it goes to is its own: nobody reads it from elsewhere.
    const isWithin = target === 'own' && form.writes === 'own';
    return together(
      form.needs.map(({ right, on }) => {
        const verdict = verdictOf(profile, right, on === 'own' ? own : at);
        return isWithin && right === 'read' && verdict === 'refused' ? 'open' : verdict;
      }),
    );
  }

  #isNamesake({ form, profile, target }: GeneratedCall, ending: Ending): boolean {
    if (target === 'absent' || ending.isRefused) return false;
    const { tenant, uuid } = this.#world.judged(target);
    const isMade = form.needs.some(({ right }) => right === 'make' || right === 'import');
    return isMade && profile.tenant !== tenant && claims(profile, uuid);
  }

  #expectMoves({ form, target }: GeneratedCall, verdict: Verdict): void {
    if (verdict === 'refused' || form.writes === null) return;
    // What a correction withdraws are rows of `own`: it alone has sources elsewhere.
    this.#mayMove.add('own');
    if (target !== 'absent') this.#mayMove.add(target);
  }

  #judge(
    { form, profile }: GeneratedCall,
    { ending, verdict, what }: { ending: Ending; verdict: Verdict; what: string },
  ): void {
    const { findings, allowed, succeeded, refused } = this.#tally;
    const count = (of: Map<string, number>): unknown =>
      of.set(form.entry, (of.get(form.entry) ?? 0) + 1);
    if (ending.isBare) findings.push(`bare error: ${what}: ${ending.text.slice(0, 300)}`);
    for (const name of canariesIn(ending.text))
      if (verdictOf(profile, 'read', this.#world.judged(name)) === 'refused')
        findings.push(`leak of ${name}: ${what}: ${ending.text.slice(0, 300)}`);
    if (verdict === 'refused' && !ending.isRefused && !ending.isEmpty)
      findings.push(`not refused: ${what}: ${ending.text.slice(0, 300)}`);
    if (ending.isRefused) count(refused);
    if (verdict === 'refused') return;
    if (!ending.isRefused) count(succeeded);
    if (verdict !== 'allowed' || !form.isSure) return;
    count(allowed);
    if (ending.isRefused) findings.push(`refused: ${what}: ${ending.told.slice(0, 300)}`);
  }

  #isHidden({ target, profile, form }: GeneratedCall): boolean {
    if (target === 'absent' || isHeld(profile, this.#world.judged(target))) return false;
    // A call that names `own` as well would have no twin at `own`.
    if (target === 'own' && form.needs.some(({ on }) => on === 'own')) return false;
    const isNamed = form.needs.some(({ on, right }) => on === 'target' && right !== 'none');
    // Who holds all of a tenant may make what is absent there: that is a change, not an answer.
    return isNamed && (profile.scopes !== '*' || form.needs[0]?.right === 'read');
  }

  async #compareWithAbsent(call: GeneratedCall, ending: Ending, what: string): Promise<void> {
    const absent = nothing();
    const twin = await endingOf(() => call.run(this.#engine, absent));
    this.#tally.calls += 1;
    this.#tally.twins += 1;
    const [here, there] = [untold(ending, call.at, this.#world), untold(twin, absent, this.#world)];
    if (here !== there) this.#tally.findings.push(`told apart: ${what}: ${here} | ${there}`);
  }

  async checkHeads(): Promise<void> {
    const heads = await this.#look();
    for (const [name, head] of heads)
      if (head !== this.#heads.get(name) && !this.#mayMove.has(name))
        this.#tally.findings.push(
          `change of ${name} by one of: ${this.#recent.filter((what) => what.includes(name)).join('; ')}`,
        );
    this.#heads = heads;
    this.#mayMove = new Set();
    this.#recent = [];
  }

  #look(): Promise<ReadonlyMap<ScopeName, number>> {
    this.#asked += 1;
    return headsOf(this.#engine, this.#world, this.#asked);
  }

  #nameOf({ form, profile, target }: GeneratedCall, seed: number): string {
    const of = ({ kind, tenant, scopes, tiers }: Omit<typeof profile, 'on_behalf_of'>): string => {
      const held =
        scopes === '*'
          ? '*'
          : Object.keys(this.#world.targets)
              .filter((name) => scopes.includes(this.#world.judged(name as ScopeName).uuid))
              .join(',');
      return `${kind} of ${tenant} holds ${held} ${JSON.stringify(tiers ?? {})}`;
    };
    const needs = form.needs.map(({ right, on }) => `${right} ${on}`).join(' + ');
    const behalf = profile.on_behalf_of ? ` for ${of(profile.on_behalf_of)}` : '';
    const number = FORMS.indexOf(form);
    return `${seed} ${form.entry}#${number} (${needs}) at ${target} by ${of(profile)}${behalf}`;
  }
}

describeOnDatabases('generated calls', (open, flavor) => {
  it('show nothing, change nothing and tell nothing of what is not held', async () => {
    const opened = flavor === 'postgres' ? await open() : null;
    await using engine = await openEngine({
      database: opened?.url ? { url: opened.url } : { inMemory: true },
      manifests: ATTACK_MANIFESTS,
    });
    const tally: Tally = {
      calls: 0,
      findings: [],
      allowed: new Map(),
      succeeded: new Map(),
      refused: new Map(),
      twins: 0,
    };
    const size = attackSize(1250);
    /** A share is small: it goes on for as long as an entry was never refused, or never let. */
    const isWhole = (): boolean =>
      ENTRIES.every((entry) => tally.succeeded.has(entry) && tally.refused.has(entry));
    const isOver = (): boolean =>
      tally.calls >= MOST_SHARES * size || (tally.calls >= size && isWhole());
    for (let seed = 1; !isOver() && tally.findings.length < 20; ) {
      const attack = new Attack(engine, await plantWorld(engine, seed), tally);
      await attack.begin();
      const until = tally.calls + CALLS_PER_WORLD;
      while (tally.calls < until && !isOver() && tally.findings.length < 20 && !attack.isSpoilt) {
        await attack.attack(seed);
        seed += 1;
      }
      await attack.checkHeads();
    }
    const counts = ENTRIES.map((entry) => ({
      entry,
      succeeded: tally.succeeded.get(entry) ?? 0,
      refused: tally.refused.get(entry) ?? 0,
    }));
    const shown = counts.map((each) => `${each.entry} ${each.succeeded}/${each.refused}`);
    // biome-ignore lint/suspicious/noConsole: the bar is a number that a run reports
    console.log(`${flavor}: ${tally.calls} calls, ${tally.twins} twins, ${shown.join(', ')}`);
    expect(tally.findings).toEqual([]);
    expect(counts.filter(({ succeeded, refused }) => succeeded === 0 || refused === 0)).toEqual([]);
    expect(entriesOf(engine)).toEqual([...ENTRIES, ...OPEN_TO_ALL, ...ELSEWHERE].sort());
  }, 7_200_000);
});
