/** An ablation as a Markdown table of signed differences in points. */
import type { AblationReport, AblationRow } from '../ablate/ablate.ts';
import { MEASURE_NAMES } from '../ablate/ablate.ts';
import type { Interval } from '../metrics/statistics.ts';

const points = (value: number): string => {
  const text = (value * 100).toFixed(1);
  return value > 0 && text !== '0.0'
    ? `+${text}`
    : text.replace(/^-0\.0$/, '0.0').replace('-', '−');
};

/** Bold where the interval leaves out zero. */
function cell({ mean, low, high }: Interval): string {
  const text = `${points(mean)} [${points(low)}, ${points(high)}]`;
  return low > 0 || high < 0 ? `**${text}**` : text;
}

/** The category that the change moves most. */
function strongest(row: AblationRow): string {
  const [first] = Object.entries(row.by_category).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return first && Math.abs(first[1]) >= 0.0005 ? `${first[0]} ${points(first[1])}` : '';
}

export function ablationMarkdown(report: AblationReport): string {
  const hasUnanswerable = report.rows.some((row) => row.false_surface !== 0);
  const head = [
    'change',
    ...MEASURE_NAMES.map((measure) => `Δ ${measure}`),
    'most (recall@10)',
    ...(hasUnanswerable ? ['Δ false surface'] : []),
  ];
  const rows = report.rows.map((row) =>
    row.refused === undefined
      ? [
          `${row.dimension}: ${row.change}`,
          ...MEASURE_NAMES.map((measure) => cell(row.delta[measure])),
          strongest(row),
          ...(hasUnanswerable ? [points(row.false_surface)] : []),
        ]
      : [
          `${row.dimension}: ${row.change}`,
          `refused: ${row.refused.replaceAll('|', '\\|')}`,
          '',
          '',
          '',
          '',
          ...(hasUnanswerable ? [''] : []),
        ],
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `Ablations of layer \`${report.layer}\` on \`${report.suite}\` (${report.questions} dev questions, data ${report.data_sha256.slice(0, 16)}), in points,`,
    'with paired 95 % bootstrap intervals over questions; bold where the interval leaves out zero.',
    '',
    `Base: ${MEASURE_NAMES.map((measure) => `${measure} ${(report.base[measure] * 100).toFixed(1)}`).join(', ')}. Formula: \`${report.formula}\``,
    '',
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}
