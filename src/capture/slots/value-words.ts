/** Which of the words that follow a form are the value, and which only explain it. */
import { MONTH_NAMES } from '../../text/calendar.ts';
import type { Token } from './match.ts';
import { isInNumber, withoutNaming } from './values.ts';

const CUTS: ReadonlySet<string> = new Set(
  'because since so but which where when while after before as with and for from until though last next this yesterday if who instead'.split(
    ' ',
  ),
);
const TRAILING: ReadonlySet<string> = new Set(
  'anymore any more again too though instead yesterday sorry please there here lol haha btw tho ugh yay omg'.split(
    ' ',
  ),
);
/** What they begin was cut: `administrator of this platform`. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  'of at in on to from by with for about into'.split(' '),
);
const EACH: ReadonlySet<string> = new Set(['every', 'each', 'daily', 'on', 'a', 'per']);
const DETERMINERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'old', 'new']);
/** In `a@b.co` the `a` is none. */
const isDeterminer = (token: Token | undefined, text: string): boolean =>
  token !== undefined &&
  DETERMINERS.has(token.word) &&
  !/^(?:Old|New)/.test(text.slice(token.start, token.end)) &&
  /^\s/.test(text.slice(token.end));
const MONTHS: ReadonlySet<string> = new Set(MONTH_NAMES);
const PART: ReadonlySet<string> = new Set(['early', 'mid', 'late']);
/** `Graz in October`, `Graz in late May`. */
function isInMonth(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.word !== 'in') return false;
  const next = PART.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
  return MONTHS.has(tokens[next]?.word ?? '');
}
const NEGATED: ReadonlySet<string> = new Set(['not', 'rather']);
const MOST_VALUE_WORDS = 12;

interface Value {
  readonly words: Token[];
  readonly not: string | null;
}

/** The words that a value is: up to what only explains it. */
export function valueIn(tokens: readonly Token[], text: string): Value {
  const cut = tokens.findIndex(({ word, start }, index) => {
    const before = tokens[index - 1];
    const gap = before ? text.slice(before.end, start) : '';
    // `6:45 every day` is 6:45.
    const isEach = EACH.has(word) && /\d/.test(tokens[0]?.word ?? '');
    if (index > 0 && isEach) return true;
    const isCut = /[,;(:]/.test(gap) && !isInNumber(text, before?.end ?? 0, start);
    const isWhen = isInMonth(tokens, index);
    return index > 0 && (CUTS.has(word) || NEGATED.has(word) || isCut || isWhen);
  });
  const kept = [...withoutNaming(cut === -1 ? tokens : tokens.slice(0, cut))];
  while (kept.length > 1 && TRAILING.has(kept.at(-1)?.word ?? '')) kept.pop();
  while (cut !== -1 && kept.length > 1 && PREPOSITIONS.has(kept.at(-1)?.word ?? '')) kept.pop();
  while (kept.length > 1 && isDeterminer(kept[0], text)) kept.shift();
  const rest = cut === -1 ? [] : tokens.slice(cut);
  const not = rest[0]?.word === 'and' ? rest.slice(1) : rest;
  const isNot = not[0]?.word === 'not';
  return {
    words: kept.slice(0, MOST_VALUE_WORDS),
    not: isNot ? bare(not.slice(1)) : null,
  };
}

export const SMALL: ReadonlySet<string> = new Set([
  'in',
  'at',
  'for',
  'with',
  'a',
  'an',
  'the',
  'on',
]);
export const bare = (tokens: readonly Token[]): string =>
  tokens
    .map(({ word }) => word)
    .filter((word) => !SMALL.has(word))
    .join(' ');
