/** How far the class of a source is trusted. */
import type { AnyRow, SourceClass } from '../block.ts';
import { defineSignal } from './definition.ts';

const CLASS_OF_ROLE: Readonly<Record<string, SourceClass>> = {
  user: 'user',
  assistant: 'model',
  tool: 'tool',
};

/** By the stated class of the source, else by the role of the turn. */
function classOf({ table, row }: AnyRow): SourceClass | 'unknown' {
  const stated = table === 'context_links' ? undefined : row.provenance.source_class;
  const ofRole = table === 'blocks' && row.role !== null ? CLASS_OF_ROLE[row.role] : undefined;
  return stated ?? ofRole ?? 'unknown';
}

export const trustSignal = defineSignal({
  name: 'trust',
  meaning: 'trust of the source class',
  range: [0, 1],
  isExplained: false,
  of: ({ source, settings }) => settings.trust[classOf(source)],
});
