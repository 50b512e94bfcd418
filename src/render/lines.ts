/**
 * The lines of a layer. A line that begins an item, a group or a value is ours alone: any other
 * text that would read as one gets a backslash in front of it, and nothing else of it changes.
 *
 *     @8 May 2023; memory://notes.md               a group: what its items share
 *     @8 May 2023; source adr-7                    ... from what is no address
 *     [17] Audrey: Hello.                          a turn
 *     [19] Bo/assistant (confidence 0.8): Hi.      ... with what is not as usual
 *     [21] Bo: Done.                               ... in the role that Bo had last in the layer
 *     #12 Deploys stop on Fridays.                 an item that nobody says
 *     #b4                                          ... its text on the lines below
 *     (earlier turns are not shown)                a mark, between items
 *     @Polder Growers:                             a group of values
 *     41 plan = per_area                           a value
 */

import {
  ALL_IN_BRACKETS,
  FENCES_AT_MARGIN,
  HEADINGS_PLAIN,
  PLAIN_FORGERIES,
  RENDER_VERSION,
  type RenderVersion,
  SAID_EACH_TIME,
} from '../model/render-version.ts';
import { ITEM_ROLES, type RenderGroup, type RenderItem } from './render-layer.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const FIELDS = ['about', 'type', 'title', 'source'] as const;

const ID = String.raw`[a-z]{0,2}\d+(?:\.\d+)?`;
/**
 * How a line of ours begins. A model reads it so behind blanks as well, and a value anywhere: what
 * is ours by where it stands is not seen from a line alone. Blanks stay, so code keeps its shape.
 */
const BEGINNINGS_4 = [
  String.raw`\[${ID}\]`,
  String.raw`${ID} (?:\([^\n]*\) )?"?[^\s=]+ = `,
  String.raw`@(?:\d{1,2} )?(?:${MONTHS.join('|')})\b`,
  `@(?:${FIELDS.join('|')}) `,
  String.raw`@[\p{Zs}\t]*$`,
  String.raw`\(earlier turns are not shown\)[\p{Zs}\t]*$`,
];
const beginsWith = (beginnings: readonly string[], flags = 'gmu'): RegExp =>
  new RegExp(String.raw`^([\p{Zs}\t]*)(?=\\*(?:${beginnings.join('|')}))`, flags);
const OURS_4 = beginsWith(BEGINNINGS_4);
const BEGINNINGS_10 = [String.raw`#${ID}(?:[\p{Zs}\t:(]|$)`, ...BEGINNINGS_4];
const OURS_10 = beginsWith(BEGINNINGS_10);
const BEGINNINGS_11 = [...BEGINNINGS_10, String.raw`@[^\s:;][^\n]*[:：][\p{Zs}\t]*$`];
const OURS_11 = beginsWith(BEGINNINGS_11);
const BEGINNINGS_12 = [...BEGINNINGS_11, '@[a-z][a-z0-9+.-]*://'];
const OURS_12 = beginsWith(BEGINNINGS_12);
const BLANK = String.raw`[\p{Zs}\t]`;
const LONG_MONTHS =
  'January February March April June July August September Sept October November December';
const LONG_MONTH = `(?:${LONG_MONTHS.replaceAll(' ', '|')})`;
/** Alone, months are names of people as well. */
const DATES = [
  String.raw`(?:\d{1,2}${BLANK}+)?(?:${MONTHS.join('|')})\b`,
  String.raw`\d{1,2}${BLANK}+${LONG_MONTH}\b`,
  String.raw`${LONG_MONTH}(?=[\p{Zs}\t,]*(?:\d|;|$))`,
  String.raw`\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?![\p{L}\p{N}])`,
].join('|');
/**
 * A model reads `@8 MAY 2023` as it reads `@8 May 2023`, and so with other blanks, with the whole
 * name of the month and with the date in numbers.
 */
const OURS = beginsWith(
  [
    String.raw`#${ID}(?:[\p{Zs}\t:(]|$)`,
    String.raw`\[${BLANK}*${ID}${BLANK}*\]`,
    String.raw`${ID} (?:\([^\n]*\) )?"?[^\s=]+ = `,
    `@${BLANK}*(?:${DATES})`,
    `@${BLANK}*(?:${FIELDS.join('|')})${BLANK}`,
    `@${BLANK}*$`,
    String.raw`@${BLANK}*[^\s:;][^\n]*[:：]${BLANK}*$`,
    `@${BLANK}*[a-z][a-z0-9+.-]*://`,
    String.raw`\(earlier turns are not shown\)${BLANK}*$`,
  ],
  'gimu',
);

const oursOf = (version: RenderVersion): RegExp => {
  if (version <= ALL_IN_BRACKETS) return OURS_4;
  if (version <= HEADINGS_PLAIN) return OURS_10;
  if (version <= SAID_EACH_TIME) return OURS_11;
  return version <= PLAIN_FORGERIES ? OURS_12 : OURS;
};

/** Text as it may stand at the beginning of a line: a backslash before what is not ours. */
export const escapeLines = (text: string, version: RenderVersion): string =>
  text.replace(oursOf(version), '$1\\');

const BEGINS_OURS = new RegExp(OURS.source, 'iu');
/** Whether a line could be one of ours: a head, an item or a value. */
export const readsAsOurs = (line: string): boolean => BEGINS_OURS.test(line);

