/** `import`: an exported scope back into a ledger that does not have it. */

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inputError } from '../../ingest/input-error.ts';
import { readLines } from '../../ingest/lines.ts';
import { keepStdin } from '../../ingest/open-source.ts';
import { parseJsonText } from '../../text/json-text.ts';
import type { Command, ExitCode } from '../command.ts';
import { printJson, printText, remark } from '../output.ts';
import { withWritingEngine } from '../session.ts';
import { withCommas } from '../table.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'put an exported scope back, all versions and sequence numbers included',
  takes: { usage: 'FILE|-', min: 1, max: 1 },
  usesLedger: true,
  flags: {},
  notes: 'Only into a ledger that does not have the scope; all of it or nothing.',
  examples: ['contextengine import scope.jsonl', 'zcat scope.jsonl.gz | contextengine import -'],
  async run(call) {
    const shown = call.positionals[0] ?? '';
    const file =
      shown === '-'
        ? await keepStdin(call.terminal)
        : { path: resolve(call.terminal.cwd, shown), close: () => Promise.resolve() };
    try {
      if (
        !(await stat(file.path).then(
          (found) => found.isFile() && found.size > 0,
          () => false,
        ))
      )
        throw inputError(
          `\`${shown}\` is not a file with lines.`,
          'Give a file that `contextengine export` wrote.',
          { file: shown },
        );
      return await withWritingEngine<ExitCode>(call, async ({ engine }) => {
        const { scope_block_uuid: scope, rows } = await engine.importScope(
          valuesOf(file.path, shown),
        );
        if (call.isJson) await printJson(call, { scope_block_uuid: scope, rows });
        else {
          await printText(call, scope);
          remark(
            call,
            `${withCommas(rows)} rows restored. Vectors: \`contextengine doctor --fix\` ` +
              'makes them.',
          );
        }
        return 0;
      });
    } finally {
      await file.close();
    }
  },
};

async function* valuesOf(path: string, shown: string): AsyncGenerator<unknown> {
  for await (const { number, text } of readLines(path, shown)) {
    if (text.trim() !== '')
      yield parseJsonText(text, { file: shown, line: number, code: 'CLI.INPUT' });
  }
}
