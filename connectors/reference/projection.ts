/**
 * A projection in plain memory: the oracle of the others. What it holds is a small ledger of its
 * own, made anew after each batch and searched by brute force.
 */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Capabilities, Change } from '../../src/cxri/contract.ts';
import type {
  FeedCursor,
  FeedMark,
  ProjectedVersion,
  Projection,
  ProjectionBatch,
  ProjectionConnector,
  ProjectionErasure,
  ProjectionFeed,
  ProjectionOptions,
} from '../../src/cxri/projection.ts';
import { type TenantId, toInstant, type Uuid } from '../../src/model/ids.ts';
import { query } from './query.ts';
import { read } from './read.ts';
import { emptyScope, insert, type Store, tenantOf, Undo } from './store.ts';
import { type Journals, subscribe } from './subscribe.ts';

interface FedTenant {
  readonly rows: Map<Uuid, ProjectedVersion>;
  readonly marks: Map<Uuid, FeedMark>;
  /** Entries of the journals that were fed. */
  readonly changes: Map<Uuid, readonly Change[]>;
  epoch: number;
  /** What the rows were made into; null = they changed since. */
  built: Store | null;
}
type Copy = Map<TenantId, FedTenant>;
type Space = ProjectionOptions['space'];

/** Shared by the connections of one connector. */
interface Place {
  serving: Copy;
  isFed: boolean;
  isRebuilt: boolean;
  readonly wake: Set<() => void>;
}

const CAPABILITIES: Capabilities = {
  vector: true,
  text: true,
  hybrid: true,
  structured: true,
  blobs: false,
  changes: true,
  write: false,
  atomic: true,
  idempotent: true,
  prefilter: true,
  temporal: false,
  ordered_changes: true,
  read_your_writes: true,
  erase: true,
};

/** All connections of one connector share what they are fed. */
export function createReferenceProjection(): ProjectionConnector {
  const place: Place = { serving: new Map(), isFed: false, isRebuilt: false, wake: new Set() };
  return {
    name: 'reference',
    connect: async ({ space }) => projectionOf(place, space),
  };
}

