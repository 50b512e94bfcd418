/**
 * `One of my cats died`, where there are three: two are left. Of a statement that names them as
 * well, which one is gone nobody tells, so it is marked. English.
 */
import { wordsOf } from '../sentences/sentence.ts';
import type { KnownFact } from '../state.ts';
import type { LifeEnd } from './life-ends.ts';
import { saidOf } from './said-of.ts';

type Held = Pick<KnownFact, 'content' | 'subject' | 'valid_from'>;

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberOf = (word: string): number =>
  /^\d{1,3}$/.test(word) ? Number(word) : NUMBERS.indexOf(word);

const HAS =
  '(?:(?:now |still |also |currently )*(?:has|have|owns?|keeps?|got|has got|adopted|bought))';

interface Counted {
  /** `Ada has`. */
  readonly head: string;
  readonly count: number;
  /** `black cats`. */
  readonly things: string;
  readonly behind: string;
}

function countedIn({ content, subject }: Held, words: readonly string[]): Counted | null {
  if (saidOf({ content, subject }) === null) return null;
  const noun = words.join(' ');
  const [, head = '', number = '', things = '', behind = ''] =
    new RegExp(
      `^(.{1,60}? ${HAS}) (\\d{1,3}|[a-z]{3,6}) ((?:[\\p{L}-]+ ){0,2}?${noun})((?:$|[ .,;(]).*)$`,
      'iu',
    ).exec(content) ?? [];
  const count = numberOf(number.toLowerCase());
  return count < 1 ? null : { head, count, things, behind };
}

/** The number that was told last; none = there is no number. */
export function severalHeld<Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  const held = known.filter((fact) => countedIn(fact, words) !== null);
  return held.toSorted((a, b) => (a.valid_from < b.valid_from ? 1 : -1)).slice(0, 1);
}

/** What is left of it; null = nothing is. */
export function leftOfSeveral({ words, count: gone = 'all' }: LifeEnd, fact: Held): string | null {
  const counted = countedIn(fact, words);
  if (counted === null) return null;
  const { head, count, things, behind } = counted;
  if (gone === 'all' || (gone === 'both' && count === 2)) return null;
  const left = count - numberOf(gone);
  if (left === 0) return null;
  const isAlone = /^(?: now| at home| in total)*\.?$/.test(behind);
  if (!isAlone || left < 0 || gone === 'both')
    return `${fact.content.replace(/\.$/, '')}. ${capital(gone)} of them ${gone === 'one' ? 'is' : 'are'} gone.`;
  const now = left === 1 ? `one ${singularOf(things)}` : `${NUMBERS[left] ?? left} ${things}`;
  return `${head} ${now}${behind}`;
}
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const ODD: ReadonlyMap<string, string> = new Map([
  ['children', 'child'],
  ['mice', 'mouse'],
  ['wives', 'wife'],
  ['fish', 'fish'],
  ['sheep', 'sheep'],
]);
function singularOf(things: string): string {
  const words = wordsOf(things);
  const last = words.at(-1) ?? '';
  const one =
    ODD.get(last) ??
    last
      .replace(/ies$/, 'y')
      .replace(/(ch|sh|x)es$/, '$1')
      .replace(/s$/, '');
  return [...words.slice(0, -1), one].join(' ');
}
