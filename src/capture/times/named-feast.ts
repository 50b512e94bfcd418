/**
 * Feasts that a period is named by: `until Easter`, `through Christmas`. Those that move with
 * Easter are counted from it; what two countries keep on different days (Thanksgiving) is none.
 */
import { DAY_MS, type Day } from './dates.ts';

/**
 * Easter Sunday of the Gregorian calendar, by the `anonymous` computation as J. Meeus prints it
 * (Astronomical Algorithms, 2nd ed. 1998, chapter 8), which has no exceptions.
 */
export function easterOf(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moon + 15) % 30;
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const count = epact + toSunday - 7 * late + 114;
  return Date.UTC(year, Math.floor(count / 31) - 1, (count % 31) + 1);
}

/** Days from Easter Sunday. */
const FROM_EASTER: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'shrove tuesday': -47,
    'ash wednesday': -46,
    'palm sunday': -7,
    'maundy thursday': -3,
    'good friday': -2,
    'holy saturday': -1,
    easter: 0,
    'easter sunday': 0,
    'easter monday': 1,
    'ascension day': 39,
    pentecost: 49,
    'pentecost sunday': 49,
    'pentecost monday': 50,
    whitsun: 49,
    'whit sunday': 49,
    'whit monday': 50,
    'corpus christi': 60,
  }),
);
/** Month and day. */
const OF_EVERY_YEAR: ReadonlyMap<string, readonly [month: number, day: number]> = new Map(
  Object.entries<readonly [number, number]>({
    'new year': [1, 1],
    "new year's": [1, 1],
    "new year's day": [1, 1],
    epiphany: [1, 6],
    "valentine's day": [2, 14],
    "valentine's": [2, 14],
    halloween: [10, 31],
    "all saints' day": [11, 1],
    'all saints': [11, 1],
    'christmas eve': [12, 24],
    xmas: [12, 25],
    christmas: [12, 25],
    'christmas day': [12, 25],
    'boxing day': [12, 26],
    "new year's eve": [12, 31],
  }),
);

const NAMES = [...FROM_EASTER.keys(), ...OF_EVERY_YEAR.keys()].sort((a, b) => b.length - a.length);
/** `Easter break` is another thing, of no day that is known. */
const FEAST = new RegExp(
  `^(?:(next|this) )?(${NAMES.join('|')})(?! ?['’]s\\b)(?! (?:break|holidays?|vacation|term|week|weekend|party|island)\\b)\\b(?: (20\\d{2})\\b)?`,
);
/** Whether a text in lower case may name one. */
export const FEAST_WORDS =
  /easter|shrove|ash wed|palm sun|maundy|good fri|holy sat|ascension|pentecost|whit|corpus|new year|epiphany|valentine|halloween|all saints|xmas|christmas|boxing day/;

/** That of this day, or the next one. The text is in lower case. */
export function feastAt(
  text: string,
  today: Day,
): { readonly day: Day; readonly length: number } | null {
  const [whole, , name = '', said] = FEAST.exec(text) ?? [];
  if (whole === undefined) return null;
  const year = said === undefined ? new Date(today).getUTCFullYear() : Number(said);
  const day = dayOf(name, year);
  const isOver = said === undefined && day < today;
  return { day: isOver ? dayOf(name, year + 1) : day, length: whole.length };
}

function dayOf(name: string, year: number): Day {
  const [month, day] = OF_EVERY_YEAR.get(name) ?? [0, 0];
  if (month > 0) return Date.UTC(year, month - 1, day);
  return easterOf(year) + (FROM_EASTER.get(name) ?? 0) * DAY_MS;
}
