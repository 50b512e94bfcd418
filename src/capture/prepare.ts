/**
 * What a capture needs to know before it reads a turn: who asks, what serves the scope, where
 * memory goes.
 */
import type { Authority } from '../cxri/authority.ts';
import { uuidOfDigest } from '../cxri/keyed-digest.ts';
import type { ClosureEntry } from '../cxri/ports/ledger.ts';
import type { Embedder } from '../inference/embedder.ts';
import type { StructuredModel } from '../inference/structured-model.ts';
import { LAYER_KIND_NAMES } from '../layers/index.ts';
import type { MemoryClass } from '../model/capture.ts';
import { type Instant, parseTenant, parseUuid, type Uuid } from '../model/ids.ts';
import type { Manifest, ManifestSet, WritingSettings } from '../model/manifest.ts';
import type { Grant, PermissionProfile } from '../model/permission.ts';
import { type PermissionDoor, principalsOf } from '../permission/door.ts';
import type { Writing } from './7-write.ts';
import { extractorOf } from './extractors.ts';
import { neverPhrases } from './gate/negative-space.ts';
import { wordsOf } from './sentences/sentence.ts';
import { callerOf } from './state.ts';
import { uniteSettings } from './unite-settings.ts';

export interface CaptureCall {
  readonly scope: Uuid;
  /** For the days of `yesterday` and `by Friday`. */
  readonly timeZone: string;
  /** Batches at most; absent = until nothing is left. */
  readonly mostBatches?: number;
  readonly signal?: AbortSignal;
}

export interface CaptureDependencies {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
  /** The next batch is read while the database works. */
  readonly isServer: boolean;
  readonly embedder: Embedder | null;
  /** null = by rules alone. */
  readonly model: StructuredModel | null;
  readonly manifests: ManifestSet;
  readonly digestOf: (text: string) => string;
  readonly newId: () => Uuid;
  readonly now: () => Instant;
  /** The one write path of the engine. */
  readonly write: Writing['write'];
  readonly profile: PermissionProfile;
}

export interface Prepared {
  readonly grant: Grant;
  readonly of: { readonly consumer: string; readonly scope_uuid: Uuid };
  /** What the call goes up to; what is appended while it runs is for the next. */
  readonly head: number;
  readonly recordedAt: Instant | null;
  /** The scopes that are read and written, the own one first. */
  readonly scopes: readonly Uuid[];
  readonly settings: WritingSettings;
  readonly manifest: Manifest | null;
  readonly layerNames: ReadonlySet<string>;
  readonly targetOf: (memory: MemoryClass) => Uuid;
  readonly idOf: (...parts: readonly string[]) => Uuid;
  readonly writing: Omit<Writing, 'write' | 'now' | 'made' | 'proposed' | 'takeBack'>;
  readonly timeZone: string;
  readonly warnings: readonly string[];
}

/** Rejects where the scope is not there, or the caller does not read it. One round trip. */
export async function prepareCapture(
  { scope, timeZone, signal }: CaptureCall,
  by: CaptureDependencies,
): Promise<Prepared> {
  const { authority, permission, manifests, profile, digestOf } = by;
  const tenant = parseTenant(profile.tenant);
  const resolved = await authority.resolveScope({
    tenant,
    scope,
    principals: principalsOf(profile),
    max_depth: 8,
    max_scopes: 64,
    ...(signal && { signal }),
  });
  const entrance = { door: 'capture', field: 'permission_profile' };
  const grant = await permission.judgeWith(profile, resolved.rights, entrance);
  const [own] = resolved.closure;
  const block = own?.scope;
  await permission.assertReads(grant, { scope, block }, { door: 'capture', field: 'scope' });
  // A reader who may not write would use up the turns: nobody would capture them again.
  const { writes } = grant.tiers;
  if (writes === 'excluded')
    await permission.deny(grant, { tier: writes, key: 'writes', scope }, entrance);
  const closure = resolved.closure.filter((entry) => permission.mayRead(grant, entry.scope));
  const serving = manifests.manifests.filter(
    ({ scopeBlockType }) => scopeBlockType === block?.block_type,
  );
  const settings = uniteSettings(serving);
  const extractor = extractorOf(by);
  const placing = targetsIn(closure, scope, settings);
  return {
    grant,
    of: { consumer: extractor, scope_uuid: scope },
    head: own?.head ?? 0,
    recordedAt: own?.recorded_at ?? null,
    scopes: closure.map((entry) => entry.scope.root_uuid),
    settings: { ...settings, never: neverPhrases(settings.never.map(wordsOf)) },
    manifest: serving[0] ?? null,
    layerNames: layerNamesOf(manifests),
    ...placing,
    idOf: (...parts) => idOf(digestOf(JSON.stringify([tenant, extractor, ...parts]))),
    writing: {
      caller: profile,
      callerName: callerOf(grant),
      held: grant.scopes.all ? '*' : [...grant.scopes.uuids],
      isAutonomous: grant.kind !== 'agent' && grant.tiers.writes === 'T1',
      ...(signal && { signal }),
    },
    timeZone,
  };
}

/**
 * A class whose scope is not in the closure stays where it was said: nothing is lost, and said so.
 */
function targetsIn(
  closure: readonly ClosureEntry[],
  own: Uuid,
  { into }: WritingSettings,
): Pick<Prepared, 'targetOf' | 'warnings'> {
  const targets = new Map<string, Uuid>();
  const warnings: string[] = [];
  for (const [memory, type] of Object.entries(into)) {
    const entry = closure.find(({ scope }) => scope.block_type === type);
    targets.set(memory, entry?.scope.root_uuid ?? own);
    if (!entry)
      warnings.push(
        `\`writing.into.${memory}\` is \`${type}\`, but no such scope is in the closure: what ` +
          'is captured stays in the scope of its turns.',
      );
  }
  return { targetOf: (memory) => targets.get(memory) ?? own, warnings };
}

const layerNamesOf = ({ manifests }: ManifestSet): ReadonlySet<string> =>
  new Set<string>([
    ...LAYER_KIND_NAMES,
    ...manifests.flatMap(({ layers }) => layers.map(({ name }) => name)),
  ]);

/** Ids that a retry makes again. They are of ids, not of content. */
const idOf = (hex: string): Uuid => parseUuid(uuidOfDigest(hex), 'uuid');
