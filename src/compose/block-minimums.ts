/**
 * What a window preset keeps for each block of the context (seed 002), where the manifest keeps
 * nothing itself: a long `project` leaves the task, the history and the facts their share. Only
 * what a layer can fill is held for it, so none of it is wasted.
 */
import { layerKind } from '../layers/index.ts';
import { type BlockTokens, WINDOW_PRESETS } from '../manifest/defaults.ts';
import type { LayerSettings } from '../model/manifest.ts';

/** The block that layers of a kind are part of; what is never cut keeps its own. */
function blockOf({ kind }: LayerSettings): keyof BlockTokens | null {
  const { cut, isHistory, isScored } = layerKind(kind);
  if (cut === 'never') return null;
  if (isScored) return 'knowledge';
  if (isHistory || kind === 'summary') return 'history';
  return kind === 'project' || kind === 'index' ? 'project' : 'task';
}

/**
 * The layers that fire, with the minimums of the preset of the call or of the manifest. A block is
 * shared evenly by its layers; in a budget that holds less than all of them, all shrink.
 */
export function withBlockMinimums(
  layers: readonly LayerSettings[],
  { model, name }: { readonly model: string | null; readonly name: string },
  totalTokens: number,
): readonly LayerSettings[] {
  const preset = presetOf(model) ?? presetOf(name);
  if (!preset) return layers;
  const shares = layers.map((layer) => shareOf(layer, layers, preset.blocks));
  const kept = layers.reduce((sum, { minTokens }) => sum + minTokens, 0);
  const wanted = shares.reduce((sum, share) => sum + share, 0);
  const scale = Math.min(
    1,
    totalTokens / preset.totalTokens,
    Math.max(0, totalTokens - kept) / Math.max(1, wanted),
  );
  return layers.map((layer, index) => {
    const least = Math.floor((shares[index] ?? 0) * scale);
    return least === 0 ? layer : { ...layer, minTokens: least };
  });
}

const presetOf = (name: string | null): (typeof WINDOW_PRESETS)[string] | undefined =>
  name !== null && Object.hasOwn(WINDOW_PRESETS, name) ? WINDOW_PRESETS[name] : undefined;

/** 0 for a layer for which the manifest keeps something. */
function shareOf(
  layer: LayerSettings,
  layers: readonly LayerSettings[],
  blocks: BlockTokens,
): number {
  const block = blockOf(layer);
  if (block === null || layer.minTokens > 0) return 0;
  const beside = layers.filter((other) => blockOf(other) === block);
  const kept = beside.reduce((sum, { minTokens }) => sum + minTokens, 0);
  const open = beside.filter(({ minTokens }) => minTokens === 0).length;
  const share = Math.max(0, blocks[block] - kept) / open;
  return Math.min(share, layer.maxTokens ?? share);
}
