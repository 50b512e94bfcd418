/**
 * Trains the classifier of the gate of capture on the labelled lines of `eval/data/capture/gate/`.
 *
 *     node scripts/train-gate.mjs            writes src/capture/classifier/weights/
 *     node scripts/train-gate.mjs --folds    each file by what the others taught, nothing written
 *
 * Softmax regression by AdaGrad (Duchi et al. 2011), with an L2 penalty: the same lines give the
 * same bytes. A file holds the lines of a few people of its own, so the folds say how well it
 * judges people that it was not taught by.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  BUCKETS,
  bucketsOf,
  DIRECTIONS,
  directionOf,
  FEATURES_VERSION,
} from '../dist/src/capture/classifier/features.js';
import { wordTableNow } from '../dist/src/inference/word-table.js';
import { sequence, shuffle } from './training-order.mjs';

const DATA = new URL('../eval/data/capture/gate/', import.meta.url);
const TALKS = new URL('../eval/data/capture/succession/', import.meta.url);
/** There are as many as of all others together, and each is to be kept. */
const WEIGHT_OF_STATE = 0.08;
const WEIGHTS = new URL('../src/capture/classifier/weights/', import.meta.url);
const KEEPS = ['fact', 'preference', 'rule', 'lookup', 'state', 'procedure', 'lesson'];
const ANY = 'any';
/** Labels that are no reason of a receipt of their own. */
const NO_CLAIM = ['feeling', 'vague', 'opinion', 'other', 'code', 'secret'];
/** As `src/capture/1-gate.ts` asks for. */
const LEAST_TO_KEEP = 0.7;
const EPOCHS = 20;
const RATE = 0.3;
const PENALTY = 1e-4;

const files = readdirSync(DATA)
  .filter((name) => name.endsWith('.txt'))
  .sort()
  .map((name) => ({ name, lines: readLines(name) }));

function readLines(name) {
  return readFileSync(new URL(name, DATA), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [label, text] = line.split('\t');
      if (!text || (!label.startsWith('-') && !KEEPS.includes(label)))
        throw new Error(`${name} holds no labelled line: \`${line}\`.`);
      return labelled(label, text);
    });
}

function labelled(label, text) {
  const reason = label.slice(1);
  const isKept = !label.startsWith('-');
  return {
    isKept,
    of: isKept ? label : NO_CLAIM.includes(reason) ? 'no_claim' : reason,
    buckets: bucketsOf(text),
    direction: directionOf(text, wordTableNow()),
    weight: 1,
  };
}

/** Of `eval/data/capture/succession/` what is one sentence: who sets a state is to be kept. */
const talks = readdirSync(TALKS)
  .sort()
  .map((name) => ({ name: `succession/${name}`, lines: readTalk(name) }));

function readTalk(name) {
  return readFileSync(new URL(name, TALKS), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [key, text] = line.split('\t');
      if (!text || /[.!?] \S/.test(text)) return [];
      const [, detail] = key.split(':');
      if (detail === undefined && key === '-') return [];
      const label = detail === undefined ? key : ANY;
      return [{ ...labelled(label, text), weight: detail === undefined ? 1 : WEIGHT_OF_STATE }];
    });
}

const hash = createHash('sha256');
for (const { name } of files) hash.update(readFileSync(new URL(name, DATA)));
for (const name of readdirSync(TALKS).sort()) hash.update(readFileSync(new URL(name, TALKS)));
files.push(...talks);
const digest = hash.digest('hex');

const lines = files.flatMap((file) => file.lines);
const declines = [...new Set(lines.flatMap(({ isKept, of }) => (isKept ? [] : [of])))].sort();
const classes = [...KEEPS, ...declines];
const width = classes.length;

