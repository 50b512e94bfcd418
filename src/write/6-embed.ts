/**
 * Stage 6: rows without a vector get one. A provider that fails leaves them pending; the write
 * stands.
 */
import { isOperational } from '../codes/errors.ts';
import type { PendingEmbedding } from '../cxri/ports/vectors.ts';
import type { Uuid } from '../model/ids.ts';
import { isBringing } from '../model/operation.ts';
import { searchText } from '../text/search-text.ts';
import type { CommittedWrite } from './5-commit.ts';
import { embedRows } from './embed-rows.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface EmbeddedWrite extends CommittedWrite {
  /** Versions that have their vector now. */
  readonly embedded: ReadonlySet<Uuid>;
}

/** What of a committed write its vectors are made from. */
export type WrittenRows = Pick<CommittedWrite, 'written' | 'operations' | 'signal'> & {
  readonly grant: Pick<CommittedWrite['grant'], 'tenant'>;
};

export async function embedWritten(
  committed: CommittedWrite,
  by: Pick<WriteDependencies, 'authority' | 'embedder'>,
): Promise<EmbeddedWrite> {
  return { ...committed, embedded: await embedReceipts(committed, by) };
}

/** The versions of a write that have their vector now. */
export async function embedReceipts(
  committed: WrittenRows,
  { authority, embedder }: Pick<WriteDependencies, 'authority' | 'embedder'>,
): Promise<ReadonlySet<Uuid>> {
  const pending = embedder ? pendingOf(committed) : [];
  if (!embedder || pending.length === 0) return new Set();
  const { signal } = committed;
  const done = await embedRows(pending, {
    authority,
    embedder,
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    // The write is committed: an outage after that leaves rows `pending`, it does not make the
    // write a failure.
    if (isOperational(error)) return 0;
    throw error;
  });
  return new Set(pending.slice(0, done).map((row) => row.uuid));
}

const pendingOf = ({ written, operations, grant }: WrittenRows): readonly PendingEmbedding[] =>
  written.receipts.flatMap((receipt, index): PendingEmbedding[] => {
    const operation = operations[index];
    if (
      receipt.embedding !== 'pending' ||
      receipt.uuid === null ||
      !operation ||
      !isBringing(operation)
    )
      return [];
    if (operation.table === 'memory_schema_typed' || operation.table === 'context_links') return [];
    return [
      {
        tenant: grant.tenant,
        scope_uuid: operation.scope,
        table: operation.table,
        uuid: receipt.uuid,
        text: searchText(operation.content),
      },
    ];
  });
