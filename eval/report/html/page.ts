/** A report as one self-contained page: no script, nothing from elsewhere, light and dark. */
import type { QuestionResult } from '../../run/run-suite.ts';
import { MAIN_BUDGET, RECALL_DEPTHS } from '../../run/run-suite.ts';
import type { Report } from '../report.ts';
import type { Summary } from '../summarise.ts';
import { STYLE } from './style.ts';
import type { Series } from './svg.ts';
import { barPlot, escapeHtml, histogram, linePlot, percentText } from './svg.ts';

/** Questions listed at most: the ones whose evidence is farthest from the top. */
const LISTED = 30;

export function htmlReport(report: Report): string {
  const title = `Evaluation of ${report.suite}`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>`,
    header(title, report),
    tiles(report),
    `<section class="plots">${plots(report)}</section>`,
    table(report),
    misses(report.results),
    '</main></body></html>\n',
  ].join('\n');
}

const header = (title: string, report: Report): string =>
  `<header><h1>${escapeHtml(title)}</h1><p>${report.questions} answerable and ${report.unanswerable.questions} unanswerable questions over ${report.items.toLocaleString('en')} items.
Headline over ${report.headline.map(escapeHtml).join(', ')}. Intervals are 95 % bootstrap intervals over questions.</p>
<p class="digests">data <code>${report.data_sha256.slice(0, 16)}</code> · settings <code>${report.settings_sha256.slice(0, 16)}</code></p></header>`;

function tiles(report: Report): string {
  const interval = report.intervals['recall@10'];
  const main = report.evidence_in_context[String(MAIN_BUDGET)];
  const list: readonly (readonly [name: string, value: string, note: string])[] = [
    ['recall@5', percentText(report['recall@5']), ''],
    [
      'recall@10',
      percentText(report['recall@10']),
      `${percentText(interval.low)} to ${percentText(interval.high)}`,
    ],
    ['MRR', percentText(report.mrr), ''],
    ['nDCG@10', percentText(report['ndcg@10']), ''],
    ...(main === undefined
      ? []
      : [
          [
            `in ${MAIN_BUDGET.toLocaleString('en')} tokens`,
            percentText(main),
            'evidence whole',
          ] as const,
        ]),
    ...(report.on_top === null ? [] : [['before rivals', percentText(report.on_top), ''] as const]),
    ...(report.unanswerable.questions === 0
      ? []
      : [
          [
            'false surface',
            percentText(report.unanswerable.false_surface_rate),
            `floor costs ${percentText(report.unanswerable.recall_10_cost)} of recall@10`,
          ] as const,
        ]),
    [
      'compose p50',
      `${report.latency.p50_ms.toFixed(0)} ms`,
      `p95 ${report.latency.p95_ms.toFixed(0)} ms`,
    ],
  ];
  const items = list.map(
    ([name, value, note]) =>
      `<li><span class="name">${escapeHtml(name)}</span><strong>${value}</strong><span class="note">${escapeHtml(note)}</span></li>`,
  );
  return `<ul class="tiles">${items.join('')}</ul>`;
}

function plots(report: Report): string {
  const categories = Object.entries(report.by_category);
  const ranked = categories.filter(([, summary]) => summary.ranked > 0);
  const all: readonly (readonly [string, Summary])[] = [['all', report]];
  const bars = [...ranked, ...all].map(([name, summary]) => {
    const { mean, low, high } = summary.intervals['recall@10'];
    return { name, note: String(summary.ranked), value: mean, low, high };
  });
  const placeOf = (name: string): number => categories.findIndex(([known]) => known === name);
  const recall = [...ranked, ...all].map(
    ([name, summary]): Series => ({
      name,
      place: placeOf(name),
      isMain: summary === report,
      points: RECALL_DEPTHS.map((k) => [k, summary[`recall@${k}`]] as const),
    }),
  );
  const contexts = [...categories, ...all].map(
    ([name, summary]): Series => ({
      name,
      place: placeOf(name),
      isMain: summary === report,
      points: Object.entries(summary.evidence_in_context).map(
        ([budget, share]) => [Number(budget), share] as const,
      ),
    }),
  );
  return [
    barPlot('recall@10 by category', bars),
    linePlot({ title: 'Recall by depth', xLabel: 'k', series: recall }),
    linePlot({
      title: 'Evidence whole in the context, by budget',
      xLabel: 'tokens',
      series: contexts,
    }),
    histogram(
      'Time of a compose call',
      report.results.map((result) => result.composeMs),
      'ms',
    ),
  ].join('\n');
}

function table(report: Report): string {
  const budgets = Object.keys(report.evidence_in_context);
  const head = [
    '',
    'questions',
    'recall@5',
    'recall@10',
    'recall@20',
    'MRR',
    'nDCG@10',
    ...budgets.map((budget) => `in ${budget}`),
  ];
  const row = (name: string, summary: Summary): string => {
    const ranked = [
      summary['recall@5'],
      summary['recall@10'],
      summary['recall@20'],
      summary.mrr,
      summary['ndcg@10'],
    ];
    const cells = [
      String(summary.questions),
      ...ranked.map((value) => (summary.ranked > 0 ? percentText(value) : '–')),
      ...budgets.map((budget) => percentText(summary.evidence_in_context[budget] ?? 0)),
    ];
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  };
  const rows = [
    ...Object.entries(report.by_category).map(([name, summary]) => row(name, summary)),
    ...Object.entries(report.by_side).map(([name, summary]) => row(`all of ${name}`, summary)),
    row('all', report),
  ];
  return `<h2>Numbers</h2><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>
<p class="note">In points. A layer that does not score its items has no ranking: only the context counts there.</p>`;
}

function misses(results: readonly QuestionResult[]): string {
  const missed = results
    .filter((result) => result.isAnswerable && result.isScored && (result.recall[10] ?? 0) < 1)
    .sort((a, b) => a.reciprocalRank - b.reciprocalRank || (a.id < b.id ? -1 : 1));
  if (missed.length === 0) return '';
  const rows = missed
    .slice(0, LISTED)
    .map(
      (result) =>
        `<tr><th scope="row">${escapeHtml(result.id)}</th><td class="text">${escapeHtml(result.query)}</td><td>${result.reciprocalRank === 0 ? '–' : Math.round(1 / result.reciprocalRank)}</td><td class="text"><code>${result.evidence.map(escapeHtml).join(' ')}</code></td><td class="text"><code>${result.top.slice(0, 3).map(escapeHtml).join(' ')}</code></td></tr>`,
    );
  return `<h2>Missed</h2><p class="note">${missed.length} questions without all of their evidence among the first ten; the farthest ${Math.min(LISTED, missed.length)} of them.</p>
<div class="scroll"><table><thead><tr><th scope="col">question</th><th scope="col"></th><th scope="col">first at</th><th scope="col">evidence</th><th scope="col">served first</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
