/** A generated store on an authority, written as an engine writes, and the calls that read it. */
import { createHash, randomUUID } from 'node:crypto';
import { InternalError } from '../../src/codes/errors.ts';
import { type ComposeDependencies, compose } from '../../src/compose/compose.ts';
import { createComposeCache } from '../../src/compose/compose-cache.ts';
import { createReceiptQueue } from '../../src/compose/receipt-queue.ts';
import { createServedMarks } from '../../src/compose/served-marks.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardAuthority } from '../../src/cxri/guard/authority.ts';
import { wordEmbedder } from '../../src/inference/word-embedder.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import type { ComposeRequest, Composition } from '../../src/model/composition.ts';
import { isUuid, parseUuid, type Uuid } from '../../src/model/ids.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { PermissionProfile } from '../../src/model/permission.ts';
import { createPermissionDoor } from '../../src/permission/door.ts';
import { createOutageMarker } from '../../src/telemetry/outage-marker.ts';
import {
  factOperation,
  linkOperation,
  type Making,
  scopeOperations,
  summaryOperation,
  turnOperation,
} from '../../src/write/to-operations.ts';
import { writeOperations } from '../../src/write/write.ts';
import {
  type CallCase,
  type CompositionCase,
  canaryOf,
  type Held,
  LONG_UNITS,
  PLACES,
  type Place,
  type StoreContent,
} from './composition-cases.ts';
import { day, id, typedContent } from './ledger.ts';

/** The clock of every call; everything was written before. */
const NOW = day(60);
const WRITTEN = day(55);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const EMBEDDER = wordEmbedder();

const SCOPES: Readonly<Record<Place, Uuid>> = {
  own: id(1, 1),
  user: id(1, 2),
  project: id(1, 3),
  foreign: id(1, 4),
  other: id(1, 1),
};

export interface World {
  readonly authority: Authority;
  readonly tenants: { readonly home: string; readonly other: string };
  readonly receiptQueue: ReturnType<typeof createReceiptQueue>;
}

export interface WorldOptions {
  /** Names the tenants, so that worlds can share a database. */
  readonly name: string;
  /** UTF-16 units of the unbroken text; 0 = none. */
  readonly longUnits: number;
  readonly longKind: number;
}

export async function createWorld(
  raw: Authority,
  content: StoreContent,
  options: WorldOptions,
): Promise<World> {
  const authority = guardAuthority(raw);
  const tenants = { home: `${options.name}.home`, other: `${options.name}.other` };
  await authority.ensureSpace(EMBEDDER.space);
  let ids = 0;
  const newId = (): Uuid => id(2, ++ids);
  for (const place of [...PLACES].reverse()) {
    const making: Making = { scope: SCOPES[place], now: WRITTEN, newId };
    const profile: PermissionProfile = {
      principal: 'writer',
      kind: 'human',
      tenant: place === 'other' ? tenants.other : tenants.home,
      scopes: '*',
    };
    const write = (operations: readonly Operation[]) =>
      writeOperations(
        { operations, profile, now: WRITTEN },
        {
          authority,
          embedder: EMBEDDER,
          manifests: { manifests: [], collections: {}, findings: [] },
          permission: createPermissionDoor({
            newId: () => parseUuid(randomUUID(), 'id'),
            owner: null,
            authority,
            manifests: [],
            digestOf: sha256,
            now: () => WRITTEN,
          }),
          newId,
          writer: 'test/1',
        },
      );
    const title = `${canaryOf(place)} ${content[place].title}`;
    const inherits = place === 'own' ? [SCOPES.user, SCOPES.project] : [];
    await write(
      scopeOperations({ type: 'chat_session', title, inherits, uuid: SCOPES[place] }, making),
    );
    await write(contentOperations(place, content[place], making));
    if (place === 'own' && options.longUnits > 0) await write(longOperations(options, making));
  }
  return { authority, tenants, receiptQueue: createReceiptQueue(authority) };
}

