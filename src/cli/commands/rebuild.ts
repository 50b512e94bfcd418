/** `rebuild`: a mount made again from the ledger, while the one before serves. */
import type { Call, Command, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { withEngine } from '../session.ts';

export const rebuildCommand: Command = {
  name: 'rebuild',
  summary: 'make a mount again from the ledger, while the one before serves',
  takes: { usage: 'MOUNT', min: 1, max: 1 },
  usesLedger: true,
  flags: {},
  notes: `
A mount is named under \`mounts\` in contextengine.config.json. The copy before serves until the new
one is whole, and takes its place in one step; a rebuild that is cut off leaves it as it was. Needed
after another embedder, and after a version that reads words otherwise.
`,
  examples: ['contextengine rebuild archive', 'contextengine rebuild archive --json'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [name = ''] = call.positionals;
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const report = await engine.mounts.rebuild(name);
    if (call.isJson) await printJson(call, report);
    else await printText(call, `${report.mount}: ${report.rows} rows, ${report.bytes} bytes`);
    return report.waiting.length > 0 ? 4 : 0;
  });
}
