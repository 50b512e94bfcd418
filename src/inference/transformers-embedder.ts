/**
 * Embeddings of a local model by ONNX. The only file that imports `@huggingface/transformers`, an
 * optional peer, and only when first used.
 */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ContextEngineError } from '../codes/errors.ts';
import { text } from '../inputs/schema.ts';
import { shown } from '../model/ids.ts';
import { rethrown } from '../model/rethrown.ts';
import { abortedError, throwIfAborted } from './abort.ts';
import { checkOptions } from './check-options.ts';
import { type Embedder, type EmbeddingSpace, type EmbedOptions, spaceName } from './embedder.ts';
import { atLeast, type EmbedderProvider, MODEL_OPTIONS, type OptionFacts } from './provider.ts';
import { toUnit } from './vectors.ts';

const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'bnb4', 'q4f16'] as const;
const POOLINGS = ['mean', 'cls', 'last_token'] as const;

export interface TransformersEmbedderOptions {
  /**
   * A model of the Hugging Face hub that has ONNX weights, for example `Xenova/all-MiniLM-L6-v2`;
   * with `localPath` any name for it.
   */
  readonly model: string;
  readonly dimensions: number;
  /**
   * Folder of the model (config.json, tokenizer.json, onnx/). Nothing is downloaded then; without
   * it the first use does, into the package's cache.
   */
  readonly localPath?: string;
  /** Default `fp32`; `q8` is a quarter of the size. */
  readonly dtype?: (typeof DTYPES)[number];
  /** How the vectors of the tokens become one; the model's card says which. Default `mean`. */
  readonly pooling?: (typeof POOLINGS)[number];
  /** Put before each text of its kind, for example `query: ` and `passage: ` for the E5 models. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  /** Texts in one run. Default 16; always 1 with `last_token`. */
  readonly batchSize?: number;
}

/** One row a text. */
export interface Extractor {
  (
    texts: string[],
    options: { pooling: (typeof POOLINGS)[number]; normalize: boolean },
  ): Promise<{ readonly data: ArrayLike<unknown>; readonly dims: readonly number[] }>;
  dispose(): Promise<unknown>;
}
/** The part of the package that is used. */
export interface TransformersPackage {
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: (typeof DTYPES)[number]; local_files_only: boolean },
  ): Promise<Extractor>;
}
type Load = () => Promise<TransformersPackage>;

/**
 * An embedder over a `feature-extraction` pipeline; one run at a time. Whatever makes other vectors
 * of one model (`dtype`, `pooling`, the prefixes) is part of the name of its space. Nothing is
 * loaded before the first `embed`, which throws `INFERENCE.MISSING_PACKAGE` without the package,
 * `INFERENCE.UNAVAILABLE` where the model cannot be loaded or run, `INFERENCE.DIMENSIONS` for
 * vectors of another size, `CONNECTOR.DEADLINE` when aborted (a run under way ends by itself),
 * `CONNECTOR.CLOSED` after `close`. Texts longer than the model reads are cut by it.
 *
 * @throws `CONFIG.INVALID_VALUE` at once for an option that cannot work.
 */
export function transformersEmbedder(
  options: TransformersEmbedderOptions,
  load: Load = () => import('@huggingface/transformers').catch(rethrown),
): Embedder {
  checkOptions(transformersProvider, options);
  const space: EmbeddingSpace = {
    provider: 'transformers',
    model: modelName(options),
    dimensions: options.dimensions,
  };
  const prefixes = { query: options.queryPrefix ?? '', document: options.documentPrefix ?? '' };
  let opened: Promise<Extractor> | undefined;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const run = async (
    batch: readonly string[],
    { kind, signal }: EmbedOptions,
  ): Promise<readonly (readonly number[])[]> => {
    throwIfAborted(signal);
    if (isClosed) throw closedError(space);
    opened ??= openModel(options, { space, load });
    const extractor = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    throwIfAborted(signal);
    return runBatch(extractor, {
      space,
      texts: batch.map((text) => prefixes[kind] + text),
      pooling: options.pooling ?? 'mean',
    });
  };

  return {
    space,
    async embed(texts, embedOptions) {
      const vectors: (readonly number[])[] = [];
      // Shorter texts of a run are padded at their end, where the last token would be looked for.
      const size = options.pooling === 'last_token' ? 1 : (options.batchSize ?? 16);
      for (let at = 0; at < texts.length; at += size) {
        const mine = turn.then(() => run(texts.slice(at, at + size), embedOptions));
        turn = mine.catch(() => undefined);
        vectors.push(...(await untilAborted(mine, embedOptions.signal)));
      }
      return vectors;
    },
    async close() {
      isClosed = true;
      await turn;
      const extractor = await opened?.catch(() => undefined);
      opened = undefined;
      await extractor?.dispose();
    },
  };
}

