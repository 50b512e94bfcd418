/** `demo`: the whole of it in a throw-away database, on the sample data of the package. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Composition, ContextEngine } from '../../index.ts';
import { ContextEngineError } from '../../index.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { excerpt } from '../demo/excerpt.ts';
import type { DemoFeature } from '../demo/features.ts';
import { DEMO_FEATURES, PAST_QUESTION } from '../demo/features.ts';
import type { DemoScopes } from '../demo/ingest-demo.ts';
import { ingestDemo } from '../demo/ingest-demo.ts';
import { layerTable } from '../layer-table.ts';
import { printJson } from '../output.ts';
import { ownName } from '../own-name.ts';
import { packageRoot } from '../package-root.ts';
import { withOpenEngine } from '../session.ts';
import { shownWarnings } from '../shown-warnings.ts';
import { formatMs, formatTable, wrap } from '../table.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'a look at it: sample data, three features, three contexts, in a throw-away database',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: false,
  flags: {
    full: {
      type: 'boolean',
      help: 'print the contexts whole instead of the beginning of each layer',
    },
  },
  notes: 'Needs no key and no network, and reads no setting: your own database is not touched.',
  examples: ['contextengine demo', 'contextengine demo --full'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const data = join(packageRoot(), 'examples', 'demo');
  if (!existsSync(data))
    throw new ContextEngineError('CLI.INPUT', {
      message: `The sample data \`${data}\` is not there.`,
      fix: 'Install the package again.',
    });
  const folder = await mkdtemp(join(tmpdir(), 'contextengine-demo-'));
  try {
    const started = performance.now();
    const options = {
      database: { dataDir: join(folder, 'data') },
      manifests: [join(packageRoot(), 'manifests')],
      embedder: 'builtin' as const,
    };
    return await withOpenEngine<ExitCode>({ options, terminal: call.terminal }, (engine) =>
      show(engine, { call, data, openedMs: performance.now() - started, started }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly call: Call;
  readonly data: string;
  readonly openedMs: number;
  readonly started: number;
}

async function show(engine: ContextEngine, stage: Stage): Promise<ExitCode> {
  const { call, data } = stage;
  const print = createPrinter(call);
  const extent = call.flags.isOn('full')
    ? ''
    : `\n${wrap('Of each context the beginning of each layer is shown, attributes shortened; --full prints all of it.', print.columns)}`;
  await print.text(
    `${print.bold('contextengine demo')}  one ledger, three features, a manifest for ` +
      `each${print.dim(extent)}`,
  );
  await print.heading(
    'Open',
    `an embedded PostgreSQL with pgvector, new and empty: ${formatMs(stage.openedMs)}`,
  );
  const ingestStarted = performance.now();
  const { scopes, rows } = await ingestDemo(engine, { data, nowMs: call.terminal.now() });
  const ingestMs = performance.now() - ingestStarted;
  await print.heading(
    'Ingest',
    `conversation, documents, facts and typed values: ${formatMs(ingestMs)}`,
  );
  await print.text(
    `${indent(formatTable([{ title: 'what' }, { title: 'into', isFlexible: true }, { title: 'rows', align: 'right' }, { title: 'time', align: 'right' }], rows, { columns: print.columns - 2, paint: print.bold }))}`,
  );
  const shown: Shown[] = [];
  for (const feature of DEMO_FEATURES)
    shown.push(await showFeature(engine, { feature, scopes, call, print }));
  await showPast(engine, { scopes, call, print });
  const chat = shown[0]?.composition;
  if (chat) {
    const replay = await engine.replay(chat.composition_id);
    await print.heading(
      'Replay',
      replay.identical
        ? 'the first context again from its receipt: the same bytes'
        : 'the first context again from its receipt: NOT the same bytes',
    );
  }
  const totalMs = performance.now() - stage.started;
  await print.text(closing(print, totalMs, ownName(call.terminal.env)));
  if (call.isJson)
    await printJson(call, {
      opened_ms: stage.openedMs,
      ingested_ms: ingestMs,
      total_ms: totalMs,
      features: shown,
    });
  return 0;
}

interface Shown {
  readonly feature: string;
  readonly miss_ms: number;
  readonly hit_ms: number;
  readonly composition: Composition;
}

interface Showing {
  readonly scopes: DemoScopes;
  readonly call: Call;
  readonly print: Printer;
}

async function showFeature(
  engine: ContextEngine,
  { feature, scopes, call, print }: Showing & { readonly feature: DemoFeature },
): Promise<Shown> {
  const request = {
    scope_block_uuid: scopes[feature.name],
    intent: feature.intent,
    query: feature.query,
    inputs: feature.inputs,
    permission_profile: PROFILE,
  };
  const [composition, missMs] = await timed(() => engine.composeBlockContext(request));
  const [again, hitMs] = await timed(() => engine.composeBlockContext(request));
  await print.heading(
    feature.name,
    `intent ${feature.intent}, manifest ` +
      `${composition.manifest.name}@${composition.manifest.version}`,
  );
  await print.text(`  ${print.bold(`“${feature.query}”`)}\n`);
  await print.text(
    `${print.dim(frame(call.flags.isOn('full') ? composition.text : excerpt(composition.text, feature.telling), print.columns))}\n`,
  );
  await print.text(
    `${indent(layerTable(composition, { columns: print.columns - 2, paint: (style, text) => (style === 'bold' ? print.bold(text) : print.dim(text)) }))}\n`,
  );
  for (const warning of shownWarnings(composition.warnings))
    await print.text(print.dim(wrap(`note: ${warning.message}`, print.columns, '  ')));
  await print.text(
    `  composed in ${print.bold(formatMs(missMs))}, the second time in ` +
      `${print.bold(formatMs(hitMs))} (cache ${again.cache.state})\n`,
  );
  await print.text(wrap(feature.lookFor, print.columns, '  '));
  return { feature: feature.name, miss_ms: missMs, hit_ms: hitMs, composition };
}

/** The same question as of a day before a decision changed. */
async function showPast(engine: ContextEngine, { scopes, call, print }: Showing): Promise<void> {
  const { query, asOf, intent, layer } = PAST_QUESTION;
  const base = {
    scope_block_uuid: scopes['chat-session'],
    intent,
    query,
    inputs: {},
    permission_profile: PROFILE,
  };
  const now = await engine.composeBlockContext(base);
  const past = await engine.composeBlockContext({
    ...base,
    as_of: asOf,
    recorded_as_of: new Date(call.terminal.now() + 1000),
  });
  const factsOf = (composition: Composition): ReadonlySet<string> =>
    new Set(composition.items.filter((item) => item.layer === layer).map((item) => item.text));
  const [today, then] = [factsOf(now), factsOf(past)];
  const only = (texts: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
    [...texts].filter((text) => !other.has(text));
  await print.heading(
    'Time',
    `“${query}” now, and as of ${asOf.slice(0, 10)}: nothing was overwritten`,
  );
  for (const text of only(then, today))
    await print.text(
      `  ${print.dim('then')}  ${wrap(text, print.columns, '        ').trimStart()}`,
    );
  for (const text of only(today, then))
    await print.text(
      `  ${print.bold('now ')}  ${wrap(text, print.columns, '        ').trimStart()}`,
    );
}

const PROFILE = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

interface Printer {
  readonly columns: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  text(text: string): Promise<void>;
  heading(title: string, detail: string): Promise<void>;
}

const READABLE_COLUMNS = 100;

/** On stdout; with `--json` nothing but the JSON stands there. */
function createPrinter(call: Call): Printer {
  const { terminal } = call;
  const text = async (line: string): Promise<void> => {
    if (!call.isJson) await terminal.out(`${line}\n`);
  };
  const columns = Math.min(READABLE_COLUMNS, terminal.columns);
  return {
    columns,
    bold: (line) => terminal.paintOut('bold', line),
    dim: (line) => terminal.paintOut('dim', line),
    text,
    heading: (title, detail) => {
      const indent = ' '.repeat(title.length + 2);
      const wrapped = wrap(detail, columns, indent).trimStart();
      return text(`\n${terminal.paintOut(['bold', 'cyan'], title)}  ${wrapped}`);
    },
  };
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');

/** A bar at the left marks what the model would see, apart from what is printed about it. */
const frame = (text: string, columns: number): string =>
  wrap(text.trimEnd(), columns - 4)
    .split('\n')
    .map((line) => `  │ ${line}`.trimEnd())
    .join('\n');

function closing(print: Printer, totalMs: number, own: string): string {
  const steps = [
    ['init my-feature', 'a manifest of your own'],
    ['ingest notes/ --scope-type my_feature', 'your documents, your chats'],
    ['compose --scope UUID --intent follow_up --query "…"', 'your context'],
    ['explain latest', 'why each item is in, or not'],
  ];
  const width = Math.max(...steps.map(([command = '']) => command.length)) + own.length + 3;
  const lines = steps.map(([command = '', what = '']) =>
    print.columns < READABLE_COLUMNS
      ? `  ${own} ${command}\n      ${print.dim(what)}`
      : `  ${`${own} ${command}`.padEnd(width)}${print.dim(what)}`,
  );
  return (
    `\n${print.bold('Next')}  all of that took ${formatMs(totalMs)}; now with your own\n` +
    lines.join('\n')
  );
}
