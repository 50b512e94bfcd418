/**
 * Stage 2: candidates of what the gate kept, without a model: typed values by the patterns of the
 * collections, and statements made from sentences.
 */
import type { BlockRow } from '../model/block.ts';
import type { Instant } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import type { GatedSegment } from './1-gate.ts';
import { atOnce } from './breath.ts';
import { endingsOf, withEndings } from './compare/ending-candidates.ts';
import { knownMeant } from './compare/known-meant.ts';
import { fewAs, type Heard, meantBefore, slotMeant } from './compare/meant-before.ts';
import {
  type Antecedent,
  isListedWith,
  isOwnCorrection,
  type SaidBefore,
  saidBefore,
} from './compare/said-before.ts';
import { isNextTo, spokenAs } from './compare/spoken-between.ts';
import { isOrder, liftsSafeguard } from './gate/orders.ts';
import { CORRECTION_IMPORTANCE, IMPORTANCE } from './importance.ts';
import { asSaid } from './sentences/as-said.ts';
import { isUntrue } from './sentences/corrects-itself.ts';
import { type Sentence, sentenceOf } from './sentences/sentence.ts';
import { toStatement, upperFirst, withStop } from './sentences/statement.ts';
import { topicTags } from './sentences/topic-tags.ts';
import { isDislike } from './slots/restricted.ts';
import { plainSlot, type SaidSlot, slotOf } from './slots/slot.ts';
import {
  type Candidate,
  type Corrects,
  declinedAs,
  type FactCandidate,
  type Stage,
  type TypedClaim,
  unreadable,
} from './state.ts';
import type { Bound } from './times/bounds.ts';
import { endOfDay, localDay, pastDay, startOfDay, withDays } from './times/dates.ts';
import {
  dayHeldFrom,
  heldBetween,
  isLately,
  isOfAnotherTime,
  lastDayHeld,
  standsBeside,
} from './times/held-when.ts';
import { zoneOf } from './times/time-zone.ts';
import { ttlEnd, withoutTtl } from './times/ttl.ts';
import { claimsInstead } from './typed/typed-corrected.ts';
import { meantOf, type TypedAntecedent } from './typed/typed-meant.ts';
import { typedClaims } from './typed/typed-patterns.ts';
import { isTakenAlone, isTypedTaken } from './voices/at-its-word.ts';
import { speakerOf, spokenName } from './voices/speaker.ts';
import { isInstruction, type Voice } from './voices/voice.ts';

export interface ExtractSettings {
  readonly collections: readonly Collection[];
  readonly timeZone: string;
  /** Candidates of one turn; more are a sign of text that is no talk. */
  readonly mostPerTurn: number;
}

/** `before`: pieces of the turns before these; a correction may speak of them. */
export const extractCandidates = (
  gated: readonly GatedSegment[],
  settings: ExtractSettings,
  before: readonly GatedSegment[] = [],
): Stage<Candidate> => atOnce(extractSteps(gated, settings, before));

/** The same, piece by piece: each step is the characters that it read. */
export function* extractSteps(
  gated: readonly GatedSegment[],
  settings: ExtractSettings,
  before: readonly GatedSegment[],
): Generator<number, Stage<Candidate>> {
  const going: Candidate[] = [];
  const settled: Stage<Candidate>['settled'][number][] = [];
  const perTurn = new Map<string, number>();
  const all = [...before, ...gated];
  const extracting = {
    ...{ settings, said: saidBefore(all), heard: saidBefore<Heard>(all) },
    ...{ typed: saidBefore<TypedAntecedent>(all), all },
  };
  for (const segment of before) foundIn(segment, extracting);
  for (const segment of gated) {
    const { turn, verdict, whole } = segment;
    yield whole.text.length;
    const span = spanOf(segment);
    const found = foundIn(segment, extracting);
    if (found === null || found === 'ambiguous') {
      settled.push(found === null ? unreadable(span) : declinedAs(span, found));
      continue;
    }
    const ordinal = perTurn.get(turn.uuid) ?? 0;
    if (found.length === 0)
      settled.push(declinedAs(span, verdict.isKept ? 'no_claim' : verdict.reason));
    else if (ordinal + found.length > settings.mostPerTurn)
      settled.push(declinedAs(span, 'too_many'));
    else {
      going.push(...found.map((each, index) => ({ ...each, ordinal: ordinal + index })));
      perTurn.set(turn.uuid, ordinal + found.length);
    }
  }
  return { going, settled };
}

