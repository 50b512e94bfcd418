/**
 * Stored Markdown without headings of layers: a line that a reader takes for the name of a layer as
 * a heading gets a backslash in front of it, a tag an escaped sign. All of it takes linear time.
 */
import { PLAIN_TARGETS, type RenderVersion } from '../model/render-version.ts';
import { type MarkupReading, piecesOf, withoutMarkup } from './heading-markup.ts';
import { type IsName, isNameOf, LONGEST_SHOWN } from './heading-names.ts';
import { withBlanks } from './heading-signs.ts';

interface Guarded {
  readonly layerNames: readonly string[];
  readonly version: RenderVersion;
  /** Values in words of the manifest are escaped already: a backslash leaves no heading. */
  readonly isTrusted: boolean;
}

export function guardHeadings(part: string, guarded: Guarded): string {
  const isName = isNameOf(guarded.layerNames, guarded.version);
  const lines = withoutTagHeadings(part, isName, guarded).split('\n');
  const above = guarded.version <= PLAIN_TARGETS ? (at: number) => lines[at - 1] : aboveIn(lines);
  return lines
    .map((line, at) => {
      const read = guarded.isTrusted ? line : line.replace(ESCAPES, '');
      return isHeading(read, () => above(at), isName) ? `\\${line}` : line;
    })
    .join('\n');
}

/**
 * The line above that a heading begins with: one that shows no words adds nothing to it. Asked from
 * the top down, it reads each line once.
 */
function aboveIn(lines: readonly string[]): (at: number) => string | undefined {
  let read = 0;
  let known: string | undefined;
  return (at) => {
    for (let index = at - 1; index >= read; index -= 1) {
      const line = lines[index] ?? '';
      if (line.trim() !== '' && !showsWords(line)) continue;
      known = line;
      break;
    }
    read = at;
    return known;
  };
}

const showsWords = (line: string): boolean =>
  /[\p{L}\p{N}]/u.test(/[&<]/.test(line) ? withBlanks(withoutMarkup(line)) : line);

/** Of a text that is escaped already. */
const ESCAPES = /^\\+/;
/** Marks of lists and quotes. */
const MARKS = /^(?:[\p{Zs}\t>]|[-+*][\p{Zs}\t]|\d{1,9}[.)][\p{Zs}\t])*/u;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

function isHeading(line: string, above: () => string | undefined, isName: IsName): boolean {
  const text = line.replace(MARKS, '');
  if (text.startsWith('#')) return isName(text);
  return UNDERLINE.test(line) && isName(above() ?? '');
}

const HEADING_TAG = /(?:<|&(?:amp;)*lt;)h[1-6][\s/>]/i;

/**
 * A heading of HTML, wherever it stands and however many lines it takes. Inside a block of HTML no
 * backslash escapes, so its tag opens with `&lt;`; what is written so gets one `amp;` more.
 */
function withoutTagHeadings(part: string, isName: IsName, { version, isTrusted }: Guarded): string {
  if (!HEADING_TAG.test(part)) return part;
  const readings: readonly MarkupReading[] =
    version <= PLAIN_TARGETS ? ['plain'] : ['plain', 'block', 'browser'];
  const shownOf = version <= PLAIN_TARGETS ? (text: string) => text : withBlanks;
  const found = new Set(
    readings.flatMap((reading) => tagHeadings(part, { reading, isName, shownOf })),
  );
  let from = 0;
  let shown = '';
  for (const at of [...found].sort((a, b) => a - b)) {
    const isOpen = part[at] === '<';
    if (isTrusted && !isOpen) continue;
    shown += part.slice(from, at) + (isOpen ? '&lt;' : '&amp;');
    from = at + 1;
  }
  return shown + part.slice(from);
}

/** Where a tag opens behind which nothing but the name of a layer stands before the next. */
function tagHeadings(
  part: string,
  by: {
    readonly reading: MarkupReading;
    readonly isName: IsName;
    readonly shownOf: (text: string) => string;
  },
): readonly number[] {
  const found = new Set<number>();
  let opened: number | null = null;
  let shown = '';
  let from = 0;
  const read = (to: number): void => {
    if (opened === null) return;
    shown = `${shown}${by.shownOf(part.slice(from, to))}`.replace(/\s+/g, ' ');
    const { length } = shown.trim();
    if (length > LONGEST_SHOWN) opened = null;
    else if (length > 0 && by.isName(shown)) found.add(opened);
  };
  for (const { at, end, kind } of piecesOf(part, by.reading)) {
    read(at);
    from = end;
    if (kind === 'other') continue;
    opened = kind === 'closes' ? null : at;
    shown = '';
  }
  read(part.length);
  return [...found];
}
