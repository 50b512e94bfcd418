/**
 * Recovery phrases of wallets: 12 to 24 words of the list of BIP 39, which has words of 3 to 8
 * letters in lower case and few that hold a sentence together.
 */
import { type Items, wordSet } from './items.ts';

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
  const isAll = run.length >= items.filter(({ isMark }) => !isMark).length;
  return isAll && run.length % 3 === 0 && run.length >= WHOLE && run.length <= 24 && run.isPlain;
}

interface Run {
  readonly start: number;
  readonly length: number;
  /** No marks or numbers between the words. */
  readonly isPlain: boolean;
}

function longestRun(items: Items): Run {
  let best: Run = { start: 0, length: 0, isPlain: true };
  let run = best;
  for (const [at, item] of items.entries()) {
    if (isListed(item.text) && !NOT_LISTED.has(item.said)) {
      run =
        run.length === 0
          ? { start: at, length: 1, isPlain: true }
          : { ...run, length: run.length + 1 };
      if (run.length > best.length) best = run;
    } else if (/^(?:,|\.|\d{1,2})$/.test(item.text)) run = { ...run, isPlain: false };
    else run = { start: 0, length: 0, isPlain: true };
  }
  return best;
}
const isListed = (text: string): boolean => /^[a-z]{3,8}$/.test(text);

/** `written down and kept somewhere safe with mum` is none. */
const SAID_OF =
  /^(?:written|stored|kept|saved|hidden|locked|safe|lost|now|only|still|somewhere|split|engraved|long|with|that|made|this)$/;
const isOfList = (items: Items, { start, length }: Run): boolean =>
  !items.slice(start, start + length).some(({ said }) => SAID_OF.test(said));
