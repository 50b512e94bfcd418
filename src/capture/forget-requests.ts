/**
 * The turns of a person that ask to forget: what they said last, or statements that they name. What
 * is pasted, or said in a role, asks for nothing.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { BlockRow } from '../model/block.ts';
import { type GatedSegment, type GateSettings, gatedPieces } from './1-gate.ts';
import { type Asked, statementsAsked } from './asked-to-forget.ts';
import { textAwaiter } from './awaited-text.ts';
import { takesBackTurn } from './off-record.ts';
import { segmentsOf } from './segments.ts';
import { speakerOf } from './speaker.ts';

export interface ForgetRequest {
  readonly turn: BlockRow;
  /** `Forget I said that`. */
  readonly isOfLast: boolean;
  /** `Forget that I live in Rome`. */
  readonly named: Asked;
}

const MOST_OF_REQUEST = 1000;
const ASKS = /forget|disregard|ignore|erase|delete|remove/i;
const mayAsk = (turn: BlockRow): boolean =>
  speakerOf(turn) === 'person' && turn.content.length <= MOST_OF_REQUEST && ASKS.test(turn.content);

/** In order; `before`: turns that announce what stands in these. */
export function forgetRequests(
  turns: readonly BlockRow[],
  settings: GateSettings,
  before: readonly BlockRow[] = [],
): readonly ForgetRequest[] {
  if (!turns.some(mayAsk)) return [];
  const awaits = textAwaiter();
  for (const turn of before) awaits(turn);
  return turns.flatMap((turn): readonly ForgetRequest[] => {
    const isOfOthers = awaits(turn);
    if (!mayAsk(turn)) return [];
    const isOfLast = takesBackTurn(segmentsOf(turn.content, settings));
    const own = piecesOf(turn, { ...settings, isOfOthers }).flatMap(({ whole, voice }) =>
      voice.isForeign || voice.isMadeUp ? [] : [whole],
    );
    const named = statementsAsked(own);
    return isOfLast || named.size > 0 ? [{ turn, isOfLast, named }] : [];
  });
}

/** None of a turn that the rules cannot read: the gate sets it aside. */
function piecesOf(turn: BlockRow, settings: GateSettings): readonly GatedSegment[] {
  try {
    return [...gatedPieces(turn, settings)];
  } catch (error) {
    if (error instanceof ContextEngineError) throw error;
    return [];
  }
}
