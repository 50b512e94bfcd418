/** A text as words and marks: `pin: 4711!` is `pin`, `:`, `4711`, `!`. */

export interface Item {
  readonly text: string;
  /** In lower case, for look-ups. */
  readonly said: string;
  readonly isMark: boolean;
}
export type Items = readonly Item[];

const HARD_MARKS = '",;()<>[]{}|`';
const CHUNKS = /[^\s",;()<>[\]{}|`]+|[",;()<>[\]{}|`]/g;
/** `password -> blauwal` */
const ARROWS = /->|=>|→|➜|➡/g;

const mark = (text: string): Item => ({ text, said: text, isMark: true });
const word = (text: string): Item => ({ text, said: text.toLowerCase(), isMark: false });

export function itemsOf(text: string): Items {
  const items: Item[] = [];
  for (const [chunk] of text.replaceAll(ARROWS, ' = ').matchAll(CHUNKS)) {
    if (HARD_MARKS.includes(chunk)) items.push(mark(chunk === '`' ? '"' : chunk));
    else items.push(...chunkItems(chunk));
  }
  return items;
}

const END_MARKS = ".!?:'…=*";
function chunkItems(chunk: string): readonly Item[] {
  if (!/[\p{L}\p{N}]/u.test(chunk)) return [mark(chunk)];
  let from = 0;
  while (chunk.charAt(from) === "'" || chunk.charAt(from) === '*') from += 1;
  let to = chunk.length;
  while (END_MARKS.includes(chunk.charAt(to - 1))) to -= 1;
  const marks = [...chunk.slice(to)].map((each) => mark(each === "'" ? '"' : each));
  const lead = chunk.startsWith("'") ? [mark('"')] : [];
  return [...lead, ...wordItems(chunk.slice(from, to)), ...marks];
}

/** `password's` has a link, `API_KEY=abc` and `ann:hunter2` have two words. */
function wordItems(text: string): readonly Item[] {
  if (text.includes('://')) return [word(text)];
  if (text.toLowerCase().endsWith("'s")) return [word(text.slice(0, -2)), mark("'s")];
  const items: Item[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character !== '=' && character !== ':') continue;
    // `10:30`
    if (character === ':' && /^\d$/.test(text.charAt(at - 1)) && /^\d$/.test(text.charAt(at + 1)))
      continue;
    if (at > from) items.push(word(text.slice(from, at)));
    items.push(mark(character));
    from = at + 1;
  }
  return from < text.length ? [...items, word(text.slice(from))] : items;
}

const CLAUSE_ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', ',', '…', ')', '(', '"']);
export const isClauseEnd = (item: Item | undefined): boolean =>
  item === undefined || (item.isMark && CLAUSE_ENDS.has(item.text));
const SENTENCE_ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';']);
export const isSentenceEnd = (item: Item | undefined): boolean =>
  item === undefined || (item.isMark && SENTENCE_ENDS.has(item.text));

/** Words from there to the end of the clause, `most` at the most. */
export function clauseFrom(items: Items, at: number, most: number): Items {
  const words: Item[] = [];
  for (let index = at; index < at + most; index += 1) {
    const item = items[index];
    if (item === undefined || isClauseEnd(item)) break;
    words.push(item);
  }
  return words;
}

/** Words and phrases of data, cut at `|` or at blanks. */
export const wordSet = (text: string): ReadonlySet<string> =>
  new Set(text.split(text.includes('|') ? '|' : /\s+/).map((each) => each.trim()));
