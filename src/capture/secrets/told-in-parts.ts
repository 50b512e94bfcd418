/**
 * A secret by what it is like (`my API key is the same as my birthday, 19800412`), and a login
 * whose second half stands apart: `my login for Netflix: ada@x.de, and the second part is tiger`.
 */
import { type Items, isClauseEnd, wordSet } from './items.ts';
import { nameAt } from './names.ts';
import { isOrdinary } from './ordinary-words.ts';

export const isToldInParts = (text: string, items: Items): boolean =>
  hasOtherHalf(text) || items.some((_, at) => isSameAs(items, at) || isMadeOf(items, at));

const LIKE = /^(?:as|like|wie)$/;
const LINK = /^(?:is|was|are|were|be|=|'s|ist|sind|war)$/;
const OWNERS = /^(?:my|our|his|her|the|mein|meine|meiner|unser|unsere)$/;
const MOST_BEFORE = 9;
const MOST_BEHIND = 8;
const ASIDES = wordSet(', ( : - – — /');
const FILLERS = wordSet('so which is that namely ie i.e it = , : " \'s');
/** What people make such a secret of, whatever it looks like. */
const TELLING =
  /^(?:name|surname|birthday|birthdate|birth|year|street|town|city|team|word|nickname|pet|dog|cat|number|hometown)$/;

/** `The same as my birthday, 19800412`; who says no more gives no value. */
function isSameAs(items: Items, at: number): boolean {
  const isSame =
    items[at]?.said === 'same' || /^(?:gleiche|selbe|dieselbe)$/.test(items[at]?.said ?? '');
  if (!isSame || !LIKE.test(items[at + 1]?.said ?? '') || !isOfSecret(items, at)) return false;
  const first = items[at + 2];
  if (first !== undefined && isNumber(first.text)) return true;
  if (!OWNERS.test(first?.said ?? '')) return false;
  const behind = items.slice(at + 3, at + 3 + MOST_BEHIND);
  const aside = behind.findIndex(({ isMark, text }) => isMark && ASIDES.has(text));
  if (aside < 1) return false;
  const from = behind.findIndex(({ said }, index) => index > aside && !FILLERS.has(said));
  const value = behind[from];
  if (value === undefined || value.isMark || !isClauseEnd(items[at + 4 + from])) return false;
  if (isNumber(value.text)) return true;
  const isTelling = behind.slice(0, aside).some(({ said }) => TELLING.test(said));
  return isTelling && value.text.length >= LEAST && !isOrdinary(value.said);
}
const LEAST = 3;

/** `My wifi password is the name of my cat, Minka`, `… is my dog's name, Rex`. */
function isMadeOf(items: Items, at: number): boolean {
  const isLink = LINK.test(items[at]?.said ?? '') || items[at]?.text === ':';
  if (!isLink || !OWNERS.test(items[at + 1]?.said ?? '') || !isOfSecret(items, at + 1))
    return false;
  const behind = items.slice(at + 2, at + 2 + MOST_BEHIND);
  const aside = behind.findIndex(({ isMark, text }) => isMark && ASIDES.has(text));
  if (aside < 1) return false;
  if (!behind.slice(0, aside).some(({ said }) => TELLING.test(said))) return false;
  const from = behind.findIndex(
    ({ said }, index) => index > aside && !FILLERS.has(said) && said !== 'called',
  );
  const value = behind[from];
  if (value === undefined || value.isMark || !isClauseEnd(items[at + 3 + from])) return false;
  // A word of small letters says how that is: `my dog's name, lol`.
  const isName = /^\p{Lu}/u.test(value.text) && !isOrdinary(value.said);
  return isNumber(value.text) || (value.text.length >= LEAST && isName);
}
/** Also what mixes letters with digits. */
const isNumber = (text: string): boolean => {
  const said = text.slice(0, MOST_TEXT);
  const digits = said.replaceAll(/\D/g, '').length;
  return digits > 2 || (digits > 1 && /\p{L}/u.test(said));
};
const MOST_TEXT = 80;

/** `My API key is`, before what it is the same as. */
function isOfSecret(items: Items, at: number): boolean {
  const before = items.slice(Math.max(0, at - MOST_BEFORE), at);
  const link = before.findLastIndex(({ said }) => LINK.test(said));
  const start = at - before.length;
  return before.some((_, index) => {
    const name = index < link ? nameAt(items, start + index) : null;
    return (
      name !== null && name.kind !== 'hint' && name.kind !== 'answer' && name.end <= start + link
    );
  });
}

const OTHER_HALF =
  /\b(?:log-?in|sign-?in|credentials|creds|account|user ?name|zugang)\b[^\n]{1,80}?[,;.:–-] ?(?:and |but |then )?(?:the |its |my )?(?:second|other|last|remaining|secret) (?:part|half|bit|piece|one|field|line|word) ?(?:is|:|=|would be|being) ["'“]?([^\s"'”]{3,64})["'”]?[.!]?(?=$|[\s,;)])/iu;
function hasOtherHalf(text: string): boolean {
  const value = (OTHER_HALF.exec(text)?.[1] ?? '').replace(/[.,;!?]{1,3}$/, '').toLowerCase();
  return value.length >= LEAST && !isOrdinary(value) && !NO_VALUE.test(value);
}
const NO_VALUE =
  /^(?:due|about|with|for|mine|empty|blank|missing|pending|there|here|what|where|not)$/;
