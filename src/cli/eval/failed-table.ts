/** Questions by name, as a person reads them: a row a question. */
import type { FailedQuestions, Report } from '../../../eval/index.ts';
import { formatTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';

type Shown = Pick<Terminal, 'columns' | 'paintOut'>;

const WHY: Readonly<Record<FailedQuestions['failed'][number]['why'], string>> = {
  nothing_served: 'nothing served',
  not_in_first_five: 'not in the first five',
  rival_first: 'a rival first',
  not_in_context: 'not in the context',
};

/** '' = none failed and nothing unrelated was served. */
export function failedTable(
  { suite }: Pick<Report, 'suite'>,
  { failed, unrelated_served: unrelated }: FailedQuestions,
  terminal: Shown,
): string {
  const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
    formatTable(
      titles.map((title) => ({ title, isFlexible: title === 'question' })),
      rows,
      { columns: terminal.columns, paint: (text) => terminal.paintOut('bold', text) },
    );
  const missed = failed.map(({ id, why, ranks, wanted, question }) => [
    id,
    WHY[why],
    ranks.map((rank) => rank ?? 'none').join(', '),
    wanted.join(', '),
    question,
  ]);
  const served = unrelated.map(({ id, score, served: key, question }) => [
    id,
    score.toFixed(3),
    key,
    question,
  ]);
  return [
    ...(missed.length === 0
      ? []
      : [
          `${suite}: failed ${missed.length}`,
          table(['id', 'why', 'rank', 'wanted', 'question'], missed),
        ]),
    ...(served.length === 0
      ? []
      : [
          `${suite}: unrelated, and served ${served.length}`,
          table(['id', 'score', 'served', 'question'], served),
        ]),
  ].join('\n');
}
