import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/inference/embedder.ts';
import { type OpenaiEmbedderOptions, openaiEmbedder } from '../../src/inference/openai-embedder.ts';

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly dimensions?: number;
    readonly encoding_format: string;
  };
}
type Answer = (response: ServerResponse, asked: Asked) => void;

let server: Server;
let answers: Answer[];
let asked: Asked[];
let embedder: Embedder;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
};
const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
};
/** The length of the text stands in the vector, so that the order can be seen. */
const vectorOf = (text: string): number[] => [text.length, 1, 0];
const fine: Answer = (response, { body }) =>
  json(response, 200, {
    data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })),
  });
const failing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    json(response, status, { error: { message: `failure ${status}` } }, headers);
const open = (options: Partial<OpenaiEmbedderOptions> = {}): Embedder => {
  const { port } = server.address() as AddressInfo;
  embedder = openaiEmbedder({
    model: 'test-model',
    dimensions: 3,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'sk-secret-key',
    maxRetries: 0,
    timeoutMs: 5000,
    ...options,
  });
  return embedder;
};
const embed = (texts: readonly string[], signal?: AbortSignal) =>
  embedder.embed(texts, { kind: 'document', ...(signal && { signal }) });

beforeEach(async () => {
  answers = [];
  asked = [];
  server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request));
    const question = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body,
    };
    asked.push(question);
    (answers.shift() ?? fine)(response, question);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await embedder?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('openaiEmbedder', () => {
  it('asks the endpoint in batches and gives unit vectors in order', async () => {
    open({ batchSize: 2 });
    const vectors = await embed(['a', 'bbb', 'cc']);
    expect(asked.map(({ body }) => body.input)).toEqual([['a', 'bbb'], ['cc']]);
    expect(asked[0]).toMatchObject({
      path: '/v1/embeddings',
      authorization: 'Bearer sk-secret-key',
      body: { model: 'test-model', encoding_format: 'float' },
    });
    expect(asked[0]?.body).not.toHaveProperty('dimensions');
    vectors.forEach((vector, index) => {
      const length = [1, 3, 2][index] ?? 0;
      expect(vector[0]).toBeCloseTo(length / Math.hypot(length, 1), 6);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    });
  });

  it('asks nothing for no texts, and asks models that can shorten their vectors to do so', async () => {
    open({ model: 'text-embedding-3-small' });
    expect(await embed([])).toEqual([]);
    expect(asked).toEqual([]);
    await embed(['x']);
    expect(asked[0]?.body.dimensions).toBe(3);
  });

  it('puts vectors where their index says', async () => {
    open();
    answers = [
      (response) =>
        json(response, 200, {
          data: [
            { index: 1, embedding: [0, 0, 2] },
            { index: 0, embedding: [5, 0, 0] },
          ],
        }),
    ];
    expect(await embed(['a', 'b'])).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
  });

  it('sends what servers accept of empty, very long and broken texts', async () => {
    open();
    await embed(['', 'x'.repeat(100_000), `${'y'.repeat(7999)}😀`]);
    expect(asked[0]?.body.input.map((text) => text.length)).toEqual([1, 8000, 8000]);
    expect(asked[0]?.body.input[2]?.endsWith('y\ufffd')).toBe(true);
  });

  it('waits for `retry-after` when it is too fast, and tries again after a failure', async () => {
    open({ maxRetries: 2 });
    answers = [failing(429, { 'retry-after-ms': '1' }), failing(500, { 'retry-after-ms': '1' })];
    expect(await embed(['a'])).toHaveLength(1);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['query', 2],
    ['document', 3],
  ] as const)(
    'makes so many attempts for a %s when it is not told how many: %i',
    async (kind, attempts) => {
      const { port } = server.address() as AddressInfo;
      embedder = openaiEmbedder({
        model: 'm',
        dimensions: 3,
        baseUrl: `http://127.0.0.1:${port}/v1`,
      });
      answers = Array.from({ length: 4 }, () => failing(500, { 'retry-after-ms': '1' }));
      await expect(embedder.embed(['a'], { kind })).rejects.toMatchObject({
        code: 'INFERENCE.UNAVAILABLE',
      });
      expect(asked).toHaveLength(attempts);
    },
  );

  it.each([
    [429, 'batchSize'],
    [500, 'Try again'],
    [404, 'model'],
    [400, 'dimensions'],
  ])('says what to do about %i', async (status, fix) => {
    open();
    answers = [failing(status)];
    await expect(embed(['a'])).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining(`answered ${status}`),
      fix: expect.stringContaining(fix),
      meta: { status },
    });
  });

  it.each([401, 403])('says of %i that trying again does not help', async (status) => {
    open({ maxRetries: 2 });
    answers = [failing(status), failing(status)];
    await expect(embed(['a'])).rejects.toMatchObject({
      code: 'INFERENCE.REFUSED',
      retryable: false,
      message: expect.stringContaining(`answered ${status}`),
      fix: expect.stringContaining('apiKey'),
      meta: { status },
    });
    expect(asked).toHaveLength(1);
  });

  it('never shows the key', async () => {
    open();
    answers = [
      (response, { authorization }) =>
        json(response, 401, { error: { message: `bad key ${authorization}` } }),
    ];
    const error = await embed(['a']).catch((reason: unknown) => reason);
    expect(JSON.stringify(error)).toContain('bad key Bearer ***');
    expect(JSON.stringify(error)).not.toContain('sk-secret-key');
  });

  it.each<[string, Answer, string, string]>([
    [
      'vectors of another space',
      (r) => json(r, 200, { data: [{ index: 0, embedding: [1, 2] }] }),
      'INFERENCE.DIMENSIONS',
      '2 dimensions',
    ],
    [
      'a vector with a hole',
      (r) => json(r, 200, { data: [{ index: 0, embedding: [1, null, 2] }] }),
      'INFERENCE.DIMENSIONS',
      'Dimension 1',
    ],
    [
      'a vector without direction',
      (r) => json(r, 200, { data: [{ index: 0, embedding: [0, 0, 0] }] }),
      'INFERENCE.DIMENSIONS',
      'length `0`',
    ],
    [
      'a short answer',
      (r) => json(r, 200, { data: [] }),
      'INFERENCE.UNAVAILABLE',
      '`0` vectors for `1` texts',
    ],
    [
      'too many vectors',
      (r) => json(r, 200, { data: [{ embedding: [1, 0, 0] }, { embedding: [1, 0, 0] }] }),
      'INFERENCE.UNAVAILABLE',
      '`2` vectors for `1` texts',
    ],
    [
      'an answer of another kind',
      (r) => json(r, 200, { object: 'list' }),
      'INFERENCE.UNAVAILABLE',
      'answered with',
    ],
    [
      'malformed JSON',
      (r) => json(r, 200, '{"data": [{"embed'),
      'INFERENCE.UNAVAILABLE',
      'could not be used',
    ],
    [
      'a web page',
      (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'INFERENCE.UNAVAILABLE',
      '<html>',
    ],
    ['a dropped connection', (r) => r.destroy(), 'INFERENCE.UNAVAILABLE', 'could not be used'],
  ])('refuses %s', async (_, answer, code, message) => {
    open();
    answers = [answer];
    await expect(embed(['a'])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('gives up when an answer takes too long', async () => {
    open({ timeoutMs: 30 });
    answers = [() => undefined];
    await expect(embed(['a'])).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      fix: expect.stringContaining('timeoutMs'),
    });
  });

  it('stops when its caller does, or when it is closed', async () => {
    open();
    const controller = new AbortController();
    answers = [() => controller.abort(), () => void embedder.close()];
    await expect(embed(['a'], controller.signal)).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
    await expect(embed(['a'], controller.signal)).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
    expect(asked).toHaveLength(1);
    await expect(embed(['a'])).rejects.toMatchObject({ code: 'CONNECTOR.CLOSED' });
    await expect(embed(['a'])).rejects.toMatchObject({ code: 'CONNECTOR.CLOSED' });
    expect(asked).toHaveLength(2);
  });

  it('says how to install the package where it is missing', async () => {
    embedder = openaiEmbedder({ model: 'm', dimensions: 3 }, async () => {
      throw Object.assign(new Error("Cannot find package 'openai'"), {
        code: 'ERR_MODULE_NOT_FOUND',
      });
    });
    await expect(embed(['a'])).rejects.toMatchObject({
      code: 'INFERENCE.MISSING_PACKAGE',
      fix: expect.stringContaining('npm install openai`'),
    });
  });

  it.each<[string, Partial<OpenaiEmbedderOptions>]>([
    ['model', { model: ' ' }],
    ['dimensions', { dimensions: 0 }],
    ['dimensions', { dimensions: 1.5 }],
    ['baseUrl', { baseUrl: 'localhost:11434' }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['maxRetries', { maxRetries: Number.NaN }],
    ['batchSize', { batchSize: 0 }],
  ])('refuses a bad %s before anything is sent', (field, options) => {
    expect(() => openaiEmbedder({ model: 'm', dimensions: 3, ...options })).toThrow(
      expect.objectContaining({ code: 'CONFIG.INVALID_VALUE', where: { field } }),
    );
  });
});
