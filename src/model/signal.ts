/** The names that a scoring formula may use, as data. 0..1 unless `range` says otherwise. */
export interface SignalFacts {
  readonly meaning: string;
  readonly range: readonly [number, number];
  /** A knob from the manifest rather than a property of the item. */
  readonly isParameter?: boolean;
  /** Why it is the same number for every item in this version: a formula that names it is warned of. */
  readonly inert?: string;
}

export const SIGNALS = {
  sim: {
    meaning: 'calibrated similarity to the query: weighted fusion of dense, lexical and maxsim',
    range: [0, 1],
  },
  dense: { meaning: 'cosine of the query vector and the item vector, floored at 0', range: [0, 1] },
  lexical: {
    meaning: 'BM25 of the item over all that the terms of the query can give',
    range: [0, 1],
  },
  R: { meaning: 'FSRS retrievability now', range: [0, 1] },
  U: { meaning: 'utility learned from outcomes; 0 until the first', range: [0, 1] },
  recency: { meaning: '0.5^(hours since last touch / half-life)', range: [0, 1] },
  importance: { meaning: 'importance with its decay, floor 0.1', range: [0, 1] },
  frequency: { meaning: 'min(0.1*log2(1+n), cap) of outcomes n', range: [0, 1] },
  stale: {
    meaning:
      '0.5 if this principal was served the item within the hour in another session, else 1; always 1 in this version',
    range: [0.5, 1],
    inert: 'what other sessions were served is not kept yet, so it is 1 for every item',
  },
  confidence: { meaning: 'confidence of the row', range: [0, 1] },
  trust: { meaning: 'trust of the source class', range: [0, 1] },
  age_days: { meaning: 'days since the row became valid', range: [0, 36500] },
  depth: {
    meaning: 'distance of the scope in the closure; 0 is the scope of the call',
    range: [0, 8],
  },
  tag_matches: { meaning: 'tags of the item that stand in the query', range: [0, 64] },
  window: {
    meaning:
      'BM25 of the turn and two turns on either side, as a share of what the query can reach',
    range: [0, 1],
  },
  previous: { meaning: 'the same of the turn before alone', range: [0, 1] },
  session: {
    meaning: 'the same of what was found of the day and thread that the turn stands in',
    range: [0, 1],
  },
  maxsim: {
    meaning:
      'closest words of the turn (weight 1) and of two turns on either side (0.7, 0.4) to each word of the query',
    range: [0, 1],
  },
  author: {
    meaning: '1 if the query names exactly one participant and that one wrote the turn',
    range: [0, 1],
  },
  date: { meaning: 'nearness of the turn to the day or month that the query names', range: [0, 1] },
  when: { meaning: '1 if the query asks for a time and the turn tells one', range: [0, 1] },
  question: { meaning: 'share of the sentences of the turn that are questions', range: [0, 1] },
  length: { meaning: 'ln(1 + terms of the text) / 4', range: [0, 1] },
  strangers: {
    meaning:
      'of a block: share of the names in the query that stand in no text of the store and are no author of what was found, as far as the store is large enough to tell; the same for all that one query finds',
    range: [0, 1],
  },
  latest: {
    meaning:
      'of a turn, where the query asks for now: how late it stands among the turns that match the query alike; 1 = the last',
    range: [0, 1],
  },
  unseen: {
    meaning:
      "of a block: share of the weight of the query's words that the store has never seen, as far as the store is large enough to tell; the same for all that one query finds",
    range: [0, 1],
  },
  lambda: { meaning: 'decay weight of the intent', range: [0, 4], isParameter: true },
  beta: { meaning: 'utility boost', range: [0, 10], isParameter: true },
} as const satisfies Record<string, SignalFacts>;
export type SignalName = keyof typeof SIGNALS;
export type Signals = Readonly<Partial<Record<SignalName, number>>>;
/** Signals of the design that need a capability which has not landed: refused in formulas with `FEATURE.NOT_LANDED`. */
export const PENDING_SIGNALS = ['class_boost', 'co_occurs', 'absorbed', 'replaced'] as const;
