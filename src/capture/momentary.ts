/**
 * What is said to somebody for the moment: feelings, thanks, comfort, a liking for what is at hand,
 * and statements that only those who were there can read. True, and nothing to remember.
 */
import { beginning, begins, dropWords, has, hasAny, type Sentence } from './sentence.ts';

type Words = Pick<Sentence, 'plain' | 'words'>;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const MODIFIERS = set(
  'so really super truly very quite pretty just always still also all totally completely absolutely definitely incredibly extremely feeling such too even a bit little kinda kind sort of more now already',
);
const FEELINGS = set(
  'excited happy sad glad proud thankful grateful nervous scared afraid anxious worried stressed tired exhausted thrilled stoked pumped amazed overwhelmed curious lucky blessed honored honoured relieved bummed upset sorry busy hungry bored ready sure impressed inspired motivated determined confident hopeful optimistic delighted ecstatic psyched eager jealous touched surprised shocked disappointed frustrated annoyed confused lonely fine good great okay ok well better awe love tears heaven down torn over here there back done down stuck lost glued hooked speechless positive certain able free open willing',
);
/** `afraid of spiders`, `good at chess` last. */
const LASTING_AFTER: Readonly<Record<string, string>> = {
  afraid: 'of',
  scared: 'of',
  good: 'at',
  better: 'at',
  great: 'at',
  open: 'about',
};

/** How the speaker, or what is theirs, feels: `I'm so excited`, `my kids are in awe`. */
export function isFeeling({ words }: Words): boolean {
  const [first = '', second = ''] = words;
  let at = -1;
  if (first === "i'm" || first === "we're") at = 1;
  else if ((first === 'i' || first === 'we') && (second === 'am' || second === 'are')) at = 2;
  else if ((first === 'i' || first === 'we') && (second === 'feel' || second === 'felt'))
    return true;
  else if (first === "i've" && second === 'been') at = 2;
  else if (first === 'i' && second === 'have' && words[2] === 'been') at = 3;
  else if (first === 'my' || first === 'our') {
    const verb = words.slice(1, 6).findIndex((word) => COPULAS.has(word));
    if (verb >= 0) at = verb + 2;
  }
  if (at < 0) return false;
  while (MODIFIERS.has(words[at] ?? '') || words[at] === 'in') at += 1;
  const feeling = words[at] ?? '';
  if (!FEELINGS.has(feeling)) return false;
  return LASTING_AFTER[feeling] === undefined || LASTING_AFTER[feeling] !== words[at + 1];
}
const COPULAS = set('is are was were feels feel felt looks look seems seem');

/** Comfort, thanks and praise: said to somebody, of nothing. */
const COMFORT = [
  'here for you',
  'there for you',
  'proud of you',
  'happy for you',
  'rooting for you',
  'by your side',
  'got your back',
  'have your back',
  'mean the world',
  'means the world',
  'mean so much',
  'means so much',
  'mean a lot',
  'means a lot',
  'mean everything',
  'means everything',
  'worth it',
  'my rock',
  'my rocks',
  'my everything',
  'keep going',
  'never give up',
  'give up on',
  'gonna make it',
  'make it happen',
  'going for it',
  'fingers crossed',
  'meant to be',
  'give it my all',
  'give it my best',
  'do my best',
  'my dreams',
  'your dreams',
  'our dreams',
];
export const isComfort = (sentence: Words): boolean => hasAny(sentence, COMFORT);

const ADDRESSED = set("you your yours yourself you're you've you'll you'd u ur");
/** What the speaker wants of who listens is theirs to remember. */
const WANTED = [
  'i want you',
  "i don't want you",
  'i need you',
  "i'd like you",
  'i prefer',
  "i'd prefer",
  "i'd rather",
  "i don't like when you",
  "i don't like it when you",
  'i like when you',
  'i like it when you',
  'i hate when you',
  'i hate it when you',
  'call me',
  'address me',
  'we prefer',
  'our convention',
];
const ASIDES = ['as you know', 'you know', 'you see', 'thank you', 'if you ask me', 'mind you'];

/** Speaks of who listens: a week later nobody knows who `you` was. */
export function isAddressed(sentence: Words): boolean {
  if (begins(sentence, WANTED)) return false;
  let { plain } = sentence;
  for (const aside of ASIDES) plain = plain.replaceAll(` ${aside} `, ' ');
  return plain.split(' ').some((word) => ADDRESSED.has(word));
}

