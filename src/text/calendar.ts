/** Names of months and days of the week, as words in lower case: English, in their order. */

export const MONTH_NAMES: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** From Sunday, as `Date` counts. */
export const WEEKDAY_NAMES: readonly string[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** `may` is a verb as well: alone, it names no month. */
export const PLAIN_MONTH_NAMES: readonly string[] = MONTH_NAMES.filter((name) => name !== 'may');
