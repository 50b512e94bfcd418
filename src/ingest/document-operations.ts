/** What a document asks to be written, given what is there: the new, the changed, the gone. */

import type { AnyRow } from '../model/block.ts';
import { parseInstant, parseUuid, type Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import { blockAdd, blockContent } from './block-operation.ts';
import { PLAIN_DOCUMENT } from './document-class.ts';
import { createOrdinals, digestOf, earlierUuid, type Keyed, keyedUuid } from './keys.ts';
import type { DocumentRecord } from './record.ts';

export interface DocumentPlace {
  readonly scope: string;
  /** Name of the source, so that two folders in one scope may both have a `README.md`. */
  readonly source: string;
  /** As provenance names it. */
  readonly title: string;
  readonly nowMs: number;
  readonly keyed: Keyed;
  /** Of the document: see {@link documentRoots}. */
  readonly root: string;
}

export interface DocumentPlan {
  readonly operations: readonly Operation[];
  /** Rows that are there already and stay as they are. */
  readonly unchanged: number;
}

/** Of a document that was forgotten again and again. */
const MOST_ROOTS = 16;

/**
 * The roots that a document may have, the same on every run: as ids were made before there were
 * keys, the one of today, and those that follow where the ones before were forgotten.
 */
export const documentRoots = (
  record: Pick<DocumentRecord, 'path'>,
  { scope, source, keyed }: Pick<DocumentPlace, 'scope' | 'source' | 'keyed'>,
): readonly string[] => {
  const parts = ['document', scope, source, record.path];
  const later = Array.from({ length: MOST_ROOTS - 1 }, (_, index) => [...parts, String(index + 1)]);
  return [earlierUuid(parts), ...[parts, ...later].map((each) => keyedUuid(keyed, each))];
};

/** The idempotency key of a document under one of its roots. */
export const documentKey = (
  root: string,
  { sha256 }: Pick<DocumentRecord, 'sha256'>,
  keyed: Keyed,
): string => `document:${root}:${keyed(sha256)}`;

/**
 * Compares a file with its stored versions (oldest first; none = new). Unchanged bytes: nothing.
 * Changed: the document gets a version, chunks that are new are added, chunks that are gone are
 * closed, the others stay untouched. All of it belongs into one commit.
 */
export function planDocument(
  record: DocumentRecord,
  versions: readonly AnyRow[],
  place: DocumentPlace,
): DocumentPlan {
  const current = versions
    .map((version) => version.row)
    .findLast(
      (row) =>
        row.retired_seq === null &&
        row.status === 'live' &&
        (row.valid_until === null || isTtl(row)),
    );
  const stored = current !== undefined && 'metadata' in current ? current.metadata : {};
  const { root, keyed } = place;
  const digest = keyed(record.sha256);
  if (stored['digest'] === digest) return { operations: [], unchanged: 1 + record.chunks.length };
  const from = validFrom(record, current?.valid_from, place.nowMs);
  const times = { from, ...untilOf(record.untilMs, from) };
  const before = new Map(
    (Array.isArray(stored['chunks']) ? stored['chunks'] : [])
      .filter((entry): entry is string => typeof entry === 'string')
      .map((entry) => [keyOf(entry), entry]),
  );
  const keys = chunkKeys(record, keyed);
  const entries = keys.map((key) => before.get(key) ?? `${key}@${versions.length}`);
  const content = blockContent({
    blockType: 'document',
    title: record.title,
    content: '',
    occurredAt: times.from,
    parent: null,
    metadata: {
      ...saidOf(record),
      digest,
      chunks: entries,
      ...(times.until !== undefined && { until: times.until }),
    },
    provenance: provenanceOf(record, place),
  });
  const scope = parseUuid(place.scope, 'scope');
  const version = String(versions.length);
  const document = documentOperation(current?.uuid ?? null, {
    scope,
    root,
    key: documentKey(root, record, keyed),
    uuid: keyedUuid(keyed, [root, digest, version]),
    content,
    times,
  });
  const added = entries.flatMap((entry, index) =>
    before.has(keys[index] ?? '') ? [] : [chunkAdd({ record, place, entry, index, times })],
  );
  const kept = new Set(entries);
  const gone = [...before.values()]
    .filter((entry) => !kept.has(entry))
    .map(
      (entry): Operation => ({
        operation: 'DELETE',
        table: 'blocks',
        scope,
        root_uuid: parseUuid(chunkRoot(place, entry), 'root'),
        cause: 'change',
        valid_from: parseInstant(times.from, 'valid_from'),
      }),
    );
  return { operations: [document, ...added, ...gone], unchanged: entries.length - added.length };
}

interface DocumentVersion {
  readonly scope: Uuid;
  readonly root: string;
  /** Of a new document. */
  readonly key: string;
  /** Of a version of one that is there. */
  readonly uuid: string;
  readonly content: ReturnType<typeof blockContent>;
  readonly times: Times;
}

/** `current`: the version that it takes over from; null = there is none. */
function documentOperation(current: Uuid | null, version: DocumentVersion): Operation {
  const { scope, root, key, uuid, content, times } = version;
  if (current === null) return blockAdd({ scope, uuid: root, key, content, until: times.until });
  return {
    operation: 'UPDATE',
    table: 'blocks',
    scope,
    root_uuid: parseUuid(root, 'root'),
    uuid: parseUuid(uuid, 'uuid'),
    cause: 'change',
    expected_version: current,
    valid_from: parseInstant(times.from, 'valid_from'),
    ...(times.until !== undefined && { valid_until: parseInstant(times.until, 'valid_until') }),
    content,
  };
}

interface Times {
  readonly from: string;
  readonly until?: string;
}

/** It ends because it said so, not because somebody ended it. */
const isTtl = (row: AnyRow['row']): boolean =>
  'metadata' in row && row.metadata['until'] === row.valid_until;

/** What a document and its chunks say of themselves alike. */
const saidOf = ({ path, class: of, description }: DocumentRecord) => ({
  path,
  class: of,
  ...(description !== null && { description }),
});

const provenanceOf = (record: DocumentRecord, place: DocumentPlace) => ({
  source_id: `memory://${place.title === record.path ? '' : `${place.title}/`}${record.path}`,
  source_type: 'document',
  source_class: 'document' as const,
});

/**
 * What the document is dated, else when its file was last written: the first that is after the
 * version before it and not to come, else now (a copied or restored file). A TTL that was over by
 * then moves it before its end: it was true once.
 */
function validFrom(record: DocumentRecord, before: string | undefined, nowMs: number): string {
  const { datedMs, modifiedMs, untilMs } = record;
  const beforeMs = before === undefined ? -Infinity : Date.parse(before);
  const known = [datedMs, modifiedMs, nowMs].map((ms) => Math.min(ms, nowMs));
  const fromMs = known.find((ms) => ms > beforeMs) ?? nowMs;
  const isOver = untilMs !== null && untilMs <= fromMs && untilMs - 1 > beforeMs;
  return new Date(isOver ? untilMs - 1 : fromMs).toISOString();
}

/** Nothing where the end is not after the beginning: such a version is said to hold anew. */
const untilOf = (untilMs: number | null, from: string): { readonly until?: string } =>
  untilMs === null || untilMs <= Date.parse(from) ? {} : { until: new Date(untilMs).toISOString() };

/**
 * A chunk is the same while its text, its heading and the document's title, class and end are;
 * equal ones are numbered in their order.
 */
function chunkKeys(record: DocumentRecord, keyed: Keyed): readonly string[] {
  const ordinalOf = createOrdinals();
  const ofClass = record.class === PLAIN_DOCUMENT ? [] : [record.class];
  const ofEnd = record.untilMs === null ? [] : [`until ${record.untilMs}`];
  return record.chunks.map((chunk) => {
    const said = digestOf([record.title, chunk.heading, chunk.text, ...ofClass, ...ofEnd]);
    const digest = keyed(said.slice(0, 12)).slice(0, 12);
    const ordinal = ordinalOf(digest);
    return ordinal === 0 ? digest : `${digest}.${ordinal}`;
  });
}

/**
 * A chunk that went and came back is a new one: its entry names the version of the document that
 * brought it. Where the chunk has an id of before there were keys, the entry ends with it.
 */
const chunkRoot = ({ root, keyed }: Pick<DocumentPlace, 'root' | 'keyed'>, entry: string): string =>
  entry.split('=')[1] ?? keyedUuid(keyed, ['chunk', root, entry]);
const keyOf = (entry: string): string => entry.split('@')[0] ?? entry;

interface ChunkPlace {
  readonly record: DocumentRecord;
  readonly place: DocumentPlace;
  readonly entry: string;
  readonly index: number;
  readonly times: Times;
}

function chunkAdd({ record, place, entry, index, times }: ChunkPlace): Operation {
  const chunk = record.chunks[index];
  const { until } = { ...times, ...untilOf(chunk?.untilMs ?? null, times.from) };
  const uuid = chunkRoot(place, entry);
  const content = blockContent({
    blockType: 'chunk',
    title: record.title,
    content: chunk?.text ?? '',
    occurredAt: times.from,
    parent: place.root,
    metadata: {
      ...saidOf(record),
      ...(chunk?.heading ? { heading: chunk.heading } : {}),
      ...(chunk?.target === undefined ? {} : { target: chunk.target }),
    },
    provenance: provenanceOf(record, place),
  });
  return blockAdd({
    scope: parseUuid(place.scope, 'scope'),
    uuid,
    key: `chunk:${uuid}`,
    content,
    until,
  });
}
