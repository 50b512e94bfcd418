/**
 * Lines of a composition that came back in a turn, cut anywhere: an item with its id or its notes,
 * a head, a mark, a tag, and what stands in one block with them. Captured again, each would be a
 * new fact with the id as its first word, and the next composition would show that one as well.
 *
 * Invariant: no slice of a composition is captured (`test/property/capture-composed.test.ts`).
 */
import { isOwnLabel } from '../voices/labels.ts';
import { findFrom, isBlank, type Line, MOST_OF_LINE, type ReadsMarked, textAt } from './lines.ts';
import { isOwnSaying, isStatementOf, readsAsItemText } from './third-person.ts';

const ID = String.raw`[a-z]{0,2}\d{1,9}(?:\.\d{1,9})?`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const DAY = `\\d{1,2} ${MONTH}`;
/** The notes that the engine writes; headings of documents are any words. */
const NOTE = `(?:until \\d{4}-\\d{2}-\\d{2}|about (?!me\\b|us\\b|myself\\b)[^(),]{1,80}|confidence [01]?\\.?\\d{1,2}|unreviewed|${DAY}|\\p{L}{1,20} (?:summary )?to (?:seq )?\\d{1,9})`;
const NOTES = new RegExp(`^\\(${NOTE}(?:, [^(),]{1,80})*\\)(?: |$)`, 'u');
const ANY_NOTES = /^\([^()]{1,200}\)(?: |$)/;

const BULLET = /^(?:[-*•–+] {1,3})?/;
const TURN = new RegExp(
  `^\\[${ID}\\](?: ("[^"]{1,80}"|[^\\s:"([][^:"([]{0,80}))?(?: \\([^()]{1,200}\\))?:(?: |$)`,
);
const SILENT = new RegExp(`^\\[${ID}\\] `);
const ITEM = new RegExp(`^#${ID}(?::? |$)`);
const VALUE = new RegExp(`^${ID} (?:\\([^()]{1,200}\\) )?"?[^\\s="]{1,80}"? = `);
const DATED = /^\[\d{4}-\d{2}-\d{2}(?:[T ][\d:.]{1,15}Z?)?\] /;
const DATE_HEAD = new RegExp(`^@(?:${DAY}(?: \\d{4})?|${MONTH} \\d{4})(?:; .*)?$`);
const HEAD = new RegExp(
  `^@(?:$|${MONTH}(?:;|$)|(?:about|type|title|source) |[a-z][a-z0-9+.-]{1,20}://|[^\\s:;][^:;]{0,80}:$)`,
);
const MARK =
  /^\((?:earlier turns are not shown|The conversation began earlier\.|called .{1,300}; no result is kept)\)$/;

/** `opens`: text of it may stand on the lines below. */
type Form = 'turn' | 'opens' | 'item' | 'numbered' | 'head' | 'close';

interface Reading {
  readonly form: Form;
  /** Of a `numbered` line: its number and its text. */
  readonly number?: number;
  readonly text?: string;
}

/** What a line is by itself; null = nothing of ours. */
function formOf(line: string, layerNames: ReadonlySet<string>): Reading | null {
  const whole = line.trim().slice(0, MOST_OF_LINE);
  const closed = /^<\/([a-z][a-z0-9_-]{0,62})>$/.exec(whole)?.[1];
  if (closed !== undefined) return layerNames.has(closed) ? { form: 'close' } : null;
  const text = whole.replace(BULLET, '');
  if (DATE_HEAD.test(text)) return { form: 'head' };
  if (MARK.test(text)) return { form: 'turn' };
  if (text.startsWith('#')) return itemOf(text);
  if (text.startsWith('[')) return bracketOf(text);
  if (NOTES.test(text)) return { form: 'item' };
  return VALUE.test(text) ? { form: 'item' } : null;
}

