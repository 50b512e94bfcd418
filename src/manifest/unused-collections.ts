/**
 * Collections with `patterns` that no layer names. Capture reads a turn with the patterns of the
 * collections of its manifest's layers alone, so these are never read.
 */
import type { Finding } from '../codes/finding.ts';
import type { Collection, Manifest } from '../model/manifest.ts';
import { findingAt, type Locator } from './reporter.ts';

export interface PlacedCollection {
  readonly collection: Collection;
  readonly locator: Locator;
}

/** Where no manifest is loaded with them, who names them is not known. */
export function unusedCollections(
  collections: readonly PlacedCollection[],
  manifests: readonly Manifest[],
): readonly Finding[] {
  if (manifests.length === 0) return [];
  const named = new Set(
    manifests.flatMap(({ layers, variants }) =>
      [layers, ...variants.map(({ manifest }) => manifest.layers)].flatMap((all) =>
        all.flatMap(({ collection }) => collection ?? []),
      ),
    ),
  );
  return collections.flatMap(({ collection, locator }) => {
    const read = Object.values(collection.properties).find(({ patterns }) => patterns.length > 0);
    if (named.has(collection.name) || !read) return [];
    return [
      findingAt(
        'MANIFEST.UNUSED_COLLECTION',
        { file: collection.path, ...locator.position(['metadata', 'name'], 'value') },
        {
          message:
            `No layer of a loaded manifest names the collection \`${collection.name}\`: capture ` +
            `never reads the \`patterns\` of \`${read.name}\`, and no composition shows its values.`,
          fix:
            `Add the layer \`schema_typed: { collection: ${collection.name} }\` to the ` +
            'manifest whose turns have such values, or remove the collection.',
        },
      ),
    ];
  });
}
