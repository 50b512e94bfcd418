/** The same bytes again, from the receipt: rows by version, the manifest by digest, everything else as it was recorded. */
import type { Authority } from '../cxri/authority.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { AnyRow } from '../model/block.ts';
import type { CompositionReceipt, ReceiptItem, Replay } from '../model/composition.ts';
import type { TenantId, Uuid } from '../model/ids.ts';
import type { LayerSettings, Manifest } from '../model/manifest.ts';
import type { Grant } from '../model/permission.ts';
import { holds } from '../model/permission.ts';
import type { ManifestBundle } from './10-remember.ts';
import { itemText } from './item-text.ts';
import { trustedText } from './layers/offer.ts';
import { datamarkSeed, renderLayers } from './render-layers.ts';
import type { PlacedItem, PlacedLayer } from './state.ts';

export interface ReplayDependencies {
  readonly authority: Authority;
  readonly grant: Grant;
  readonly digestOf: (text: string) => string;
}

/** What stands in the place of an item whose row is gone. */
const TOMBSTONE = '[erased]';

/** Permission is judged now: rows of a scope that is no longer held are gone for this reader. */
export async function replayReceipt(receipt: CompositionReceipt, dependencies: ReplayDependencies): Promise<Replay> {
  const { authority, grant } = dependencies;
  const gone: { uuid: Uuid | null; what: string }[] = [];
  const manifest = await storedManifest(receipt.manifest.digest, authority, grant.tenant);
  if (!manifest)
    return {
      text: '',
      identical: false,
      gone: [{ uuid: null, what: `manifest ${receipt.manifest.name}@${receipt.manifest.version} (${receipt.manifest.digest})` }],
    };
  const uuids = receipt.items.flatMap((item) => (item.uuid === null ? [] : [item.uuid]));
  const { rows } = await authority.read({
    kind: 'versions',
    tenant: grant.tenant,
    scopes: receipt.position.flatMap(({ scope }) => (holds(grant, scope) ? [scope] : [])),
    uuids,
  });
  const byUuid = new Map<string, AnyRow>(rows.map((item) => [item.row.uuid, item]));
  const layers = manifest.layers
    .filter(({ name }) => Object.hasOwn(receipt.layers, name))
    .map((settings): PlacedLayer => {
      const items = receipt.items
        .filter((item) => item.layer === settings.name)
        .map((item) => placed(item, settings, { byUuid, gone, values: receipt.request.inputs }));
      return { settings, items };
    });
  const { text } = renderLayers(layers, {
    format: receipt.request.format,
    datamark: manifest.render.datamark ? datamarkSeed(receipt.request.query, receipt.position) : null,
    layerNames: manifest.layers.map((layer) => layer.name),
  });
  return { text, identical: dependencies.digestOf(text) === receipt.text_sha256, gone };
}

/** A manifest as it was when it composed something; null where it never did for this tenant. */
export async function storedManifest(digest: string, authority: Authority, tenant: TenantId): Promise<Manifest | null> {
  const content = await authority.loadArtifact(tenant, digest);
  if (content === null) return null;
  const bundle = JSON.parse(content) as ManifestBundle;
  const parsed = parseManifest(bundle.source, { path: bundle.path });
  return parsed.manifest;
}

interface Finding {
  readonly byUuid: ReadonlyMap<string, AnyRow>;
  readonly gone: { uuid: Uuid | null; what: string }[];
  readonly values: Readonly<Record<string, string>>;
}

function placed(item: ReceiptItem, settings: LayerSettings, { byUuid, gone, values }: Finding): PlacedItem {
  const common = { key: `${item.layer}/${item.uuid}`, kept: item.kept, tokens: item.tokens };
  if (item.uuid === null) {
    const text = trustedText(settings, values)[0]?.text ?? '';
    return { ...common, source: null, text: item.kept === null ? text : text.slice(0, item.kept), isTrusted: true };
  }
  const source = byUuid.get(item.uuid) ?? null;
  if (!source) gone.push({ uuid: item.uuid, what: `${item.table} row of layer ${item.layer}` });
  const text = source ? itemText(settings, source) : TOMBSTONE;
  return { ...common, source, text: item.kept === null || !source ? text : text.slice(0, item.kept), isTrusted: false };
}
