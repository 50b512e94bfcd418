/**
 * What people say of themselves in a chat without a subject: `vegan btw`, `allergic to cats lol`,
 * `also deaf in one ear`. Read as if it began with `I'm`.
 */
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';

/** Follows the statement, and is no part of it. */
const TAIL =
  /(?:[,;]| [-–—])? (?:btw|fyi|fwiw|ftr|tbh|lol|lmao|haha|hehe|imo|just fyi|by the way|just so (?:you|u) know|for the record|here|though|tho|sorry|thanks|thank (?:you|u)|thx|ta|cheers|if that helps)[.!)]*$/iu;
const HEAD = /^(?:(?:also|still|btw|fyi|just|oh|and|fwiw),? )+/i;

const FOODS =
  'meat|pork|beef|fish|seafood|shellfish|dairy|milk|eggs?|nuts?|peanuts?|gluten|wheat|bread|alcohol|caffeine|coffee|sugar|soy|onions?|garlic|mushrooms?|spicy food|red meat|lactose|cheese';
const CONDITIONS =
  'vegan|vegetarian|veggie|pescatarian|coeliac|celiac|(?:lactose|gluten) intolerant|(?:gluten|dairy|lactose|nut|sugar)[- ]free|(?:type (?:1|2|one|two) )?diabetic|asthmatic|epileptic|colou?r[- ]?blind|(?:left|right)[- ]handed|dyslexic|autistic|pregnant|expecting|hard of hearing|deaf|blind|non-?binary|neurodivergent|teetotal|introvert|extrovert|night owl|morning person|early bird|only child|single (?:mum|mom|dad|parent|mother|father)';
const NOUNS = /^(?:introvert|extrovert|only child)$/i;
const A_NOUN =
  /^(?:night owl|morning person|early bird|single (?:mum|mom|dad|parent|mother|father))$/i;
/** After it the statement ends, goes on with what is of it, or with what follows from it. */
const REST =
  '(?: (?:in (?:one|my|the|both) .{2,20}|of (?:two|three|four|five|\\d)|since .{2,30}|due (?:in )?.{2,20}|and .{2,40}))?(?:,? so .{3,60})?[.!]*$';
const CONDITION = new RegExp(`^(not (?:an? )?)?(?:an? )?(${CONDITIONS})${REST}`, 'iu');
const ALLERGIC = /^(?:(?:very|super|really|severely|mildly) )?allergic to [\p{L} -]{3,40}[.!]*$/iu;
const CANNOT = new RegExp(
  `^(?:can(?:['’]?t|not)|don['’]?t|do not) (?:have|eat|drink|do|touch) (?:any )?(?:${FOODS})\\b`,
  'iu',
);
const NONE_FOR_ME = new RegExp(`^no (?:${FOODS}) for me[.!]*$`, 'iu');

/** `I'm pregnant`, `we're expecting`, `I retired`: two words that say enough. */
const SHORT = new RegExp(
  `^(?:i retired|(?:i['’]?m|i am) (?:retired|unemployed)|(?:i['’]?m|i am|we['’]re|we are) (?:${CONDITIONS}))[.!]*$`,
  'iu',
);
export const isOfSelf = ({ text }: Pick<Sentence, 'text'>): boolean =>
  SHORT.test(text) || NONE_FOR_ME.test(text);

const NUMBER =
  '(?:[1-9]\\d|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?';
