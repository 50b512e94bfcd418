/** The last N turns of the scope itself, by (occurred_at, seq), without the turn that is the query. Oldest first. */
import type { Hit } from '../../cxri/contract.ts';
import type { LayerSettings } from '../../model/manifest.ts';
import type { LayerAnswers, LayerDefinition } from '../state.ts';
import { hitsOf, toCandidate } from './offer.ts';

/** Turns beyond `limit` that the summary layer may use to bridge the gap up to what it covers. */
export const GAP_TURNS = 24;

export const recent: LayerDefinition = {
  plan: (layer, view) => [
    {
      id: layer.name,
      table: 'blocks',
      mode: 'list',
      scopes: [view.scope],
      limit: layer.limit + 1 + (view.firing.has('summary') ? GAP_TURNS : 0),
      filter: { field: 'block_type', in: layer.blockTypes.length > 0 ? layer.blockTypes : ['turn'] },
      order: { by: 'occurred_at', direction: 'desc' },
    },
  ],
  offer: (layer, answers) => {
    const { shown, query } = recentTurns(layer, answers);
    return {
      candidates: shown.map((hit) => toCandidate(layer, hit, answers)).reverse(),
      dropped: query
        ? [{ layer: layer.name, uuid: query.row.uuid, root_uuid: query.row.root_uuid, score: null, reason: 'is_query' as const }]
        : [],
    };
  },
};

/** Newest first: the turns shown, the query's own turn if it was stored already, and the older ones behind. */
export function recentTurns(
  layer: LayerSettings,
  answers: LayerAnswers,
): { readonly shown: readonly Hit[]; readonly query: Hit | undefined; readonly older: readonly Hit[] } {
  const hits = hitsOf(layer, layer.name, answers);
  const [newest] = hits;
  const isQuery = newest?.table === 'blocks' && answers.plan.query !== '' && newest.row.content === answers.plan.query;
  const turns = isQuery ? hits.slice(1) : hits;
  return { shown: turns.slice(0, layer.limit), query: isQuery ? newest : undefined, older: turns.slice(layer.limit) };
}
