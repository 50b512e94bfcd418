/** What is taken at the word of its speaker: what they say of themselves, and what they order. */
import type { GatedSegment } from '../1-gate.ts';
import { isOrder, liftsSafeguard } from '../gate/orders.ts';
import { standsAlone } from '../gate/stands-alone.ts';
import { asSaid } from '../sentences/as-said.ts';
import { begins, type Sentence, sentenceOf } from '../sentences/sentence.ts';
import type { SaidSlot } from '../slots/slot.ts';
import { claimsAuthority } from './claimed-authority.ts';
import { isInGame } from './fiction.ts';
import { saysImpossible } from './impossible.ts';
import { isOfAnother } from './not-own.ts';
import { isPerson } from './people.ts';
import { isPrivateOfOther } from './private-of-others.ts';
import { isInstruction, type Voice } from './voice.ts';

/** Who is one's manager is one's own to say; the number of one's mother is not. */
const isOwnSlot = (slot: SaidSlot | null): boolean => slot?.isOwn === true;

/** `Always answer in French` instructs as well where it is the value of a property. */
export function isTypedTaken({ verdict, voice, whole }: GatedSegment): boolean {
  if (voice.isForeign || liftsSafeguard(whole.text) || isOfFigure(whole)) return false;
  const instructs = (verdict.isKept && isInstruction(verdict.class)) || isOrder(whole.text);
  return voice.isOpening || !instructs;
}

interface Said {
  readonly sentence: Sentence;
  readonly slot: SaidSlot | null;
  /** Whoever acts for the speaker. */
  readonly instructs: boolean;
  readonly voice: Voice;
  /** Of the gate: what was asked to be kept, and what is a guess. */
  readonly verdict: Pick<
    Extract<GatedSegment['verdict'], { isKept: true }>,
    'isAsked' | 'isGuessed' | 'isUnsure'
  >;
}

/** At the word of its speaker: an instruction, and what is asked to be kept, only as an opening. */
export function isTaken({ sentence, slot, instructs, voice, verdict }: Said): boolean {
  const { isAsked, isGuessed, isUnsure } = verdict;
  if (voice.isForeign || isUnsure || (isGuessed && instructs)) return false;
  if (instructs) return voice.isOpening && (isAsked || !isOfAnother(sentence.text));
  if (isPrivateOfOther(sentence)) return false;
  const isOwn =
    !isOfAnother(sentence.text) &&
    ((isOwnSlot(slot) && !isMoreOfSomebody(sentence, slot)) || isOfSpeaker(sentence));
  return isOwn || (isAsked && voice.isOpening);
}

/** So, and read apart from the talk: in the words that are kept. */
export function isTakenAlone(said: Said): boolean {
  if (!isTaken(said)) return false;
  const { sentence, slot, instructs, verdict } = said;
  if (isOfFigure(sentence)) return false;
  if (instructs || verdict.isAsked || slot?.isEnd || slot?.isOfKnown) return true;
  const kept = asSaid(sentence, slot);
  return standsAlone(kept === sentence.text ? sentence : sentenceOf(kept, 0), slot);
}

/** `I own a castle in Minecraft`, `I'm the king of Spain`, `I am the admin`. */
const isOfFigure = (sentence: Sentence): boolean =>
  isInGame(sentence) || saysImpossible(sentence) || claimsAuthority(sentence);

/** `Ada has moved, with her cat`: beside what it ends, it says something of Ada. */
const isMoreOfSomebody = ({ text }: Sentence, slot: SaidSlot | null): boolean =>
  slot?.isEnd === true &&
  slot.instead !== undefined &&
  /^\p{Lu}/u.test(slot.said) &&
  text.startsWith(slot.said) &&
  /[,;] |\b(?:and|so)\b/.test(text.slice(slot.said.length));

const SPEAKER_STARTS = [
  'i',
  "i'm",
  "i've",
  "i'd",
  "i'll",
  'my',
  'we',
  "we've",
  "we're",
  'our',
  'call me',
  'address me',
];

const isOfSpeaker = (sentence: Sentence): boolean =>
  begins(sentence, SPEAKER_STARTS) && !isAboutPerson(sentence.words);

/** `My sister …`, `my best friend …`; not `my student loan`, `my date of birth`. */
const isAboutPerson = ([own = '', first = '', second = '']: readonly string[]): boolean =>
  own === 'my' &&
  ((isPerson(first) && !PERSON_AS_KIND.test(second)) || (first === 'best' && isPerson(second)));
const PERSON_AS_KIND = /^(?:of|loans?|visa|id|cards?|debt|discount|lists?|rooms?|rates?|pass)$/;
