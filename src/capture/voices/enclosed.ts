/**
 * What stands between marks in a turn: quotes, code in a line, comments. A statement there is
 * shown, not said. One or two words between marks are a name or a title.
 */
interface Span {
  /** UTF-16 units: of the opening mark, and behind the closing one. */
  readonly start: number;
  readonly end: number;
}

const MARKS: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['„', '“”"'],
  ['“', '”"'],
  ['”', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['‚', '‘’'],
  ['「', '」'],
  ['『', '』'],
  ['"', '"'],
  ['`', '`'],
];
const LEAST_WORDS = 3;
/** A quote that goes on for longer is a mark that was left open. */
const MOST_UNITS = 4000;

/** Whether a piece of the text is of what is enclosed. */
export type Encloses = (piece: { readonly start: number; readonly end: number }) => boolean;

export function enclosedIn(text: string): Encloses {
  const spans = spansOf(text);
  return ({ start, end }) => {
    const span = spans[lastAt(spans, start + 1)];
    if (!span) return false;
    const isInside = start > span.start + LONGEST_MARK && start < span.end - 1;
    return isInside || (start < span.end && end <= span.end + MOST_AFTER);
  };
}
const LONGEST_MARK = 4;
/** Of what follows the closing mark: a full stop. */
const MOST_AFTER = 2;

/** The last span that opens there or before; they stand in order. */
function lastAt(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  const closing = closingReader(text);
  let at = 0;
  while (at < text.length) {
    const mark = FIRSTS.has(text.charAt(at)) ? markAt(text, at) : null;
    const end = mark ? closing(at + mark[0].length, mark) : 0;
    if (mark && end > 0) {
      const inner = text.slice(at + mark[0].length, end);
      if (mark[0] === COMMENT || isStatement(inner)) spans.push({ start: at, end });
      at = end;
    } else at += 1;
  }
  return spans;
}
const COMMENT = '<!--';
const FIRSTS: ReadonlySet<string> = new Set(MARKS.map(([opening]) => opening.charAt(0)));

const isStatement = (inner: string): boolean =>
  inner.split(/\s+/, LEAST_WORDS + 2).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >=
  LEAST_WORDS;

/** Opens behind a blank or a bracket, and before what is no blank. */
function markAt(text: string, at: number): (typeof MARKS)[number] | null {
  const character = text.charAt(at);
  const found = MARKS.find(([opening]) =>
    opening.length === 1 ? opening === character : text.startsWith(opening, at),
  );
  if (!found || found[0] === COMMENT) return found ?? null;
  const isOpen = at === 0 || /[\s([{—–*_:-]/.test(text.charAt(at - 1));
  return isOpen && /\S/.test(text.charAt(at + 1) || ' ') ? found : null;
}

/**
 * Behind the mark that closes it, within the paragraph; 0 = it is left open. What was searched for
 * one mark is not searched again for the next one of its kind.
 */
function closingReader(text: string): (from: number, mark: (typeof MARKS)[number]) => number {
  const searched = new Map<string, number>();
  return (from, [opening, closing]) => {
    const last = Math.min(text.length, from + MOST_UNITS);
    let at = Math.max(from, searched.get(opening) ?? 0);
    for (; at < last; at += 1) {
      if (opening === COMMENT) {
        if (text.startsWith(closing, at)) return at + closing.length;
        continue;
      }
      // The end of the paragraph is where the search of the next one ends as well.
      if (text.startsWith('\n\n', at)) break;
      if (!closing.includes(text.charAt(at)) || /\s/.test(text.charAt(at - 1))) continue;
      if (!/[\p{L}\p{N}]/u.test(text.charAt(at + 1))) return at + 1;
    }
    searched.set(opening, at);
    return opening === COMMENT ? last : 0;
  };
}
