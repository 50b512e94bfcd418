/**
 * How alike an embedding space finds what is new and what is said again: what the default of
 * `writing.near_duplicate` of the space is read from (`src/inference/near-duplicate.ts`).
 *
 *     node scripts/measure-near-duplicate.mjs                       the built-in space
 *     node scripts/measure-near-duplicate.mjs --embedder '{"provider":"transformers","model":…}'
 *
 * For each threshold: of 100 updates (`minimal-pairs.txt`), how many likeness alone would drop, and
 * how many likeness and the words together; the same of 100 paraphrases, which should be known.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agree, dot, readingOf, saysNoMore } from '../dist/src/capture/compare/likeness.js';
import { toStatement } from '../dist/src/capture/sentences/statement.js';
import { createEmbedder } from '../dist/src/inference/create-embedder.js';
import { spaceName } from '../dist/src/inference/embedder.js';
import { nearDuplicateOf } from '../dist/src/inference/near-duplicate.js';

const THRESHOLDS = [0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.98];

const { values } = parseArgs({ options: { embedder: { type: 'string', default: '"builtin"' } } });
const embedder = createEmbedder(JSON.parse(values.embedder), () => performance.now());
if (!embedder) throw new Error('Name an embedder that makes vectors: `off` has no space.');

const pairsOf = (name) =>
  readFileSync(new URL(`../test/support/fixtures/capture/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((text) => toStatement(text, 'Ada')));

async function measured(pairs) {
  const vectors = await embedder.embed(pairs.flat(), { kind: 'document' });
  return pairs.map(([a, b], index) => {
    const [one, other] = [{ content: a }, { content: b }];
    const isSaid = saysNoMore(other, one) || saysNoMore(one, other);
    return {
      cosine: dot(vectors[2 * index], vectors[2 * index + 1]),
      isAgreed: agree(readingOf(one), readingOf(other)) && isSaid,
    };
  });
}

const [updates, paraphrases] = await Promise.all(
  ['minimal-pairs', 'paraphrases'].map((name) => measured(pairsOf(name))),
);
await embedder.close();

const over = (pairs, least) => pairs.filter(({ cosine }) => cosine >= least);
const agreed = (pairs) => pairs.filter(({ isAgreed }) => isAgreed).length;
console.log(`${spaceName(embedder.space)}: ${nearDuplicateOf(embedder.space)} by default`);
console.log('from   updates  with words   paraphrases  with words');
for (const least of THRESHOLDS) {
  const [news, same] = [over(updates, least), over(paraphrases, least)];
  const cells = [news.length, agreed(news), same.length, agreed(same)];
  console.log(least.toFixed(2), ...cells.map((cell) => String(cell).padStart(11)));
}