function contentOperations(
  place: Place,
  content: StoreContent[Place],
  making: Making,
): readonly Operation[] {
  const mark = canaryOf(place);
  const blocks = content.blocks.map((entry, index) =>
    turnOperation(
      {
        content: `${mark} ${entry.text}`,
        // one core memory a scope at most: it is never cut, and few budgets would hold a long one
        block_type: entry.type === 'core_memory' && index > 0 ? 'turn' : entry.type,
        role: entry.role,
        occurred_at: day(entry.day),
        metadata: metadataOf(content.blocks, index),
        ...sourceOf(entry, mark),
        ...(entry.title !== null && { title: `${mark} ${entry.title}` }),
        ...(entry.author !== null && { author: `${mark} ${entry.author}` }),
      },
      making,
    ),
  );
  const facts = content.facts.map((entry) =>
    factOperation(
      {
        content: `${mark} ${entry.text}`,
        class: entry.class,
        importance: entry.importance,
        confidence: entry.confidence,
        valid_from: day(entry.day),
        ...sourceOf(entry, mark),
        ...(entry.subject !== null && { subject: `${mark} ${entry.subject}` }),
        ...(entry.ttl !== null && { valid_until: day(entry.day + entry.ttl) }),
      },
      making,
    ),
  );
  const uuidOf = (operation: Operation): readonly Uuid[] =>
    'uuid' in operation ? [operation.uuid] : [];
  const pins = facts.filter((_, index) => content.facts[index]?.isPinned).flatMap(uuidOf);
  const sources = blocks.slice(0, 1).flatMap(uuidOf);
  const typed = content.typed.map(
    ({ property, value }): Operation => ({
      operation: 'ADD',
      table: 'memory_schema_typed',
      scope: making.scope,
      uuid: making.newId(),
      valid_from: day(1),
      content: typedContent(typeof value === 'string' ? `${mark} ${value}` : value, property, {
        type: Array.isArray(value) ? 'array' : typeof value === 'number' ? 'int' : 'text',
        subject: `${mark} someone`,
      }),
    }),
  );
  return [
    ...blocks,
    ...facts,
    ...typed,
    ...content.summaries.map((entry) =>
      summaryOperation(
        { kind: entry.kind, content: `${mark} ${entry.text}`, covers_to_seq: 3, sources },
        making,
      ),
    ),
    ...pins
      .slice(0, 6)
      .map((to, ordinal) => linkOperation({ type: 'pinned', to, ordinal }, making)),
  ];
}

/** Calls of an assistant, which call a tool answers, and the heading of a part of a document. */
function metadataOf(
  blocks: StoreContent[Place]['blocks'],
  index: number,
): Readonly<Record<string, unknown>> {
  const { role, calls, heading, type } = blocks[index] ?? {};
  const callId = (at: number, call: number): string => `call_${at}_${call}`;
  if (type === 'chunk') return heading === null ? {} : { heading };
  if (role === 'assistant' && calls)
    return {
      tool_calls: calls.map(({ name, argument }, call) => ({
        id: callId(index, call),
        name,
        arguments: { argument },
      })),
    };
  const asked = blocks.slice(0, index).findLastIndex((block) => block.calls !== null);
  return role === 'tool' && asked >= 0 ? { tool_call_id: callId(asked, 0) } : {};
}

const sourceOf = ({ source }: { readonly source: string | null }, mark: string) =>
  source === null
    ? {}
    : { provenance: { source_id: isUuid(source) ? source : `${mark} ${source}` } };

/** One unbroken text as a turn and as a fact, with words in front so that both are found. */
function longOperations(
  { longUnits, longKind }: WorldOptions,
  making: Making,
): readonly Operation[] {
  const unit = LONG_UNITS[longKind % LONG_UNITS.length] ?? 'a';
  const content = `${canaryOf('own')} deploy release ${unit.repeat(Math.floor(longUnits / unit.length))}.`;
  return [
    turnOperation({ content, role: 'user', occurred_at: day(49) }, making),
    factOperation({ content, importance: 1, valid_from: day(49) }, making),
  ];
}

