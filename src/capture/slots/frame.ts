/** A verb with the slot of its value. */
import type { ValueKind } from './values.ts';

export interface Frame {
  /** `M` in it is the noun of the form. */
  readonly slot: string;
  readonly forms: readonly string[];
  /** What the value must be; none = anything. */
  readonly of?: readonly ValueKind[];
  /** Another value at the same time is possible: only a change takes the place of it. */
  readonly isSoft?: boolean;
  readonly isChange?: boolean;
  /** Says it only of a thing that is known. */
  readonly isOfKnown?: boolean;
  /** Its words say who did it: what holds is kept as slot and value. */
  readonly isRestated?: boolean;
}

export const frame = (
  slot: string,
  forms: string,
  { of, ...more }: { readonly of?: string } & Omit<Frame, 'slot' | 'forms' | 'of'> = {},
): Frame => ({
  slot,
  forms: forms.split(' | '),
  ...(of !== undefined && { of: of.split(' ') as readonly ValueKind[] }),
  ...more,
});
