/**
 * A sentence as the rules read it. `plain` has its words in lower case between single spaces, so
 * that a rule is a look-up of a phrase: linear, whatever the text.
 */
import { partsAsked } from '../forget/parts-asked.ts';
import * as rules from '../gate/gate-rules.ts';
import { isNever } from '../gate/negative-space.ts';
import { isAsking, statesNothing } from '../gate/unstated.ts';
import { hasTtl, isTtlAlone } from '../times/ttl.ts';
import { isPerson } from '../voices/people.ts';
import { isPlayed } from '../voices/roles.ts';
import { ASKED, isAskedBehind, isMoreAsked } from './asked-behind.ts';
import { correctedSentence } from './corrects-itself.ts';
import { fromThenOn } from './from-then-on.ts';
import { knownLeadLength } from './known-lead.ts';
import { begins } from './phrases.ts';
import { SHARED_JOINT, sharedSubject } from './shared-subject.ts';

export { beginning, begins, has, hasAny } from './phrases.ts';

export interface Sentence {
  readonly text: string;
  /** UTF-16 units in the content of the turn. */
  readonly start: number;
  readonly end: number;
  /** ` i don't like tea `: apostrophes stay, other punctuation goes. */
  readonly plain: string;
  readonly words: readonly string[];
}

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}'_]$/u;

/** As a chat writes them. */
const UNMARKED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    im: "i'm",
    ive: "i've",
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    cant: "can't",
    isnt: "isn't",
    arent: "aren't",
    wasnt: "wasn't",
    havent: "haven't",
    hasnt: "hasn't",
    wont: "won't",
    wouldnt: "wouldn't",
    couldnt: "couldn't",
    shouldnt: "shouldn't",
    werent: "weren't",
  }),
);

/** `dont` is `don't`, `Ive` is `I've`; any other word is itself. */
export const withApostrophe = (word: string): string => {
  const marked = UNMARKED.get(word.toLowerCase());
  return marked === undefined ? word : word.charAt(0) + marked.slice(1);
};

interface Word {
  readonly word: string;
  /** Of the text: where it ends. */
  readonly end: number;
}

const wordOf = (said: string): string => {
  const from = said.startsWith("'") ? 1 : 0;
  const bare = said.slice(from, said.endsWith("'") ? Math.max(from, said.length - 1) : undefined);
  return UNMARKED.get(bare) ?? bare;
};

const ASCII = /^[\x00-\x7f]*$/;

/** Words in lower case, with plain apostrophes. Most text is ASCII, and quicker read as such. */
function readWords(text: string): readonly Word[] {
  if (!ASCII.test(text)) return readAnyWords(text);
  const words: Word[] = [];
  const lower = text.toLowerCase();
  let from = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    if (isPlainLetter(lower.charCodeAt(at))) from = from === -1 ? at : from;
    else if (from !== -1) {
      const word = wordOf(lower.slice(from, at));
      if (word !== '') words.push({ word, end: at });
      from = -1;
    }
  }
  return words;
}

/** `a` to `z`, a digit, `_` or `'`, by its code; past the end of a text it is none. */
const isPlainLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 39;

function readAnyWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let word = '';
  let at = 0;
  const flush = (): void => {
    const bare = wordOf(word);
    if (bare !== '') words.push({ word: bare, end: at });
    word = '';
  };
  for (const character of text) {
    const plain = character === '’' || character === '‘' ? "'" : character.toLowerCase();
    if (WORD_CHARACTER.test(plain)) word += plain;
    else flush();
    at += character.length;
  }
  flush();
  return words;
}

export const wordsOf = (text: string): readonly string[] => readWords(text).map(({ word }) => word);

export function sentenceOf(text: string, start: number): Sentence {
  const lead = text.length - text.trimStart().length;
  const bare = text.trim();
  const words = wordsOf(bare);
  return {
    text: bare,
    start: start + lead,
    end: start + lead + bare.length,
    plain: ` ${words.join(' ')} `,
    words,
  };
}

