/**
 * Redis as the shared level of the embedding cache: vectors under keyed digests, which end by
 * themselves after a while, and at once with whatever is forgotten.
 */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { TenantId } from '../../src/model/ids.ts';
import type { SharedLevel } from '../../src/model/shared-level.ts';

/** A cache that is slower than this is worth less than the provider behind it. */
const CONNECT_MS = 1_000;
const LIFETIME_SECONDS = 30 * 86_400;
const FLOAT_BYTES = 4;
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
          return bytes && digest ? [{ digest, values: toValues(bytes) }] : [];
        }),
      };
    },
    share: async (tenant, { space, epoch, vectors }) => {
      const client = await open();
      // What was forgotten since the texts were read moved the epoch.
      if ((await epochOf(client, tenant)) !== epoch) return;
      await Promise.all(
        vectors.map(({ digest, values }) =>
          client.set(keyOf(tenant, space, digest), toBytes(values), {
            expiration: { type: 'EX', value: LIFETIME_SECONDS },
          }),
        ),
      );
    },
    drop: async (tenant) => {
      const client = await open();
      await client.incr(`contextengine:epoch:${tenant}`);
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

const epochOf = async (client: Client, tenant: TenantId): Promise<number> =>
  Number((await client.get(`contextengine:epoch:${tenant}`)) ?? 0);

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

function toBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * FLOAT_BYTES);
  values.forEach((value, place) => {
    bytes.writeFloatLE(value, place * FLOAT_BYTES);
  });
  return bytes;
}

/** Read one by one: the bytes of an answer need not begin at a multiple of four. */
const toValues = (bytes: Buffer): readonly number[] =>
  Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, place) =>
    bytes.readFloatLE(place * FLOAT_BYTES),
  );