/** A run cannot be stopped: who gives up leaves it behind, and the next one waits for it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  throwIfAborted(signal);
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

async function openModel(
  options: TransformersEmbedderOptions,
  { space, load }: { readonly space: EmbeddingSpace; readonly load: Load },
): Promise<Extractor> {
  const { pipeline } = await load().catch((cause: unknown) => {
    throw new ContextEngineError('INFERENCE.MISSING_PACKAGE', {
      message:
        'The `transformers` embedder needs the package `@huggingface/transformers`, which is ' +
        'not installed.',
      fix: 'Run `npm install @huggingface/transformers@4.3.1`, or use the built-in embedder.',
      cause,
    });
  });
  try {
    return await pipeline(
      'feature-extraction',
      options.localPath === undefined ? options.model : resolve(options.localPath),
      {
        dtype: options.dtype ?? 'fp32',
        local_files_only: options.localPath !== undefined,
      },
    );
  } catch (cause) {
    const fix = options.localPath
      ? 'Check that `localPath` is the folder of the model, with config.json, tokenizer.json ' +
        'and onnx/, and that it has weights of this `dtype`.'
      : 'Check `model` and the network, or download the model and name its folder as `localPath`.';
    throw unavailable(space, { what: 'could not be loaded', fix, cause });
  }
}

async function runBatch(
  extractor: Extractor,
  {
    space,
    texts,
    pooling,
  }: {
    readonly space: EmbeddingSpace;
    readonly texts: string[];
    readonly pooling: (typeof POOLINGS)[number];
  },
): Promise<readonly (readonly number[])[]> {
  const { data, dims } = await extractor(texts, { pooling, normalize: false }).catch(
    (cause: unknown) => {
      throw unavailable(space, {
        what: 'failed',
        fix: 'Check that the model is one for feature extraction.',
        cause,
      });
    },
  );
  const [rows = 0, width = 0] = dims;
  if (dims.length !== 2 || rows !== texts.length || data.length !== rows * width) {
    const what = `gave a tensor of \`${dims.join(' x ')}\` for \`${texts.length}\` texts`;
    throw unavailable(space, {
      what,
      fix: 'Choose a model for feature extraction whose tokens are pooled.',
      cause: undefined,
    });
  }
  return texts.map((_, row) =>
    toUnit(
      Array.from({ length: width }, (_, column) => data[row * width + column]),
      space,
    ),
  );
}

/**
 * `model`, and what differs from the defaults: `Xenova/multilingual-e5-small;q8;prefix-1f2e3d4c`.
 */
function modelName({
  model,
  dtype = 'fp32',
  pooling = 'mean',
  queryPrefix = '',
  documentPrefix = '',
}: TransformersEmbedderOptions): string {
  const prefixes = createHash('sha256')
    .update(`${queryPrefix}\0${documentPrefix}`)
    .digest('hex')
    .slice(0, 8);
  return [
    model,
    ...(dtype === 'fp32' ? [] : [dtype]),
    ...(pooling === 'mean' ? [] : [pooling]),
    ...(queryPrefix + documentPrefix === '' ? [] : [`prefix-${prefixes}`]),
  ].join(';');
}

const unavailable = (
  space: EmbeddingSpace,
  { what, fix, cause }: { readonly what: string; readonly fix: string; readonly cause: unknown },
): ContextEngineError => {
  const reason =
    cause === undefined ? '' : `: \`${shown(cause instanceof Error ? cause.message : cause)}\``;
  return new ContextEngineError('INFERENCE.UNAVAILABLE', {
    message: `The model of \`${spaceName(space)}\` ${what}${reason}.`,
    fix,
    cause,
  });
};
const closedError = (space: EmbeddingSpace): ContextEngineError =>
  new ContextEngineError('CONNECTOR.CLOSED', {
    message: `The embedder of \`${spaceName(space)}\` was closed.`,
    fix: 'Make a new embedder, or close this one later.',
  });

const oneOf = (names: readonly string[]): OptionFacts => ({
  type: 'string',
  enum: names,
  fix: `Use one of ${names.map((name) => `\`${name}\``).join(', ')}.`,
});
const PREFIX: OptionFacts = { type: 'string', fix: 'Pass a text, or leave it out.' };

export const transformersProvider: EmbedderProvider<'transformers', TransformersEmbedderOptions> = {
  name: 'transformers',
  package: '@huggingface/transformers',
  options: {
    ...MODEL_OPTIONS,
    localPath: {
      ...text(),
      fix: 'Give the folder of the model, or leave `localPath` out.',
      isPath: true,
    },
    dtype: oneOf(DTYPES),
    pooling: oneOf(POOLINGS),
    queryPrefix: PREFIX,
    documentPrefix: PREFIX,
    batchSize: { ...atLeast('batchSize', 1), isCode: true },
  },
  create: (options) => transformersEmbedder(options),
};
