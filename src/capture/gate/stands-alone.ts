/**
 * Whether a statement can be read apart from the talk that it stood in: each pronoun is of somebody
 * or something that the statement itself names, what is more is more than something, who goes goes
 * to a place. What does not is not taken at the word of its speaker; it waits, and a reviewer who
 * sees the turn completes it.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { isPerson } from '../voices/people.ts';
import { isThereLoose } from './leans-on-talk.ts';
import { namesNoThing } from './names-no-thing.ts';
import { isRunOn } from './run-on.ts';

type Words = Pick<Sentence, 'plain' | 'text' | 'words'>;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** One of these stands in whatever leans on the talk: read first, it spares the rest. */
const MAY_LEAN = new RegExp(
  ' (?:he|she|him|her|hers|his|it|its|they|them|their|theirs|that|this|these|those|there|' +
    "he's|she's|he'll|she'll|it's|they're|they've|they'll|go|come|went|came|back|even|" +
    'later|earlier|longer|more|less|better|worse|first|second|third|fourth|other|same|next|' +
    'last|former|latter) ',
);

const OF_PERSON = set("he she him her hers his he's she's he'll she'll he'd she'd");
const OF_ANY = set("it its it's they them their theirs they're they've they'll");
const POINTERS = set('that this these those');
/** What such a word is of stands behind it: `this year`; before these it does not. */
const NO_NOUN = set(
  'for with on in at from to by since until till every yesterday today tomorrow now too also either instead again because and but so or when if before after during once twice last next already',
);
/** `I know that on Mondays …` */
const COMPLEMENT = set(
  "know knew think thought say said tell told believe hope hoped sure learned learnt heard read is was so feel felt decided agreed found mean means like me him her them us you so's given",
);
const DETERMINERS = set(
  'a an the my our some any each every no two three four five six both all another',
);
/** `A year`, `a bit`: nothing that a pronoun is of. */
const MEASURES = set(
  'year years month months week weeks day days hour hours minute minutes while bit lot little few couple time times moment morning evening afternoon night weekend second summer winter spring autumn half last next first only best most way',
);
const TIMES = set(
  'i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december christmas easter english german french',
);