/** Stands as it is: one line, no sign that ends a field. Else it is quoted as JSON. */
const BARE_FIELD = /^[^\s"\\;][^";\n]*(?<!\s)$/;
/** A source that is seen to be one. */
const BARE_URI = /^[a-z][a-z0-9+.-]*:\/\/[^\s";\\]+$/;
const BARE_NOTE = /^[^\s"\\(),][^"(),\n]*(?<!\s)$/;
const BARE_AUTHOR = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]*(?<!\s)$/u;
const ROLES: ReadonlySet<string> = new Set(ITEM_ROLES);

const quotedUnless = (bare: RegExp, value: string): string =>
  bare.test(value) ? value : JSON.stringify(value);

/** A subject that no other head of a group reads like. */
const BARE_SUBJECT = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'’-]*(?<!\s)$/u;
const LIKE_A_HEAD_12 = new RegExp(
  `^(?:(?:${FIELDS.join('|')}) |(?:\\d{1,2} )?(?:${MONTHS.join('|')})\\b)`,
);
const LIKE_A_HEAD = new RegExp(`^(?:(?:${FIELDS.join('|')}) |${DATES})`, 'iu');

/** The head of a group; '' where its items share nothing. The year stands where it changes. */
export function groupHead(
  group: RenderGroup,
  yearAbove: string | null,
  version: RenderVersion = RENDER_VERSION,
): string {
  const { date, about = '', ...more } = group;
  const isShort = date === null && Object.keys(more).length === 0 && version > HEADINGS_PLAIN;
  const likeAHead = version > PLAIN_FORGERIES ? LIKE_A_HEAD : LIKE_A_HEAD_12;
  if (isShort && BARE_SUBJECT.test(about) && !likeAHead.test(about)) return `@${about}:\n`;
  const fields = FIELDS.flatMap((name) => {
    const value = group[name];
    if (value === undefined) return [];
    if (name === 'source' && version > SAID_EACH_TIME && BARE_URI.test(value)) return [value];
    return [`${name} ${quotedUnless(BARE_FIELD, value)}`];
  });
  const parts = group.date === null ? fields : [shownDate(group.date, yearAbove), ...fields];
  return parts.length === 0 ? '' : `@${parts.join('; ')}\n`;
}

/** `8 May` of an ISO date: the year stands in the head above. */
export const shownDay = (date: string): string => shownDate(date.slice(0, 10), date.slice(0, 4));

function shownDate(date: string, yearAbove: string | null): string {
  const [year = '', month = '', day] = date.split('-');
  const name = MONTHS[Number(month) - 1] ?? month;
  const shown = day === undefined ? name : `${Number(day)} ${name}`;
  return year === yearAbove ? shown : `${shown} ${year}`;
}

export const sameGroup = (a: RenderGroup, b: RenderGroup): boolean =>
  a.date === b.date && FIELDS.every((name) => a[name] === b[name]);

/** What needs a line of its own to be read as what it is: fenced code, also in a list. */
const BEGINS_BELOW_6 = /^[\n ~`#>|]/;
const BEGINS_BELOW = /^(?:[\n ~`#>|]|(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+(?:`{3}|~{3}|>))/;

/** A typed value, whose subject its head names. A fact below such a head has a date. */
export const isValue = ({ group }: RenderItem, version: RenderVersion): boolean =>
  group.about !== undefined && (group.date === null || version <= SAID_EACH_TIME);

/** An item without its group. `text` is clean: visible, marked, its fences closed. */
export function itemLines(item: RenderItem, text: string, version: RenderVersion): string {
  const shown = item.notes.map((note) => quotedUnless(BARE_NOTE, note)).join(', ');
  const notes = shown === '' ? '' : ` (${shown})`;
  if (isValue(item, version)) {
    const isPlain = !text.includes('\n') && !/^["(]/.test(text);
    return `${item.id}${notes} ${isPlain ? text : JSON.stringify(text)}\n`;
  }
  const isSpoken = item.author !== null || item.role !== null;
  if (!isSpoken && version > ALL_IN_BRACKETS) {
    const head = `#${item.id}${notes}`;
    if (text === '') return `${head}\n`;
    const isBelow = text.includes('\n') || text.startsWith('(');
    return isBelow ? `${head}\n${escapeLines(text, version)}\n` : `${head} ${text}\n`;
  }
  const head = `[${item.id}]${speakerOf(item)}${notes}:`;
  const begins = version > FENCES_AT_MARGIN ? BEGINS_BELOW : BEGINS_BELOW_6;
  const isBelow = text.includes('\n') && (!isSpoken || begins.test(text));
  if (isBelow) return `${head}\n${escapeLines(text, version)}\n`;
  const [first = '', ...rest] = text.split('\n');
  return `${[`${head} ${first}`, ...rest.map((line) => escapeLines(line, version))].join('\n')}\n`;
}

/** One who is called like a role is quoted, so that no name passes for one. */
export const shownAuthor = (author: string): string =>
  BARE_AUTHOR.test(author) && !ROLES.has(author.toLowerCase()) ? author : JSON.stringify(author);

function speakerOf({ author, role, isRoleShown }: RenderItem): string {
  if (author === null) return role === null ? '' : ` ${role}`;
  const shown = shownAuthor(author);
  const spoken = role ?? 'user';
  return (isRoleShown ?? spoken !== 'user') ? ` ${shown}/${spoken}` : ` ${shown}`;
}
