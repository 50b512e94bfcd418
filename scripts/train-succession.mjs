/**
 * Teaches succession: writes the weights in `src/capture/succession/weights/`.
 *
 *     node scripts/train-succession.mjs [--data LOCOMO.json] [--held NAME]... [--folds]
 *
 * A pair is a statement and one that its speaker made before; it is right where the first takes the
 * other's place: both are of one state, and the other was its last. Statements are those that rules
 * and the gate's classifier make of the talks in `eval/data/capture/succession/`, where each line has
 * the key of the state that it sets, and in `test/support/fixtures/states/`. Of LoCoMo, where people
 * tell of what happened, and of the lines of the gate, none takes another's place.
 *
 * First the topics: a softmax by AdaGrad over the keyed lines. Then the regression over pairs, by
 * Newton's method, with topics of statements that the softmax did not learn from (three parts of the
 * people in turn). Prints how the held sets are judged; with `--folds`, three parts of the keyed
 * talks by what the others teach, and nothing is written. The weights of the package are of
 * `--data` with the development half, `plain-b`, `chat`, `standup`, `calls` held.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locomoSuite } from '../dist/eval/index.js';
import { gatedPieces } from '../dist/src/capture/1-gate.js';
import { extractCandidates } from '../dist/src/capture/2-extract.js';
import { validateCandidates } from '../dist/src/capture/3-validate.js';
import { TOPIC_BUCKETS, TOPIC_FEATURES_VERSION } from '../dist/src/capture/succession/model.js';
import { readingOf } from '../dist/src/capture/succession/reading.js';
import { SIGNALS, signalsOf } from '../dist/src/capture/succession/signals.js';
import { hasPlace } from '../dist/src/capture/succession/takes-place.js';
import {
  bucketsOf,
  topicsBy,
  VECTOR_WEIGHT,
  vectorOf,
} from '../dist/src/capture/succession/topics.js';
import { readLocomo } from '../dist/src/cli/eval/read-locomo.js';
import { loadWordTable, ROW_LENGTH } from '../dist/src/inference/word-table.js';
import { sequence, shuffle } from './training-order.mjs';

const TALKS = new URL('../test/support/fixtures/states/', import.meta.url);
const KEYED = new URL('../eval/data/capture/succession/', import.meta.url);
const PLAIN = new URL('../eval/data/capture/gate/', import.meta.url);
const WEIGHTS = new URL('../src/capture/succession/weights/', import.meta.url);
const PENALTY = 10;
const LEAST = [0.2, 0.3, 0.4, 0.5];
const EPOCHS = 15;
const RATE = 0.3;
const TOPIC_PENALTY = 1e-4;
/** Parts that people are taken in, so that no topic is of a statement that taught it. */
const PARTS = 3;
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: {
    held: { type: 'string', multiple: true },
    data: { type: 'string' },
    folds: { type: 'boolean' },
  },
});
const held = new Set(values.held ?? []);

/** Lines of a talk: a state as `[name=value]` behind what was said. */
function linesOfTalk(block) {
  let at = 0;
  return block
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      if (line === '' || line.startsWith('#') || line.startsWith('state ')) return [];
      if (line.startsWith('== ')) {
        at = Date.parse(`${line.slice(3)}T09:00:00Z`);
        return [];
      }
      at += 60_000;
      if (line.startsWith('> ')) return [{ role: 'assistant', text: line.slice(2), of: '-', at }];
      const mark = /\s*\[([a-z]+)[=~].+\]$/.exec(line);
      const text = mark ? line.slice(0, mark.index) : line;
      return [{ role: 'user', text, of: mark?.[1] ?? '-', at }];
    });
}

/** The facts that rules make of what one person said, in order. */
function factsOf(who, lines, isAmongPeople) {
  const facts = [];
  const before = [];
  for (const [index, { role, text, of, at }] of lines.entries()) {
    const turn = {
      uuid: `${who} ${index}`,
      role,
      author: who,
      content: text,
      occurred_at: new Date(at).toISOString(),
      metadata: {},
    };
    const gated = [...gatedPieces(turn, { layerNames: new Set(), never: [], isAmongPeople })];
    const extracting = { collections: [], timeZone: 'UTC', mostPerTurn: 20 };
    const { going } = extractCandidates(gated, extracting, before.slice(-12));
    before.push(...gated);
    const now = new Date(at + 1000).toISOString();
    const validating = { now, timeZone: 'UTC', minConfidence: 0, never: [] };
    for (const each of validateCandidates(going, validating).going)
      if (each.kind === 'fact') facts.push({ of, said: each });
  }
  return facts;
}

