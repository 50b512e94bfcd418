/** `explain`: why every item is in a composition, and why the others are not. */

import type { Explanation } from '../../index.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { layerTable } from '../layer-table.ts';
import { printJson, printText } from '../output.ts';
import { withEngine } from '../session.ts';
import { formatTable } from '../table.ts';

export const explainCommand: Command = {
  name: 'explain',
  summary: 'say for every item of a composition why it is in, and for the dropped ones why not',
  takes: { usage: 'COMPOSITION', min: 1, max: 1 },
  usesLedger: true,
  flags: {},
  examples: ['contextengine explain 0190a2b4-…'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const explanation = await engine.explain(call.positionals[0] ?? '');
    if (call.isJson) await printJson(call, explanation);
    else await printText(call, formatExplanation(explanation, call));
    return 0;
  });
}

const shownScore = (score: number | null): string => (score === null ? '' : score.toFixed(3));

export function formatExplanation(explanation: Explanation, { terminal }: Pick<Call, 'terminal'>): string {
  const { receipt } = explanation;
  const bold = (text: string): string => terminal.paintOut('bold', text);
  const look = { columns: terminal.columns, paint: bold };
  const head = [
    ['composition', receipt.composition_id],
    ['scope', receipt.scope_uuid],
    ['request', `${receipt.request.intent}: ${receipt.request.query === '' ? '(no query)' : receipt.request.query}`],
    ['by', `${receipt.request.principal} at ${receipt.created_at}, as of ${receipt.request.as_of}`],
    ['manifest', `${receipt.manifest.name}@${receipt.manifest.version}  ${receipt.manifest.digest.slice(0, 12)}`],
    ['position', receipt.position.map((entry) => `${entry.scope} at ${entry.head}`).join('\n             ')],
    ...receipt.degraded.map((part) => ['degraded', `${part.part}: ${part.reason}`]),
    ...receipt.warnings.map((warning) => ['warning', warning.message]),
  ]
    .map(([name = '', value = '']) => `${name.padEnd(13)}${value}`)
    .join('\n');
  const items = explanation.items.map((item, index) => [
    String(index + 1),
    item.layer,
    shownScore(item.score),
    String(item.tokens),
    item.uuid ?? '(manifest)',
    item.why,
  ]);
  const dropped = explanation.dropped.map((item) => [item.layer, shownScore(item.score), item.uuid ?? '', item.why]);
  const right = { align: 'right' as const };
  const served = formatTable(
    [
      { title: '#', ...right },
      { title: 'layer' },
      { title: 'score', ...right },
      { title: 'tokens', ...right },
      { title: 'version' },
      { title: 'why it is in', isFlexible: true },
    ],
    items,
    look,
  );
  const left = formatTable(
    [{ title: 'layer' }, { title: 'score', ...right }, { title: 'version' }, { title: 'why it is not in', isFlexible: true }],
    dropped,
    look,
  );
  const table = layerTable(receipt, { columns: terminal.columns, paint: (style, text) => terminal.paintOut(style, text) });
  return [head, table, served, dropped.length === 0 ? 'Nothing was dropped.' : left].join('\n\n');
}
