/**
 * A state that is named beside what is told: `I saw my therapist, Dr Ada`, `they want 480, so
 * that's my rent`. It is kept as the state alone.
 */
import { isKin, isPerson } from '../voices/people.ts';
import { match, openNoun, slotOfNoun, stepsOf, type Token } from './match.ts';
import { headOf, nameOf, type OpenFound } from './open.ts';
import { MANY, MEASURES } from './things.ts';
import { isInNumber, kindOf } from './values.ts';

const found = (name: string, value: readonly Token[], isSoft: boolean): OpenFound => ({
  ...{ name, kind: 'tells', value, isSoft },
  ...{ isOwn: true, isRestated: 'always', instead: null },
});

const MET_WITH =
  '(?:saw|seen|met|called|visited|phoned|rang|texted|emailed|' +
  '(?:spoke|spoken|talked|met) (?:to|with)|' +
  'had (?:an?|my) (?:\\p{L}+ )?(?:call|meeting|session|chat|talk|appointment|lesson) with)';
const NAME = "((?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)";
/** Whom one meets is who that is, where the sentence says no more. */
const MET = new RegExp(
  "^(?:(?:[Aa]nd|[Ss]o|[Tt]oday|[Yy]esterday),? )?(?:(?:I|We|we|i)(?:['’]ve| have)? )?" +
    `(?:just |finally )?(?:${MET_WITH}|(?:Saw|Met|Called|Visited|Phoned|Texted) |` +
    `(?:Spoke|Talked) (?:to|with)) ?(?:my|our) (\\p{L}+(?: \\p{L}+)?), ${NAME}(?: again)?[.!]*$`,
  'u',
);
export function metOf(tokens: readonly Token[], text: string): OpenFound | null {
  const [, noun = '', name = ''] = MET.exec(text) ?? [];
  const words = noun.toLowerCase().split(' ');
  const head = words.at(-1) ?? '';
  const slot = slotOfNoun(words);
  // Kin and friends are several.
  const isOne = isPerson(head) && !MANY.has(head) && (!isKin(head) || ONE.has(slot ?? ''));
  if (slot === null || !isOne || PAST.test(noun)) return null;
  const start = text.indexOf(`, ${name}`) + 2;
  const value = tokens.filter((each) => each.start >= start && each.end <= start + name.length);
  return value.length > 0 ? found(slot, value, true) : null;
}
const ONE: ReadonlySet<string> = new Set(['manager', 'landlord']);
const PAST = /^(?:old|former|ex|late|first|previous|last)\b/i;

/** The one number of the clause, of what has a measure. */
export function amountOf(tokens: readonly Token[], text: string): OpenFound | null {
  const is = match(tokens, stepsOf('% that/this is my/our M'));
  const noun = is?.noun ?? null;
  if (!is || noun === null || !MEASURES.has(headOf(noun)) || openNoun([noun]) === null) return null;
  const from = is.value.findIndex(({ word }) => /^\d/.test(word));
  if (from === -1) return null;
  let to = from + 1;
  while (isInNumber(text, is.value[to - 1]?.end ?? 0, is.value[to]?.start ?? -1)) to += 1;
  if (is.value.slice(to).some(({ word }) => /^\d/.test(word))) return null;
  const value = is.value.slice(from, to);
  return found(nameOf(noun, kindOf(value, text)), value, false);
}
