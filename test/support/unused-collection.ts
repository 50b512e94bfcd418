/** Collections of which a layer names one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadManifests } from '../../src/manifest/load.ts';
import type { ManifestSet } from '../../src/model/manifest.ts';

const MANIFEST =
  'apiVersion: contextengine.test/v1\nkind: ContextDomain\n' +
  'metadata: { name: t, version: 1, scope_block_type: thread }\n';
const CITY = "city: { type: text, patterns: ['lives in {value}'] }";

const collection = (name: string, property: string): string =>
  '---\napiVersion: contextengine.test/v1\nkind: Collection\n' +
  `metadata: { name: ${name}, version: 1 }\nspec: { properties: { ${property} } }\n`;

/** Patterns that a layer names (`used`), that none does (`idle`), and no patterns (`still`). */
export function loadUnused(
  folder: string,
  spec = 'layers: { schema_typed: { collection: used } }',
): ManifestSet {
  const path = join(folder, 'collections.yaml');
  const all = [collection('used', CITY), collection('idle', CITY)];
  const still = collection('still', 'a: { type: int }');
  writeFileSync(path, `${MANIFEST}spec: { ${spec} }\n${all.join('')}${still}`);
  return loadManifests({ paths: [path] });
}
