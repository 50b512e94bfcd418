/** Slots that no statement named. */

/** Before the value, in the name of a slot that no statement named. */
export const UNNAMED = 'unnamed: ';
export const isUnnamed = (name: unknown): boolean =>
  typeof name === 'string' && name.startsWith(UNNAMED);
