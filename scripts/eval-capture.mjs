/**
 * Capture by rules on LoCoMo: how much of what it stores is right, how much it finds, and what its
 * facts do to the ranking.
 *
 *     node scripts/eval-capture.mjs --data locomo10.json [--every N] [--show FILE] [--no-questions]
 *     node scripts/eval-capture.mjs --gold [--show FILE] [--no-questions]    the conversations here
 *
 * Right is judged by hand: `eval/data/capture/labels.tsv` holds a digest of each statement, with
 * its turn and class, and `+` or `-`; no text of the data set. `+`: true, said in its turn, of the
 * right person, dated right, and worth keeping as what it is. `--show` writes the statements with
 * their turns, for labelling: to a place outside of the repository.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locomoSuite } from '../dist/eval/index.js';
import { recallAt } from '../dist/eval/metrics/ranking.js';
import { mean, seededRandom } from '../dist/eval/metrics/statistics.js';
import { evalFile, ownSuite } from '../dist/eval/own-suites.js';
import { readLocomo } from '../dist/src/cli/eval/read-locomo.js';
import { createContextEngine, LOCAL_PROFILE } from '../dist/src/index.js';
import { readTerms } from '../dist/src/text/terms.js';

const SAMPLE = 200;
const SEED = 20_261_123;
/** Rules were written on the first two; the others were labelled once before they were read. */
const FIRST_HALF = 2;
const HOUR_MS = 3_600_000;
const SCOPE_TYPE = 'eval_conversation';
const LABELS = new URL('../eval/data/capture/labels.tsv', import.meta.url);

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    gold: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    show: { type: 'string' },
    'no-questions': { type: 'boolean', default: false },
  },
});
if (!values.data && !values.gold)
  throw new Error(
    'Usage: node scripts/eval-capture.mjs (--data LOCOMO.json | --gold) [--every N] [--show FILE] [--no-questions]',
  );

