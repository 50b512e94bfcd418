/** A report as a person reads it: a row a category. */
import type { Report } from '../../../eval/index.ts';
import { formatMs, formatTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const percent = (value: number): string => (value * 100).toFixed(1);

export function summaryTable(
  report: Report,
  terminal: Pick<Terminal, 'columns' | 'paintOut'>,
): string {
  const budgets = Object.keys(report.evidence_in_context);
  const hasRivals = report.on_top !== null;
  const columns = [
    'category',
    'n',
    'R@5',
    'R@10',
    'R@20',
    'MRR',
    'nDCG@10',
    'nothing',
    ...(hasRivals ? ['on top'] : []),
    ...budgets.map((budget) => `in ${budget}`),
  ];
  const row = (name: string, summary: Report['by_category'][string]): readonly string[] => [
    name,
    String(summary.questions),
    ...(summary.ranked > 0
      ? [
          summary['recall@5'],
          summary['recall@10'],
          summary['recall@20'],
          summary.mrr,
          summary['ndcg@10'],
        ]
          .map(percent)
          .concat(String(summary.silenced))
      : ['', '', '', '', '', '']),
    ...(hasRivals ? [summary.on_top === null ? '' : percent(summary.on_top)] : []),
    ...budgets.map((budget) => percent(summary.evidence_in_context[budget] ?? 0)),
  ];
  const rows = [
    ...Object.entries(report.by_category).map(([name, summary]) => row(name, summary)),
    ...Object.entries(report.by_side).map(([name, summary]) => row(`= ${name}`, summary)),
    row('= all', report),
  ];
  const table = formatTable(
    columns.map((title, index) => ({ title, align: index === 0 ? 'left' : 'right' })),
    rows,
    { columns: terminal.columns, paint: (text) => terminal.paintOut('bold', text) },
  );
  const { unanswerable, latency, intervals } = report;
  const interval = intervals['recall@10'];
  return [
    table,
    '',
    `recall@10 ${percent(interval.mean)} [${percent(interval.low)}, ${percent(interval.high)}], over ${report.headline.join(', ')}`,
    ...besideLines(report),
    ...unanswerableLines(report),
    `nothing was served for ${percent(unanswerable.silenced_rate)} % of the answerable`,
    ...Object.entries(report.floors).map(
      ([layer, points]) =>
        `floors of ${layer}: ${points.map((point) => `${point.floor.toFixed(3)} serves ${percent(point.false_surface_rate)} % and keeps recall@10 ${percent(point['recall@10'])}`).join('; ')}`,
    ),
    `content ${percent(report.content_share)} % of the tokens of a context; by layer: ${Object.entries(
      report.content_by_layer,
    )
      .map(([layer, share]) => `${layer} ${percent(share)}`)
      .join(', ')}`,
    ...idLines(report),
    `prefix stability ${percent(report.prefix_stability)} % of the text of the question before`,
    `compose p50 ${formatMs(latency.p50_ms)}, p95 ${formatMs(latency.p95_ms)}; ${report.items} items filled in ${formatMs(report.filled_ms)}`,
    `data ${report.data_sha256.slice(0, 16)}, settings ${report.settings_sha256.slice(0, 16)}, ${report.skipped} questions skipped`,
  ].join('\n');
}

function idLines({ id_tokens: alone, id_tokens_marked: marked }: Report): readonly string[] {
  if (alone === 0) return [];
  return [`an id takes ${alone.toFixed(2)} tokens, ${marked.toFixed(2)} with its brackets`];
}

function besideLines({ beside }: Pick<Report, 'beside'>): readonly string[] {
  if (!beside) return [];
  const shown = ({ mean, low, high }: typeof beside.difference): string =>
    `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
  return [
    `nDCG@10 above ${beside.name} (${percent(beside['ndcg@10'])}): ${shown(beside.difference)}`,
    ...Object.entries(beside.by_category).map(
      ([name, difference]) => `  ${name}: ${shown(difference)}`,
    ),
  ];
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${percent(value)}`;

function unanswerableLines({ unanswerable }: Pick<Report, 'unanswerable'>): readonly string[] {
  if (unanswerable.questions === 0) return [];
  const { questions, false_surface_rate: served, recall_10_cost: cost } = unanswerable;
  return [
    `unanswerable: something was served for ${percent(served)} % of ${questions}; ` +
      `the floor costs ${percent(cost)} points of recall@10`,
    ...Object.entries(unanswerable.by_category).map(
      ([name, rate]) => `  ${name}: ${percent(rate)} %`,
    ),
  ];
}
