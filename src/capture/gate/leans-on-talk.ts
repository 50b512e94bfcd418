/**
 * Statements that only the talk around them completes: a pronoun of somebody who was named before,
 * `here`, `there`, what is worse or more than something, words to the assistant, a verb whose
 * object went before, what is asked for, and what says that something will be said. A rule knows
 * where the words stand, not what they mean: what it is not sure of stays.
 */
import type { MemoryClass } from '../../model/capture.ts';
import { isPast } from '../sentences/past-form.ts';
import type { Sentence } from '../sentences/sentence.ts';

type Words = Pick<Sentence, 'plain' | 'text' | 'words'>;

const OF_PERSON: ReadonlySet<string> = new Set(
  "he she him he's she's he'll she'll their".split(' '),
);
const OF_THING: ReadonlySet<string> = new Set("it it's they them they're they've".split(' '));
/** Before a noun that a later pronoun can be of. */
const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the my our his her their another some any each every no two three four five both all'.split(
    ' ',
  ),
);
/** `I like it when it rains`, `I find it hard`: of nothing. */
const EXPLETIVE =
  / (?:(?:like|love|hate|prefer|enjoy|appreciate|mind) it (?:when|if|that|so|as|to)|(?:find|found|make|made|take|took) it (?:[\p{L}-]+ ){0,3}?(?:to|that|when|if|for|a)|(?:it's|it is|it was|if it|when it|it rains?|it snows?|it takes|it took|it depends)) /u;

/** Whether something before the word at `at` can be what its pronoun is of. */
function isNamedBefore({ text, words }: Words, at: number): boolean {
  if (words.slice(0, at - 1).some((word) => DETERMINERS.has(word))) return true;
  const said = text.split(/\s+/u).slice(1, at);
  if (said.some((word) => /^["'“(]?(?!I\b)\p{Lu}\p{L}/u.test(word))) return true;
  // `I play guitar and I teach it`
  return at >= LEAST_BEFORE && /^(?:and|but|so|because|when|if|or)$/.test(words[at - 2] ?? '');
}
const LEAST_BEFORE = 4;

function hasLoosePronoun(sentence: Words): boolean {
  const { plain, words } = sentence;
  const person = words.findIndex((word) => OF_PERSON.has(word));
  if (person > 0 && !isNamedBefore(sentence, person)) return true;
  const thing = words.findIndex((word) => OF_THING.has(word));
  return thing > 0 && thing < MOST_OF_THING && !isNamedBefore(sentence, thing)
    ? !EXPLETIVE.test(plain)
    : false;
}
/** Behind it there is a noun to be of, with or without an article. */
const MOST_OF_THING = 6;

/** `I can store that`, `I gave up correcting her`: the object stands elsewhere. */
const OBJECT = new Set('that this these those them it him her'.split(' '));
const hasLooseObject = (sentence: Words): boolean =>
  OBJECT.has(sentence.words.at(-1) ?? '') && !isNamedBefore(sentence, sentence.words.length);

/** `I go there by bike`: where to, another sentence says. */
const THERE = / there (?!(?:is|are|was|were|has|have|had|will|would|must|may|might|should) )/;
const A_PLACE = / (?:in|at|to|from|near|by|around|into|of|left|visited|here) (?!there )/;
export function isThereLoose({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean {
  const at = THERE.exec(plain)?.index ?? -1;
  if (at === -1 || A_PLACE.test(plain.slice(0, at + 1))) return false;
  const words = plain.slice(0, at).trim().split(' ').length;
  return !text
    .split(/\s+/u)
    .slice(1, words)
    .some((word) => /^(?!I\b)\p{Lu}/u.test(word));
}

/** `My Dutch is worse`, `I like the numbers part more`: than what? */
const THAN_WHAT =
  / (?:is|are|am|was|were|i'm|it's|feels?|looks?|sounds?) (?:(?:much|even|far|a bit|a lot|a little|way|so much) )?(?:worse|better|more|less) $| (?:like|love|enjoy|prefer|hate|use|need) (?:[\p{L}'-]+ ){1,5}more $/u;

/** `I've got a friend here`: where, only those know who were there. */
const HERE = / (?:here|over here|down here|up here) (?!in |at |on |\d)/;
/** `Told you so`, `as you said`: to the assistant, and of nobody else. */
const TO_YOU =
  / (?:told|tell|asked|ask|thank|showed|show|sent|send|gave|give|owe|promised|believe|trust|need|want|see|heard?) (?:you|u) | (?:you|u) (?:said|told|gave|wrote|sent|suggested|asked|mentioned|made|know what|can|could|should|did|were|are|have|had|might|must|may|will|would) | (?:your|ur) (?:last|first|list|answer|advice|suggestion|idea|plan|version|draft|help|recipe|message|question|point|reply) /;
/** `I would love to`, `so does mine too`. */
const CUT_OFF =
  / (?:(?:i|we|they|he|she) (?:[\p{L}'-]+ ){0,3})?(?:do|does|did|am|was|were|will|would|can|could|should|might|must|to|used to|does too|do too|did too|am too) $| (?:i|we) (?:do|did|am|have|will|can) too |^ (?:(?:and|so|but|well|ok) )*i can do [\p{L}\p{N}]+ $/u;
const CUT_CLAUSE = /\b(?:I|we) (?:do|did|can|could|would|will|should|was|am)(?: too| not)?[,;.]/iu;

const MATERIAL =
  'list|chart|table|summary|e-?mail|letter|text|message|draft|recipe|template|title|subject line|word|words|sentence|paragraph|version|note|script|function|explanation|translation|answer|reply|ideas?|tips?|advice|help|suggestions?|quote|sign|card|poem|caption|checklist|itinerary|outline|speech|toast|example|formula|spreadsheet|agenda|quiz|post|bio|slogan|definition|breakdown|estimate|packing list|shopping list|plan|schedule|phrase|opening line|reminder';
/** `I need a list of questions`: what the assistant is to make now. */
const ASKED_FOR = new RegExp(
  " (?:i|we|i'd|we'd) (?:really |just |also |still |only |now |would )*(?:want|need|require|like|love|could use|was hoping for|am after|am looking for) " +
    `(?:to have )?(?:you to |(?:(?:a|an|the|some|two|three|another|more|your|any|one|only|just|quick|short|simple|better|new|good|new|different|proper|nice) |[\\p{L}'-]+ ){0,3}?(?:${MATERIAL}) )`,
  'u',
);
/** `I should like the blue one`, `I need a cake for eight`: wished for in this talk. */
const WISHED =
  / (?:i|we|i'd|we'd) (?:(?:should|would) like|like|'d like|need|want) (?:a|an|some|two|three|more|the|it|one) (?:[\p{L}'-]+ ){1,6}?(?:for (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|tonight|tomorrow|the weekend|dinner|lunch) |by (?:tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|noon|\d))| (?:i|we) (?:should|would) like (?:a|an|the|some|it|that|two|three|more) /u;
/** `I have news`, `I take it back`, `I admit`. */
const FORMULA =
  /^ (?:(?:and|so|but|oh|ok|okay|well|now|also|yes|yeah|no|nope|fine|right|alright) )*(?:i|we|i've|we've|i'd) (?:have |got |have got |must |do |just |really |also |finally )*(?:(?:(?:some|more|good|bad|big|great|exciting|sad|happy|funny|wonderful|terrible) )*news |to (?:admit|say|confess) |admit |confess |give up |gave up $|give in |take (?:it|that|this) back |stand corrected |must say |surrender |concede |take your |see your |hear you |know i said |said (?:it|so|that) |lied |was wrong |was right |rest my case |digress |repeat |am mistaken |have no (?:memory|recollection|idea|clue) )/;

/** `I'm tired today`, `we are short tonight`: true for a day. */
const OF_TODAY =
  / (?:i'm|i am|we're|we are|i feel|i've got|i have|we have|i need) (?:[\p{L}'-]+ ){0,6}(?:today|tonight|this (?:morning|afternoon|evening)|right now|at the moment|at (?:\d{1,2}|noon|midday|half past|quarter to|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:\d\d|am|pm|o'clock|sharp))?) /u;

const OF_SPEAKER =
  /^ (?:(?:and|so|but|oh|well|ok|okay|also|now|yes|yeah|no|then) )*(?:i|we|my|our|i'm|i've|i'll|i'd|we're|we've|we'll|we'd) /;
/** `swapped it for stripe`: the speaker goes without saying. */
const isOfSpeaker = (head: string, words: readonly string[]): boolean =>
  OF_SPEAKER.test(head) || isPast(words[0] ?? '');

/** Whether what somebody likes, does or wants stands elsewhere. */
const wantsObject = (sentence: Words): boolean =>
  (OF_SPEAKER.test(sentence.plain.slice(0, MOST_READ)) && hasLooseObject(sentence)) ||
  THAN_WHAT.test(sentence.plain.slice(-MOST_TAIL));

/** Whether nobody reads it apart from the talk. Of a sentence without a slot. */
function leansOnTalk(sentence: Words): boolean {
  const { plain, text, words } = sentence;
  const head = plain.slice(0, MOST_READ);
  const isLoose = (): boolean =>
    hasLoosePronoun(sentence) || hasLooseObject(sentence) || isThereLoose(sentence);
  return (
    (isOfSpeaker(head, words) && (HERE.test(head) || isLoose())) ||
    THAN_WHAT.test(plain.slice(-MOST_TAIL)) ||
    TO_YOU.test(head) ||
    CUT_OFF.test(plain.slice(-MOST_TAIL)) ||
    CUT_CLAUSE.test(text.slice(0, MOST_READ)) ||
    ASKED_FOR.test(head) ||
    WISHED.test(head) ||
    FORMULA.test(head) ||
    OF_TODAY.test(head)
  );
}
const MOST_READ = 400;
const MOST_TAIL = 60;

/** The same of a kind of memory: a taste may speak of `it`, and not end with it. */
export const leansAs = (memory: MemoryClass | null, sentence: Words): boolean =>
  memory === 'fact'
    ? leansOnTalk(sentence)
    : (memory === 'preference' || memory === 'lookup') && wantsObject(sentence);