/** As many are known to a capture, and those that are alike. */
const MOST_BEFORE = 60;
/** Of one person: each statement with those that held when it was made. */
function pairsOf(facts, topicOf) {
  const live = [];
  const weighed = (each) => ({ reading: readingOf(each.said), topic: topicOf(each) });
  return facts.map((fact) => {
    const { of, said } = fact;
    const last = of === '-' ? undefined : live.findLast((each) => each.of === of);
    const mayTake = hasPlace(said) && said.slot?.isBeside !== true && !said.slot?.isEnd;
    const before = mayTake ? live.filter((each) => hasPlace(each.said)) : [];
    const { kin } = readingOf(said);
    const ofSame = before.filter((each) => readingOf(each.said).kin === kin).slice(-MOST_BEFORE);
    const pairs = ofSame.map((each, at) => ({
      isRight: each === last,
      signals: signalsOf(weighed(fact), weighed(each), ofSame.length - at),
    }));
    if (last) live.splice(live.indexOf(last), 1);
    live.push(fact);
    return pairs;
  });
}

/** Statements of the gate's lists, of which none is taken to follow another. */
const linesOfPlain = (block) =>
  block.split('\n').flatMap((line, index) => {
    const [label, text] = line.split('\t');
    const at = Date.parse('2025-01-01T09:00:00Z') + index * DAY_MS;
    return text && !label.startsWith('-') ? [{ role: 'user', text, of: '-', at }] : [];
  });
/** Statements of one person in order, a day apart: `KEY<TAB>TEXT`, the key of the state it sets. */
const linesOfKeyed = (block) =>
  block.split('\n').flatMap((line, index) => {
    const [of, text] = line.split('\t');
    const at = Date.parse('2025-01-01T09:00:00Z') + index * DAY_MS;
    return text ? [{ role: 'user', text, of: of.includes(':') ? of : '-', at }] : [];
  });
/** As many statements of one person. */
const PER_PERSON = 60;
const inParts = (text) => {
  const lines = text.split('\n');
  return Array.from({ length: Math.ceil(lines.length / PER_PERSON) }, (_, part) =>
    ['who Ada', ...lines.slice(part * PER_PERSON, (part + 1) * PER_PERSON)].join('\n'),
  );
};

const sets = [
  ...readdirSync(PLAIN).map((name) => [new URL(name, PLAIN), inParts, linesOfPlain]),
  ...readdirSync(KEYED).map((name) => [new URL(name, KEYED), /^(?=who )/m, linesOfKeyed]),
  ...readdirSync(TALKS).map((name) => [new URL(name, TALKS), /^(?=who )/m, linesOfTalk]),
].map(([file, cut, linesOf]) => ({
  name: /([^/]+)\.txt$/.exec(file.pathname)[1],
  isKeyed: linesOf === linesOfKeyed,
  people: (typeof cut === 'function'
    ? cut(readFileSync(file, 'utf8'))
    : readFileSync(file, 'utf8').split(cut)
  )
    .filter((block) => block.startsWith('who '))
    .map((block) => factsOf(/^who (.+)/.exec(block)[1], linesOf(block), false)),
}));

if (values.data) {
  const { conversations, dataSha256 } = await readLocomo(resolve(values.data), values.data);
  const of = { dataSha256, scopeType: 'eval_conversation', every: 1 };
  const lines = new Map();
  for (const [index, store] of locomoSuite(conversations, of).stores.entries())
    for (const { author, content, occurred_at } of store.turns) {
      const at = Date.parse(occurred_at);
      const line = { role: 'user', text: content, of: '-', at };
      lines.set(`${index} ${author}`, [...(lines.get(`${index} ${author}`) ?? []), line]);
    }
  sets.push({
    name: 'locomo',
    isKeyed: false,
    people: [...lines].map(([key, said]) => factsOf(key.split(' ').slice(1).join(' '), said, true)),
  });
}

