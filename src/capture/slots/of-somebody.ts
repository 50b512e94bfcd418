/** `Tom's salary is 90k`: of somebody who is named, and not the speaker's. */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';

/** `Metformin's back to 500 mg` is no possession: before these words `'s` is a verb. */
const NAMED =
  /^(?:(?:and|but|so|also|ok|okay|oh|btw|by the way|fyi|note|remember)[,:]? )*(?:(?:(\p{L}[\p{L}\p{M}-]{1,30})['’]s(?! (?:a|an|the|my|our|back|down|up|now|at|on|in|to|for|from|with|not|no|still|also|just|only|gone|been|over|out|off|about|around|\p{L}+ed|\p{L}+ing) )|(\p{L}[\p{L}\p{M}-]{1,30}s)['’]) \p{L}|(?:his|her|their) \p{L})/iu;
/** `Today's budget is 90`, `what's`, `it's` */
const NOBODY: ReadonlySet<string> = new Set([
  ...WEEKDAY_NAMES,
  ...MONTH_NAMES,
  ...'today tomorrow tonight yesterday week month year summer winter spring autumn morning evening it that what here there let who how where this he she everyone everybody'.split(
    ' ',
  ),
]);

interface Owned {
  readonly start: number;
  readonly isOwn?: boolean;
  readonly isRestated?: boolean | 'always';
}

/** As it was said, and of nobody's own, where somebody is named before the value. */
export const ownedIn = <Slot extends Owned>(slot: Slot, text: string): Slot =>
  slot.isOwn && isOfSomebody(text.slice(0, slot.start))
    ? { ...slot, isOwn: false, isRestated: false }
    : slot;

function isOfSomebody(head: string): boolean {
  const found = NAMED.exec(head);
  if (found === null) return false;
  const [, name = found[2] ?? ''] = found;
  return !NOBODY.has(name.toLowerCase());
}
