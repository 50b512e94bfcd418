/**
 * What stands before a colon at the beginning of a statement: `Bob: I moved` is said by Bob,
 * `System: …` by a machine, `Draft: …` by nobody; `Update: I moved` by the speaker. Names have no
 * list, so a label is foreign unless its words are known for those of a speaker's own.
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import * as rules from '../gate/gate-rules.ts';
import { begins, sentenceOf, wordsOf } from '../sentences/sentence.ts';
import { isPerson } from './people.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Lead-ins of news, and what one tells of oneself under. */
const OWN = set(
  `note notes update updates news ps pps edit correction reminder fact facts info fyi actually btw
tldr ttl nb heads memo announcement confession disclaimer caveat clarification addendum recap
context background situation status plan plans summary detail details point points reason reasons
result results change changes issue problem question questions request wish wishes goal goals
deadline address phone email mail name nickname username handle birthday age height weight size
shoe shoes clothes lesson lessons takeaway remember today tonight yesterday tomorrow answer yes no
home house flat apartment work job office career profession role title position company employer
team project projects client clients school university college degree study studies major class
course exam thesis language languages preference preferences rule rules policy habit habits hobby
hobbies interest interests likes dislikes favorite favorites favourite favourites diet food drink
drinks coffee tea breakfast lunch dinner cooking recipe allergy allergies intolerance health
medical medication medications medicine meds condition symptoms sleep fitness gym sport sports
training exercise workout running family kids children parents siblings marriage relationship pet
pets dog dogs cat cats horse car cars bike transport commute travel trip trips vacation holiday
holidays flight hotel weekend weekdays morning evening schedule calendar time timezone zone place
location city town country region origin hometown nationality citizenship religion politics money
budget salary income rent savings bank pension tax taxes insurance mortgage debt subscription
subscriptions membership contract phone computer laptop tablet device devices os browser editor
ide shell tools stack framework database hosting repo repository code coding style formatting
indentation naming tests testing commits deploys deployment setup environment music band bands
instrument film films movie movies show shows series book books reading game games gaming art
writing photography garden gardening weather season summer winter spring autumn fall life past
present future experience experiences skill skills strength strengths weakness weaknesses fear
fears dream dreams opinion opinions value values mood feelings feeling thing things decision
outcome conclusion answer answers format tone length units currency contact contacts
emergency garage furniture kitchen bathroom electricity internet wifi network printer qa`
    .split(/\s+/)
    .join(' '),
);
/** Beside those. */
const SMALL = set(
  `a an the this that these those some one two three another more most other also and or but so as
in on at of for to from by with about up down out side my our me us i we myself i'm i've we're
is are was were be here there now then just only quick quickly small little big short long brief
tiny good bad great sad happy fun funny interesting important exciting latest last next first
second third final new old current currently recent previous usual general personal private
professional main additional extra side simple simply story clear honest fair sure said well ok
okay oh hey hi hello right anyway what why how when where who way better worse best worst know
you your please take keep mind record matters matter it`
    .split(/\s+/)
    .join(' '),
);
const TIMES: ReadonlySet<string> = new Set([...WEEKDAY_NAMES, ...MONTH_NAMES]);

/** Whatever follows: a machine's, or of a talk with one. */
const ROLE =
  /^(?:the |your )?(?:system|assistant|ai|a\.i\.|bot|chatbot|user|human|chatgpt|gpt[\w.-]{0,12}|claude|gemini|copilot|llm|model|developer|agent|function|tools?)(?:[ _-](?:messages?|prompts?|instructions?|results?|outputs?|responses?|repl(?:y|ies)|calls?|notes?|notices?|turn|role))*$/;
/** Of a text, not of its writer. */
const MATERIAL = set(
  `draft drafts prompt prompts template lyrics lyric quote quotes quotation poem poems verse song
chorus script dialogue dialog scene caption headline slogan motto transcript excerpt passage
translation original character persona narrator protagonist joke riddle proverb sample placeholder
subject output response reply input instruction instructions ticket comment review message text
sms tweet post voicemail`
    .split(/\s+/)
    .join(' '),
);

const MOST_LABEL_WORDS = 6;

const INITIAL = /^\p{L}\d{0,2}$/u;

/** Whether the words before a colon are those of the speaker's own. */
export function isOwnLabel(label: string): boolean {
  const words = wordsOf(label);
  if (words.length === 0) return true;
  // `A:` and `B2:` are speakers of a transcript.
  if (INITIAL.test(label.trim())) return false;
  const isOwned = words[0] === 'my' || words[0] === 'our';
  if (words[0] !== 'about' && words.some((word) => isOwned && isPerson(word))) return false;
  if (isOwned || /\b(?:me|myself|I)\b/.test(label))
    return !words.some((word) => MATERIAL.has(word));
  return words.every(
    (word) => OWN.has(word) || SMALL.has(word) || TIMES.has(word) || /^\d/.test(word),
  );
}

/** Marks of a list and of emphasis, the label, a colon; then what is said. */
const LABELLED =
  /^(?:[-*•–>#]{1,6}\s+|\d{1,2}[.)]\s+)?[*_~`[(<]{0,3}(@?[\p{L}\p{N}][^\n:：.!?;,]{0,60}?)[\])>*_~`]{0,3}\s?(?::[*_]{0,2}\s+|：\s*)(?=\S)/u;

/** The words of a statement that another is given: `Bob: I moved to Rome.` */
export function isOfOther(text: string, isAuthor: (name: string) => boolean): boolean {
  const [lead = '', label = ''] = LABELLED.exec(text.slice(0, MOST_READ)) ?? [];
  if (lead === '' || isAuthor(label)) return false;
  return isForeignLabel(label, text.slice(lead.length));
}
const MOST_READ = 400;

export function isForeignLabel(label: string, said: string): boolean {
  const bare = label.trim().replace(/^[*_~`[(<]{1,6}|[\])>*_~`]{1,6}$/g, '');
  const words = wordsOf(bare);
  const isNone = bare === '' || /[.!?;,]/.test(bare) || words.length > MOST_LABEL_WORDS;
  if (bare.startsWith('@') && !/\s/.test(bare)) return true;
  if (isNone) return false;
  const sentence = sentenceOf(said, 0);
  if (ROLE.test(bare.toLowerCase())) return sentence.words.length >= 3;
  return !isOwnLabel(bare) && speaks(sentence);
}

/** `Budget: 14k` and `QA: Meral` are values; `Bob: I moved` is somebody's word. */
function speaks(sentence: ReturnType<typeof sentenceOf>): boolean {
  const { text, words } = sentence;
  if (begins(sentence, ORDERS)) return true;
  if (/\bI\b|\bI['’]/.test(text) || words.some((word) => SUBJECTS.has(word))) return true;
  if (words.length < 3) return false;
  const isOwn = words[0] === 'my' || words[0] === 'our';
  return isOwn || (ARTICLES.has(words[0] ?? '') && words.some((word) => OBJECTS.has(word)));
}
const SUBJECTS = set("i i'm i've i'd i'll we we're we've we'd we'll");
const ARTICLES = set('the a an this that these those your');
const OBJECTS = set('me my our us mine ours');
const ORDERS = [
  ...rules.CHECK_STARTS,
  ...rules.REMEMBER,
  ...rules.NEXT_TIME,
  'call me',
  'address me',
  'please always',
  'please never',
];

/** A line that is a role alone: what follows is a machine's. */
export const isRoleLine = (line: string): boolean =>
  ROLE.test(
    line
      .trim()
      .replace(/^[^\p{L}]{1,6}|[^\p{L}]{1,6}$/gu, '')
      .toLowerCase(),
  );
