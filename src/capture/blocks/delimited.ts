/**
 * Code, comments and quotes that a mark opens and another one closes, over several lines and
 * without a fence. What stands between is shown, whatever it says.
 */
import { findWithin, isBlank, type Line, MOST_OF_LINE, type Taken, textAt } from './lines.ts';

type Kind = Extract<Taken['kind'], 'code' | 'diff' | 'quoted'>;

interface Mark {
  readonly kind: Kind;
  /** Of a line: what has to close it, or null where it opens nothing. */
  readonly closedBy: (text: string) => RegExp | string | null;
  /** Where nothing closes it: as far as it is taken. */
  readonly unclosed: 'none' | 'paragraph' | 'rest';
}

/** Further down a mark is another one's. */
const MOST_LINES = 1000;

/** Comments of languages and templates: behind the opening mark stands a blank, or nothing. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['{#', '#}'],
  ['{{!--', '--}}'],
  ['{{!', '}}'],
  ['{{/*', '*/}}'],
  ['<%--', '--%>'],
  ['<%#', '%>'],
  ['(*', '*)'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['--[=[', ']=]'],
  ['#|', '|#'],
  ['#=', '=#'],
  ['<#', '#>'],
  ['%{', '%}'],
  ['/+', '+/'],
];
const pairClose = (text: string): string | null => {
  const bare = text.trimStart();
  const found = PAIRS.find(([opening]) => bare.startsWith(opening));
  if (!found || !/^[-~+*]?(?:\s|$)/.test(bare.slice(found[0].length))) return null;
  return found[1];
};

/** `"""` and `'''` of several languages, behind code or alone. */
const TRIPLE = /(?:^|[\s=(:,[])[rbfuRBFU]{0,2}("""|''')/;
/** A string of several lines begins behind what a value stands behind. */
const TEMPLATE = /(?:[=(,:[{?+]|\breturn|\b(?:String\.raw|sql|html|css|gql))\s*`[^`]*$/;
const HEREDOC = /(?<!<)<<[-~]?(["']?)([A-Z_][A-Z\d_]{0,40})\1(?![<\w])/;

const MARKS: readonly Mark[] = [
  {
    kind: 'diff',
    closedBy: (text) => (/^(?:<{7}|\|{7}|={7})(?: |$)/.test(text) ? /^>{7}(?: |$)/ : null),
    unclosed: 'rest',
  },
  { kind: 'code', closedBy: pairClose, unclosed: 'paragraph' },
  {
    kind: 'code',
    closedBy: (text) => {
      const mark = TRIPLE.exec(text)?.[1];
      const isOpen = mark !== undefined && text.split(mark).length % 2 === 0;
      return isOpen ? mark : null;
    },
    unclosed: 'paragraph',
  },
  { kind: 'code', closedBy: (text) => (TEMPLATE.test(text) ? '`' : null), unclosed: 'none' },
  {
    kind: 'code',
    closedBy: (text) => {
      const word = HEREDOC.exec(text)?.[2];
      return word === undefined ? null : new RegExp(`^\\s*${word}\\W{0,3}$`);
    },
    unclosed: 'paragraph',
  },
  {
    kind: 'code',
    closedBy: (text) =>
      /^=(?:begin|pod|head\d|for|over|item|comment)\b/.test(text) ? /^=(?:end|cut|back)\b/ : null,
    unclosed: 'paragraph',
  },
  {
    kind: 'code',
    closedBy: (text) =>
      /^\s*\{%-?\s*(?:comment|raw|verbatim)\b/.test(text)
        ? /\{%-?\s*end(?:comment|raw|verbatim)\b/
        : null,
    unclosed: 'paragraph',
  },
  {
    kind: 'quoted',
    closedBy: (text) => {
      const name = /^\s*\\begin\{([a-z]{1,20})\*?\}/i.exec(text)?.[1];
      return name === undefined ? null : `\\end{${name}`;
    },
    unclosed: 'paragraph',
  },
  {
    kind: 'quoted',
    closedBy: (text) => {
      const name = /^\s*\[(quote|code|spoiler|noparse)(?:[= ][^\]\n]{0,80})?\]/i.exec(text)?.[1];
      return name === undefined ? null : `[/${name.toLowerCase()}]`;
    },
    unclosed: 'paragraph',
  },
  {
    kind: 'quoted',
    closedBy: (text) => (/^:{3,6}\s?\{?[a-z]/i.test(text) ? /^:{3,6}\s*$/ : null),
    unclosed: 'paragraph',
  },
];

/** What a mark opens there, with the lines up to the one that closes it; null = nothing. */
export type ReadsTaken = (at: number) => Taken | null;

/** A mark that nothing closes is looked for once. */
export function delimitedReader(lines: readonly Line[]): ReadsTaken {
  const unclosed = new Set<string>();
  const closingFrom = (from: number, closing: RegExp | string): number => {
    const key = String(closing);
    if (unclosed.has(key)) return -1;
    const closes = (line: string): boolean =>
      typeof closing === 'string' ? line.toLowerCase().includes(closing) : closing.test(line);
    const end = findWithin(lines, { from, most: MOST_LINES }, closes);
    if (end === -1 && lines.length - from <= MOST_LINES) unclosed.add(key);
    return end;
  };
  return (at) => {
    const text = textAt(lines, at).slice(0, MOST_OF_LINE);
    for (const { kind, closedBy, unclosed: upTo } of MARKS) {
      const closing = closedBy(text);
      if (closing === null) continue;
      const isOnOneLine = closesItself(text, closing);
      // What stands behind it on its line is said.
      if (isOnOneLine !== null) return isOnOneLine ? { kind, length: 1 } : null;
      const end = closingFrom(at + 1, closing);
      if (end !== -1) return { kind, length: end + 1 - at };
      if (upTo === 'none') continue;
      return { kind, length: (upTo === 'rest' ? lines.length : paragraphEnd(lines, at)) - at };
    }
    return null;
  };
}

/** Whether it ends there; null = it goes on in the next line. */
function closesItself(text: string, closing: RegExp | string): boolean | null {
  if (typeof closing !== 'string') return null;
  const isTriple = closing === '"""' || closing === "'''" || closing === '`';
  const at = isTriple ? -1 : text.toLowerCase().lastIndexOf(closing);
  return at === -1 ? null : text.slice(at + closing.length).trim().length <= MOST_AFTER;
}
/** Of a mark of the code, or the rest of the closing one: `}` of `\end{quote}`. */
const MOST_AFTER = 2;

/** The first line behind the paragraph. */
export function paragraphEnd(lines: readonly Line[], at: number): number {
  let end = at + 1;
  while (end < lines.length && !isBlank(textAt(lines, end))) end += 1;
  return end;
}
