/**
 * The guard of headings of version 13 as it was written first: it takes quadratic time, and says
 * what receipts of that version replay to.
 */
interface Guarded {
  readonly layerNames: readonly string[];
  /** Values in words of the manifest are escaped already: a backslash leaves no heading. */
  readonly isTrusted: boolean;
}

export function guardHeadings13(part: string, { layerNames, isTrusted }: Guarded): string {
  const names = new Set(layerNames.map(bareName));
  const lines = withoutTagHeadings(part, names, isTrusted).split('\n');
  return lines
    .map((line, at) => {
      const read = isTrusted ? line : line.replace(ESCAPES, '');
      return isHeading(read, lines[at - 1], names) ? `\\${line}` : line;
    })
    .join('\n');
}

/** Of a text that is escaped already. */
const ESCAPES = /^\\+/;
/** Marks of lists and quotes. */
const MARKS = /^(?:[\p{Zs}\t>]|[-+*][\p{Zs}\t]|\d{1,9}[.)][\p{Zs}\t])*/u;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

function isHeading(line: string, above: string | undefined, names: ReadonlySet<string>): boolean {
  const text = line.replace(MARKS, '');
  if (text.startsWith('#')) return names.has(bareName(text));
  return above !== undefined && UNDERLINE.test(line) && names.has(bareName(above));
}

const COMMENT_OR_TAG = /<!--(?:[^-]|-(?!->))*(?:-->)?|(?:<|&(?:amp;)*lt;)\/?[a-z][^<>]*>/gi;
/** Where a link leads. */
const TARGET = /\](?:\([^()]*\)|\[[^[\]]*\])/g;
const CODED = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,31}));/gi;
/** Signs that show a text otherwise and leave it the same. */
const EMPHASIS = /[\\*~`\p{Cf}]+/gu;
/** No name of a layer begins or ends so; numbers, pictures and quotes stand around it. */
const BEFORE_NAME = /^(?:[^\p{L}\p{N}]|\d{1,9}[.)])+/u;
const BEHIND_NAME = /[^\p{L}\p{N}]/u;
/** Longer than any name with what may stand around it; what is longer is no name. */
const LONGEST_SHOWN = 400;

/** What a reader takes a heading for, without what decorates it. */
function bareName(text: string): string {
  const shown = text
    .replace(COMMENT_OR_TAG, '')
    .replace(TARGET, ']')
    .replace(CODED, (whole, ...parts) => decoded(whole, ...parts.slice(0, 3)))
    .replace(EMPHASIS, '')
    .replace(BEFORE_NAME, '')
    .trimEnd();
  if (shown.length > LONGEST_SHOWN) return '';
  const name = [
    ...shown
      .replace(/\{[^{}]*\}$/, '')
      .normalize('NFKC')
      .toLowerCase(),
  ];
  while (BEHIND_NAME.test(name.at(-1) ?? '')) name.pop();
  return name.join('');
}

/** Names of signs are those of a blank and of the sign that stands in names of layers. */
function decoded(whole: string, ...parts: readonly (string | undefined)[]): string {
  const [decimal, hex, name] = parts;
  if (name !== undefined) {
    if (/^(?:lowbar|underbar)$/i.test(name)) return '_';
    return /^(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj)$/i.test(name) ? ' ' : whole;
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Comments are none: one that does not end hides nothing. */
const PIECE = /<(\/?[a-z][^<>]*)>|&(?:amp;)*lt;(\/?h[1-6](?:[\s/][^<>]*)?)>|\n/gi;
const HEADING_TAG = /^\/?h[1-6](?![^\s/])/i;

/**
 * A heading of HTML, wherever it stands and however many lines it takes. Inside a block of HTML no
 * backslash escapes, so its tag opens with `&lt;`; what is written so gets one `amp;` more.
 */
function withoutTagHeadings(part: string, names: ReadonlySet<string>, isTrusted: boolean): string {
  let from = 0;
  let shown = '';
  for (const at of tagHeadings(part, names)) {
    const isOpen = part[at] === '<';
    if (isTrusted && !isOpen) continue;
    shown += part.slice(from, at) + (isOpen ? '&lt;' : '&amp;');
    from = at + 1;
  }
  return shown + part.slice(from);
}

/** Where a tag opens behind which nothing but the name of a layer stands before the next. */
function tagHeadings(part: string, names: ReadonlySet<string>): ReadonlySet<number> {
  const found = new Set<number>();
  let opened: number | null = null;
  let shown = '';
  let from = 0;
  const read = (to: number): void => {
    if (opened === null) return;
    shown = `${shown}${part.slice(from, to)}`.replace(/\s+/g, ' ');
    if (shown.trim().length > LONGEST_SHOWN) opened = null;
    else if (names.has(bareName(shown))) found.add(opened);
  };
  for (const piece of part.matchAll(PIECE)) {
    read(piece.index);
    from = piece[0] === '\n' ? piece.index : piece.index + piece[0].length;
    const tag = piece[1] ?? piece[2];
    if (tag === undefined || !HEADING_TAG.test(tag)) continue;
    opened = tag.startsWith('/') ? null : piece.index;
    shown = '';
  }
  read(part.length);
  return found;
}
