/**
 * The second and third level of the embedding cache: what this process does not hold is looked up
 * in the shared level, and the provider is asked for the rest. A shared level that is slow or down
 * costs a moment, never an answer.
 */
import { createHmac } from 'node:crypto';
import type { TenantId } from '../model/ids.ts';
import type { SharedLevel } from '../model/shared-level.ts';
import { throwIfAborted } from './abort.ts';
import { type Embedder, type EmbedOptions, spaceName } from './embedder.ts';

export interface SharedVectors {
  readonly level: SharedLevel;
  /** Of the tenant, hexadecimal. */
  readonly digestKey: (tenant: TenantId) => Promise<string>;
  /** Default 1,000. */
  readonly patienceMs?: number;
}

/** A provider answers in 100 ms and more; a level that needs a second is as good as down. */
const PATIENCE_MS = 1_000;

export interface Fetched {
  readonly vectors: readonly (readonly number[])[];
  /** Of the texts, those that the shared level had. */
  readonly shared: ReadonlySet<number>;
  /** What is still being stored; never rejects. */
  readonly storing: Promise<void>;
}

export async function fetchVectors(
  texts: readonly string[],
  { kind, signal, tenant }: EmbedOptions,
  { inner, shared }: { readonly inner: Embedder; readonly shared: SharedVectors | null },
): Promise<Fetched> {
  const options = { kind, ...(signal && { signal }) };
  const known = shared && tenant ? await lookUp(texts, { kind, tenant, inner, shared }) : null;
  throwIfAborted(signal);
  const missing = texts.flatMap((_, place) => (known?.found.has(place) ? [] : [place]));
  const fresh =
    missing.length === 0
      ? []
      : await inner.embed(
          missing.map((place) => texts[place] ?? ''),
          options,
        );
  const made = new Map(missing.map((place, index) => [place, fresh[index] ?? []]));
  return {
    vectors: texts.map((_, place) => known?.found.get(place) ?? made.get(place) ?? []),
    shared: new Set(known?.found.keys()),
    storing: known && made.size > 0 ? known.store(made) : Promise.resolve(),
  };
}

interface Known {
  readonly found: ReadonlyMap<number, readonly number[]>;
  store(made: ReadonlyMap<number, readonly number[]>): Promise<void>;
}

interface LookUp {
  readonly kind: EmbedOptions['kind'];
  readonly tenant: TenantId;
  readonly inner: Embedder;
  readonly shared: SharedVectors;
}

/** null = the level did not answer in time; then nothing is stored in it either. */
async function lookUp(
  texts: readonly string[],
  { kind, tenant, inner, shared: { level, digestKey, patienceMs = PATIENCE_MS } }: LookUp,
): Promise<Known | null> {
  const space = spaceName(inner.space);
  const asking = async (): Promise<Known> => {
    const key = Buffer.from(await digestKey(tenant), 'hex');
    const digests = texts.map((text) =>
      createHmac('sha256', key).update(`${space}\0${kind}\0`).update(text).digest('hex'),
    );
    const { epoch, vectors } = await level.find(tenant, { space, digests: [...new Set(digests)] });
    const held = new Map(vectors.map(({ digest, values }) => [digest, values]));
    const found = digests.flatMap((digest, place) => {
      const values = held.get(digest);
      return values?.length === inner.space.dimensions ? [[place, values] as const] : [];
    });
    return {
      found: new Map(found),
      store: async (made) => {
        const fresh = new Map([...made].map(([place, values]) => [digests[place] ?? '', values]));
        const given = [...fresh].map(([digest, values]) => ({ digest, values }));
        await level.share(tenant, { space, epoch, vectors: given }).catch(() => undefined);
      },
    };
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null);
  });
  try {
    return await Promise.race([asking().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
