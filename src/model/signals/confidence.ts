/** How sure the writer was. */
import type { AnyRow } from '../block.ts';
import { defineSignal } from './definition.ts';

const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);

function confidenceOf({ table, row }: AnyRow): number {
  if (table === 'context_links') return 1;
  if (table === 'memory_open_set' || table === 'memory_schema_typed') return unit(row.confidence);
  return unit(row.provenance.confidence ?? 1);
}

export const confidenceSignal = defineSignal({
  name: 'confidence',
  meaning: 'confidence of the row',
  range: [0, 1],
  of: ({ source }) => confidenceOf(source),
});
