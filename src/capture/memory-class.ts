/** Which kind of memory a sentence is that no rule declined. */
import type { MemoryClass } from '../model/capture.ts';
import * as rules from './gate-rules.ts';
import { beginning, begins, hasAny, type Sentence } from './sentence.ts';

/** The class of what is kept; null = it claims nothing that lasts. */
export function classOf(sentence: Sentence): Exclude<MemoryClass, 'typed'> | null {
  if (isState(sentence)) return 'state';
  if (isCheck(sentence)) return 'rule';
  if (isRecipe(sentence)) return 'procedure';
  if (isLookup(sentence)) return 'lookup';
  if (begins(sentence, rules.TASK_STARTS)) return null;
  const bare = withoutAdverbs(sentence);
  if (begins(bare, rules.PREFERENCES) && !isAboutNow(bare)) return 'preference';
  if ((begins(bare, rules.PERSONAL) || isNamed(bare) || isStanding(bare)) && !isPassing(bare))
    return 'fact';
  return isEvent(sentence) ? 'fact' : null;
}

const SPEAKERS: ReadonlySet<string> = new Set(['i', "i'm", "i've", 'we', "we're", 'my']);
const ADVERBS: ReadonlySet<string> = new Set(
  'really so totally super quite pretty also just still actually now very truly even kinda currently recently finally only'.split(
    ' ',
  ),
);

/** `i'm really into` is `i'm into`. */
function withoutAdverbs(sentence: Sentence): Pick<Sentence, 'plain' | 'words'> {
  const [first = '', ...rest] = sentence.words;
  if (!SPEAKERS.has(first)) return sentence;
  const verb = rest.findIndex((word) => !ADVERBS.has(word));
  const words = [first, ...rest.slice(Math.max(0, verb))];
  return { words, plain: ` ${words.join(' ')} ` };
}

/** `my cat's name is Pixel`, `our street is called Elm Row`. */
const isNamed = (sentence: Pick<Sentence, 'plain'>): boolean =>
  begins(sentence, ['my', 'our']) &&
  hasAny(sentence, ['name is', 'names are', 'is called', 'are called', 'is named']);

/** `I'm left handed`, `Tom is my brother`, `I swim every morning`. */
const isStanding = (sentence: Pick<Sentence, 'plain'>): boolean =>
  (begins(sentence, ["i'm", 'i am']) && hasAny(sentence, rules.STANDING)) ||
  hasAny(sentence, ['is my', 'are my', 'was my']) ||
  (begins(sentence, ['i', 'we']) && hasAny(sentence, rules.HABITS));

/** `ship date is 5 October` is no order to ship. */
const isStatement = ({ words }: Sentence): boolean =>
  words.slice(1, 5).some((word) => word === 'is' || word === 'are');

const isState = (sentence: Sentence): boolean =>
  /\bTTL:\s?\d{4}-\d{2}-\d{2}\b/.test(sentence.text) ||
  (hasAny(sentence, rules.STATE_WORDS) &&
    (!begins(sentence, rules.TASK_STARTS) || isStatement(sentence)) &&
    !begins(sentence, rules.CHECK_STARTS) &&
    !begins(sentence, rules.SMALL_TALK_STARTS) &&
    (hasVerb(sentence) || begins(sentence, AWAY)) &&
    hasTime(sentence));

const VERBS = [
  'is',
  'are',
  "i'm",
  "we're",
  "it's",
  "there's",
  'due',
  'will',
  'expires',
  'ends',
  'has',
  'have',
  'runs',
  'starts',
  'closes',
  'stays',
  'was',
  'by',
  'freeze',
  "he's",
  "she's",
  'am',
];
/** A state of the speaker, without a verb. */
const AWAY = [
  'on call',
  'away',
  'out of office',
  'off',
  'on vacation',
  'on holiday',
  'on leave',
  'staying',
  'travelling',
  'traveling',
  'back',
];
const hasVerb = (sentence: Sentence): boolean =>
  sentence.words.some((word) => VERBS.includes(word));

const TIME_WORDS: ReadonlySet<string> = new Set(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december tomorrow tonight week month quarter sprint year noon midnight eod christmas easter'.split(
    ' ',
  ),
);
const hasTime = (sentence: Sentence): boolean =>
  sentence.words.some(
    (word) => TIME_WORDS.has(word) || /^\d{1,2}(?:st|nd|rd|th)?$|^\d{4}$/.test(word),
  );

/** An imperative for all times; one for now is a task. */
const isCheck = (sentence: Sentence): boolean =>
  begins(sentence, rules.CHECK_STARTS) &&
  sentence.words.length >= 4 &&
  hasAny(sentence, rules.ALL_TIMES) &&
  !begins(sentence, [
    "don't worry",
    'do not worry',
    "don't forget to",
    'always happy',
    'always good',
    'always nice',
    'never mind',
    'always a',
    "don't you",
    'never been',
    'never had',
    'never heard',
    'never seen',
    'always been',
  ]);

