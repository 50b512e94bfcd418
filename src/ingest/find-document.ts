/** Where a document is stored, if it is: also after it, or one before it, was forgotten. */
import type { AnyRow } from '../model/block.ts';
import { type IngestEngine, type KeyedDigests, versionsOf } from './batches.ts';
import { type DocumentPlace, documentKey, documentRoots } from './document-operations.ts';
import type { DocumentRecord } from './record.ts';

interface FoundDocument {
  readonly root: string;
  /** Oldest first; none = it is not there. */
  readonly versions: readonly AnyRow[];
  /** These very bytes were forgotten: they are not ingested again. */
  readonly isForgotten: boolean;
}

/**
 * The id of what was forgotten stays taken. A file that changed since is new material: it gets the
 * next id.
 */
export async function findDocument(
  record: DocumentRecord,
  place: Omit<DocumentPlace, 'root'>,
  {
    engine,
    digests,
  }: { readonly engine: Pick<IngestEngine, 'history'>; readonly digests: KeyedDigests },
): Promise<FoundDocument> {
  const [earlier = '', ...roots] = documentRoots(record, place);
  const before = await versionsOf(engine, earlier);
  if (before.length > 0) return { root: earlier, versions: before, isForgotten: false };
  for (const root of roots) {
    const versions = await versionsOf(engine, root);
    if (versions.length > 0) return { root, versions, isForgotten: false };
    const keys = [root, ...(root === roots[0] ? [earlier] : [])].map((each) =>
      documentKey(each, record, place.keyed),
    );
    const forgotten = await digests.forgotten(place.scope, { uuids: [root], keys });
    if (forgotten.keys.length > 0) return { root, versions: [], isForgotten: true };
    if (forgotten.uuids.length === 0) return { root, versions: [], isForgotten: false };
  }
  return { root: roots.at(-1) ?? earlier, versions: [], isForgotten: true };
}
