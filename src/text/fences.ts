/**
 * Fenced code of Markdown, as CommonMark reads it: also in lists and quotes, which end it. HTML
 * blocks are read as text.
 */

export interface Fence {
  /** Index of the line that opens it, and of the one behind its last. */
  readonly from: number;
  readonly to: number;
  /** What ends it: a mark of its own, the list or quote that it stands in, or the text. */
  readonly end: 'mark' | 'container' | 'text';
  readonly mark: string;
  readonly info: string;
  /** Index of the line that begins the outermost list around it; else `from`. */
  readonly base: number;
  /** Columns of blanks that all its lines have, and that all but the first have. */
  readonly outer: number;
  readonly inner: number;
  /** What stands before its marks behind `inner`: the signs of quotes. */
  readonly before: string;
}

/** The line that closes a fence which its text leaves open. */
export const closingLine = ({ inner, before, mark }: Fence): string =>
  `${' '.repeat(inner)}${before}${mark}`;

/** The text, with a closing line where it leaves a fence open. */
export function closeFence(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  const last = fencesOf(text.split('\n')).at(-1);
  if (last?.end !== 'text') return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${closingLine(last)}`;
}

/** A list item or a quote; `width` = columns of an item, null of a quote. */
interface Container {
  readonly width: number | null;
  readonly line: number;
}

/** Deeper ones are read as text: a bound on the work a line can make. */
const MAX_CONTAINERS = 16;

const OPENING = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,}) *$/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])( *)/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const UNDERLINE = /^ {0,3}=+ *$/;

/** Whether a line opens a fence where it stands alone. */
export const opensFence = (line: string): boolean => OPENING.test(columns(line));

/** In order; none within another. Linear in the text. */
export function fencesOf(lines: readonly string[]): readonly Fence[] {
  const fences: Fence[] = [];
  let containers: readonly Container[] = [];
  let open: Fence | null = null;
  let isParagraph = false;
  for (const [index, line] of lines.entries()) {
    const shown = columns(line);
    const { depth, rest } = continued(shown, containers);
    if (open !== null) {
      const isInside = depth === containers.length;
      if (isInside && !closes(rest, open)) continue;
      fences.push({
        ...open,
        to: isInside ? index + 1 : index,
        end: isInside ? 'mark' : 'container',
      });
      open = null;
      if (isInside) continue;
      isParagraph = false;
    }
    if (rest === '') {
      containers = containers.slice(0, depth);
      isParagraph = false;
      continue;
    }
    const isSame = depth === containers.length;
    const begun = begins(rest, { index, depth, isInterrupting: isSame && isParagraph });
    const hit = OPENING.exec(begun.rest);
    const isText = hit === null && !RULE.test(begun.rest) && !HEADING.test(begun.rest);
    // a line of text goes on with the paragraph above it, however little it is indented
    if (!isSame && isParagraph && isText && begun.containers.length === 0) continue;
    const goesOn: boolean = isSame && isParagraph && begun.containers.length === 0;
    isParagraph = isText && !(goesOn ? UNDERLINE : /^ {4}|^$/).test(begun.rest);
    containers = [...containers.slice(0, depth), ...begun.containers];
    if (hit !== null) open = opened({ line, shown, index, mark: hit[2] ?? '', containers });
  }
  if (open !== null) fences.push({ ...open, to: lines.length, end: 'text' });
  return fences;
}

/** Tabs as the columns that they fill; blanks at the end are nothing. */
function columns(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line[end - 1] ?? '')) end -= 1;
  const text = line.slice(0, end);
  if (!text.includes('\t')) return text;
  let shown = '';
  for (const [index, part] of text.split('\t').entries())
    shown += index === 0 ? part : ' '.repeat(4 - (shown.length % 4)) + part;
  return shown;
}

function blanksOf(text: string): number {
  let blanks = 0;
  while (text[blanks] === ' ') blanks += 1;
  return blanks;
}

/** How many of the containers go on with this line, and what of it stands in them. */
function continued(
  shown: string,
  containers: readonly Container[],
): { readonly depth: number; readonly rest: string } {
  let rest = shown;
  for (const [depth, { width }] of containers.entries()) {
    const sign = width === null ? QUOTE.exec(rest)?.[0].length : width;
    if (sign === undefined) return { depth, rest };
    if (width !== null && rest !== '' && blanksOf(rest) < width) return { depth, rest };
    rest = rest.slice(sign);
  }
  return { depth: containers.length, rest };
}

const closes = (rest: string, { mark }: Fence): boolean =>
  CLOSING.exec(rest)?.[1]?.startsWith(mark) === true;

interface LinePlace {
  readonly index: number;
  readonly depth: number;
  /** It stands behind a paragraph, which only some items end. */
  readonly isInterrupting: boolean;
}

/** The containers that a line begins, and what stands in them. */
function begins(
  text: string,
  { index, depth, isInterrupting }: LinePlace,
): { readonly containers: readonly Container[]; readonly rest: string } {
  const containers: Container[] = [];
  let rest = text;
  while (depth + containers.length < MAX_CONTAINERS) {
    const quote = QUOTE.exec(rest)?.[0];
    const item = quote === undefined && !RULE.test(rest) ? ITEM.exec(rest) : null;
    const [all = '', indent = '', marker = '', blanks = ''] = item ?? [];
    const isEmpty = all.length === rest.length;
    const isItem =
      item !== null &&
      (blanks !== '' || isEmpty) &&
      !(isInterrupting && containers.length === 0 && (isEmpty || /^(?!1\D)\d/.test(marker)));
    if (quote === undefined && !isItem) break;
    const gap = isEmpty || blanks.length > 4 ? 1 : blanks.length;
    const width = quote === undefined ? indent.length + marker.length + gap : null;
    containers.push({ width, line: index });
    rest = rest.slice(width ?? quote?.length);
  }
  return { containers, rest };
}

interface Opening {
  readonly line: string;
  readonly shown: string;
  readonly index: number;
  readonly mark: string;
  readonly containers: readonly Container[];
}

function opened({ line, shown, index, mark, containers }: Opening): Fence {
  const quoted = containers.findIndex(({ width }) => width === null);
  const items = quoted === -1 ? containers : containers.slice(0, quoted);
  const outer = blanksOf(shown);
  return {
    from: index,
    to: index,
    end: 'text',
    mark,
    info: line.slice(line.indexOf(mark) + mark.length),
    base: items[0]?.line ?? index,
    outer,
    inner: Math.max(
      outer,
      items.reduce((sum, { width }) => sum + (width ?? 0), 0),
    ),
    before: containers
      .slice(items.length)
      .map(({ width }) => (width === null ? '> ' : ' '.repeat(width)))
      .join(''),
  };
}