function itemOf(text: string): Reading | null {
  const [id] = ITEM.exec(text) ?? [];
  if (id === undefined) return null;
  const rest = text.slice(id.length);
  if (NOTES.test(rest)) return { form: NOTES.exec(rest)?.[0] === rest ? 'opens' : 'item' };
  const bare = rest.replace(ANY_NOTES, '');
  if (bare === '') return { form: 'opens' };
  const number = Number(id.replace(/[#:]/g, ''));
  if (!Number.isNaN(number)) return { form: 'numbered', number, text: bare };
  return readsAsItemText(bare) ? { form: 'item' } : null;
}

function bracketOf(text: string): Reading | null {
  const dated = DATED.exec(text)?.[0];
  if (dated !== undefined) return isStatementOf(text.slice(dated.length)) ? { form: 'item' } : null;
  const turn = TURN.exec(text);
  if (turn) {
    const [head, speaker] = turn;
    const said = text.slice(head.length);
    if (speaker === undefined) return /^(?:<|\S+:\/\/)/.test(said) ? null : { form: 'opens' };
    return isOwnLabel(speaker.split('/')[0] ?? '') ? null : { form: 'turn' };
  }
  const silent = SILENT.exec(text)?.[0];
  return silent !== undefined && readsAsItemText(text.slice(silent.length))
    ? { form: 'item' }
    : null;
}

/** A sentence within a line that begins as an item does: `… in Rome. #9 Dana works at Acme.` */
export const isItemAlone = (sentence: string): boolean => {
  const read = /^[#([]/.test(sentence) ? formOf(sentence, NO_LAYERS) : null;
  return read !== null && (read.form !== 'numbered' || readsAsItemText(read.text ?? ''));
};
const NO_LAYERS: ReadonlySet<string> = new Set();

/** Which lines of a turn are of a composition. */
export function composedReader(
  lines: readonly Line[],
  layerNames: ReadonlySet<string>,
): ReadsMarked {
  const read = lines.map(({ text }) => formOf(text, layerNames));
  const forms: (Form | null)[] = read.map((each) =>
    each?.form === 'numbered' && !readsAsItemText(each.text ?? '') ? null : (each?.form ?? null),
  );
  if (forms.every((form) => form === null)) return () => false;
  const isComposed = new Uint8Array(lines.length);
  let end = 0;
  for (let from = 0; from < lines.length; from = end + 1) {
    end = findFrom(lines, from, isBlank);
    withHeads(lines, forms, { from, end });
    dropOwnList(read, forms, { from, end });
    markBlock(isComposed, { lines, forms, from, end });
  }
  markBetween(isComposed, forms);
  return (at) => isComposed[at] === 1;
}

interface Block {
  readonly from: number;
  readonly end: number;
}

/** `@Dana:` calls somebody, unless a line of ours stands below it. */
function withHeads(lines: readonly Line[], forms: (Form | null)[], { from, end }: Block): void {
  for (let at = end - 2; at >= from; at -= 1)
    if (forms[at] === null && forms[at + 1] !== null && HEAD.test(textAt(lines, at).trim()))
      forms[at] = 'head';
}

/** `#1`, `#2`, `#3` and nothing else: a list of one's own, but for what it says of a name. */
function dropOwnList(
  read: readonly (Reading | null)[],
  forms: (Form | null)[],
  { from, end }: Block,
): void {
  const items = read.slice(from, end).filter((each) => each !== null);
  const isOwn = items.length > 1 && items.every(({ number }, index) => number === index + 1);
  if (!isOwn || forms.slice(from, end).includes('head')) return;
  for (let at = from; at < end; at += 1) if (!isStatementOf(read[at]?.text ?? '')) forms[at] = null;
}

/** What stands in one block with lines of ours, unless it is the speaker's own word about them. */
function markBlock(
  isComposed: Uint8Array,
  {
    lines,
    forms,
    from,
    end,
  }: Block & {
    readonly lines: readonly Line[];
    readonly forms: readonly (Form | null)[];
  },
): void {
  const ofBlock = forms.slice(from, end);
  const first = from + ofBlock.findIndex((form) => form !== null);
  if (first < from) return;
  const closedAt = from + ofBlock.lastIndexOf('close');
  const isHistory = closedAt >= from || forms[first] === 'turn';
  let above: Form | null = null;
  for (let at = from; at < end; at += 1) {
    const text = textAt(lines, at);
    above = forms[at] ?? above;
    const isEnded = above === 'item' || above === 'numbered' || above === 'close';
    const mayBeOwn = above === null ? !isHistory : isEnded && at > closedAt;
    const isLead = at < first && /[:：]\s*$/.test(text);
    const isOwn = forms[at] === null && (isLead || (mayBeOwn && isOwnSaying(text)));
    if (!isOwn) isComposed[at] = 1;
  }
}

/** What a turn of the history says below a blank line, as far as the next line of ours goes on. */
function markBetween(isComposed: Uint8Array, forms: readonly (Form | null)[]): void {
  let last = -1;
  for (const [at, form] of forms.entries()) {
    if (form === null) continue;
    const isOpen = last !== -1 && (forms[last] === 'turn' || forms[last] === 'opens');
    if (isOpen && (form === 'turn' || form === 'opens' || form === 'close'))
      isComposed.fill(1, last, at);
    last = at;
  }
}