/** `Turned 38 last week`, but not `turned 38 pages`. */
const TURNED = new RegExp(
  `^(?:just |finally |recently )?turned ${NUMBER}(?: (?:yesterday|today|recently|last|this|on|in|two|three|a) ?[\\p{L}\\d ,-]{0,30})?[.!]*$`,
  'iu',
);
/** What follows is an object that anybody can read: `love spicy food`, not `love it`. */
const LIKES =
  /^(?:really |also |absolutely )?(?:love|hate|adore|dislike|prefer) (?!(?:it|that|this|these|those|them|him|her|u|ur|you|your|yours|me|us|all|how|when|what|where|why|who|to|from|and|or|of|at|in|on|for|is|was|hearing|seeing|the (?:way|idea|look|sound|new|photo|pic|colou?rs?|picture|design)|my|our|his|their|its|too|so)\b)[\p{L}][\p{L}'’ -]{2,50}[.!]*$/iu;
/** `Love songs are great`: there it is a noun, and so is `hate speech`. */
const AS_NOUN =
  /\b(?:is|are|was|were|isn['’]t|aren['’]t|has|have|can|will|makes?|you|your|u|ur)\b|^(?:love|hate) (?:story|stories|letters?|life|affairs?|handles|triangle|birds?|speech|crimes?|mail|island)\b/i;
/** A person opens a turn with what they do, and leaves themselves out. */
const isWithoutI = (text: string): boolean =>
  TURNED.test(text) || (LIKES.test(text) && !AS_NOUN.test(text)) || DID.test(text);

/** `Moved to Rome on the 2nd`, `picked up a whippet`, but not `got it` and `left out a word`. */
const DID =
  /^(?:just |finally |recently |also )?(?:(?:moved|relocated|switched|changed|transferred|upgraded|downgraded) (?:back )?(?:to|into|out of|over to|from|jobs?|teams?|schools?|banks?|doctors?|gyms?)|(?:picked up|bought|adopted|got|sold|scrapped|quit|joined|started|left(?! (?:an?|my|the|some) )|cancell?ed|ditched|gave up|packed in|took up|signed up for|enrolled (?:in|at)|retired from|graduated from)) (?!(?:it|that|this|these|those|them|him|her|here|there|with|on|at|in|to|from|off|out|up|so|too|very|you|u|your|the (?:same|error|message|email|point|idea|joke))(?![\p{L}]))[\p{L}\d].{2,70}$/iu;
/** `Been low carb since new year`. */
const BEEN =
  /^(?:just )?been (?!(?:there|here|that|this|thinking|wondering|trying|meaning)\b).{2,50} (?:since(?! (?:yesterday|this|last night|(?:mon|tues|wednes|thurs|fri|satur|sun)day))|for) .{2,30}$/iu;
/** `Self-employed since the 1st`. */
const SINCE =
  /^(?:now |happily )?(?:self[- ]employed|unemployed|freelance|freelancing|single|married|divorced|widowed|retired|sober|engaged) (?:now )?since .{2,30}$/iu;

/**
 * With its subject and without its tail; the same where it is no such statement. `isAnswer`: what
 * was asked may have been about somebody else.
 */
export function withSelf(sentence: Sentence, isAnswer = false): Sentence {
  const whole = sentence.text.slice(0, MOST_CHARS + 1);
  if (isAnswer || whole.length > MOST_CHARS || whole.includes('?')) return sentence;
  const hasTail = TAIL.test(whole);
  const bare = whole.replace(TAIL, '').replace(TAIL, '');
  const text = bare.replace(HEAD, '');
  const isMarked = hasTail || text !== bare;
  const said = stated(text, {
    isMarked: isMarked || text.includes(',') || text.includes(' '),
    // Behind another sentence it may go on with whom that one is of.
    isOpening: sentence.start === 0,
  });
  if (said !== null) return sentenceOf(said, sentence.start);
  const isTail = hasTail && !PLACE.test(whole);
  return isTail && OWN.test(bare) ? sentenceOf(bare, sentence.start) : sentence;
}
const MOST_CHARS = 120;
/** `My sister was here` says where, and `vegan here` who. */
const PLACE = / here[.!)]*$/i;
/** Of those alone the tail is no part: `nice shoes btw` stays what it is. */
const OWN = /^(?:i|i['’]m|im|i['’]ve|my|we|we['’]re|our|call me|(?:our|my) [\p{L}'-]+)\b/iu;

function stated(
  text: string,
  { isMarked, isOpening }: { readonly isMarked: boolean; readonly isOpening: boolean },
): string | null {
  const found = CONDITION.exec(text);
  if (found && isMarked) {
    const [, not = '', condition = ''] = found;
    const at = text.toLowerCase().indexOf(condition.toLowerCase());
    const article = NOUNS.test(condition) ? 'an ' : A_NOUN.test(condition) ? 'a ' : '';
    return `I'm ${not === '' ? '' : 'not '}${article}${text.charAt(at).toLowerCase()}${text.slice(at + 1)}`;
  }
  const small = text.charAt(0).toLowerCase() + text.slice(1);
  if (isOpening && isWithoutI(text)) return `I ${small}`;
  if (isOpening && BEEN.test(text)) return `I've ${small}`;
  if (isOpening && SINCE.test(text)) return `I'm ${small}`;
  if (ALLERGIC.test(text)) return `I'm ${small}`;
  return CANNOT.test(text) ? `I ${small}` : null;
}
