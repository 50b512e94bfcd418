/**
 * Fits the weights of `src/capture/succession/takes-place.ts` and prints them.
 *
 *     node scripts/train-succession.mjs [--data LOCOMO.json] [--held NAME]...
 *
 * A pair is a statement and one that its speaker made before; it is right where the first takes the
 * other's place: both are of one state, and the other was its last. Statements are those that rules
 * make of the talks in `test/support/fixtures/states/`; what is held is not learned from. Of LoCoMo,
 * where people tell of what happened, and of the lines of the gate, none takes another's place.
 * Prints how each set is judged by what the others taught, and the held sets by all. The weights in
 * the code are of `--data` with the development half, `plain-b`, `chat`, `standup`, `calls` held.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locomoSuite } from '../dist/eval/index.js';
import { gatedPieces } from '../dist/src/capture/1-gate.js';
import { extractCandidates } from '../dist/src/capture/2-extract.js';
import { validateCandidates } from '../dist/src/capture/3-validate.js';
import { readingOf } from '../dist/src/capture/succession/reading.js';
import { hasPlace, SIGNALS, signalsOf } from '../dist/src/capture/succession/takes-place.js';
import { readLocomo } from '../dist/src/cli/eval/read-locomo.js';

const TALKS = new URL('../test/support/fixtures/states/', import.meta.url);
const PLAIN = new URL('../eval/data/capture/gate/', import.meta.url);
const PENALTY = 10;
const LEAST = [0.05, 0.1, 0.2, 0.4];
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: { held: { type: 'string', multiple: true }, data: { type: 'string' } },
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
function factsOf(who, lines) {
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
    const gated = [...gatedPieces(turn, { layerNames: new Set(), never: [] })];
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
function pairsOf(who, lines) {
  const live = [];
  return factsOf(who, lines).map(({ of, said }) => {
    const last = of === '-' ? undefined : live.findLast((each) => each.of === of);
    const mayTake = hasPlace(said) && said.slot?.isBeside !== true && !said.slot?.isEnd;
    const before = mayTake ? live.filter((each) => hasPlace(each.said)) : [];
    const { kin } = readingOf(said);
    const ofSame = before.filter((each) => readingOf(each.said).kin === kin);
    const pairs = ofSame.slice(-MOST_BEFORE).map((each) => ({
      isRight: each === last,
      signals: signalsOf(readingOf(said), readingOf(each.said)),
    }));
    if (last) live.splice(live.indexOf(last), 1);
    live.push({ of, said });
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
  ...readdirSync(TALKS).map((name) => [new URL(name, TALKS), /^(?=who )/m, linesOfTalk]),
].map(([file, cut, linesOf]) => ({
  name: /([^/]+)\.txt$/.exec(file.pathname)[1],
  statements: (typeof cut === 'function'
    ? cut(readFileSync(file, 'utf8'))
    : readFileSync(file, 'utf8').split(cut)
  )
    .filter((block) => block.startsWith('who '))
    .flatMap((block) => pairsOf(/^who (.+)/.exec(block)[1], linesOf(block))),
}));

if (values.data) {
  const { conversations, dataSha256 } = await readLocomo(resolve(values.data), values.data);
  const of = { dataSha256, scopeType: 'eval_conversation', every: 1 };
  for (const store of locomoSuite(conversations, of).stores) {
    const lines = new Map();
    for (const { author, content, occurred_at } of store.turns) {
      const at = Date.parse(occurred_at);
      const line = { role: 'user', text: content, of: '-', at };
      lines.set(author, [...(lines.get(author) ?? []), line]);
    }
    sets.push({
      name: 'locomo',
      statements: [...lines].flatMap(([who, said]) => pairsOf(who, said)),
    });
  }
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

const taught = sets.filter(({ name }) => !held.has(name));
for (const { name, statements } of taught) {
  const others = taught.filter((set) => set.name !== name).flatMap((set) => set.statements);
  console.log(`${name}: ${judged(statements, weightsBy(others))}`);
}
const all = weightsBy(taught.flatMap(({ statements }) => statements));
for (const { name, statements } of sets)
  if (held.has(name)) console.log(`${name}, held: ${judged(statements, all)}`);
for (const [at, name] of SIGNALS.entries()) console.log(`${name}: ${all.plain[at].toFixed(2)}`);
console.log(`BIAS = ${all.bias.toFixed(2)}`);
