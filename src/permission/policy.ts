/**
 * What the manifests say about a type of scope. Several may serve one type; the strictest counts.
 */
import { LAYERS, layerKind } from '../layers/index.ts';
import type { LayerSettings, Manifest } from '../model/manifest.ts';
import type { PermissionKey, Tier } from '../model/permission.ts';
import { strictest } from '../model/permission.ts';

export interface Policy {
  /** The strictest tier of all manifests that serve the type; null where none serves it. */
  readonly tierOf: (scopeType: string, key: PermissionKey) => Tier | null;
  /** The strictest tier of all manifests. */
  readonly strictestOf: (key: PermissionKey) => Tier;
  /**
   * Digest of the manifest that says so: the first that is as strict. null where none serves the
   * type.
   */
  readonly decidedBy: (scopeType: string, key: PermissionKey) => string | null;
  /** Whether a text of a manifest that serves the type says the title of its scope. */
  readonly isTitleSaid: (scopeType: string) => boolean;
  /** Whether a block of this type and role reaches a model as an instruction. */
  readonly isInstruction: (block: {
    readonly block_type: string;
    readonly role: string | null;
  }) => boolean;
}

export function createPolicy(manifests: readonly Manifest[]): Policy {
  const byType = new Map<string, Manifest[]>();
  for (const manifest of manifests)
    byType.set(manifest.scopeBlockType, [...(byType.get(manifest.scopeBlockType) ?? []), manifest]);
  const tierOf: Policy['tierOf'] = (scopeType, key) => {
    const serving = byType.get(scopeType);
    return serving ? strictest(...serving.map(({ permission }) => permission[key])) : null;
  };
  const types = instructingTypes(manifests);
  const titled = new Set(manifests.filter(saysTitle).map((each) => each.scopeBlockType));
  return {
    tierOf,
    strictestOf: (key) => strictest(...manifests.map(({ permission }) => permission[key])),
    decidedBy: (scopeType, key) => {
      const tier = tierOf(scopeType, key);
      const deciding = byType.get(scopeType)?.find(({ permission }) => permission[key] === tier);
      return deciding?.digest ?? null;
    },
    isTitleSaid: (scopeType) => titled.has(scopeType),
    isInstruction: ({ block_type: type, role }) =>
      types.has(type) || (role !== null && INSTRUCTING_ROLES.has(plainName(role))),
  };
}

/** What a text of a manifest says reaches a model as the author's own words. */
const saysTitle = (manifest: Manifest): boolean =>
  layersOf(manifest).some(({ text, file }) =>
    SCOPE_TITLE.test(`${text ?? ''}\n${file?.content ?? ''}`),
  );

/** Also those of its variants: what some scopes are served with counts for all. */
const layersOf = ({ layers, variants }: Manifest): readonly LayerSettings[] => [
  ...layers,
  ...variants.flatMap(({ manifest }) => manifest.layers),
];

const SCOPE_TITLE = /\{\{\s*scope\.title\s*\}\}/;

/**
 * A block is read through `inherits` by compositions of other types of scope, so the types of all
 * manifests count, whichever manifest serves the scope that is written.
 */
function instructingTypes(manifests: readonly Manifest[]): ReadonlySet<string> {
  return new Set<string>([
    ...LAYERS.flatMap(({ isInstructing, blockTypes }) => (isInstructing ? blockTypes : [])),
    ...manifests.flatMap((manifest) =>
      layersOf(manifest).flatMap((layer) =>
        layerKind(layer.kind).isInstructing ? layer.blockTypes : [],
      ),
    ),
  ]);
}

/** Roles whose messages a model obeys. */
const INSTRUCTING_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);

/** `System`, `system ` and full-width spellings look the same to a model. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
