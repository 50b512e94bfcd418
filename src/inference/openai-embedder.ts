/**
 * Embeddings from any endpoint that speaks OpenAI's protocol. The only file that imports `openai`,
 * an optional peer, and only when first used.
 */
import type OpenAI from 'openai';
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { rethrown } from '../model/rethrown.ts';
import { LONGEST_TIMER_MS } from '../model/time-limit.ts';
import { abortedError, throwIfAborted } from './abort.ts';
import { withBreaker } from './breaker.ts';
import { checkOptions } from './check-options.ts';
import { type Embedder, type EmbeddingSpace, type EmbedOptions, spaceName } from './embedder.ts';
import { requestError } from './openai-errors.ts';
import { atLeast, type EmbedderProvider, MODEL_OPTIONS } from './provider.ts';
import { toUnit } from './vectors.ts';

export interface OpenaiEmbedderOptions {
  readonly model: string;
  readonly dimensions: number;
  /** With its version path, for example `http://localhost:11434/v1`. */
  readonly baseUrl?: string;
  /** Local servers need none. An engine takes OPENAI_API_KEY of the environment by default. */
  readonly apiKey?: string;
  /** Of one attempt, in milliseconds. Default 10,000, and 5,000 for a query. */
  readonly timeoutMs?: number;
  /**
   * Attempts after the first: connection lost, timed out, 408, 409, 429 (waits as `retry-after`
   * says), 5xx. Default 2, and 1 for a query.
   */
  readonly maxRetries?: number;
  /** Texts in one request. */
  readonly batchSize?: number;
}

/** The part of the package that is used. */
export interface OpenaiPackage {
  /**
   * Its class. Untyped: declarations that name an optional peer do not compile where it is absent.
   */
  readonly OpenAI: unknown;
}

const DEFAULT_URL = 'https://api.openai.com/v1';
/**
 * Somebody waits for a query, and text search can serve without its vector: a provider that hangs
 * must not hold the call for half a minute.
 */
const PATIENCE = {
  query: { timeout: 5_000, maxRetries: 1 },
  document: { timeout: 10_000, maxRetries: 2 },
} as const;
/**
 * UTF-16 units of a text that are sent. The hosted models refuse a whole request for one text over
 * 8,191 tokens; English stays far below at this length, and a script at one token a character just
 * fits. What is cut off is still found by its words.
 */
const SENT_UNITS = 8000;
/** Half a character, which a text or the cut may end with and which servers refuse. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * An embedder over `POST {baseUrl}/embeddings`. Nothing is loaded or sent before the first `embed`,
 * which throws `INFERENCE.MISSING_PACKAGE` without the package, `INFERENCE.UNAVAILABLE` where the
 * endpoint does not answer as it should, `INFERENCE.DIMENSIONS` for vectors of another space,
 * `CONNECTOR.DEADLINE` when aborted, `CONNECTOR.CLOSED` after `close`.
 *
 * @throws `CONFIG.INVALID_VALUE` at once for an option that cannot work.
 */
export function openaiEmbedder(
  options: OpenaiEmbedderOptions,
  load: () => Promise<OpenaiPackage> = () => import('openai').catch(rethrown),
): Embedder {
  checkOptions(openaiProvider, options);
  const space: EmbeddingSpace = {
    provider: 'openai',
    model: options.model,
    dimensions: options.dimensions,
  };
  const closing = new AbortController();
  let client: Promise<OpenAI> | undefined;
  return {
    space,
    async embed(texts, { kind, signal }) {
      throwIfAborted(signal);
      if (closing.signal.aborted) throw closedError(space);
      client ??= openClient(options, load);
      const opened = await client;
      const vectors: (readonly number[])[] = [];
      const size = options.batchSize ?? 128;
      for (let at = 0; at < texts.length; at += size) {
        const batch = texts.slice(at, at + size);
        const request = embedBatch(opened, {
          space,
          batch,
          request: { signal: anyOf(signal, closing.signal), ...patienceOf(kind, options) },
          apiKey: options.apiKey,
        });
        vectors.push(
          ...(await request.catch((error: unknown) => {
            throw closing.signal.aborted
              ? closedError(space)
              : signal?.aborted
                ? abortedError(error)
                : error;
          })),
        );
      }
      return vectors;
    },
    async close() {
      closing.abort();
    },
  };
}

interface Patience {
  readonly timeout: number;
  readonly maxRetries: number;
}

const patienceOf = (
  kind: EmbedOptions['kind'],
  { timeoutMs, maxRetries }: OpenaiEmbedderOptions,
): Patience => ({
  timeout: timeoutMs ?? PATIENCE[kind].timeout,
  maxRetries: maxRetries ?? PATIENCE[kind].maxRetries,
});

