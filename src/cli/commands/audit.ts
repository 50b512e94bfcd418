/**
 * `audit`: what was denied, approved or changed in rights, and whether the record of it is whole.
 */
import type { ContextEngine } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { numberFlag, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { withEngine } from '../session.ts';

type Audit = ContextEngine['audit'];
type AuditRecord = Awaited<ReturnType<Audit['list']>>[number];
type AuditVerdict = Awaited<ReturnType<Audit['verify']>>;
type AuditHead = AuditVerdict['head'];

const ACTIONS = ['list', 'verify'] as const;

export const auditCommand: Command = {
  name: 'audit',
  summary: 'list the audit of the tenant, or check that no entry was changed',
  takes: { usage: 'list|verify', min: 1, max: 1 },
  usesLedger: true,
  flags: {
    after: { type: 'string', value: 'N', help: 'list: entries after this number (default 0)' },
    limit: { type: 'string', value: 'N', help: 'list: at most so many, up to 1000 (default 100)' },
    head: {
      type: 'string',
      value: 'N:DIGEST',
      help: 'verify: a head that an earlier check printed, kept outside of the database',
    },
  },
  notes: `
Denials, approvals, reads across scopes and changed rights are entries of one chain: each has a
number and the digest of the one before it. verify exits 4 and names the number of every entry that
was edited, removed, added or moved. Whoever owns the database can make the whole chain anew: keep
the head that verify prints elsewhere, and pass it to the next check.
`,
  examples: [
    'contextengine audit list --limit 20',
    'contextengine audit verify',
    'contextengine audit verify --head 4711:9f86d0…',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = ''] = call.positionals;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`audit ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  return action === 'list' ? list(call) : verify(call);
}

async function list(call: Call): Promise<ExitCode> {
  const [after, limit] = [numberFlag(call.flags, 'after'), numberFlag(call.flags, 'limit')];
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const records = await engine.audit.list({
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit }),
    });
    if (call.isJson) await printJson(call, records);
    else if (records.length === 0) remark(call, 'No entries.');
    else {
      const layout = [
        { title: '#', align: 'right' as const },
        { title: 'time' },
        { title: 'decision' },
        { title: 'tier' },
        { title: 'action' },
        { title: 'principal' },
        { title: 'scope' },
        { title: 'detail', isFlexible: true },
      ];
      await printTable(call, layout, records.map(cellsOf));
    }
    return 0;
  });
}

const cellsOf = (record: AuditRecord): readonly string[] => [
  String(record.seq),
  `${record.at.slice(0, 10)} ${record.at.slice(11, 19)}`,
  record.decision,
  record.tier,
  record.action,
  record.on_behalf_of === null
    ? record.principal
    : `${record.principal} for ${record.on_behalf_of}`,
  record.scope_uuid ?? '',
  record.detail,
];

async function verify(call: Call): Promise<ExitCode> {
  const known = headFlag(call.flags.text('head'));
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const verdict = await engine.audit.verify(known);
    if (call.isJson) await printJson(call, verdict);
    else await printText(call, toText(verdict));
    return verdict.faults.length === 0 ? 0 : 4;
  });
}

function headFlag(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const [, seq, digest] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq !== undefined && digest !== undefined) return { seq: Number(seq), digest };
  throw usageError(
    `\`--head\` is \`${text}\`.`,
    'Write `--head N:DIGEST` as `contextengine audit verify` printed it.',
  );
}

const MEANINGS: Readonly<Record<AuditVerdict['faults'][number]['fault'], string>> = {
  edited: 'was edited, or moved to another place',
  removed: 'is not there any more',
  added: 'was put in beside the chain',
  rewritten: 'is not the entry of the head that was given: the chain was made anew',
};

function toText({ entries, head, faults }: AuditVerdict): string {
  const lines = faults.map(({ seq, fault }) => `entry ${seq} ${MEANINGS[fault]}`);
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  const sum = faults.length === 0 ? `${count}, whole` : `${count}, ${faults.length} at fault`;
  return [...lines, sum, `head  ${head.seq}:${head.digest}`].join('\n');
}
