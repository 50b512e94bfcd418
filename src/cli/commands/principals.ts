/** `principals`: what is stored of who may do what, and the keys that approve. */
import type { ContextEngine } from '../../index.ts';
import { nearest } from '../../manifest/suggest.ts';
import { keyIdOf, readPublicKey, writeNewKey } from '../approval-keys.ts';
import { required, usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { printJson, printTable, printText, remark } from '../output.ts';
import { type Session, withEngine } from '../session.ts';

type Principals = ContextEngine['principals'];
type PrincipalRecord = Awaited<ReturnType<Principals['list']>>[number];
type RightsAnswer = Awaited<ReturnType<Principals['set']>>;

const ACTIONS = ['list', 'add', 'disable', 'enable', 'key'] as const;

export const principalsCommand: Command = {
  name: 'principals',
  summary: 'list, add or disable principals, and register the keys that approve',
  takes: { usage: 'list|add|disable|enable|key [NAME]', min: 1, max: 2 },
  usesLedger: true,
  flags: {
    kind: { type: 'string', value: 'KIND', help: 'add: human, agent or service' },
    tier: {
      type: 'string',
      value: 'KEY=TIER',
      isMultiple: true,
      help: 'add: a tier, for example approvals=T1; what is left out takes its default',
    },
    scope: {
      type: 'string',
      value: 'UUID',
      isMultiple: true,
      help: 'add: a scope that it holds at most (default: all of the tenant)',
    },
    new: {
      type: 'string',
      value: 'FILE',
      help: 'key: make a private key, write it there, register it',
    },
    public: { type: 'string', value: 'FILE', help: 'key: register the key of this PEM file' },
    revoke: { type: 'string', value: 'ID', help: 'key: let this key approve nothing more' },
  },
  notes: `
What is stored of a principal limits what its profile may claim, and alone lowers a tier of deletes,
grants, redactions, approvals and cross_scope below T3. add sets all of it anew. On the embedded
database rights change at once. On a server they change at once for who is stored with grants=T1,
with the login that migrates; with another login that is refused. Whoever is not stored with
grants=T1 makes a proposal that another principal signs (contextengine approvals). A change ends
cached compositions.
`,
  examples: [
    'contextengine principals add carol --kind human --tier approvals=T1',
    'contextengine principals key carol --new carol.pem',
    'contextengine principals disable bot',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [asked = '', name] = call.positionals;
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const near = nearest(asked, ACTIONS);
    throw usageError(
      `\`principals ${asked}\` does not exist.`,
      `${near === undefined ? '' : `Did you mean \`${near}\`? `}Use ${ACTIONS.join(', ')}.`,
    );
  }
  if (action === 'list') return list(call);
  if (name === undefined)
    throw usageError(`\`principals ${action}\` needs a name.`, 'Name the principal.');
  if (action === 'key') return key(call, name);
  const change =
    action === 'add'
      ? add(call, name)
      : ({ engine }: Session): Promise<RightsAnswer> => engine.principals[action](name);
  return withEngine<ExitCode>(call, async (session) => tell(call, await change(session)));
}

function add({ flags }: Call, principal: string): (session: Session) => Promise<RightsAnswer> {
  const kind = required(flags, 'kind', 'human');
  const tiers = Object.fromEntries(
    flags.texts('tier').map((pair): [string, string] => {
      const [key = '', tier = ''] = pair.split('=');
      if (key === '' || tier === '')
        throw usageError(`\`--tier\` is \`${pair}\`.`, 'Write `--tier approvals=T1`.');
      return [key, tier];
    }),
  );
  const scopes = flags.texts('scope');
  const input: Readonly<Record<string, unknown>> = {
    principal,
    kind,
    tiers,
    scopes: scopes.length === 0 ? '*' : scopes,
  };
  // The engine checks every field of it.
  return ({ engine }) =>
    engine.principals.set(input as Parameters<typeof engine.principals.set>[0]);
}

async function list(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const records = await engine.principals.list();
    if (call.isJson) await printJson(call, records);
    else if (records.length === 0) remark(call, 'No principal is stored: claims stand alone.');
    else {
      const layout = [
        { title: 'principal' },
        { title: 'kind' },
        { title: 'scopes' },
        { title: 'keys', align: 'right' as const },
        { title: 'tiers', isFlexible: true },
      ];
      await printTable(call, layout, records.map(cellsOf));
    }
    return 0;
  });
}

const cellsOf = (record: PrincipalRecord): readonly string[] => [
  record.is_disabled ? `${record.principal} (disabled)` : record.principal,
  record.kind,
  record.scopes === '*' ? 'all' : String(record.scopes.length),
  String(record.keys.filter(({ is_revoked: isRevoked }) => !isRevoked).length),
  Object.entries(record.tiers ?? {})
    .map(([key, tier]) => `${key}=${tier}`)
    .join(' '),
];

async function key(call: Call, name: string): Promise<ExitCode> {
  const { flags, terminal } = call;
  const [fresh, file, revoked] = [flags.text('new'), flags.text('public'), flags.text('revoke')];
  if ([fresh, file, revoked].filter((each) => each !== undefined).length !== 1)
    throw usageError(
      '`principals key` takes one of `--new`, `--public` and `--revoke`.',
      'Write `contextengine principals key NAME --new FILE`.',
    );
  return withEngine<ExitCode>(call, async ({ engine }) => {
    if (revoked !== undefined) return tell(call, await engine.principals.revokeKey(name, revoked));
    const publicKey =
      fresh === undefined ? readPublicKey(file ?? '', terminal) : writeNewKey(fresh, terminal);
    return tell(call, await engine.principals.addKey(name, publicKey), keyIdOf(publicKey));
  });
}

async function tell(call: Call, answer: RightsAnswer, keyId?: string): Promise<ExitCode> {
  if (call.isJson)
    await printJson(call, {
      outcome: answer.outcome,
      proposal_uuid: answer.proposal?.proposal_uuid ?? null,
      ...(keyId !== undefined && { key_id: keyId }),
    });
  else {
    await printText(call, keyId ?? answer.outcome);
    if (answer.proposal)
      remark(
        call,
        'It waits for another principal: contextengine approvals show ' +
          `${answer.proposal.proposal_uuid}`,
      );
  }
  return 0;
}