/** Of a pronoun: what is named before it, in the same statement. */
function isNamedBefore({ text, words }: Words, at: number, isOfPerson: boolean): boolean {
  for (let place = 0; place < at - 1; place += 1) {
    const word = words[place] ?? '';
    const next = words[place + 1] ?? '';
    if (DETERMINERS.has(word) && !MEASURES.has(next) && !OF_ANY.has(next)) return true;
    if (isPerson(word)) return true;
  }
  const said = text.split(/\s+/u).slice(0, at);
  const isName = (word: string, place: number): boolean => {
    const bare = word.replace(/^["'“(]{1,4}|[^\p{L}]{1,9}$/gu, '');
    const isCapital = /^\p{Lu}\p{L}/u.test(bare) && !TIMES.has(bare.toLowerCase());
    return isCapital && place > 0 && !/^I['’]/u.test(bare);
  };
  if (said.some(isName)) return true;
  // `I play guitar and I teach it`: a thing needs no article.
  return !isOfPerson && words.slice(LEAST_BEFORE, at).some((word) => JOINTS.has(word));
}
const LEAST_BEFORE = 2;
const JOINTS = set('and but so because when if or');
/** Behind it there is a noun to be of, with or without an article. */
const MOST_OF_THING = 6;
/** `I like it when it rains`, `I find it hard`: of nothing. */
const EXPLETIVE =
  / (?:(?:like|love|hate|prefer|enjoy|appreciate|mind|find|found|make|makes|made|take|takes|took) it (?:[\p{L}-]+ ){0,3}?(?:when|if|that|so|as|to|for|a)|(?:it's|it is|it was|if it|when it|because it|since it|it rains?|it snows?|it takes|it took|it depends)|make it|made it) /u;

function hasLoosePronoun(sentence: Words): boolean {
  const { plain, words } = sentence;
  const isExpletive = EXPLETIVE.test(plain);
  return words.some((word, at) => {
    if (at === 0) return false;
    if (OF_PERSON.has(word)) return !isNamedBefore(sentence, at, true);
    const isLast = at === words.length - 1;
    if (POINTERS.has(word)) {
      const isAlone = isLast || (NO_NOUN.has(words[at + 1] ?? '') && at > 1);
      if (!isAlone || COMPLEMENT.has(words[at - 1] ?? '')) return isLast && isAfterVerb(words, at);
      return !isNamedBefore(sentence, at, false);
    }
    if (!OF_ANY.has(word) || (at >= MOST_OF_THING && !isLast)) return false;
    return !isExpletive && !isNamedBefore(sentence, at, false);
  });
}
const isAfterVerb = (words: readonly string[], at: number): boolean =>
  /^(?:like|know|said|say|mean|think|heard|read|of|with|for)$/.test(words[at - 1] ?? '');

const LEAD = '(?:(?:and|so|but|oh|well|ok|okay|also|now|yes|yeah|no|then|still|just) )*';
const UNIT = '(?:days?|weeks?|months?|years?|hours?|minutes?)';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const LEANING: readonly RegExp[] = [
  // `I like the numbers part more`, `My Dutch is worse`: than what?
  / (?:is|are|am|was|were|i'm|it's|feels?|looks?|sounds?) (?:(?:much|even|far|a bit|a lot|a little|way|so much) )?(?:worse|better|more|less) $/,
  / (?:like|love|enjoy|prefer|hate|use|need|want) (?:[\p{L}'-]+ ){1,5}(?:(?<! any )more|less|better) $/u,
  // `We go one week later`: than when?
  new RegExp(
    ` (?:an?|one|two|three|four|five|six|\\d+|some|few) ${UNIT} (?:later|earlier|longer) (?!than )`,
  ),
  // `We are back`: from where, only those know who were there.
  new RegExp(
    `^ ${LEAD}(?:i'm|we're|i am|we are) (?:all |finally |safely |already |both )*back(?: (?:now|again|today|since \\S+))? $`,
  ),
  // `We want to go after exams`: where?
  new RegExp(
    `^ ${LEAD}(?:i|we|i'll|we'll|i'd|we'd)(?: (?:will|would|can|want to|plan to|hope to|have to|usually|always|also|only|often|might|may|am going to|are going to)){0,2} (?:go|come|went|came) (?:after|before|by|with|every|again|one|two|this|next|tomorrow|today|on (?:the )?(?:${WEEKDAY}|\\d)|in ${MONTH}|at \\d|around \\d)(?!.* (?:to|into|at|in) (?!\\d|${MONTH} |the (?:morning|evening|afternoon) )[\\p{L}])`,
    'u',
  ),
  // `I can't even get to the library`: of the moment.
  / (?:can't|cannot|couldn't|can not) even (?:get|go|walk|leave|sleep|stand|sit|move|open|see|think|look|reach|breathe|talk) /,
];
/** `We have signed`, `I have a new arrangement`, `I stay here until then`: what, and when? */
const LEFT_OPEN =
  / (?:have|has|i've|we've) (?:just |now |already |all |finally |both )*(?:signed|decided|agreed|booked|paid|ordered|finished|applied|accepted|confirmed|sent|done|started|begun|answered|replied) $| (?:have|has|got|i've|we've) (?:got )?(?:a |an )?(?:new |different |better |other )?(?:arrangement|plan|idea|thing|situation|approach|setup|routine|schedule|update|news|surprise|choice|decision) $| (?:until|till|by|since|before) then $/;
/** `I'm in the second team`: of what, another sentence says. */
const NAMES_NOTHING = /^(?:the )?(?:first|second|third|fourth|other|same|next|last|former|latter)$/;

/** Statements of the speaker; those of others are not theirs alone to make. */
export function standsAlone(
  sentence: Words,
  slot: { readonly value: string; readonly isEnd: boolean } | null,
): boolean {
  const head = { ...sentence, plain: sentence.plain.slice(0, MOST_READ) };
  if (isRunOn(sentence) || LEFT_OPEN.test(head.plain) || namesNoThing(sentence)) return false;
  if (!MAY_LEAN.test(head.plain)) return true;
  if (slot !== null && NAMES_NOTHING.test(slot.value)) return false;
  return !(
    LEANING.some((form) => form.test(head.plain)) ||
    isThereLoose(head) ||
    hasLoosePronoun(head)
  );
}
const MOST_READ = 400;
