/** `approvals`: what waits for a second principal, and its review. */
import { type ContextEngine, ContextEngineError, type Operation } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { signMessage } from '../approval-keys.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { tellFollowed } from '../followed-words.ts';
import { givenProposal } from '../given-proposals.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import {
  candidatesOf,
  foundOf,
  scopeNames,
  sourcesOf,
  targetsOf,
  withoutDeclined,
} from '../proposal-sources.ts';
import { proposalText, proposerOf } from '../proposal-text.ts';
import { withEngine, withWritingEngine } from '../session.ts';

type Approvals = ContextEngine['approvals'];
type Proposal = Awaited<ReturnType<Approvals['show']>>;
type SettledProposal = Awaited<ReturnType<Approvals['approve']>>;

/** A proposer has so many that wait. */
const MOST_AT_ONCE = 100;

const ACTIONS = ['list', 'show', 'approve', 'reject'] as const;

export const approvalsCommand: Command = {
  name: 'approvals',
  summary: 'list, show, approve or reject what waits for a second principal',
  takes: { usage: 'list|show|approve|reject [PROPOSAL …]', min: 1, max: 1 + MOST_AT_ONCE },
  usesLedger: true,
  flags: {
    all: { type: 'boolean', help: 'list: also what was settled' },
    key: {
      type: 'string',
      value: 'FILE',
      help: 'approve: sign with this private key (PEM); T3 takes a signature',
    },
  },
  notes: `
A write that is T2 or T3 waits as a proposal: nothing of it is stored. So does a "forget" or an
"undo": "show" prints what would go, and how much of it there is. T2 is reviewed by another person
or service that is stored with approvals T1; T3 takes the signature of a registered key of theirs
over the digest of exactly what is shown. A proposal ends after seven days. It is in conflict where
what it was judged against has changed since: nothing is done, and approve exits 4. What is to be
forgotten is forgotten with the approval, by a login that may ("contextengine forget --help").
The first eight digits of a proposal name it where no other begins so. approve and reject take
several: each is settled by itself, and where one is refused the exit code is 2.
`,
  examples: [
    'contextengine approvals list',
    'contextengine approvals show 0190a2b4-…',
    'contextengine approvals approve 0190a2b4-… --key carol.pem --profile carol.json',
    'contextengine approvals reject 0190a2b4 0190a2b5',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', ...ids] = call.positionals;
  const [id, second] = ids;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`approvals ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  if (action === 'list') {
    if (id !== undefined)
      throw usageError(`\`approvals list\` does not take \`${id}\`.`, 'Leave it out.');
    return list(call);
  }
  if (id === undefined)
    throw usageError(
      `\`approvals ${action}\` needs a proposal.`,
      'Take one from `contextengine approvals list`.',
    );
  if (action !== 'show') return settle(call, action, ids);
  if (second !== undefined)
    throw usageError(
      `\`approvals show\` takes one proposal, got ${ids.length}.`,
      'Show one after the other; approve and reject take several.',
    );
  return show(call, id);
}

async function list(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const isAll = call.flags.isOn('all');
    const proposals = await engine.approvals.list(isAll ? { state: null } : {});
    if (call.isJson) await printJson(call, proposals);
    else if (proposals.length === 0) remark(call, 'Nothing waits.');
    else {
      const layout = [
        { title: 'proposal' },
        { title: 'state' },
        { title: 'tier' },
        { title: 'by' },
        { title: 'scope' },
        { title: 'until' },
        { title: 'what', isFlexible: true },
      ];
      const names = await scopeNames(engine);
      const rows = proposals.map((each) => cellsOf(each, names));
      await printTable(call, layout, rows);
    }
    return 0;
  });
}

const cellsOf = (proposal: Proposal, names: ReadonlyMap<string, string>): readonly string[] => [
  proposal.proposal_uuid,
  proposal.state,
  proposal.action.tier,
  proposerOf(proposal),
  shortScopes(proposal, names),
  proposal.action.expires_at.slice(0, 10),
  summaryOf(proposal),
];

/** The first by its name, else by the beginning of its uuid. */
function shortScopes({ action }: Proposal, names: ReadonlyMap<string, string>): string {
  const [first, ...more] = action.scopes;
  if (first === undefined) return 'all';
  const name = names.get(first) ?? first.slice(0, 8);
  return more.length === 0 ? name : `${name} and ${more.length} more`;
}

