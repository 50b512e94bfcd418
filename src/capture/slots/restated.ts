/** Which statements are kept as slot and value, because their words would mislead a reader. */
interface Stated {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isEnd: boolean;
  readonly isChange: boolean;
  readonly instead?: unknown;
}

/** `from Ghent to Rome` names another value beside its own. */
const BESIDE_OLD =
  /\b(?:from|instead of|replaced|no longer|anymore|any more|rather than|in for)\b/i;
const namesOld = ({ start, end }: Stated, text: string): boolean =>
  BESIDE_OLD.test(text.slice(0, start)) || BESIDE_OLD.test(text.slice(end));

/** `I switched to losartan`, `I'm at Acme now`: who asks for it uses other words. */
const isBare = ({ name }: Stated, text: string): boolean =>
  (name === 'employer' && /^(?:I['’]m|I am) (?:now )?(?:at|with) /i.test(text)) ||
  (name === 'medication' && !/\b(?:medic|take|taking)/i.test(text));

export const isToRestate = (slot: Stated, text: string): boolean =>
  slot.name !== '' &&
  !slot.isEnd &&
  slot.instead === undefined &&
  (isBare(slot, text) || (slot.isChange && namesOld(slot, text)));
