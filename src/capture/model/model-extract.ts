/**
 * Stage 2 with a model: candidates of what it answered about the pieces that the gate let through.
 * Nothing of it is anyone's direct statement, so all of it waits for a review.
 */
import type { Code } from '../../codes/code-table.ts';
import type { BlockRow } from '../../model/block.ts';
import type { CandidateSpan } from '../../model/capture.ts';
import type { Collection } from '../../model/manifest.ts';
import { readTerms } from '../../text/terms.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { GatedSegment } from '../1-gate.ts';
import { readingOf } from '../compare/likeness.ts';
import { speakerName } from '../compare/said-before.ts';
import { CORRECTION_IMPORTANCE, IMPORTANCE } from '../importance.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { topicTags } from '../sentences/topic-tags.ts';
import { plainSlot, type Slot, slotOf } from '../slots/slot.ts';
import { type Candidate, declinedAs, type Settled, type Stage } from '../state.ts';
import { boundIn } from '../times/bounds.ts';
import { endOfDay, lastDay, localDay, withDays } from '../times/dates.ts';
import { zoneOf } from '../times/time-zone.ts';
import { isTtlImpossible, ttlEnd, withoutTtl } from '../times/ttl.ts';
import { readValue } from '../typed/typed-values.ts';
import { speakerOf } from '../voices/speaker.ts';
import type { AskedSegment, ModelFact, ModelOutput, ModelProperty } from './model-answer.ts';

export interface ModelSettings {
  readonly collections: readonly Collection[];
  readonly timeZone: string;
  readonly mostPerTurn: number;
}

/** Never shown to a model: what the gate declines for what it is, not for what it says. */
const HIDDEN: ReadonlySet<string> = new Set([
  'role',
  'secret',
  'code',
  'diff',
  'trace',
  'output',
  'quoted',
  'composed',
  'never',
]);

export const isShown = ({ verdict }: GatedSegment): boolean =>
  verdict.isKept || !HIDDEN.has(verdict.reason);

export const spanOf = ({ turn, whole }: GatedSegment): CandidateSpan => ({
  source_uuid: turn.uuid,
  start: whole.start,
  end: whole.end,
});

export const askedOf = ({ turn, whole }: GatedSegment): AskedSegment => ({
  speaker: turn.author ?? (speakerOf(turn) === 'assistant' ? 'assistant' : 'the user'),
  said: turn.occurred_at,
  text: whole.text,
});

const keyOf = ({ source_uuid: uuid, start, end }: CandidateSpan): string =>
  `${uuid}/${start}/${end}`;

/** `segments`: what the numbers of the answer name; a piece that was withdrawn since is none. */
export function modelCandidates(
  gated: readonly GatedSegment[],
  answered: { readonly output: ModelOutput; readonly segments: readonly CandidateSpan[] },
  settings: ModelSettings,
): Stage<Candidate> {
  const going: Candidate[] = [];
  const settled: Stage<Candidate>['settled'][number][] = [];
  const bySpan = new Map(gated.map((segment) => [keyOf(spanOf(segment)), segment]));
  const perTurn = new Map<string, number>();
  const used = new Set<GatedSegment>();
  const pieceOf = (number: number): GatedSegment | undefined => {
    const span = answered.segments[number];
    return span && bySpan.get(keyOf(span));
  };
  const { facts, properties } = answered.output;
  for (const said of [...facts, ...properties]) {
    const segment = pieceOf(said.segment);
    if (!segment) continue;
    used.add(segment);
    const span = spanOf(segment);
    if (isTtlImpossible(segment.whole.text)) {
      settled.push(declinedAs(span, 'impossible_ttl'));
      continue;
    }
    const ordinal = perTurn.get(span.source_uuid) ?? 0;
    if (ordinal >= settings.mostPerTurn) {
      settled.push(declinedAs(span, 'too_many'));
      continue;
    }
    const common = { ...span, ...commonOf(segment.turn, said, ordinal) };
    const made =
      'content' in said
        ? groundedFact(said, segment, { settings, common })
        : propertyOf(said, { segment, settings, common });
    const memory = 'content' in said ? said.class : 'typed';
    if (made === null) settled.push(declinedAs(span, 'not_grounded', memory));
    else {
      going.push(made);
      perTurn.set(span.source_uuid, ordinal + 1);
    }
  }
  for (const number of answered.output.unusable) {
    const segment = number === null ? undefined : pieceOf(number);
    if (segment) used.add(segment);
    const span = segment ? spanOf(segment) : nowhereIn(answered.segments);
    if (span && (segment || number === null)) settled.push(unusableAt(span));
  }
  for (const segment of gated)
    if (!used.has(segment)) settled.push(declinedAs(spanOf(segment), reasonOf(segment)));
  return { going, settled };
}

/** An entry that names no piece stands at the beginning of the first that was shown. */
function nowhereIn([first]: readonly CandidateSpan[]): CandidateSpan | undefined {
  return first && { source_uuid: first.source_uuid, start: first.start, end: first.start };
}

/** A piece of which no answer could be used, by its place: a retry asks for it again. */
export const unusableAt = (span: CandidateSpan): Settled => ({
  ...declinedAs(span, 'no_claim'),
  outcome: 'failed',
  reason: 'CAPTURE.ANSWER_UNUSABLE' satisfies Code,
});

