/** `export`: every row of a scope as JSON lines. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ContextEngineError } from '../../index.ts';
import { required } from '../arguments.ts';
import type { Command, ExitCode } from '../command.ts';
import { givenScope, SCOPE_VALUE } from '../given-scope.ts';
import { printJson, remark } from '../output.ts';
import { jsonText } from '../printable.ts';
import { withEngine } from '../session.ts';
import { withCommas } from '../table.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'write every row of a scope as JSON lines, all versions included',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    scope: { type: 'string', value: SCOPE_VALUE, help: 'uuid or key of the scope (required)' },
    out: {
      type: 'string',
      value: 'FILE',
      help: 'write there instead of stdout; the file appears when it is whole',
    },
  },
  notes: 'Vectors are not exported: they are made again at import.',
  examples: [
    'contextengine export --scope 0190a2b4-… --out scope.jsonl',
    'contextengine export --scope 0190a2b4-… | gzip > scope.jsonl.gz',
  ],
  async run(call) {
    const scope = required(call.flags, 'scope', SCOPE_VALUE);
    const out = call.flags.text('out');
    return withEngine<ExitCode>(call, async ({ engine }) => {
      const lines = engine.exportScope(await givenScope(engine, scope));
      if (out === undefined) {
        for await (const line of lines) await call.terminal.out(`${jsonText(line)}\n`);
        return 0;
      }
      const count = await writeFileWhole(resolve(call.terminal.cwd, out), lines, out);
      if (call.isJson) await printJson(call, { file: out, lines: count });
      else remark(call, `${withCommas(count)} lines written to ${out}`);
      return 0;
    });
  },
};

/**
 * Under another name until it is whole, so that an interrupted export leaves no half file of that
 * name.
 */
async function writeFileWhole(
  path: string,
  lines: AsyncIterable<unknown>,
  shown: string,
): Promise<number> {
  const partial = `${path}.partial`;
  const stream = createWriteStream(partial);
  try {
    await once(stream, 'open');
    let count = 0;
    for await (const line of lines) {
      if (!stream.write(`${JSON.stringify(line)}\n`)) await once(stream, 'drain');
      count += 1;
    }
    stream.end();
    await once(stream, 'close');
    await rename(partial, path);
    return count;
  } catch (cause) {
    stream.destroy();
    await rm(partial, { force: true });
    if (cause instanceof Error && 'syscall' in cause)
      throw new ContextEngineError('CLI.INPUT', {
        message: `\`${shown}\` cannot be written: ${cause.message}.`,
        fix: 'Give a path in a folder that you may write to.',
        where: { file: shown },
        cause,
      });
    throw cause;
  }
}
