/** Which manifest serves a call. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import { didYouMean } from './suggest.ts';
import { compareVersions } from './version.ts';

export interface ResolveManifestOptions {
  /** The type of the scope block. */
  readonly scopeBlockType: string;
  /** `name` or `name@version`, as a call gives it. */
  readonly reference?: string | undefined;
}

/**
 * The manifest of a scope type, or the one that the call names; of several versions the newest.
 * Throws `MANIFEST.NOT_FOUND`, and `MANIFEST.INVALID` where several serve the type and the call
 * names none.
 */
export function resolveManifest(
  set: Pick<ManifestSet, 'manifests'>,
  { scopeBlockType, reference }: ResolveManifestOptions,
): Manifest {
  return reference === undefined
    ? byScopeType(set.manifests, scopeBlockType)
    : byReference(set.manifests, reference, scopeBlockType);
}

const newest = (manifests: readonly Manifest[]): Manifest | undefined =>
  [...manifests].sort((a, b) => compareVersions(b.version, a.version))[0];

function byScopeType(manifests: readonly Manifest[], scopeBlockType: string): Manifest {
  const serving = manifests.filter((manifest) => manifest.scopeBlockType === scopeBlockType);
  const names = [...new Set(serving.map((manifest) => manifest.name))];
  const found = newest(serving);
  if (!found) {
    const types = [...new Set(manifests.map((manifest) => manifest.scopeBlockType))];
    throw notFound(
      `No manifest serves scopes of type \`${shown(scopeBlockType)}\`.`,
      manifests.length === 0
        ? 'Load a manifest: no manifest is loaded at all.'
        : `${didYouMean(scopeBlockType, types)} Or write a manifest whose ` +
            `metadata.scope_block_type is \`${shown(scopeBlockType)}\`.`,
    );
  }
  if (names.length === 1) return found;
  throw new ContextEngineError('MANIFEST.INVALID', {
    message:
      `\`${names.length}\` manifests serve scopes of type \`${scopeBlockType}\`: ` +
      `${names.map((name) => `\`${name}\``).join(', ')}.`,
    fix: 'Name one in the call as `manifest`.',
    where: { field: 'manifest' },
    meta: { names },
  });
}

function byReference(
  manifests: readonly Manifest[],
  reference: string,
  scopeBlockType: string,
): Manifest {
  const cut = reference.indexOf('@');
  const [name, version] =
    cut < 0 ? [reference, undefined] : [reference.slice(0, cut), reference.slice(cut + 1)];
  const named = manifests.filter((manifest) => manifest.name === name);
  const found = newest(
    version === undefined ? named : named.filter((manifest) => manifest.version === version),
  );
  if (!found) {
    const known = (named.length > 0 ? named : manifests).map(
      (manifest) => `${manifest.name}@${manifest.version}`,
    );
    throw notFound(
      `No manifest \`${shown(reference)}\` is loaded.`,
      known.length === 0
        ? 'Load a manifest: no manifest is loaded at all.'
        : didYouMean(
            version === undefined ? name : reference,
            version === undefined
              ? [...new Set(manifests.map((manifest) => manifest.name))]
              : known,
          ),
    );
  }
  if (found.scopeBlockType === scopeBlockType) return found;
  throw notFound(
    `The manifest \`${shown(reference)}\` serves scopes of type \`${found.scopeBlockType}\`, ` +
      `and the scope is a \`${shown(scopeBlockType)}\`.`,
    'Name a manifest of the type of the scope, or leave `manifest` out.',
  );
}

const notFound = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('MANIFEST.NOT_FOUND', { message, fix, where: { field: 'manifest' } });
