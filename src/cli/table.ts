/**
 * Text laid out for a terminal: columns, wrapping, cutting. Widths are counted in columns, wide
 * characters as two.
 */
import { oneLine } from './printable.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * Gives way where the table is too wide; one column at most. As the last column it stands below
   * its row where less than a third of the width is left for it.
   */
  readonly isFlexible?: boolean;
  /** Gives way by going on in further lines, instead of being cut. For the last column. */
  readonly isWrapped?: boolean;
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
/**
 * Characters of two columns that are no emoji: those of Unicode's East Asian Width, with the gaps
 * that no character has yet. A test holds it against the table of `get-east-asian-width`.
 */
const WIDE = new RegExp(
  '[' +
    String.raw`\u1100-\u115f\u2329-\u232a\u2630-\u2637\u268a-\u268f` +
    String.raw`\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6` +
    String.raw`\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6b\uff01-\uff60\uffe0-\uffe6` +
    String.raw`\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f1ae}-\u{1f265}` +
    String.raw`\u{1f6d9}\u{1f7da}\u{1fa8b}-\u{1fafa}\u{20000}-\u{3fffd}` +
    ']',
  'u',
);
const ASCII = /^[\u0020-\u007e]*$/;

/** Made when a text needs it: most tables are ASCII. */
let segmenter: Intl.Segmenter | null = null;
function charactersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/**
 * Columns that a text takes: what a reader sees as one character is one or two wide. No package:
 * an empty project may get 25 with this one, and the widths of `string-width` bring four.
 */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOfOne(segment);
  return width;
}

function widthOfOne(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.test(String.fromCodePoint(character.codePointAt(0) ?? 0)) ? 2 : 1;
}

/** Cuts to a width, with an ellipsis where something is gone. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of charactersOf(text)) {
    const next = widthOf(segment);
    if (used + next > width - 1) break;
    kept += segment;
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
  const widths = layout.map((column, index) =>
    Math.max(widthOf(column.title), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (layout.length - 1);
  const flexible = layout.findIndex((column) => column.isFlexible);
  if (flexible >= 0 && total > options.columns) {
    const left = (widths[flexible] ?? 0) - (total - options.columns);
    if (flexible > 0 && flexible === layout.length - 1 && left < options.columns / 3)
      return tableOverTexts(layout, cells, options);
    widths[flexible] = Math.max(8, left);
  }
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
    const indent = ' '.repeat(
      widths.slice(0, wrapped).reduce((sum, width) => sum + width + GAP.length, 0),
    );
    const text = wrap(
      row[wrapped] ?? '',
      indent.length + (widths[wrapped] ?? 0),
      indent,
    ).trimStart();
    return line(row.map((cell, index) => (index === wrapped ? text : cell)));
  };
  const title = line(layout.map((column) => column.title));
  return [options.paint ? options.paint(title) : title, ...cells.map(lines)].join('\n');
}

/** Lines that a text below its row takes at most. */
const LINES_BELOW = 3;

/** The last column of each row on lines of its own below the row. */
function tableOverTexts(
  layout: readonly Column[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number; readonly paint?: (text: string) => string },
): string {
  const last = layout.length - 1;
  const [title = '', ...lines] = formatTable(layout.slice(0, last), rows, {
    columns: options.columns,
  }).split('\n');
  const paint = options.paint ?? ((text: string) => text);
  const below = (text: string): readonly string[] =>
    text === ''
      ? []
      : [wrap(cut(text, LINES_BELOW * (options.columns - GAP.length)), options.columns, GAP)];
  return [
    paint(title),
    paint(`${GAP}${layout[last]?.title ?? ''}`),
    ...lines.flatMap((line, index) => [line, ...below(rows[index]?.[last] ?? '')]),
  ].join('\n');
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
export const withCommas = (value: number): string => new Intl.NumberFormat('en-US').format(value);

/** A length of time as a person reads it. */
export const formatMs = (ms: number): string =>
  ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 1000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`;
