/** Documents of a folder whose files are gone: nothing ends them by itself, so it is reported. */
import type { Uuid } from '../model/ids.ts';
import type { IngestEngine, KeyedDigests } from './batches.ts';
import { documentRoots } from './document-operations.ts';
import type { Source } from './record.ts';

export interface RemovedDocument {
  readonly root_uuid: Uuid;
  readonly path: string;
}

/** By path; none of a source that is no folder. */
export async function removedDocuments(
  { name: source, hasFile }: Pick<Source, 'name' | 'hasFile'>,
  scope: string,
  {
    engine,
    digests,
  }: { readonly engine: Pick<IngestEngine, 'documents'>; readonly digests: KeyedDigests },
): Promise<readonly RemovedDocument[]> {
  if (hasFile === undefined) return [];
  const removed: RemovedDocument[] = [];
  for (const { root_uuid, path } of await engine.documents(scope)) {
    const roots = documentRoots({ path }, { scope, source, keyed: digests.digestOf });
    if (roots.includes(root_uuid) && !(await hasFile(path))) removed.push({ root_uuid, path });
  }
  return removed;
}