/** null = it could not be read: it is set aside alone, and the turns after it are captured. */
function foundIn(segment: GatedSegment, extracting: Extracting): Found | null {
  try {
    return candidatesOf(segment, extracting);
  } catch {
    return null;
  }
}

const spanOf = ({ turn, whole }: GatedSegment) => ({
  source_uuid: turn.uuid,
  start: whole.start,
  end: whole.end,
});

/** Whether a correction in it may speak of a turn before it. */
export const looksBack = ({ verdict }: GatedSegment): boolean =>
  verdict.isKept && (verdict.isCorrection || verdict.isDenial === true);

interface Extracting {
  readonly settings: ExtractSettings;
  readonly said: SaidBefore;
  /** Statements with a slot and without one. */
  readonly heard: SaidBefore<Heard>;
  /** Values of properties. */
  readonly typed: SaidBefore<TypedAntecedent>;
  readonly all: readonly GatedSegment[];
}

/** A sentence that no rule of the gate keeps can still be the value of a property. */
const MAY_BE_TYPED: ReadonlySet<string> = new Set(['no_claim', 'small_talk', 'task']);

/** What is stated, and what it is said of. */
interface Statement {
  readonly sentence: Sentence;
  readonly slot: SaidSlot | null;
  readonly antecedent: Antecedent | Heard | null;
  readonly isCorrection: boolean;
  readonly valid_from: Instant;
  /** Of the turn whose words the days are of. */
  readonly today: number;
  /** null = it names no end. */
  readonly bound: Bound | null;
  /** Of a correction in few words: the class of what it corrects, and how that is found. */
  readonly class?: Heard['class'];
  readonly corrects?: Corrects;
  /** Of a correction in few words: what it corrects waits. */
  readonly isHeld?: boolean;
}
type Found = readonly Candidate[] | 'ambiguous';

function candidatesOf(segment: GatedSegment, extracting: Extracting): Found {
  const { stated, common, made } = statedIn(segment, extracting);
  if (common === undefined) return stated ?? made;
  const ending = { ...stated, common, count: made.length };
  return withEndings(made, endingsOf(segment, ending, extracting.settings));
}

interface Made {
  readonly stated: Statement;
  readonly common: FactParts['common'];
  readonly made: readonly Candidate[];
}

interface Unstated {
  readonly stated: 'ambiguous' | null;
  readonly common?: never;
  readonly made: readonly Candidate[];
}

function statedIn(segment: GatedSegment, extracting: Extracting): Made | Unstated {
  const { settings, said, heard } = extracting;
  const { turn, whole, verdict, voice } = segment;
  const isPerson = speakerOf(turn) === 'person';
  const stated = isPerson ? statementOf(segment, extracting) : plainly(segment, settings);
  if (stated === 'ambiguous') return { stated, made: [] };
  if (stated === null) return { stated, made: typedMeant(segment, extracting) };
  const { sentence, slot, antecedent, isCorrection, valid_from } = stated;
  if (slot && verdict.isKept) said.add({ turn, sentence, slot, valid_from });
  const common = {
    ...spanOf(segment),
    turn,
    antecedent: antecedent?.turn ?? null,
    ordinal: 0,
    subject: turn.author ?? 'user',
    valid_from,
    isCorrection,
    valid_until: ttlEnd(segment, settings),
  };
  const isTaken = !stated.isHeld && isTypedTaken(segment);
  if (isPerson && !voice.isMadeUp && (verdict.isKept || MAY_BE_TYPED.has(verdict.reason))) {
    const zone = zoneOf(turn, settings.timeZone);
    const claims = typedClaims(stated, settings.collections).map(({ claim, from }) => ({
      claim,
      valid_from: from === null ? valid_from : startOfDay(from, zone),
    }));
    for (const each of claims) extracting.typed.add({ turn, sentence, ...each, isDirect: isTaken });
    const made = claims.map((each) =>
      typedOf(each.claim, { ...common, valid_from: each.valid_from }, isTaken),
    );
    if (made.length > 0) {
      const memory = verdict.isKept ? verdict.class : 'fact';
      const of = { class: memory, content: null, isDirect: isTaken };
      if (slot) heard.add({ turn, sentence, slot, valid_from, ...of });
      return { stated, common, made };
    }
  }
  if (!verdict.isKept) return { stated, common, made: [] };
  const zone = zoneOf(turn, settings.timeZone);
  const made = factOf({ turn, stated, whole, verdict, voice, common, zone });
  const { class: memory, content, isDirect } = made;
  if (isPerson) heard.add({ turn, sentence, slot, valid_from, class: memory, content, isDirect });
  const typed = claimsInstead(stated, settings.collections);
  return { stated, common, made: [made, ...typed.map((claim) => typedOf(claim, common, isTaken))] };
}

