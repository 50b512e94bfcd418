/** What a manifest means where it is silent. */
import type { Manifest, ScoringSettings } from '../model/manifest.ts';
import type { PermissionKey, Tier } from '../model/permission.ts';

type Reserve = Manifest['budget']['reserve'];

export const DEFAULT_TOTAL_TOKENS = 4000;
export const DEFAULT_RESERVE: Reserve = { query: 1000, response: 2000, safety: 192 };

/**
 * Summaries beside the recent turns: 30 % / 70 % (design). Up to half of the budget the history is
 * shown whole: it only grows from call to call, and a provider's cache serves what only grows; a
 * longer one loses half of that at most each time that its beginning moves on. Less than 100 tokens
 * are little use to a model (seed 002).
 */
export const DEFAULT_HISTORY = {
  summaryShare: 0.3,
  historyShare: 0.5,
  historyKept: 0.5,
  shortHistoryTokens: 100,
};

/**
 * Budgets of the three windows, after the memory-blocks seed. 4K: its blocks sum to 2,200 and its
 * parts to 4,000; the 96 tokens that are left of 4,096 go to the blocks (2,300) rather than to
 * safety (100 there, 96 here). 8K: 5,000 + 1,000 + 2,000 + 192 = 8,192. 128K: as given, 29,000 of
 * 128,000.
 */
export const WINDOW_PRESETS: Readonly<Record<string, WindowPreset>> = {
  window_4k: {
    totalTokens: 2300,
    reserve: { query: 500, response: 1200, safety: 96 },
    blocks: { project: 400, task: 300, history: 400, knowledge: 800 },
  },
  window_8k: {
    totalTokens: 5000,
    reserve: { query: 1000, response: 2000, safety: 192 },
    blocks: { project: 1000, task: 500, history: 1000, knowledge: 2000 },
  },
  window_128k: {
    totalTokens: 16_000,
    reserve: { query: 4000, response: 8000, safety: 1000 },
    blocks: { project: 2000, task: 1000, history: 4000, knowledge: 8000 },
  },
};

interface WindowPreset {
  readonly totalTokens: number;
  readonly reserve: Reserve;
  readonly blocks: BlockTokens;
}

/**
 * Tokens that a window keeps for the layers of a block, where they can fill them: the table of the
 * seed without its system, which is never cut.
 */
export interface BlockTokens {
  /** `project` and `index`. */
  readonly project: number;
  /** `task`, and what else is not searched: `schema_typed`, `pinned`. */
  readonly task: number;
  /** `recent` and `summary`. */
  readonly history: number;
  /** Every layer that is searched. */
  readonly knowledge: number;
}

/**
 * beta: seed manifest. Half-lives 168 h and 90 d: archival seed. MMR 0.5: design. Frequency cap
 * 0.5: reached at 31 uses. Fusion: measured on the gold set (two even legs: recall@10 0.80, these
 * three 0.86). Of documents: measured on sources and docstrings, recall@5 +6.3, abstracts nDCG@10
 * +0.9.
 */
export const DEFAULT_SCORING: Omit<ScoringSettings, 'preset' | 'formula'> = {
  beta: 1.5,
  floor: 0,
  floorOfBest: 0,
  fusion: { dense: 0.2, lexical: 0.4, words: 0.4 },
  documentFusion: { dense: 0.2, lexical: 0.8, words: 0 },
  mmrLambda: 0.5,
  // Seed 000 and Governed Memory agree on it.
  nearDuplicate: 0.92,
  // Of 90 facts and eleven messages that greet or thank, what speaks of greetings or thanks has
  // 0.69 and more, and the nearest of the rest 0.39.
  courtesyFloor: 0.5,
  recencyHalfLifeHours: 168,
  importanceHalfLifeDays: 90,
  // Seed 001: what does not change does not fade in a quarter; procedures stand between.
  importanceHalfLives: { fact: 180, entity: 180, decision: 90, preference: 90, procedure: 135 },
  importanceFloor: 0.1,
  frequencyCap: 0.5,
  weights: { similarity: 0.45, recency: 0.25, importance: 0.2, frequency: 0.1 },
  // See FORMULA_PRESETS.conversation.
  conversationWeights: {
    window: 0.34,
    previous: 0.26,
    session: 0.37,
    dense: 0.34,
    maxsim: 0.57,
    author: 0.32,
    date: 0.36,
    when: 0.26,
    question: 0.13,
    length: 0.14,
    latest: 1.6,
    strangers: 0.9,
    unseen: 1,
    unnamed: 0.3,
  },
  // Seed 003: the operating point that a team landed on over weeks of recall logs.
  classBoosts: { lesson: 1.5, process: 0.85 },
  documentFactors: { absorbed: 0.5, absorbedCap: 0.5, replaced: 0.5 },
  // See FORMULA_PRESETS.governed.
  governedWeights: { latest: 1.5 },
  // Chosen on the dev half of `eval/suites/changing-state.ts` (current value first: 100 of 100,
  // held back the same). Facts that people word freely match a question less alike than those of
  // the suite: of fifty questions with a word for now, about states that somebody else wrote, the
  // share of turns and twice the weight of `latest` find the present fact first for 34, and 0.75
  // for 17. By tense alone only what is said almost alike may take its place: the gold set would
  // lose two points of recall@5. So of turns, where a question merely is in the present tense: at
  // 0.5 recall@5 of English in `languages` falls from 76.7 to 66.7, at 0.8 to 73.3, at 0.9 it
  // stays. What a present tense counts: on the same half and on LoCoMo. Of all ten phrasings 91 %
  // find the present value first (71 % by words alone), and recall@5, @10 and @20 of LoCoMo lose
  // 0.1, 0.1 and 0.2 points. Any present tense that names nobody costs LoCoMo nothing; of
  // questions about states that somebody else wrote, ten phrasings each, it takes the present turn
  // first from 49 to 54 of 100, and from 55 to 61 of those held back.
  latest: {
    perPlace: 0.7,
    byTense: 0.5,
    turns: 0.5,
    turnsByTense: 0.9,
    facts: 0.5,
    factsByTense: 0.95,
  },
  // Seed 001.
  stalePenalty: 0.5,
  staleMinutes: 60,
  // At the built-in penalty: a weaker one would have to win by its age alone.
  rivalShare: 0.5,
  // Tool and document stand between the four that the notes on MemArchitect state (axiom 1, user
  // 0.8, model 0.6, web 0.4); a row that says nothing is trusted as little as the least of them.
  trust: { axiom: 1, user: 0.8, document: 0.7, model: 0.6, tool: 0.5, web: 0.4, unknown: 0.4 },
};

/**
 * What a manifest does not say restricts nothing; what a principal may by default is said in
 * src/permission/.
 */
export const DEFAULT_PERMISSION: Readonly<Record<PermissionKey, Tier>> = {
  reads: 'T1',
  writes: 'T1',
  cross_scope: 'T1',
  deletes: 'T1',
  grants: 'T1',
  redactions: 'T1',
  approvals: 'T1',
};

export const DEFAULT_TTL_SECONDS = 30;
