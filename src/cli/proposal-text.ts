/** A proposal for its reviewer: in plain lines, then how to settle it, then all that is signed. */
import type { ContextEngine, Operation } from '../index.ts';
import { copyCounts } from './copy-words.ts';
import { oneLine } from './printable.ts';
import {
  type ProposalTarget,
  type ReadSources,
  sourceLines,
  targetLines,
} from './proposal-sources.ts';

type Proposal = Awaited<ReturnType<ContextEngine['approvals']['show']>>;
type Line = readonly [name: string, value: string];

export interface ProposalContext {
  readonly sources: ReadSources;
  readonly targets: readonly ProposalTarget[];
  readonly names: ReadonlyMap<string, string>;
  /** What a capture found of it beside that it is new; null = nothing. */
  readonly found: string | null;
}

export const proposerOf = ({ action: { proposer, on_behalf_of: behalf } }: Proposal): string =>
  behalf === null ? proposer : `${proposer} for ${behalf}`;

/** All that is signed is among it, so that whoever approves has seen it. */
export function proposalText(
  proposal: Proposal,
  context: ProposalContext,
): { readonly plain: string; readonly whole: string } {
  const { proposal_uuid: id, state, digest, action, settled_by: by } = proposal;
  const { change, versions, include_scopes: scopes, operations } = action;
  const named = (scope: string): string => `${scope} ${context.names.get(scope) ?? ''}`.trimEnd();
  const plain: readonly (readonly string[])[] = [
    ['proposal', id],
    ['state', by === null ? state : `${state} by ${by}`],
    ['tier', `${action.tier} (${action.key})`],
    ...proposedLines(proposal),
    ['scopes', action.scopes.map(named).join(', ') || 'of the whole tenant'],
    ...targetLines(context.targets),
    ...sourceLines(context.sources),
    ...linesOfRedaction(proposal),
    ['proposed by', `${proposerOf(proposal)}, ${action.proposed_at}`],
    ...(state === 'pending' ? waitingLines(proposal, context) : []),
  ];
  const whole: readonly (readonly string[])[] = [
    ['digest', digest],
    ...operations.flatMap((operation, index) => fieldsOf(`operation ${index + 1}`, operation)),
    ...(change ? fieldsOf('change', change) : []),
    ...(scopes.length > 0 ? [['reads', scopes.join(', ')]] : []),
    ...versions.flatMap((judged, index) => fieldsOf(`judged ${index + 1}`, judged)),
    ...(action.redaction ? action.targets.flatMap((judged) => fieldsOf('judged', judged)) : []),
  ];
  return { plain: textOf(plain), whole: textOf(whole) };
}

const textOf = (lines: readonly (readonly string[])[]): string =>
  lines
    .map(([name = '', value = '']) => `${name.padEnd(14)}${shownLine(value)}`.trimEnd())
    .join('\n');

/** On one line, with the blanks that it is indented by. */
const shownLine = (value: string): string => `${/^ */.exec(value)?.[0] ?? ''}${oneLine(value)}`;

/** What the reviewer decides on, each operation in its own words. */
function proposedLines({ action, target }: Proposal): readonly Line[] {
  const { kind, operations, change, include_scopes: scopes, redaction, bring_back: back } = action;
  if (redaction) return [['proposes', `forget ${redaction.kind} ${target ?? redaction.value}`]];
  if (back) return [['proposes', `bring back what ${back.redaction} has forgotten`]];
  if (kind === 'read') return [['proposes', `read ${scopes.length} further scopes`]];
  if (change) return [['proposes', `${change.action} ${change.principal}`]];
  return operations.flatMap((each, index): readonly Line[] => {
    const [what = '', ...more] = wordsOf(each);
    return [
      [index === 0 ? 'proposes' : 'and', what],
      ...more.map((line): Line => ['', `  ${line}`]),
    ];
  });
}

/** What it does, then the words of it. */
function wordsOf(operation: Operation): readonly string[] {
  if (operation.operation === 'NOOP') return ['nothing', operation.reason];
  if (operation.operation === 'UNDO') return [`take back operation ${operation.target}`];
  if (operation.operation === 'DELETE') return [`end ${operation.root_uuid}`];
  const { content, valid_from: from } = operation;
  const verb = operation.operation === 'UPDATE' ? `change ${operation.root_uuid} to` : 'add';
  const since = from === undefined ? '' : `, from ${from.slice(0, 10)}`;
  if ('value' in content) {
    const { subject, collection, property, value } = content;
    const what = `${verb} a typed value of ${subject} in ${collection}${since}`;
    return [what, `${property} = ${JSON.stringify(value)}`];
  }
  if (!('content' in content)) return [`${verb} a link ${content.link_type}${since}`];
  const what =
    'block_type' in content ? content.block_type : 'class' in content ? content.class : 'summary';
  const about = 'subject' in content && content.subject ? ` about ${content.subject}` : '';
  return [`${verb} a ${what}${about}${since}`, ...content.content.split('\n')];
}

/** Why it waits, until when, and how it is settled. */
function waitingLines(
  { proposal_uuid: id, action }: Proposal,
  { found }: ProposalContext,
): readonly Line[] {
  const { tier, key, expires_at: until, proposer } = action;
  const who =
    tier === 'T2'
      ? 'another person or service reviews it'
      : 'another person or service signs it with a registered key';
  const approve = `contextengine approvals approve ${id.slice(0, SHORT)}`;
  return [
    ['waits', `\`${key}\` is ${tier} for ${proposer}: ${who}`],
    ...(found === null ? [] : [['', `the capture found: ${found}`] as const]),
    ['until', until],
    ['approve', tier === 'T2' ? approve : `${approve} --key FILE`],
    ['reject', `contextengine approvals reject ${id.slice(0, SHORT)}`],
  ];
}

/** Digits that name a proposal among those that wait. */
const SHORT = 8;

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
  const { redaction, bring_back: back } = action;
  const reach = redaction?.reach ?? back?.reach;
  return [
    ...(redaction ? fieldsOf('forgets', redaction) : []),
    ...(redaction && target !== null ? [[redaction.kind, target]] : []),
    ...(back ? fieldsOf('brings back', back) : []),
    ...copyCounts(reach?.counts ?? {}).map(([copy, count]) => ['reaches', `${count} ${copy}`]),
  ];
}
