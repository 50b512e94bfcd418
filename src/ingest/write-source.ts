/** A checked source into its scope, batch by batch. */

import { ContextEngineError } from '../codes/errors.ts';
import { parseUuid } from '../model/ids.ts';
import type { Operation, WriteResult } from '../model/operation.ts';
import type { FactInput } from '../model/write-input.ts';
import type { Committed, IngestEngine, KeyedDigests, Totals } from './batches.ts';
import {
  addTotals,
  BATCH_OPERATIONS,
  commitBatch,
  isKeyConflict,
  NO_TOTALS,
  toCommitted,
  versionsOf,
} from './batches.ts';
import { blockAdd, blockContent } from './block-operation.ts';
import { planDocument } from './document-operations.ts';
import { findDocument } from './find-document.ts';
import { createOrdinals, digestOf, earlierUuid, type Keyed, keyedUuid } from './keys.ts';
import type { DocumentRecord, FactRecord, Source, TurnRecord, TypedRecord } from './record.ts';
import { type RemovedDocument, removedDocuments } from './removed-documents.ts';

export interface Target {
  readonly engine: IngestEngine;
  readonly scope: string;
  readonly nowMs: number;
  /** Called after each acknowledged commit, before the next one begins. */
  onCommit?(committed: Committed): Promise<void>;
  /** Called after each record, with how many there were: those of `checkSources`. */
  onRecord?(count: number): void;
}

/** What became of a source. */
export interface Written extends Totals {
  readonly removed: readonly RemovedDocument[];
  /** What was read otherwise than it may have been meant. */
  readonly warnings: readonly string[];
}

/** Writes every record of a source. Already stored ones are counted as duplicates. */
export async function writeSource(source: Source, target: Target): Promise<Written> {
  const { engine, scope } = target;
  const digests = await engine.keyedDigests();
  const writer = createWriter(source, target, digests);
  const warnings: string[] = [];
  let count = 0;
  for await (const record of source.records()) {
    if (record.kind === 'turn') await writer.turn(record);
    else if (record.kind === 'document') {
      await writer.document(record);
      warnings.push(...warningsOf(record));
    } else if (record.kind === 'fact') await writer.fact(record);
    else await writer.typed(record);
    count += 1;
    target.onRecord?.(count);
  }
  const totals = await writer.finish();
  const removed = await removedDocuments(source, scope, { engine, digests });
  return { ...totals, removed, warnings };
}

const warningsOf = ({ path, unreadTtls }: DocumentRecord): readonly string[] =>
  unreadTtls.map(
    (ttl) =>
      `The TTL \`${ttl}\` in \`${path}\` is no day and no time such as \`30d\`: what it stands by ` +
      'does not end.',
  );

function createWriter(source: Source, target: Target, digests: KeyedDigests) {
  const { engine, scope, nowMs } = target;
  const keyed: Keyed = digests.digestOf;
  const ordinalOf = createOrdinals();
  let totals: Totals = NO_TOTALS;
  let operations: Operation[] = [];
  let facts: FactInput[] = [];
  /**
   * Of the turn before: one that has no time keeps its place by its sequence number, and never gets
   * a time to come.
   */
  let last: string | null = null;

  const done = async (committed: Committed): Promise<void> => {
    totals = addTotals(totals, committed.totals);
    await target.onCommit?.(committed);
  };
  const flush = async (): Promise<void> => {
    const batch = operations;
    operations = [];
    if (batch.length > 0) await done(await commitBatch(engine, batch));
    const held = facts;
    facts = [];
    if (held.length > 0) await done(await rememberBatch(target, held));
  };

  return {
    async turn(record: TurnRecord): Promise<void> {
      last = record.occurredAt ?? last;
      const now = new Date(nowMs).toISOString();
      operations.push(turnOperation(record, { source, scope, keyed, ordinalOf, last, now }));
      if (operations.length >= BATCH_OPERATIONS) await flush();
    },
    /**
     * A document is never split over two commits: its stored digest says that all of it is there.
     */
    async document(record: Parameters<typeof planDocument>[0]): Promise<void> {
      const where = { scope, source: source.name, title: source.title, nowMs, keyed };
      const found = await findDocument(record, where, { engine, digests });
      const place = { ...where, root: found.root };
      const plan = found.isForgotten
        ? { operations: [], unchanged: 1 + record.chunks.length }
        : planDocument(record, found.versions, place);
      totals = addTotals(totals, { duplicate: plan.unchanged });
      if (operations.length > 0 && operations.length + plan.operations.length > BATCH_OPERATIONS)
        await flush();
      operations.push(...plan.operations);
      if (operations.length >= BATCH_OPERATIONS) await flush();
    },
    async fact(record: FactRecord): Promise<void> {
      const digest = keyed(digestOf(['fact', source.name, JSON.stringify(record.fact)]));
      facts.push({ ...record.fact, idempotency_key: `fact:${digest}:${ordinalOf(digest)}` });
      if (facts.length >= BATCH_OPERATIONS) await flush();
    },
    async typed(record: TypedRecord): Promise<void> {
      await flush();
      await done(await setTyped(record, target, { source: source.name, keyed, ordinalOf }));
    },
    async finish(): Promise<Totals> {
      await flush();
      return totals;
    },
  };
}

