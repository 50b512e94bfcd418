/** Where somebody is reached: `my number is` says a phone, and what is dead is the old one. */
import { slotOfNoun, type Token } from './match.ts';

/** The value tells which of them is meant. */
export const AMBIGUOUS: ReadonlySet<string> = new Set(['phone', 'device', 'email', 'address']);

/** A number, an address of mail, or what the noun says. */
export function reachOf(value: readonly Token[], text: string, noun: string): string {
  const said = text.slice(value[0]?.start ?? 0, value.at(-1)?.end ?? 0);
  if (said.replaceAll(/\D/g, '').length >= 5 && !/\p{L}{2}/u.test(said)) return 'phone';
  return said.includes('@') ? 'email' : noun;
}

interface Changed {
  readonly name: string;
  readonly start: number;
  readonly isChange: boolean;
  readonly isEnd: boolean;
  readonly instead?: unknown;
}
/** `My old number is dead, it's 555 0202 now`: the next clause tells of the one that is not old. */
export function ofNew<S extends Changed>(slot: S, value: readonly Token[], text: string): S {
  const { name, start, isChange, isEnd, instead } = slot;
  if (!isChange || isEnd) return slot;
  const old = CLAUSE_ENDS.test(text.slice(0, start)) ? OLD.exec(name)?.[1] : undefined;
  const noun = old ?? name;
  const listed = old !== undefined || instead ? slotOfNoun(noun.split(' ')) : null;
  const own = listed !== null && AMBIGUOUS.has(listed) ? reachOf(value, text, listed) : listed;
  return { ...slot, name: own ?? noun };
}
const OLD = /^(?:old|previous|former) (.+)$/;
const CLAUSE_ENDS = /\b(?:old|previous|former) [^,;.–—]{2,60}(?:[,;.–—]| and ) ?/i;
