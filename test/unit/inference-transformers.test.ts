import { describe, expect, it } from 'vitest';
import { createEmbedder } from '../../src/inference/create-embedder.ts';
import { type Embedder, spaceName } from '../../src/inference/embedder.ts';
import {
  type Extractor,
  type TransformersEmbedderOptions,
  type TransformersPackage,
  transformersEmbedder,
} from '../../src/inference/transformers-embedder.ts';

/**
 * A double of `@huggingface/transformers`, true to its contract as of 4.3.1
 * (src/composes/feature-extraction.js): a callable that gives one tensor [texts, dimensions] for a
 * list of texts. The real package needs weights, which no test downloads.
 */
interface Double {
  readonly load: () => Promise<TransformersPackage>;
  readonly opened: unknown[][];
  readonly runs: { readonly texts: readonly string[]; readonly options: unknown }[];
  readonly disposed: () => number;
}
type Run = (
  texts: readonly string[],
) => Promise<{ readonly data: ArrayLike<unknown>; readonly dims: readonly number[] }>;

/** The length of the text stands in the vector, so that the order can be seen. */
const lengths: Run = async (texts) => ({
  data: Float32Array.from(texts.flatMap((text) => [text.length, 1, 0])),
  dims: [texts.length, 3],
});

function doubleOf(run: Run = lengths): Double {
  const opened: unknown[][] = [];
  const runs: Double['runs'] = [];
  let disposals = 0;
  const extract = async (texts: string[], options: unknown): ReturnType<Run> => {
    runs.push({ texts, options });
    return run(texts);
  };
  const extractor: Extractor = Object.assign(extract, {
    dispose: async () => {
      disposals += 1;
    },
  });
  const pipeline = async (...asked: unknown[]): Promise<Extractor> => {
    opened.push(asked);
    return extractor;
  };
  return { load: async () => ({ pipeline }), opened, runs, disposed: () => disposals };
}

const OPTIONS: TransformersEmbedderOptions = { model: 'Xenova/test-model', dimensions: 3 };
const make = (double: Double, options: Partial<TransformersEmbedderOptions> = {}): Embedder =>
  transformersEmbedder({ ...OPTIONS, ...options }, double.load);
const DOCUMENT = { kind: 'document' } as const;

