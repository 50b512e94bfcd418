/** The operation of a candidate: what it says, of when, by whom it was extracted. */
import type { FactContent } from '../../model/block.ts';
import { captureKey } from '../../model/capture-key.ts';
import { CAPTURE } from '../../model/fact-slot.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { InSlot, Operation } from '../../model/operation.ts';
import type { Judgement } from '../5-judge.ts';
import type { Candidate, FactCandidate, KnownFact } from '../state.ts';
import { metadataOf } from './fact-marks.ts';

export interface Extracting {
  /** Extractor and version. */
  readonly consumer: string;
  /** Of the model that extracted; null = rules. */
  readonly model: string | null;
}

/** What is written of a fact, under the id that it is to have. */
export function operationOf(
  candidate: FactCandidate,
  {
    target,
    uuid,
    judgement,
    isDirect,
    planning,
  }: {
    readonly target: Uuid;
    readonly uuid: Uuid;
    readonly judgement: Judgement;
    readonly isDirect: boolean;
    readonly planning: Extracting;
  },
): Operation {
  const base = baseOf(candidate, target, planning);
  if (judgement.operation === 'DELETE')
    return {
      ...base,
      operation: 'DELETE',
      table: 'memory_open_set',
      root_uuid: judgement.of.root_uuid,
      cause: 'change',
      valid_from: candidate.valid_from,
      reason: judgement.why,
      ...expectedOf(judgement.of, isDirect),
    };
  const content: FactContent = {
    content: candidate.content,
    subject: candidate.subject,
    category: CATEGORY[candidate.class] ?? null,
    class: candidate.class,
    importance: candidate.importance,
    confidence: candidate.confidence,
    tags: candidate.tags,
    metadata: metadataOf(candidate, { consumer: planning.consumer, judgement }),
    provenance: provenanceOf(candidate, planning),
  };
  const version = {
    ...base,
    ...sourceOf(candidate),
    ...inSlotOf(candidate),
    table: 'memory_open_set' as const,
    uuid,
    content,
    valid_from: candidate.valid_from,
    ...untilOf(candidate.valid_until),
  };
  if (judgement.operation !== 'UPDATE') return { ...version, operation: 'ADD' };
  const { of, cause, why } = judgement;
  // A correction speaks of the interval that holds its instant: that of the version it corrects.
  const valid_from = cause === 'correction' ? of.valid_from : changedAt(candidate, of);
  const { occurred_at: told } = candidate.turn;
  const isToldLater = cause === 'change' && valid_from < told && version.in_slot !== undefined;
  return {
    ...version,
    ...(isToldLater && { told_at: told }),
    operation: 'UPDATE',
    root_uuid: of.root_uuid,
    cause,
    valid_from,
    reason: why,
    ...expectedOf(of, isDirect),
  };
}

/** What waits is compared with what stands when it is proposed, by whoever reviews it. */
const expectedOf = ({ uuid }: KnownFact, isDirect: boolean) =>
  isDirect ? { expected_version: uuid } : {};

/** On the day that it names, if what it changes held by then. */
const changedAt = ({ since, valid_from }: FactCandidate, of: KnownFact): Instant =>
  since !== undefined && of.valid_from < since && since < valid_from ? since : valid_from;

/** Others may write of the slot before this is written or approved. */
const inSlotOf = ({ slot, isCorrection }: FactCandidate): InSlot =>
  slot === null || slot.isEnd ? {} : { in_slot: slot.isBeside && !isCorrection ? 'many' : 'one' };

export const baseOf = (candidate: Candidate, target: Uuid, { consumer }: Extracting) => ({
  scope: target,
  idempotency_key: captureKey({
    consumer,
    source: candidate.source_uuid,
    ordinal: candidate.ordinal,
  }),
});
export const sourceOf = ({ source_uuid, antecedent }: Candidate) => ({
  // A turn that corrects itself is one source.
  sources: [...new Set([source_uuid, antecedent?.uuid ?? source_uuid])],
});
export const untilOf = (until: Instant | null): { readonly valid_until?: Instant } =>
  until === null ? {} : { valid_until: until };

/** What an `open_set` layer selects by. */
const CATEGORY: Readonly<Partial<Record<FactCandidate['class'], string>>> = {
  preference: 'preference',
  state: 'state',
  lookup: 'lookup',
};

export const provenanceOf = (
  { source_uuid, turn, confidence }: Candidate,
  { consumer, model }: Extracting,
) => ({
  source_id: source_uuid,
  source_type: CAPTURE,
  extractor: model === null ? consumer : `${consumer}/${model}`,
  source_class:
    turn.role === 'assistant' || model !== null ? ('model' as const) : ('user' as const),
  confidence,
});
