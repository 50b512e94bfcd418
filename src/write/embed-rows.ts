/**
 * Ledger first, embedding after: a provider that fails loses nothing, the rows stay `pending` and
 * are found again.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import { throwIfAborted } from '../cxri/deadline.ts';
import type { EmbeddingRow, PendingEmbedding } from '../cxri/ports/vectors.ts';
import type { Embedder } from '../inference/embedder.ts';
import { spaceName } from '../inference/embedder.ts';
import type { TenantId } from '../model/ids.ts';

/**
 * One vector of a longer text is a blur, and hosted models refuse it; chunking is the ingest's job.
 */
export const MAX_EMBEDDED_CHARS = 8000;
const BATCH = 256;

/**
 * Gives how many rows have their vector now; the rest is pending, because the provider refused.
 * Other failures are thrown.
 */
export async function embedRows(
  rows: readonly PendingEmbedding[],
  by: { readonly authority: Authority; readonly embedder: Embedder; readonly signal?: AbortSignal },
): Promise<number> {
  let embedded = 0;
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const vectors = await vectorsOf(batch, by);
    if (!vectors) return embedded;
    const stored = batch.flatMap((row, index): EmbeddingRow[] => {
      const values = vectors[index];
      return values
        ? [
            {
              tenant: row.tenant,
              scope_uuid: row.scope_uuid,
              table: row.table,
              uuid: row.uuid,
              ordinal: 0,
              origin: 'content',
              values,
            },
          ]
        : [];
    });
    await by.authority.storeEmbeddings(spaceName(by.embedder.space), stored);
    embedded += stored.length;
  }
  return embedded;
}

async function vectorsOf(
  batch: readonly PendingEmbedding[],
  by: { readonly embedder: Embedder; readonly signal?: AbortSignal },
): Promise<readonly (readonly number[])[] | null> {
  try {
    return await by.embedder.embed(
      batch.map((row) => row.text.slice(0, MAX_EMBEDDED_CHARS)),
      {
        kind: 'document',
        ...(batch[0] && { tenant: batch[0].tenant }),
        ...(by.signal && { signal: by.signal }),
      },
    );
  } catch (cause) {
    if (cause instanceof ContextEngineError && cause.code.startsWith('INFERENCE.')) return null;
    throw cause;
  }
}

const PENDING_PAGE = 1000;

/** Embeds what an earlier failure left, until nothing is pending or the provider fails again. */
export async function embedPending(
  tenant: TenantId,
  by: { readonly authority: Authority; readonly embedder: Embedder; readonly signal?: AbortSignal },
): Promise<{ readonly embedded: number; readonly pending: number }> {
  const space = spaceName(by.embedder.space);
  let embedded = 0;
  for (;;) {
    const pending = await by.authority.pendingEmbeddings(tenant, space, PENDING_PAGE);
    if (pending.length === 0) return { embedded, pending: 0 };
    const done = await embedRows(pending, by);
    embedded += done;
    if (done < pending.length)
      return {
        embedded,
        pending: (await by.authority.pendingEmbeddings(tenant, space, PENDING_PAGE)).length,
      };
  }
}

/**
 * Makes the words again that an earlier version's rules made, batch by batch; an aborted call goes
 * on where it was.
 */
export async function rebuildWords(
  tenant: TenantId,
  by: { readonly authority: Authority; readonly signal?: AbortSignal },
): Promise<void> {
  do throwIfAborted('embedPending', by.signal);
  while ((await by.authority.rebuildWords(tenant, PENDING_PAGE)) > 0);
}