/** The same ids on every run: they break ties. */
function countedIds() {
  let count = 0;
  return () => {
    count += 1;
    const hex = createHash('sha256').update(`eval ${count}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

/** A conversation of its own engine, session by session, captured after each where asked for. */
async function openConversation(store, { manifest, isCaptured }) {
  const clock = { ms: 0 };
  const engine = await createContextEngine({
    database: { inMemory: true },
    manifests: [evalFile(`manifests/${manifest}.yaml`)],
    clock: () => clock.ms,
    newId: countedIds(),
  });
  const sessions = groupedBy(store.turns, ({ occurred_at }) => occurred_at);
  const ordered = [...sessions].sort(([a], [b]) => Date.parse(a) - Date.parse(b));
  clock.ms = Date.parse(ordered[0]?.[0] ?? store.now);
  const { scope_block_uuid: scope } = await engine.scopes.create({
    type: store.scopeType,
    title: store.title,
  });
  /** Version uuid of a turn to its key, in the order of writing. */
  const turns = new Map();
  const facts = [];
  for (const [at, said] of ordered) {
    clock.ms = Date.parse(at);
    const { receipts } = await engine.append(
      scope,
      said.map(({ key: _key, ...turn }) => turn),
    );
    for (const [index, { uuid }] of receipts.entries()) turns.set(uuid, said[index]);
    clock.ms += HOUR_MS;
    if (isCaptured) facts.push(...(await captured(engine, scope, turns)));
  }
  clock.ms = Date.parse(store.now);
  while ((await engine.embedPending()).pending > 0);
  return { engine, scope, turns, facts };
}

function groupedBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** What one capture wrote or proposed, each with the turn that it was made from. */
async function captured(engine, scope, turns) {
  const { receipts } = await engine.capture(scope);
  const kept = receipts
    .flatMap(({ candidates }) => candidates)
    .filter(({ outcome }) => ['stored', 'superseded', 'quarantined'].includes(outcome));
  if (kept.length === 0) return [];
  const waiting = new Map(
    (await engine.approvals.list({ limit: 1000 })).map((each) => [each.proposal_uuid, each]),
  );
  const facts = [];
  for (const { source_uuid, uuid, proposal_uuid, class: memory, outcome } of kept) {
    const turn = turns.get(source_uuid);
    const proposed = waiting
      .get(proposal_uuid)
      ?.action.operations.find(({ content }) => content?.content !== undefined)?.content;
    const { content } = proposed ?? (await engine.facts.get(uuid)).row;
    const isLive = outcome !== 'quarantined';
    facts.push({ key: turn.key, turn, uuid, memory, content, isLive });
  }
  return facts;
}

const digestOf = ({ key, memory, content }) =>
  createHash('sha256')
    .update(JSON.stringify([key, memory, content]))
    .digest('hex')
    .slice(0, 16);

const readLabels = () =>
  new Map(
    readFileSync(LABELS, 'utf8')
      .split('\n')
      .filter((line) => /^[0-9a-f]{16}\t[+-]$/.test(line))
      .map((line) => line.split('\t')),
  );

function sampleOf(facts, size) {
  const random = seededRandom(SEED);
  const left = [...facts].sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1));
  const drawn = [];
  while (left.length > 0 && drawn.length < size)
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

/** 95 % interval of a share (Wilson 1927). */
function wilson(right, of) {
  const z = 1.96;
  const share = right / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half =
    (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [middle - half, middle + half];
}

function printPrecision(name, facts, labels) {
  const judged = facts.map((fact) => labels.get(digestOf(fact)));
  const right = judged.filter((label) => label === '+').length;
  const of = judged.filter((label) => label !== undefined).length;
  const [low, high] = of === 0 ? [0, 1] : wilson(right, of);
  const unlabelled = judged.length - of;
  process.stdout.write(
    `precision, ${name}: ${(right / of).toFixed(3)} of ${of} labelled ` +
      `[${low.toFixed(3)}, ${high.toFixed(3)}]${unlabelled > 0 ? `; ${unlabelled} without a label` : ''}\n`,
  );
}

/** Of evidence turns, and of the words of answers that stand in them. */
function printRecall(suite, facts, answers) {
  const texts = new Map();
  for (const { key, content } of facts) texts.set(key, `${texts.get(key) ?? ''} ${content}`);
  const turns = new Map(
    suite.stores.flatMap((store) => store.turns.map((each) => [each.key, each])),
  );
  const asked = suite.questions.filter(({ category }) => category !== 'adversarial');
  const evidence = new Set(asked.flatMap((question) => question.evidence));
  const covered = [...evidence].filter((key) => texts.has(key)).length;
  let said = 0;
  let kept = 0;
  for (const question of asked) {
    const terms = new Set(readTerms(answers.get(question.id) ?? '').terms);
    const own = new Set(
      readTerms(question.evidence.map((key) => turns.get(key)?.content ?? '').join(' ')).terms,
    );
    const known = new Set(
      readTerms(question.evidence.map((key) => texts.get(key) ?? '').join(' ')).terms,
    );
    for (const term of terms) {
      if (!own.has(term)) continue;
      said += 1;
      if (known.has(term)) kept += 1;
    }
  }
  process.stdout.write(
    `recall: ${covered} of ${evidence.size} evidence turns have a captured fact ` +
      `(${(covered / evidence.size).toFixed(3)})` +
      (said === 0
        ? '\n'
        : `; of ${said} words of answers that evidence turns say, captured facts of these turns say ` +
          `${kept} (${(kept / said).toFixed(3)})\n`),
  );
}

/** The ranking of the turns, and the turns that a served fact was captured from. */
async function ask({ engine, scope, turns, facts }, query) {
  const composition = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query,
    permission_profile: LOCAL_PROFILE,
    trace: true,
  });
  const order = [...turns.keys()];
  const ranking = [...composition.items, ...(composition.trace?.dropped ?? [])]
    .filter(({ layer, score }) => layer === 'semantic' && score !== null)
    .sort((a, b) => b.score - a.score || order.indexOf(a.uuid) - order.indexOf(b.uuid))
    .map(({ uuid }) => turns.get(uuid)?.key ?? uuid);
  const sources = new Map(facts.map(({ uuid, key }) => [uuid, key]));
  const served = composition.items.flatMap(({ layer, uuid }) =>
    layer === 'open_set' ? (sources.get(uuid) ?? []) : [],
  );
  return { ranking, served };
}

async function recallsOf(questions, conversation) {
  const found = [];
  for (const { category, query, evidence } of questions) {
    if (category === 'adversarial') continue;
    const { ranking, served } = await ask(conversation, query);
    const top = new Set([...ranking.slice(0, 10), ...served]);
    found.push({
      strict: recallAt(ranking, evidence, 10),
      withFacts: evidence.filter((key) => top.has(key)).length / evidence.length,
    });
  }
  return found;
}

/** LoCoMo, with what its questions are answered with. */
async function readData(file) {
  const { conversations, dataSha256 } = await readLocomo(resolve(file), file);
  const answers = conversations.flatMap(({ title, questions }) =>
    questions.map(({ answer }, index) => [
      `${title.split(':')[0]}/q${index + 1}`,
      String(answer ?? ''),
    ]),
  );
  const every = Number(values.every);
  const suite = locomoSuite(conversations, { dataSha256, scopeType: SCOPE_TYPE, every });
  return { suite, answers: new Map(answers) };
}

/** What the people of the gold set say; its questions about that. No answer stands in it. */
function readOwn() {
  const { suite } = ownSuite('gold');
  const stores = suite.stores
    .map((store) => ({
      ...store,
      scopeType: SCOPE_TYPE,
      turns: store.turns.filter(({ block_type: type = 'turn' }) => type === 'turn'),
    }))
    .filter(({ turns }) => turns.length > 0);
  const said = new Set(stores.flatMap(({ turns }) => turns.map(({ key }) => key)));
  const questions = suite.questions.filter(
    ({ evidence }) => evidence.length > 0 && evidence.every((key) => said.has(key)),
  );
  return { suite: { ...suite, stores, questions }, answers: new Map() };
}

const { suite, answers } = values.gold ? readOwn() : await readData(values.data);

const halves = [[], []];
const without = [];
const withFacts = [];
for (const [index, store] of suite.stores.entries()) {
  const questions = suite.questions.filter((question) => question.store === store.key);
  const filled = await openConversation(store, { manifest: 'locomo-captured', isCaptured: true });
  halves[index < FIRST_HALF ? 0 : 1].push(...filled.facts);
  const live = filled.facts.filter(({ isLive }) => isLive).length;
  process.stdout.write(`${store.key}: ${filled.facts.length} captured, ${live} of them live\n`);
  if (!values['no-questions']) withFacts.push(...(await recallsOf(questions, filled)));
  await filled.engine.close();
  if (values['no-questions']) continue;
  const plain = await openConversation(store, { manifest: 'locomo', isCaptured: false });
  without.push(...(await recallsOf(questions, plain)));
  await plain.engine.close();
}
const labels = readLabels();
const [first = [], second = []] = halves;
const all = [...first, ...second];
if (values.gold) printPrecision('all', all, labels);
else {
  printPrecision(`sample of ${SAMPLE} of all five`, sampleOf(all, SAMPLE), labels);
  printPrecision('the first two conversations', first, labels);
  printPrecision('the other three', sampleOf(second, SAMPLE), labels);
}
printPrecision(
  'live',
  all.filter(({ isLive }) => isLive),
  labels,
);
printRecall(suite, all, answers);
if (withFacts.length > 0)
  process.stdout.write(
    `recall@10 of turns: ${mean(without.map(({ strict }) => strict)).toFixed(4)} without captured facts, ` +
      `${mean(withFacts.map(({ strict }) => strict)).toFixed(4)} with them; with a turn found as well ` +
      `where a fact of it is served: ${mean(withFacts.map((each) => each.withFacts)).toFixed(4)} ` +
      `(${withFacts.length} questions)\n`,
  );
if (values.show)
  writeFileSync(
    values.show,
    all
      .map((fact) => {
        const { key, memory, content, isLive, turn } = fact;
        return [
          digestOf(fact),
          labels.get(digestOf(fact)) ?? '',
          key,
          isLive ? memory : `${memory}?`,
          content,
          turn.content.replaceAll('\n', ' '),
        ].join('\t');
      })
      .join('\n'),
  );