function summaryOf({ action, target }: Proposal): string {
  const { kind, operations, change, include_scopes: scopes, redaction, bring_back: back } = action;
  if (redaction) {
    const named = oneLine(target ?? redaction.value);
    const ended = redaction.is_now === true ? ', erased at once' : '';
    return `forget ${`${redaction.kind} ${named}`.trimEnd()}${ended}`;
  }
  if (back) return `bring back ${back.redaction}`;
  if (kind === 'read') return `read ${scopes.length} further scopes`;
  if (change) return `${change.action} ${change.principal}`;
  const [first, ...others] = operations;
  if (!first) return 'nothing';
  if (others.every((each) => rootOf(each) === rootOf(first)))
    return operations.map((each) => oneLine(lineOf(each))).join(', then ');
  return `${oneLine(lineOf(first))} and ${others.length} more`;
}

const rootOf = (operation: Operation): string | null =>
  'root_uuid' in operation ? operation.root_uuid : 'uuid' in operation ? operation.uuid : null;

function lineOf(operation: Operation): string {
  if (operation.operation === 'NOOP') return operation.reason;
  if (operation.operation === 'UNDO') return `UNDO ${operation.target}`;
  const verb = operation.operation.toLowerCase();
  if (operation.operation === 'DELETE') return `${verb} ${operation.root_uuid}`;
  const { content } = operation;
  if ('value' in content)
    return `${verb} ${content.subject} ${content.property} = ${JSON.stringify(content.value)}`;
  return 'content' in content ? `${verb} "${content.content}"` : `${verb} ${content.link_type}`;
}

async function show(call: Call, given: string): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const proposal = await engine.approvals.show(await givenProposal(engine.approvals, given));
    const named = await sourcesOf(proposal, engine);
    const candidates = await candidatesOf(named, engine);
    const sources = withoutDeclined(named, candidates);
    const targets = await targetsOf(proposal, engine);
    if (call.isJson) {
      const read = { sources: [...sources.values()].filter(Boolean), targets };
      await printJson(call, { ...proposal, ...read });
      return 0;
    }
    const names = await scopeNames(engine);
    const found = foundOf(proposal, candidates);
    const { plain, whole } = proposalText(proposal, { sources, targets, names, found });
    const title = call.terminal.paintOut('bold', 'What an approval is of, field by field:');
    await printText(call, `${plain}\n\n${title}\n${whole}`);
    return 0;
  });
}

/** Settles each by itself: one that fails leaves the others as they come. */
async function settle(
  call: Call,
  action: 'approve' | 'reject',
  given: readonly string[],
): Promise<ExitCode> {
  return withWritingEngine<ExitCode>(call, async ({ engine: { approvals } }) => {
    const one = async (name: string): Promise<SettledProposal> => {
      const id = await givenProposal(approvals, name);
      if (action === 'reject') return approvals.reject(id);
      const file = call.flags.text('key');
      const message = file === undefined ? null : await approvals.message(id);
      const signed = file && message ? signMessage(message, file, call.terminal) : null;
      return approvals.approve(id, signed);
    };
    const [first = '', ...others] = new Set(given);
    if (others.length > 0) return settleEach(call, [first, ...others], one);
    const settled = await one(first);
    if (call.isJson) await printJson(call, settled);
    else await tell(call, settled);
    return settled.state === 'conflict' ? 4 : 0;
  });
}

/** 2 where one was refused, else 4 where one is in conflict. */
async function settleEach(
  call: Call,
  given: readonly string[],
  one: (name: string) => Promise<SettledProposal>,
): Promise<ExitCode> {
  const answers: object[] = [];
  let exit: ExitCode = 0;
  for (const name of given)
    try {
      const settled = await one(name);
      answers.push({ proposal: name, ...settled });
      if (settled.state === 'conflict' && exit === 0) exit = 4;
      if (!call.isJson) await tell(call, settled, `${name}  `);
    } catch (error) {
      if (!(error instanceof ContextEngineError)) throw error;
      answers.push({ proposal: name, error });
      exit = 2;
      if (!call.isJson)
        await printText(call, `${oneLine(name)}  ${error.code}: ${oneLine(error.message)}`);
    }
  if (call.isJson) await printJson(call, answers);
  return exit;
}

async function tell(call: Call, settled: SettledProposal, before = ''): Promise<void> {
  const { state, result, forgotten } = settled;
  const rows = result?.receipts.map(({ outcome, root_uuid: root }) => `${outcome}  ${root ?? ''}`);
  await printText(call, [`${before}${state}`, ...(rows ?? [])].join('\n').trimEnd());
  if (state === 'conflict')
    remark(call, 'What it was judged against has changed: nothing was done. Propose it again.');
  else if (forgotten) {
    const { redaction_uuid: id, certificate, followed } = forgotten;
    tellFollowed(call, followed);
    const next = certificate === null ? `undo ${id}` : `erase ${id} --certificate`;
    const what = certificate === null ? 'Forgotten. Taken back' : 'Erased. Its certificate';
    remark(call, `${what}: contextengine ${next}`);
  } else if (settled.brought_back) remark(call, 'What was forgotten is there again.');
}
