/** What a document asks to be written, given what is there: the new, the changed, the gone. */

import type { AnyRow, Operation } from '../index.ts';
import { parseInstant, parseUuid } from '../index.ts';
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
      (row) => row.retired_seq === null && row.valid_until === null && row.status === 'live',
    );
  const stored = current !== undefined && 'metadata' in current ? current.metadata : {};
  const { root, keyed } = place;
  const digest = keyed(record.sha256);
  if (stored['digest'] === digest) return { operations: [], unchanged: 1 + record.chunks.length };
  const times = { from: validFrom(record, current?.valid_from, place.nowMs) };
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
    metadata: { ...saidOf(record), digest, chunks: entries },
    provenance: provenanceOf(record, place),
  });
  const scope = parseUuid(place.scope, 'scope');
  const document: Operation =
    current === undefined
      ? blockAdd({ scope, uuid: root, key: documentKey(root, record, keyed), content })
      : {
          operation: 'UPDATE',
          table: 'blocks',
          scope,
          root_uuid: parseUuid(root, 'root'),
          uuid: parseUuid(keyedUuid(keyed, [root, digest, String(versions.length)]), 'uuid'),
          cause: 'change',
          expected_version: current.uuid,
          valid_from: parseInstant(times.from, 'valid_from'),
          content,
        };
  const added = entries.flatMap((entry, index) =>
    before.has(keys[index] ?? '')
      ? []
      : [chunkAdd({ record, place, entry, index, from: times.from })],
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

/** What a document and its chunks say of themselves alike. */
const saidOf = ({ path, class: of }: DocumentRecord) => ({ path, class: of });

const provenanceOf = (record: DocumentRecord, place: DocumentPlace) => ({
  source_id: `memory://${place.title === record.path ? '' : `${place.title}/`}${record.path}`,
  source_type: 'document',
  source_class: 'document' as const,
});

/**
 * When the file was last written, unless that is not after the version before it (a copied or
 * restored file) or not yet: then now.
 */
function validFrom(record: DocumentRecord, before: string | undefined, nowMs: number): string {
  const written = new Date(Math.min(record.modifiedMs, nowMs)).toISOString();
  return before === undefined || written > before ? written : new Date(nowMs).toISOString();
}

/**
 * A chunk is the same while its text, its heading and the document's title and class are; equal
 * ones are numbered in their order.
 */
function chunkKeys(record: DocumentRecord, keyed: Keyed): readonly string[] {
  const ordinalOf = createOrdinals();
  const ofClass = record.class === PLAIN_DOCUMENT ? [] : [record.class];
  return record.chunks.map((chunk) => {
    const said = digestOf([record.title, chunk.heading, chunk.text, ...ofClass]);
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
  readonly from: string;
}

function chunkAdd({ record, place, entry, index, from }: ChunkPlace): Operation {
  const chunk = record.chunks[index];
  const uuid = chunkRoot(place, entry);
  const content = blockContent({
    blockType: 'chunk',
    title: record.title,
    content: chunk?.text ?? '',
    occurredAt: from,
    parent: place.root,
    metadata: { ...saidOf(record), ...(chunk?.heading ? { heading: chunk.heading } : {}) },
    provenance: provenanceOf(record, place),
  });
  return blockAdd({ scope: parseUuid(place.scope, 'scope'), uuid, key: `chunk:${uuid}`, content });
}
