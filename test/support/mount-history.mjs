// A history of one scope as a mount is fed it: each entry adds a memory, every third one is taken
// back by a later entry, every seventh is forgotten. What is fed is as it stands at the head.
export const TENANT = 'killed';
export const SCOPE = '00000000-0000-4000-8000-00000000ffff';
const DIMENSIONS = 8;
export const SPACE = { name: `killed/history/${DIMENSIONS}`, dimensions: DIMENSIONS };
const BATCH = 20;
const PLAIN_BATCH = 5_000;
/** Entries until a memory is taken back, or forgotten. */
const RETIRED_AFTER = 5;
const FORGOTTEN_AFTER = 10;

const uuidOf = (seq) => `00000000-0000-4000-8000-${seq.toString(16).padStart(12, '0')}`;
/** A word of its own, to be looked for in files. */
const secretOf = (seq) => `zq${seq.toString(36)}xjw`;

/** The first `base` entries only add: rows for an index to be built of. */
export function createHistory({ base, head }) {
  const isForgotten = (seq) => seq > base && seq % 7 === 0 && seq + FORGOTTEN_AFTER <= head;
  const isRetired = (seq) => seq > base && seq % 3 === 0 && seq + RETIRED_AFTER <= head;
  const all = Array.from({ length: head }, (_, n) => n + 1);
  const forgotten = all.filter(isForgotten);
  const versionOf = (seq) => {
    const content = `memory ${seq % 97} ${seq > base ? secretOf(seq) : 'plain'}`;
    const row = {
      ...{ tenant_id: TENANT, uuid: uuidOf(seq), root_uuid: uuidOf(seq), scope_uuid: SCOPE },
      ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, closed_seq: null },
      ...{ recorded_seq: seq, retired_seq: null, superseded_by: null, cause: null },
      ...{ status: 'live', operation: 'ADD', recut_of: null, content },
      ...{ subject: null, category: 'note', class: 'fact', importance: 0.5, confidence: 1 },
      ...{ tags: [], metadata: {}, provenance: {} },
    };
    const vector = Array.from({ length: DIMENSIONS }, (_, n) => Math.sin(seq * (n + 1)) + 1.1);
    return { entry: { table: 'memory_open_set', row }, vector };
  };
  /** As a journal names what was forgotten: not at all. */
  const changeOf = (seq) => {
    const uuid = isForgotten(seq) ? null : uuidOf(seq);
    const table = uuid && 'memory_open_set';
    return { scope: SCOPE, seq, operation: 'ADD', table, uuid, root_uuid: uuid };
  };
  return {
    head,
    /** Moves with each memory that is forgotten. */
    epoch: forgotten.length,
    forgotten: forgotten.map(uuidOf),
    secrets: forgotten.map(secretOf),
    /** Such words of memories that are there. */
    standing: all.filter((seq) => seq > base && !isForgotten(seq) && !isRetired(seq)).map(secretOf),
    uuids: all.filter((seq) => !isForgotten(seq) && !isRetired(seq)).map(uuidOf),
    /** The entries after `seq`: what they added, and what they took back. */
    batchAfter(seq) {
      const last = Math.min(head, seq < base ? Math.min(base, seq + PLAIN_BATCH) : seq + BATCH);
      const named = new Set();
      for (let entry = seq + 1; entry <= last; entry += 1) {
        named.add(entry);
        if (entry - RETIRED_AFTER > base) named.add(entry - RETIRED_AFTER);
      }
      const standing = [...named].filter((each) => !isForgotten(each));
      return {
        tenant: TENANT,
        upsert: standing.filter((each) => !isRetired(each)).map(versionOf),
        remove: standing.filter(isRetired).map(uuidOf),
        changes: Array.from({ length: last - seq }, (_, n) => changeOf(seq + n + 1)),
        cursor: { scope: SCOPE, seq: last, ordinal: 0 },
      };
    },
  };
}
