/** One projection for each law, broken in just that: wrapped around the one in memory. */
import { createReferenceProjection } from '../../connectors/reference/index.ts';
import type { Hit, QueryRequest, QueryResult, SearchPart } from '../../src/cxri/contract.ts';
import type { Projection, ProjectionConnector, ProjectionFeed } from '../../src/cxri/projection.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { parseTenant, toInstant } from '../../src/model/ids.ts';

const FAR = 1_000_000;
const ALL = parseTenant('all');

interface Broken {
  /** The law that must find it. */
  readonly law: string;
  readonly bend: (right: Projection) => Partial<Projection>;
}

const withFeed = (
  right: Projection,
  change: (feed: ProjectionFeed) => Partial<ProjectionFeed>,
): Partial<Projection> => ({
  feed: async () => {
    const feed = await right.feed();
    return { ...feed, ...change(feed) };
  },
});

const withHits = (
  result: QueryResult,
  change: (hits: readonly Hit[], index: number) => readonly Hit[],
): QueryResult => ({
  ...result,
  parts: result.parts.map((part, index) =>
    part.ok ? { ...part, hits: change(part.hits, index) } : part,
  ),
});

const asked = (request: QueryRequest, change: (part: SearchPart) => SearchPart): QueryRequest => ({
  ...request,
  parts: request.parts.map((part) => (part.mode === 'search' ? change(part) : part)),
});