async function setTyped(
  record: TypedRecord,
  { engine, scope }: Target,
  named: {
    readonly source: string;
    readonly keyed: Keyed;
    readonly ordinalOf: ReturnType<typeof createOrdinals>;
  },
): Promise<Committed> {
  const { subject, collection, property, value, options } = record;
  const said = JSON.stringify([subject, collection, property, value, options]);
  const digest = named.keyed(digestOf(['typed', named.source, said]));
  const keyed = { ...options, idempotency_key: `typed:${digest}:${named.ordinalOf(digest)}` };
  return orDuplicate(() => engine.setTyped(scope, subject, collection, property, value, keyed));
}

/**
 * The key says everything that the file says; so another payload under it differs only in a time
 * that was filled in.
 */
async function orDuplicate(write: () => Promise<WriteResult>): Promise<Committed> {
  try {
    return toCommitted(await write());
  } catch (error) {
    if (!isKeyConflict(error)) throw error;
    return { totals: addTotals(NO_TOTALS, { duplicate: 1 }), uuids: [], position: [] };
  }
}

async function rememberBatch(
  { engine, scope }: Target,
  facts: readonly FactInput[],
): Promise<Committed> {
  try {
    return toCommitted(await engine.remember(scope, facts));
  } catch (error) {
    if (!isKeyConflict(error)) throw error;
  }
  let all: Committed = { totals: NO_TOTALS, uuids: [], position: [] };
  for (const fact of facts) {
    const one = await orDuplicate(() => engine.remember(scope, fact));
    all = {
      totals: addTotals(all.totals, one.totals),
      uuids: [...all.uuids, ...one.uuids],
      position: one.position.length > 0 ? one.position : all.position,
    };
  }
  return all;
}

interface TurnPlace {
  readonly source: Source;
  readonly scope: string;
  readonly keyed: Keyed;
  readonly ordinalOf: (digest: string) => number;
  /** Time of the last turn of the source that has one. */
  readonly last: string | null;
  readonly now: string;
}

const CLASS_OF_ROLE: Readonly<Record<string, 'user' | 'model' | 'tool'>> = {
  user: 'user',
  assistant: 'model',
  tool: 'tool',
};

/**
 * The rule of `ingest --help`: source, role, author, time and content, and its ordinal among the
 * equal ones before it.
 */
function turnOperation(record: TurnRecord, place: TurnPlace): Operation {
  const said = digestOf([
    place.source.name,
    record.blockType,
    record.role,
    record.author,
    record.occurredAt,
    record.content,
    record.identity,
  ]);
  const digest = place.keyed(said);
  const key = `turn:${digest}:${place.ordinalOf(digest)}`;
  const content = blockContent({
    blockType: record.blockType,
    title: record.title,
    content: record.content,
    occurredAt: record.occurredAt ?? place.last ?? place.now,
    parent: null,
    role: record.role,
    author: record.author,
    tags: record.tags,
    metadata: record.metadata,
    provenance: {
      source_id: `memory://${place.source.title}`,
      source_type: 'conversation',
      source_class: CLASS_OF_ROLE[record.role ?? ''] ?? 'document',
    },
  });
  return blockAdd({
    scope: parseUuid(place.scope, 'scope'),
    uuid: keyedUuid(place.keyed, ['turn', place.scope, key]),
    key,
    content,
    isTimeDefaulted: (record.occurredAt ?? place.last) === null,
  });
}

/**
 * Reads all sources to the end and writes nothing: the first fault is thrown before the first
 * write. Gives the records of each.
 */
export async function checkSources(
  sources: readonly Source[],
  onRecord: (count: number) => void,
): Promise<readonly number[]> {
  const counts: number[] = [];
  let seen = 0;
  for (const source of sources) {
    let count = 0;
    for await (const _ of source.records()) {
      count += 1;
      seen += 1;
      onRecord(seen);
    }
    counts.push(count);
  }
  return counts;
}

export interface ScopeRequest {
  readonly tenant: string;
  /** Given by the caller: used as it is. */
  readonly scope: string | undefined;
  readonly type: string;
  /** Of a new scope; default: the source's. */
  readonly title: string | undefined;
  readonly inherits: readonly string[];
}

/** The scope of a source: the given one, the one of an earlier run, or a new one. */
export async function scopeOf(
  source: Source,
  request: ScopeRequest,
  engine: IngestEngine,
): Promise<{ readonly uuid: string; readonly isNew: boolean }> {
  if (request.scope !== undefined)
    return { uuid: parseUuid(request.scope, '--scope'), isNew: false };
  const parts = ['scope', request.tenant, request.type, source.name];
  const digests = await engine.keyedDigests();
  const earlier = earlierUuid(parts);
  const isEarlier = await digests.isEarlierScope(earlier);
  const uuid = isEarlier ? earlier : keyedUuid(digests.digestOf, parts);
  if ((await versionsOf(engine, uuid)).length > 0) return { uuid, isNew: false };
  const { uuids: forgotten } = await digests.forgotten(uuid, { uuids: [uuid], keys: [] });
  if (forgotten.length > 0) throw scopeForgotten(source.title);
  const inherits = request.inherits.map((outer) => parseUuid(outer, '--inherits'));
  await engine.scopes.create({
    uuid,
    type: request.type,
    title: request.title ?? source.title,
    inherits,
    metadata: { source: source.title },
    idempotency_key: `scope:${uuid}`,
  });
  return { uuid, isNew: true };
}

const scopeForgotten = (title: string): ContextEngineError =>
  new ContextEngineError('CLI.INPUT', {
    message: `What \`${title}\` was ingested into was forgotten. Nothing was written.`,
    fix: 'Create a scope with `contextengine scope create` and name it with --scope, to ingest it anew.',
  });
