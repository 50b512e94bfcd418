/** `capture`: turns of a scope that were not captured yet become memory; what became of them. */
import type { ContextEngine } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { compact, numberFlag, required, usageError } from '../arguments.ts';
import { captureList } from '../capture-list.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { printDeclined } from '../declined-table.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withWritingEngine } from '../session.ts';
import { wordsOfTurns } from '../turn-words.ts';

type CaptureAnswer = Awaited<ReturnType<ContextEngine['capture']>>;
type Candidate = CaptureAnswer['receipts'][number]['candidates'][number];

export const captureCommand: Command = {
  name: 'capture',
  summary:
    'make memory of the turns of a scope that were not captured yet; list what became of them',
  takes: { usage: '[list]', min: 0, max: 1 },
  usesLedger: true,
  flags: {
    scope: {
      type: 'string',
      value: SCOPE_VALUE,
      help: 'uuid or key of the scope whose turns are read; list without it: all jobs that wait',
    },
    'time-zone': {
      type: 'string',
      value: 'ZONE',
      help: 'for the days of "yesterday" and "by Friday", default UTC',
    },
    'max-batches': {
      type: 'string',
      value: 'N',
      help: 'stop after so many batches of 200 turns; the next call goes on',
    },
    retry: { type: 'boolean', help: 'once more what failed of earlier captures, and that alone' },
    verbose: {
      type: 'boolean',
      help: 'also every piece that was declined: why, where, and its words',
    },
    limit: { type: 'string', value: 'N', help: 'list: at most so many (default 100)' },
    after: { type: 'string', value: 'CURSOR', help: 'list: the page after this one' },
  },
  notes: `
What a person said of themselves is stored by the rights of the profile. All else (what an assistant
learned, what is said of others, what may contradict what is known) waits as a proposal: see
contextengine approvals. Where each class of memory is written is spec.writing.into of the manifest.
What was written names its operation: contextengine undo takes it back. Runs by rules, or by the
model that extractor of contextengine.config.json names. Every candidate is counted in exactly one
column; --verbose and --json list those declined as well, by their places in the turns (characters
from, to). --verbose shows their words beside them, but of secrets and of what is never kept, and
counts what the assistant said by reason. --retry captures once more what failed before, such as a
piece of which no answer of a model could be used; what comes of it stands in the receipts of then.
list shows each batch that was captured, by hand or behind an append, what failed in it, and what of
the scope waits: turns, and the job with what it failed with and when it is tried again. Without
--scope it shows the jobs of all scopes.
`,
  examples: [
    'contextengine capture --scope 0190a2b4-…',
    'contextengine capture --scope 0190a2b4-… --time-zone Europe/Berlin --json',
    'contextengine capture --scope 0190a2b4-… --retry',
    'contextengine capture list --scope 0190a2b4-…',
    'contextengine capture list',
  ],
  run,
};

/** Which flags each takes beside `--scope`. */
const OWN_FLAGS = {
  capture: ['time-zone', 'max-batches', 'retry', 'verbose'],
  list: ['limit', 'after'],
} as const;

async function run(call: Call): Promise<ExitCode> {
  const [action] = call.positionals;
  if (action !== undefined && action !== 'list')
    throw usageError(
      `\`capture ${action}\` does not exist.`,
      `${nearest(action, ['list']) ? 'Did you mean `list`? ' : ''}Use \`capture --scope ` +
        `${SCOPE_VALUE}\` or \`capture list\`.`,
    );
  const foreign = OWN_FLAGS[action === 'list' ? 'capture' : 'list'].find(
    (flag) => call.flags.text(flag) !== undefined || call.flags.isOn(flag),
  );
  if (foreign !== undefined)
    throw usageError(
      `\`--${foreign}\` is no flag of \`${action === 'list' ? 'capture list' : 'capture'}\`.`,
      'Leave it out. Run `contextengine help capture`.',
    );
  return action === 'list' ? captureList(call) : capture(call);
}

async function capture(call: Call): Promise<ExitCode> {
  const scope = required(call.flags, 'scope', SCOPE_VALUE);
  const input = compact({
    time_zone: call.flags.text('time-zone'),
    max_batches: numberFlag(call.flags, 'max-batches'),
    retry: call.flags.isOn('retry') || undefined,
  });
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const answer = await engine.capture(await givenScope(engine, scope), input);
    for (const warning of answer.warnings) remark(call, oneLine(warning), 'yellow');
    if (call.isJson) await printJson(call, answer);
    else await show(call, answer, engine);
    return answer.counts.failed > 0 ? 4 : 0;
  });
}

