/**
 * Which signals the items of a layer never have, as data: by where the layer searches, and by what
 * the manifest leaves out.
 */
import { layerKind } from '../../layers/index.ts';
import type { LayerSettings, Manifest } from '../../model/manifest.ts';
import type { SignalDefinition } from '../../model/signals/definition.ts';
import { SIGNAL_LIST } from '../../model/signals/index.ts';

type Scored = Pick<LayerSettings, 'kind' | 'scoring' | 'blockTypes'>;

interface Absence {
  readonly signals: readonly string[];
  readonly why: string;
  readonly holds: (layer: Scored, manifest: Pick<Manifest, 'bypass'>) => boolean;
}

const namesOf = (only: readonly SignalDefinition['only'][]): readonly string[] =>
  SIGNAL_LIST.flatMap((signal) => (only.includes(signal.only) ? [signal.name] : []));

/** Every other signal is a number about any row. */
const ABSENCES: readonly Absence[] = [
  {
    signals: namesOf(['turn', 'block']),
    why: 'facts are neither turns nor documents',
    holds: ({ kind }) => layerKind(kind).holdsFacts,
  },
  {
    signals: namesOf(['turn']),
    why: 'its block_types leave out `turn`',
    holds: ({ kind, blockTypes }) =>
      !layerKind(kind).holdsFacts && blockTypes.length > 0 && !blockTypes.includes('turn'),
  },
  {
    signals: ['dense'],
    why: 'without the stage `enrich` the query has no vector',
    holds: (_, { bypass }) => bypass.has('enrich'),
  },
];

export interface AbsentSignals {
  /** In the order of the formula. */
  readonly names: readonly string[];
  readonly why: string;
}

/** Names in the formula of a layer that are always 0 there, by reason. */
export const absentSignals = (
  layer: Scored,
  manifest: Pick<Manifest, 'bypass'>,
): readonly AbsentSignals[] =>
  ABSENCES.filter(({ holds }) => holds(layer, manifest))
    .map(({ signals, why }) => ({
      names: layer.scoring.formula.names.filter((name) => signals.includes(name)),
      why,
    }))
    .filter(({ names }) => names.length > 0);
