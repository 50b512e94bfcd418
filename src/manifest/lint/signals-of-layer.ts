/** Which signals the items of a layer never have, as data: by where the layer searches, and by what the manifest leaves out. */
import { layerKind } from '../../layers/index.ts';
import type { LayerSettings, Manifest } from '../../model/manifest.ts';

type Scored = Pick<LayerSettings, 'kind' | 'scoring' | 'blockTypes'>;

interface Absence {
  readonly signals: readonly string[];
  readonly why: string;
  readonly holds: (layer: Scored, manifest: Pick<Manifest, 'bypass'>) => boolean;
}

/** What a turn has by itself, and what it has by the conversation around it. */
const OF_TURNS = ['author', 'date', 'when', 'question'];
const OF_CONVERSATIONS = ['previous', ...OF_TURNS, 'strangers'];
const OF_DOCUMENTS = ['class_boost', 'absorbed', 'replaced'];

/** Every other signal is a number about any row. */
const ABSENCES: readonly Absence[] = [
  {
    signals: [...OF_CONVERSATIONS, ...OF_DOCUMENTS],
    why: 'facts are neither turns nor documents',
    holds: ({ kind }) => layerKind(kind).holdsFacts,
  },
  {
    signals: OF_TURNS,
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