/** The generated manifest, which is right by construction. */
export function manifestOf({ manifest }: CompositionCase): Manifest {
  const parsed = parseManifest(manifest.text, { path: 'generated.yaml' });
  if (parsed.manifest) return parsed.manifest;
  throw new InternalError(
    `a generated manifest is refused: ${JSON.stringify(parsed.findings)}\n${manifest.text}`,
  );
}

const scopesOf = (held: Held): '*' | readonly Uuid[] =>
  held === '*' ? held : held.map((place) => SCOPES[place]);

function profileOf(call: CallCase, tenants: World['tenants']): PermissionProfile {
  const tenant = tenants[call.tenant];
  const tiers = call.readsTier === null ? {} : { tiers: { reads: call.readsTier } };
  const person = { principal: 'ann', kind: 'human', tenant } as const;
  if (call.outer === null) return { ...person, ...tiers, scopes: scopesOf(call.held) };
  return {
    principal: 'bot',
    kind: 'agent',
    tenant,
    ...tiers,
    scopes: scopesOf(call.held),
    on_behalf_of: { ...person, scopes: scopesOf(call.outer) },
  };
}

export const requestOf = (call: CallCase, world: World): ComposeRequest => ({
  scope_block_uuid: SCOPES.own,
  intent: call.intent,
  query: call.query,
  permission_profile: profileOf(call, world.tenants),
  trace: true,
  ...(call.topic !== null && { inputs: { topic: call.topic } }),
  ...(call.model !== null && { model: call.model }),
  ...(call.asOfDay !== null && { as_of: day(call.asOfDay) }),
});

/** Calls of one feature on one engine: the second call may be served from its cache. */
export function createCalls(
  world: World,
  manifest: Manifest,
  call: CallCase,
): () => Promise<Composition> {
  const dependencies: ComposeDependencies = {
    authority: world.authority,
    guarded: world.authority,
    mounts: () => Promise.reject(new Error('nothing is mounted')),
    manifests: { manifests: [manifest], collections: {}, findings: [] },
    permission: createPermissionDoor({
      newId: () => parseUuid(randomUUID(), 'id'),
      owner: null,
      authority: world.authority,
      manifests: [manifest],
      digestOf: sha256,
      now: () => NOW,
    }),
    embedder: call.hasEmbedder ? EMBEDDER : null,
    cache: createComposeCache(world.authority, createServedMarks(world.authority)),
    served: createServedMarks(world.authority),
    receiptQueue: world.receiptQueue,
    outage: createOutageMarker({ path: null, owner: 'test', now: () => NOW, stopwatch: () => 0 }),
    judgeClaim: async (claim) => claim,
    now: () => NOW,
    stopwatch: () => 0,
    newId: () => id(3, 1),
    digestOf: sha256,
    settings: 'test',
  };
  return () => compose(requestOf(call, world), dependencies);
}

/**
 * What the call may see, by place. Said here a second time and in other words, to be compared with
 * what the engine does.
 */
export function grantedPlaces({ call }: CompositionCase): ReadonlySet<Place> {
  if (call.tenant === 'other') return new Set(holds(call, 'own') ? ['other'] : []);
  return new Set((['own', 'user', 'project'] as const).filter((place) => holds(call, place)));
}
const holds = ({ held, outer }: CallCase, place: Place): boolean =>
  [held, outer ?? '*'].every((scopes) => scopes === '*' || scopes.includes(place));

/** Whether the call must be refused for what its principal may do. */
export function isRefused({ call, manifest }: CompositionCase): boolean {
  const { held, outer } = call;
  const isWider =
    outer !== null &&
    outer !== '*' &&
    (held === '*' || held.some((place) => !outer.includes(place)));
  return manifest.given.reads !== 'T1' || call.readsTier !== null || isWider || !holds(call, 'own');
}
export const scopeOf = (place: Place): Uuid => SCOPES[place];
