/** Where a captured fact keeps its slot, so that the next statement about the same finds it. */
import type { AnyRow, FactContent, TypedRow } from './block.ts';
import type { Uuid } from './ids.ts';
import {
  type AddOperation,
  type InSlot,
  isBringing,
  type Operation,
  type UpdateOperation,
} from './operation.ts';

/**
 * Extractor and version. The marks are reserved: the write path drops them from every version that
 * capture does not write itself, so a change or a correction by hand is not captured any more.
 */
export const CAPTURED_BY = 'captured_by';
/** What is changed by hand is still about the same. */
export const SLOT = 'capture_slot';
/** Of the words that capture read: other words have another one, or none. */
export const SLOT_VALUE = 'capture_value';
/** True where other values may hold beside this one: a second pet, work on weekends. */
export const SLOT_BESIDE = 'capture_beside';

/**
 * Whether capture wrote the version by itself: what somebody wrote, changed or approved gives way
 * to no guess.
 */
export const isCaptured = ({
  metadata,
  provenance,
}: Pick<FactContent, 'metadata' | 'provenance'>): boolean =>
  isOfCapture({ metadata }) && provenance.approver_kind === undefined;

/** Whether capture made it, if a reviewer approved it since as well. */
export const isOfCapture = ({ metadata }: Pick<FactContent, 'metadata'>): boolean =>
  metadata[CAPTURED_BY] !== undefined;

/** Without the marks of capture, which are not a caller's to set. */
export function withoutCaptureMarks(operation: Operation): Operation {
  if (!isBringing(operation)) return operation;
  if (operation.table === 'memory_schema_typed') return asByHand(operation);
  if (operation.table !== 'memory_open_set') return operation;
  const { content } = operation;
  const dropped = operation.operation === 'ADD' ? MARKS : [CAPTURED_BY, SLOT_VALUE];
  const given = Object.entries(content.metadata ?? {});
  const kept = given.filter(([name]) => !dropped.includes(name));
  if (kept.length === given.length) return operation;
  return { ...operation, content: { ...content, metadata: Object.fromEntries(kept) } };
}

/** A value has its mark in its provenance. */
function asByHand<O extends TypedOperation>(operation: O): O {
  const { content } = operation;
  if (content.provenance.source_type !== CAPTURE) return operation;
  const { source_type: _claimed, ...provenance } = content.provenance;
  return { ...operation, content: { ...content, provenance } };
}
type TypedOperation = AddOperation<'memory_schema_typed'> | UpdateOperation<'memory_schema_typed'>;

/** `provenance.source_type` of what capture wrote. */
export const CAPTURE = 'capture';
/** Whether capture made the value. */
export const isCapturedValue = ({ provenance }: Pick<TypedRow, 'provenance'>): boolean =>
  provenance.source_type === CAPTURE;

const MARKS: readonly string[] = [CAPTURED_BY, SLOT, SLOT_VALUE, SLOT_BESIDE];

export interface FactSlot {
  readonly scope: Uuid;
  readonly subject: string | null;
  readonly name: string;
}
export type SlottedOperation = (
  | AddOperation<'memory_open_set'>
  | UpdateOperation<'memory_open_set'>
) &
  Required<Pick<InSlot, 'in_slot'>>;

export const isSlotted = (operation: Operation): operation is SlottedOperation =>
  (operation.operation === 'ADD' || operation.operation === 'UPDATE') &&
  operation.table === 'memory_open_set' &&
  operation.in_slot !== undefined &&
  typeof operation.content.metadata?.[SLOT] === 'string';

export const slotOf = ({ scope, content }: SlottedOperation): FactSlot => ({
  scope,
  subject: content.subject,
  name: String(content.metadata?.[SLOT]),
});

export const isInSlot = ({ table, row }: AnyRow, { scope, subject, name }: FactSlot): boolean =>
  table === 'memory_open_set' &&
  row.scope_uuid === scope &&
  row.subject === subject &&
  row.metadata[SLOT] === name;

/** Whether two facts of one slot exclude each other wherever their times meet. */
export function isEitherOr(one: AnyRow, other: AnyRow): boolean {
  if (one.table !== 'memory_open_set') return false;
  const { scope_uuid: scope, subject, metadata } = one.row;
  const name = metadata[SLOT];
  if (typeof name !== 'string' || other.table !== 'memory_open_set') return false;
  if (!isInSlot(other, { scope, subject, name })) return false;
  const { metadata: others } = other.row;
  const isBeside = metadata[SLOT_BESIDE] === true || others[SLOT_BESIDE] === true;
  return !isBeside || metadata[SLOT_VALUE] === others[SLOT_VALUE];
}
