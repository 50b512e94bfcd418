/** A loaded set with what the lint finds in it, the tokenizers of its models at hand. */
import { createTokenCounter, type ManifestSet } from '../index.ts';
import { lintManifests } from '../manifest/lint/index.ts';
import { byPosition } from '../manifest/reporter.ts';

export async function linted(set: ManifestSet): Promise<ManifestSet> {
  const countTokens = await createTokenCounter(set.manifests.map(({ model }) => model.name));
  return {
    ...set,
    findings: [...set.findings, ...lintManifests(set, { countTokens })].sort(byPosition),
  };
}
