/** A sentence that corrects itself at its end: `I live in Rome, sorry, Turin.` English. */

const MARK =
  /(?:,| [-–—]) (sorry|oops|no wait|wait no|wait|correction|scratch that|no|i mean|i meant)(?:[,:] | [-–—] | (?<=i mean |i meant ))/giu;
/** Of a word in small letters these are no sign: `I can't come, sorry, boss`. */
const POLITE = /^(?:sorry|oops)$/iu;
const MOST_VALUE_WORDS = 3;
const LEAST_WORDS = 2;
/** A longer one says more. */
const MOST_UNITS = 240;

/** `That's not true, I don't have a dog`: it was not so before either. */
export const isUntrue = ({ text }: { readonly text: string }): boolean => UNTRUE.test(text);
const UNTRUE =
  /^(?:no,? )?that(?:(?:['’]s| is) not (?:true|right|correct)| isn['’]t (?:true|right|correct)|(?:['’]s| is) (?:false|wrong|incorrect|untrue))[,.:;!]? (?!.*\b(?:any ?more|any longer|no longer|now)\b)/iu;

const COUNT = '(\\d{1,3}|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const NOT_SO_MANY = new RegExp(
  `^(I|we) (?:don['’]?t|do not) (have|own|keep) ${COUNT} (\\p{L}[\\p{L} -]{1,30}?),? (?:but )?(?:I|we)(?:['’]ve)? (?:only |just )?(?:\\2|got) ${COUNT}(?: \\4)?[.!]*$`,
  'iu',
);
const NOT_SO_OLD =
  /^(I['’]?m|I am|we['’]?re|we are) not (\d{1,3}),? (?:but )?(?:(?:I['’]?m|I am|we['’]?re|we are) )?(\d{1,3})[.!]*$/iu;

/** `I don't have three kids, I have two` is `I have two kids, not three`. */
function countedInstead(text: string): string | null {
  const [, who, verb, was, what, is] = NOT_SO_MANY.exec(text) ?? [];
  if (who !== undefined) return `${who} ${verb} ${is} ${what}, not ${was}`;
  const [, am, not, now] = NOT_SO_OLD.exec(text) ?? [];
  return am === undefined ? null : `${am} ${now}, not ${not}`;
}

const NEVER_SO =
  /^(?:I|we) (?:have |['’]ve )?never (?:actually |really )?(?:lived in|worked (?:at|for)|studied at|trained at|banked with|drove|rode|owned) (?:an? |the )?(\p{Lu}[^,;.!]{1,30}|\d[^,;.!]{0,15}), (?:it|that) (?:was|is|has been) (?:always )?(?:(?:in|at|for|on|with) )?(?:an? |the )?(\p{Lu}[^,;.!]{1,30}|\d[^,;.!]{0,15})[.!]*$/u;
/** `I never lived in Rome, it was Turin` is `Turin, not Rome`: what is known tells of what. */
function neverSo(text: string): string | null {
  const [, was, is] = NEVER_SO.exec(text) ?? [];
  return was === undefined ? null : `${is}, not ${was}`;
}

/** With what was meant in the place of what it is like; null = it corrects nothing. */
export function correctedSentence(text: string): string | null {
  if (text.length > MOST_UNITS || text.includes('?')) return null;
  const counted = countedInstead(text) ?? neverSo(text);
  if (counted !== null) return counted;
  const found = [...text.matchAll(MARK)].at(-1);
  if (found === undefined) return null;
  const [whole, mark = ''] = found;
  const meant = wordsIn(text.slice(found.index + whole.length).replace(/[.!]{1,5}$/u, ''));
  const before = wordsIn(text.slice(0, found.index));
  const was = before.slice(-meant.length);
  const isShort = meant.length > 0 && meant.length <= MOST_VALUE_WORDS;
  if (!isShort || before.length < LEAST_WORDS + meant.length) return null;
  const isLike = meant.every((word, at) => {
    const kind = kindOf(word);
    return kind === kindOf(was[at] ?? '') && (kind !== 'small' || isMeantWord(meant, mark));
  });
  return isLike ? [...before.slice(0, -meant.length), ...meant].join(' ') : null;
}

const wordsIn = (text: string): readonly string[] =>
  text.split(/\s+/u).filter((word) => word !== '');
const isMeantWord = (meant: readonly string[], mark: string): boolean =>
  meant.length === 1 &&
  !POLITE.test(mark) &&
  !/^(?:thanks|please|really|never|not|yes|no)$/iu.test(meant[0] ?? '');

function kindOf(word: string): 'number' | 'name' | 'small' {
  if (/\d/u.test(word)) return 'number';
  return /^\p{Lu}/u.test(word) ? 'name' : 'small';
}
