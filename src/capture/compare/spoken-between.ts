/**
 * Whether nothing stands between a statement and a correction in few words that the correction
 * could speak of as well: `Basel, not Bern` behind `Book me a table in Bern` is of the table. A
 * request or a question of the speaker stands between, and so does a value that somebody else
 * wrote; thanks, more statements of the speaker and an echo of the statement do not.
 */
import { isStopWord, stemOf } from '../../text/terms.ts';
import type { GatedSegment } from '../1-gate.ts';
import * as rules from '../gate/gate-rules.ts';
import { isAsking } from '../gate/unstated.ts';
import { begins, type Sentence, wordsOf } from '../sentences/sentence.ts';
import { correctedValue } from '../slots/slot.ts';
import { isFirstPerson } from '../voices/speaker.ts';
import { speakerKey } from '../voices/spellings.ts';
import type { Heard } from './meant-before.ts';

export interface Spoken {
  readonly turn: GatedSegment['turn'];
  readonly sentence: Sentence;
  /** The words that are corrected, in lower case; null = nothing names them. */
  readonly old: string | null;
  /** The correction says itself which they are. */
  readonly isNamed: boolean;
  /** What takes their place. */
  readonly fresh: string;
  /** Values of properties that the speaker told, though no rule keeps their sentences. */
  readonly told?: readonly Pick<Heard, 'turn' | 'sentence'>[];
}

/** Of a correction in few words. */
export function spokenAs(
  { turn, sentence, slot }: Pick<Heard, 'turn' | 'sentence' | 'slot'>,
  correction: Sentence,
): Spoken {
  const { said = correction.text, not = null } = correctedValue(correction.text, '') ?? {};
  const old = not ?? slot?.value ?? null;
  return { turn, sentence, old, isNamed: not !== null, fresh: said };
}

/** `all`: in order, up to the correction and on. */
export function isNextTo(
  spoken: Spoken,
  correction: GatedSegment,
  all: readonly GatedSegment[],
): boolean {
  let isReached = false;
  for (const each of all.slice(0, all.indexOf(correction)).reverse()) {
    const isThere = each.turn.uuid === spoken.turn.uuid;
    if (isReached && !isThere) return true;
    isReached ||= isThere;
    const isOwn = speakerKey(each.turn.author) === speakerKey(correction.turn.author);
    if (isOwn ? !isPassed(each, spoken) : !isEcho(each.whole, spoken)) return false;
  }
  return true;
}

function isPassed(each: GatedSegment, spoken: Spoken): boolean {
  const { turn, sentence, old, isNamed, told = [] } = spoken;
  const { whole, verdict } = each;
  const isValue = told.some(
    (one) => one.turn.uuid === each.turn.uuid && one.sentence.start === each.sentence.start,
  );
  if (isValue) return true;
  if (each.turn.uuid === turn.uuid) {
    const isBefore = whole.start <= sentence.start && sentence.start < whole.end;
    if (isBefore || isTold(each)) return true;
    // What it asks for in the same breath is of the statement, unless it has the words itself.
    if (isNamed) return !holds(whole, old);
    if (whole.start < sentence.start) return true;
  }
  // What names the old value itself passes over statements that have nothing of it.
  if (isNamed && isPlainStatement(whole.text) && !holds(whole, old)) return true;
  const isTalk = !verdict.isKept && verdict.reason === 'small_talk';
  return isTold(each) || (isTalk && isAside(whole)) || SAID.test(whole.text);
}

/** `Reem is great`, `we cook together`: it asks for nothing, and wants nothing. */
const isPlainStatement = (text: string): boolean =>
  STATES.test(text) && !WANTS.test(text) && !isAsking(text);
const STATES =
  /^(?:(?:and|so|but|oh|well),? )?(?:(?:I|we)(?:['’](?:m|re|ve))? \p{L}|(?!(?:what|who|where|when|why|how|which|there|here)\b)(?:(?:the|my|our|his|her|their|this|that) )?[\p{L}-]+(?:['’]s| is| are| was| were| has| had) \p{L})/iu;
const WANTS =
  /\b(?:want|need|wish|hope|would|could|can|should|must|will|plan|going|looking|trying|thinking|wonder\w*|ask\w*|please|pls)\b|['’](?:d|ll)\b/iu;

/** By a rule, of themselves; or a correction of before. */
const isTold = ({ whole, verdict }: GatedSegment): boolean =>
  verdict.isKept &&
  !verdict.isGuessed &&
  (verdict.isElliptic === true || isFirstPerson(whole)) &&
  !isAsking(whole.text);
const MOST_OF_ASIDE = 4;
/** `ugh, I meant Basel`: one word of talk parts nothing. */
const isAside = (whole: Sentence): boolean =>
  (whole.words.length <= 1 ||
    (whole.words.length <= MOST_OF_ASIDE &&
      (begins(whole, rules.SMALL_TALK_STARTS) || begins(whole, rules.DENIALS)))) &&
  !isAsking(whole.text);
/** `I said Bern but I meant Basel`. */
const SAID = /^i (?:just |first |had )?(?:said|wrote|typed|put)\b/iu;

/** `Nice, Bern!`, `Got it, you live in Bern.`, but neither `The total is 910.` nor `Basel?` */
function isEcho({ text }: Sentence, { sentence, old, isNamed, fresh }: Spoken): boolean {
  const known = new Set([...wordsOf(sentence.text), ...wordsOf(fresh)].map(stemOf));
  const value = wordsOf(fresh).join(' ');
  return text.split(CLAUSE).every((clause) => {
    const words = wordsOf(clause);
    const plain = ` ${words.join(' ')} `;
    // `Understood: 14:30.` says no more than the statement.
    if (words.every((word) => isEchoed(word, known)) && !clause.trimEnd().endsWith('?'))
      return true;
    const at = old === null ? -1 : plain.indexOf(` ${old} `);
    // What is named as wrong stands nowhere else.
    if (isNamed && at === -1) return true;
    if (plain.includes(` ${value} `)) return false;
    if (at !== -1) return wordsOf(plain.slice(0, at)).every((word) => isEchoed(word, known));
    const isAsked = isAsking(clause) || clause.trimEnd().endsWith('?');
    return !isAsked && !words.some((word) => /\d/.test(word)) && !NAME.test(clause);
  });
}
const CLAUSE = /[,;!\n–—]|(?<=\.)\s|(?<=\?)/u;
const NAME = /\S\s+\p{Lu}\p{Ll}/u;
const isEchoed = (word: string, known: ReadonlySet<string>): boolean =>
  isStopWord(word) || ADDRESSED.test(word) || ECHOES.has(word) || known.has(stemOf(word));
const ADDRESSED = /^you(?:['’]\p{L}+|rs?)?$/u;
const ECHOES: ReadonlySet<string> = new Set(
  (
    'nice great good got noted thanks thank ok okay congratulations congrats wow lovely cool ' +
    'understood remember remembered save saved sure beautiful enjoy welcome updated know hear ' +
    'glad happy ah oh yes right new life move'
  ).split(' '),
);

const holds = ({ text }: Sentence, words: string | null): boolean =>
  words !== null && ` ${wordsOf(text).join(' ')} `.includes(` ${words} `);
