/**
 * A batch of turns before a model: the most that the call can cost is taken from the day's budget,
 * then it is asked, then its answer is kept, then it is acted on. Whoever goes on after a crash
 * finds the answer and does not ask again.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { Authority } from '../../cxri/authority.ts';
import { costOf } from '../../inference/prices.ts';
import type { ModelAnswer, StructuredModel } from '../../inference/structured-model.ts';
import type { CandidateSpan } from '../../model/capture.ts';
import type { Extraction, ExtractionKey } from '../../model/extraction.ts';
import { type Instant, type TenantId, toEpochMs, toInstant } from '../../model/ids.ts';
import type { Collection } from '../../model/manifest.ts';
import type { GatedSegment } from '../1-gate.ts';
import type { Waiting } from '../waits.ts';
import {
  ANSWER_SCHEMA,
  type ModelOutput,
  questionOf,
  readAnswer,
  repairOf,
} from './model-answer.ts';
import { askedOf, isShown, spanOf } from './model-extract.ts';

export interface ModelAsking {
  readonly tenant: TenantId;
  readonly of: ExtractionKey;
  readonly to_seq: number;
  readonly manifest: string;
  readonly capUsd: number;
  readonly collections: readonly Collection[];
  readonly model: StructuredModel;
  readonly authority: Pick<Authority, 'extractionsOf' | 'reserveExtraction' | 'settleExtraction'>;
  readonly now: () => Instant;
  readonly signal?: AbortSignal;
}

export type Asked =
  | {
      readonly outcome: 'answered';
      readonly output: ModelOutput;
      readonly segments: readonly CandidateSpan[];
    }
  /** None of the answers could be used: set aside for a review. */
  | { readonly outcome: 'unusable' }
  | { readonly outcome: 'waits'; readonly waiting: Waiting };

/** The first, one that is told what was wrong, and one more. */
const MOST_ANSWERS = 3;
const MOST_OUTPUT_TOKENS = 8000;
/** Letters of no language take more than one token each. */
const MOST_TOKENS_PER_BYTE = 1;
const GRACE_MS = 5_000;

export async function askModel(
  gated: readonly GatedSegment[],
  asking: ModelAsking,
): Promise<Asked> {
  const { authority, tenant, of, now } = asking;
  for (;;) {
    const calls = await authority.extractionsOf(tenant, of);
    const answers = calls.filter(({ state, answer }) => state === 'answered' && answer !== null);
    const read = answers.map(({ answer, segments }) => ({
      segments,
      ...readAnswer(answer ?? '', segments.length),
    }));
    const usable = read.find(({ output }) => output !== null);
    if (usable?.output)
      return { outcome: 'answered', output: usable.output, segments: usable.segments };
    if (answers.length >= MOST_ANSWERS) return { outcome: 'unusable' };
    const busy = calls.find(({ state, asked_until: until }) => state === 'asked' && until > now());
    if (busy)
      return { outcome: 'waits', waiting: { code: 'CAPTURE.BUSY', until: busy.asked_until } };
    const problem = answers.length === 1 ? (read[0]?.problem ?? null) : null;
    const waiting = await askOnce(gated.filter(isShown), { calls, problem }, asking);
    if (waiting === 'refused') return { outcome: 'unusable' };
    if (waiting) return { outcome: 'waits', waiting };
  }
}

interface Before {
  readonly calls: readonly Extraction[];
  readonly problem: string | null;
}

async function askOnce(
  shown: readonly GatedSegment[],
  { calls, problem }: Before,
  asking: ModelAsking,
): Promise<Waiting | 'refused' | null> {
  const { authority, tenant, of, model, manifest, capUsd, now, signal } = asking;
  const attempt = (calls.at(-1)?.attempt ?? 0) + 1;
  const { system, user } = questionOf(shown.map(askedOf), asking.collections);
  const asked = problem === null ? user : repairOf(user, problem);
  const most = {
    input: (Buffer.byteLength(system) + Buffer.byteLength(asked)) * MOST_TOKENS_PER_BYTE + 1000,
    output: MOST_OUTPUT_TOKENS,
  };
  const at = now();
  const most_usd = costOf(most, model.price);
  const reserved = await authority.reserveExtraction(tenant, {
    ...of,
    attempt,
    to_seq: asking.to_seq,
    segments: shown.map(spanOf),
    asked_until: toInstant(toEpochMs(at) + model.patienceMs + GRACE_MS),
    asked_at: at,
    manifest,
    model: model.model,
    day: at.slice(0, 10),
    most_usd,
    cap_usd: capUsd,
  });
  if (reserved.outcome === 'over') return { code: 'CAPTURE.BUDGET_SPENT', until: tomorrow(at) };
  if (reserved.outcome === 'taken') return null;
  const settle = (answer: ModelAnswer | null, isFree: boolean) =>
    authority.settleExtraction(tenant, {
      ...of,
      attempt,
      state: answer ? 'answered' : 'failed',
      answer: answer ? storable(answer.text) : null,
      usd: answer ? costOf(tokensOf(answer, most), model.price) : isFree ? 0 : most_usd,
      input_tokens: answer?.input_tokens ?? 0,
      output_tokens: answer?.output_tokens ?? 0,
    });
  try {
    const answer = await model.ask({
      system,
      user: asked,
      name: 'memory',
      schema: ANSWER_SCHEMA,
      mostOutputTokens: MOST_OUTPUT_TOKENS,
      ...(signal && { signal }),
    });
    await settle(answer, false);
  } catch (error) {
    const isFree = error instanceof ContextEngineError && error.meta['is_free'] === true;
    await settle(null, isFree);
    if (isOfRequest(error)) return 'refused';
    throw error;
  }
  return null;
}

/** Asked again, the same request is refused again. */
const isOfRequest = (error: unknown): boolean =>
  error instanceof ContextEngineError && error.meta['status'] === 400;

/** What the endpoint did not count is taken to be the most. */
const tokensOf = (
  { input_tokens: input, output_tokens: output }: ModelAnswer,
  most: { readonly input: number; readonly output: number },
) => ({ input: input ?? most.input, output: output ?? most.output });

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const DAY_MS = 86_400_000;
const tomorrow = (at: Instant): Instant =>
  toInstant((Math.floor(toEpochMs(at) / DAY_MS) + 1) * DAY_MS);
