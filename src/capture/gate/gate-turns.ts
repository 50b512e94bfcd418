/**
 * The gate over many turns. It is work of the processor alone: others go on between its pieces, and
 * a turn that the rules cannot read is set aside by itself.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { BlockRow } from '../../model/block.ts';
import type { Uuid } from '../../model/ids.ts';
import { type GatedSegment, type GateSettings, gatedPieces } from '../1-gate.ts';
import { looksBack } from '../2-extract.ts';
import { type Breath, breathing } from '../breath.ts';
import { REACH, speakerName } from '../compare/said-before.ts';
import type { TakenBack } from '../forget/forget-requests.ts';
import { secretAsker } from '../secrets/asked-secret.ts';
import { leadOf } from '../secrets/next-line.ts';
import { type Settled, unreadable } from '../state.ts';
import { turnFollower } from '../voices/awaited-text.ts';
import { speakerOf } from '../voices/speaker.ts';

export interface Gated {
  readonly gated: readonly GatedSegment[];
  readonly settled: readonly Settled[];
}

/** Whether more than one person speaks in them. */
export const areAmongPeople = (turns: readonly BlockRow[]): boolean =>
  new Set(turns.flatMap((turn) => (speakerOf(turn) === 'person' ? [turn.author] : []))).size > 1;

interface Beside {
  /** Turns that announce what stands in these. */
  readonly before?: readonly BlockRow[];
  /** A role goes on in the first of those. */
  readonly isInRole?: boolean;
  /** By the turn: what of it a later one takes back. */
  readonly takenBack?: ReadonlyMap<Uuid, TakenBack>;
  readonly breath?: Breath;
}

export async function gateTurns(
  turns: readonly BlockRow[],
  settings: GateSettings,
  { before = [], isInRole = false, takenBack, breath = breathing() }: Beside = {},
): Promise<Gated> {
  const follow = turnFollower(isInRole);
  const asks = secretAsker();
  for (const turn of before) follow(turn);
  for (const turn of before) asks(turn);
  const gated: GatedSegment[] = [];
  const settled: Settled[] = [];
  let last = before.at(-1);
  for (const turn of turns) {
    const read: GatedSegment[] = [];
    const announced = follow(turn);
    const isAnswer = last !== undefined && asksOfOthers(last, turn);
    const isReply = last !== undefined && isOfAnother(last, turn) && last.content.includes('?');
    const leadBefore = last === undefined ? '' : leadOf(last.content);
    const secretAsked = asks(turn);
    last = turn;
    try {
      const { spans = [] } = takenBack?.get(turn.uuid) ?? {};
      const told = { ...announced, leadBefore, secretAsked, isAnswer, isReply };
      const of = { ...settings, ...told, takenBack: spans };
      for (const piece of gatedPieces(turn, of)) {
        read.push(piece);
        await breath.take(piece.whole.text.length);
      }
      gated.push(...read);
    } catch (error) {
      // Of the installation, as where the weights are missing: the turn waits, and is not used up.
      if (error instanceof ContextEngineError) throw error;
      settled.push(unreadable({ source_uuid: turn.uuid, start: 0, end: turn.content.length }));
    }
  }
  return { gated, settled };
}

/** `How is your sister?` asks of another, `where do you live?` of who answers. */
const asksOfOthers = (asking: BlockRow, answer: BlockRow): boolean =>
  isOfAnother(asking, answer) &&
  (asking.content.match(QUESTION) ?? []).some((asked) => !TO_YOU.test(asked));
const isOfAnother = (one: BlockRow, other: BlockRow): boolean =>
  speakerOf(one) !== speakerOf(other) || speakerName(one) !== speakerName(other);
const QUESTION = /[^.!?\n]{1,200}\?/g;
const TO_YOU =
  /\b(?:you|u|yourself)\b|\byour\b(?! (?:\w+ )?(?:sister|brother|mother|father|mom|mum|dad|wife|husband|partner|son|daughter|boyfriend|girlfriend|friend|boss|manager|colleague|flatmate|roommate|cousin|aunt|uncle|nephew|niece|neighbou?r|dog|cat)s?\b)/i;

/**
 * Of the turns before, those that a correction of these can speak of: the last ones of its
 * speaker, as many as it reaches back to, with what others said since.
 */
export async function gateBefore(
  gated: readonly GatedSegment[],
  before: readonly BlockRow[],
  settings: GateSettings,
): Promise<readonly GatedSegment[]> {
  const speakers = new Set(gated.filter(looksBack).map(({ turn }) => speakerName(turn)));
  const counts = new Map<string, number>();
  const read: (readonly GatedSegment[])[] = [];
  const breath = breathing();
  const isOpen = (speaker: string): boolean =>
    speakers.has(speaker) && (counts.get(speaker) ?? 0) < REACH - 1;
  for (const turn of [...before].reverse()) {
    const speaker = speakerName(turn);
    if (![...speakers].some(isOpen)) break;
    if (speakers.has(speaker) && !isOpen(speaker)) continue;
    const { gated: pieces } = await gateTurns([turn], settings, { breath });
    if (pieces.length === 0) continue;
    read.unshift(pieces);
    counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  }
  return read.flat();
}
