/** Documents and lessons, by class and meaning (seed 003). */
import type { Filter, QueryPart } from '../cxri/contract.ts';
import type { AnyRow } from '../model/block.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { Standing } from '../model/signals/definition.ts';
import { hitsOf, toCandidate } from './answered-hits.ts';
import { defineLayer, type LayerAnswers } from './definition.ts';
import { LESSONS } from './fact-classes.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

const BLOCK_TYPES = ['document', 'chunk'];
/** The newest of the closure: more documents than this are seldom merged into others. */
const MOST_LINKS = 1000;

const factsOf = ({ name }: LayerSettings): string => `${name}:facts`;
const linksOf = ({ name }: LayerSettings): string => `${name}:links`;

export const documents = defineLayer({
  name: 'documents',
  summary:
    'Documents, and facts of the classes lesson and rule, by class and meaning; scored by ' +
    '`class_aware` unless the layer says otherwise.',
  rank: 5,
  cut: 'items',
  isScored: true,
  needsSubject: true,
  holdsDocuments: true,
  blockTypes: BLOCK_TYPES,
  keys: [...SEARCH_KEYS, 'block_types', 'classes', 'tags'],
  // Top 5: what the search tool of the seed serves.
  defaults: { topK: 5, preset: 'class_aware' },
  reads: {
    plan: (layer, view) => {
      const { classes } = layer;
      const search = (table: 'blocks' | 'memory_open_set', filters: readonly Filter[]) =>
        searchPart(layer, table, { ...view, filters: [...filters, ...allTags(layer.tags)] });
      const blocks = search('blocks', [
        { field: 'is_scope', eq: false },
        ...anyOf('block_type', layer.blockTypes.length > 0 ? layer.blockTypes : BLOCK_TYPES),
        ...anyOf('metadata.class', classes),
      ]);
      const facts = search(
        'memory_open_set',
        anyOf('class', classes.length > 0 ? classes : LESSONS),
      );
      return blocks.length === 0
        ? []
        : [...blocks, ...facts.map((part) => ({ ...part, id: factsOf(layer) })), links(layer)];
    },
    offer: (layer, answers) => {
      const standingOf = readStandings(layer, answers);
      const hits = [layer.name, factsOf(layer)].flatMap((id) => hitsOf(layer, id, answers));
      const candidates = hits.map((hit) => {
        const candidate = toCandidate(layer, hit, answers);
        return { ...candidate, standing: standingOf(candidate.source) };
      });
      // A document whose text stands in its chunks has none of its own.
      return { candidates: candidates.filter(({ text }) => text.trim() !== '') };
    },
  },
});

const links = (layer: LayerSettings): QueryPart => ({
  id: linksOf(layer),
  table: 'context_links',
  mode: 'list',
  limit: MOST_LINKS,
  filter: { field: 'link_type', in: ['absorbed_by', 'replaces'] },
  order: { by: 'recorded_seq', direction: 'desc' },
});

/** `absorbed_by` leads from the one that was taken in, `replaces` to the one that was. */
function readStandings(
  layer: LayerSettings,
  answers: LayerAnswers,
): (source: AnyRow | null) => Standing {
  const absorbed = new Set<string>();
  const replaced = new Set<string>();
  for (const { table, row } of hitsOf(layer, linksOf(layer), answers)) {
    if (table !== 'context_links') continue;
    if (row.link_type === 'absorbed_by') absorbed.add(row.from_uuid);
    else replaced.add(row.to_uuid);
  }
  return (source) => {
    const roots = source ? [source.row.root_uuid, documentOf(source)] : [];
    const isIn = (set: ReadonlySet<string>): boolean => roots.some((root) => set.has(root ?? ''));
    return { isAbsorbed: isIn(absorbed), isReplaced: isIn(replaced) };
  };
}

const documentOf = ({ table, row }: AnyRow): string | null =>
  table === 'blocks' ? row.parent_uuid : null;
