/** Where a captured fact keeps its slot, so that the next statement about the same finds it. */
import type { AnyRow, FactContent } from './block.ts';
import type { Uuid } from './ids.ts';
import type { AddOperation, InSlot, Operation, UpdateOperation } from './operation.ts';

/** Extractor and version. */
export const CAPTURED_BY = 'captured_by';
export const SLOT = 'capture_slot';
export const SLOT_VALUE = 'capture_value';

/** Made by capture alone: what somebody wrote by hand gives way to no guess. */
export const isCaptured = ({ metadata }: Pick<FactContent, 'metadata'>): boolean =>
  metadata[CAPTURED_BY] !== undefined;

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
