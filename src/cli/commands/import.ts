/** `import`: exported scopes back into a ledger that does not have them. */

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
import type { Terminal } from '../terminal.ts';

/** A user and their conversations. */
const MOST_FILES = 1000;

export const importCommand: Command = {
  name: 'import',
  summary: 'put exported scopes back, all versions and sequence numbers included',
  takes: { usage: 'FILE…|-', min: 1, max: MOST_FILES },
  usesLedger: true,
  flags: {},
  notes: `
Only into a ledger that does not have the scopes; all of them or nothing. Scopes that refer to each
other, such as a conversation and the user whose facts were captured from it, are imported together.
`,
  examples: [
    'contextengine import scope.jsonl',
    'contextengine import user.jsonl chat-1.jsonl chat-2.jsonl',
    'zcat scope.jsonl.gz | contextengine import -',
  ],
  async run(call) {
    const files: OpenSource[] = [];
    try {
      for (const shown of call.positionals) {
        const file = await sourceOf(call.terminal, shown);
        files.push(file);
        await checkFile(file);
      }
      return await withWritingEngine<ExitCode>(call, async ({ engine }) => {
        const { beside, ...first } = await engine.importScope(valuesOf(files));
        const all = [first, ...beside];
        if (call.isJson) await printJson(call, { ...first, ...(beside.length > 0 && { beside }) });
        else {
          await printText(call, all.map(({ scope_block_uuid: scope }) => scope).join('\n'));
          const rows = all.reduce((sum, each) => sum + each.rows, 0);
          remark(
            call,
            `${withCommas(rows)} rows restored. Vectors: \`contextengine doctor --fix\` ` +
              'makes them.',
          );
        }
        return 0;
      });
    } finally {
      for (const file of files) await file.close();
    }
  },
};

interface OpenSource {
  /** As it was given. */
  readonly shown: string;
  readonly path: string;
  readonly close: () => Promise<void>;
}

const sourceOf = async (terminal: Terminal, shown: string): Promise<OpenSource> =>
  shown === '-'
    ? { shown, ...(await keepStdin(terminal)) }
    : { shown, path: resolve(terminal.cwd, shown), close: () => Promise.resolve() };

async function checkFile({ path, shown }: OpenSource): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() && found.size > 0) return;
  throw inputError(
    `\`${shown}\` is not a file with lines.`,
    'Give a file that `contextengine export` wrote.',
    { file: shown },
  );
}

async function* valuesOf(files: readonly OpenSource[]): AsyncGenerator<unknown> {
  for (const { path, shown } of files)
    for await (const { number, text } of readLines(path, shown)) {
      if (text.trim() !== '')
        yield parseJsonText(text, { file: shown, line: number, code: 'CLI.INPUT' });
    }
}
