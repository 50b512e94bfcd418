/** Of which slot the value is that follows `I changed jobs`, `I switched banks`. */
import { isTown } from '../compare/may-name.ts';
import type { Token } from './match.ts';

export const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '');

interface Switched {
  readonly noun: string | undefined;
  /** The slot of the noun. */
  readonly one: string;
}

/**
 * `I changed jobs, I'm at Acme now` names an employer, `to nursing` what one does, `I'm in Berlin
 * now` where one lives. null = none: `I changed gyms, I'm in Berlin now` names no gym.
 */
export function switchedSlot(
  { noun, one }: Switched,
  value: readonly Token[],
  text: string,
): string | null {
  const [first] = value;
  const start = first?.start ?? 0;
  const before = text.slice(0, start);
  const isName = /^\p{Lu}/u.test(text.slice(start));
  const isIn = /\bin (?:the )?$/i.test(before);
  const said = text.slice(start, value.at(-1)?.end ?? start);
  // Who moved from one home to another names a town, known or not.
  if (isIn && isName && one !== 'home' && isTown(said)) return noun === 'jobs' ? 'home' : null;
  if (noun !== 'jobs') return one;
  return (isName && !isIn) || /\b(?:at|with) (?:the )?$/i.test(before) ? 'employer' : 'occupation';
}