function train(taught) {
  const weights = new Float64Array((BUCKETS + 1 + DIRECTIONS) * width);
  const squares = new Float64Array(weights.length).fill(1e-8);
  const order = taught.map((_, index) => index);
  const next = sequence(7);
  const learn = (row, share, errors) => {
    for (let of = 0; of < width; of += 1) {
      const at = row * width + of;
      const slope = errors[of] * share + PENALTY * weights[at];
      squares[at] += slope * slope;
      weights[at] -= (RATE * slope) / Math.sqrt(squares[at]);
    }
  };
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, next);
    for (const index of order) {
      const { of, buckets, direction, weight } = taught[index];
      const errors = sharesOf({ table: weights }, taught[index]);
      for (const [at, share] of wantedOf(of, errors).entries()) errors[at] -= share;
      for (let at = 0; at < width; at += 1) errors[at] *= weight;
      const share = 1 / Math.sqrt(buckets.length + 1);
      for (const bucket of buckets) learn(bucket, share, errors);
      learn(BUCKETS, 1, errors);
      for (let at = 0; at < DIRECTIONS; at += 1) learn(BUCKETS + 1 + at, direction[at], errors);
    }
  }
  const ofDirection = (BUCKETS + 1) * width;
  const step = stepOf(weights.subarray(0, ofDirection));
  const directionStep = stepOf(weights.subarray(ofDirection));
  const table = Int8Array.from(weights, (weight, at) =>
    Math.round(weight / (at < ofDirection ? step : directionStep)),
  );
  return { step, directionStep, table };
}

const stepOf = (weights) =>
  weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;

/** Of which class what sets a state is, the other lines say: any that is kept is right. */
function wantedOf(of, shares) {
  const kept = shares.slice(0, KEEPS.length).reduce((sum, share) => sum + share, 0);
  return classes.map((name, at) =>
    of === ANY ? (at < KEEPS.length ? shares[at] / kept : 0) : Number(name === of),
  );
}

function sharesOf({ table, step = 1, directionStep = 1 }, { buckets, direction }) {
  const share = step / Math.sqrt(buckets.length + 1);
  const sums = classes.map((_, of) => {
    let sum = table[BUCKETS * width + of] * step;
    for (const bucket of buckets) sum += table[bucket * width + of] * share;
    for (let at = 0; at < DIRECTIONS; at += 1)
      sum += direction[at] * table[(BUCKETS + 1 + at) * width + of] * directionStep;
    return sum;
  });
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const total = shares.reduce((sum, each) => sum + each, 0);
  return shares.map((each) => each / total);
}

if (parseArgs({ options: { folds: { type: 'boolean' } } }).values.folds) {
  for (const { name, lines: asked } of files) {
    const weights = train(files.flatMap((file) => (file.name === name ? [] : file.lines)));
    const judged = asked.map((line) => {
      const { isKept, of } = line;
      const shares = sharesOf(weights, line);
      const keeps = shares.slice(0, KEEPS.length);
      const kept = keeps.reduce((sum, each) => sum + each, 0) >= LEAST_TO_KEEP;
      return { isKept, kept, isOfClass: KEEPS[keeps.indexOf(Math.max(...keeps))] === of };
    });
    const right = judged.filter(({ isKept, kept }) => isKept && kept);
    const share = (part, all) => (part.length / all.length).toFixed(3);
    console.log(
      `${name}: precision ${share(
        right,
        judged.filter(({ kept }) => kept),
      )}, ` +
        `recall ${share(
          right,
          judged.filter(({ isKept }) => isKept),
        )}, ` +
        `class ${share(
          right.filter(({ isOfClass }) => isOfClass),
          right,
        )} of ${asked.length}`,
    );
  }
} else {
  const { table, step, directionStep } = train(lines);
  writeFileSync(new URL('table.i8', WEIGHTS), table);
  const described = {
    features: FEATURES_VERSION,
    taught_by: digest,
    step,
    direction_step: directionStep,
    keeps: KEEPS,
    declines,
  };
  // As the formatter leaves it: the shorter list on one line.
  const text = JSON.stringify(described, null, 2).replace(
    /"keeps": \[[^\]]+\]/,
    `"keeps": [${KEEPS.map((name) => `"${name}"`).join(', ')}]`,
  );
  writeFileSync(new URL('classes.json', WEIGHTS), `${text}\n`);
  console.log(`${lines.length} lines, ${width} classes, ${table.length} bytes`);
}
