/**
 * A state that is told in conversation and changes over eleven turns, in no typed value: the turn
 * that tells the present one must stand ahead of every turn that tells an earlier one. Questions in
 * ten phrasings; seven say "now" in some word, three leave it to the tense.
 */
import { createHash } from 'node:crypto';
import type { EvalQuestion, EvalStore, EvalSuite, KeyedTurn } from '../suite.ts';
import { SMALL_TALK, STATE_TRACKS, type StateTrack } from './state-tracks.ts';

/**
 * Days between the sessions in which states change: some follow within hours, some after two
 * months.
 */
const GAPS_DAYS = [0, 0.2, 1, 3, 9, 30, 61, 14, 0.3, 21, 5] as const;
const START_MS = Date.parse('2025-06-02T08:00:00Z');
const DAY_MS = 86_400_000;

/** `%` = what is asked about, as a noun phrase. */
const PHRASINGS: readonly { readonly says: string; readonly saysNow: boolean }[] = [
  { says: 'What is % now?', saysNow: true },
  { says: 'What is % currently?', saysNow: true },
  { says: 'Can you tell me the current state of %?', saysNow: true },
  { says: 'As of today, what is %?', saysNow: true },
  { says: 'What is the latest on %?', saysNow: true },
  { says: 'What is % at the moment?', saysNow: true },
  { says: 'What is % these days?', saysNow: true },
  { says: 'What is %?', saysNow: false },
  { says: 'Remind me of %.', saysNow: false },
  { says: 'Do you know %?', saysNow: false },
];

const sessionAt = (step: number): number =>
  START_MS + GAPS_DAYS.slice(0, step + 1).reduce<number>((sum, days) => sum + days, 0) * DAY_MS;
const turnKey = (track: StateTrack, step: number): string => `${track.key}/${step}`;

export function changingStateSuite(scopeType: string): EvalSuite {
  const stores = (['dev', 'held_out'] as const).map((side): EvalStore => {
    const tracks = STATE_TRACKS.filter((track) => track.side === side);
    return {
      key: side,
      scopeType,
      title: 'Two people who keep each other posted',
      inherits: [],
      now: new Date(sessionAt(GAPS_DAYS.length - 1) + 2 * DAY_MS).toISOString(),
      turns: GAPS_DAYS.flatMap((_, step) => sessionOf(tracks, step)),
      facts: [],
      typed: [],
    };
  });
  const questions = STATE_TRACKS.flatMap(questionsOf);
  return {
    name: 'changing-state',
    dataSha256: createHash('sha256')
      .update(JSON.stringify([stores, questions]))
      .digest('hex'),
    stores,
    questions,
    skipped: [],
  };
}

/** What one says, and a reply that does not repeat it; small talk in between. */
function sessionOf(tracks: readonly StateTrack[], step: number): KeyedTurn[] {
  return tracks.flatMap((track, index): KeyedTurn[] => {
    const pattern = track.says[(step * 3 + index) % track.says.length] ?? '';
    const value = track.values.split('; ')[step] ?? '';
    const talk = (offset: number): string =>
      SMALL_TALK[(step * 7 + index * 3 + offset) % SMALL_TALK.length] ?? '';
    const turns: readonly (readonly [key: string, author: string, content: string])[] = [
      [`talk/${track.key}/${step}/0`, 'Ilse', talk(0)],
      [turnKey(track, step), 'Ravi', pattern.replace('%', value)],
      [`talk/${track.key}/${step}/1`, 'Ilse', talk(1)],
      [`talk/${track.key}/${step}/2`, 'Ravi', talk(2)],
    ];
    return turns.map(([key, author, content]) => ({
      key,
      author,
      content,
      role: 'user',
      occurred_at: new Date(sessionAt(step)).toISOString(),
    }));
  });
}

const questionsOf = (track: StateTrack): EvalQuestion[] => {
  const last = GAPS_DAYS.length - 1;
  return PHRASINGS.map(({ says, saysNow }, index) => ({
    id: `${track.key}-${index}`,
    category: saysNow ? 'says_now' : 'by_tense',
    store: track.side,
    query: says.replace('%', track.asks),
    layer: 'semantic',
    intent: 'fact',
    evidence: [turnKey(track, last)],
    rivals: Array.from({ length: last }, (_, step) => turnKey(track, step)),
    side: track.side,
  }));
};
