/** States whose value is a day: `the report is due on 12 June`, `our meeting moved to Tuesday`. */
import { timesIn } from '../times/dates.ts';
import * as frames from './frames.ts';
import { BEFORE_TIMES, match, stepsOf, type Token, tokensOf } from './match.ts';
import { bareValue, headOf, nameOf, type OpenFound, withoutDeterminer } from './open.ts';
import { ADVERBS } from './rules.ts';
import { EVERYDAY } from './things.ts';
import { kindOf } from './values.ts';
import { withoutTold } from './variants.ts';

/** They have a day, and the day is what one asks for. */
const DATED: ReadonlySet<string> = new Set(
  'date practice deadline meeting standup stand-up sync retro retrospective class lesson practice training rehearsal check-in one-on-one'.split(
    ' ',
  ),
);
/** `Our deploy day`, but not `my first day`. */
const isDayOf = (noun: string): boolean =>
  / day$/.test(noun) &&
  !/^(?:first|last|next|big|other|new|good|bad|birth|wedding|rest) /.test(noun);
const isOnDay = (noun: string): boolean => DATED.has(headOf(noun)) || isDayOf(noun);
/** What a team does once a week. */
const WEEKLY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    deploy: 'deploy day',
    deploys: 'deploy day',
    deployments: 'deploy day',
    release: 'release day',
    releases: 'release day',
  }),
);
const forms = (text: string): readonly string[] => text.split(' | ');
const CHANGED: readonly string[] = [
  ...frames.OPEN_FORMS.filter(({ form, isTelling }) => isTelling && form.endsWith('to %')).map(
    ({ form }) => form,
  ),
  ...forms('M is/are not on @ anymore it is on % | M is/are no longer on @ it is on %'),
  ...forms('M is/are not on @ it is on % | M is/are/was/were on/every @ but it is on %'),
  ...forms('M is/are/was/were on/every @ but it is %'),
];
const TOLD: readonly string[] = forms(
  'M is/are on/every/each/by % | M takes/take place on/every/each % | M happens on/every % | M is/are %',
);
const HAD: readonly string[] = forms('i/we have/hold my/our/the M on/every/each %');
const DUE: readonly string[] = forms('M is/are due on/by % | M is/are due %');
const OWED: readonly string[] = forms(
  'i/we have to deliver/submit/finish/send/complete/file/publish the/my/our M by %',
);

/** Days are the value here; where several are named, the last one is. */
export function dayStateOf(text: string): OpenFound | null {
  const given = withLastDay(text);
  if (given === null) return null;
  const isNow = /\b(?:now|new)\b/i.test(text);
  const { tokens, by } = withoutDeterminer(withoutTold(given));
  const found = (form: string, from = tokens, at = 0): Day | null =>
    dayIn(form, { from, at, text });
  const made = (day: Day, isChange: boolean, noun = day.noun): OpenFound => ({
    name: WEEKLY.get(noun) ?? (isDayOf(noun) ? noun : nameOf(noun, 'day')),
    kind: isChange || isNow ? 'changes' : 'tells',
    value: day.value,
    isSoft: false,
    isOwn: by === 'own' || EVERYDAY.has(headOf(noun)),
    ...(by === 'the' && isDated(noun) === false && { isOfKnown: true }),
    isRestated: true,
    instead: null,
  });
  for (const form of CHANGED) {
    const day = found(form);
    if (day) return made(day, true);
  }
  for (const form of [...frames.SET_FORMS, ...frames.BARE_SET_FORMS])
    for (let at = 0; at < MOST_BEFORE; at += 1) {
      const day = found(form, given, at);
      if (day && (isOnDay(day.noun) || WEEKLY.has(day.noun))) return made(day, true);
    }
  for (const form of DUE) {
    const day = by === 'none' ? null : found(form);
    if (day) return made(day, false, deadlineOf(day.noun));
  }
  const begun = startOf(tokens, text);
  if (begun) return made(begun, false);
  for (const form of OWED) {
    const day = found(form, given);
    if (day) return made(day, false, deadlineOf(day.noun));
  }
  for (const [all, from] of [
    [TOLD, tokens],
    [HAD, given],
  ] as const)
    for (const form of all) {
      const day = found(form, from);
      const isKnownThing = by !== 'none' || EVERYDAY.has(day?.noun ?? '');
      if (day && isOnDay(day.noun) && isKnownThing) return made(day, false);
      if (day && by !== 'none' && isDate(day.value)) return made(day, false);
      if (day && from === given && DATED.has(headOf(day.noun))) return made(day, false);
    }
  return null;
}
const MOST_BEFORE = 5;

/** `Work on the roof begins on 5 May`, `work starts on 5 May`: the start date of it. */
function startOf(tokens: readonly Token[], text: string): Day | null {
  for (const form of BEGINS) {
    const found = match(tokens, stepsOf(form));
    const value = bareValue(found?.value ?? []);
    if (!found || value.length > MOST_DAY_WORDS || kindOf(value, text) !== 'day') continue;
    if (isDate(value)) return { noun: `${found.noun ?? ''} start date`.trim(), value };
  }
  return null;
}
const BEGINS: readonly string[] = forms(
  'work on it/this/that starts/begins on % | work starts/begins on % | work on the/my/our M starts/begins on %',
);

const deadlineOf = (noun: string): string => (noun === 'deadline' ? noun : `${noun} deadline`);
const isDated = (noun: string): boolean =>
  DATED.has(headOf(noun)) || EVERYDAY.has(headOf(noun)) || noun.endsWith(' deadline');
/** `10 May`: a day that comes once. */
const isDate = (value: readonly Token[]): boolean =>
  value.length === 2 && value.some(({ word }) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word));

interface Day {
  readonly noun: string;
  readonly value: readonly Token[];
}
interface Looking {
  readonly from: readonly Token[];
  readonly at: number;
  readonly text: string;
}
function dayIn(form: string, { from, at, text }: Looking): Day | null {
  const found = match(from, stepsOf(form), at);
  const value = bareValue(found?.value ?? []);
  if (!found?.noun || value.length > MOST_DAY_WORDS || kindOf(value, text) !== 'day') return null;
  return { noun: found.noun, value };
}
const MOST_DAY_WORDS = 4;

/** Words without adverbs and without the days before the last; null = no day is named. */
function withLastDay(text: string): readonly Token[] | null {
  // `on 31 May, not 24 May`: what it is not comes last.
  const denied = DENIED.exec(text)?.index ?? text.length;
  const times = timesIn(text.slice(0, denied), 0);
  if (times.length === 0 && !EACH_WEEK.test(text)) return null;
  const all = tokensOf(text).filter(({ word, end }) => !ADVERBS.has(word) && end <= denied);
  const gone = new Set<number>();
  for (const time of times.slice(0, -1)) {
    const first = all.findIndex(({ start }) => start >= time.start);
    // `from Monday to Tuesday` is read as it stands.
    const isOld = OLD_DAYS.has(all[first - 1]?.word ?? '') || first > 2;
    if (first === -1 || isOld) continue;
    for (let at = first; (all[at]?.end ?? Infinity) <= time.end; at += 1) gone.add(at);
    for (let at = first - 1; BEFORE_TIMES.has(all[at]?.word ?? ''); at -= 1) gone.add(at);
  }
  return all.filter((_, at) => !gone.has(at));
}
/** No day of the calendar. */
const EACH_WEEK = /\b(?:every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;
const DENIED = /,? (?:not|instead of|rather than) (?:on )?(?=[\p{L}\d])[^,.;]{3,20}[.!]*$/iu;
const OLD_DAYS: ReadonlySet<string> = new Set(['from']);