async function show(call: Call, answer: CaptureAnswer, engine: ContextEngine): Promise<void> {
  const { counts, receipts, is_more: isMore, waits } = answer;
  if (waits)
    remark(
      call,
      `The rest waits until ${waits.until}: ${waits.code}. ${WAITS_FOR[waits.code] ?? ''}`,
    );
  const turns = receipts.reduce((sum, receipt) => sum + receipt.turns, 0);
  if (receipts.length === 0) {
    const nothing = call.flags.isOn('retry')
      ? 'Nothing to retry: no piece of the scope has failed.'
      : 'Nothing to capture: no turn of the scope is left to be read.';
    if (!waits) remark(call, nothing);
    return;
  }
  const outcomes = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  const by = [...new Set(receipts.map(({ consumer }) => consumer))].join(', ');
  await printText(call, `${turns} turns by ${by}: ${outcomes.join(', ')}`);
  const why = declinedOf(receipts);
  if (why !== '') remark(call, `declined: ${why}`, 'dim');
  if (call.flags.isOn('verbose')) await printDeclined(call, receipts, engine);
  const candidates = receipts.flatMap((receipt) => receipt.candidates);
  if (candidates.length > 0) {
    const texts = await textsOf(candidates, engine);
    const layout = [
      { title: 'outcome' },
      { title: 'class' },
      { title: 'root or proposal' },
      { title: 'what', isFlexible: true },
    ];
    const rows = candidates.map((each) => [
      each.outcome,
      each.class ?? '',
      each.proposal_uuid ?? each.root_uuid ?? '',
      oneLine(texts.get(each) ?? each.reason),
    ]);
    await printTable(call, layout, rows);
    await showOperations(call, candidates, texts);
  }
  if (counts.quarantined > 0) remark(call, 'What waits: contextengine approvals list');
  if (isMore && !waits) remark(call, 'More turns are left: run it again.');
}

/** What can be taken back, write by write. */
async function showOperations(
  call: Call,
  candidates: readonly Candidate[],
  texts: ReadonlyMap<Candidate, string>,
): Promise<void> {
  const written = new Map<string, Candidate[]>();
  for (const each of candidates)
    if (each.operation_id !== null)
      written.set(each.operation_id, [...(written.get(each.operation_id) ?? []), each]);
  if (written.size === 0) return;
  const layout = [{ title: 'operation' }, { title: 'wrote' }, { title: 'what', isFlexible: true }];
  const rows = [...written].map(([operation, of]) => [
    operation,
    String(of.length),
    oneLine(of.map((each) => texts.get(each) ?? each.reason).join(' ')),
  ]);
  await printTable(call, layout, rows);
  remark(call, 'To take one back, with what it ended: contextengine undo OPERATION');
}

const WAITS_FOR: Readonly<Record<string, string>> = {
  'CAPTURE.BUDGET_SPENT':
    'The next call could pass `writing.cost_budget_usd_per_day` of the manifest; where ' +
    '`contextengine costs` shows nothing for today, one call costs more than that: raise it.',
  'CAPTURE.REVIEWS_WAIT': 'Settle some of what waits: contextengine approvals list',
};

function declinedOf(receipts: CaptureAnswer['receipts']): string {
  const sum = new Map<string, number>();
  for (const { declined } of receipts)
    for (const [reason, count] of Object.entries(declined))
      sum.set(reason, (sum.get(reason) ?? 0) + count);
  return [...sum].map(([reason, count]) => `${count} ${reason}`).join(', ');
}

/** What was written or proposed, in its own words; the receipt holds places alone. */
async function textsOf(
  candidates: readonly Candidate[],
  engine: ContextEngine,
): Promise<ReadonlyMap<Candidate, string>> {
  const texts = new Map<Candidate, string>();
  const said = wordsOfTurns(engine);
  for (const each of candidates) {
    const content = each.proposal_uuid
      ? (await engine.approvals.show(each.proposal_uuid)).action.operations.flatMap(wordsOf)[0]
      : each.root_uuid && each.outcome !== 'failed'
        ? (await engine.history(each.root_uuid)).flatMap(({ row }) =>
            row.uuid === each.uuid ? wordsOf(row) : [],
          )[0]
        : undefined;
    const { words } = content === undefined ? await said(each) : { words: '' };
    if (content !== undefined) texts.set(each, content);
    else if (words !== '') texts.set(each, `${each.reason}: ${words}`);
  }
  return texts;
}

function wordsOf(of: object): readonly string[] {
  const content = 'content' in of ? of.content : undefined;
  if (typeof content === 'string') return [content];
  const typed = typeof content === 'object' && content !== null ? content : of;
  if ('property' in typed && 'value' in typed)
    return [`${String(typed.property)} = ${JSON.stringify(typed.value)}`];
  return 'content' in typed && typeof typed.content === 'string' ? [typed.content] : [];
}
