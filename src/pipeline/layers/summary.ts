/**
 * Summaries by kind, each saying how far it covers. The turns between what the rolling summary covers and what `recent` shows are
 * given verbatim; where there are more of them than fit, the composition says that its history has a gap.
 */
import type { Hit } from '../../cxri/contract.ts';
import type { LayerSettings } from '../../model/manifest.ts';
import type { LayerAnswers, LayerDefinition } from '../state.ts';
import { anyOf, hitsOf, toCandidate } from './offer.ts';
import { GAP_TURNS, recentTurns } from './recent.ts';

export const summary: LayerDefinition = {
  plan: (layer) => [
    {
      id: layer.name,
      table: 'subtree_summaries',
      mode: 'list',
      limit: layer.limit,
      filter: { and: anyOf('kind', layer.kinds) },
      order: { by: 'covers_to_seq', direction: 'desc' },
    },
  ],
  offer: (layer, answers) => {
    const hits = hitsOf(layer, layer.name, answers).flatMap((hit) => (hit.table === 'subtree_summaries' ? [hit] : []));
    const newestOf = new Map<string, string>();
    for (const hit of hits)
      if (hit.row.kind !== 'per_doc')
        newestOf.set(`${hit.row.scope_uuid}/${hit.row.kind}`, newestOf.get(`${hit.row.scope_uuid}/${hit.row.kind}`) ?? hit.row.uuid);
    const shown = hits.filter(
      (hit) => hit.row.kind === 'per_doc' || newestOf.get(`${hit.row.scope_uuid}/${hit.row.kind}`) === hit.row.uuid,
    );
    const rolling = shown.find((hit) => hit.row.kind === 'rolling' && hit.row.scope_uuid === answers.plan.scope);
    const gap = gapTurns(layer, answers, rolling?.row.covers_to_seq ?? 0);
    return { candidates: [...shown, ...gap].map((hit) => toCandidate(layer, hit, answers)) };
  },
};

function gapTurns(layer: LayerSettings, answers: LayerAnswers, coversTo: number): readonly Hit[] {
  const recent = answers.settingsOf('recent');
  if (!recent) return [];
  const { older } = recentTurns(recent, answers);
  const gap = older.filter((hit) => hit.row.recorded_seq > coversTo);
  const isOpenEnded = gap.length > 0 && gap.length === older.length && older.length >= GAP_TURNS;
  if (isOpenEnded)
    answers.warn(
      'HISTORY.GAP',
      `Older turns stand between what layer \`${layer.name}\` covers (seq ${coversTo}) and layer \`${recent.name}\`; only the newest ${gap.length} of them were offered.`,
    );
  return [...gap].reverse();
}
