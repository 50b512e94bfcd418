/**
 * The turns of a person that ask to forget, and what of the conversation they take back: what their
 * speaker said last, or what they name. What is pasted, or said in a role, asks for nothing.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { BlockRow } from '../../model/block.ts';
import type { AnyFact } from '../../model/fact-record.ts';
import type { Uuid } from '../../model/ids.ts';
import { type GatedSegment, type GateSettings, gatedPieces } from '../1-gate.ts';
import { bareOf, type Reach, reachOf } from '../gate/off-record.ts';
import { mayBeStruck } from '../gate/struck-out.ts';
import { jestedIn } from '../gate/unstated.ts';
import { segmentsOf } from '../sentences/segments.ts';
import { shownContent } from '../sentences/shown-content.ts';
import { turnFollower } from '../voices/awaited-text.ts';
import { speakerOf } from '../voices/speaker.ts';
import { speakerKey } from '../voices/spellings.ts';
import { type Asked, askedAt, askedIn, asksNothing } from './asked-to-forget.ts';
import { isOffered } from './bare-name.ts';
import { withContinued } from './goes-on.ts';
import { isOfTask, lastSaid } from './last-said.ts';

export interface ForgetRequest {
  readonly turn: BlockRow;
  /** Of `forget I said that`; null = it names what it speaks of. */
  readonly reach: Reach | null;
  /** Where the pieces begin of a turn that asks so of what its speaker said before, and no more. */
  readonly bare: readonly number[];
  /** `Forget that I live in Rome`, `forget where I live`. */
  readonly named: Asked;
}

/** What a turn asks to forget: each version that goes. */
export interface Wanted {
  readonly turn: BlockRow;
  /** Where the sentence begins that asks. */
  readonly at: number;
  readonly goes: (version: AnyFact) => boolean;
}