/** Without its first words, and the punctuation after them. */
export function dropWords(sentence: Sentence, count: number): Sentence {
  const last = readWords(sentence.text)[count - 1];
  if (!last) return sentence;
  const rest = sentence.text.slice(last.end);
  // A dash between spaces separates; one before a digit or a word is part of it.
  const gap = /^(?:[^\p{L}\p{N}'"“‘$€£#@/~+-]|-+\s)*/u.exec(rest)?.[0].length ?? 0;
  return sentenceOf(rest.slice(gap), sentence.start + last.end + gap);
}

/** Words before which a sentence is cut although they end with a full stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st vs etc e.g i.e eg ie approx no nr fig inc ltd jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m'.split(
    ' ',
  ),
);
const CLOSING = new Set(['"', "'", ')', ']', '”', '’', '*', '_', '`']);

const JOINTS = new RegExp(
  `(?:,? and(?: now)?|,? but(?: now)?|[;:,]|,? also|,? so(?: now| then| from (?:now on|today|this week))?|, now| [-–—]) (?=(?:I|I'm|I’m|I've|I’ve|my(?! new one)|we|we're|we’re|we've|our(?! new one)) )|: (?=the )|; (?=[a-z]+ )|, (?=\\p{L}+ and I )|,? so (?=(?:pls|plz|please|can you|could you|would you|will you|stop|(?:just )?(?:find|give|send|show|tell|remind|book|suggest|recommend|write|make sure|keep it|redo|leave out|take out)) )|,? so (?=(?:never|always|don['’]?t|do not|avoid) (?:ever )?(?:suggest|recommend|propos|offer|includ)(?:e|ing)? )|, (?=(?:she|he|they)(?:['’](?:s|ve)| has| have)? (?:put|started|switched) me on (?:to )?\\d)|, (?=(?:any (?:tips|ideas|advice|thoughts)|pls|please) |${ASKED})|,? so (?=(?:yeah|yep|yes|yup|nope?|nah|ok|okay|sure),? (?:I|we)(?:['’]?(?:ll|m|d|ve|re))? )|,? (?:and|but) (?=(?:joined|moved to|started at|started working|switched to|switched from|moved from|now (?:I|we|work|live|use|drive|ride|own|play|drink|eat|go|have|take|train|study)|adopted|took up|picked up|started learning) )`,
  'giu',
);
/** `I switched banks, I am with Acme now`: only together do they say of what. */
const SWITCHES =
  /^(?:(?:oh|and|so|but|um|uh|yeah|well|anyway|also|ok|okay|right)[, ]+){0,3}(?:(?:I|We)(?: have|['’]ve)? (?:just |finally )?(?:switched|changed) \p{L}+s[,:]|(?:I|We)(?:['’]m|['’]re| am| are) (?:not|no longer) (?:at|with|in|on) |(?:(?:I|We)(?: have|['’]ve)? )?(?:sold|cancell?ed|ditched|dropped|dumped|scrapped|returned|fired|got rid of|gave up|stopped|quit|left|rehomed|abandoned|finished) (?:(?:the|my|our) )?[\p{L}\p{N} ]{2,40}(?:, (?:now )?(?=it['’]?s |(?:I|we)(?:['’]ve)? (?:now )?(?:have|use|drive|ride|got|bought|take|drink|do|play|eat) |(?:I|we)(?:['’]m|['’]re| am| are) (?:now )?(?:on|with|using|reading|watching|doing|learning|taking|playing) )|,? and (?=(?:now )?(?:joined|started|took up|picked up|got|bought|adopted|chose|hired|work|moved|switched|went|signed|use|took) )))/iu;

/** `My doctor left, I'm with Ada now`: what came in its place. */
const REFERS =
  /^(?:[\p{L}']+,? ){0,3}(?:[\p{L}\p{N}]+ ){1,3}(?:left|retired|died|closed|broke|quit|resigned|is gone|is broken|is dead|has retired|has left|has closed|moved away)\b[^.;:]{0,40}(?:,|,? and|,? so) (?:now )?(?:(?:I|we)(?:['’]m|['’]re| am| are) (?:now )?(?:with|at|on|seeing|using) |(?:I|we)(?:['’]ve)? (?:now )?(?:have|got|bought|use|drive|see|go to|joined|hired|adopted) )/iu;

/** These belong to what follows them. */
const LEADS: readonly string[] = [
  ...rules.LEAD_INS,
  ...rules.REMEMBER,
  ...rules.CORRECTIONS,
  ...rules.DENIALS,
  ...rules.NEXT_TIME,
  ...rules.LESSONS,
];
const MOST_LEAD_WORDS = 6;
/** `In June, I moved`: the day of what follows. */
const ADVERBIAL =
  /^(?:in|on|at|since|for|from|by|during|over|with|without|to|as|last|next|this|yesterday|today|tomorrow|\d.*|.* ago|the other)\b/;
