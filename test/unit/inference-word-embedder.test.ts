import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmbedder } from '../../src/inference/create-embedder.ts';
import { spaceName } from '../../src/inference/embedder.ts';
import { wordEmbedder } from '../../src/inference/word-embedder.ts';
import { loadWordTable, ROW_LENGTH, readWordTable } from '../../src/inference/word-table.ts';

const embedder = wordEmbedder();
const embed = async (...texts: string[]): Promise<readonly (readonly number[])[]> =>
  embedder.embed(texts, { kind: 'document' });
const cosine = async (a: string, b: string): Promise<number> => {
  const [x = [], y = []] = await embed(a, b);
  return x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
};

function littleEndian(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes;
}

describe('the word table', () => {
  it('has a row and a scale for each of its 30,000 words, the most frequent first', async () => {
    const { rows, vectors, scales } = await loadWordTable();
    expect(rows.size).toBe(30_000);
    expect(vectors).toHaveLength(30_000 * ROW_LENGTH);
    expect(scales).toHaveLength(30_000);
    expect(['the', 'of', 'car', 'moby'].map((word) => rows.get(word))).toEqual([0, 1, 528, 29_999]);
    expect(scales.every((scale) => scale > 0 && scale < 0.01)).toBe(true);
  });

  it('uses the whole byte in every row', async () => {
    const { vectors } = await loadWordTable();
    const greatest = Array.from({ length: 30_000 }, (_, row) =>
      vectors
        .subarray(row * ROW_LENGTH, (row + 1) * ROW_LENGTH)
        .reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    );
    expect(new Set(greatest)).toEqual(new Set([127]));
  });

  it('says so when its files are not what they should be', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'word-table-'));
    const url = pathToFileURL(`${folder}/`);
    await expect(readWordTable(url)).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      message: /ENOENT/,
    });
    await writeFile(join(folder, 'vocab.txt'), 'the\nof\n');
    await writeFile(join(folder, 'vectors.i8'), new Int8Array(2 * ROW_LENGTH - 1));
    await writeFile(join(folder, 'scales.f32'), new Uint8Array(8));
    await expect(readWordTable(url)).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      message: /2 words, 511 bytes/,
    });
    await writeFile(join(folder, 'vectors.i8'), new Int8Array(2 * ROW_LENGTH));
    expect((await readWordTable(url)).rows.get('of')).toBe(1);
  });
});

describe('wordEmbedder', () => {
  it('is the built-in choice and names its space', () => {
    expect(spaceName(embedder.space)).toBe('builtin/use-static-30k.2/256');
    expect(createEmbedder('builtin', () => 0)?.space).toEqual(embedder.space);
  });

  it('stays the same from release to release', async () => {
    const texts = [
      'The beta starts on 1 March.',
      'parseHTTPRequest2 returns null',
      '我喜欢机器学习',
      '',
    ];
    const vectors = await embed(...texts);
    const beginnings = vectors.map((vector) => vector.slice(0, 4).map((value) => value.toFixed(6)));
    expect(beginnings).toMatchInlineSnapshot(`
      [
        [
          "-0.048169",
          "-0.087118",
          "0.111218",
          "0.052300",
        ],
        [
          "-0.129226",
          "-0.015204",
          "-0.037312",
          "0.039426",
        ],
        [
          "0.000000",
          "0.000000",
          "-0.100000",
          "-0.100000",
        ],
        [
          "0.000000",
          "0.000000",
          "0.000000",
          "0.000000",
        ],
      ]
    `);
    // Every bit of every vector: another digest is another space, which needs another name.
    expect(
      createHash('sha256').update(littleEndian(vectors.flat())).digest('hex'),
    ).toMatchInlineSnapshot(`"efaed20d3be0c4a674ee44ac394f9a269756e303e15a5c239aeca5beaf206330"`);
  });

  it('measures meaning', async () => {
    expect(await cosine('car', 'automobile')).toBeGreaterThan(0.5);
    expect(await cosine('She bought a new car', 'her automobile is brand new')).toBeGreaterThan(
      0.4,
    );
    expect(await cosine('My dog is ill', 'the puppy is sick')).toBeGreaterThan(
      await cosine('My dog is ill', 'the train was late'),
    );
    expect(Math.abs(await cosine('car', 'opera'))).toBeLessThan(0.25);
  });

  it('reads through case, marks, possessives and contractions', async () => {
    const [plain] = await embed('Anna bought a dog');
    expect((await embed('ANNA BOUGHT A DOG!'))[0]).toEqual(plain);
    expect((await embed("Anna's cat"))[0]).toEqual((await embed('anna cat'))[0]);
    expect((await embed('Anna’s cat'))[0]).toEqual((await embed('anna cat'))[0]);
    expect((await embed("I don't dance"))[0]).toEqual((await embed('not dance'))[0]);
    expect((await embed('ＣＡＦÉ'))[0]).toEqual((await embed('cafe'))[0]);
  });

  it('reads the parts of an identifier', async () => {
    expect(await cosine('getUserAccount', 'the account of a user')).toBeGreaterThan(0.5);
    expect(await cosine('user_account_table', 'userAccountTable')).toBeGreaterThan(0.99);
  });

  it('knows words outside the table by identity', async () => {
    expect(await cosine('Zyxxor', 'zyxxor')).toBeCloseTo(1, 6);
    expect(await cosine('zyxxor', 'zyxxors')).toBeCloseTo(1, 6);
    expect(Math.abs(await cosine('zyxxor', 'qwrtzp'))).toBeLessThan(0.4);
    expect(await cosine('机器学习很好', '我喜欢机器学习')).toBeGreaterThan(0.4);
    expect(await cosine('Миграция базы данных', 'миграция данных')).toBeGreaterThan(0.6);
  });

  it('gives texts without a word one vector of their own', async () => {
    const [empty, blank, marks, single, word] = await embed('', '  \n', '?!', 'a', 'word');
    expect([blank, marks, single]).toEqual([empty, empty, empty]);
    expect(word).not.toEqual(empty);
  });

  it('gives the same for queries and documents, alone and in company', async () => {
    const texts = ['one text', 'another one'];
    const together = await embed(...texts);
    expect(await wordEmbedder().embed(texts, { kind: 'query' })).toEqual(together);
    expect((await embed('another one'))[0]).toEqual(together[1]);
  });

  it('gives unit vectors in single precision for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 4 }),
        async (texts) => {
          const vectors = await embed(...texts);
          expect(vectors).toHaveLength(texts.length);
          for (const vector of vectors) {
            expect(vector).toHaveLength(ROW_LENGTH);
            expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
            expect(vector.every((value) => Math.fround(value) === value)).toBe(true);
          }
        },
      ),
    );
  });

  it('reads long texts only so far', async () => {
    const start = 'lorem ipsum dolor '.repeat(8000);
    const [clipped, longer] = await embed(start, `${start}${'sit amet '.repeat(100_000)}`);
    expect(longer).toEqual(clipped);
  });

  it('stops for a signal that has fired, before and while the table is read', async () => {
    await expect(
      embedder.embed(['x'], { kind: 'query', signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
    const controller = new AbortController();
    const slow = wordEmbedder(async () => {
      controller.abort();
      return loadWordTable();
    });
    await expect(
      slow.embed(['x'], { kind: 'query', signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE' });
  });
});
