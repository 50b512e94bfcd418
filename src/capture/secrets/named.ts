/** A name, and its value after it: `my password is blauwal`, `the pin of the safe: 4711`. */
import { clauseFrom, type Item, type Items, isClauseEnd, isSentenceEnd, wordSet } from './items.ts';
import { type NameKind, nameAt } from './names.ts';
import { isClosed, isDescription, isOrdinary, isPredicate } from './ordinary-words.ts';
import {
  isGrouped,
  isIdNumber,
  isMixed,
  isNumber,
  isPlaceholder,
  isSpelled,
  isStrange,
  isTurns,
} from './value-looks.ts';

const LINKS = wordSet(
  "is are was were be been become becomes became remains stays equals reads starts start begins begin changed reset 's = : ist sind war waren lautet lautete heißt heisst bleibt wurde beginnt es son est sont era était sera será",
);
/** Between a link and a value. */
const FILLERS = wordSet(
  'been be now still currently again just simply literally always actually probably again has had to set as with either both called number no not longer nr nummer temporarily updated also jetzt nicht mehr noch immer aktuell weiterhin wieder mit auf gerade ahora siempre toujours maintenant',
);
/** They begin what it is of. */
const OF_WHAT = wordSet(
  'for of in on at to from by with here there upstairs downstairs inside outside i we you he she they that which who needed required used behind near under as für von vom zum zur der des meiner meines meinem unserer unseres am im an in auf bei beim zu de del du des pour para la les le ma mi mon aux au',
);
const MOST_WORDS = 10;
/** An answer is one to somebody. */
const ANSWERS = wordSet('for at with');
const USES = wordSet(
  'use uses used using reuse take try type enter choose pick nimm benutze nutze verwende tippe',
);
/** `the password manager Bitwarden`. */
export const COMPOUNDS = wordSet(
  'manager managers generator generators app apps vault vaults keeper tool tools book notebook file files list lists store reset resets policy policies field fields form hint hints protection rotation hashing prompt extension plugin autofill cli widget dialog page login auth authentication encryption database checker checking strength meter length rules requirement requirements budget limit bucket storage scope scopes endpoint',
);
/** `My PIN backwards is 1744`: whoever reads it has it. */
const TRANSFORMS = wordSet(
  'backwards backward reversed reverse encoded encrypted rot13 base64 hex rückwärts',
);
const SETS = wordSet('set change changed reset switched updated');
const MOST_BEFORE = 5;
const ASIDES = wordSet(', ( - – — /');

export const namesSecret = (items: Items): boolean =>
  items.some((_, at) => {
    const name = nameAt(items, at);
    return name !== null && givesValue({ items, kind: name.kind }, name.end);
  });

interface Named {
  readonly items: Items;
  readonly kind: NameKind;
}

function givesValue(named: Named, at: number): boolean {
  const { items, kind } = named;
  const next = items[at];
  if (next === undefined) return false;
  if (kind === 'hint') return hintsAt({ items, kind: 'word' }, at);
  if (TRANSFORMS.has(next.said)) return givesValue(named, at + 1);
  // `My mother's maiden name for the bank is Krause` answers a question of the bank.
  if (kind === 'answer') return ANSWERS.has(next.said) && givesValue({ items, kind: 'word' }, at);
  if (isAdjacent(named, at) || isUsed(named, at) || isChanged(named, at)) return true;
  // `my PIN, it's 4711`
  if (next.isMark && ASIDES.has(next.text) && isAside(named, at + 1)) return true;
  if (isLink(items, at) && isLinked(named, at)) return true;
  if (!OF_WHAT.has(next.said)) return false;
  // `I changed it to blauwal`, `Ich habe es auf Blauwal1 geändert`
  if (/^(?:to|auf|as|con)$/.test(next.said) && isStrong(named, at + 1)) return true;
  // `I set the code on my suitcase to 739`
  const isSet = items.slice(Math.max(0, at - MOST_BEFORE), at).some(({ said }) => SETS.has(said));
  if (isSet && kind === 'word' && next.said === 'to' && isBare(named, at + 1)) return true;
  for (let index = at + 1; index <= at + MOST_WORDS; index += 1) {
    const item = items[index];
    if (isSentenceEnd(item) || item === undefined) return false;
    if (isSet && item.said === 'to' && isStrong(named, index + 1)) return true;
    // `the password for Paula's laptop`
    if (isLink(items, index) && item.text !== "'s" && isLinked(named, index)) return true;
  }
  return false;
}

