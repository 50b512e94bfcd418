/**
 * Stage 10: what was served is kept as a receipt, without its text. What-if calls write nothing.
 */
import type { Artifact } from '../cxri/ports/receipts.ts';
import type { ServedMark } from '../cxri/ports/served.ts';
import type { CompositionData, CompositionReceipt, DroppedItem } from '../model/composition.ts';
import type { Manifest } from '../model/manifest.ts';
import { RENDER_VERSION } from '../model/render-version.ts';
import { isRotated, sessionOf } from './5-search-layers.ts';
import type { ReceiptQueue } from './receipt-queue.ts';
import type { ServedMarks } from './served-marks.ts';
import type { PlacedLayer, ScoredLayers } from './state.ts';

export interface Remembering {
  readonly data: CompositionData;
  readonly scored: ScoredLayers;
  readonly placed: readonly PlacedLayer[];
  readonly dropped: readonly DroppedItem[];
  readonly settingsDigest: string;
  readonly textSha256: string;
}

interface Memories {
  readonly receiptQueue: ReceiptQueue;
  readonly served: ServedMarks;
}

export function remember(
  remembering: Remembering,
  { receiptQueue, served: marks }: Memories,
): CompositionReceipt | null {
  const { plan } = remembering.scored;
  if (plan.isWhatIf) return null;
  const receipt = toReceipt(remembering);
  const served = servedMarks(remembering);
  marks.note(sessionOf(plan), served);
  receiptQueue.push({
    tenant: plan.tenant,
    receipt,
    artifact: manifestArtifact(plan.manifestUsed),
    ...(served.length > 0 && { served }),
  });
  return receipt;
}

/** Of layers that rotate: what others show is ranked without it, and costs nothing. */
function servedMarks({ data, scored: { plan } }: Remembering): readonly ServedMark[] {
  const rotated = new Set(
    plan.layers.flatMap(({ settings }) => (isRotated(settings) ? [settings.name] : [])),
  );
  if (rotated.size === 0) return [];
  const { principal, session } = sessionOf(plan);
  const roots = data.items.flatMap(({ layer, root_uuid: root }) =>
    rotated.has(layer) && root !== null ? [root] : [],
  );
  return [...new Set(roots)].map((root_uuid) => ({
    principal,
    session_uuid: session,
    root_uuid,
    served_at: plan.validAt,
  }));
}

function toReceipt({
  data,
  scored,
  placed,
  dropped,
  settingsDigest,
  textSha256,
}: Remembering): CompositionReceipt {
  const { plan } = scored;
  const kept = new Map(
    placed.flatMap((layer) => layer.items.map((item) => [item.key, item.kept] as const)),
  );
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
      on_behalf_of: plan.grant.onBehalfOf,
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
    render_version: RENDER_VERSION,
    gaps: placed.flatMap(({ settings, hasGap }) => (hasGap ? [settings.name] : [])),
    items: data.items.map(
      ({ layer, id, table, uuid, root_uuid, score, signals, tokens }, index) => ({
        layer,
        id,
        table,
        uuid,
        root_uuid,
        score,
        signals,
        tokens,
        kept: kept.get(keys[index] ?? '') ?? null,
      }),
    ),
    dropped: bestDropped(dropped),
    degraded: data.degraded,
    warnings: data.warnings,
  };
}

/**
 * Dropped items of a layer that a receipt keeps. A search with neighbours drops hundreds, half a
 * kilobyte each; the layer says how many there were.
 */
const KEPT_DROPPED = 50;

/** The best of each layer, in the order given. */
function bestDropped(dropped: readonly DroppedItem[]): readonly DroppedItem[] {
  const kept = new Set<DroppedItem>();
  const byScore = [...dropped].sort(
    (a, b) => (b.score ?? Number.POSITIVE_INFINITY) - (a.score ?? Number.POSITIVE_INFINITY) || 0,
  );
  const counts = new Map<string, number>();
  for (const item of byScore) {
    const count = counts.get(item.layer) ?? 0;
    counts.set(item.layer, count + 1);
    if (count < KEPT_DROPPED) kept.add(item);
  }
  return dropped.filter((item) => kept.has(item));
}

/**
 * All that is needed to read the manifest again as it was; `source` holds the files and collections
 * that it names as well.
 */
export interface ManifestBundle {
  readonly path: string;
  readonly source: string;
}

export function manifestArtifact(manifest: Manifest): Artifact {
  const bundle: ManifestBundle = { path: manifest.path, source: manifest.source };
  return { digest: manifest.digest, kind: 'manifest', content: JSON.stringify(bundle) };
}
