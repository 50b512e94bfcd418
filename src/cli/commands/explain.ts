/** `explain`: why every item is in a composition, and why the others are not. */

import type { Explanation } from '../../index.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import {
  COMPOSITION_FLAGS,
  COMPOSITION_NOTES,
  COMPOSITION_USAGE,
  givenComposition,
} from '../given-composition.ts';
import { layerTable } from '../layer-table.ts';
import { printJson, printText } from '../output.ts';
import { oneLine } from '../printable.ts';
import { withEngine } from '../session.ts';
import { shownWarnings } from '../shown-warnings.ts';
import { wrap } from '../table.ts';

export const explainCommand: Command = {
  name: 'explain',
  summary: 'say for every item of a composition why it is in, and for the dropped ones why not',
  takes: { usage: COMPOSITION_USAGE, min: 1, max: 1 },
  usesLedger: true,
  flags: COMPOSITION_FLAGS,
  notes: COMPOSITION_NOTES,
  examples: [
    'contextengine explain latest',
    'contextengine explain latest --scope thread-1',
    'contextengine explain 0190a2b4-…',
  ],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const composition = givenComposition(call);
  return withEngine<ExitCode>(call, async ({ engine }) => {
    const explanation = await engine.explain(await composition(engine));
    if (call.isJson) await printJson(call, explanation);
    else await printText(call, formatExplanation(explanation, call));
    return 0;
  });
}

/** Items of layers that are not scored have no signals. */
const shownScore = (item: { readonly score: number | null; readonly signals: object }): string =>
  item.score === null || Object.keys(item.signals).length === 0 ? '' : item.score.toFixed(3);

/** One line of it. */
function shortText(text: string, columns: number): string {
  const line = oneLine(text.slice(0, 1000)).replace(/\s+/g, ' ').trim();
  return line.length <= columns ? line : `${line.slice(0, Math.max(1, columns - 1))}…`;
}

/** The store does not keep the order of layers; that of the items is the order of the text. */
function inRenderOrder({
  items,
  layers,
}: Explanation['receipt']): Explanation['receipt']['layers'] {
  const placeOf = (name: string): number => {
    const place = items.findIndex(({ layer }) => layer === name);
    return place < 0 ? items.length : place;
  };
  const sorted = Object.entries(layers).sort(
    ([a, one], [b, other]) => placeOf(a) - placeOf(b) || one.rank - other.rank || (a < b ? -1 : 1),
  );
  return Object.fromEntries(sorted);
}

/** The dropped ones by layer and reason, each reason once. */
function droppedGroups(
  explanation: Explanation,
  columns: number,
): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  const groups = new Map<string, Explanation['dropped'][number][]>();
  for (const item of explanation.dropped) {
    const key = `${item.layer} ${item.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const shown = [...groups.values()].map((items) => {
    const why = items[0]?.why.replace(/ \(score [^)]*\)$/, '') ?? '';
    return {
      title: `not in, ${items[0]?.layer ?? ''}, ${items.length}: ${why}`,
      lines: items.map(
        (item) =>
          `  ${shownScore(item).padStart(5)}  ${item.uuid ?? '(manifest)'}  ` +
          shortText(item.text ?? '', columns - 47),
      ),
    };
  });
  return [...shown, ...omittedGroups(explanation)];
}

/** A receipt keeps the best of what a layer dropped, and the number of all. */
function omittedGroups({
  receipt,
  dropped,
}: Explanation): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  return Object.entries(receipt.layers).flatMap(([layer, { dropped: all }]) => {
    const omitted = all - dropped.filter((item) => item.layer === layer).length;
    return omitted > 0
      ? [{ title: `not in, ${layer}, ${omitted} more: they scored lower than these`, lines: [] }]
      : [];
  });
}

/** What each line of the head begins with takes so many columns. */
const HEAD_INDENT = ' '.repeat(13);

export function formatExplanation(
  explanation: Explanation,
  { terminal }: Pick<Call, 'terminal'>,
): string {
  const { receipt } = explanation;
  const bold = (text: string): string => terminal.paintOut('bold', text);
  const head = [
    ['composition', receipt.composition_id],
    ['scope', receipt.scope_uuid],
    [
      'request',
      `${receipt.request.intent}: ` +
        `${receipt.request.query === '' ? '(no query)' : oneLine(receipt.request.query)}`,
    ],
    ['by', `${receipt.request.principal} at ${receipt.created_at}, as of ${receipt.request.as_of}`],
    [
      'manifest',
      `${receipt.manifest.name}@${receipt.manifest.version}  ` +
        `${receipt.manifest.digest.slice(0, 12)}`,
    ],
    ...(receipt.manifest.variant === undefined ? [] : [['variant', receipt.manifest.variant]]),
    ['position', receipt.position.map((entry) => `${entry.scope} at ${entry.head}`).join('\n')],
    ...receipt.degraded.map((part) => ['degraded', `${part.part}: ${part.reason}`]),
    ...shownWarnings(receipt.warnings).map((warning) => ['warning', oneLine(warning.message)]),
  ]
    .map(([name = '', value = '']) => {
      const wrapped = wrap(value, terminal.columns, HEAD_INDENT).trimStart();
      return `${name.padEnd(HEAD_INDENT.length)}${wrapped}`;
    })
    .join('\n');
  const served = explanation.items.map((item, index) =>
    [
      bold(
        [
          `${index + 1}  ${item.layer}`,
          `${item.tokens} tokens`,
          ...(shownScore(item) === '' ? [] : [`score ${shownScore(item)}`]),
          item.uuid ?? '(manifest)',
        ].join('  '),
      ),
      ...(item.text === null ? [] : [`   ${shortText(item.text, terminal.columns - 3)}`]),
      wrap(item.why, terminal.columns, '   '),
    ].join('\n'),
  );
  const left = droppedGroups(explanation, terminal.columns).map(
    ({ title, lines }) => `${bold(wrap(title, terminal.columns))}\n${lines.join('\n')}`,
  );
  const table = layerTable(
    { ...receipt, layers: inRenderOrder(receipt) },
    {
      columns: terminal.columns,
      paint: (style, text) => terminal.paintOut(style, text),
    },
  );
  return [head, table, ...served, ...(left.length === 0 ? ['Nothing was dropped.'] : left)].join(
    '\n\n',
  );
}
