/** `migrate`: brings the database of the settings to this version's schema. */
import { migrateDatabase } from '../../index.ts';
import type { Command } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { readSettings, shownDatabase } from '../settings.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'apply the migrations that the database does not have yet',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: { 'dry-run': { type: 'boolean', help: 'say what would be applied' } },
  notes: `
An embedded database is migrated when it is opened; one given by URL only by this command, as a
role that may create schemas and roles. The engine then works as a role that can do neither.
`,
  examples: [
    'contextengine migrate --database-url postgres://owner@localhost/app --dry-run',
    'contextengine migrate',
  ],
  async run(call) {
    const settings = readSettings(call.flags, call.terminal);
    const isDry = call.flags.isOn('dry-run');
    const database = settings.database.value;
    const { applied, already } = await migrateDatabase({ database, dryRun: isDry });
    if (call.isJson)
      await printJson(call, {
        applied: isDry ? [] : applied,
        pending: isDry ? applied : [],
        already,
      });
    else {
      const what =
        applied.length === 0
          ? 'nothing to apply'
          : `${isDry ? 'would apply' : 'applied'} ${applied.join(', ')}`;
      await printText(
        call,
        `${shownDatabase(database)} (${settings.database.origin}): ${what}; ${already} ` +
          'applied before',
      );
    }
    return 0;
  },
};
