/**
 * The batches of one call, in order. While one is compared and written, which is mostly waiting for
 * the database, the next one is read by the rules. What was read ahead is used for the batch that
 * begins where it begins, and thrown away otherwise: another worker was here.
 *
 * Beside an embedded database it would take from the compositions what it gains. A model is never
 * asked ahead: asking costs money. A turn that is withdrawn in the meantime is refused by the write
 * that names it as its source, as one that is withdrawn while its batch is read.
 */
import type { CaptureDependencies, Prepared } from './prepare.ts';
import { type BatchRead, readBatch } from './read-batch.ts';
import { readTurns, TURNS_PER_BATCH, type Turns } from './turns.ts';

export interface BatchReader {
  readonly read: (from: number) => Promise<BatchRead>;
  /** Begins to read the batch that begins there. */
  readonly readAhead: (from: number) => void;
  /** Rejects never: what was read ahead and not used matters to nobody. */
  readonly close: () => Promise<void>;
}

/** What a model is asked about at once: small enough for its answer to fit. */
const TURNS_PER_QUESTION = 20;

export function batchReader(prepared: Prepared, by: CaptureDependencies): BatchReader {
  let ahead: { readonly from: number; readonly batch: Promise<BatchRead> } | null = null;
  const read = async (from: number): Promise<BatchRead> =>
    readBatch(await turnsFrom(from, prepared, by), { ...prepared, from }, by);
  const close = async (): Promise<void> => {
    await ahead?.batch.catch(() => undefined);
    ahead = null;
  };
  return {
    read: async (from) => {
      if (ahead?.from !== from) await close();
      const batch = ahead?.batch ?? read(from);
      ahead = null;
      return batch;
    },
    readAhead: (from) => {
      if (by.model || !by.isServer || from > prepared.head) return;
      const batch = read(from);
      // Whoever reads it hears of a failure; until then it is nobody's.
      batch.catch(() => undefined);
      ahead = { from, batch };
    },
    close,
  };
}

/** Where a model was asked already, the turns that it was asked about. */
async function turnsFrom(
  from_seq: number,
  prepared: Prepared,
  by: CaptureDependencies,
): Promise<Turns> {
  const limit = by.model ? TURNS_PER_QUESTION : TURNS_PER_BATCH;
  const turns = await readTurns(prepared, by, { from_seq, limit });
  if (!by.model) return turns;
  const of = { ...prepared.of, from_seq };
  const [first] = await by.authority.extractionsOf(prepared.grant.tenant, of);
  if (!first) return turns;
  const { to_seq } = first;
  return { rows: turns.rows.filter(({ recorded_seq: seq }) => seq <= to_seq), to_seq };
}