/** `Always use the password blauwal for zips`. */
function isUsed({ items, kind }: Named, at: number): boolean {
  // `I use the passphrase "purple monkey" everywhere`
  if (kind === 'phrase') return isQuotedAfterUse(items, at) || isPhraseAfterUse(items, at);
  // `Always use token abc123 when …`
  if (kind === 'key' && isMixed(items[at]?.text ?? '', 6) && isBehindUse(items, at)) return true;
  if (kind !== 'word' && kind !== 'token') return false;
  const before = items.slice(Math.max(0, at - MOST_BEFORE), at);
  const isUse = before.some(({ said }) => USES.has(said));
  const isOther = before.some(({ said }) => /^(?:an?|ein|einen)$/.test(said));
  if (!isUse || isOther || COMPOUNDS.has(items[at]?.said ?? '')) return false;
  return items[at]?.text === '"' ? isQuoted(items, at) : isOneWord(items, at);
}

const isBehindUse = (items: Items, at: number): boolean =>
  items.slice(Math.max(0, at - MOST_BEFORE), at).some(({ said }) => USES.has(said));

/** `I use the passphrase correct horse battery staple everywhere` */
function isPhraseAfterUse(items: Items, at: number): boolean {
  if (!items.slice(Math.max(0, at - MOST_BEFORE), at).some(({ said }) => USES.has(said)))
    return false;
  const clause = clauseFrom(items, at, MOST_PHRASE);
  const tail = clause.findIndex(({ said }) => TAILS.has(said) || OF_TAILS.has(said));
  const words = tail === -1 ? clause : clause.slice(0, tail);
  return words.length >= 3 && !COMPOUNDS.has(words[0]?.said ?? '') && isManyWords(words);
}

