/** `capture list`: what captures made of a scope, what of it waits and why; or all that waits. */
import type { ContextEngine } from '../index.ts';
import { compact, numberFlag } from './arguments.ts';
import type { Call, ExitCode } from './command.ts';
import { givenScope } from './given-scope.ts';
import { printJson, printTable, printText, remark } from './output.ts';
import { oneLine } from './printable.ts';
import { withEngine } from './session.ts';
import { wrap } from './table.ts';
import { wordsOfTurns } from './turn-words.ts';

type Captures = ContextEngine['captures'];
type Page = Awaited<ReturnType<Captures['list']>>;
type Receipt = Page['captures'][number];
type Failed = Receipt['failures'][number];
type Progress = Awaited<ReturnType<Captures['progress']>>;
type Job = Awaited<ReturnType<ContextEngine['jobs']['list']>>[number];
type Failure = NonNullable<Job['failure']>;

/** Of one code; the others are in `--json`. */
const SHOWN_WORDS = 10;
const RIGHT = { align: 'right' as const };
const OUTCOMES = [
  'stored',
  'superseded',
  'duplicate',
  'declined',
  'quarantined',
  'failed',
] as const satisfies readonly (keyof Receipt['counts'])[];

export async function captureList(call: Call): Promise<ExitCode> {
  const { flags } = call;
  const scope = flags.text('scope');
  const limit = numberFlag(flags, 'limit');
  return withEngine<ExitCode>(call, async ({ engine }) => {
    if (scope === undefined) return listJobs(call, engine, limit);
    const uuid = await givenScope(engine, scope);
    const asked = compact({ scope: uuid, limit, after: flags.text('after') });
    const page = await engine.captures.list(asked);
    const progress = await engine.captures.progress(uuid);
    if (call.isJson) await printJson(call, { ...page, progress });
    else await showPage(call, page, { progress, scope, engine });
    return 0;
  });
}

interface Shown {
  readonly progress: Progress;
  /** As it was given. */
  readonly scope: string;
  readonly engine: ContextEngine;
}

async function showPage(call: Call, { captures, cursor }: Page, shown: Shown): Promise<void> {
  if (captures.length > 0) {
    const layout = [
      { title: 'when' },
      { title: 'turns', ...RIGHT },
      { title: 'by' },
      ...OUTCOMES.map((title) => ({ title, ...RIGHT })),
    ];
    await printTable(call, layout, captures.map(toRow));
    await showFailures(
      call,
      captures.flatMap((each) => each.failures),
      shown.engine,
    );
  } else if (call.flags.text('after') === undefined)
    remark(call, 'No captures: nothing was made of the turns of this scope yet.');
  await printText(call, wrap(whatWaits(shown), call.terminal.columns));
  const failure = shown.progress.job?.failure;
  if (failure) await printText(call, failureLines(call, failure));
  if (cursor !== null) remark(call, `More: --after ${cursor}`);
}

const toRow = ({ captured_at: at, turns, consumer, counts }: Receipt): readonly string[] => [
  shortTime(at),
  String(turns),
  oneLine(consumer),
  ...OUTCOMES.map((outcome) => String(counts[outcome])),
];

const shortTime = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

function byCode<F extends Failure>(failures: readonly F[]): ReadonlyMap<string, readonly F[]> {
  const groups = new Map<string, readonly F[]>();
  for (const each of failures) groups.set(each.code, [...(groups.get(each.code) ?? []), each]);
  return groups;
}

/** Each code once, with the words that it was about. */
async function showFailures(
  call: Call,
  failures: readonly Failed[],
  engine: ContextEngine,
): Promise<void> {
  const said = wordsOfTurns(engine);
  for (const [code, of] of byCode(failures)) {
    const [first] = of;
    if (!first) continue;
    const words: string[] = [];
    for (const each of of.slice(0, SHOWN_WORDS)) words.push((await said(each)).words);
    const lines = words.map((text) => (text === '' ? '(the turn is forgotten)' : oneLine(text)));
    const more = of.length - words.length;
    await printText(call, `\nfailed  ${oneLine(code)} (${of.length})`);
    await printText(call, failureLines(call, first));
    for (const line of lines) await printText(call, `  turn   ${line}`);
    if (more > 0) await printText(call, `  … and ${more} more: --json`);
  }
  if (failures.length > 0) await printText(call, '\n');
}

const failureLines = (call: Call, { message, fix }: Failure): string => {
  const { columns } = call.terminal;
  const hang = (text: string): string => wrap(oneLine(text), columns, ' '.repeat(9)).trimStart();
  return `  why    ${hang(message)}\n  fix    ${hang(fix)}`;
};

function whatWaits({ progress, scope }: Shown): string {
  const { turns, is_more: isMore, is_automatic: isAutomatic, job } = progress;
  const byHand = `contextengine capture --scope ${oneLine(scope)}`;
  if (turns === 0 && !job?.failure) return 'All turns are captured.';
  const many = `${turns}${isMore ? '+' : ''} ${turns === 1 ? 'turn is' : 'turns are'}`;
  const waits = turns === 0 ? '' : `${many} not captured yet. `;
  if (job === null)
    return isAutomatic
      ? `${waits}No job is asked for: the next append asks for one, or run contextengine work.`
      : `${waits}The manifest captures by hand: ${byHand}`;
  if (job.state === 'running') return `${waits}A worker is at it.`;
  if (job.failure === null)
    return `${waits}A job waits for a worker: the next append runs it, or contextengine work.`;
  return `${waits}${failedTries(job)}`;
}

/** What waits for room, or for a key, has not failed in itself. */
const failedTries = ({ attempts, failure, not_before: at, state }: Job): string =>
  (attempts === 0
    ? `The job waits: ${failure?.code ?? ''}; `
    : `The job failed ${attempts === 1 ? 'once' : `${attempts} times`}, last with ` +
      `${failure?.code ?? ''}; `) +
  'it is tried again ' +
  (state === 'due' ? 'by the next worker.' : `from ${at} on.`);

/** Of all scopes that the caller reads. */
async function listJobs(
  call: Call,
  engine: ContextEngine,
  limit: number | undefined,
): Promise<ExitCode> {
  const jobs = await engine.jobs.list(compact({ limit }));
  if (call.isJson) await printJson(call, jobs);
  else if (jobs.length === 0)
    remark(
      call,
      'No capture waits. What was captured of a scope: contextengine capture list --scope SCOPE',
    );
  else {
    const layout = [
      { title: 'scope' },
      { title: 'state' },
      { title: 'tries', ...RIGHT },
      { title: 'not before' },
      { title: 'failed with' },
    ];
    const rows = jobs.map((job) => [
      job.scope_block_uuid,
      job.state,
      String(job.attempts),
      shortTime(job.not_before),
      oneLine(job.failure?.code ?? ''),
    ]);
    await printTable(call, layout, rows);
    const failures = jobs.flatMap(({ failure }) => failure ?? []);
    for (const [code, [failure]] of byCode(failures))
      if (failure) await printText(call, `\n${oneLine(code)}\n${failureLines(call, failure)}`);
  }
  return 0;
}
