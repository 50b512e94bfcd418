/**
 * The same bytes again, from the receipt: rows by version, the manifest by digest, everything else
 * as it was recorded.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { ManifestBundle } from '../compose/10-remember.ts';
import { withDays } from '../compose/dated-facts.ts';
import { manifestText } from '../compose/manifest-text.ts';
import { datamarkSeed, renderLayers } from '../compose/render-layers.ts';
import { withHeads } from '../compose/shared-heads.ts';
import type { PlacedItem, PlacedLayer } from '../compose/state.ts';
import type { Authority } from '../cxri/authority.ts';
import { keyedDigest } from '../cxri/keyed-digest.ts';
import { itemText } from '../layers/item-text.ts';
import { guardedNames, textBeside } from '../layers/system.ts';
import { parseManifest } from '../manifest/parse.ts';
import { variantNamed } from '../manifest/pick-variant.ts';
import type { AnyRow } from '../model/block.ts';
import type { CompositionReceipt, ReceiptItem, Replay } from '../model/composition.ts';
import type { TenantId, Uuid } from '../model/ids.ts';
import type { LayerSettings, Manifest } from '../model/manifest.ts';
import type { Grant } from '../model/permission.ts';
import {
  AUTHORED_AS_WRITTEN,
  RENDER_VERSION,
  type RenderVersion,
  renderVersionOf,
} from '../model/render-version.ts';

export interface ReplayDependencies {
  readonly authority: Authority;
  readonly grant: Grant;
  /** Scopes of the closure that the reader reads now. */
  readonly readable: ReadonlySet<Uuid>;
  readonly digestOf: (text: string) => string;
}

/** What stands in the place of an item whose row is gone. */
const TOMBSTONE = '[erased]';

/** Permission is judged now: rows of a scope that is no longer held are gone for this reader. */
export async function replayReceipt(
  receipt: CompositionReceipt,
  dependencies: ReplayDependencies,
): Promise<Replay> {
  const { authority, grant } = dependencies;
  const version = rendererOf(receipt);
  const gone: { uuid: Uuid | null; what: string }[] = [];
  const manifest = await storedManifest(receipt.manifest, authority, grant.tenant);
  if (!manifest)
    return {
      text: '',
      identical: false,
      gone: [
        {
          uuid: null,
          what:
            `manifest ${receipt.manifest.name}@${receipt.manifest.version} ` +
            `(${receipt.manifest.digest})`,
        },
      ],
    };
  const isWhole = receipt.position.every(({ scope }) => dependencies.readable.has(scope));
  const uuids = receipt.items.flatMap((item) => (item.uuid === null ? [] : [item.uuid]));
  const { rows } = await authority.read({
    kind: 'versions',
    tenant: grant.tenant,
    scopes: [...dependencies.readable],
    uuids,
  });
  const byUuid = new Map<string, AnyRow>(rows.map((item) => [item.row.uuid, item]));
  const layers = manifest.layers
    .filter(({ name }) => Object.hasOwn(receipt.layers, name))
    .map((settings): PlacedLayer => {
      const items = receipt.items
        .filter((item) => item.layer === settings.name)
        .map((item) =>
          placed(item, settings, {
            byUuid,
            gone,
            isWhole,
            values: receipt.request.inputs,
            version,
          }),
        );
      return {
        settings,
        items: withHeads(settings, withDays(items, version), version),
        hasGap: receipt.gaps?.includes(settings.name) ?? false,
      };
    });
  const { text } = renderLayers(layers, {
    format: receipt.request.format,
    datamark: manifest.render.datamark
      ? datamarkSeed(receipt.request.query, receipt.position)
      : null,
    layerNames: guardedNames(manifest, version),
    position: receipt.position,
    version,
  });
  const key = await authority.digestKey(grant.tenant);
  const digest = keyedDigest(key, dependencies.digestOf(text));
  return { text, identical: digest === receipt.text_sha256, gone };
}

/** Rows and settings are there, but the bytes of then were another renderer's. */
function rendererOf({ composition_id, render_version = 1 }: CompositionReceipt): RenderVersion {
  const version = renderVersionOf(render_version);
  if (version !== undefined) return version;
  throw new ContextEngineError('RECEIPT.OTHER_RENDERER', {
    message:
      `Composition \`${composition_id}\` was rendered by version \`${render_version}\` of the ` +
      `renderer; this is version \`${RENDER_VERSION}\`.`,
    fix: 'Use `explain` for what it held, or replay it with the release that composed it.',
    where: { field: 'composition_id' },
    meta: { render_version, supported: RENDER_VERSION },
  });
}

/**
 * A manifest, or its variant, as it was when it composed something; null where it never did for
 * this tenant.
 */
export async function storedManifest(
  { digest, variant }: Pick<CompositionReceipt['manifest'], 'digest' | 'variant'>,
  authority: Authority,
  tenant: TenantId,
): Promise<Manifest | null> {
  const content = await authority.loadArtifact(tenant, digest);
  if (content === null) return null;
  const bundle = JSON.parse(content) as ManifestBundle;
  const parsed = parseManifest(bundle.source, { path: bundle.path });
  return (parsed.manifest && variantNamed(parsed.manifest, variant)) ?? null;
}

interface Finding {
  readonly byUuid: ReadonlyMap<string, AnyRow>;
  readonly gone: { uuid: Uuid | null; what: string }[];
  /** The reader reads every scope of the closure, so that what is gone has no scope to hide. */
  readonly isWhole: boolean;
  readonly values: Readonly<Record<string, string>>;
  readonly version: RenderVersion;
}

function placed(
  item: ReceiptItem,
  settings: LayerSettings,
  { byUuid, gone, isWhole, values, version }: Finding,
): Omit<PlacedItem, 'isDated'> {
  const { layer, uuid, id = null, kept, tokens } = item;
  const source = uuid === null ? null : (byUuid.get(uuid) ?? null);
  // The short id counts the rows of a scope: it stays hidden with a row that is out of sight.
  const shownId = source || isWhole ? id : null;
  const common = { key: `${layer}/${uuid}`, id: shownId, kept, tokens };
  if (item.uuid === null) {
    const authored = { ...settings, text: textBeside(settings.text, version) };
    const isAsWritten = version === AUTHORED_AS_WRITTEN;
    const text = manifestText(authored, values, { isAsWritten, version })[0]?.text ?? '';
    return {
      ...common,
      source: null,
      text: item.kept === null ? text : text.slice(0, item.kept),
    };
  }
  if (!source)
    gone.push(
      isWhole
        ? { uuid: item.uuid, what: `${item.table} row of layer ${item.layer}` }
        : { uuid: null, what: `row of layer ${item.layer}` },
    );
  const text = source ? itemText(settings, source) : TOMBSTONE;
  return {
    ...common,
    source,
    text: item.kept === null || !source ? text : text.slice(0, item.kept),
  };
}