const reasonOf = ({ verdict }: GatedSegment) => (verdict.isKept ? 'no_claim' : verdict.reason);

const commonOf = (
  turn: BlockRow,
  { subject, confidence }: Pick<ModelFact, 'subject' | 'confidence'>,
  ordinal: number,
) => ({
  turn,
  ordinal,
  subject: subject.trim(),
  isDirect: false,
  isCorrection: false,
  confidence,
  valid_from: turn.occurred_at,
});

/** null: the piece says the contrary, in nearly the same words. */
const groundedFact = (
  said: ModelFact,
  segment: GatedSegment,
  { settings, common }: Pick<PropertyParts, 'settings' | 'common'>,
): Candidate | null =>
  deniesOtherwise(said.content, segment.whole.text)
    ? null
    : { ...common, ...factOf(said, segment, settings) };

/** `Ada does not live in Bern`, of `I live in Bern`; and the other way round. */
function deniesOtherwise(content: string, said: string): boolean {
  const [isTold, isSaid] = [content, said].map(
    (text) => readingOf({ content: text }).negations.length > 0,
  );
  if (isTold === isSaid) return false;
  if (isTold === true) return !DENIES_BY_VERB.test(said);
  return !SAYS_BOTH.test(said) && !DENIES_BY_VERB.test(content);
}
/** `I stopped eating meat`: Ada no longer does; `I'm not a fan of olives`: Ada dislikes them. */
const DENIES_BY_VERB =
  /\b(?:stop\w*|quit|ga?ve up|given? up|left|avoid\w*|dislik\w*|unable|lacks?|hat(?:e|es|ed)|refus\w*|cancel\w*|sold|lost|free of|used to|former\w*|instead)\b/i;
/** Of what is and what is not: `not in Bern but in Rome`, `I don't eat meat, I'm vegan`. */
const SAYS_BOTH = /[,;:—–]|\b(?:but|and|because|so|since|rather|instead|only|until|before|if)\b/i;

function factOf(said: ModelFact, segment: GatedSegment, settings: ModelSettings) {
  const { turn, whole } = segment;
  const timeZone = zoneOf(turn, settings.timeZone);
  const until = ttlEnd(segment, settings);
  const today = localDay(turn.occurred_at, timeZone);
  const content = withDays(withoutTtl(visibleText(said.content).trim()), today);
  const slot = slotIn({ content, subject: said.subject.trim() }, segment);
  const isCorrection = isCorrecting(segment, slot);
  return {
    kind: 'fact' as const,
    class: said.class,
    content,
    importance: isCorrection ? CORRECTION_IMPORTANCE : IMPORTANCE[said.class],
    tags: topicTags(said.class, content),
    slot,
    isCorrection,
    valid_until:
      until === null && said.class === 'state'
        ? endOfDay(boundIn(whole.text, today)?.to ?? lastDay(whole.text, today), timeZone)
        : until,
  };
}

/**
 * The slot that the piece speaks of, where the answer says its value of the speaker: what a model
 * words anew takes the place of what was known, as the words themselves would.
 */
function slotIn(
  { content, subject }: { readonly content: string; readonly subject: string },
  { turn, sentence, verdict }: GatedSegment,
): Slot | null {
  const slot = verdict.isKept && subject === speakerName(turn) ? slotOf(sentence) : null;
  if (
    slot === null ||
    !` ${wordsOf(content).join(' ')} `.includes(` ${wordsOf(slot.value).join(' ')} `)
  )
    return null;
  return plainSlot(slot);
}

const isCorrecting = ({ verdict }: GatedSegment, slot: Slot | null): boolean =>
  slot !== null && verdict.isKept && verdict.isCorrection && slot.isChange !== true;

interface PropertyParts {
  readonly segment: GatedSegment;
  readonly settings: ModelSettings;
  readonly common: CandidateSpan & ReturnType<typeof commonOf>;
}

/** null: no such property, no value of its type, or none that the piece says. */
function propertyOf(
  said: ModelProperty,
  { segment, settings, common }: PropertyParts,
): Candidate | null {
  const collection = settings.collections.find(({ name }) => name === said.collection);
  const property =
    collection && Object.hasOwn(collection.properties, said.property)
      ? collection.properties[said.property]
      : undefined;
  const text = shownValue(said.value);
  if (!collection || !property || text === null) return null;
  const { turn, whole } = segment;
  const value = readValue(
    text,
    property,
    localDay(turn.occurred_at, zoneOf(turn, settings.timeZone)),
  );
  if (value === null) return null;
  const isOwnWord = property.type === 'option' || property.type === 'bool';
  const spoken = new Set(readTerms(whole.text).terms);
  if (!isOwnWord && !readTerms(text).terms.every((term) => spoken.has(term))) return null;
  return {
    ...common,
    kind: 'typed',
    class: 'typed',
    typed: { collection: collection.name, property: property.name, value },
    valid_until: ttlEnd(segment, settings),
  };
}

const shownValue = (json: string): string | null => {
  const text = textOf(json);
  return text === null ? null : visibleText(text);
};

/** The value as it would be said. */
function textOf(json: string): string | null {
  let value: unknown = json;
  try {
    value = JSON.parse(json);
  } catch {
    // A text without its quotes.
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ');
  return null;
}
