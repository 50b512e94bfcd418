/** What the gate makes of a piece that says until when it holds. */
import type { DeclineReason, MemoryClass } from '../../model/capture.ts';
import type { Instant } from '../../model/ids.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { boundKind } from '../times/bounds.ts';
import { localDay } from '../times/dates.ts';
import { isTerseState } from './passing-form.ts';

interface Judged {
  readonly occurred_at: Instant;
  /** null = it is declined. */
  readonly memory: MemoryClass | null;
  readonly reason: DeclineReason | null;
}

/** `momentary` = over within hours; `state`, `event` = kept until then; null = as it was judged. */
export function boundedAs(
  { text }: Pick<Sentence, 'text'>,
  { memory, reason, occurred_at }: Judged,
): 'momentary' | 'state' | 'event' | null {
  if (memory !== null && !MAY_END.has(memory)) return null;
  if (reason !== null && !MAY_HOLD.has(reason)) return null;
  const kind = boundKind(text, localDay(occurred_at, 'UTC'));
  if (kind === 'moment') return 'momentary';
  if (kind === null) return null;
  if (memory === null && !isTerseState(text, kind)) return null;
  return kind === 'event' ? 'event' : 'state';
}
const MAY_END: ReadonlySet<MemoryClass> = new Set<MemoryClass>(['fact', 'preference', 'state']);
const MAY_HOLD: ReadonlySet<DeclineReason> = new Set<DeclineReason>([
  'no_claim',
  'small_talk',
  'status',
]);
