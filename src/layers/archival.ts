/**
 * Long-term memories, recalled as seed 001 does: each long sentence is searched for by itself,
 * three candidates are fetched for every one that is served, four signals are weighed, and no
 * category takes more than its share. What was served is marked, so that the next session of the
 * same principal reaches deeper.
 */
import type { Hit } from '../cxri/contract.ts';
import { hitsOf, toCandidate } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { factClasses } from './fact-classes.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

export const archival = defineLayer({
  name: 'archival',
  summary:
    'Long-term memories: each long sentence of the query is searched for, and similarity, ' +
    'recency, importance and use are weighed; scored by `archival` unless the layer says otherwise.',
  rank: 5,
  cut: 'items',
  isScored: true,
  needsSubject: true,
  holdsFacts: true,
  splitsQuery: true,
  keys: [...SEARCH_KEYS, 'category_share', 'classes', 'categories', 'tags'],
  // Seed 000: 12 to 15 memories a session.
  defaults: { topK: 15, preset: 'archival', categoryShare: 0.5 },
  reads: {
    plan: (layer, view) => {
      const filters = [
        ...factClasses(layer),
        ...anyOf('category', layer.categories),
        ...allTags(layer.tags),
      ];
      return view.subQueries.flatMap(({ text, vector }, place) =>
        searchPart(layer, 'memory_open_set', { ...view, query: text, vector, filters }).map(
          (part) => ({ ...part, id: partOf(layer.name, place) }),
        ),
      );
    },
    offer: (layer, answers) => {
      const best = new Map<string, Hit>();
      for (let place = 0; answers.parts.has(partOf(layer.name, place)); place += 1)
        for (const hit of hitsOf(layer, partOf(layer.name, place), answers)) {
          const known = best.get(hit.row.uuid);
          best.set(hit.row.uuid, known ? bestOf(known, hit) : hit);
        }
      return { candidates: [...best.values()].map((hit) => toCandidate(layer, hit, answers)) };
    },
  },
});

/** The first is named after the layer, as of a layer with one search. */
const partOf = (layer: string, place: number): string =>
  place === 0 ? layer : `${layer}:${place}`;

/** Of each leg what the sentence gave that it answers best. */
function bestOf(known: Hit, hit: Hit): Hit {
  const dense = greater(known.signals.dense, hit.signals.dense);
  const lexical = greater(known.signals.lexical, hit.signals.lexical);
  return {
    ...known,
    signals: { ...(dense !== undefined && { dense }), ...(lexical !== undefined && { lexical }) },
  };
}

const greater = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
