/** `approvals`: what waits for a second principal, and its review. */
import type { ContextEngine, Operation } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { signMessage } from '../approval-keys.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { copyCounts } from '../copy-words.ts';
import { tellFollowed } from '../followed-words.ts';
import { givenId } from '../given-id.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import {
  type ProposalTarget,
  type ReadSources,
  scopeNames,
  sourceLines,
  sourcesOf,
  targetLines,
  targetsOf,
} from '../proposal-sources.ts';
import { withEngine, withWritingEngine } from '../session.ts';

type Approvals = ContextEngine['approvals'];
type Proposal = Awaited<ReturnType<Approvals['show']>>;
type SettledProposal = Awaited<ReturnType<Approvals['approve']>>;

const ACTIONS = ['list', 'show', 'approve', 'reject'] as const;

export const approvalsCommand: Command = {
  name: 'approvals',
  summary: 'list, show, approve or reject what waits for a second principal',
  takes: { usage: 'list|show|approve|reject [PROPOSAL]', min: 1, max: 2 },
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
`,
  examples: [
    'contextengine approvals list',
    'contextengine approvals show 0190a2b4-…',
    'contextengine approvals approve 0190a2b4-… --key carol.pem --profile carol.json',
    'contextengine approvals reject 0190a2b4-…',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', id] = call.positionals;
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
  givenId('proposal', id);
  if (action === 'show') return show(call, id);
  return action === 'approve' ? approve(call, id) : reject(call, id);
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

const proposerOf = ({ action: { proposer, on_behalf_of: behalf } }: Proposal): string =>
  behalf === null ? proposer : `${proposer} for ${behalf}`;

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

async function show(call: Call, id: string): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const proposal = await engine.approvals.show(id);
    const sources = await sourcesOf(proposal, engine);
    const targets = await targetsOf(proposal, engine);
    if (call.isJson) {
      const read = { sources: [...sources.values()].filter(Boolean), targets };
      await printJson(call, { ...proposal, ...read });
    } else
      await printText(
        call,
        toText(proposal, { sources, targets, names: await scopeNames(engine) }),
      );
    return 0;
  });
}

/** All that is signed, so that whoever approves has seen it. */
function toText(
  proposal: Proposal,
  {
    sources,
    targets,
    names,
  }: {
    readonly sources: ReadSources;
    readonly targets: readonly ProposalTarget[];
    readonly names: ReadonlyMap<string, string>;
  },
): string {
  const { proposal_uuid: id, state, digest, action, settled_by: by } = proposal;
  const { operations, change, versions, include_scopes: scopes } = action;
  const named = (scope: string): string =>
    names.has(scope) ? `${scope} ${names.get(scope) ?? ''}` : scope;
  const lines = [
    ['proposal', id],
    ['state', by === null ? state : `${state} by ${by}`],
    ['tier', `${action.tier} (${action.key})`],
    ['proposed by', proposerOf(proposal)],
    ['proposed at', action.proposed_at],
    ['until', action.expires_at],
    ['scopes', action.scopes.map(named).join(', ') || 'of the whole tenant'],
    ['digest', digest],
    ...sourceLines(sources),
    ...targetLines(targets),
    ...operations.flatMap((operation, index) => fieldsOf(`operation ${index + 1}`, operation)),
    ...(change ? fieldsOf('change', change) : []),
    ...linesOfRedaction(proposal),
    ...(scopes.length > 0 ? [['reads', scopes.join(', ')]] : []),
    ...versions.flatMap((judged, index) => fieldsOf(`judged ${index + 1}`, judged)),
  ];
  return lines
    .map(([name = '', value = '']) => `${name.padEnd(14)}${oneLine(value)}`.trimEnd())
    .join('\n');
}

/** Every field of a value on a line of its own, as JSON: what is signed is shown whole. */
function fieldsOf(name: string, value: object): readonly (readonly string[])[] {
  const linesOf = (at: string, field: unknown): readonly (readonly string[])[] =>
    isFields(field)
      ? Object.entries(field).flatMap(([key, inner]) =>
          linesOf(at === '' ? key : `${at}.${key}`, inner),
        )
      : [['', `${at}: ${JSON.stringify(field) ?? 'null'}`]];
  const [first, ...rest] = linesOf('', value);
  return [[name, first?.[1] ?? ''], ...rest];
}

/** An empty object is a value: it has no line otherwise. */
const isFields = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0;

/** What would go or come back, and how much of it there is. */
function linesOfRedaction({ action, target }: Proposal): readonly (readonly string[])[] {
  const { redaction, bring_back: back, targets } = action;
  const reach = redaction?.reach ?? back?.reach;
  return [
    ...(redaction ? fieldsOf('forgets', redaction) : []),
    ...(redaction && target !== null ? [[redaction.kind, target]] : []),
    ...(back ? fieldsOf('brings back', back) : []),
    ...copyCounts(reach?.counts ?? {}).map(([copy, count]) => ['reaches', `${count} ${copy}`]),
    ...(redaction ? targets.flatMap((judged) => fieldsOf('judged', judged)) : []),
  ];
}

async function approve(call: Call, id: string): Promise<ExitCode> {
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const file = call.flags.text('key');
    const signed =
      file === undefined
        ? null
        : signMessage(await engine.approvals.message(id), file, call.terminal);
    return tell(call, await engine.approvals.approve(id, signed));
  });
}

async function reject(call: Call, id: string): Promise<ExitCode> {
  return withWritingEngine<ExitCode>(call, async ({ engine }) =>
    tell(call, await engine.approvals.reject(id)),
  );
}

async function tell(call: Call, settled: SettledProposal): Promise<ExitCode> {
  const { state, result, forgotten } = settled;
  if (call.isJson) await printJson(call, settled);
  else {
    const rows = result?.receipts.map(
      ({ outcome, root_uuid: root }) => `${outcome}  ${root ?? ''}`,
    );
    await printText(call, [state, ...(rows ?? [])].join('\n').trimEnd());
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
  return state === 'conflict' ? 4 : 0;
}
