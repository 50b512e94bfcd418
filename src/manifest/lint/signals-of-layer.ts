/** Which signals the items of a layer never have, as data: by the table that the layer is searched in, and by what the manifest leaves out. */
import type { Table } from '../../model/block.ts';
import type { LayerKind } from '../../model/layer.ts';
import type { Bypass, LayerSettings, Manifest } from '../../model/manifest.ts';

/** The tables behind the layers that are scored. */
const TABLE_OF: Readonly<Partial<Record<LayerKind, Table>>> = {
  procedures: 'memory_open_set',
  open_set: 'memory_open_set',
  semantic: 'blocks',
};

interface Absence {
  /** Names that have not landed are refused in formulas before this is read. */
  readonly signals: readonly string[];
  readonly why: string;
}

/** Signals that rows of a table never have. Every other signal is a number about any row. */
const ABSENT_BY_TABLE: Readonly<Partial<Record<Table, Absence>>> = {
  memory_open_set: {
    signals: ['window', 'author', 'date', 'class_boost', 'absorbed', 'replaced'],
    why: 'facts are neither turns nor documents',
  },
};

/** Signals that nothing has once a stage is left out. */
const ABSENT_BY_BYPASS: Readonly<Partial<Record<Bypass, Absence>>> = {
  enrich: { signals: ['dense'], why: 'without `enrich` the query has no vector' },
};

export interface AbsentSignal {
  readonly name: string;
  readonly why: string;
}

/** Names in the formula of a layer that are always 0 there. */
export function absentSignals(
  { kind, scoring }: Pick<LayerSettings, 'kind' | 'scoring'>,
  { bypass }: Pick<Manifest, 'bypass'>,
): readonly AbsentSignal[] {
  const table = TABLE_OF[kind];
  const absences = [table === undefined ? undefined : ABSENT_BY_TABLE[table], ...[...bypass].map((stage) => ABSENT_BY_BYPASS[stage])];
  return absences.flatMap((absence) =>
    absence === undefined
      ? []
      : scoring.formula.names.filter((name) => absence.signals.includes(name)).map((name) => ({ name, why: absence.why })),
  );
}
