/**
 * The last N turns of the scope itself, by (occurred_at, seq), without the turn that is the query;
 * and, where a summary layer asks for the whole history, the turns before them. What the rolling
 * summary covers of these is shown where tokens are left: a summary tells less than its turns.
 * Oldest first.
 */
import type { Hit } from '../cxri/contract.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { roughItemTokens } from '../text/rough-tokens.ts';
import { hitsOf, saysQuery, toCandidate } from './answered-hits.ts';
import { defineLayer, type LayerAnswers, type OfferedCandidate } from './definition.ts';
import { rollingSummary } from './summary.ts';

/** Turns read before the last N: as many as the budget could hold if each were this short. */
const SHORT_TURN_TOKENS = 20;
const olderLimit = (totalTokens: number): number => Math.ceil(totalTokens / SHORT_TURN_TOKENS);

/** Read but not shown: the turn that may be the query, and one that says whether there are more. */
const UNSHOWN = 2;
/** As many rows as one part of a query may ask for. */
const MOST_READ = 1000;
const shownLimit = (layer: LayerSettings, totalTokens: number, isWhole: boolean): number =>
  Math.min(MOST_READ - UNSHOWN, layer.limit + (isWhole ? olderLimit(totalTokens) : 0));

export const recent = defineLayer({
  name: 'recent',
  summary: 'The last turns of the conversation.',
  rank: 4,
  cut: 'oldest',
  isHistory: true,
  keys: ['limit', 'block_types'],
  // The seed manifest's.
  defaults: { limit: 12 },
  whyShown: 'one of the last turns of the scope',
  reads: {
    plan: (layer, view) => [
      {
        id: layer.name,
        table: 'blocks',
        mode: 'list',
        scopes: [view.scope],
        limit: UNSHOWN + shownLimit(layer, view.totalTokens, view.firing.has('summary')),
        filter: {
          field: 'block_type',
          in: layer.blockTypes.length > 0 ? layer.blockTypes : ['turn'],
        },
        order: { by: 'occurred_at', direction: 'desc' },
      },
    ],
    offer: (layer, answers) => {
      const { turns, query, unread } = readTurns(layer, answers);
      const summarised = summaryOf(answers);
      const covered = summarised?.row.covers_to_seq ?? 0;
      const shown = turns.slice(0, layer.limit);
      const older = turns.slice(layer.limit);
      const held = covered > 0 ? 0 : heldTurns(shown, older, answers);
      const newestFirst = [
        ...shown.map((hit) => toCandidate(layer, hit, answers)),
        ...older.map(
          (hit, index): OfferedCandidate => ({
            ...toCandidate(layer, hit, answers),
            isSpare: covered > 0 ? hit.row.recorded_seq <= covered : index >= held,
          }),
        ),
      ];
      return {
        candidates: newestFirst.reverse(),
        unreadSeq: unread?.row.recorded_seq ?? null,
        coveredBy: summarised?.row.uuid ?? null,
        asked: query ?? null,
        dropped: query ? [isQuery(layer, query)] : [],
      };
    },
  },
});

const isQuery = (layer: LayerSettings, { row }: Hit) =>
  ({
    layer: layer.name,
    uuid: row.uuid,
    root_uuid: row.root_uuid,
    score: null,
    reason: 'is_query',
  }) as const;

/**
 * How many of the older turns are shown before anything is searched. Where not all of them can be,
 * the history begins at a round place among those where it might: such a place stays for many
 * turns, and what stands after it stands as it did.
 */
function heldTurns(
  shown: readonly Hit[],
  older: readonly Hit[],
  { totalTokens, history }: LayerAnswers,
): number {
  const turns = [...shown, ...older];
  const fitting = fittingTurns(turns, history.historyShare * totalTokens);
  if (fitting === turns.length) return older.length;
  const least = Math.max(shown.length, Math.ceil(history.historyKept * fitting));
  let held = 0;
  let roundest = -1;
  for (let count = least; count <= fitting; count += 1) {
    const [first, before] = [turns[count - 1], turns[count]];
    if (first === undefined || before === undefined) continue;
    const round = roundness(before.row.recorded_seq, first.row.recorded_seq);
    if (round < roundest) continue;
    roundest = round;
    held = count - shown.length;
  }
  return held;
}

/** The newest that the tokens are enough for. */
function fittingTurns(newestFirst: readonly Hit[], mostTokens: number): number {
  let tokens = 0;
  for (const [index, { row }] of newestFirst.entries()) {
    tokens += 'content' in row ? roughItemTokens(row.content) : 0;
    if (tokens > mostTokens) return index;
  }
  return newestFirst.length;
}

/** The highest power of two of which a multiple lies after `before` and up to `first`. */
const roundness = (before: number, first: number): number =>
  31 - Math.clz32((before ^ first) & 0x7fffffff);

/** The scope's own rolling summary, where a summary layer fires. */
function summaryOf(answers: LayerAnswers): ReturnType<typeof rollingSummary> {
  const layer = answers.settingsOf('summary');
  return layer && rollingSummary(layer, answers);
}

/** Who asks is a person, of whatever role: an answer that reads like the query is none. */
const asksQuery = ({ table, row }: Hit, query: string): boolean =>
  table === 'blocks' &&
  saysQuery(row.content, query) &&
  !NO_PERSONS.has(row.role?.toLowerCase() ?? '');
const NO_PERSONS: ReadonlySet<string> = new Set(
  'assistant ai bot model tool function system developer'.split(' '),
);

/** Newest first, without the query's own turn if that was stored; and the next before them. */
function readTurns(
  layer: LayerSettings,
  answers: LayerAnswers,
): {
  readonly turns: readonly Hit[];
  readonly query: Hit | undefined;
  readonly unread: Hit | undefined;
} {
  const hits = hitsOf(layer, layer.name, answers);
  const [newest] = hits;
  const hasQuery = newest !== undefined && asksQuery(newest, answers.query);
  const isWhole = answers.settingsOf('summary') !== undefined;
  const limit = shownLimit(layer, answers.totalTokens, isWhole);
  const turns = hasQuery ? hits.slice(1) : hits;
  return {
    turns: turns.slice(0, limit),
    query: hasQuery ? newest : undefined,
    unread: turns[limit],
  };
}
