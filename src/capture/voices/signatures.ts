/**
 * Who signs the last line of a turn: `- Bob`, `— Bob Jones, CEO`, `/Bob`, `(Bob)`, `sent by Bob`,
 * or the name alone. A list of names is no signature, and neither is the end of a sentence.
 */
import { isNameAlone } from './name-lines.ts';

/** A line that is shown, and whether an empty one stands above it. */
export interface SignedLine {
  readonly text: string;
  readonly isApart: boolean;
}

const NAME = "\\p{L}[\\p{L}\\p{M}.'’-]{0,30}(?: \\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}){0,2}";
const POSITION = '(?:,? (?!\\p{Ll}).{1,40}|, .{1,40})?';
const MARKED = new RegExp(`^[-–—~*/]{1,3} ?(${NAME})${POSITION}$`, 'u');
const BEHIND = new RegExp(`[.!?]["”’)]? +(?:[-–—~]{1,3} ?|/)(${NAME})(?:, .{1,40})?$`, 'u');
const BRACKETED = new RegExp(`[.!?]["”’]? +[([](${NAME})[)\\]]$`, 'u');
const SENT_BY = new RegExp(
  `(?:^|[.!?]["”’)]? +)[-–—~]{0,3} ?(?:sent |written |posted |said )?(?:by|from|von) (${NAME})\\.?$`,
  'u',
);
const TITLED = /^(\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){1,2})$/u;
const TITLE =
  /^\p{Lu}.{0,60}\b(?:CEO|CTO|CFO|COO|VP|Head|Director|Manager|Engineer|Founder|Team|Sales|Support|Inc|Ltd|GmbH|AG|LLC|Corp|Leiter(?:in)?|Geschäftsführer(?:in)?)\b|^(?:CEO|CTO|CFO|COO|VP|Head|Director|Manager|Founder)\b/u;
const OWN = /\b(?:I|I['’]\p{L}+|my|our|we)\b/u;
const MOST_LINE = 300;

/** The name that stands there; null = the line signs nothing. */
export function signatureOf(
  { text, isApart }: SignedLine,
  { above, below }: { readonly above: string | null; readonly below: readonly string[] },
): string | null {
  if (below.length === 1 && isTitle(below[0] ?? '')) return TITLED.exec(text)?.[1] ?? null;
  if (below.length > 0) return null;
  // Of a long line the end is enough.
  const shown = text.slice(-MOST_LINE);
  const inline = (BEHIND.exec(shown) ?? BRACKETED.exec(shown) ?? SENT_BY.exec(shown))?.[1];
  if (inline !== undefined) return nameOnly(inline);
  if (above === null || isOfList(above)) return null;
  const marked = MARKED.exec(text)?.[1];
  if (marked !== undefined) return nameOnly(marked);
  const isEnd = isApart || /[.!?)"”]$/.test(above);
  return isEnd && (isNameAlone(text) || INITIAL.test(text)) ? text : null;
}
const INITIAL = /^\p{Lu}\.?$/u;
const isTitle = (text: string): boolean => TITLE.test(text) && !OWN.test(text);
const nameOnly = (name: string): string | null =>
  isNameAlone(name) || INITIAL.test(name) ? name : null;
const isOfList = (line: string): boolean => /^[-*•–]\s|:$/.test(line);
