/** `One of my cats died`, `two of my bikes were stolen`: how many of several are gone. English. */
import * as life from './life-ends.ts';

const N = '(?<n>one|two|three|four|five|six|both|all)';
const THINGS = '(?:of )?(?:my|our) (?<noun>(?:[\\p{L}-]+ )?[\\p{L}-]{3,20})';
const TO_WHOM = '(?: (?:to|for|on|via|through) [^,;]{2,40})?';
const form = (source: string): RegExp => new RegExp(`^ ${life.LEAD}${source}${life.WHEN} $`, 'u');
const FORMS: readonly RegExp[] = [
  form(`${N} ${THINGS} ${life.GONE}${life.HOW}`),
  form(`${N} ${THINGS} ${life.RAN}`),
  form(`${N} ${THINGS} (?:has been|have been|was|were|got|is) ${life.TAKEN}`),
  form(
    `${life.WHO}(?:lost|sold|got rid of|had to put down|scrapped|${life.GAVE_AWAY}) ${N} ${THINGS}${TO_WHOM}`,
  ),
  form(`${life.WHO}gave ${N} ${THINGS} (?:away${TO_WHOM}|to [^,;]{2,40})`),
  form(`(?:someone|somebody|they|thieves) (?:stole|nicked) ${N} ${THINGS}`),
];

/** `plain`: its words between single spaces. null = it tells of none. */
export function oneGone(plain: string): life.LifeEnd | null {
  if (plain.length > MOST_CHARS) return null;
  for (const pattern of FORMS) {
    const { n, noun } = pattern.exec(plain)?.groups ?? {};
    if (n !== undefined && noun !== undefined)
      return { kind: 'life', of: 'several', words: noun.split(' '), count: n };
  }
  return null;
}
const MOST_CHARS = 120;