export const BROKEN_PROJECTIONS: Readonly<Record<string, Broken>> = {
  'finds nothing by meaning': {
    law: 'what was fed is found by words, by meaning and by both, and takes no writes',
    bend: (right) => ({
      query: async (request) =>
        right.query(asked(request, ({ vector: _none, ...part }) => ({ text: 'x', ...part }))),
    }),
  },
  'keeps the rows of all tenants together': {
    law: 'nothing of another tenant or scope is found, read or told of',
    bend: (right) => {
      const own = (tenant: TenantId, hits: readonly Hit[]): readonly Hit[] =>
        hits.map((hit) => ({ ...hit, row: { ...hit.row, tenant_id: tenant } }) as Hit);
      return {
        ...withFeed(right, (feed) => ({
          apply: async (batch) => feed.apply({ ...batch, tenant: ALL }),
        })),
        query: async (request) =>
          withHits(await right.query({ ...request, tenant: ALL }), (hits) =>
            own(request.tenant, hits),
          ),
      };
    },
  },
  'finds what was written after the position': {
    law: 'only what is visible at the position and the valid time is found',
    bend: (right) => ({
      query: async (request) =>
        right.query({
          ...request,
          position: request.position.map(({ scope }) => ({ scope, head: FAR })),
        }),
    }),
  },
  'finds what is not valid yet': {
    law: 'only what is visible at the position and the valid time is found',
    bend: (right) => ({
      query: async (request) =>
        right.query({ ...request, valid_at: toInstant(Date.UTC(2026, 5, 1)) }),
    }),
  },
  'filters what it found': {
    law: 'a filter holds before the limit cuts',
    bend: (right) => ({
      query: async (request) => {
        const unfiltered = asked(request, ({ filter: _none, ...part }) => part);
        const [found, matching] = [await right.query(unfiltered), await right.query(request)];
        return withHits(found, (hits, index) => {
          const part = matching.parts[index];
          const kept = new Set(part?.ok ? part.hits.map(({ row }) => row.uuid) : []);
          return hits.filter(({ row }) => kept.has(row.uuid));
        });
      },
    }),
  },
  'keeps what is removed': {
    law: 'a batch that is applied again changes nothing; what is removed is found no more',
    bend: (right) =>
      withFeed(right, (feed) => ({
        apply: async (batch) => feed.apply({ ...batch, remove: [] }),
      })),
  },
  'forgets the cursor': {
    law: 'the cursor is where the last batch put it, for every connection',
    bend: (right) => ({
      cursor: async (tenant) => ({ ...(await right.cursor(tenant)), marks: [] }),
    }),
  },
  'loses a row at the end of each page': {
    law: 'a scan gives every row back as it was fed, page by page',
    bend: (right) => ({
      read: async (request) => {
        const page = await right.read(request);
        return page.cursor === null ? page : { ...page, rows: page.rows.slice(0, -1) };
      },
    }),
  },
  'erases nothing': {
    law: 'what is erased is gone, with the cursors of whole scopes',
    bend: (right) =>
      withFeed(right, (feed) => ({
        erase: async (erasure) => feed.erase({ ...erasure, uuids: [], scopes: [] }),
      })),
  },
  'lets every feeder in': {
    law: 'one feeder holds a projection at a time',
    bend: (right) => ({
      feed: async () => {
        const feed = await right.feed();
        await feed[Symbol.asyncDispose]();
        return feed;
      },
    }),
  },
  'takes vectors of any space': {
    law: 'a vector of another space is refused, and the batch with it',
    bend: (right) =>
      withFeed(right, (feed) => ({
        apply: async (batch) =>
          feed.apply({
            ...batch,
            upsert: batch.upsert.map(({ entry, vector }) => ({
              entry,
              vector: vector?.length === 4 ? vector : null,
            })),
          }),
      })),
  },
  'serves a rebuild that was given up': {
    law: 'a rebuild serves nothing until it is committed, and then it alone serves',
    bend: (right) => ({
      rebuild: async () => {
        const rebuild = await right.rebuild();
        return {
          ...rebuild,
          [Symbol.asyncDispose]: async () => {
            await rebuild.commit();
            await rebuild[Symbol.asyncDispose]();
          },
        };
      },
    }),
  },
  'ends rebuilds by an erasure': {
    law: 'a feed that erases does not end a rebuild under way',
    bend: (right) => ({
      rebuild: async () => {
        const rebuild = await right.rebuild();
        const apply: typeof rebuild.apply = async (batch) => {
          const { policy_epoch: epoch } = await right.cursor(batch.tenant);
          if (epoch > 0) throw new Error('the copy is gone');
          return rebuild.apply(batch);
        };
        return { ...rebuild, apply };
      },
    }),
  },
  'loses rows in upkeep': {
    law: 'upkeep changes nothing of what is found',
    bend: (right) =>
      withFeed(right, (feed) => {
        return {
          upkeep: async () => {
            const report = await feed.upkeep();
            for (const tenant of TENANTS) {
              const { marks } = await feed.cursor(tenant);
              const scopes = marks.map(({ scope }) => scope);
              await feed.erase({ tenant, uuids: [], scopes, policy_epoch: 0 });
            }
            return report;
          },
        };
      }),
  },
  'tells a batch backwards': {
    law: 'what is fed is told in the order of its scope, once it can be found',
    bend: (right) => ({
      subscribe: async (filter, listener) =>
        right.subscribe(filter, (some) => listener(some.toReversed())),
    }),
  },
  'tells no removals': {
    law: 'what is fed is told in the order of its scope, once it can be found',
    bend: (right) =>
      withFeed(right, (feed) => ({
        apply: async (batch) =>
          feed.apply({
            ...batch,
            changes: batch.changes.filter(({ operation }) => operation !== 'DELETE'),
          }),
      })),
  },
  'begins every subscription anew': {
    law: 'a subscription goes on after its position, in a copy that was made again too',
    bend: (right) => ({
      subscribe: async (filter, listener) => right.subscribe({ ...filter, after: [] }, listener),
    }),
  },
  'tells what was fed before': {
    law: 'without a position it is told what is fed from now on',
    bend: (right) => ({
      subscribe: async (filter, listener) => right.subscribe({ after: [], ...filter }, listener),
    }),
  },
  'tells of every tenant': {
    law: 'a subscription is told nothing of another tenant or scope',
    bend: (right) => ({
      ...withFeed(right, (feed) => ({
        apply: async (batch) => {
          await feed.apply(batch);
          await feed.apply({ ...batch, tenant: ALL, upsert: [], remove: [] });
        },
      })),
      subscribe: async (filter, listener) => right.subscribe({ ...filter, tenant: ALL }, listener),
    }),
  },
  'goes on after its listener rejected': {
    law: 'a listener that rejects ends its subscription, and so does disposal',
    bend: (right) => ({
      subscribe: async (filter, listener) =>
        right.subscribe(filter, async (some) => {
          try {
            await listener(some);
          } catch {}
        }),
    }),
  },
};
/** Of the law of upkeep, as the suite names them. */
const TENANTS = Array.from({ length: 20 }, (_, n) => parseTenant(`projection.${n}.a`));

export function brokenProjection(name: string): ProjectionConnector {
  const right = createReferenceProjection();
  const broken = BROKEN_PROJECTIONS[name];
  if (!broken) throw new Error(`there is no broken projection ${name}`);
  return {
    name,
    connect: async (options) => {
      const projection = await right.connect(options);
      return { ...projection, ...broken.bend(projection) };
    },
  };
}
