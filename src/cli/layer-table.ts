/** The token table of a composition: where the budget went. */
import type { Composition } from '../index.ts';
import { formatTable, withCommas, wrap } from './table.ts';

export interface TableLook {
  readonly columns: number;
  readonly paint: (style: 'bold' | 'dim', text: string) => string;
}

const BAR_COLUMNS = 24;

/** One line a layer, in render order, and the sum with the share of the budget as a bar. */
export function layerTable(
  composition: Pick<Composition, 'layers' | 'tokens'>,
  look: TableLook,
): string {
  const { tokens } = composition;
  const entries = Object.entries(composition.layers);
  const number = (title: string) => ({ title, align: 'right' as const });
  const layout = [
    { title: 'layer' },
    number('rank'),
    number('tokens'),
    number('of'),
    number('items'),
    number('dropped'),
    number('cut'),
    { title: '' },
  ];
  const rows = entries.map(([name, layer]) => [
    name,
    String(layer.rank),
    withCommas(layer.tokens),
    withCommas(layer.budget),
    String(layer.items),
    String(layer.dropped),
    String(layer.truncated),
    bar(layer.tokens, tokens.budget),
  ]);
  const dropped = entries.reduce((sum, [, layer]) => sum + layer.dropped, 0);
  const items = entries.reduce((sum, [, layer]) => sum + layer.items, 0);
  const total = [
    'all',
    '',
    withCommas(tokens.used),
    withCommas(tokens.budget),
    String(items),
    String(dropped),
    '',
    bar(tokens.used, tokens.budget),
  ];
  const count = tokens.exact
    ? `exact, ${tokens.encoding}`
    : `at most: no exact tokenizer of this model is installed, counted with ${tokens.encoding}`;
  const foot =
    `${withCommas(tokens.reserved)} tokens are reserved beside them for query, response and ` +
    `safety; counts are ${count}.`;
  const sum = entries.reduce((added, [, layer]) => added + layer.tokens, 0);
  const seams =
    sum === tokens.used
      ? ''
      : ' Each layer is counted by itself and `all` as one text, so they do not add up.';
  return `${formatTable(layout, [...rows, total], { columns: look.columns, paint: (text) => look.paint('bold', text) })}\n${look.paint('dim', wrap(foot + seams, look.columns))}`;
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A share of the budget, in eighths of a column. */
export function bar(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '';
  const eighths = Math.max(1, Math.round((Math.min(part, whole) / whole) * BAR_COLUMNS * 8));
  return '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '');
}
