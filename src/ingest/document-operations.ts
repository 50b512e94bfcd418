/** What a document asks to be written, given what is there: the new, the changed, the gone. */

import type { AnyRow, Operation } from '../index.ts';
import { parseInstant, parseUuid } from '../index.ts';
import { blockAdd, blockContent } from './block-operation.ts';
import { PLAIN_DOCUMENT } from './document-class.ts';
import { createOrdinals, derivedUuid, digestOf } from './keys.ts';
import type { DocumentRecord } from './record.ts';

export interface DocumentPlace {
  readonly scope: string;
  /** Name of the source, so that two folders in one scope may both have a `README.md`. */
  readonly source: string;
  /** As provenance names it. */
  readonly title: string;
  readonly nowMs: number;
}

export interface DocumentPlan {
  readonly operations: readonly Operation[];
  /** Rows that are there already and stay as they are. */
  readonly unchanged: number;
}

/** The root of a document: the same on every run. */
export const documentRoot = (
  record: Pick<DocumentRecord, 'path'>,
  place: Pick<DocumentPlace, 'scope' | 'source'>,
): string => derivedUuid(['document', place.scope, place.source, record.path]);

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
  if (stored['sha256'] === record.sha256)
    return { operations: [], unchanged: 1 + record.chunks.length };
  const root = documentRoot(record, place);
  const times = { from: validFrom(record, current?.valid_from, place.nowMs) };
  const before = new Map(
    (Array.isArray(stored['chunks']) ? stored['chunks'] : [])
      .filter((entry): entry is string => typeof entry === 'string')
      .map((entry) => [keyOf(entry), entry]),
  );
  const keys = chunkKeys(record);
  const entries = keys.map((key) => before.get(key) ?? `${key}@${versions.length}`);
  const content = blockContent({
    blockType: 'document',
    title: record.title,
    content: '',
    occurredAt: times.from,
    parent: null,
    metadata: { ...saidOf(record), sha256: record.sha256, chunks: entries },
    provenance: provenanceOf(record, place),
  });
  const scope = parseUuid(place.scope, 'scope');
  const document: Operation =
    current === undefined
      ? blockAdd({ scope, uuid: root, key: `document:${root}:${record.sha256}`, content })
      : {
          operation: 'UPDATE',
          table: 'blocks',
          scope,
          root_uuid: parseUuid(root, 'root'),
          uuid: parseUuid(derivedUuid([root, record.sha256, String(versions.length)]), 'uuid'),
          cause: 'change',
          expected_version: current.uuid,
          valid_from: parseInstant(times.from, 'valid_from'),
          content,
        };
  const added = entries.flatMap((entry, index) =>
    before.has(keys[index] ?? '')
      ? []
      : [chunkAdd({ record, place, root, entry, index, from: times.from })],
  );
  const kept = new Set(entries);
  const gone = [...before.values()]
    .filter((entry) => !kept.has(entry))
    .map(
      (entry): Operation => ({
        operation: 'DELETE',
        table: 'blocks',
        scope,
        root_uuid: parseUuid(chunkRoot(root, entry), 'root'),
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
function chunkKeys(record: DocumentRecord): readonly string[] {
  const ordinalOf = createOrdinals();
  const ofClass = record.class === PLAIN_DOCUMENT ? [] : [record.class];
  return record.chunks.map((chunk) => {
    const digest = digestOf([record.title, chunk.heading, chunk.text, ...ofClass]).slice(0, 12);
    const ordinal = ordinalOf(digest);
    return ordinal === 0 ? digest : `${digest}.${ordinal}`;
  });
}

/**
 * A chunk that went and came back is a new one: its entry names the version of the document that
 * brought it.
 */
const chunkRoot = (root: string, entry: string): string => derivedUuid(['chunk', root, entry]);
const keyOf = (entry: string): string => entry.split('@')[0] ?? entry;

interface ChunkPlace {
  readonly record: DocumentRecord;
  readonly place: DocumentPlace;
  readonly root: string;
  readonly entry: string;
  readonly index: number;
  readonly from: string;
}

function chunkAdd({ record, place, root, entry, index, from }: ChunkPlace): Operation {
  const chunk = record.chunks[index];
  const uuid = chunkRoot(root, entry);
  const content = blockContent({
    blockType: 'chunk',
    title: record.title,
    content: chunk?.text ?? '',
    occurredAt: from,
    parent: root,
    metadata: { ...saidOf(record), ...(chunk?.heading ? { heading: chunk.heading } : {}) },
    provenance: provenanceOf(record, place),
  });
  return blockAdd({ scope: parseUuid(place.scope, 'scope'), uuid, key: `chunk:${uuid}`, content });
}
