/** `eval ablate`: one thing changed at a time. */
import { usageError } from '../arguments.ts';
import type { Call, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { createProgress } from '../terminal.ts';
import type { Harness } from './harness.ts';
import { evaluateOptions, preparedSuite } from './harness.ts';

export async function ablate(call: Call, harness: Harness): Promise<ExitCode> {
  const only = call.flags.texts('dimension');
  const unknown = only.find(
    (name) => !harness.DIMENSION_NAMES.includes(name) && !name.startsWith('weight of '),
  );
  if (unknown !== undefined)
    throw usageError(
      `There is no dimension \`${unknown}\`.`,
      `Use ${harness.DIMENSION_NAMES.join(', ')}, or \`weight of SIGNAL\`.`,
    );
  const { embedder = 'builtin' } = evaluateOptions(call, harness);
  const layer = call.flags.text('layer');
  const progress = createProgress(call.terminal, call.isJson);
  const report = await harness
    .ablate(await preparedSuite(call, harness), {
      only,
      embedder,
      ...(layer !== undefined && { layer }),
      onProgress: progress.update,
    })
    .finally(progress.end);
  if (call.isJson) await printJson(call, report);
  else await printText(call, harness.ablationMarkdown(report));
  return 0;
}
