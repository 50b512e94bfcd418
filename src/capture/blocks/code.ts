/**
 * Code, data and comments. A line of code is judged by its beginning, its end and its marks; a
 * comment by its mark; data by whether it parses.
 */
import { findFrom, type Line, MOST_OF_LINE, textAt } from './lines.ts';

const CODE_STARTS =
  /^\s*(?:(?:export |async |public |private |static )*(?:const|let|var|function|class|interface|type|enum) [A-Za-z_$][\w$]* ?[=({<:]|import [\w{*"']|from \S+ import |def \w+\(|return[ ;(]|if ?\(|for ?\(|while ?\(|else ?\{|\} ?else|try ?\{|#include |package \w+;|using \w+;|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |<\/?[a-z][\w-]*(?: [\w-]+=|>))/;
/** Whole lines. */
const CODE_LINES: readonly RegExp[] = [
  // `name = 'x'`, `total := sum(rows)`, `API_URL=…`
  /^(?:export |local )?[A-Za-z_$][\w$.[\]'"]{0,80} ?(?:[-+*/|&]?=|:=) ?(?:['"`[{(]|[\w$.]{1,80}\(|new [A-Z]|await [\w$])/,
  /^(?:export )?[A-Z][A-Z\d_]{2,80}=\S*$/,
  // `print(name)`
  /^(?:await |return )?[a-z_$][\w$]{1,80}(?:\.[\w$]{1,80}){0,12}\([^\n]*\)[;:]?$/,
  /^(?:elif [^\n]+|for \w+(?:, ?\w+)* in [\w.]+\([^\n]*\)|class \w+(?:\([^\n]*\))?|except \w+(?: as \w+)?|with [\w.]+\([^\n]*\) as \w+):$/,
  // `"home": "Rome",`
  /^"[^"\n]{1,120}"\s?:\s?(?:["\d[{-]|true\b|false\b|null\b)/,
  /^#!\/\S/,
];
const CODE_MARKS = new Set([...'{}();=<>[]|&$\\']);

export function isCodeLine(text: string): boolean {
  const bare = text.trim().slice(0, MOST_OF_LINE);
  if (bare.length < 2) return bare === '}' || bare === '{';
  if (CODE_STARTS.test(bare) || CODE_LINES.some((form) => form.test(bare))) return true;
  const marks = [...bare].filter((character) => CODE_MARKS.has(character)).length;
  const ends = /[;{}]$/.test(bare) || bare.endsWith('=>') || bare.endsWith('(');
  return (ends && marks >= 3) || (marks >= 4 && marks / bare.length > 0.12);
}

export const isComment = (text: string): boolean => /^\s*(?:\/\/|\/\*|\*\/)/.test(text);

/** Lines of a comment that begins there, or 0. */
export type ReadsLines = (at: number) => number;

/** `// I prefer tabs` says it of the code. A mark that nothing closes is looked for once. */
export function commentReader(lines: readonly Line[]): ReadsLines {
  const unclosed = new Set<string>();
  const to = (at: number, closing: string): number => {
    if (unclosed.has(closing)) return 0;
    const end = findFrom(lines, at, (line) => line.includes(closing));
    if (end === lines.length) unclosed.add(closing);
    return end === lines.length ? 0 : end + 1 - at;
  };
  return (at) => {
    const text = textAt(lines, at).trim();
    if (text.startsWith('//') || LINE_COMMENT.test(text)) return 1;
    const closing = text.startsWith('/*') ? '*/' : text.startsWith('<!--') ? '-->' : null;
    if (closing === null) return 0;
    // What stands behind it on its line is said.
    if (text.includes(closing)) return text.endsWith(closing) ? 1 : 0;
    const length = to(at, closing);
    return length === 0 && closing === '*/' ? 1 : length;
  };
}

/** Of Lisp and assemblers, TeX, and BASIC; of SQL a dash of talk looks like it: `isDashed`. */
const LINE_COMMENT = /^(?:;{1,4}|%{1,4}|REM|dnl) (?=\S)/;

/** `-- I prefer tabs` may be of a query. */
export const isDashed = (line: string): boolean => /^\s*--[|^!]? ?(?=\p{L})/u.test(line);

const JSON_LINE = /^\s*(?:$|[[\]{}"\d-]|true\b|false\b|null\b)/;
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const withoutComma = (text: string): string => text.trim().replace(/[,;]$/, '');

/**
 * An array or object of one line or several. What does not parse is read once: nothing inside it
 * is tried again.
 */
export function jsonReader(lines: readonly Line[]): ReadsLines {
  let noneBefore = 0;
  return (at) => {
    const first = withoutComma(textAt(lines, at));
    if (!/^[[{]/.test(first)) return 0;
    if (/[\]}]$/.test(first) && isJson(first)) return 1;
    if (at < noneBefore) return 0;
    const end = closingLine(lines, at);
    noneBefore = end + 1;
    if (end >= lines.length || !/[\]}]$/.test(withoutComma(textAt(lines, end)))) return 0;
    const whole = lines.slice(at, end + 1).map(({ text }) => text);
    return isJson(withoutComma(whole.join('\n'))) ? end + 1 - at : 0;
  };
}

/** The line that closes what is opened there; else one that is none of it, or the end. */
function closingLine(lines: readonly Line[], at: number): number {
  let depth = 0;
  let end = at;
  for (; end < lines.length; end += 1) {
    const text = textAt(lines, end);
    if (!JSON_LINE.test(text)) return end;
    depth += depthIn(text);
    if (depth <= 0) return end;
  }
  return end;
}

/** Brackets that it opens less those that it closes; a string ends with its line. */
function depthIn(text: string): number {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isString && character === '\\') at += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && '[{'.includes(character)) depth += 1;
    else if (!isString && ']}'.includes(character)) depth -= 1;
  }
  return depth;
}