describe('transformersEmbedder', () => {
  it('loads the model at the first text and once, and gives unit vectors in order', async () => {
    const double = doubleOf();
    const embedder = make(double, { batchSize: 2 });
    expect(double.opened).toEqual([]);
    const vectors = await embedder.embed(['a', 'bbbb', 'cc'], DOCUMENT);
    await embedder.embed(['d'], DOCUMENT);
    expect(double.opened).toEqual([
      ['feature-extraction', 'Xenova/test-model', { dtype: 'fp32', local_files_only: false }],
    ]);
    expect(double.runs.map(({ texts }) => texts)).toEqual([['a', 'bbbb'], ['cc'], ['d']]);
    expect(double.runs[0]?.options).toEqual({ pooling: 'mean', normalize: false });
    expect(vectors.map(([x = 0, y = 0]) => Math.round(x / y))).toEqual([1, 4, 2]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(await embedder.embed([], DOCUMENT)).toEqual([]);
  });

  it('reads a local folder and nothing else where one is named', async () => {
    const double = doubleOf();
    await make(double, { localPath: '/models/mini', dtype: 'q8', pooling: 'cls' }).embed(
      ['a'],
      DOCUMENT,
    );
    expect(double.opened).toEqual([
      [
        'feature-extraction',
        expect.stringMatching(/models.mini$/),
        { dtype: 'q8', local_files_only: true },
      ],
    ]);
    expect(double.runs[0]?.options).toEqual({ pooling: 'cls', normalize: false });
  });

  it('runs texts one by one where the last token counts, which padding would hide', async () => {
    const double = doubleOf();
    await make(double, { pooling: 'last_token', batchSize: 8 }).embed(['a', 'bb'], DOCUMENT);
    expect(double.runs.map(({ texts }) => texts)).toEqual([['a'], ['bb']]);
  });

  it('puts the prefix of its kind before each text', async () => {
    const double = doubleOf();
    const embedder = make(double, { queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    await embedder.embed(['a'], { kind: 'query' });
    await embedder.embed(['b'], DOCUMENT);
    expect(double.runs.map(({ texts }) => texts)).toEqual([['query: a'], ['passage: b']]);
  });

  it('names another space for whatever makes other vectors', () => {
    const named = (options: Partial<TransformersEmbedderOptions>) =>
      spaceName(make(doubleOf(), options).space);
    expect(named({})).toBe('transformers/Xenova/test-model/3');
    expect(named({ localPath: 'x', batchSize: 1, dtype: 'fp32' })).toBe(
      'transformers/Xenova/test-model/3',
    );
    expect(named({ dtype: 'q8', pooling: 'cls' })).toBe('transformers/Xenova/test-model;q8;cls/3');
    const prefixed = named({ queryPrefix: 'query: ' });
    expect(prefixed).toMatch(/^transformers\/Xenova\/test-model;prefix-[0-9a-f]{8}\/3$/);
    expect(named({ documentPrefix: 'query: ' })).not.toBe(prefixed);
  });

  it.each<[string, Run, string, RegExp]>([
    [
      'other dimensions',
      async (texts) => ({
        data: new Float32Array(texts.length * 2).fill(1),
        dims: [texts.length, 2],
      }),
      'INFERENCE.DIMENSIONS',
      /2 dimensions/,
    ],
    [
      'tokens that are not pooled',
      async (texts) => ({ data: new Float32Array(texts.length * 6), dims: [texts.length, 2, 3] }),
      'INFERENCE.UNAVAILABLE',
      /`1 x 2 x 3`/,
    ],
    [
      'too few rows',
      async () => ({ data: new Float32Array(0), dims: [0, 3] }),
      'INFERENCE.UNAVAILABLE',
      /`0 x 3` for `1` texts/,
    ],
    [
      'a number that is none',
      async () => ({ data: [Number.NaN, 1, 1], dims: [1, 3] }),
      'INFERENCE.DIMENSIONS',
      /NaN/,
    ],
    [
      '64-bit integers',
      async () => ({ data: BigInt64Array.of(1n, 2n, 3n), dims: [1, 3] }),
      'INFERENCE.DIMENSIONS',
      /`1`/,
    ],
    [
      'a failure',
      async () => Promise.reject(new Error('invalid input')),
      'INFERENCE.UNAVAILABLE',
      /failed: `invalid input`/,
    ],
  ])('refuses %s', async (_, run, code, message) => {
    await expect(make(doubleOf(run)).embed(['a'], DOCUMENT)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('says how to get the package, and tries again when it is there', async () => {
    const double = doubleOf();
    let isInstalled = false;
    const embedder = transformersEmbedder(OPTIONS, () =>
      isInstalled ? double.load() : Promise.reject(new Error('Cannot find package')),
    );
    await expect(embedder.embed(['a'], DOCUMENT)).rejects.toMatchObject({
      code: 'INFERENCE.MISSING_PACKAGE',
      fix: expect.stringContaining('npm install @huggingface/transformers@'),
    });
    isInstalled = true;
    expect(await embedder.embed(['a'], DOCUMENT)).toHaveLength(1);
  });

  it('names the folder or the network when the model cannot be loaded', async () => {
    const load = async () => ({
      pipeline: () => Promise.reject(new Error('local file missing at onnx/model.onnx')),
    });
    const failure = (options: Partial<TransformersEmbedderOptions>) =>
      transformersEmbedder({ ...OPTIONS, ...options }, load).embed(['a'], DOCUMENT);
    await expect(failure({ localPath: 'x' })).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      message: /onnx\/model\.onnx/,
      fix: /localPath/,
    });
    await expect(failure({})).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      fix: /network/,
    });
  });

  it('is left by who aborts at once; the run ends by itself, and the next waits for it', async () => {
    let finish: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const double = doubleOf(async (texts) => {
      if (texts[0] === 'slow') await held;
      return lengths(texts);
    });
    const embedder = make(double);
    const controller = new AbortController();
    const slow = embedder.embed(['slow'], { kind: 'document', signal: controller.signal });
    const next = embedder.embed(['next'], DOCUMENT);
    controller.abort();
    await expect(slow).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE' });
    finish();
    expect(await next).toHaveLength(1);
    await expect(
      embedder.embed(['x'], { kind: 'query', signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
    expect(double.runs.map(({ texts }) => texts).filter(([text]) => text === 'x')).toEqual([]);
  });

  it('lets go of the model when closed, and is closed then', async () => {
    const double = doubleOf();
    const embedder = make(double);
    await embedder.embed(['a'], DOCUMENT);
    await embedder.close();
    await embedder.close();
    expect(double.disposed()).toBe(1);
    await expect(embedder.embed(['a'], DOCUMENT)).rejects.toMatchObject({
      code: 'CONNECTOR.CLOSED',
    });
    await make(doubleOf()).close();
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['model', { model: ' ' }],
    ['dimensions', { dimensions: 0 }],
    ['batchSize', { batchSize: 1.5 }],
    ['localPath', { localPath: '' }],
    ['dtype', { dtype: 'q9' }],
    ['pooling', { pooling: 'none' }],
  ])('refuses a %s that cannot work, at once', (field, wrong) => {
    // What arrives from a config file is not typed.
    const options = { ...OPTIONS, ...wrong } as TransformersEmbedderOptions;
    expect(() => transformersEmbedder(options)).toThrow(
      expect.objectContaining({ code: 'CONFIG.INVALID_VALUE', where: { field } }),
    );
  });

  it('is a choice of the engine', () => {
    const embedder = createEmbedder({ provider: 'transformers', ...OPTIONS }, () => 0);
    expect(embedder?.space).toEqual({
      provider: 'transformers',
      model: 'Xenova/test-model',
      dimensions: 3,
    });
  });
});
