/** A year of talk in which the states of a person change, and what was true on which day. */
import { Dice } from './dice.ts';
import { PLAIN_THEMES, SMALL_TALK, type StateTheme } from './state-themes.ts';
import { CHATTY_THEMES } from './state-themes-chatty.ts';
import { EVERYDAY_THEMES } from './state-themes-everyday.ts';

export interface TalkTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: number;
}
export interface StateSpan {
  readonly value: string;
  readonly from: number;
  readonly told: number;
}
export type AskedTheme = Pick<StateTheme, 'key' | 'asks' | 'values'>;
export interface StateTalk {
  readonly sessions: readonly (readonly TalkTurn[])[];
  readonly states: readonly { readonly theme: AskedTheme; readonly spans: readonly StateSpan[] }[];
  readonly end: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const EVENTS_PER_SESSION = 5;
const CHANGES_PER_THEME = 5;
const MONTHS =
  'January February March April May June July August September October November December';

function dayWords(ms: number, dice: Dice): string {
  const date = new Date(ms);
  const day = date.getUTCDate();
  const month = MONTHS.split(' ')[date.getUTCMonth()] ?? '';
  const th =
    day % 10 === 1 && day !== 11
      ? 'st'
      : day % 10 === 2 && day !== 12
        ? 'nd'
        : day % 10 === 3 && day !== 13
          ? 'rd'
          : 'th';
  return dice.of([
    `${day} ${month}`,
    `${month} ${day}`,
    `${month} ${day}${th}`,
    date.toISOString().slice(0, 10),
    `the ${day}${th} of ${month}`,
  ]);
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  const left = [...list];
  return list.map(() => left.splice(dice.roll(left.length), 1)[0] as T);
}

/** What is said of one change: the words, and since when it was so. */
function eventOf(
  theme: StateTheme,
  of: {
    readonly step: number;
    readonly value: string;
    readonly at: number;
    readonly since: number;
  },
  dice: Dice,
): { readonly said: readonly string[]; readonly from: number } {
  const { step, value, at, since } = of;
  const before = theme.values[step - 1] ?? '';
  const worded = (form: string, now: string): string =>
    form.replaceAll('#', before).replaceAll('%', now);
  const days = Math.min(12, Math.floor((at - since) / DAY_MS) - 2);
  const way = dice.roll(10);
  if (step > 0 && way < 3 && days >= 3) {
    const from = Math.floor((at - (2 + dice.roll(days - 2)) * DAY_MS) / DAY_MS) * DAY_MS;
    // The day first: an address of mail has an `@` of its own.
    const said = dice.of(theme.dated).replaceAll('@', dayWords(from, dice));
    return { said: [worded(said, value)], from };
  }
  const forms = step === 0 ? theme.tells : dice.roll(4) === 0 ? theme.tells : theme.changes;
  const form = dice.of(forms);
  if (way < 6) return { said: [worded(form, value)], from: at };
  if (way === 9 && step > 0)
    return {
      said: [worded(form, value), dice.of(theme.tells).replaceAll('%', value)],
      from: at,
    };
  if (way > 7) return { said: [worded(form, value)], from: at };
  const wrong = theme.values.at(-1) ?? '';
  const right = dice.of(theme.corrects).replaceAll('%', value).replaceAll('#', wrong);
  return { said: [worded(form, wrong), right], from: at };
}

export function stateTalk(side: StateTheme['side'], seed: number): StateTalk {
  const dice = new Dice(seed);
  const themes = [...PLAIN_THEMES, ...CHATTY_THEMES, ...EVERYDAY_THEMES].filter(
    (each) => each.side === side,
  );
  const spans = new Map<StateTheme, StateSpan[]>(themes.map((each) => [each, []]));
  const events: StateTheme[] = [];
  for (let step = 0; step < CHANGES_PER_THEME; step += 1) events.push(...shuffled(themes, dice));
  const sessions: TalkTurn[][] = [];
  let at = Date.parse('2025-02-03T08:00:00Z');
  for (const [index, theme] of events.entries()) {
    if (index % EVENTS_PER_SESSION === 0) {
      sessions.push([]);
      at += (4 + dice.roll(14)) * DAY_MS;
    }
    const known = spans.get(theme) ?? [];
    const step = known.length;
    const value = theme.values[step] ?? '';
    const since = known.at(-1)?.from ?? at;
    const { said, from } = eventOf(theme, { step, value, at, since }, dice);
    known.push({ value, from, told: at });
    const talk = sessions.at(-1) ?? [];
    const say = (role: TalkTurn['role'], content: string): void => {
      at += MINUTE_MS;
      talk.push({ role, content, at });
    };
    for (const content of said) {
      say('user', content);
      say('assistant', dice.of(['Noted.', `Understood: ${value}.`, 'Thank you for telling me.']));
    }
    const other = dice.of(themes);
    say('user', dice.of(dice.roll(2) === 0 ? SMALL_TALK : other.distracts));
    say('assistant', 'I see.');
  }
  return {
    sessions,
    states: themes.map((each) => ({ theme: each, spans: spans.get(each) ?? [] })),
    end: at + 2 * DAY_MS,
  };
}
