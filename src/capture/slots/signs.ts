/** Signs that belong to a value: `A-` is not `A+`, nor `-18` `18`, `C` `C++`, `€50` `$50`. */
import type { Token } from './match.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Before a number; behind a letter they join two words. */
const BEFORE_NUMBER = /(?<![\p{L}\p{N}])(?:[<>≤≥] ?)?[-+−<>≤≥±~]?[$€£¥]?[-+−]?$/u;
/** `.NET`. */
const BEFORE_NAME = /(?<!\S)\.$/u;
const BEHIND = /^(?:\+{1,2}|[#%°](?![\p{L}\p{N}])| ?[€$£¥%](?![\p{L}\p{N}]))/u;
/** `AB-`: a word and a dash are mostly the beginning of a clause. */
const MINUS = /^[-−](?![\p{L}\p{N}-])/u;
const SHORT = /^\p{Lu}{1,2}$/u;
const MOST_BEFORE = 4;
const MOST_BEHIND = 3;

/** From the first sign of the words to the last. */
export function withSigns({ start, end }: Span, text: string): Span {
  const head = text.slice(Math.max(0, start - MOST_BEFORE), start);
  const first = /^\d/.test(text.slice(start, start + 1)) ? BEFORE_NUMBER : BEFORE_NAME;
  const lead = first.exec(head)?.[0].length ?? 0;
  const tail = text.slice(end, end + MOST_BEHIND);
  const last = text.slice(Math.max(start, text.lastIndexOf(' ', end - 1) + 1), end);
  const found = BEHIND.exec(tail) ?? (SHORT.test(last) ? MINUS.exec(tail) : null);
  return { start: start - lead, end: end + (found?.[0].length ?? 0) };
}

/** The words in a row, and behind them their signs. */
export function signedValue(words: readonly Token[], text: string): string {
  const plain = words.map(({ word }) => word).join(' ');
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return plain;
  const { start, end } = withSigns({ start: first.start, end: last.end }, text);
  const inner = words.slice(1).map((token, at) => text.slice(words[at]?.end ?? 0, token.start));
  const joints = inner.filter((gap, at) => isSigned(gap, words[at], words[at + 1]));
  const signs = [text.slice(start, first.start), ...joints, text.slice(last.end, end)]
    .join('')
    .replaceAll(' ', '')
    .replaceAll('−', '-');
  return signs === '' ? plain : `${plain} ${signs}`;
}

/** `UTC+1`, but `555-0101`; `3:1`, but `6:45`; `3/4`. */
function isSigned(gap: string, before?: Token, after?: Token): boolean {
  if (gap === '/') return true;
  if (gap === ':') return after?.word.length === 1;
  return /^[-+−]$/.test(gap) && /\D$/.test(before?.word ?? '') && /^\d/.test(after?.word ?? '');
}

/** Words with their signs in a text, in order: what else two statements are told apart by. */
export const signedWords = (text: string): readonly string[] =>
  (text.match(SIGNED) ?? [])
    .map((word) => word.toLowerCase().replaceAll('−', '-').replaceAll(',', '').replace(/\.$/, ''))
    .sort();
const SIGNED =
  /(?<![\p{L}\p{N}])(?:[-−<>≤≥±~] ?[$€£¥]?|[$€£¥][-−]?)\d[\d.,]*|\d ?[€$£¥%](?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{L}{1,12}(?:\+{1,2}|#)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{Lu}{1,2}[-−](?![\p{L}\p{N}-])|(?<![\p{L}\p{N}])\p{L}{2,4}[-+−]\d{1,2}(?!\d)|(?<!\S)\.\p{Lu}+/gu;
