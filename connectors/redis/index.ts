/**
 * Redis as the shared level of the embedding cache: vectors under keyed digests, which end by
 * themselves after a while, and at once with whatever is forgotten.
 */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { TenantId } from '../../src/model/ids.ts';
import type { SharedLevel } from '../../src/model/shared-level.ts';
import { fromVectorBytes, toVectorBytes } from '../../src/model/vector-bytes.ts';

/** A cache that is slower than this is worth less than the provider behind it. */
const CONNECT_MS = 1_000;
const LIFETIME_SECONDS = 30 * 86_400;
const PAGE = 500;

type Client = Awaited<ReturnType<typeof connect>>;

/** `CONNECTOR.MISSING_PACKAGE` without the optional package `redis`. Connects at the first use. */
export async function createRedisLevel(url: string): Promise<SharedLevel> {
  const redis = await loadRedis();
  let opening: Promise<Client> | null = null;
  const open = (): Promise<Client> => {
    opening ??= connect(redis, url).catch((error: unknown) => {
      // Tried again by the next call.
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    find: async (tenant, { space, digests }) => {
      const client = await open();
      const keys = digests.map((digest) => keyOf(tenant, space, digest));
      const found = keys.length === 0 ? [] : await client.mGet(keys);
      return {
        epoch: await epochOf(client, tenant),
        vectors: found.flatMap((bytes, place) => {
          const digest = digests[place];
          return bytes && digest ? [{ digest, values: fromVectorBytes(bytes) }] : [];
        }),
      };
    },
    share: async (tenant, { space, epoch, vectors }) => {
      const client = await open();
      await client.eval(SHARE, {
        keys: [epochKey(tenant), ...vectors.map(({ digest }) => keyOf(tenant, space, digest))],
        arguments: [
          String(epoch),
          String(LIFETIME_SECONDS),
          ...vectors.map(({ values }) => toVectorBytes(values)),
        ],
      });
    },
    drop: async (tenant) => {
      const client = await open();
      await client.incr(epochKey(tenant));
      const MATCH = `${prefixOf(tenant)}*`;
      for await (const keys of client.scanIterator({ MATCH, COUNT: PAGE }))
        if (keys.length > 0) await client.unlink(keys);
    },
    close: async () => {
      const client = await opening?.catch(() => null);
      client?.destroy();
      opening = null;
    },
  };
}

/** A tenant has no colon in its name. */
const prefixOf = (tenant: TenantId): string => `contextengine:vector:${tenant}:`;
const keyOf = (tenant: TenantId, space: string, digest: string): string =>
  `${prefixOf(tenant)}${space}:${digest}`;

const epochKey = (tenant: TenantId): string => `contextengine:epoch:${tenant}`;
const epochOf = async (client: Client, tenant: TenantId): Promise<number> =>
  Number((await client.get(epochKey(tenant))) ?? 0);

/** What was forgotten since the texts were read moved the epoch: compared and written at once. */
const SHARE = `
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[2]) end
return #KEYS - 1`;

async function connect(redis: Redis, url: string) {
  const socket = { connectTimeout: CONNECT_MS, reconnectStrategy: false } as const;
  const client = redis
    .createClient({ url, socket, disableOfflineQueue: true })
    .withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer });
  // Each call says by itself that it failed.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

type Redis = typeof import('redis');

async function loadRedis(): Promise<Redis> {
  return import('redis').catch((cause: unknown) => {
    throw new ContextEngineError('CONNECTOR.MISSING_PACKAGE', {
      message: 'An embedding cache in Redis needs the package `redis`, which cannot be loaded.',
      fix: 'Run `npm install redis` (5 or later, some 15 MB), or set `embedding_cache` to `database`.',
      cause,
    });
  });
}