const LIKINGS = [
  'i like',
  'i love',
  'i enjoy',
  'i adore',
  'i hate',
  'i dislike',
  "i don't like",
  'i like to',
  'i love to',
  'i really like',
  'i really love',
  'i really enjoy',
  "i'm a fan of",
  "i'm into",
  'we like',
  'we love',
  'we enjoy',
  'we love to',
  'we like to',
  "i've loved",
  "i've enjoyed",
  "i'm obsessed with",
];
const AT_HAND = set('that this these those it them how when where what your his her their seeing');
/** There is one of each, whoever speaks: `the sea` needs no one to point at it. */
const ONLY_ONES = set(
  'beach sea ocean mountains mountain outdoors city countryside country woods forest snow rain sun heat cold summer winter spring autumn fall morning mornings evening evenings night weekend holidays theatre theater cinema opera gym library park piano guitar violin drums smell sound taste feeling sensation quiet silence dark window aisle way internet news wilderness desert water lake river moon stars sky',
);

/** A liking for what both look at: `I love the colours`, `I love how it turned out`. */
export function isLikingAtHand(sentence: Words): boolean {
  const liking = beginning(sentence, LIKINGS);
  if (liking === null) return false;
  const [first = '', second = '', third = ''] = sentence.words.slice(liking.split(' ').length);
  if (first === '' || (first === 'to' && second === '')) return true;
  if (AT_HAND.has(first)) return true;
  if (first === 'all') return second === 'the' || AT_HAND.has(second);
  if (first !== 'the') return false;
  return !ONLY_ONES.has(second) && !ONLY_ONES.has(third);
}

const POINTING = set('it them this that these those there here they he she him her one ones');
/** `this week` points at the day of the turn, which is known. */
const TIMES = set(
  'week weekend month year summer winter spring autumn fall morning afternoon evening season semester time monday tuesday wednesday thursday friday saturday sunday',
);
const EMPTY = set(
  'i we a an the my our to of in on at for with from by about as into out up down over off and or but so do did doing done get got getting have had having been be am are is was were go going went gone make made making really just also still always even never ever not no all some any both such too lot lots more most many much time times still now then again back own new first finally recently been',
);

/**
 * Points at something before it has named anything: `I'm learning with them`. After a thing with a
 * name, `it` is that thing.
 */
export function isPointing(sentence: Pick<Sentence, 'text' | 'words'>, start: number): boolean {
  const words = sentence.words.slice(start, start + 8);
  // The first of them is the verb, which names nothing.
  let named = -1;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? '';
    if (POINTING.has(word)) {
      if (TIMES.has(next)) continue;
      // `that I grew up in Rome` states; `that picture` points.
      if (word === 'that' && index > 0 && CLAUSE_STARTS.has(next)) return false;
      return named <= 0;
    }
    if (!EMPTY.has(word)) named += 1;
  }
  return false;
}
const CLAUSE_STARTS = set(
  "i i'm my we we're our the a an it's there's he she they is are was were has can",
);

const NO_VERB = set(
  'here there around ready up down glad happy good great nice fun proud so too a an the my your in on at for with worth been had heard seen gonna going thought knew felt loved wanted liked dreamed dreamt enjoyed hoped looking trying learning amazing inspiring awesome wonderful lovely open excited nervous down easy hard tough able grateful thankful better more enough interesting great exciting refreshing',
);
const ENCOURAGING = [
  'give up',
  'forget how',
  'forget that',
  'forget to',
  'forget your',
  'forget you',
  'forget who',
  'lose',
  'let anyone',
  'let anything',
  'let it',
  'let them',
  'let fear',
  'let go',
  'stop',
  'underestimate',
  'be afraid',
  'be scared',
  'be too',
  'be so',
  'be shy',
  'be hard',
  'hesitate',
  'doubt',
  'worry',
  'quit',
  'settle',
  'sweat',
  'beat yourself',
  'feel',
  'hold back',
  'fear',
  'believe',
  'trust',
  'follow your',
  'stay',
  'remember',
  'look forward',
  'love',
  'mind',
  'know',
  'take it for granted',
  'take anything for granted',
  'wish',
  'want',
  'have',
  'get to',
  'say never',
];
const ORDERS = ['never', 'always', "don't ever", 'do not ever', "don't", 'do not', 'stop', 'avoid'];
const EPISTEMIC = ['be', 'have', "'ve", 'feel', 'seem', 'look', 'mean', 'take', 'require'];

/** In the form of an order, and none: `must be nice`, `always here to help`, `never give up`. */
export function isNoOrder(sentence: Sentence): boolean {
  const [first = '', second = ''] = sentence.words;
  if (first === 'must')
    return EPISTEMIC.includes(second) || (second === 'not' && has(sentence, 'must not be'));
  const order = beginning(sentence, ORDERS);
  if (order === null) return false;
  const rest = dropWords(sentence, order.split(' ').length);
  return NO_VERB.has(rest.words[0] ?? '') || begins(rest, ENCOURAGING);
}