const isLead = (clause: Sentence): boolean =>
  clause.words.length <= MOST_LEAD_WORDS &&
  ((begins(clause, LEADS) && !SAYS_ALONE.test(clause.plain)) ||
    ADVERBIAL.test(clause.plain.trim()));
/** `And we've also moved` leads to nothing: it says what it says. */
const SAYS_ALONE =
  /^ (?:(?:and|so|but|oh|also|well|anyway|yeah|right|okay|ok) ){1,3}(?:i|we|i've|we've|i'm|we're|my|our) \S+ \S+/;

/** `I left, and now I work at Acme`: what is too short to say of what, and ends something. */
const ENDED = /^(?:i|we) (?:left|quit|moved|switched|changed)$/;
/** `I'm Dana, I live in Lisbon`: the name is a statement of its own. */
const NAME_ALONE = /^I['’]m \p{Lu}\p{Ll}+$/u;
/** What is said under a condition, or by somebody else, is not said by the speaker. */
const NOT_ITS_OWN =
  /^(?:if|when|whenever|unless|until|before|after|while|because|although|though|once|as|since|maybe|perhaps|imagine|suppose|why|how|what if)\b|\b(?:said|says|say|told|tells|asked|asks|wrote|writes|thinks|thought|claims|claimed|heard|quote|quoted|wish|hope|guess|maybe|perhaps|would|could|might|song|lyrics|line|title|dream|dreamed|dreamt|story|joke|novel)\b/;

/** `I live in Rome and I like tea` is two, as is `the house was sold, our landlord is Ada now`. */
function clausesOf(given: Sentence, never: readonly string[]): readonly Sentence[] {
  const known = knownLeadLength(given.text);
  const sentence = known === 0 ? given : sentenceOf(given.text.slice(known), given.start + known);
  // What is off the record is so with all that it is said with, and a TTL is of the whole.
  if (isNever(sentence.words, never) || hasTtl(sentence.text)) return [sentence];
  // What is denied or in jest is so with all its clauses.
  if (statesNothing(sentence) || isPlayed(sentence)) return [sentence];
  const isOwn = /^(?:i|i'm|i've|my|we|we're)$/.test(sentence.words[0] ?? '');
  const meant = isOwn ? (correctedSentence(sentence.text) ?? fromThenOn(sentence.text)) : null;
  if (meant !== null) return [{ ...sentenceOf(meant, sentence.start), end: sentence.end }];
  if (SWITCHES.test(sentence.text) || REFERS.test(sentence.text)) return [sentence];
  if (!isOwn && (isAsking(sentence.text) || partsAsked(sentence.text) !== null)) return [sentence];
  const clauses: Sentence[] = [];
  let from = 0;
  /** Of the clause before, with the blank behind it. */
  let subject: string | null = null;
  const clauseOf = (start: number, end?: number): Sentence => {
    const clause = sentenceOf(sentence.text.slice(start, end), sentence.start + start);
    if (subject === null) return clause;
    return { ...sentenceOf(subject + clause.text, clause.start), end: clause.end };
  };
  for (const joint of jointsOf(sentence.text)) {
    const clause = clauseOf(from, joint.index);
    const after = sentence.text.slice(joint.index + joint.text.length);
    const shared = joint.isShared && isOwn ? sharedSubject(clause.text, after) : null;
    if (joint.isShared && shared === null) continue;
    const plain = clause.plain.trim();
    if (!isOwn && NOT_ITS_OWN.test(plain)) return [sentence];
    const isNext = / and\b/i.test(joint.text);
    if (isNext && isMoreAsked(clause, after)) continue;
    const isAsked = isAskedBehind(clause, after);
    if (/^,? but/i.test(joint.text) && LEANS.test(after)) continue;
    // `My friend quit judo and took up climbing`: it is the friend who did.
    if (
      !isAsked &&
      OF_OTHERS.test(sentence.plain) &&
      !/^ (?:i|we|my|our)\b/.test(sentenceOf(after, 0).plain.slice(0, 8)) &&
      !/^(?:: |; )$/.test(joint.text)
    )
      continue;
    // `Milo and I broke up`
    if (/^ and $/i.test(joint.text) && isPartner(clause.text)) continue;
    if (APPOSITION.test(sentence.text.slice(joint.index)) || isWho(joint.text + after)) continue;
    if (!isOwn && !isAsked && clauses.length === 0 && !isNext && isLead(clause)) continue;
    if (
      isOwn &&
      !joint.isShared &&
      clause.words.length < 3 &&
      !ASKS_THEN.test(joint.text + after) &&
      !ENDED.test(plain) &&
      !NAME_ALONE.test(clause.text) &&
      !isStanding(clause)
    )
      continue;
    clauses.push(clause);
    from = joint.index + joint.text.length - (NOW_AT.test(joint.text + after) ? NOW.length : 0);
    subject = shared;
  }
  return [...clauses, clauseOf(from)];
}

const NOW = 'now ';
/** `Now I'm at Acme` says where one works, and `I'm at Acme` may not. */
const NOW_AT = /^[, ].{0,6}\bnow (?:I|we)(?:['’](?:m|re)| am| are) (?:at|with|in|on) /i;

/** `I'm vegan and I live in Bern`. */
const isStanding = ({ words: [first = '', ...rest] }: Sentence): boolean =>
  (first === "i'm" || first === "we're") && rules.STANDING.includes(rest.join(' '));

/** `Milo and I broke up`, `my wife Ana and I are moving`. */
const isPartner = (text: string): boolean => PARTNER.test(text) || OWN_PARTNER.test(text);
/** `I'm vegan, so find me a cake`: behind a statement, what is asked for. */
const ASKS_THEN =
  /^,? so (?:just )?(?!I|i|we|my|our)(?:pl[sz]|please|(?:can|could|would|will) you|\p{Ll}+ )/u;
const OWN_PARTNER =
  /(?:^|, )(?:[Mm]y|[Oo]ur)(?: (?:best|older|younger|little|big|ex|twin))? [\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?$/u;
const PARTNER =
  /(?:^|, )(?!(?:yes|no|ok|okay|thanks|so|well|cool|great|sure|haha|lol|right|fine|good|nice|perfect|sorry|hi|hey|hello|done|same)$)\p{L}+$/iu;

interface Joint {
  readonly index: number;
  readonly text: string;
  /** What follows has no subject of its own. */
  readonly isShared: boolean;
}

/** Where clauses may begin, in their order. */
function jointsOf(text: string): readonly Joint[] {
  const joints = (pattern: RegExp, isShared: boolean): readonly Joint[] =>
    [...text.matchAll(pattern)].map(({ 0: joint, index }) => ({ index, text: joint, isShared }));
  const own = joints(JOINTS, false);
  const shared = joints(SHARED_JOINT, true).filter(
    (each) => !own.some(({ index }) => index === each.index),
  );
  return [...own, ...shared].sort((a, b) => a.index - b.index);
}

/** `I used to smoke but I quit in 2019`: of what, only the clause before says. */
const LEANS =
  /^I(?:['’]m| am| was| do| did| have|['’]ve| can| don['’]t| didn['’]t)?(?: (?:not|never|already|since|just))?(?: (?:stopped|quit|left|moved|gave up|given up|changed my mind))?(?: (?:it|that|them|in|on|after|since|because|when|last|any ?more|now|ago|years?|months?|weeks?)\b.{0,60})?[.!]*$/i;

/** `Seedbank, our store of old readings, is full`: one statement, of Seedbank. */
const APPOSITION =
  /^, (?:my|our) [^,.;:]{1,60}, (?:is|are|was|were|has|have|had|will|can|costs?|runs?)\b/i;

/** They begin with somebody else, and go on without naming them. */
const OF_OTHERS =
  /^ (?:(?:and|so|but|oh|well) )?(?:my|our) (?:\p{L}+ )?(?:friend|boss|manager|colleague|neighbour|neighbor|flatmate|roommate|brother|sister|son|daughter|mom|mum|mother|dad|father|wife|husband|partner|cousin|uncle|aunt|boyfriend|girlfriend|nephew|niece|coach|teacher) /u;

/** `We take Rex to Dr Ada, our vet`: who that is, and no statement of its own. */
const isWho = (rest: string): boolean => isPerson(WHO.exec(rest)?.[1] ?? '');
const WHO = /^, (?:my|our) (?:[\p{L}-]+ )?([\p{L}-]{2,20})[.!]*$/iu;

/** UTF-16 units: what a piece costs has a bound, whatever rule reads it. */
const LONGEST_SENTENCE = 4000;
export const isTooLong = ({ text }: Pick<Sentence, 'text'>): boolean =>
  text.length > LONGEST_SENTENCE;

/** The first statements of a prose text that begins at `start` of its turn. */
export const sentencesOf = (
  text: string,
  start: number,
  { most, never }: { readonly most: number; readonly never: readonly string[] },
): readonly Sentence[] =>
  withTtls(wholeSentencesOf(text, start, most), { text, start })
    .flatMap((sentence) => (isTooLong(sentence) ? [sentence] : clausesOf(sentence, never)))
    .slice(0, most);

/** A TTL by itself belongs to the sentence before it; an opening one to that after it. */
function withTtls(
  sentences: readonly Sentence[],
  { text, start }: { readonly text: string; readonly start: number },
): readonly Sentence[] {
  if (!/ttl/i.test(text)) return sentences;
  const joined: Sentence[] = [];
  let opening: Sentence | null = null;
  for (const sentence of sentences) {
    const isAlone = isTtlAlone(sentence.text);
    const first: Sentence | null = opening ?? (isAlone ? (joined.pop() ?? null) : null);
    opening = first === null && isAlone ? sentence : null;
    if (opening === null)
      joined.push(
        first === null
          ? sentence
          : sentenceOf(text.slice(first.start - start, sentence.end - start), first.start),
      );
  }
  return opening === null ? joined : [...joined, opening];
}

function wholeSentencesOf(text: string, start: number, most: number): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (to: number): void => {
    const sentence = sentenceOf(text.slice(from, to), start + from);
    if (sentence.text !== '') sentences.push(sentence);
    from = to;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (sentences.length >= most) return sentences;
    const character = text.charAt(at);
    if (character === '\n') cut(at + 1);
    if (!'.!?'.includes(character) || character === '') continue;
    let after = at + 1;
    while (
      after < text.length &&
      (CLOSING.has(text.charAt(after)) || '.!?'.includes(text.charAt(after)))
    )
      after += 1;
    const isEnd = after >= text.length || /^\s$/.test(text.charAt(after));
    const isOpen = isEnd && isHeadline(text.slice(from, after), text.slice(after, after + 60));
    if (isEnd && !isOpen && !isAbbreviation(text, from, at) && !isInPassword(text, at)) cut(after);
    // A run of marks is read once, whatever it is.
    at = after - 1;
  }
  cut(text.length);
  return sentences;
}

/** `New dentist! Dr. Ada`, `I changed doctors. It's Ada now`: only together do they say it. */
const isHeadline = (text: string, next: string): boolean =>
  text.length <= MOST_HEADLINE && HEADLINE.test(text.trim()) && NAMES.test(next);
const MOST_HEADLINE = 50;
const HEADLINE =
  /^(?:(?:so|and|ok|oh|also|btw|hey|yay|finally|big news),? )?(?:(?:i|we|we['’]ve|i['’]ve)? ?(?:have|got|found|saw|met|see)? ?(?:a|my|our|the)? ?new [\p{L} -]{2,25}|(?:i|we)(?:['’]ve| have)? (?:just |finally )?(?:changed|switched) (?:my |our )?\p{L}+)[!.]+$/iu;
const NAMES =
  /^\s+(?:(?:it|he|she)(?:['’]s| is) |(?:his|her|its) name(?:['’]s| is) |(?:dr|mr|mrs|ms)\. |(?:called|named) |\p{Lu}[\p{L}\d]+(?: \p{Lu}[\p{L}\d]+)?(?:[.,!]|$))/u;

/** `Tiger99! is my password`: a mark after letters and digits, in the middle of a sentence. */
function isInPassword(text: string, mark: number): boolean {
  if (!'!?'.includes(text.charAt(mark)) || !/^\s+\p{Ll}/u.test(text.slice(mark + 1, mark + 4)))
    return false;
  const before = text.slice(Math.max(0, mark - LONGEST_PASSWORD), mark);
  const token = before.split(/\s/).at(-1) ?? '';
  return token.length >= 5 && /\d/.test(token) && /\p{L}{2}/u.test(token);
}
const LONGEST_PASSWORD = 40;

function isAbbreviation(text: string, from: number, dot: number): boolean {
  if (text.charAt(dot) !== '.') return false;
  let first = dot;
  while (first > from && !/^\s$/.test(text.charAt(first - 1)) && dot - first < 6) first -= 1;
  const word = text.slice(first, dot).toLowerCase().replaceAll('(', '');
  // `Hauptstr. 3`
  const isStreet = word.endsWith('str') && /^\.\s*\d/.test(text.slice(dot, dot + 4));
  return isStreet || ABBREVIATIONS.has(word) || /^[a-z]$/.test(word);
}
