import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardedNames } from '../../src/layers/system.ts';
import { pickVariant } from '../../src/manifest/pick-variant.ts';
import type { ComposedItem, Composition } from '../../src/model/composition.ts';
import { isUuid } from '../../src/model/ids.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { closeFence } from '../../src/text/fences.ts';
import { visibleText } from '../../src/text/visible-text.ts';
import {
  type CompositionCase,
  canaryOf,
  compositionCase,
  PLACES,
  storeContent,
} from '../support/composition-cases.ts';
import {
  createCalls,
  createWorld,
  grantedPlaces,
  isRefused,
  manifestOf,
  scopeOf,
  type World,
} from '../support/composition-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { type ParsedItem, parseMarkdown, parseXml } from '../support/rendered-text.ts';

const REFERENCE_RUNS = Number(process.env.CONTEXTENGINE_GENERATED_COMPOSITIONS ?? 10_000);
const DATABASE_RUNS = 300;
const RUNS_PER_STORE = 400;
/**
 * Stores are generated from their numbers: a long run is shared out among processes, each with
 * stores of its own.
 */
const FIRST_STORE =
  Number(process.env.CONTEXTENGINE_GENERATED_SHARE ?? 0) *
  Math.ceil(REFERENCE_RUNS / RUNS_PER_STORE);
const RUNS_PER_DATABASE_STORE = 75;
const SLOWEST_MS = Number(process.env['CONTEXTENGINE_SLOWEST_MS'] ?? Number.POSITIVE_INFINITY);
/**
 * Of a run on a busy machine, three compositions and a strict parser: for the timeout of a long
 * night.
 */
const MOST_MS = 150;

interface Tally {
  runs: number;
  refused: number;
  tooLong: number;
  /** Runs that dropped or cut something. */
  cut: number;
  /** Of those, the ones where it was the budget that did. */
  cutByBudget: number;
  items: number;
  slowestMs: number;
}

const BUDGET_REASONS = ['budget', 'layer_budget', 'starved'];

async function check(world: World, generated: CompositionCase, tally: Tally): Promise<void> {
  const given = manifestOf(generated);
  const manifest = pickVariant(given, scopeOf('own'));
  const calls = createCalls(world, given, generated.call);
  tally.runs += 1;
  const begun = performance.now();
  const first = await calls().catch((error: unknown) => error);
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begun);
  if (first instanceof Error) return checkRefusal(first, generated, tally);
  const composition = first as Composition;
  expect(isRefused(generated)).toBe(false);
  expect(composition.manifest.variant ?? null).toBe(manifest.variant);
  await checkBudget(composition, manifest);
  checkGrant(composition, generated);
  checkText(composition, manifest);
  const again = await calls();
  const fresh = await createCalls(world, given, generated.call)();
  for (const other of [again, fresh]) {
    expect(other.text).toBe(composition.text);
    expect({ ...other, messages: null, cache: null }).toEqual({
      ...composition,
      messages: null,
      cache: null,
    });
  }
  tally.items += composition.items.length;
  if (isCut(composition)) tally.cut += 1;
  if (isCutByBudget(composition)) tally.cutByBudget += 1;
}

/** Only what the case itself asks for is refused, and with the code that says so. */
function checkRefusal(error: Error, generated: CompositionCase, tally: Tally): void {
  if (!(error instanceof ContextEngineError)) throw error;
  if (isRefused(generated)) {
    expect(error.code).toMatch(/^PERMISSION\.(DENIED|APPROVAL_REQUIRED)$/);
    tally.refused += 1;
    return;
  }
  if (error.code !== 'BUDGET.STATIC_TOO_LONG') throw error;
  const { tokens, limit } = error.meta as { readonly tokens: number; readonly limit: number };
  expect(tokens).toBeGreaterThan(limit);
  tally.tooLong += 1;
}

async function checkBudget(
  { text, tokens, layers }: Composition,
  manifest: Manifest,
): Promise<void> {
  const counter = await createCounter(tokens.encoding);
  expect(tokens.budget).toBe(manifest.budget.totalTokens);
  expect(counter.count(text)).toBe(tokens.used);
  expect(tokens.used).toBeLessThanOrEqual(manifest.budget.totalTokens);
  for (const { name, maxTokens } of manifest.layers) {
    if (maxTokens !== null) expect(layers[name]?.tokens ?? 0, name).toBeLessThanOrEqual(maxTokens);
  }
}

