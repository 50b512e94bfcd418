/**
 * A correction in few words at the beginning of a talk: `Turin, not Rome.`, where an earlier talk
 * told that the speaker lives in Rome. What is known tells of which slot; behind a request it may
 * be of that, so it corrects nothing there.
 */
import type { GatedSegment } from '../1-gate.ts';
import * as rules from '../gate/gate-rules.ts';
import { isAsking } from '../gate/unstated.ts';
import { begins, type Sentence, wordsOf } from '../sentences/sentence.ts';
import { tokensOf } from '../slots/match.ts';
import { correctedValue, type SaidSlot } from '../slots/slot.ts';
import { kindOf } from '../slots/values.ts';
import type { Corrects } from '../state.ts';
import { isFirstPerson, speakerOf } from '../voices/speaker.ts';
import { speakerKey } from '../voices/spellings.ts';

interface KnownMeant {
  readonly sentence: Sentence;
  readonly slot: SaidSlot;
  readonly corrects: Corrects;
}

/** `all`: in order, of the whole talk so far. null = it names no old value, or more was said. */
export function knownMeant(segment: GatedSegment, all: readonly GatedSegment[]): KnownMeant | null {
  const { said, not } = correctedValue(segment.sentence.text, '') ?? { said: '', not: null };
  if (not === null || kindIn(said) !== kindIn(not)) return null;
  if (!all.every((each) => each === segment || isBeside(each, segment, not))) return null;
  const start = Math.max(0, segment.sentence.text.indexOf(said));
  return {
    sentence: segment.sentence,
    slot: {
      ...{ name: '', value: wordsOf(said).join(' '), said, not: null },
      ...{ start, end: start + said.length, instead: { was: not, said } },
      ...{ isEnd: false, isChange: false, isOwn: true },
    },
    corrects: { content: null, word: not },
  };
}

/** The old value is in small letters: `Rome` is a name as much as `rome`. */
function kindIn(said: string): string | null {
  const kind = kindOf(tokensOf(said), said);
  return kind === 'words' ? 'name' : kind;
}

/** A greeting, more of the speaker in the same turn, or `You live in Rome` of the assistant. */
function isBeside(
  { turn, whole, verdict }: GatedSegment,
  { turn: own }: GatedSegment,
  old: string,
): boolean {
  const isHolding = ` ${wordsOf(whole.text).join(' ')} `.includes(` ${old} `);
  const isGreeting =
    !verdict.isKept &&
    verdict.reason === 'small_talk' &&
    whole.words.length <= MOST_GREETING &&
    begins(whole, rules.SMALL_TALK_STARTS);
  if (speakerOf(turn) === 'assistant') {
    return (
      (isGreeting && !isHolding) || (isHolding && YOU_ARE.test(whole.text) && !isAsking(whole.text))
    );
  }
  if (speakerKey(turn.author) !== speakerKey(own.author)) return false;
  if (isGreeting) return true;
  if (turn.uuid !== own.uuid || !verdict.isKept) return false;
  return isFirstPerson(whole) && !isHolding && !isAsking(whole.text);
}
const MOST_GREETING = 4;
const YOU_ARE =
  /\byou(?:['’]re| are) (?:based |living |working )?(?:in|at|with)\b|\byou (?:live|work|drive|use|play|study|bank|train|take)\b|\byour (?:\p{L}+ ){1,2}is\b/iu;
