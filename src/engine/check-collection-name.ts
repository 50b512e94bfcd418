/**
 * The name of a collection before a typed value is made. Values need no declaration, so a slip of
 * the fingers would store them where nothing reads: an undeclared name next to a declared one is
 * refused, unless the scope has values under it.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { nearest } from '../codes/suggest.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { CallOptions } from './context-engine.ts';
import type { EngineParts } from './engine-parts.ts';
import { readTyped } from './read-typed.ts';

const MOST_EDITS = 2;

interface NamedCollection {
  readonly collection: string;
  readonly scope: Uuid;
  readonly now: Instant;
}

/** Reads the store only where the name is near a declared one. Throws `WRITE.TYPE_MISMATCH`. */
export async function checkCollectionName(
  { collection, scope, now }: NamedCollection,
  parts: EngineParts,
  call: CallOptions,
): Promise<void> {
  const { collections } = parts.manifests;
  // A name that is no text is refused with the other fields.
  if (typeof collection !== 'string' || Object.hasOwn(collections, collection)) return;
  const meant = nearest(collection, Object.keys(collections), MOST_EDITS);
  if (meant === undefined) return;
  const lookup = { scope, at: now, isNow: true, fields: { collection }, limit: 1 };
  if ((await readTyped(lookup, parts, call)).length > 0) return;
  throw new ContextEngineError('WRITE.TYPE_MISMATCH', {
    message: `There is no collection \`${collection}\`. Did you mean \`${meant}\`?`,
    fix: `Write \`${meant}\`, or declare \`${collection}\` in the manifests as \`kind: Collection\`.`,
    where: { field: 'collection' },
  });
}