function checkGrant({ text, items, position }: Composition, generated: CompositionCase): void {
  const granted = grantedPlaces(generated);
  const scopes = new Set([...granted].map(scopeOf));
  for (const { provenance } of items)
    if (provenance.scope !== null) expect(scopes).toContain(provenance.scope);
  for (const { scope } of position) expect(scopes).toContain(scope);
  for (const place of PLACES) if (!granted.has(place)) expect(text).not.toContain(canaryOf(place));
}

/**
 * A strict parser gives back the layers and items that the composition says it has, and nothing
 * else.
 */
function checkText(
  { text, items, layers }: Composition,
  { render, layers: declared }: Manifest,
): void {
  const withTrusted = new Set(items.filter(({ uuid }) => uuid === null).map(({ layer }) => layer));
  const options = { trustedLayers: withTrusted, layerNames: guardedNames({ layers: declared }) };
  const parsed = render.format === 'xml' ? parseXml(text, options) : parseMarkdown(text, options);
  const kinds = new Map(declared.map(({ name, kind }) => [name, kind]));
  const shown = declared.map(({ name }) => name).filter((name) => (layers[name]?.items ?? 0) > 0);
  expect(parsed.map(({ name }) => name)).toEqual(shown);
  for (const { name, trusted, items: seen } of parsed) {
    const own = items.filter(({ layer, uuid }) => layer === name && uuid !== null);
    expect(trusted !== '').toBe(withTrusted.has(name));
    expect(seen.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    for (const [index, item] of own.entries()) {
      const one = seen[index];
      const isConversation =
        !SEARCHED.has(kinds.get(name) ?? '') && one !== undefined && isSpoken(one);
      const parsedDate = one?.group['date'] ?? '';
      expect(one && parsedProvenance(one)).toMatchObject(
        shownProvenance(item, { isConversation, isDayInHead: parsedDate.length === 10 }),
      );
      if (item.turn !== null)
        expect(one?.notes.filter((note) => note.startsWith('called '))).toEqual(calledNotes(item));
      for (const day of seen[index]?.notes.filter((note) => DAY_NOTE.test(note)) ?? [])
        expect(day).toBe(dayNoteOf(item));
    }
    if (render.datamark) continue;
    expect(seen.map((item) => item.text)).toEqual(own.map(shownText));
  }
}

/** The layers that find text of other conversations and of documents. */
const SEARCHED: ReadonlySet<string> = new Set([
  'procedures',
  'open_set',
  'semantic',
  'documents',
  'archival',
]);
const isSpoken = ({ author, role }: ParsedItem): boolean => author !== null || role !== null;

/** What an assistant called, as far as a note is long. */
const calledNotes = ({ turn }: ComposedItem): readonly string[] =>
  (turn?.tool_calls ?? []).map(({ name, arguments: given }) => {
    const called = `called ${name} ${JSON.stringify(given)}`;
    return visibleText(called.length > 200 ? `${called.slice(0, 200)}…` : called);
  });

const DAY_NOTE = /^\d{1,2} [A-Z][a-z]{2}$/;
const dayNoteOf = ({ table, provenance: { time } }: ComposedItem): string | null =>
  table === 'memory_open_set' && time
    ? `${Number(time.slice(8, 10))} ${new Date(time).toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`
    : null;

interface ShownProvenance {
  readonly author: string | null;
  readonly role: string | null;
  readonly date: string | null;
  readonly source: string | null;
  /** null = certain, which is not said. */
  readonly confidence: number | null;
}

function parsedProvenance({ author, role, group, notes }: ParsedItem): ShownProvenance {
  const confidence = notes.map((note) => /^confidence (\S+)$/.exec(note)?.[1]).find(Boolean);
  return {
    author,
    role: role ?? notes.map((note) => /^role (.*)$/s.exec(note)?.[1]).find(Boolean) ?? null,
    date: group['date'] ?? null,
    source: group['source'] ?? null,
    confidence: confidence === undefined ? null : Number(confidence),
  };
}

/** Who said an item, when, where it is from and how sure that is, as the composition says it. */
function shownProvenance(
  { provenance, table, turn }: ComposedItem,
  {
    isConversation,
    isDayInHead,
  }: { readonly isConversation: boolean; readonly isDayInHead: boolean },
): Partial<ShownProvenance> {
  const { source_id: source, time, confidence = 1 } = provenance;
  // A fact shows its month, and its day where its head or a note says it; a value shows no time.
  const dated: Readonly<Record<string, number>> = {
    memory_open_set: isDayInHead ? 10 : 7,
    memory_schema_typed: 0,
  };
  const { author = null, role = null } = turn ?? {};
  const speaker = {
    author: author === null ? null : visibleText(author),
    // Who is known by name is a user unless something else is said.
    role: author !== null && role === 'user' ? null : role,
  };
  return {
    // Of a block that is no turn, who wrote it stands in the text alone.
    ...(turn !== null || table !== 'blocks' ? speaker : {}),
    date: time?.slice(0, dated[table ?? ''] ?? 10) || null,
    // A UUID is of no use in the text, nor is the file of the conversation itself.
    source: source === undefined || isUuid(source) || isConversation ? null : visibleText(source),
    confidence: confidence === 1 ? null : Math.max(0.01, Math.round(confidence * 100) / 100),
  };
}

/** A value stands below its subject, and a fence that a text leaves open is closed. */
function shownText({ text, truncated, table }: ComposedItem): string {
  const whole = truncated ? `${text}…` : text;
  const shown = table === 'memory_schema_typed' ? whole.slice(whole.indexOf('.') + 1) : whole;
  return closeFence(visibleText(shown));
}

/** A floor, a limit, a twin or the budget. */
const isCut = ({ items, trace }: Composition): boolean =>
  items.some(({ truncated }) => truncated) || (trace?.dropped ?? []).length > 0;
const isCutByBudget = ({ items, trace }: Composition): boolean =>
  items.some(({ truncated }) => truncated) ||
  trace?.dropped.some(({ reason }) => BUDGET_REASONS.includes(reason)) === true;

interface Plan {
  readonly runs: number;
  readonly runsPerStore: number;
  readonly name: string;
}

/**
 * Store by store, so that memory stays bounded however many runs there are. Seeds are counted: a
 * failure comes again.
 */
async function play(
  authorityOf: () => Authority,
  { runs, runsPerStore, name }: Plan,
): Promise<Tally> {
  const tally: Tally = {
    runs: 0,
    refused: 0,
    tooLong: 0,
    cut: 0,
    cutByBudget: 0,
    items: 0,
    slowestMs: 0,
  };
  for (let round = FIRST_STORE; tally.runs < runs; round += 1) {
    const [content] = fc.sample(storeContent, { numRuns: 1, seed: round });
    if (content === undefined) throw new Error('no store was generated');
    const longUnits = round % 12 === 0 ? 1_000_000 : round % 3 === 0 ? 50_000 : 0;
    const world = await createWorld(authorityOf(), content, {
      name: `${name}${round}`,
      longUnits,
      longKind: Math.floor(round / 3),
    });
    await fc.assert(
      fc.asyncProperty(compositionCase, (generated) => check(world, generated, tally)),
      { numRuns: Math.min(runsPerStore, runs - tally.runs), seed: round },
    );
    await world.receiptQueue.drain();
    expect(world.receiptQueue.lost).toBe(0);
  }
  return tally;
}

function judge(tally: Tally, runs: number): void {
  process.stdout.write(`generated compositions: ${JSON.stringify(tally)}\n`);
  expect(tally.runs).toBe(runs);
  expect(tally.refused).toBeGreaterThan(0);
  expect(tally.tooLong).toBeGreaterThan(0);
  expect(tally.cut * 2).toBeGreaterThanOrEqual(runs);
  expect(tally.cutByBudget * 3).toBeGreaterThanOrEqual(runs);
  expect(tally.slowestMs).toBeLessThan(SLOWEST_MS);
}

/** The tables of an encoding are loaded once a process, at its first use. */
const warmUp = () =>
  Promise.all(
    (['o200k_base', 'cl100k_base', 'llama3', 'gemma3', 'conservative'] as const).map(createCounter),
  );

describe('generated compositions [reference]', () => {
  beforeAll(warmUp);

  it(
    'stay in budget and grant, parse, and come out the same twice',
    async () => {
      judge(
        await play(referenceAuthority, {
          runs: REFERENCE_RUNS,
          runsPerStore: RUNS_PER_STORE,
          name: 'compose',
        }),
        REFERENCE_RUNS,
      );
    },
    Math.max(600_000, REFERENCE_RUNS * MOST_MS),
  );
});

describeOnDatabases('generated compositions', (open) => {
  let authority: Authority;
  beforeAll(async () => {
    await warmUp();
    authority = pgvectorAuthority((await open()).database);
  });

  it('stay in budget and grant, parse, and come out the same twice', async () => {
    judge(
      await play(() => authority, {
        runs: DATABASE_RUNS,
        runsPerStore: RUNS_PER_DATABASE_STORE,
        name: 'compose',
      }),
      DATABASE_RUNS,
    );
  }, 300_000);
});
