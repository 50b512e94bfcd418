/** Text laid out for a terminal: columns, wrapping, cutting. Widths are counted in columns, wide characters as two. */

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gives way where the table is too wide; one column at most. */
  readonly isFlexible?: boolean;
  /** Gives way by going on in further lines, instead of being cut. For the last column. */
  readonly isWrapped?: boolean;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** A text on one line, safe to print: control characters are shown as spaces, so that stored text cannot drive the terminal. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** Cuts to a width, with an ellipsis where something is gone. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    const next = widthOf(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept}…`;
}

const pad = (text: string, width: number, align: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? space + text : text + space;
};

const GAP = '  ';

/** Rows under their titles, no wider than `columns`. `paint` may colour the title line. */
export function formatTable(
  layout: readonly Column[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number; readonly paint?: (text: string) => string },
): string {
  const cells = rows.map((row) => layout.map((_, index) => oneLine(row[index] ?? '')));
  const widths = layout.map((column, index) => Math.max(widthOf(column.title), ...cells.map((row) => widthOf(row[index] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (layout.length - 1);
  const flexible = layout.findIndex((column) => column.isFlexible);
  if (flexible >= 0 && total > options.columns) widths[flexible] = Math.max(8, (widths[flexible] ?? 0) - (total - options.columns));
  const line = (texts: readonly string[]): string =>
    layout
      .map((column, index) =>
        pad(
          column.isWrapped ? (texts[index] ?? '') : cut(texts[index] ?? '', widths[index] ?? 0),
          widths[index] ?? 0,
          column.align ?? 'left',
        ),
      )
      .join(GAP)
      .trimEnd();
  const lines = (row: readonly string[]): string => {
    const wrapped = layout.findIndex((column) => column.isWrapped);
    if (wrapped < 0) return line(row);
    const indent = ' '.repeat(widths.slice(0, wrapped).reduce((sum, width) => sum + width + GAP.length, 0));
    const text = wrap(row[wrapped] ?? '', indent.length + (widths[wrapped] ?? 0), indent).trimStart();
    return line(row.map((cell, index) => (index === wrapped ? text : cell)));
  };
  const title = line(layout.map((column) => column.title));
  return [options.paint ? options.paint(title) : title, ...cells.map(lines)].join('\n');
}

/** Words wrapped to a width, every line indented. Lines of the text stay lines. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width - indent.length) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
}

/** 1234567 → `1,234,567`, the same in every locale. */
export const withCommas = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A length of time as a person reads it. */
export const formatMs = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