const isQuotedAfterUse = (items: Items, at: number): boolean =>
  /^["'‘’“”]$/u.test(items[at]?.text ?? '') &&
  items.slice(Math.max(0, at - MOST_BEFORE), at).some(({ said }) => USES.has(said)) &&
  isQuoted(items, at);

/** `Meine PIN habe ich auf 4711 geändert`. */
function isChanged(named: Named, at: number): boolean {
  if (!/^(?:habe|hab|haben)$/.test(named.items[at]?.said ?? '')) return false;
  return clauseFrom(named.items, at, MOST_BEFORE).some(
    ({ said }, index) => said === 'auf' && isStrong(named, at + index + 1),
  );
}

/** `has been` is one, `has` is none. */
function isLink(items: Items, at: number): boolean {
  const said = items[at]?.said ?? '';
  const isHelper = /^(?:has|have|had|should|must|will|would)$/.test(said);
  return LINKS.has(said) || (isHelper && /^(?:been|be)$/.test(items[at + 1]?.said ?? ''));
}

function isAside(named: Named, at: number): boolean {
  const { items } = named;
  const isIt = /^(?:it|es|das)$/.test(items[at]?.said ?? '');
  const value = isIt && items[at + 1] && LINKS.has(items[at + 1]?.said ?? '') ? at + 2 : at;
  return named.kind === 'tan' || named.kind === 'lock' || named.kind === 'pair'
    ? false
    : isStrong(named, value, { isAlone: true });
}

/** `Our hint is the dog, so it is Rex2014`. */
function hintsAt(named: Named, at: number): boolean {
  for (let index = at; index <= at + 2 * MOST_WORDS; index += 1) {
    const item = named.items[index];
    if (item === undefined || isSentenceEnd(item)) return false;
    if (isLink(named.items, index) && isStrong(named, index + 1)) return true;
  }
  return false;
}

/** After the link at `at`: the value, or words of which it is the last. */
function isLinked(named: Named, at: number): boolean {
  const { items, kind } = named;
  let next = at;
  for (; next < at + MOST_WORDS; next += 1) {
    const item = items[next];
    if (item === undefined || !(isLink(items, next) || FILLERS.has(item.said))) break;
  }
  const first = items[next];
  if (first === undefined || isPlaceholder(first.text)) return false;
  if (isStrong(named, next) || isOfPossessive(named, next)) return true;
  if (kind === 'word' || kind === 'phrase') return isBare(named, next);
  if (kind === 'token') return isOneWord(items, next);
  // `API_KEY=abc`: so write those who have one.
  const isCall = items[next + 1]?.text === '(';
  return kind === 'key' && items[at]?.text === '=' && !isCall && isBare(named, next);
}

const POSSESSIVES = /^(?:my|our|his|her|the|a|mein|meine|unser|unsere|das|der|die)$/;
/** `my PIN is my birth year, 1987` */
function isOfPossessive(named: Named, at: number): boolean {
  if (!POSSESSIVES.test(named.items[at]?.said ?? '') || named.kind === 'pair') return false;
  for (let index = at + 1; index <= at + 5; index += 1) {
    const item = named.items[index];
    if (item === undefined || isSentenceEnd(item)) return false;
    const before = named.items[index - 1];
    if (before && /^(?:in|on|of|from|since|until|at|von|seit|am|im)$/.test(before.said)) continue;
    const isLast = isClauseEnd(named.items[index + 1]);
    if (isLast && isStrong({ ...named, kind: OF_WORDS[named.kind] }, index)) return true;
  }
  return false;
}
/** Further off, only what can be nothing else. */
const OF_WORDS: Readonly<Record<NameKind, NameKind>> = {
  word: 'loose',
  phrase: 'loose',
  number: 'number',
  code: 'code',
  tan: 'tan',
  lock: 'number',
  recovery: 'recovery',
  key: 'loose',
  token: 'loose',
  loose: 'loose',
  pair: 'pair',
  credentials: 'loose',
  hint: 'loose',
  answer: 'loose',
  id: 'id',
};

/** What can only be a value, of a secret of that kind. */
export function isStrong(
  { items, kind }: Named,
  at: number,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): boolean {
  const item = items[at];
  if (item === undefined || item.isMark || isPlaceholder(item.text)) return false;
  const { text } = item;
  const digits = (least: number): boolean => isNumber(items, at, { least: isAlone ? 4 : least });
  switch (kind) {
    case 'word':
    case 'phrase':
      return isMixed(text, 4) || isStrange(text) || digits(3) || isSpelled(items, at);
    case 'number':
    case 'lock':
    case 'code':
      return digits(3) || isSpelled(items, at) || isTurns(items, at);
    case 'id':
      return isIdNumber(items, at);
    case 'tan':
      return digits(5);
    case 'recovery':
      return digits(4) || isMixed(text, 4) || isGrouped(items, at);
    case 'key':
    case 'token':
      return isMixed(text, 6) || isGrouped(items, at) || (!isAlone && digits(8));
    case 'loose':
      return isMixed(text, 6) && text.replaceAll(/\D/g, '').length > 1 && !SLUG.test(text);
    case 'credentials':
      return isMixed(text, 5) || isPair(items, at);
    default:
      return kind === 'pair' && isPair(items, at);
  }
}

/** `ROCK-12`, `gateway-42`: a name and a number. */
const SLUG = /^[a-z]+-\d+$/i;

/** `ann / Tiger99!`, `ann:Tiger99`, `Tiger99!` */
function isPair(items: Items, at: number): boolean {
  const [user, joint, value] = [items[at], items[at + 1], items[at + 2]];
  if (user === undefined || user.isMark) return false;
  if (isMixed(user.text, 5) && joint?.text === '!') return true;
  if (!joint || !value || value.isMark || !/^(?:\/|:|\+|\||&|,|and|und|with|mit)$/.test(joint.said))
    return false;
  if (/^\d{5,}$/.test(user.text) && /^\d{4,}$/.test(value.text)) return true;
  const isNamed = nameAt(items, at + 2) !== null;
  return !isNamed && (isMixed(value.text, 5) || isStrange(value.text));
}

/** `PIN 4711`, `the password Sunny77`. */
function isAdjacent(named: Named, at: number): boolean {
  const { items, kind } = named;
  const text = items[at]?.text ?? '';
  switch (kind) {
    case 'word':
    case 'phrase':
      return isMixed(text, 6) || isStrange(text) || isNumber(items, at, { least: 4 });
    case 'code':
    case 'number':
      return isNumber(items, at, { least: 4 }) && !/[a-z]$/i.test(text);
    case 'tan':
      return isNumber(items, at, { least: 6 });
    case 'recovery':
      return isStrong(named, at);
    case 'id':
      return isIdNumber(items, at);
    case 'key':
    case 'token':
    case 'loose':
      return isMixed(text, 8) && text.replaceAll(/\D/g, '').length > 1;
    case 'credentials':
      return isStrong(named, at);
    default:
      return false;
  }
}

const MOST_PHRASE = 9;
/** After it a value has ended: `my password is blauwal everywhere`. */
const TAILS = wordSet(
  'now everywhere again still too btw today currently lol please and but so or because since which anymore here jetzt überall auch und oder aber wieder derzeit',
);
const OF_TAILS = wordSet('for on at in with für auf bei im am beim everywhere');

/** A word, or a few in a row, of which none is what people say of a password. */
function isBare({ items, kind }: Named, at: number): boolean {
  if (items[at]?.text === '"') return isQuoted(items, at);
  const clause = clauseFrom(items, at, MOST_PHRASE);
  const [first, second] = clause;
  if (!first || first.isMark || first.text.length < 3 || isOrdinary(first.said)) {
    return clause.length >= 4 && kind !== 'key' && isManyWords(clause);
  }
  if (!/^[\p{L}\p{M}\d][\p{L}\p{M}\d'.&+_-]*$/u.test(first.text) || /^\d/.test(first.text))
    return false;
  if (second === undefined || TAILS.has(second.said)) return true;
  if (OF_TAILS.has(second.said)) return /^\p{Ll}/u.test(first.text);
  if (kind === 'phrase')
    return clause.length < MOST_PHRASE && !clause.some(isOfPhrase) && isOfValue(clause);
  return kind === 'word' && clause.length >= 3 && isManyWords(clause);
}
/** Of two, `two words` and `purple monkey`, the second says that it is none. */
const isOfValue = (clause: Items): boolean =>
  clause.length >= 3 || !isOrdinary(clause[1]?.said ?? '');
const isOfPhrase = ({ said }: Item): boolean => isDescription(said);

/** `My webhook secret is blauwal`: of more words, it is what is said of one. */
function isOneWord(items: Items, at: number): boolean {
  const [first, second] = clauseFrom(items, at, 2);
  if (!first || first.text.length < 4 || isOrdinary(first.said) || COMPOUNDS.has(first.said))
    return false;
  if (!/^[\p{L}\d][\p{L}\p{M}\d'.&+_-]*$/u.test(first.text) || LINKS.has(first.said)) return false;
  return second === undefined || TAILS.has(second.said) || OF_TAILS.has(second.said);
}

/** `correct horse battery staple`: one may be an adjective. */
const isManyWords = (clause: Items): boolean =>
  clause.length < MOST_PHRASE &&
  clause.every(({ text, said }) => /^\p{Ll}{2,}$/u.test(text) && !isClosed(said)) &&
  !clause.some(({ said }) => isDescription(said)) &&
  clause.filter(({ said }) => isPredicate(said)).length <= (clause.length > 3 ? 1 : 0);

function isQuoted(items: Items, at: number): boolean {
  const words = clauseFrom(items, at + 1, MOST_PHRASE);
  const [first] = words;
  if (!first || items[at + 1 + words.length]?.text === undefined) return false;
  return words.length > 1 || !isOrdinary(first.said);
}
