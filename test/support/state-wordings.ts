/** States in many plain wordings, and talks in which each follows each. */
import { readFileSync } from 'node:fs';
import { Dice } from './dice.ts';
import type { StateTalk, TalkTurn } from './state-talk.ts';

/** The wordings of `held` states are read for no rule. */
export interface WordedState {
  readonly side: 'open' | 'held';
  readonly key: string;
  readonly asks: string;
  readonly values: readonly string[];
  /** `%` is the value. */
  readonly tells: readonly string[];
  /** Only of a change: `@` is the value before. */
  readonly changes: readonly string[];
}

const DAY_MS = 86_400_000;
/** A Sunday: `since Monday` and `since May` are after the first session, five days on. */
const FROM = Date.parse('2025-04-27T09:00:00Z');
const BETWEEN = 5 * DAY_MS;
const SINCE = /\b(?:Since|From) \w+day|\b(?:Since|From) May/;

const listOf = (line: string | undefined): readonly string[] => (line ?? '').slice(2).split(' | ');

export const wordedStates = (): readonly WordedState[] =>
  readFileSync(new URL('./fixtures/states/wordings.txt', import.meta.url), 'utf8')
    .split('\n\n')
    .flatMap((part) => {
      const [head = '', values, tells, changes] = part.trimEnd().split('\n');
      const found = /^(open|held) ([^:]+): (.+)$/.exec(head);
      if (!found) return [];
      const [, side, key = '', asks = ''] = found;
      return [
        {
          side: side === 'held' ? 'held' : 'open',
          key,
          asks,
          values: listOf(values),
          tells: listOf(tells),
          changes: listOf(changes),
        },
      ];
    });

export const worded = (form: string, value: string, before: string): string =>
  `${form.replaceAll('%', value).replaceAll('@', before)}.`;

/** A talk over one state: one session for each wording. */
export function wordedTalk(state: WordedState, forms: readonly string[]): StateTalk {
  const { values } = state;
  const sessions = forms.map((form, index): readonly TalkTurn[] => {
    const value = values[index % values.length] ?? '';
    const before = values[(index + values.length - 1) % values.length] ?? '';
    const at = FROM + index * BETWEEN;
    return [{ role: 'user', content: worded(form, value, before), at }];
  });
  const spans = sessions.flatMap((turns, index) =>
    turns.map(({ at }) => ({ value: values[index % values.length] ?? '', from: at, told: at })),
  );
  return {
    sessions,
    states: [{ theme: { key: state.key, asks: [state.asks], values: state.values }, spans }],
    end: (spans.at(-1)?.from ?? FROM) + 2 * DAY_MS,
  };
}

/**
 * All wordings in a shuffled order, but for those of a day that only a second session has; the first
 * is a statement, for a change needs a value before.
 */
export function shuffledForms(state: WordedState, seed: number): readonly string[] {
  const dice = new Dice(seed);
  const left = [...state.tells, ...state.changes].filter((form) => !SINCE.test(form));
  const first = left.splice(dice.roll(state.tells.length), 1);
  while (left.length > 0) first.push(...left.splice(dice.roll(left.length), 1));
  return first;
}
