/**
 * A state that changes over eleven turns, told in conversation or remembered as facts, in no typed
 * value: what tells the present one must stand ahead of all that tells an earlier one. Questions in
 * ten phrasings; seven say "now" in some word, three leave it to the tense.
 */
import { createHash } from 'node:crypto';
import {
  type EvalQuestion,
  type EvalStore,
  type EvalSuite,
  type KeyedTurn,
  SIDES,
  type Side,
} from '../suite.ts';
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

export const changingStateSuite = (scopeType: string): EvalSuite =>
  suiteOf(
    'changing-state',
    'semantic',
    storesOf(scopeType, (tracks) => ({
      turns: GAPS_DAYS.flatMap((_, step) => sessionOf(tracks, step)),
    })),
  );

/** The same states, each value remembered as a fact that nothing closed. */
export const changingFactsSuite = (scopeType: string): EvalSuite =>
  suiteOf(
    'changing-facts',
    'open_set',
    storesOf(scopeType, (tracks) => ({
      facts: GAPS_DAYS.flatMap((_, step) => factsOf(tracks, step)),
    })),
  );

const storesOf = (
  scopeType: string,
  contentOf: (tracks: readonly StateTrack[]) => Partial<Pick<EvalStore, 'turns' | 'facts'>>,
): readonly EvalStore[] =>
  SIDES.map((side) => ({
    ...storeOf(side, scopeType),
    ...contentOf(STATE_TRACKS.filter((track) => track.side === side)),
  }));

const suiteOf = (name: string, layer: string, stores: readonly EvalStore[]): EvalSuite => {
  const questions = STATE_TRACKS.flatMap((track) => questionsOf(track, layer));
  return {
    name,
    dataSha256: createHash('sha256')
      .update(JSON.stringify([stores, questions]))
      .digest('hex'),
    stores,
    questions,
    skipped: [],
  };
};

const storeOf = (side: Side, scopeType: string): EvalStore => ({
  key: side,
  scopeType,
  title: 'Two people who keep each other posted',
  inherits: [],
  now: new Date(sessionAt(GAPS_DAYS.length - 1) + 2 * DAY_MS).toISOString(),
  turns: [],
  facts: [],
  typed: [],
});

/** `%` = what is asked about, `$` = its value. */
const FACT_FORMS = ['% is $.', '% is now $.', '% changed to $.', '$ is % these days.', '%: $'];

function factsOf(tracks: readonly StateTrack[], step: number): EvalStore['facts'] {
  return tracks.flatMap((track, index) => {
    const form = FACT_FORMS[(step * 3) % FACT_FORMS.length] ?? '';
    const value = track.values.split('; ')[step] ?? '';
    const content = form.replace('%', track.asks).replace('$', value);
    const talk = SMALL_TALK[(step * 7 + index * 3) % SMALL_TALK.length] ?? '';
    const valid_from = new Date(sessionAt(step)).toISOString();
    return [
      { key: turnKey(track, step), content: sentenceCase(content), valid_from },
      { key: `talk/${track.key}/${step}`, content: `Ilse asked: ${talk}`, valid_from },
    ];
  });
}
const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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

const questionsOf = (track: StateTrack, layer: string): EvalQuestion[] => {
  const last = GAPS_DAYS.length - 1;
  return PHRASINGS.map(({ says, saysNow }, index) => ({
    id: `${track.key}-${index}`,
    category: saysNow ? 'says_now' : 'by_tense',
    store: track.side,
    query: says.replace('%', track.asks),
    layer,
    intent: 'fact',
    evidence: [turnKey(track, last)],
    rivals: Array.from({ length: last }, (_, step) => turnKey(track, step)),
    side: track.side,
  }));
};
