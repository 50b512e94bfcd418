/** Stage 10: what was served is kept as a receipt, without its text. What-if calls write nothing. */
import type { Artifact } from '../cxri/authority.ts';
import type { CompositionData, CompositionReceipt, DroppedItem } from '../model/composition.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Outbox } from './outbox.ts';
import type { PlacedLayer, ScoredLayers } from './state.ts';

export interface Remembering {
  readonly data: CompositionData;
  readonly scored: ScoredLayers;
  readonly placed: readonly PlacedLayer[];
  readonly dropped: readonly DroppedItem[];
  readonly settingsDigest: string;
  readonly textSha256: string;
}

export function remember(remembering: Remembering, outbox: Outbox): CompositionReceipt | null {
  const { plan } = remembering.scored;
  if (plan.isWhatIf) return null;
  const receipt = toReceipt(remembering);
  outbox.push({ tenant: plan.tenant, receipt, artifact: manifestArtifact(plan.manifestUsed) });
  return receipt;
}

function toReceipt({ data, scored, placed, dropped, settingsDigest, textSha256 }: Remembering): CompositionReceipt {
  const { plan } = scored;
  const kept = new Map(placed.flatMap((layer) => layer.items.map((item) => [item.key, item.kept] as const)));
  const keys = placed.flatMap((layer) => layer.items.map((item) => item.key));
  return {
    composition_id: data.composition_id,
    scope_uuid: plan.scope,
    created_at: plan.validAt,
    request: {
      intent: plan.intent,
      query: plan.query,
      inputs: plan.values,
      principal: plan.grant.principal,
      as_of: plan.validAt,
      model: plan.model,
      format: plan.format ?? plan.manifestUsed.render.format,
      time_zone: plan.timeZone,
    },
    manifest: data.manifest,
    position: data.position,
    usage_position: data.usage_position,
    settings_digest: settingsDigest,
    encoding: data.tokens.encoding,
    text_sha256: textSha256,
    tokens: data.tokens,
    layers: data.layers,
    items: data.items.map(({ layer, table, uuid, root_uuid, score, signals, tokens }, index) => ({
      layer,
      table,
      uuid,
      root_uuid,
      score,
      signals,
      tokens,
      kept: kept.get(keys[index] ?? '') ?? null,
    })),
    dropped,
    degraded: data.degraded,
    warnings: data.warnings,
  };
}

/** All that is needed to read the manifest again as it was; `source` holds the files and collections that it names as well. */
export interface ManifestBundle {
  readonly path: string;
  readonly source: string;
}

export function manifestArtifact(manifest: Manifest): Artifact {
  const bundle: ManifestBundle = { path: manifest.path, source: manifest.source };
  return { digest: manifest.digest, kind: 'manifest', content: JSON.stringify(bundle) };
}
