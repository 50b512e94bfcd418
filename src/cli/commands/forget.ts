/** `forget`: takes what somebody said, or what is named, out of sight; erased now or later. */
import { type ContextEngine, isUuid } from '../../index.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode, FlagTable } from '../command.ts';
import { copyLines } from '../copy-words.ts';
import { tellFollowed } from '../followed-words.ts';
import { givenId } from '../given-id.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, printText, remark } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withWritingEngine } from '../session.ts';

type ForgetTarget = Parameters<ContextEngine['forget']>[0];
type ForgetAnswer = Awaited<ReturnType<ContextEngine['forget']>>;

const TARGETS = {
  person: { value: 'NAME', help: 'what NAME said, wrote, or is the subject of' },
  author: { value: 'NAME', help: 'turns and documents whose author is NAME' },
  subject: { value: 'NAME', help: 'facts and typed values about NAME' },
  writer: { value: 'NAME', help: 'what the principal NAME wrote or proposed' },
  text: { value: 'TEXT', help: 'whatever says TEXT, in either case: rows, questions, proposals' },
  root: { value: 'UUID', help: 'all versions of one row' },
  version: { value: 'UUID', help: 'one version of a row' },
  block: { value: 'UUID', help: 'a block with all below it: a document with its chunks' },
  scope: { value: SCOPE_VALUE, help: 'a scope, by uuid or key, with all that it holds' },
} as const;

const targetFlags: FlagTable = Object.fromEntries(
  Object.entries(TARGETS).map(([name, { value, help }]) => [name, { type: 'string', value, help }]),
);

export const forgetCommand: Command = {
  name: 'forget',
  summary: 'take what a person said, a row, a scope or a text out of sight, and erase it',
  takes: { usage: '', min: 0, max: 0, extraFix },
  usesLedger: true,
  flags: {
    ...targetFlags,
    'all-of-tenant': { type: 'boolean', help: 'everything of the tenant; its keys are destroyed' },
    now: { type: 'boolean', help: 'erase it at once, without the grace period' },
  },
  notes: `
Name one target. A NAME counts letter for letter, capitals too, as "compose" and "facts" show it;
what others say about NAME stays: --text finds words in either case, whoever said them. From then on
nothing serves, counts or shows it, at no position of the past, nor what was derived from it. Until
it is erased its words stay in the database, out of sight, and "contextengine undo ID" brings it
back. After the grace period (30 days, or "retention.grace_days" of a manifest that serves it)
"contextengine erase" erases it, "contextengine erase ID" at once.

Of what was captured, the memory is then the one that the turns that are left would form: what a
forgotten turn had ended or corrected holds again, and what another turn states as well is captured
from that one.

Where "redactions" is T2 or T3 for you, nothing is forgotten yet: it waits for another principal,
who sees with "contextengine approvals show" how much would go. If other rows came or went
meanwhile, it is in conflict.

The erasure has a certificate: what was reached, what cannot be (backups, the log of the database,
what was exported), signed by the key of the tenant. "contextengine erase ID --certificate" prints
it and checks its signature; "contextengine erase --verify --text 'WORDS'" looks for copies that are
left.
`,
  examples: [
    "contextengine forget --person 'Zoe Miller'",
    "contextengine forget --person 'Zoe Miller' --now   # then: erase ID --certificate",
    'contextengine forget --root 0b6f… --now',
    "contextengine forget --text 'order 4711'",
  ],
  run,
};

/** An id alone does not tell what it is of, and nothing is read for a word too many. */
function extraFix(extra: string): string {
  return isUuid(extra)
    ? `Write \`--block ${extra}\` for a turn or a document, \`--root ${extra}\` for a fact, ` +
        `\`--scope ${extra}\` for a scope.`
    : `Write \`--person ${extra}\` for a person, \`--scope ${extra}\` for a scope.`;
}

async function run(call: Call): Promise<ExitCode> {
  const target = targetOf(call);
  return withWritingEngine<ExitCode>(call, async ({ engine }) => {
    const named = 'scope' in target ? { scope: await givenScope(engine, target.scope) } : target;
    const answer = await engine.forget(named, { now: call.flags.isOn('now') });
    if (call.isJson) await printJson(call, answer);
    else await tell(call, answer);
    return 0;
  });
}

function targetOf({ flags }: Call): ForgetTarget {
  const named = Object.keys(TARGETS).flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [{ [name]: isRow(name) ? givenId('row', value) : value }];
  });
  const all = [...named, ...(flags.isOn('all-of-tenant') ? [{ tenant: true }] : [])];
  const [target] = all;
  if (target === undefined || all.length > 1)
    throw usageError(
      `\`forget\` takes one target, and ${all.length} are named.`,
      `Name one of ${Object.keys(TARGETS)
        .map((name) => `--${name}`)
        .join(', ')} and --all-of-tenant.`,
    );
  return target as ForgetTarget; // the engine checks it
}

async function tell(call: Call, answer: ForgetAnswer): Promise<void> {
  const lines = copyLines(answer.counts);
  await printText(call, [`${answer.outcome}  ${answer.redaction_uuid}`, ...lines].join('\n'));
  if (answer.followed) tellFollowed(call, answer.followed);
  if (answer.proposal !== undefined)
    remark(
      call,
      `Nothing is forgotten yet: it is ${answer.proposal.tier} and waits for another principal ` +
        `until ${answer.proposal.expires_at.slice(0, 10)}. contextengine approvals show ` +
        answer.proposal.proposal_uuid,
    );
  else if (answer.erase_after !== null && answer.outcome === 'suppressed')
    remark(
      call,
      `Out of sight now; to be erased after ${answer.erase_after.slice(0, 10)}. At once: ` +
        `contextengine erase ${answer.redaction_uuid}. Taken back: contextengine undo ` +
        answer.redaction_uuid,
    );
  else remark(call, `Certificate: contextengine erase ${answer.redaction_uuid} --certificate`);
  const [name] = PEOPLE.flatMap((kind) => call.flags.text(kind) ?? []);
  if (name !== undefined && answer.proposal === undefined)
    remark(call, `What others say about ${oneLine(name)} is there still: forget --text finds it.`);
}

const isRow = (name: string): boolean => name === 'root' || name === 'block';

const PEOPLE = ['person', 'author', 'subject', 'writer'] as const;
