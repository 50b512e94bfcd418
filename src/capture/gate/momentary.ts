/**
 * What is said to somebody for the moment: feelings, thanks, comfort, a liking for what is at hand,
 * and statements that only those who were there can read. True, and nothing to remember.
 */
import { beginning, begins, dropWords, has, hasAny, type Sentence } from '../sentences/sentence.ts';

type Words = Pick<Sentence, 'plain' | 'words'>;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const MODIFIERS = set(
  'so really super truly very quite pretty just always still also all totally completely absolutely definitely incredibly extremely feeling feel getting such too even a bit little kinda kind sort of more now already',
);
const FEELINGS = set(
  'excited happy sad glad proud thankful grateful nervous scared afraid anxious worried stressed tired exhausted thrilled stoked pumped amazed overwhelmed curious lucky blessed honored honoured relieved bummed upset sorry busy hungry bored ready sure impressed inspired motivated determined confident hopeful optimistic delighted ecstatic psyched eager jealous touched surprised shocked disappointed frustrated annoyed confused lonely fine good great okay ok well better awe love tears heaven down torn over here there back done down stuck lost glued hooked speechless positive certain able free open willing encouraging inspiring supportive amazing awesome incredible wonderful fantastic',
);
/** `afraid of spiders`, `good at chess` last. */
const LASTING_AFTER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    afraid: 'of',
    scared: 'of',
    good: 'at',
    better: 'at',
    great: 'at',
    open: 'about',
  }),
);

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
    if (verb >= 0) at = words[verb + 2] === 'been' ? verb + 3 : verb + 2;
  }
  if (at < 0) return false;
  while (MODIFIERS.has(words[at] ?? '') || words[at] === 'in') at += 1;
  const feeling = words[at] ?? '';
  if (!FEELINGS.has(feeling)) return false;
  const after = LASTING_AFTER.get(feeling);
  return after === undefined || after !== words[at + 1];
}
const COPULAS = set('is are was were has have feels feel felt looks look seems seem');

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
  'let me know',
  'keeping busy',
  'working hard',
  'worked hard',
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
  'beach sea ocean mountains mountain outdoors city countryside country woods forest snow rain sun heat cold summer winter spring autumn fall morning mornings evening evenings night weekend holidays theatre theater cinema opera gym library park piano guitar violin drums smell sound taste feeling sensation quiet silence window aisle internet news wilderness desert water lake river moon stars sky',
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
  return !ONLY_ONES.has(second === 'great' ? third : second);
}

const POINTING = set('it them him he she they here there');
/** Before a thing they point at it; `this week` points at the day of the turn, which is known. */
const POINTERS = set('this that these those');
const TIMES = set(
  'week weekend month year summer winter spring autumn fall morning afternoon evening season semester time day monday tuesday wednesday thursday friday saturday sunday coming past',
);
/** What follows is said of what stands before. */
const NEW_CLAUSE = set(
  'and but or so because since when while if where which who although though until unless after before than how why what whether as',
);
const SMALL = set(
  'to of in on at for with from by about into over through out up off like all i we my our you not just really also still even love like enjoy hate want do did does have has had am are is was were been be',
);

/** A thing that is shown while it is said. */
const SHOWN =
  /\b(?:this|these|those) (?!week|weekend|month|year|time|one)\p{Ll}+ (?:is|are|was|were)\b/iu;

/** The person named first is who `he` and `her` mean. */
const KIN_STARTS = ['my', 'our'];

/**
 * Points, in its first clause, at something that only those who were there can see: `I love that
 * picture`, `I'm a fan of it`. What a later clause points at, the first one has named.
 */
export function isPointing(sentence: Pick<Sentence, 'text' | 'words'>, start: number): boolean {
  const clause = /^[^,;:.!?()–—]*(?: - )?/.exec(sentence.text)?.[0].split(' - ')[0] ?? '';
  const count = clause.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const words = sentence.words.slice(0, Math.max(count, start + 1));
  const [last = '', beforeLast = ''] = [sentence.words.at(-1), sentence.words.at(-2)];
  // Whatever clause it stands in: `and this series is one of my favorites`.
  if (SHOWN.test(sentence.text)) return true;
  // `in places like that`, `books that take me there`
  if (last === 'there' || last === 'here' || (POINTERS.has(last) && beforeLast === 'like'))
    return true;
  for (const [index, word] of words.entries()) {
    if (index < start) continue;
    const next = words[index + 1] ?? '';
    if (index > start + 1 && NEW_CLAUSE.has(word)) return false;
    if (POINTERS.has(word) && !TIMES.has(next)) {
      const before = words[index - 1] ?? '';
      // `books that I read` and `I learned that …` point at nothing.
      if (word === 'that' && next !== '' && !SMALL.has(before)) return false;
      return true;
    }
    if (POINTING.has(word) && !KIN_STARTS.includes(words[0] ?? '')) return true;
    if ((word === 'it' || word === 'there' || word === 'here') && index > start) return true;
  }
  return false;
}

const NO_VERB = set(
  'here there around ready up down glad happy good great nice fun proud so too a an the my your in on at for with worth been had heard seen gonna going thought knew felt loved wanted liked dreamed dreamt enjoyed hoped looking trying learning amazing inspiring awesome wonderful lovely open excited nervous down easy hard tough able grateful thankful better more enough interesting exciting refreshing saw went said told did got made took gave came ran met found',
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
const EPISTEMIC = set(
  "be have 've feel seem look mean take require love really enjoy miss know think want like hate still",
);

/** In the form of an order, and none: `must be nice`, `always here to help`, `never give up`. */
export function isNoOrder(sentence: Sentence): boolean {
  const [first = '', second = ''] = sentence.words;
  if (first === 'must') return EPISTEMIC.has(second) || has(sentence, 'must not be');
  if (second === 'must') return EPISTEMIC.has(sentence.words[2] ?? '');
  const order = beginning(sentence, ORDERS);
  if (order === null) return false;
  const rest = dropWords(sentence, order.split(' ').length);
  const [verb = ''] = rest.words;
  return NO_VERB.has(verb) || /(?:ing|ed)$/.test(verb) || begins(rest, ENCOURAGING);
}

/** `Our kids are our future`: praise. */
const PRAISE =
  / (?:is|are) (?:my|our) (?:future|world|everything|life|joy|pride|rock|hope|happiness|treasure|legacy|priority|strength|inspiration) /;
/** `I don't have a recipe`: only of what one has for long is it a state that one has none. */
const HAS_NONE =
  /^ (?:so |but |and |because |well )*(?:i|we) (?:don't|do not) have (?:a|an|any|the) (?!(?:[a-z]+ )?(?:car|cars|bike|kids?|children|pets?|dogs?|cats?|siblings?|brothers?|sisters?|licen[cs]e|allerg[a-z]+|job|tv|phone|smartphone|garden|partner|girlfriend|boyfriend|wife|husband|degree|passport|visa|mortgage|debts?|insurance|internet|printer|oven|dishwasher|freezer|balcony|yard|garage|desk|office|boss|manager|budget|deadline|family|religion|middle) )/;
export const isNothing = ({ plain }: Pick<Sentence, 'plain'>): boolean =>
  PRAISE.test(plain) || HAS_NONE.test(plain);