const words = await loadWordTable();
const topicName = ({ of }) => (of.includes(':') ? of.split(':')[0] : null);
const keyedLines = sets.filter(({ isKeyed }) => isKeyed).flatMap(({ people }) => people.flat());
const topics = [...new Set(keyedLines.flatMap((each) => topicName(each) ?? []))].sort();

/** A model that knows topics alone. */
function topicModel(people) {
  const width = topics.length;
  const lines = people.flat().flatMap((each) => {
    const of = topics.indexOf(topicName(each) ?? '');
    return of < 0
      ? []
      : [{ of, buckets: bucketsOf(each.said), vector: vectorOf(each.said, words) }];
  });
  const weights = new Float64Array((TOPIC_BUCKETS + 1 + ROW_LENGTH) * width);
  const squares = new Float64Array(weights.length).fill(1e-8);
  const next = sequence(7);
  const order = lines.map((_, index) => index);
  const errors = new Float64Array(width);
  const addRow = (row, by) => {
    for (let of = 0; of < width; of += 1) errors[of] += weights[row * width + of] * by;
  };
  const learn = (row, by) => {
    for (let of = 0; of < width; of += 1) {
      const at = row * width + of;
      const slope = errors[of] * by + TOPIC_PENALTY * weights[at];
      squares[at] += slope * slope;
      weights[at] -= (RATE * slope) / Math.sqrt(squares[at]);
    }
  };
  const eachRow = ({ buckets, vector }, visit) => {
    for (const bucket of buckets) visit(bucket, 1 / Math.sqrt(buckets.length + 1));
    visit(TOPIC_BUCKETS, 1);
    for (const [at, number] of vector.entries())
      visit(TOPIC_BUCKETS + 1 + at, number * VECTOR_WEIGHT);
  };
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, next);
    for (const index of order) {
      errors.fill(0);
      eachRow(lines[index], addRow);
      const most = Math.max(...errors);
      let total = 0;
      for (let of = 0; of < width; of += 1) total += errors[of] = Math.exp(errors[of] - most);
      for (let of = 0; of < width; of += 1) errors[of] /= total;
      errors[lines[index].of] -= 1;
      eachRow(lines[index], learn);
    }
  }
  const cut = (TOPIC_BUCKETS + 1) * width;
  const stepOf = (part) => part.reduce((most, each) => Math.max(most, Math.abs(each)), 0) / 127;
  const steps = { words: stepOf(weights.subarray(0, cut)), vector: stepOf(weights.subarray(cut)) };
  const table = Int8Array.from(weights, (weight, at) =>
    Math.round(weight / (at < cut ? steps.words : steps.vector)),
  );
  return { topics, table, steps };
}

const readerOf = (model) => {
  const reader = topicsBy(model, words);
  return ({ said }) => reader.of(said);
};

/** The regression over what `taught` says, and the topics by all of it. */
function taughtBy(taught) {
  const keyed = taught.filter(({ isKeyed }) => isKeyed).flatMap(({ people }) => people);
  const model = topicModel(keyed);
  const partOf = new Map(keyed.map((person, index) => [person, index % PARTS]));
  const byOthers = Array.from({ length: PARTS }, (_, part) =>
    readerOf(topicModel(keyed.filter((person) => partOf.get(person) !== part))),
  );
  const byAll = readerOf(model);
  const statements = taught.flatMap(({ people }) =>
    people.flatMap((person) => {
      const part = partOf.get(person);
      return pairsOf(person, part === undefined ? byAll : byOthers[part]);
    }),
  );
  return { model, weights: weightsBy(statements) };
}