const MOST_OF_REQUEST = 1000;
const ASKS =
  /forget|disregard|ignore|erase|delete|remove|wipe|clear|reset|purge|scratch|strike|\bnot\b|n['’]t\b|never|private|secret|confiden|quiet|wraps|yourself|between|record|ears only|eyes only/i;
const mayAsk = (turn: BlockRow): boolean =>
  speakerOf(turn) === 'person' && turn.content.length <= MOST_OF_REQUEST && ASKS.test(turn.content);

/** In order; `before`: turns that announce what stands in these. */
export function forgetRequests(
  turns: readonly BlockRow[],
  settings: GateSettings,
  before: readonly BlockRow[] = [],
): readonly ForgetRequest[] {
  if (!turns.some(mayAsk)) return [];
  const follow = turnFollower();
  for (const turn of before) follow(turn);
  return turns.flatMap((turn, index): readonly ForgetRequest[] => {
    const announced = follow(turn);
    if (!mayAsk(turn)) return [];
    const pieces = readablePieces(turn, { ...settings, ...announced });
    const jested = jestedIn(pieces.map(({ whole }) => whole));
    const own = pieces.filter(
      ({ voice, whole }) => !voice.isForeign && !voice.isMadeUp && !jested.has(whole.start),
    );
    const isOwnFirst = own.length > 0 && own[0] === pieces[0];
    const segments = isOwnFirst ? segmentsOf(turn.content, settings) : [];
    const reach = reachOf(segments) ?? lastSaid(segments);
    const isFirst = ![...before, ...turns.slice(0, index)].some(isOfSpeaker(turn));
    const bare = isFirst ? [] : (bareOf(segments)?.starts ?? []);
    const last = turns[index - 1] ?? before.at(-1);
    const heard = last && !isOfSpeaker(turn)(last) ? last.content : undefined;
    const isElse = (text: string) => isOfTask(text, pieces.length) || isOffered(text, heard);
    const asking = own.flatMap(({ whole }) => (isElse(whole.text) ? [] : [whole]));
    const named = askedIn(withContinued(asking));
    const isNone = reach === null && bare.length === 0 && asksNothing(named);
    return isNone ? [] : [{ turn, reach, bare, named }];
  });
}

/** None of a turn that the rules cannot read: the gate sets it aside. */
export function readablePieces(turn: BlockRow, settings: GateSettings): readonly GatedSegment[] {
  try {
    return [...gatedPieces(turn, settings)];
  } catch (error) {
    if (error instanceof ContextEngineError) throw error;
    return [];
  }
}

/** Of a turn, in UTF-16 units of its content. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
/** What of a turn is taken back, and the turn that asks for it. */
export interface TakenBack {
  readonly by: BlockRow;
  /** Where the sentence begins that asks. */
  readonly at: number;
  readonly spans: readonly Span[];
}
const ALL: Span = { start: 0, end: Number.POSITIVE_INFINITY };
/** Whether all of a turn is taken back. */
export const isWhole = ({ spans }: TakenBack): boolean => spans.includes(ALL);

/**
 * By the turn that is taken back: `forget I said that` is of the turn before of the same person,
 * whoever spoke between, `forget everything I said` of all before it; `forget that I live in Rome`
 * of each turn of theirs that says so.
 */
export function takenBackIn(
  spoken: readonly BlockRow[],
  requests: readonly ForgetRequest[],
  settings: GateSettings,
): ReadonlyMap<Uuid, TakenBack> {
  const takenBack = new Map<Uuid, TakenBack>();
  for (const { turn, reach, named } of requests) {
    const before = spoken.slice(0, spoken.indexOf(turn));
    const earlier = before.filter(isOfSpeaker(turn));
    const whole = reach === 'talk' ? earlier : earlier.slice(-1);
    for (const each of whole) {
      const isSure = reach === 'turn' || reach === 'talk';
      const isOf =
        isSure ||
        (isStatement(each, before, settings) && (reach !== 'own' || mayBeStruck(each.content)));
      if (reach !== null && isOf) takenBack.set(each.uuid, { by: turn, at: 0, spans: [ALL] });
    }
    if (asksNothing(named)) continue;
    for (const said of earlier) {
      const found = saidOf(said, named, settings);
      if (found && !takenBack.has(said.uuid)) takenBack.set(said.uuid, { by: turn, ...found });
    }
  }
  return takenBack;
}

const isOfSpeaker =
  ({ author }: BlockRow) =>
  (each: BlockRow): boolean =>
    speakerOf(each) === 'person' && speakerKey(each.author) === speakerKey(author);

/** Whether it asks for nothing, and nobody asked, offered or did anything since. */
function isStatement(turn: BlockRow, before: readonly BlockRow[], settings: GateSettings): boolean {
  const since = before.slice(before.indexOf(turn) + 1);
  if (since.some((each) => speakerOf(each) === 'person' || OFFERS.test(each.content))) return false;
  return readablePieces(turn, settings).every(
    ({ verdict }) => verdict.isKept || !ASKING.has(verdict.reason),
  );
}
/** `Forget that` declines what is offered and drops what was done; `I've noted that` is neither. */
const OFFERS = new RegExp(
  "\\?|\\b(?:let me|let us|let['’]s|shall (?:i|we)|if you(?:['’]d)? (?:like|want|wish|prefer)|" +
    "i(?:['’](?:ll|ve|m)| will| have| am)? (?!(?:will|have|am) |(?:always |also |now |just )?" +
    '(?:remember|note[ds]?\\b|noting|keep|kept|store|save|record|sorry|glad|happy|' +
    'afraid|see\\b|hope|' +
    'understand|understood|hear|appreciate))\\p{L}+)',
  'iu',
);
const ASKING: ReadonlySet<string> = new Set(['task', 'question']);

function saidOf(
  { content }: BlockRow,
  named: Asked,
  settings: GateSettings,
): Pick<TakenBack, 'at' | 'spans'> | null {
  const { text, placeOf } = shownContent(content);
  const found = segmentsOf(text, settings).flatMap(({ sentence }) => {
    const at = askedAt(sentence, named, { isSameTurn: false });
    return at === null ? [] : [{ at, start: placeOf(sentence.start), end: placeOf(sentence.end) }];
  });
  const [first] = found;
  return first ? { at: first.at, spans: found.map(({ start, end }) => ({ start, end })) } : null;
}
