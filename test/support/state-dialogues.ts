/**
 * Conversations written out, each change of a state marked in its line: `[city=Rome]`, with `since
 * 2025-04-10` where it happened before, and `[phone~555]` where it corrects what was said last.
 */
import { readFileSync } from 'node:fs';
import type { StateSpan, StateTalk, TalkTurn } from './state-talk.ts';

export interface StateDialogue extends StateTalk {
  readonly who: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MARK = /\s*\[([a-z]+)([=~])(.+?)(?: since (\d{4}-\d{2}-\d{2}))?\]$/;

interface Told {
  readonly asks: string;
  readonly values: Set<string>;
  readonly spans: StateSpan[];
}

function mark(states: ReadonlyMap<string, Told>, found: RegExpExecArray, at: number): void {
  const [, key = '', how, value = '', since] = found;
  const state = states.get(key);
  if (!state) throw new Error(`no state is called ${key}`);
  state.values.add(value);
  const last = state.spans.at(-1);
  if (how === '~' && last) state.spans.splice(-1, 1, { ...last, value });
  else state.spans.push({ value, from: since ? Date.parse(since) : at, told: at });
}

/** A file holds one talk or several, each of the person that it begins with. */
export function stateDialogues(name: string): readonly StateDialogue[] {
  const file = new URL(`./fixtures/states/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split(/^(?=who )/m)
    .slice(1)
    .map(dialogueOf);
}

function dialogueOf(text: string): StateDialogue {
  const states = new Map<string, Told>();
  const sessions: TalkTurn[][] = [];
  let who = '';
  let at = 0;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const state = /^state (\S+): (.+)$/.exec(line);
    if (state) states.set(state[1] ?? '', { asks: state[2] ?? '', values: new Set(), spans: [] });
    else if (line.startsWith('who ')) who = line.slice(4);
    else if (line.startsWith('== ')) {
      at = Date.parse(`${line.slice(3)}T09:00:00Z`);
      sessions.push([]);
    } else {
      at += MINUTE_MS;
      const found = MARK.exec(line);
      if (found) mark(states, found, at);
      const role = line.startsWith('> ') ? 'assistant' : 'user';
      sessions.at(-1)?.push({ role, content: line.replace(/^> /, '').replace(MARK, ''), at });
    }
  }
  return {
    who,
    sessions,
    states: [...states].map(([key, { asks, values, spans }]) => ({
      theme: { key, asks: [asks], values: [...values] },
      spans,
    })),
    end: at + 2 * DAY_MS,
  };
}
