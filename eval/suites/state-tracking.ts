/**
 * A value that changes over many turns: which one holds now, and which one held then? Asked of open
 * facts, which take over from each other, and of typed values, whose earlier ones close. The turns
 * in between mention old and new values alike.
 */
import { createHash } from 'node:crypto';
import type {
  EvalQuestion,
  EvalStore,
  EvalSuite,
  KeyedFact,
  KeyedTurn,
  KeyedTyped,
} from '../suite.ts';

interface Track {
  readonly key: string;
  readonly subject: string;
  /** A sentence with the value in place of `%`. */
  readonly says: string;
  readonly asks: string;
  readonly property: 'owner' | 'crop' | 'contact' | 'language';
  readonly values: readonly string[];
}

const TRACKS: readonly Track[] = [
  {
    key: 'host',
    subject: 'Orrin service',
    says: 'The Orrin service runs on %.',
    asks: 'Where does the Orrin service run?',
    property: 'language',
    values: [
      'a rented server in Ghent',
      'two virtual machines',
      'the cluster in Frankfurt',
      'the cluster in Helsinki',
      'bare metal in Lyon',
      'the cluster in Milan',
    ],
  },
  {
    key: 'lead',
    subject: 'Marlow project',
    says: '% leads the Marlow project.',
    asks: 'Who leads the Marlow project?',
    property: 'owner',
    values: ['Abena', 'Bastian', 'Chiyo', 'Davor', 'Esperanza', 'Fenwick'],
  },
  {
    key: 'budget',
    subject: 'Thistle account',
    says: 'The monthly budget of the Thistle account is %.',
    asks: 'What is the monthly budget of the Thistle account?',
    property: 'language',
    values: [
      '900 euros',
      '1,250 euros',
      '1,400 euros',
      '2,000 euros',
      '1,800 euros',
      '2,600 euros',
    ],
  },
  {
    key: 'crop',
    subject: 'house seven',
    says: 'House seven grows %.',
    asks: 'What grows in house seven?',
    property: 'crop',
    values: ['basil', 'chard', 'radishes', 'peppers', 'cucumbers', 'lettuce'],
  },
  {
    key: 'meeting',
    subject: 'design review',
    says: 'The design review takes place on %.',
    asks: 'On which day is the design review?',
    property: 'language',
    values: [
      'Mondays',
      'Tuesdays at ten',
      'Wednesdays',
      'Thursdays at four',
      'Fridays',
      'Tuesdays at nine',
    ],
  },
  {
    key: 'vendor',
    subject: 'parcel shipping',
    says: 'Parcels are shipped with %.',
    asks: 'With whom are parcels shipped?',
    property: 'contact',
    values: [
      'Bluebird Post',
      'Kestrel Cargo',
      'Merlin Express',
      'Heron Lines',
      'Osprey Freight',
      'Wren Courier',
    ],
  },
  {
    key: 'threshold',
    subject: 'frost warning',
    says: 'The frost warning is set to % degrees.',
    asks: 'At how many degrees is the frost warning set?',
    property: 'language',
    values: ['four', 'three', 'two and a half', 'five', 'three and a half', 'two'],
  },
  {
    key: 'desk',
    subject: 'Ruta',
    says: 'Ruta sits in %.',
    asks: 'Where does Ruta sit?',
    property: 'language',
    values: ['room 12', 'the annex', 'room 30', 'the glass office', 'room 4', 'the second floor'],
  },
];

const START_MS = Date.parse('2026-01-05T09:00:00Z');
const STEP_DAYS = 21;
const DAY_MS = 86_400_000;
const STORE = 'states';
const COLLECTION = 'gold_records';

const changedAt = (step: number): number => START_MS + step * STEP_DAYS * DAY_MS;
const iso = (ms: number): string => new Date(ms).toISOString();
const factKey = (track: Track, step: number): string => `${track.key}/fact/${step}`;
const typedKey = (track: Track, step: number): string => `${track.key}/typed/${step}`;

export function stateTrackingSuite(scopeType: string): EvalSuite {
  const last = Math.max(...TRACKS.map((track) => track.values.length)) - 1;
  const store: EvalStore = {
    key: STORE,
    scopeType,
    title: 'Values that change',
    inherits: [],
    now: iso(changedAt(last) + 2 * DAY_MS),
    turns: TRACKS.flatMap(turnsOf),
    facts: TRACKS.flatMap(factsOf),
    typed: TRACKS.flatMap(typedOf),
  };
  const questions = TRACKS.flatMap(questionsOf);
  return {
    name: 'state',
    dataSha256: createHash('sha256')
      .update(JSON.stringify([store, questions]))
      .digest('hex'),
    stores: [store],
    questions,
    skipped: [],
  };
}

const factsOf = (track: Track): KeyedFact[] =>
  track.values.map((value, step) => ({
    key: factKey(track, step),
    subject: track.subject,
    content: track.says.replace('%', value),
    valid_from: iso(changedAt(step)),
    ...(step > 0 && { replaces: factKey(track, step - 1) }),
  }));

const typedOf = (track: Track): KeyedTyped[] =>
  track.values.map((value, step) => ({
    key: typedKey(track, step),
    subject: track.subject,
    collection: COLLECTION,
    property: track.property,
    value,
    valid_from: iso(changedAt(step)),
  }));

/**
 * Each change is talked about three times: the plan, the day itself, and a look back at what was
 * before.
 */
const turnsOf = (track: Track): KeyedTurn[] =>
  track.values.flatMap((value, step): KeyedTurn[] => {
    const before = track.values[step - 1] ?? 'something else';
    const said = [
      `I would like to change that: for ${track.subject} it should be ${value} rather than ${before}.`,
      `As of today: ${track.says.replace('%', value)}`,
      `With ${before} it was not so bad either, if you ask me about ${track.subject}.`,
    ];
    return said.map((content, index) => ({
      key: `${track.key}/turn/${step}/${index}`,
      content,
      author: index === 1 ? 'Oda' : 'Piet',
      role: 'user',
      occurred_at: iso(changedAt(step) + (index - 1) * DAY_MS),
    }));
  });

/** The value of today, and the one that held in the middle of an earlier step. */
const questionsOf = (track: Track, index: number): EvalQuestion[] => {
  const last = track.values.length - 1;
  const past = (index % (last - 1)) + 1;
  const asked = { store: STORE, query: track.asks, side: 'dev' as const };
  const others = (keyOf: (track: Track, step: number) => string, step: number): string[] =>
    track.values.flatMap((_, other) => (other === step ? [] : [keyOf(track, other)]));
  const of = (
    shape: 'fact' | 'typed',
    step: number,
  ): Pick<EvalQuestion, 'evidence' | 'rivals' | 'layer' | 'intent'> => {
    const keyOf = shape === 'fact' ? factKey : typedKey;
    return {
      layer: shape === 'fact' ? 'open_set' : 'schema_typed',
      intent: shape === 'fact' ? 'when' : 'lookup',
      evidence: [keyOf(track, step)],
      rivals: others(keyOf, step),
    };
  };
  const asOf = iso(changedAt(past) + (STEP_DAYS / 2) * DAY_MS);
  return (['fact', 'typed'] as const).flatMap((shape) => [
    { ...asked, id: `${track.key}-${shape}-now`, category: `${shape}_now`, ...of(shape, last) },
    {
      ...asked,
      id: `${track.key}-${shape}-past`,
      category: `${shape}_past`,
      ...of(shape, past),
      asOf,
    },
  ]);
};
