import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spaceName } from '../../src/inference/embedder.ts';
import { hashEmbedder } from '../../src/inference/hash-embedder.ts';

const embedder = hashEmbedder();
const embed = async (...texts: string[]): Promise<readonly (readonly number[])[]> => embedder.embed(texts, { kind: 'document' });
const cosine = async (a: string, b: string): Promise<number> => {
  const [x = [], y = []] = await embed(a, b);
  return x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
};

describe('hashEmbedder', () => {
  it('names its space honestly', () => {
    expect(spaceName(embedder.space)).toBe('builtin/signed-hash-v1/256');
  });

  it('gives unit vectors for any text, and the same ones again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 4 }), async (texts) => {
        const vectors = await embed(...texts);
        expect(vectors).toHaveLength(texts.length);
        for (const vector of vectors) {
          expect(vector).toHaveLength(256);
          expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
          expect(vector.every((value) => Math.fround(value) === value)).toBe(true);
        }
        expect(await hashEmbedder().embed(texts, { kind: 'query' })).toEqual(vectors);
      }),
    );
  });

  it('stays the same from release to release', async () => {
    const [vector = []] = await embed('The beta starts on 1 March.');
    const places = vector.flatMap((value, index) => (value === 0 ? [] : [`${index}:${value.toFixed(4)}`]));
    expect(places).toMatchInlineSnapshot(`
      [
        "9:-0.2383",
        "14:-0.3972",
        "16:0.3972",
        "39:-0.3972",
        "66:0.3972",
        "73:-0.3574",
        "143:0.2383",
        "174:-0.3574",
      ]
    `);
  });

  it('measures shared words, not meaning', async () => {
    expect(await cosine('We planned the export feature', 'planning exports, a feature')).toBeGreaterThan(0.9);
    expect(await cosine('When does the beta start?', 'The beta starts on 1 March.')).toBeGreaterThan(0.5);
    expect(Math.abs(await cosine('car', 'automobile'))).toBeLessThan(0.2);
  });

  it('gives texts without a letter or digit one vector of their own', async () => {
    const [empty, blank, marks, word] = await embed('', '  \n', '?!', 'word');
    expect(blank).toEqual(empty);
    expect(marks).toEqual(empty);
    expect(word).not.toEqual(empty);
  });

  it('reads long texts only so far', async () => {
    const start = 'lorem ipsum dolor '.repeat(8000);
    const [clipped, longer] = await embed(start, `${start}${'sit amet '.repeat(100_000)}`);
    expect(longer).toEqual(clipped);
  });

  it('stops for a signal that has fired', async () => {
    await expect(embedder.embed(['x'], { kind: 'query', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
  });
});
