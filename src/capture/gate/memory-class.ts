/** Which kind of memory a sentence is that no rule declined. */
import type { MemoryClass } from '../../model/capture.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { beginning, begins, dropWords, hasAny, type Sentence } from '../sentences/sentence.ts';
import { isEndInName } from '../times/in-a-name.ts';
import { isAnswerStyle } from './answer-style.ts';
import * as rules from './gate-rules.ts';
import { isLookup } from './lookup.ts';
import {
  isAddressed,
  isComfort,
  isFeeling,
  isLikingAtHand,
  isNoOrder,
  isNothing,
  isPointing,
} from './momentary.ts';
import { hasNoEnd } from './passing-form.ts';

/** The class of what is kept; null = it claims nothing that lasts. */
export function classOf(sentence: Sentence): Exclude<MemoryClass, 'typed'> | null {
  if (isState(sentence)) return isPointing(sentence, 1) || isAddressed(sentence) ? null : 'state';
  if (isCheck(sentence)) return 'rule';
  if (isRecipe(sentence)) return 'procedure';
  if (isLookup(sentence)) return 'lookup';
  if (begins(sentence, rules.TASK_STARTS)) return isTrip(sentence) ? 'fact' : null;
  const bare = withoutAdverbs(sentence);
  if (isMomentary(sentence, bare)) return null;
  if (begins(bare, rules.PREFERENCES) && !isAboutNow(bare)) return 'preference';
  if (
    (begins(bare, rules.PERSONAL) ||
      isSubscribed(bare) ||
      isNamed(bare) ||
      isStanding(bare) ||
      isMeasured(bare)) &&
    !isPassing(bare)
  )
    return 'fact';
  return isEvent(sentence) ? 'fact' : null;
}

/** `I'm going to a conference in July`: to a place, not to do something. */
const isTrip = (sentence: Sentence): boolean =>
  begins(sentence, ["i'm going to a", "i'm going to an", "i'm going to the", "i'm going to my"]) &&
  isTimed(sentence) &&
  !isAddressed(sentence);

const isMomentary = (sentence: Sentence, bare: Bare): boolean =>
  isNothing(sentence) ||
  isFeeling(bare) ||
  isComfort(sentence) ||
  isAddressed(sentence) ||
  isLikingAtHand(bare) ||
  isPointing(sentence, 1) ||
  LIST.test(sentence.text);

type Bare = Pick<Sentence, 'plain' | 'words'>;
const SPEAKERS: ReadonlySet<string> = new Set(['i', "i'm", "i've", 'we', "we're", 'my']);
const ADVERBS: ReadonlySet<string> = new Set(
  'really so totally super quite pretty also just still actually now very truly even kinda currently recently finally only'.split(
    ' ',
  ),
);

