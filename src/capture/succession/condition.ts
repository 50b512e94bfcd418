/**
 * How a thing is, beside what it is: `my laptop is slow` after `my laptop is a ThinkPad`, `my phone
 * is on silent` after `my phone is a Pixel`. A name, a kind or a number gives way to another one
 * only. English.
 */
import type { Said } from '../compare/likeness.ts';

/** What a thing or person of the speaker is, behind the subject's name. */
const PREDICATE =
  /['’]s? (?<noun>(?:[\p{L}\d-]+ ){0,3}?[\p{L}\d-]+) (?:is|are) (?:(?:now|still|currently|also|just|already|always|usually) )*(?<said>[^,;:!?]{1,80}?)[.! ]*$/u;
/** With the day that it was said of. */
const TIME =
  /(?: (?:now|today|tonight|right now|at the moment|currently|again|these days|this (?:morning|afternoon|evening|week))| \(\d{4}-\d{2}-\d{2}\))+$/u;
const DETERMINED = /^(?:an?|the|my|our|his|her|their|its|one|two|three|called|named)\b/u;
const PLACED = /^(?:in|on|at|under|near|by|with|from|to) /u;
const NAMES = /[\p{Lu}\d]/u;
/** Then there is no such thing any more. */
const NO_MORE =
  /^(?:gone|sold|stolen|scrapped|totall?ed|dead|lost|cancell?ed|closed|over|finished|history|ended|retired|different|another|new|no longer)\b/u;

/** Whether the first is said of the same thing as the second, and takes nothing of it away. */
export function isConditionOf(said: Said, before: Said): boolean {
  const [of, was] = [predicateOf(said), predicateOf(before)];
  if (!of || !was || of.noun !== was.noun) return false;
  return isCondition(of.said) && isIdentity(was.said);
}

function predicateOf({ content }: Said): { readonly noun: string; readonly said: string } | null {
  const groups = PREDICATE.exec(content.slice(0, MOST_READ).replace(TIME_IN_END, ''))?.groups;
  const said = groups?.['said']?.replace(TIME, '').trim() ?? '';
  return groups && said !== '' ? { noun: (groups['noun'] ?? '').toLowerCase(), said } : null;
}
const MOST_READ = 200;
const TIME_IN_END = /[.!]{1,4}$/u;

/** No capital, no number, and no thing: `slow`, `too high`, `at the garage`. */
const isCondition = (said: string): boolean =>
  !NAMES.test(said) && !DETERMINED.test(said) && !NO_MORE.test(said);
const isIdentity = (said: string): boolean =>
  (NAMES.test(said) || DETERMINED.test(said)) && (!PLACED.test(said) || NAMES.test(said));
