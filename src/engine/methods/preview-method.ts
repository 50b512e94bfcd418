/**
 * The engine's look ahead: recorded requests composed again under two versions of their manifest.
 * Writes nothing.
 */

import { ContextEngineError } from '../../codes/errors.ts';
import { suggest } from '../../codes/suggest.ts';
import type { ComposeDependencies } from '../../compose/compose.ts';
import { checkInput } from '../../inputs/check-input.ts';
import type { ComposeRequest, CompositionReceipt } from '../../model/composition.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { PermissionProfile } from '../../model/permission.ts';
import type { ManifestPreview, PreviewedSide, PreviewQuestion } from '../../model/preview.ts';
import { compose } from '../compose-when-asked.ts';
import type { CallOptions, ContextEngine } from '../context-engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readerOf } from '../engine-parts.ts';

/** Enough to see what a change does, and done in seconds. */
const DEFAULT_LAST = 20;

interface PreviewParts extends EngineParts {
  readonly composing: ComposeDependencies;
}

export function createPreview(parts: PreviewParts): Pick<ContextEngine, 'preview'> {
  return { preview: parts.open(async (asked, options) => preview(asked, parts, options)) };
}

async function preview(
  asked: PreviewQuestion,
  parts: PreviewParts,
  options: CallOptions | undefined,
): Promise<ManifestPreview> {
  checkInput('preview', asked);
  const last = asked.last ?? DEFAULT_LAST;
  const working = workingManifest(asked, parts);
  const grant = await readerOf(parts, options);
  const { storedManifest } = await import('../../look-back/replay.ts');
  const stored = memoized((digest, variant) =>
    storedManifest({ digest, ...(variant && { variant }) }, parts.authority, grant.tenant),
  );
  const locked = await stored(asked.against);
  if (!locked) return { against: null, requests: [] };
  await parts.settled();
  const listed = await parts.authority.listReceipts(
    grant.tenant,
    { manifest: asked.manifest, limit: last },
    grant.scopes,
  );
  const scopes = listed.flatMap(({ scope_uuid: scope, position }) => [
    scope,
    ...position.map((entry) => entry.scope),
  ]);
  const readable = await parts.permission.readable(grant, scopes);
  const receipts = listed.filter((receipt) => readable.has(receipt.scope_uuid));
  const profile = await parts.profileOf(options);
  const requests: ManifestPreview['requests'][number][] = [];
  for (const receipt of receipts) {
    const recorded = (await stored(receipt.manifest.digest, receipt.manifest.variant)) ?? locked;
    const position = receipt.position.filter(({ scope }) => readable.has(scope));
    const request = {
      ...requestOf({ ...receipt, position }, recorded, profile),
      ...(options?.signal && { signal: options.signal }),
    };
    requests.push({
      composition_id: receipt.composition_id,
      created_at: receipt.created_at,
      intent: receipt.request.intent,
      before: await composeUnder(locked, request, parts),
      after: await composeUnder(working, request, parts),
    });
  }
  return {
    against: { name: locked.name, version: locked.version, digest: locked.digest },
    requests,
  };
}

function workingManifest(
  { manifest: name, working }: PreviewQuestion,
  { manifests }: PreviewParts,
): Manifest {
  const found = manifests.manifests.find(
    (manifest) => manifest.name === name && manifest.digest === working,
  );
  if (found) return found;
  const known = manifests.manifests.map((manifest) => manifest.name);
  throw new ContextEngineError('MANIFEST.NOT_FOUND', {
    message:
      `No manifest \`${name}\` with the digest \`${working}\` is ` +
      `loaded.${known.includes(name) ? '' : suggest(name, known)}`,
    fix: 'Name one that the engine has loaded.',
    where: { field: 'manifest' },
  });
}

/** The request that a receipt is of, at its position and instant, as `profile` may see it now. */
function requestOf(
  receipt: CompositionReceipt,
  recorded: Manifest,
  profile: PermissionProfile,
): ComposeRequest {
  const { request } = receipt;
  return {
    scope_block_uuid: receipt.scope_uuid,
    intent: request.intent,
    query: request.query,
    permission_profile: profile,
    as_of: request.as_of,
    recorded_as_of: receipt.position,
    inputs: givenInputs(request.inputs, recorded),
    time_zone: request.time_zone,
    ...(request.model !== null && { model: request.model }),
    // A receipt has the format that was used: only another than the manifest's own was asked for.
    ...(request.format !== recorded.render.format && { format: request.format }),
  };
}

/**
 * A receipt has all values of its templates: what the caller gave are the declared inputs that are
 * not at their default.
 */
function givenInputs(
  values: Readonly<Record<string, string>>,
  recorded: Manifest,
): Readonly<Record<string, string>> {
  const isGiven = ([name, value]: readonly [string, string]): boolean => {
    const input = Object.hasOwn(recorded.inputs, name) ? recorded.inputs[name] : undefined;
    return (
      input !== undefined &&
      (value !== (input.default ?? '') || (input.isRequired && input.default === null))
    );
  };
  return Object.fromEntries(Object.entries(values).filter(isGiven));
}

async function composeUnder(
  manifest: Manifest,
  request: ComposeRequest,
  { composing }: PreviewParts,
): Promise<PreviewedSide> {
  const manifests = {
    manifests: [manifest],
    collections: composing.manifests.collections,
    findings: [],
  };
  try {
    // The claim has been judged once for the whole preview.
    const { messages: _messages, ...composition } = await compose(request, {
      ...composing,
      manifests,
      judgeClaim: async (claim) => claim,
    });
    return { composition };
  } catch (error) {
    // That a request no longer composes is an answer; that the store is away is not.
    if (error instanceof ContextEngineError && !error.code.startsWith('CONNECTOR.'))
      return { error: { code: error.code, message: error.message } };
    throw error;
  }
}

type LoadManifest = (digest: string, variant?: string) => Promise<Manifest | null>;

function memoized(load: LoadManifest): LoadManifest {
  const known = new Map<string, Promise<Manifest | null>>();
  return (digest, variant) => {
    const key = `${digest}/${variant ?? ''}`;
    const found = known.get(key) ?? load(digest, variant);
    known.set(key, found);
    return found;
  };
}
