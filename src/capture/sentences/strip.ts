/** What a sentence says without its lead-ins: a request to remember, a correction, a denial. */

import { replacedBy } from '../compare/used-before.ts';
import { isAnswerLanguage, isAnswerStyle, politeLength } from '../gate/answer-style.ts';
import * as rules from '../gate/gate-rules.ts';
import { withSelf } from '../gate/of-self.ts';
import { prefaceLength } from '../slots/preface.ts';
import { slotOf } from '../slots/slot.ts';
import { fewWordsIn } from './few-words.ts';
import { beginning, begins, dropWords, type Sentence, sentenceOf } from './sentence.ts';
import { lengthWithoutTail } from './untold.ts';

export interface Stripped {
  readonly sentence: Sentence;
  readonly isCorrection: boolean;
  readonly isAsked: boolean;
  readonly isDenial: boolean;
  readonly isMeant: boolean;
  /** Of the value that is meant no word says that it was meant. */
  readonly isWeak?: boolean;
  /** Where nothing is known of what it speaks of, it claims nothing. */
  readonly isElseNone?: boolean;
}

/** `isAnswer`: what has no subject may be about somebody else. */
export function strip(whole: Sentence, isAnswer = false): Stripped {
  const few = fewWordsIn(whole.text);
  if (few !== null)
    return {
      sentence: sentenceOf(few.text, whole.start),
      ...{ isCorrection: true, isAsked: false, isDenial: false, isMeant: true },
      ...(few.isWeak && { isWeak: true }),
    };
  let sentence = withSelf(withoutPreface(whole), isAnswer);
  let isCorrection = false;
  let isAsked = false;
  let isDenial = false;
  let isMeant = false;
  for (let rounds = 0; rounds < 6; rounds += 1) {
    const asked = beginning(sentence, rules.REMEMBER) ?? neverForgetting(sentence);
    const corrected = asked === null ? beginning(sentence, rules.CORRECTIONS) : null;
    const denial = asked === null && corrected === null ? denialOf(sentence) : null;
    const isOf = isMeant || isDenial ? beginning(sentence, ["it's", 'it is', "that's"]) : null;
    const phrase = asked ?? corrected ?? denial ?? isOf ?? beginning(sentence, rules.LEAD_INS);
    if (phrase === null) break;
    const rest = dropWords(sentence, phrase.split(' ').length);
    // `hello@ada.example` greets nobody.
    if (rest.words.length === 0 || rest.text.startsWith('@')) break;
    isAsked ||= asked !== null;
    // `No, don't use npm` corrects what was done, and no value that was said.
    const isOrder = denial !== null && begins(rest, rules.CHECK_STARTS);
    isCorrection ||= corrected !== null || isOrder;
    isDenial ||= denial !== null && !isOrder;
    isMeant ||= corrected !== null && rules.MEANT.includes(corrected);
    sentence = rest;
  }
  const replaced = isAnswer ? null : replacedBy(sentence.text);
  const said = {
    sentence:
      replaced === null ? withSelf(sentence, isAnswer) : sentenceOf(replaced, sentence.start),
    ...(replaced !== null && { isElseNone: true }),
  };
  return { ...said, isCorrection, isAsked, isDenial, isMeant };
}

/** `Never forget my birthday` asks to remember, `never forget to lock the door` is a rule. */
const neverForgetting = ({ plain }: Sentence): string | null =>
  NEVER_FORGET.exec(plain)?.[1] ?? null;
const NEVER_FORGET =
  /^ ((?:never|don't ever|do not ever) (?:ever )?forget(?: that)?) (?=(?:(?:where|what|who|when|how|which) )?(?:i|i'm|i've|my|we|we're|we've|our) )/;

/** `Could you keep your answers short?` asks for what `keep your answers short` asks for. */
function politely(whole: Sentence): Sentence {
  const length = politeLength(whole.text);
  if (length === 0) return whole;
  const rest = whole.text.slice(length).replace(/^not (?=\p{L})/iu, "don't ");
  const marked = /[?!.]{1,5}$/u.exec(rest)?.index ?? rest.length;
  const end = / (?:please|pls|plz)$/iu.exec(rest.slice(0, marked))?.index ?? marked;
  const bare = rest.slice(0, rest.charAt(end - 1) === ',' ? end - 1 : end);
  const asked = sentenceOf(bare, whole.start + length);
  return isAnswerStyle(asked) || isAnswerLanguage(asked) ? asked : whole;
}

/** `Quick update: I moved` is `I moved`; what is asked stays a question. */
function withoutPreface(given: Sentence): Sentence {
  const told = lengthWithoutTail(given.text);
  const cut =
    told === given.text.length ? given : sentenceOf(given.text.slice(0, told), given.start);
  const whole = cut.words.length < 2 ? given : politely(cut);
  const length = begins(whole, rules.CORRECTIONS) ? 0 : prefaceLength(whole.text);
  if (length === 0) return whole;
  const rest = sentenceOf(whole.text.slice(length), whole.start + length);
  return rest.words.length < 2 ? whole : rest;
}

/** `No, I live in Rome`, but not `no plans` or `sorry to hear that`. */
function denialOf(sentence: Sentence): string | null {
  const denial = beginning(sentence, rules.DENIALS);
  if (denial === null) return null;
  const rest = dropWords(sentence, denial.split(' ').length);
  const isMore =
    begins(rest, [...SPEAKER_WORDS, ...rules.MEANT]) ||
    NUMBER.test(rest.text) ||
    (rest.words.length > 2 && begins(rest, rules.CHECK_STARTS));
  return isMore || slotOf(rest) !== null ? denial : null;
}
const SPEAKER_WORDS = ['i', "i'm", "i've", 'my', 'we', "we're", "we've", 'our'];

/** `Sorry, 555 0171`. */
export const NUMBER = /^[\d+(][\d\s.,:+()/-]*\d[.!]?$/;
