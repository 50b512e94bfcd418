/** What `pinned` links name, in their order. Never vetoed, never scored. */
import type { Table } from '../../model/block.ts';
import type { LayerDefinition } from '../state.ts';
import { hitsOf, toCandidate } from './offer.ts';

/** What can be pinned: raw blocks, facts and typed values. */
const TABLES: readonly Table[] = ['blocks', 'memory_open_set', 'memory_schema_typed'];

export const pinned: LayerDefinition = {
  plan: (layer) =>
    TABLES.map((table) => ({ id: `${layer.name}:${table}`, table, mode: 'linked', link_type: 'pinned', limit: layer.limit })),
  offer: (layer, answers) => ({
    candidates: TABLES.flatMap((table) => hitsOf(layer, `${layer.name}:${table}`, answers)).map((hit) => toCandidate(layer, hit, answers)),
  }),
};