/** `i'm really into` is `i'm into`. */
function withoutAdverbs(sentence: Sentence): Bare {
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

/** `I'm on the family tariff`; how a plan is says not which. */
const isSubscribed = ({ plain }: Bare): boolean => SUBSCRIBED.test(plain);
const SUBSCRIBED =
  /^ (?:i'm|i am|we're|we are) on (?:the|your) (?!(?:same|wrong|right|old|new|other|best|cheapest|following|next|first|second) )(?:[a-z-]+ ){1,3}(?:plan|tariff|tier|subscription) (?:now |at the moment )?$/;

/** `I'm left handed`, `Tom is my brother`, `I swim every morning`. */
const isStanding = (sentence: Bare): boolean =>
  (begins(sentence, ["i'm", 'i am']) && hasAny(startOf(sentence), rules.STANDING)) ||
  hasAny(sentence, ['is my', 'are my', 'was my', 'is one of my', 'are some of my']) ||
  (begins(sentence, ["i've been", 'i have been']) && hasAny(sentence, LONG_SINCE)) ||
  (begins(sentence, ['i', 'we']) && hasAny(sentence, rules.HABITS));

/** `my oven only reaches 220 degrees`: what a thing of the speaker does, in numbers. */
const isMeasured = ({ plain }: Bare): boolean => MEASURED.test(plain);
const MEASURED =
  /^ (?:my|our) (?!build |code |test |tests |job |pipeline )(?:[a-z]+ ){1,2}(?:reaches|holds|takes|needs|costs|weighs|seats|lasts|leaves|runs|opens|closes|starts|ends|fits|goes) (?:only |at |up |to |for |until |about |over )*\d/;

const LONG_SINCE = ['years', 'months', 'since', 'decade', 'decades', 'ages', 'a year', 'a month'];

/** What is far from the verb is said of something else. */
const startOf = ({ words }: Bare): Pick<Sentence, 'plain'> => ({
  plain: ` ${words.slice(0, MOST_STANDING_WORDS).join(' ')} `,
});
const MOST_STANDING_WORDS = 7;

/** `ship date is 5 October` is no order to ship. */
const isStatement = ({ words }: Sentence): boolean =>
  words.slice(1, 5).some((word) => word === 'is' || word === 'are');

const isState = (sentence: Sentence): boolean =>
  hasAny(sentence, rules.STATE_WORDS) &&
  !hasNoEnd(sentence.plain) &&
  !isEndInName(sentence.text) &&
  (!begins(sentence, rules.TASK_STARTS) || isStatement(sentence)) &&
  !begins(sentence, rules.CHECK_STARTS) &&
  !begins(sentence, rules.SMALL_TALK_STARTS) &&
  (hasVerb(sentence) || begins(sentence, AWAY)) &&
  hasTime(sentence);

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

const TIME_WORDS: ReadonlySet<string> = new Set([
  ...WEEKDAY_NAMES,
  ...MONTH_NAMES,
  ...'tomorrow tonight week month quarter sprint year noon midnight eod christmas easter'.split(
    ' ',
  ),
]);
const hasTime = (sentence: Sentence): boolean =>
  sentence.words.some(
    (word) => TIME_WORDS.has(word) || /^\d{1,2}(?:st|nd|rd|th)?$|^\d{4}$/.test(word),
  );

/** An imperative for all times; one for now is a task. */
const isCheck = (sentence: Sentence): boolean =>
  isAnswerStyle(sentence) || isGeneralCheck(sentence);
const isGeneralCheck = (sentence: Sentence): boolean =>
  begins(sentence, rules.CHECK_STARTS) &&
  sentence.words.length >= (NAMES_CODE.test(sentence.text) ? 3 : 4) &&
  (OF_ANY.test(sentence.plain) ||
    hasAny(sentence, begins(sentence, WE_DO) ? rules.ALL_TIMES_OF_WORK : rules.ALL_TIMES)) &&
  !begins(sentence, ["don't you"]) &&
  !isNoOrder(sentence);
/** `Never echo $SECRET` */
const NAMES_CODE = /[`$]/;
/** `Verify the branch after a stash pop`, but not `after a few minutes`. */
const OF_ANY =
  /^ (?:verify|double check|check that|make sure|be sure to|ensure) .{2,80} after (?:an?|any) (?!(?:few|while|moment|minute|second|hour|day|week|month|bit|long|short|couple|little) )/;
/** What people do together is a habit; of work it is a rule. */
const WE_DO = ['we always', 'we never', "we don't", 'we do not'];

/** `To deploy, first build the image, then push it.` */
const isRecipe = (sentence: Sentence): boolean =>
  (!begins(sentence, ['to']) || /[,:]|->/.test(sentence.text)) &&
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

/** `Use pnpm, not npm`, `use pnpm for this repo`: how it is done, and not what to do now. */
export const isWayOfWork = ({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean =>
  WAY_OF_WORK.test(plain.slice(0, MOST_READ)) && !text.includes('?');
const WAY_OF_WORK =
  /^ (?:please |always |you should |we )*(?:use|run|write|import|install|prefer|deploy with|build with|test with) (?!(?:it|that|this|them|these|those) )(?:[^ ]+ ){1,6}?(?:(?:and )?not |instead of |rather than |(?:for|in|on) (?:this|our|the|my|all|every|each) (?:[^ ]+ ){0,2}?(?:repo(?:sitory)?|project|codebase|package|workspace|service|app|module|monorepo|team|company)s? $)/;
const MOST_READ = 200;

/** A liking for what is at hand: gone with the moment. */
const isAboutNow = (sentence: Pick<Sentence, 'plain'>): boolean =>
  hasAny(sentence, rules.ABOUT_NOW);

/** `Tea is my treat today`, `and that is my last word`, `I have three candidates`. */
const OF_TODAY =
  / (?:is|are) my .{0,40} (?:today|tonight|this time|right now) | (?:that|this|it) is my (?:last|final) word | (?:i|we) have (?:two|three|four|five|some|several) (?:\S+ )?(?:candidates|options|proposals|suggestions|questions|points|ideas|topics|items|requests|remarks|concerns) /;
/** `my family, exercise and friends`: a list, which claims nothing. */
const LIST = /^(?:my|our) [^\s,]+,/i;
/** `I have a question`, `I have been thinking`: true for a minute. */
const isPassing = (sentence: Pick<Sentence, 'plain'>): boolean =>
  OF_TODAY.test(sentence.plain) ||
  / fan $/.test(sentence.plain) ||
  (/ had a (?:great|good|nice|lovely|wonderful|fun|blast)\b/.test(sentence.plain) &&
    !hasAny(sentence, ['at', 'in', 'with', 'on', 'hiking', 'camping'])) ||
  hasAny(sentence, rules.PASSING) ||
  /^ (?:i'm|i am) the \S+est /.test(sentence.plain) ||
  (begins(sentence, ["i've had"]) && !hasAny(sentence, ['for', 'since'])) ||
  (begins(sentence, ['i turned']) &&
    !/\d|\b(?:twenty|thirty|forty|fifty|sixty)/.test(sentence.plain));

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
/** The speaker goes without saying. */
export const isElliptic = ({ words: [first = '', second = ''] }: Sentence): boolean =>
  ELLIPTIC.has(first) && ['my', 'a', 'to', 'engaged', 'married', 'up', 'new'].includes(second);

/** Say by themselves neither that it happened nor what. */
const OPEN_VERBS: ReadonlySet<string> = new Set(['had', 'going', 'planning', 'been']);
/** Who is spoken to at the end is none: `…, Jon!` */
const hasName = ({ text }: Pick<Sentence, 'text'>): boolean =>
  /\s[A-Z][a-z]{2,}/.test(text.slice(1, 2000).replace(/, [A-Z][a-z]+[.!?]*$/, ''));

/** `Last Friday I went to the council`: the day, then what the speaker did on it. */
function startsTimed(sentence: Sentence): boolean {
  const lead = beginning(sentence, TIME_LEADS);
  if (lead === null) return false;
  const rest = dropWords(sentence, lead.split(' ').length);
  const verb = beginning(rest, ['i', 'we', 'i finally', 'we finally', 'i also', 'i even']);
  if (verb === null) return false;
  const [done = '', next = ''] = rest.words.slice(verb.split(' ').length);
  const isPast = EVENT_VERBS.has(done) && !PRESENT.has(done);
  const { length } = rest.words;
  return (
    isPast &&
    !VAGUE.includes(next) &&
    length >= 4 &&
    !hasAny(rest, rules.WORK_WORDS) &&
    !isMomentary(rest, rest)
  );
}
/** Forms that are no past, and those that are of the present as well. */
const PRESENT: ReadonlySet<string> = new Set(['going', 'planning', 'gone', 'been', 'read', 'hurt']);
const TIME_LEADS: readonly string[] = [
  'yesterday',
  'last night',
  'the other day',
  'this morning',
  'today',
  ...[
    'week',
    'weekend',
    'month',
    'year',
    'summer',
    'winter',
    'spring',
    'fall',
    'autumn',
    ...WEEKDAY_NAMES,
    'fri',
    'sat',
    'sun',
    'mon',
    'tues',
    'wed',
    'thurs',
  ].map((unit) => `last ${unit}`),
  ...WEEKDAY_NAMES.map((day) => `on ${day}`),
];

const isTimed = (sentence: Sentence): boolean =>
  hasTime(sentence) || hasAny(sentence, RELATIVE_TIMES);
const RELATIVE_TIMES = [
  'yesterday',
  'last night',
  'last week',
  'last month',
  'last year',
  'last summer',
  'last winter',
  'last spring',
  'last fall',
  'last autumn',
  'last weekend',
  'ago',
  'this weekend',
  'this morning',
  'this afternoon',
  'the other day',
  'next year',
  'next summer',
];

/** The speaker did or plans something that has a name, a place or a day. */
function isEvent(sentence: Sentence): boolean {
  const start = beginning(sentence, PERSON_STARTS);
  if (start === null && startsTimed(sentence)) return true;
  if (start === null && !isElliptic(sentence)) return false;
  const rest = sentence.words.slice(start?.split(' ').length ?? 0);
  const [verb = '', next = ''] = rest;
  const isDone =
    EVENT_VERBS.has(verb) &&
    (!OPEN_VERBS.has(verb) || isTimed(sentence) || hasName(sentence)) &&
    !VAGUE.includes(next);
  const isConcrete =
    isTimed(sentence) ||
    hasAny(sentence, ['my first', 'for my', 'for the first time', 'with my']) ||
    hasName(sentence);
  return (
    isDone &&
    isConcrete &&
    rest.length >= 3 &&
    !isPassing(sentence) &&
    !hasAny(sentence, rules.WORK_WORDS)
  );
}
