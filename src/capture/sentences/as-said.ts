/** The words of a statement that stands by itself: with its subject, and of one value alone. */
import { isElliptic } from '../gate/memory-class.ts';
import { isWithoutI, PARTICIPLES } from '../slots/match.ts';
import { restated } from '../slots/restated.ts';
import type { SaidSlot } from '../slots/slot.ts';
import { type Sentence, sentenceOf, wordsOf } from './sentence.ts';

/** `New number: 555` stands by itself as `my phone is 555`; `lost my job` as `I lost my job`. */
export function asSaid(sentence: Sentence, slot: SaidSlot | null): string {
  const { words } = sentence;
  if (slot?.isRestated) return restated(slot, sentence.text);
  // `It is not Moritz, it is Clemens`
  if (slot?.instead && /^it(?:'s)?$/.test(words[0] ?? ''))
    return `${slot.said}, not ${wordsOf(slot.instead.was).join(' ')}`;
  const text = slot ? withoutTail(sentence.text, slot) : sentence.text;
  if (slot && (words[0] === 'new' || words[0] === 'current'))
    return `my ${slot.name} is ${text.slice(slot.start)}`;
  const later = slot?.instead ? laterClause(text, slot) : null;
  if (later !== null) return later;
  const isShort = slot === null ? isElliptic(sentence) : isWithoutI(words);
  if (!isShort) return text;
  const [first = '', second = ''] = words;
  const lead = PARTICIPLES.get(first === 'now' ? second : first)?.join(' ') ?? 'i';
  return `${upperFirst(lead)} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/**
 * `I sold the Corsa and bought a Yaris` is kept as `I bought a Yaris`: two names would be two
 * answers. null = the second clause does not stand by itself.
 */
function laterClause(text: string, { start, instead }: SaidSlot): string | null {
  const head = text.slice(0, start);
  const cut = Math.max(...[...head.matchAll(CLAUSE_CUT)].map((at) => at.index + at[0].length), 0);
  const [old = ''] = instead?.was.split(' ') ?? [];
  if (cut === 0 || !head.slice(0, cut).toLowerCase().includes(old)) return null;
  const rest = sentenceOf(text.slice(cut), 0);
  const [first = ''] = rest.words;
  if (/^(?:i|i'm|i've|we|we're|we've)$/.test(first)) return rest.text;
  return isWithoutI(rest.words) && !PARTICIPLES.has(first) ? `I ${rest.text}` : null;
}
const CLAUSE_CUT = /(?:[,;.:!]|\band|\bso)(?: (?:and|so|now|then)){0,3} (?=\S)/giu;

const OF_OTHERS: ReadonlySet<string> = new Set(['no', 'not', 'was', 'were', 'old', 'without']);
/**
 * `I drive a Volvo now, the Fiat was too old` is kept as `I drive a Volvo now`: what follows names
 * something else, and a reader would not know which of the two is so.
 */
function withoutTail(text: string, { said, end, isChange }: SaidSlot): string {
  const tail = text.slice(end);
  // `Kirkegata 12, Oslo` is one address.
  if (/\d/.test(said) && TOWN.test(tail)) return text;
  const cut = tail.search(/[,;](?!\d)| [-–—] /);
  if (!isChange || cut === -1) return text;
  const isOfOthers = tail
    .slice(cut + 1)
    .split(/\s/)
    .some((word) => /^[^\p{L}\d]?[\p{Lu}\d]/u.test(word) || OF_OTHERS.has(word.toLowerCase()));
  return isOfOthers ? text.slice(0, end + cut) : text;
}

const TOWN = /^, (?:\d{3,6} )?\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?[.!]?$/u;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
