/** Which signals the items of a layer never have, as data: by the table that the layer is searched in. */
import type { Table } from '../../model/block.ts';
import type { LayerKind } from '../../model/layer.ts';
import type { LayerSettings } from '../../model/manifest.ts';

/** The tables behind the layers that are scored. */
const TABLE_OF: Readonly<Partial<Record<LayerKind, Table>>> = {
  procedures: 'memory_open_set',
  open_set: 'memory_open_set',
  semantic: 'blocks',
};

/**
 * Signals that rows of a table never have. Every other signal is a number about any row. Names that have not landed are refused in formulas
 * before this is read.
 */
const ABSENT_SIGNALS: Readonly<Partial<Record<Table, readonly string[]>>> = {
  // A fact has no place in a conversation, and nobody wrote it as a turn.
  memory_open_set: ['window', 'author', 'date', 'class_boost', 'absorbed', 'replaced'],
  blocks: [],
};

/** Names that are always 0 in this layer. */
export function absentSignals({ kind, scoring }: Pick<LayerSettings, 'kind' | 'scoring'>): readonly string[] {
  const table = TABLE_OF[kind];
  const absent = table === undefined ? [] : (ABSENT_SIGNALS[table] ?? []);
  return scoring.formula.names.filter((name) => absent.includes(name));
}
