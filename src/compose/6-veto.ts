/**
 * Stage 6: a cross-encoder would judge (query, candidate) here. This version has none, so the veto
 * is off and the trace says so; a cosine is not comparable to a cross-encoder's probability and
 * never stands in for it.
 */
import type { SearchedLayers } from './state.ts';

export const VETO = 'off' as const;

export const veto = (searched: SearchedLayers): SearchedLayers => searched;
