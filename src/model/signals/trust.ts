/** How far the class of a source is trusted. */
import type { AnyRow, SourceClass } from '../block.ts';
import { defineSignal } from './definition.ts';

/**
 * Tool and document stand between the four that the notes on MemArchitect state (axiom 1, user 0.8,
 * model 0.6, web 0.4).
 */
const TRUST: Readonly<Record<SourceClass, number>> = {
  axiom: 1,
  user: 0.8,
  document: 0.7,
  model: 0.6,
  tool: 0.5,
  web: 0.4,
};
/** Of a row that says nothing of its source: as little as the least trusted class. */
const UNKNOWN_TRUST = 0.4;
const CLASS_OF_ROLE: Readonly<Record<string, SourceClass>> = {
  user: 'user',
  assistant: 'model',
  tool: 'tool',
};

/** By the stated class of the source, else by the role of the turn. */
export function trustOf({ table, row }: AnyRow): number {
  const stated = table === 'context_links' ? undefined : row.provenance.source_class;
  const known =
    stated ?? (table === 'blocks' && row.role !== null ? CLASS_OF_ROLE[row.role] : undefined);
  return known === undefined ? UNKNOWN_TRUST : TRUST[known];
}

export const trustSignal = defineSignal({
  name: 'trust',
  meaning: 'trust of the source class',
  range: [0, 1],
  isExplained: false,
  of: ({ source }) => trustOf(source),
});