function projectionOf(place: Place, space: Space): Projection {
  const subscriptions = new Set<AsyncDisposable>();
  return {
    name: 'reference',
    capabilities: CAPABILITIES,
    query: async (request) => query(storeOf(place.serving, request.tenant, space), request),
    read: async (request) => read(storeOf(place.serving, request.tenant, space), request),
    write: async () => refuse('a write'),
    subscribe: async (filter, listener) => {
      const subscription = subscribe(journalsOf(place, filter.tenant), filter, listener);
      subscriptions.add(subscription);
      return subscription;
    },
    health: async () => ({
      verdict: 'ok',
      latency_ms: 0,
      lag: 0,
      advice: [],
      details: { rows: rowsOf(place.serving) },
    }),
    cursor: async (tenant) => cursorOf(place.serving, tenant),
    feed: async () => {
      if (place.isFed) throw locked('fed');
      place.isFed = true;
      const feed = feedOf(
        () => place.serving,
        space,
        () => {
          place.isFed = false;
        },
      );
      return {
        ...feed,
        apply: async (batch) => {
          await feed.apply(batch);
          wakeAll(place);
        },
      };
    },
    rebuild: async () => {
      if (place.isRebuilt) throw locked('rebuilt');
      place.isRebuilt = true;
      const copy: Copy = new Map();
      const feed = feedOf(
        () => copy,
        space,
        () => {
          place.isRebuilt = false;
        },
      );
      return {
        ...feed,
        commit: async () => {
          place.serving = copy;
          wakeAll(place);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...subscriptions].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

const journalsOf = (place: Place, tenant: TenantId): Journals => ({
  head: (scope) => place.serving.get(tenant)?.marks.get(scope)?.seq ?? 0,
  entries: (scope) => place.serving.get(tenant)?.changes.get(scope) ?? [],
  wake: place.wake,
});
const wakeAll = ({ wake }: Place): void => {
  for (const one of wake) one();
};

const feedOf = (copyOf: () => Copy, space: Space, release: () => void): ProjectionFeed => ({
  apply: async (batch) => apply(copyOf(), batch, space),
  cursor: async (tenant) => cursorOf(copyOf(), tenant),
  erase: async (erasure) => erase(copyOf(), erasure),
  upkeep: async () => ({ rows: rowsOf(copyOf()), unindexed: 0, bytes: 0 }),
  [Symbol.asyncDispose]: async () => release(),
});

function apply(copy: Copy, batch: ProjectionBatch, space: Space) {
  const { tenant, upsert, remove, changes, cursor } = batch;
  for (const { vector } of upsert)
    if (vector !== null && vector.length !== space?.dimensions)
      throw new ContextEngineError('INFERENCE.DIMENSIONS', {
        message: `A vector of \`${vector.length}\` dimensions was fed.`,
        fix: `Feed vectors of \`${space?.name ?? 'no space'}\`.`,
      });
  const fed = fedOf(copy, tenant);
  for (const version of upsert) fed.rows.set(version.entry.row.uuid, version);
  for (const uuid of remove) fed.rows.delete(uuid);
  const before = fed.marks.get(cursor.scope)?.seq ?? 0;
  fed.changes.set(cursor.scope, [
    ...(fed.changes.get(cursor.scope) ?? []),
    ...changes.filter(({ seq }) => seq > before),
  ]);
  fed.marks.set(cursor.scope, cursor);
  fed.built = null;
}

function erase(copy: Copy, { tenant, uuids, scopes, policy_epoch }: ProjectionErasure): number {
  const fed = fedOf(copy, tenant);
  const gone = [...fed.rows.values()].filter(
    ({ entry: { row } }) => uuids.includes(row.uuid) || scopes.includes(row.scope_uuid),
  );
  for (const { entry } of gone) fed.rows.delete(entry.row.uuid);
  for (const scope of scopes) {
    fed.marks.delete(scope);
    fed.changes.delete(scope);
  }
  fed.epoch = policy_epoch;
  fed.built = null;
  return gone.length;
}

function fedOf(copy: Copy, tenant: TenantId): FedTenant {
  const known = copy.get(tenant);
  if (known) return known;
  const fresh: FedTenant = {
    ...{ rows: new Map(), marks: new Map(), changes: new Map() },
    ...{ epoch: 0, built: null },
  };
  copy.set(tenant, fresh);
  return fresh;
}

const cursorOf = (copy: Copy, tenant: TenantId): FeedCursor => {
  const fed = copy.get(tenant);
  const marks = [...(fed?.marks.values() ?? [])];
  return {
    policy_epoch: fed?.epoch ?? 0,
    marks: marks.sort((a, b) => (a.scope < b.scope ? -1 : 1)),
  };
};

const rowsOf = (copy: Copy): number =>
  [...copy.values()].reduce((sum, { rows }) => sum + rows.size, 0);

function storeOf(copy: Copy, tenant: TenantId, space: Space): Store {
  const fed = fedOf(copy, tenant);
  fed.built ??= build(fed, tenant, space);
  return fed.built;
}

function build({ rows }: FedTenant, tenant: TenantId, space: Space): Store {
  const owners = new Map<Uuid, Map<string, readonly number[]>>();
  const store: Store = {
    number: 0,
    tenants: new Map(),
    spaces: new Map(
      space
        ? [[space.name, { dimensions: space.dimensions, vectors: new Map([[tenant, owners]]) }]]
        : [],
    ),
    wake: new Set(),
    rights: {},
    now: () => toInstant(0),
  };
  const state = tenantOf(store, tenant);
  for (const { entry, vector } of rows.values()) {
    const { scope_uuid: scope, uuid } = entry.row;
    if (!state.scopes.has(scope)) state.scopes.set(scope, emptyScope(scope));
    insert(state, entry, new Undo());
    if (vector) owners.set(uuid, new Map([['content/0', vector]]));
  }
  return store;
}

function refuse(what: string): never {
  throw new ContextEngineError('CONNECTOR.MISSING_CAPABILITY', {
    message: `A projection does not take ${what}.`,
    fix: 'Ask the authority: a projection is fed from it.',
  });
}

const locked = (how: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.LOCKED', {
    message: `The projection is being ${how} already.`,
    fix: 'Wait for it to end.',
  });