interface BatchRequest {
  readonly space: EmbeddingSpace;
  readonly batch: readonly string[];
  readonly request: Patience & { readonly signal: AbortSignal };
  readonly apiKey: string | undefined;
}

async function embedBatch(
  client: OpenAI,
  { space, batch, request, apiKey }: BatchRequest,
): Promise<readonly (readonly number[])[]> {
  const body = {
    model: space.model,
    /** An empty text is refused by the protocol; a blank one is not. */
    input: batch.map((text) => text.slice(0, SENT_UNITS).replace(LONE_SURROGATE, '\ufffd') || ' '),
    /** Compatible servers do not all know base64, which the package would ask for. */
    encoding_format: 'float' as const,
    /** Older models refuse the parameter; those have one size. */
    ...(space.model.startsWith('text-embedding-3') && { dimensions: space.dimensions }),
  };
  let answer: unknown;
  try {
    answer = await client.embeddings.create(body, request);
  } catch (error) {
    throw requestError(error, { space, apiKey });
  }
  return inOrder(answer, batch.length, space).map((vector) => toUnit(vector, space));
}

/**
 * The vectors by their stated index, else by their place. A short or malformed answer never passes
 * as a complete one.
 */
function inOrder(
  answer: unknown,
  count: number,
  space: EmbeddingSpace,
): readonly (readonly unknown[])[] {
  const data = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'] : null;
  if (data === null) throw unusable(space, `answered with \`${shown(answer)}\``);
  const vectors: (readonly unknown[] | undefined)[] = new Array(count).fill(undefined);
  data.forEach((entry: unknown, place) => {
    const index = isRecord(entry) && typeof entry['index'] === 'number' ? entry['index'] : place;
    if (isRecord(entry) && Array.isArray(entry['embedding']) && index in vectors)
      vectors[index] = entry['embedding'];
  });
  const whole = vectors.filter((vector) => vector !== undefined);
  if (whole.length !== count || data.length !== count)
    throw unusable(space, `gave \`${data.length}\` vectors for \`${count}\` texts`);
  return whole;
}

async function openClient(
  options: OpenaiEmbedderOptions,
  load: () => Promise<OpenaiPackage>,
): Promise<OpenAI> {
  const { OpenAI: loaded } = await load().catch((cause: unknown) => {
    throw new ContextEngineError('INFERENCE.MISSING_PACKAGE', {
      message: 'The `openai` embedder needs the package `openai`, which is not installed.',
      fix: 'Run `npm install openai`, or use the built-in embedder.',
      cause,
    });
  });
  // Cast: the package's own class.
  const Client = loaded as typeof OpenAI;
  /** Every option is given, so that the package reads nothing from the environment. */
  return new Client({
    baseURL: options.baseUrl ?? DEFAULT_URL,
    apiKey: options.apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    logLevel: 'off',
  });
}

const unusable = (space: EmbeddingSpace, what: string): ContextEngineError =>
  new ContextEngineError('INFERENCE.UNAVAILABLE', {
    message: `The endpoint of \`${spaceName(space)}\` ${what}.`,
    fix: 'Check that `baseUrl` points at an OpenAI-compatible API with its version path (`/v1`).',
  });
const closedError = (space: EmbeddingSpace): ContextEngineError =>
  new ContextEngineError('CONNECTOR.CLOSED', {
    message: `The embedder of \`${spaceName(space)}\` was closed.`,
    fix: 'Make a new embedder, or close this one later.',
  });
const anyOf = (signal: AbortSignal | undefined, closing: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, closing]) : closing;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * An endpoint that failed three times is left alone for half a minute: until then the search is
 * text alone, without waiting.
 */
const BREAKER = { failures: 3, halfOpenAfterMs: 30_000 } as const;

export const openaiProvider: EmbedderProvider<'openai', OpenaiEmbedderOptions> = {
  name: 'openai',
  package: 'openai',
  options: {
    ...MODEL_OPTIONS,
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      fix:
        'Give an http or https URL with its version path, for example ' +
        '`http://localhost:11434/v1`.',
    },
    apiKey: {
      type: 'string',
      fix: 'Pass the key as text, or leave it out.',
      isSecret: true,
      isCode: true,
      env: 'OPENAI_API_KEY',
    },
    timeoutMs: { ...atLeast('timeoutMs', 1, LONGEST_TIMER_MS), isCode: true },
    maxRetries: { ...atLeast('maxRetries', 0), isCode: true },
    batchSize: { ...atLeast('batchSize', 1), isCode: true },
  },
  create: (options, { stopwatch }) =>
    withBreaker(openaiEmbedder(options), { ...BREAKER, now: stopwatch }),
};
