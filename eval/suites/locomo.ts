/**
 * LoCoMo (arXiv:2402.17753) as a suite: turns are the units, and evidence is turns. The data set is
 * given by path and never part of the repository: its licence is CC BY-NC 4.0.
 */
import { ContextEngineError } from '../../src/index.ts';
import type { EvalQuestion, EvalStore, EvalSuite, KeyedTurn } from '../suite.ts';

/** One conversation, as the command line's own reader gives it. */
export interface LocomoConversation {
  readonly title: string;
  readonly turns: readonly LocomoTurn[];
  /** The `qa` list of the file, unchecked. */
  readonly questions: unknown;
}
export interface LocomoTurn {
  readonly role: string | null;
  readonly author: string | null;
  readonly occurredAt: string | null;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `D3:7`: unique in its conversation. */
  readonly identity: string;
}

/**
 * Names of the categories by their numbers in the file. 5 asks about what the other person said:
 * answerable by evidence, but not in the headline.
 */
export const LOCOMO_CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi_hop',
  2: 'temporal',
  3: 'open_domain',
  4: 'single_hop',
  5: 'adversarial',
};
const DAY_MS = 86_400_000;

/**
 * The ids that an evidence list means: an id that exists stays; else `D:a:b` is read as `Da:b`, and
 * every id inside the text counts (`D8:6; D9:17`, `D30:05`). What no turn has is left out.
 */
export function evidenceOf(
  listed: readonly unknown[],
  known: ReadonlySet<string>,
): readonly string[] {
  const ids = listed.flatMap((entry) => {
    const text = String(entry);
    if (known.has(text)) return [text];
    const repaired = text.replace(/D:(\d+):(\d+)/g, 'D$1:$2');
    return [...repaired.matchAll(/D(\d+):0*(\d+)/g)].map((match) => `D${match[1]}:${match[2]}`);
  });
  return [...new Set(ids)].filter((id) => known.has(id));
}

export interface LocomoOptions {
  readonly dataSha256: string;
  readonly scopeType: string;
  /** Every n-th question alone, for a quick look; 1 = all. */
  readonly every?: number;
  /**
   * Every fifth question is asked of the next conversation as well, where nothing answers it, and
   * once more of its own without names: what silences the first must not silence the second.
   */
  readonly isUnrelatedAsked?: boolean;
}

export function locomoSuite(
  conversations: readonly LocomoConversation[],
  options: LocomoOptions,
): EvalSuite {
  const skipped: { id: string; why: string }[] = [];
  const questions: EvalQuestion[] = [];
  const stores = conversations.map((conversation, index): EvalStore => {
    const key = conversation.title.split(':')[0] ?? `conversation-${index + 1}`;
    const known = new Set(conversation.turns.map((turn) => turn.identity));
    for (const [number, raw] of listOf(conversation.questions, key).entries()) {
      const question = toQuestion(raw, { id: `${key}/q${number + 1}`, store: key, known });
      if (question.evidence.length === 0)
        skipped.push({ id: question.id, why: 'no evidence that exists' });
      else questions.push(question);
    }
    return storeOf(conversation, { key, scopeType: options.scopeType });
  });
  const every = options.every ?? 1;
  const asked = questions.filter((_, index) => index % every === 0);
  return {
    name: 'locomo',
    dataSha256: options.dataSha256,
    stores,
    questions: options.isUnrelatedAsked ? [...asked, ...unrelated(asked, stores)] : asked,
    skipped,
  };
}

const UNRELATED_EVERY = 5;

/** By name and event the question belongs to other people: what is served for it is noise. */
const unrelated = (
  questions: readonly EvalQuestion[],
  stores: readonly EvalStore[],
): readonly EvalQuestion[] =>
  questions
    .filter(
      ({ category }, index) =>
        index % UNRELATED_EVERY === 0 && stores.length > 1 && category !== LOCOMO_CATEGORIES[5],
    )
    .flatMap((question) => {
      const next =
        stores[(stores.findIndex(({ key }) => key === question.store) + 1) % stores.length];
      const rewritten = (category: string, write: (query: string) => string): EvalQuestion => ({
        ...question,
        id: `${question.id}/${category}`,
        category,
        query: write(question.query),
      });
      return [
        ...Object.entries(WRITTEN_AS).map(([category, write]) => ({
          ...rewritten(category, write),
          store: next?.key ?? question.store,
          evidence: [],
        })),
        rewritten(ANSWERABLE_NAMELESS, withoutNames),
      ];
    });

/** The control of `unrelated_nameless`: questions that their own conversation answers. */
export const ANSWERABLE_NAMELESS = 'answerable_nameless';

/**
 * Capitals and names give a question away that is about other people: so it is asked without them
 * as well.
 */
const withoutNames = (query: string): string => query.replace(/(?<=\S\s)\p{Lu}\p{Ll}+/gu, 'they');
const WRITTEN_AS: Readonly<Record<string, (query: string) => string>> = {
  unrelated: (query) => query,
  unrelated_lower: (query) => query.toLowerCase(),
  unrelated_nameless: withoutNames,
};

function storeOf(
  conversation: LocomoConversation,
  { key, scopeType }: { readonly key: string; readonly scopeType: string },
): EvalStore {
  const last = Math.max(...conversation.turns.map((turn) => Date.parse(turn.occurredAt ?? '')));
  return {
    key,
    scopeType,
    title: conversation.title,
    inherits: [],
    // the day after the last session: later than every turn, and the same on every run
    now: new Date(last + DAY_MS).toISOString(),
    turns: conversation.turns.map((turn) => toTurn(turn, key)),
    facts: [],
    typed: [],
  };
}

const toTurn = (turn: LocomoTurn, store: string): KeyedTurn => ({
  key: keyOf(store, turn.identity),
  content: turn.content,
  ...(turn.role !== null && { role: turn.role }),
  ...(turn.author !== null && { author: turn.author }),
  ...(turn.occurredAt !== null && { occurred_at: turn.occurredAt }),
  metadata: turn.metadata,
});

const keyOf = (store: string, identity: string): string => `${store}/${identity}`;

interface QuestionPlace {
  readonly id: string;
  readonly store: string;
  readonly known: ReadonlySet<string>;
}

function toQuestion(raw: unknown, { id, store, known }: QuestionPlace): EvalQuestion {
  const fields =
    typeof raw === 'object' && raw !== null ? (raw as Readonly<Record<string, unknown>>) : {};
  const { question, category, evidence } = fields;
  const name = typeof category === 'number' ? LOCOMO_CATEGORIES[category] : undefined;
  if (typeof question !== 'string' || name === undefined)
    throw new ContextEngineError('EVAL.DATA', {
      message: `Question \`${id}\` has no \`question\`, or a category other than 1 to 5.`,
      fix: 'Give the file of the data set as it is published.',
      where: { field: id },
    });
  return {
    id,
    category: name,
    store,
    query: question,
    layer: 'semantic',
    evidence: evidenceOf(Array.isArray(evidence) ? evidence : [], known).map((identity) =>
      keyOf(store, identity),
    ),
    intent: 'fact',
    side: 'dev',
  };
}

function listOf(value: unknown, key: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ContextEngineError('EVAL.DATA', {
    message: `The conversation \`${key}\` has no \`qa\`.`,
    fix: 'Give the file of the data set as it is published: the questions are beside the conversations.',
    where: { field: 'qa' },
  });
}
