/**
 * Recovery phrases of wallets: 12 to 24 words of the list of BIP 39, which has words of 3 to 8
 * letters in lower case and few that hold a sentence together.
 */
import { type Item, type Items, wordSet } from './items.ts';
import { isClosed } from './ordinary-words.ts';

const NAMES =
  /\b(?:seed|recovery|backup|mnemonic|wallet|secret|wiederherstellungs)[ -]?(?:phrase|words|wörter)\b|\b(?:seed|mnemonic)\b|\bwiederherstellungs(?:phrase|wörter)\b/;
/** They are not in the list. */
const NOT_LISTED = wordSet(
  'the and for are was were has had his her its our not but from been they them their than also who how why whose these those does did would could should which about-to die der das und ist mit von für den dem nicht ein eine ich wir auf aus bei nach los las una que con por les des est une dans',
);
const WHOLE = 12;
/** With a name before it, half of a phrase is one. */
const HALF = 6;

export function hasSeedPhrase(items: Items): boolean {
  const run = longestRun(items);
  if (run.length < HALF) return false;
  const before = items
    .slice(Math.max(0, run.start - 12), run.start + 3)
    .map(({ said }) => said)
    .join(' ');
  const isNamed = NAMES.test(before);
  if (isNamed) return run.length >= WHOLE || isOfList(items, run);
  if (run.length < WHOLE || !isOfNoSentence(items, run)) return false;
  return run.isPlain || isLengthOfPhrase(listedIn(items, run));
}

const isLengthOfPhrase = (count: number): boolean =>
  count >= WHOLE && count <= 24 && count % 3 === 0;
/** Words with a mark or a number between them: `ledger holds witch, collapse` has two. */
const listedIn = (items: Items, { start, end }: Run): number =>
  1 +
  items.slice(start, end - 1).filter((item, at) => isGap(item) && !isGap(items[start + at + 1]))
    .length;
const isGap = (item: Item | undefined): boolean => item !== undefined && GAP.test(item.text);
const GAP = /^(?:,|\.|\d{1,2})$/;

/** The list has few words that hold a sentence together, and few that are inflected. */
function isOfNoSentence(items: Items, { start, end, length }: Run): boolean {
  const words = items.slice(start, end).filter(({ isMark }) => !isMark);
  const others = words.filter(
    ({ said }) => isClosed(said) || /(?:[^su]s|ed|ing|ly)$/.test(said),
  ).length;
  return others <= length * MOST_OTHERS;
}
/** Of the list one in 16 is such, of LoCoMo's words of that shape two in five. */
const MOST_OTHERS = 1 / 4;

interface Run {
  readonly start: number;
  /** The item after its last word. */
  readonly end: number;
  /** In words: marks and numbers between them do not count. */
  readonly length: number;
  /** No marks or numbers between the words. */
  readonly isPlain: boolean;
}

const NONE: Run = { start: 0, end: 0, length: 0, isPlain: true };

function longestRun(items: Items): Run {
  let best: Run = NONE;
  let run = best;
  for (const [at, item] of items.entries()) {
    if (isListed(item.text) && !NOT_LISTED.has(item.said)) {
      run =
        run.length === 0
          ? { start: at, end: at + 1, length: 1, isPlain: true }
          : { ...run, end: at + 1, length: run.length + 1 };
      if (run.length > best.length) best = run;
    } else if (isGap(item)) run = { ...run, isPlain: false };
    else run = NONE;
  }
  return best;
}
const isListed = (text: string): boolean => /^[a-z]{3,8}$/.test(text);

/** `written down and kept somewhere safe with mum` is none. */
const SAID_OF =
  /^(?:written|stored|kept|saved|hidden|locked|safe|lost|now|only|still|somewhere|split|engraved|long|with|that|made|this)$/;
const isOfList = (items: Items, { start, length }: Run): boolean =>
  !items.slice(start, start + length).some(({ said }) => SAID_OF.test(said));