const typedOf = (typed: TypedClaim, common: FactParts['common'], isDirect: boolean): Candidate => ({
  ...common,
  kind: 'typed',
  class: 'typed',
  typed,
  isDirect,
  confidence: 1,
});

/** A correction of a value that no slot is of. */
function typedMeant(
  segment: GatedSegment,
  { settings, typed, all }: Extracting,
): readonly Candidate[] {
  const { turn, sentence } = segment;
  const meant = meantOf(segment, settings, typed);
  if (meant === null || !isNextTo(meant.spoken, segment, all)) return [];
  const { claim, of, valid_from } = meant;
  const isDirect = meant.isDirect && isTypedTaken(segment);
  typed.add({ turn, sentence, claim, valid_from, isDirect });
  const common = {
    ...{ ...spanOf(segment), turn, antecedent: of, ordinal: 0 },
    ...{ subject: turn.author ?? 'user', valid_from, valid_until: null, isCorrection: true },
  };
  return [typedOf(claim, common, isDirect)];
}

function plainly(
  { turn, sentence, verdict }: GatedSegment,
  { timeZone }: ExtractSettings,
): Statement {
  const zone = zoneOf(turn, timeZone);
  const today = localDay(turn.occurred_at, zone);
  const bound = verdict.isKept
    ? heldBetween(sentence.text, { memory: verdict.class, today })
    : null;
  const from = bound?.from ?? null;
  return {
    sentence,
    slot: null,
    antecedent: null,
    isCorrection: verdict.isKept && verdict.isCorrection,
    valid_from: from === null ? turn.occurred_at : startOfDay(from, zone),
    today,
    bound,
  };
}

/** `I'm working from Lisbon for six weeks` takes the place of nothing that lasts. */
const isForATime = ({ bound }: Statement): boolean => bound !== null && !bound.isEvent;

/** null: a correction of nobody knows what. */
function statementOf(
  segment: GatedSegment,
  { settings, said, heard, all }: Extracting,
): Statement | 'ambiguous' | null {
  const { turn, sentence, verdict, whole } = segment;
  const plain = plainly(segment, settings);
  if (verdict.isKept && verdict.isElliptic) return fewWordsOf(segment, { settings, heard, all });
  const own = slotOf(sentence);
  if (!own || isOfAnotherTime(sentence, own, plain.today) || isForATime(plain)) return plain;
  // Of an address a slot would have the scheme alone for its value.
  if (verdict.isKept && verdict.class === 'lookup' && own.value.startsWith('http')) return plain;
  const listed = said.find(turn, (each) => isListedWith(each, { turn, sentence, slot: own }));
  const slot = listed && !plain.isCorrection ? { ...own, isBeside: true } : own;
  const isDenial = verdict.isKept && verdict.isDenial === true;
  const isOfSlot = (each: Antecedent): boolean => each.slot.name === slot.name;
  const antecedent = isDenial || plain.isCorrection ? said.find(turn, isOfSlot) : null;
  const stated = { ...plain, sentence: withoutDenied(sentence, slot), slot };
  if (antecedent && antecedent.slot.value !== slot.value)
    return { ...stated, isCorrection: true, valid_from: antecedent.valid_from };
  const day = dayHeldFrom(sentence.text, slot, plain.today);
  return {
    ...stated,
    isCorrection: (plain.isCorrection || slot.not !== null) && (!slot.isChange || isUntrue(whole)),
    valid_from: day === null ? plain.valid_from : startOfDay(day, zoneOf(turn, settings.timeZone)),
  };
}

