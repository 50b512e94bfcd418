/** What a document says of itself before it begins. */

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export interface FrontMatter {
  readonly title: string | null;
  readonly description: string | null;
  /** ISO 8601. */
  readonly date: string | null;
  /** As it is written: a day, or a time from the date on. */
  readonly ttl: string | null;
  /** Without its fences; '' = none. */
  readonly text: string;
  readonly body: string;
}

/** Front matter is settings of other programs: only what is named here is taken, with its class. */
export function readFrontMatter(text: string): FrontMatter {
  const hit = FRONT_MATTER.exec(text);
  const found = hit?.[1] ?? '';
  return {
    title: fieldOf(found, 'title'),
    description: fieldOf(found, 'description'),
    date: fieldOf(found, 'date') ?? fieldOf(found, 'updated'),
    ttl: fieldOf(found, 'ttl'),
    text: found,
    body: hit ? text.slice(hit[0].length) : text,
  };
}

function fieldOf(frontMatter: string, name: string): string | null {
  const line = new RegExp(`^${name}:[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\n#]*))`, 'im');
  const hit = line.exec(frontMatter);
  const value = (hit?.[1] ?? hit?.[2] ?? hit?.[3] ?? '').trim();
  return value === '' ? null : value;
}

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** A day ends when it is over; `30d`, `12h` and `4w` count from `fromMs`. null = neither. */
export function ttlEnd(ttl: string | null, fromMs: number): number | null {
  const span = /^(\d{1,4})[ ]?([hdw])/.exec(ttl ?? '');
  if (span && Number(span[1]) === 0) return null;
  if (span) return inCalendar(fromMs + Number(span[1]) * (UNIT_MS[span[2] ?? ''] ?? 0));
  const day = dateIn(ttl ?? '');
  if (day === null) return null;
  return inCalendar(/T\d/.test(ttl ?? '') ? day : day + (UNIT_MS['d'] ?? 0));
}

const FIRST_MS = Date.UTC(1000, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);
/** `9999-12-31` is never; a year of 0 is a mistake. Neither is a time that the ledger takes. */
const inCalendar = (ms: number): number | null => (ms >= FIRST_MS && ms < LAST_MS ? ms : null);

const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?(?!\d)/;

/** The first date of a text, `2026-05-15` with a time or without, in UTC; null = there is none. */
export function dateIn(text: string): number | null {
  const said = DATE.exec(text)?.[0];
  if (said === undefined) return null;
  const hasZone = said.endsWith('Z') || /[+-]\d{2}:\d{2}$/.test(said);
  const ms = Date.parse(said.includes('T') && !hasZone ? `${said}Z` : said);
  return hasDay(said.slice(0, 10)) ? inCalendar(ms) : null;
}

/** `Date.parse` takes 30 February for 2 March. */
function hasDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** A text that says there is no end, as 9999-12-31 does. */
const ENDLESS = /^(?:9999-.*|never|none|no|null|~|permanent|forever|indefinite)$/i;

/** A TTL that was meant as an end and is none. */
export const isTtlUnread = (ttl: string): boolean =>
  ttlEnd(ttl, FIRST_MS) === null && !ENDLESS.test(ttl);