/** `To deploy, first build the image, then push it.` */
const isRecipe = (sentence: Sentence): boolean =>
  begins(sentence, [
    'to',
    'in order to',
    'the steps',
    'the process',
    'the procedure',
    'our process',
    'the way to',
    'how to',
  ]) &&
  (hasAny(sentence, [
    'first',
    'then',
    'and then',
    'finally',
    'after that',
    'run',
    'use',
    'you have to',
    'you need to',
    'open',
    'is to',
  ]) ||
    sentence.text.includes('->')) &&
  sentence.words.length >= 6;

const LOOKUP_VALUE =
  /https?:\/\/|[\w.-]{2,80}@[\w-]{2,60}\.|[0-9a-f]{8}-[0-9a-f]{4}-|`[^`]{2,200}`|(?:^|\s)[~.]?\/[\w.-]{2,60}|(?:^|\s)[\w-]{1,60}\/[\w.-]{1,60}|#[a-z][\w-]{2,40}|\b[A-Z]{2,10}-\d{1,8}\b|\b\d{4,8}\b|\b[\w-]{1,60}\.(?:com|io|dev|internal|local|net|org|yaml|yml|json|ts|md|sh|toml)\b/;
/** An address beyond doubt: what is, or is in, such a one is looked up. */
const ADDRESS =
  /https?:\/\/|[0-9a-f]{8}-[0-9a-f]{4}-|(?:^|\s)[~.]?\/[\w.-]{2,60}|(?:^|\s)[\w-]{1,60}\/[\w.-]{1,60}|(?:^|\s)#[a-z][\w-]{2,40}|\b[\w-]{1,60}\.(?:com|io|dev|internal|local|net|org|yaml|yml|json|ts|md|sh|toml)\b/;
const LINKS = [
  'is',
  'are',
  'is in',
  'are in',
  'is at',
  'is on',
  'are at',
  'are on',
  'lives at',
  'lives in',
];
export const isLookup = (sentence: Sentence): boolean =>
  ((hasAny(sentence, rules.LOOKUPS) && LOOKUP_VALUE.test(sentence.text.slice(0, 2000))) ||
    (hasAny(sentence, LINKS) && ADDRESS.test(sentence.text.slice(0, 2000)))) &&
  !begins(sentence, rules.DOING) &&
  !begins(sentence, [
    'i',
    "i'm",
    'you',
    'it',
    "it's",
    'that',
    'this',
    'they',
    'he',
    'she',
    'there',
    'here',
    'what',
  ]);

/** A liking for what is at hand: gone with the moment. */
const isAboutNow = (sentence: Pick<Sentence, 'plain'>): boolean =>
  hasAny(sentence, rules.ABOUT_NOW);

/** `I have a question`, `I have been thinking`: true for a minute. */
const isPassing = (sentence: Pick<Sentence, 'plain'>): boolean => hasAny(sentence, rules.PASSING);

const EVENT_VERBS: ReadonlySet<string> = new Set(rules.EVENTS);
const PERSON_STARTS = [
  'i',
  "i've",
  'i have',
  "i'm",
  'we',
  "we've",
  'we have',
  "we're",
  'i just',
  'we just',
  'i also',
  'i finally',
  'i recently',
  'we recently',
  'we finally',
  'we also',
  "i'm also",
];
const VAGUE = ['it', 'that', 'this', 'them', 'so much', 'stuff', 'things'];

/** `finished my thesis in June`: of a chat, where the speaker goes without saying. */
const ELLIPTIC: ReadonlySet<string> = new Set(
  'finished started moved bought got adopted booked joined signed broke lost passed quit became switched visited'.split(
    ' ',
  ),
);
const isElliptic = ({ words: [first = '', second = ''] }: Sentence): boolean =>
  ELLIPTIC.has(first) && ['my', 'a', 'to', 'engaged', 'married', 'up', 'new'].includes(second);

/** The speaker did or plans something that has a name, a place or a day. */
function isEvent(sentence: Sentence): boolean {
  const start = beginning(sentence, PERSON_STARTS);
  if (start === null && !isElliptic(sentence)) return false;
  const rest = sentence.words.slice(start?.split(' ').length ?? 0);
  const [verb = '', next = ''] = rest;
  const isDone =
    EVENT_VERBS.has(verb) && (verb !== 'had' || hasTime(sentence)) && !VAGUE.includes(next);
  const isConcrete =
    hasTime(sentence) ||
    hasAny(sentence, [
      'yesterday',
      'last night',
      'last week',
      'last month',
      'last year',
      'last summer',
      'last weekend',
      'ago',
      'this weekend',
      'next year',
      'next summer',
      'my first',
      'for my',
      'for the first time',
      'with my',
    ]) ||
    /\s[A-Z][a-z]{2,}/.test(sentence.text.slice(1, 2000));
  return isDone && isConcrete && rest.length >= 3 && !hasAny(sentence, rules.WORK_WORDS);
}
