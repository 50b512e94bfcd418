/**
 * Arguments of a call as they are sent. Where all of them are too long, what is sent is still an
 * object with the names that it had: texts, lists and objects are cut, and say so by `…`.
 */
import { visibleText } from '../text/visible-text.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Signs of a text that are kept, from much to little. */
const LENGTHS = [120, 90, 60, 40, 24, 12, 6, 3, 1];
/** Of so many signs, one entry of a list or an object. */
const SIGNS_AN_ENTRY = 6;
const LEAST_ENTRIES = 2;
/** Deeper ones are left out: a bound on the work, and on the stack. */
const MOST_DEEP = 100;
const CUT = '…';

/** Nothing invisible in any text or name. */
export const visibleArguments = (given: Arguments): Arguments =>
  objectWith(given, { signs: Number.POSITIVE_INFINITY, depth: 0 });

/** The most of them that is accepted as JSON; else none. Of each text the same is kept. */
export function shortArguments(given: Arguments, isAccepted: (json: string) => boolean): Arguments {
  for (const signs of LENGTHS) {
    const short = objectWith(given, { signs, depth: 0 });
    if (isAccepted(JSON.stringify(short))) return short;
  }
  return {};
}

interface Limit {
  readonly signs: number;
  readonly depth: number;
}

function valueWith(value: unknown, limit: Limit): unknown {
  if (typeof value === 'string') return textWith(value, limit);
  if (typeof value !== 'object' || value === null) return value;
  if (limit.depth >= MOST_DEEP) return CUT;
  const inner = { ...limit, depth: limit.depth + 1 };
  if (!Array.isArray(value)) return objectWith(value as Arguments, inner);
  const most = entriesOf(limit);
  const kept = value.slice(0, most).map((entry) => valueWith(entry, inner));
  return value.length > most ? [...kept, CUT] : kept;
}

function objectWith(given: Arguments, limit: Limit): Arguments {
  const entries = Object.entries(given);
  const most = entriesOf(limit);
  const kept = entries
    .slice(0, most)
    .map(([name, value]): [string, unknown] => [textWith(name, limit), valueWith(value, limit)]);
  return Object.fromEntries(entries.length > most ? [...kept, [CUT, CUT]] : kept);
}

const entriesOf = ({ signs }: Limit): number =>
  Math.max(LEAST_ENTRIES, Math.floor(signs / SIGNS_AN_ENTRY));

function textWith(text: string, { signs }: Limit): string {
  // What cannot be seen may stand between what can, but no text is read for a few of its signs.
  const read = text.length > 2 * signs ? text.slice(0, 2 * signs) : text;
  const shown = visibleText(read);
  if (read.length === text.length && shown.length <= signs) return shown;
  return `${shown.slice(0, signs)}${CUT}`.toWellFormed();
}