/** By Newton's method, over signals of mean 0 and deviation 1. */
function weightsBy(statements) {
  const pairs = statements.flat();
  const means = SIGNALS.map((_, at) => mean(pairs.map(({ signals }) => signals[at])));
  const spreads = SIGNALS.map((_, at) =>
    Math.max(1e-9, Math.sqrt(mean(pairs.map(({ signals }) => (signals[at] - means[at]) ** 2)))),
  );
  const rows = pairs.map(({ signals, isRight }) => ({
    x: [...signals.map((value, at) => (value - means[at]) / spreads[at]), 1],
    y: Number(isRight),
  }));
  const size = SIGNALS.length + 1;
  let weights = new Array(size).fill(0);
  for (let round = 0; round < 25; round += 1) {
    const slope = weights.map((weight, at) => (at < size - 1 ? PENALTY * weight : 0));
    const curve = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (__, b) => (a === b && a < size - 1 ? PENALTY : 0)),
    );
    for (const { x, y } of rows) {
      const chance = logistic(x.reduce((sum, value, at) => sum + value * weights[at], 0));
      const bend = Math.max(1e-9, chance * (1 - chance));
      for (let a = 0; a < size; a += 1) {
        slope[a] += (chance - y) * x[a];
        for (let b = 0; b < size; b += 1) curve[a][b] += bend * x[a] * x[b];
      }
    }
    const step = solve(curve, slope);
    weights = weights.map((weight, at) => weight - step[at]);
  }
  const plain = SIGNALS.map((_, at) => weights[at] / spreads[at]);
  const bias = weights[size - 1] - plain.reduce((sum, weight, at) => sum + weight * means[at], 0);
  return { plain, bias };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const logistic = (sum) => 1 / (1 + Math.exp(-sum));

/** By Gauss, with the greatest of a column first. */
function solve(matrix, right) {
  const rows = matrix.map((row, at) => [...row, right[at]]);
  for (let at = 0; at < rows.length; at += 1) {
    let most = at;
    for (let row = at + 1; row < rows.length; row += 1)
      if (Math.abs(rows[row][at]) > Math.abs(rows[most][at])) most = row;
    [rows[at], rows[most]] = [rows[most], rows[at]];
    for (let row = 0; row < rows.length; row += 1) {
      if (row === at) continue;
      const share = rows[row][at] / rows[at][at];
      for (let column = at; column <= rows.length; column += 1)
        rows[row][column] -= share * rows[at][column];
    }
  }
  return rows.map((row, at) => row[rows.length] / row[at]);
}

function judged(statements, { plain, bias }) {
  const wanted = statements.filter((pairs) => pairs.some(({ isRight }) => isRight)).length;
  const best = statements.flatMap((pairs) => {
    const rated = pairs.map(({ signals, isRight }) => ({
      isRight,
      chance: logistic(signals.reduce((sum, value, at) => sum + value * plain[at], bias)),
    }));
    return rated.length === 0 ? [] : [rated.reduce((a, b) => (b.chance > a.chance ? b : a))];
  });
  const shares = LEAST.map((least) => {
    const taken = best.filter(({ chance }) => chance >= least);
    const right = taken.filter(({ isRight }) => isRight).length;
    return `at ${least} ${right} right, ${taken.length - right} wrong`;
  });
  return `${shares.join(', ')} of ${wanted} in ${statements.length} statements`;
}

const judgedBy = ({ people }, { model, weights }) => {
  const topicOf = readerOf(model);
  return judged(
    people.flatMap((person) => pairsOf(person, topicOf)),
    weights,
  );
};

const open = sets.filter(({ name }) => !held.has(name));
if (values.folds) {
  const keyed = open.filter(({ isKeyed }) => isKeyed);
  for (let part = 0; part < PARTS; part += 1) {
    const asked = keyed.filter((_, index) => index % PARTS === part);
    const taught = taughtBy(open.filter((set) => !asked.includes(set)));
    for (const set of asked) console.log(`${set.name}: ${judgedBy(set, taught)}`);
  }
} else {
  const taught = taughtBy(open);
  for (const set of sets)
    if (held.has(set.name)) console.log(`${set.name}, held: ${judgedBy(set, taught)}`);
  const { model, weights } = taught;
  const hash = createHash('sha256');
  for (const name of readdirSync(KEYED).sort()) hash.update(readFileSync(new URL(name, KEYED)));
  const described = {
    features: TOPIC_FEATURES_VERSION,
    taught_by: hash.digest('hex'),
    steps: model.steps,
    topics,
    weights: Object.fromEntries(
      SIGNALS.map((name, at) => [name, Number(weights.plain[at].toFixed(4))]),
    ),
    bias: Number(weights.bias.toFixed(4)),
  };
  writeFileSync(new URL('topics.i8', WEIGHTS), model.table);
  writeFileSync(new URL('model.json', WEIGHTS), `${JSON.stringify(described, null, 2)}\n`);
  console.log(`${keyedLines.length} lines, ${topics.length} topics, ${model.table.length} bytes`);
}
