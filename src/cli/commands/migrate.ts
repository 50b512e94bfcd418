/** `migrate`: brings the database of the settings to this version's schema. */
import { migrationSql } from '../../../connectors/index.ts';
import { ContextEngineError, migrateDatabase } from '../../index.ts';
import { discardNewKey, readPublicKey, writeNewKey } from '../approval-keys.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command } from '../command.ts';
import { madeWords, rangeOf } from '../migrate-words.ts';
import { printJson, printText } from '../output.ts';
import { readSettings, shownDatabase } from '../settings.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'apply the migrations that the database does not have yet',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    'dry-run': { type: 'boolean', help: 'say what would be applied' },
    print: { type: 'boolean', help: 'print the SQL for psql; ask no database' },
    after: { type: 'string', value: 'NUMBER', help: 'with --print: the last one that is applied' },
    'first-principal': {
      type: 'string',
      value: 'NAME',
      help: 'store the first principal of --tenant, a human with every right (a server alone)',
    },
    new: {
      type: 'string',
      value: 'FILE',
      help: 'with --first-principal: make its private key, write it there, register it',
    },
    public: {
      type: 'string',
      value: 'FILE',
      help: 'with --first-principal: register the key of this PEM file',
    },
  },
  notes: `
An embedded database is migrated when it is opened; one given by URL only by this command, as a
role that may create schemas and roles. The engine then works as a role that can do neither.
--print gives the SQL to someone else, who runs it with psql; afterwards contextengine migrate
finds nothing to apply. --first-principal is refused where a principal of the tenant is stored
already. With its key it signs for the rights of all others (contextengine principals, contextengine
approvals).
`,
  examples: [
    'contextengine migrate --database-url postgres://owner@localhost/app --dry-run',
    'contextengine migrate',
    'contextengine migrate --print --after 18 > migrations.sql',
    'contextengine migrate --tenant acme --first-principal carol --new carol.pem',
  ],
  async run(call) {
    if (call.flags.isOn('print')) return printSql(call);
    if (call.flags.text('after') !== undefined)
      throw usageError('`--after` is for `--print`.', 'Write `--print` as well, or leave it out.');
    const settings = readSettings(call.flags, call.terminal);
    const isDry = call.flags.isOn('dry-run');
    const database = settings.database.value;
    const firstPrincipal = firstPrincipalOf(call, settings.tenant.value);
    const { applied, already } = await migrateDatabase({
      database,
      dryRun: isDry,
      ...(firstPrincipal && { firstPrincipal }),
    }).catch((error: unknown) => {
      if (isRefusal(error)) discardKey(call);
      throw error;
    });
    if (isDry) discardKey(call);
    if (call.isJson)
      await printJson(call, {
        applied: isDry ? [] : applied,
        pending: isDry ? applied : [],
        already,
        ...(firstPrincipal && !isDry && { first_principal: firstPrincipal }),
      });
    else {
      const what =
        applied.length === 0
          ? 'nothing to apply'
          : `${applied.length} ${isDry ? 'to apply' : 'applied'} (${rangeOf(applied)})`;
      await printText(
        call,
        `${shownDatabase(database)} (${settings.database.origin}): ${what}; ${already} ` +
          'applied before',
      );
      if (firstPrincipal) await printText(call, madeWords(call.flags, firstPrincipal));
    }
    return 0;
  },
};

/** For whoever may make roles and schemas, where the one who installs may not. */
async function printSql(call: Call): Promise<0> {
  for (const flag of ['first-principal', 'new', 'public'])
    if (call.flags.text(flag) !== undefined)
      throw usageError(
        `\`--${flag}\` writes to a database, \`--print\` asks none.`,
        `Leave it out, and run \`contextengine migrate --${flag} …\` once the SQL was run.`,
      );
  const after = call.flags.text('after') ?? '0';
  if (!/^\d{1,4}$/.test(after))
    throw usageError(`\`--after\` is \`${after}\`.`, 'Write a number, such as 18.');
  await call.terminal.out(await migrationSql(Number(after)));
  return 0;
}

/** Nothing was stored. After an outage the key may be registered, and its file stays. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ContextEngineError && !error.retryable;

function discardKey({ flags, terminal }: Call): void {
  const fresh = flags.text('new');
  if (fresh !== undefined) discardNewKey(fresh, terminal);
}

function firstPrincipalOf({ flags, terminal }: Call, tenant: string | null) {
  const principal = flags.text('first-principal');
  const [fresh, file] = [flags.text('new'), flags.text('public')];
  if (principal === undefined) {
    if (fresh === undefined && file === undefined) return null;
    throw usageError(
      '`--new` and `--public` are the key of a first principal.',
      'Write `--first-principal NAME` as well.',
    );
  }
  if (tenant === null || (fresh !== undefined && file !== undefined))
    throw usageError(
      'A first principal has one tenant, and one key at most.',
      'Write `--tenant NAME --first-principal NAME --new FILE`.',
    );
  const publicKey =
    fresh !== undefined
      ? writeNewKey(fresh, terminal)
      : file !== undefined
        ? readPublicKey(file, terminal)
        : undefined;
  return { tenant, principal, ...(publicKey !== undefined && { public_key: publicKey }) };
}
