/** A value, and its name after it: `4711 is my PIN`, `I use blauwal as my password`. */
import { type Items, isClauseEnd, wordSet } from './items.ts';
import { isStrong } from './named.ts';
import { type Name, nameAt } from './names.ts';
import { isOrdinary } from './ordinary-words.ts';

const LINKS = wordSet('is was as = ist war als est es comme como for für');
const OWNERS = wordSet(
  "my our the his her their your 's mein meine meinem unser unsere das die der als mon mi notre",
);
/** `4711 is my new bank PIN` */
const MOST_BETWEEN = 5;
/** After the name: `1Password is my password manager` is of another thing. */
const AFTER = wordSet(
  'for of in on at to now everywhere again still too and but so or when if because since because everywhere there here für von vom zum zur bei beim am im überall jetzt und auf pour para de',
);
const USES =
  /^(?:use|uses|used|using|prefer|prefers|preferred|want|keep|kept|like|choose|chose|picked|set|have|took|take|typed?|enter|entered|nehme|benutze|verwende|nutze|habe)$/;

export const isValueOfName = (items: Items): boolean =>
  items.some((_, at) => {
    const name = nameAt(items, at);
    return name !== null && isEndOfPhrase(items, name.end) && hasValueBefore(items, at, name);
  });

const isEndOfPhrase = (items: Items, at: number): boolean => {
  const item = items[at];
  return item === undefined || isClauseEnd(item) || AFTER.has(item.said) || item.isMark;
};

function hasValueBefore(items: Items, at: number, name: Name): boolean {
  for (let index = at - 1; index >= Math.max(1, at - MOST_BETWEEN); index -= 1) {
    const item = items[index];
    if (item === undefined || isClauseEnd(item)) return false;
    if (!LINKS.has(item.said)) continue;
    const between = items.slice(index + 1, at);
    const isOwned = between.some(({ said }) => OWNERS.has(said));
    const isAs = /^(?:as|als)$/.test(item.said);
    if (!isOwned && !isAs) return false;
    return isValue(items, index, { name, isAs });
  }
  return false;
}

interface Link {
  readonly name: Name;
  readonly isAs: boolean;
}
/** Before the link at `at`: what looks like a value, or the one word that is. */
function isValue(items: Items, at: number, { name, isAs }: Link): boolean {
  // `Tiger99! is …`
  let last = at - 1;
  while (last > 0 && items[last]?.isMark && /^[!"?]$/.test(items[last]?.text ?? '')) last -= 1;
  const kind = name.kind === 'pair' ? 'credentials' : name.kind;
  const isFor = /^(?:for|für)$/.test(items[at]?.said ?? '');
  for (let start = last; start > last - 4 && start >= 0; start -= 1)
    if (isStrong({ items, kind }, start, { isAlone: isFor })) return start === last || !isFor;
  if (isPointed(items, at) && (name.kind === 'word' || name.kind === 'phrase')) return true;
  const word = items[last];
  if (kind !== 'word' || isFor || word === undefined || word.isMark) return false;
  if (isOrdinary(word.said) || word.text.length < 3 || /s$/.test(word.said)) return false;
  const before = items[last - 1];
  return isAs ? USES.test(before?.said ?? '') : isClauseEnd(before) && !isEmptySubject(word.said);
}
/** `My dog is Rex and that is my password` */
const isPointed = (items: Items, at: number): boolean =>
  /^(?:that|which)$/.test(items[at - 1]?.said ?? '') && at > MOST_POINTED;
const MOST_POINTED = 3;
const isEmptySubject = (said: string): boolean => /^(?:what|that|this|it|was|das|dies)$/.test(said);