/** The statement before it, with the value that was meant. */
function fewWordsOf(
  segment: GatedSegment,
  { settings, heard, all }: Pick<Extracting, 'settings' | 'heard' | 'all'>,
): Statement | 'ambiguous' | null {
  const { turn, sentence: correction, whole, verdict, voice } = segment;
  const isWeak = verdict.isKept && verdict.isWeak === true;
  if (!isOwnCorrection(segment) || (isWeak && voice.isForeign)) return null;
  const few = fewAs(correction, whole, isWeak);
  const meant = meantBefore(few, heard.all(turn));
  if (meant === 'ambiguous') return meant;
  if (meant === null) {
    const known = knownMeant(segment, all);
    return known && { ...plainly(segment, settings), ...known, isCorrection: true };
  }
  if (!isNextTo(spokenAs(meant.antecedent, correction), segment, all)) return 'ambiguous';
  const { antecedent, sentence, corrects } = meant;
  heard.drop(antecedent);
  const { valid_from, class: memory } = antecedent;
  const today = localDay(antecedent.turn.occurred_at, zoneOf(antecedent.turn, settings.timeZone));
  return {
    ...{ sentence, slot: slotMeant(meant), antecedent, isCorrection: true, valid_from, today },
    ...{ bound: null, class: memory, corrects, isHeld: !antecedent.isDirect },
  };
}

/** `I live in Rome, not in Ghent` is kept as `I live in Rome`. */
const withoutDenied = (sentence: Sentence, { not, end }: SaidSlot): Sentence =>
  not === null ? sentence : sentenceOf(sentence.text.slice(0, end), sentence.start);

/** What has a slot that lasts is like that, and leaves it as it is. */
const isBesideLasting = (stated: Statement): boolean =>
  isForATime(stated) && slotOf(stated.sentence) !== null;

interface FactParts {
  readonly turn: BlockRow;
  readonly whole: Sentence;
  readonly stated: Statement;
  readonly verdict: Extract<GatedSegment['verdict'], { isKept: true }>;
  readonly voice: Voice;
  readonly zone: string;
  readonly common: Omit<
    FactCandidate,
    'kind' | 'class' | 'content' | 'importance' | 'tags' | 'slot' | 'isDirect' | 'confidence'
  >;
}

function factOf({ turn, stated, whole, verdict, voice, common, zone }: FactParts): FactCandidate {
  const { sentence, slot, today, bound } = stated;
  const memory = stated.class ?? verdict.class;
  const isPerson = speakerOf(turn) === 'person';
  const name = spokenName(turn.author);
  const written = (text: string): string => {
    const dated = withDays(withoutTtl(text), today);
    return withStop(
      isPerson && !IMPERATIVE.has(memory)
        ? toStatement(dated, name, memory === 'preference')
        : upperFirst(dated),
    );
  };
  const instructs = isInstruction(memory) || isOrder(whole.text);
  const mayTake = isPerson && !liftsSafeguard(whole.text);
  const own = { sentence, slot: slot ?? slotOf(sentence) };
  const since = slot === null ? pastDay(sentence.text, today) : null;
  const last = lastDayHeld(sentence.text, { slot, bound, memory }, today);
  return {
    ...common,
    kind: 'fact',
    class: memory,
    content: written(asSaid(sentence, slot)),
    ...(slot?.isEnd && { whole: written(sentence.text) }),
    ...(since !== null && { since: startOfDay(since, zone) }),
    ...(slot?.isChange &&
      isLately(common.valid_from, turn.occurred_at) && { told_at: turn.occurred_at }),
    importance: stated.isCorrection ? CORRECTION_IMPORTANCE : IMPORTANCE[memory],
    confidence: 1,
    tags: topicTags(memory, sentence.text),
    slot: slot && plainSlot(slot),
    isDirect: mayTake && !stated.isHeld && isTakenAlone({ ...own, instructs, voice, verdict }),
    valid_until: common.valid_until ?? (last === null ? null : endOfDay(last, zone)),
    ...(verdict.isElseNone && { isElseNone: true }),
    ...(stated.corrects && { corrects: stated.corrects }),
    ...((verdict.isCorrection || verdict.isDenial) &&
      !stated.isCorrection && { correctsWhen: true }),
    ...((slot === null || slot.isEnd || isDislike(slot)) &&
      (standsBeside(sentence, today) || isBesideLasting(stated)) && { isBeside: true }),
  };
}

/** Written as instructions, not as statements about the speaker. */
const IMPERATIVE: ReadonlySet<string> = new Set(['rule', 'procedure', 'lesson', 'lookup']);
