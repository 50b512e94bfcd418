/**
 * `Forget where I live`: all that capture wrote of that slot, and of a property that is said by it,
 * goes, in whatever conversation it was said and whatever it was before. What somebody wrote or
 * changed by hand stays.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { BlockRow } from '../../model/block.ts';
import { MEMORY_CLASSES, type MemoryClass } from '../../model/capture.ts';
import { captureKey } from '../../model/capture-key.ts';
import type { AnyFact } from '../../model/fact-record.ts';
import { isCapturedValue, isOfCapture, SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Collection } from '../../model/manifest.ts';
import { headOf } from '../../model/validity.ts';
import { speakerName } from '../compare/said-before.ts';
import type { PlannedRetraction } from '../state.ts';
import { saysSlot } from '../typed/typed-patterns.ts';
import type { PlanningNamed } from './forget-known.ts';
import type { ForgetRequest } from './forget-requests.ts';
import { saysBeside } from './forget-words.ts';
import { FIRST_ORDINAL, placeOf } from './retract.ts';
import { believedOf } from './still-known.ts';
import { holdsMore, isOfTopic } from './topic-asked.ts';

/** Behind those that name statements. */
const AFTER_NAMED = 1000;

interface PlanningTopics
  extends Pick<PlanningNamed, 'prepared' | 'vouches' | 'settled' | 'position' | 'now'> {
  readonly authority: Pick<Authority, 'factOrigins' | 'listFacts'>;
  readonly collections: readonly Collection[];
}

export interface PlannedTopics {
  readonly retractions: readonly PlannedRetraction[];
  /** Versions that go at once: what is said again is news. */
  readonly gone: ReadonlySet<Uuid>;
  /** What wrote them: nothing of it is to be undone beside. */
  readonly operations: ReadonlySet<Uuid>;
}

/** One for each root. */
export async function planTopics(
  requests: readonly ForgetRequest[],
  by: PlanningTopics,
): Promise<PlannedTopics> {
  const retractions: PlannedRetraction[] = [];
  const gone = new Set<Uuid>();
  const operations = new Set<Uuid>();
  const roots = new Set<Uuid>();
  const { of, writing, targetOf, grant } = by.prepared;
  const targets = new Set(MEMORY_CLASSES.map((memory) => targetOf(memory)));
  for (const { turn, named } of requests)
    for (const [slot, at] of named.topics)
      for (const scope of targets) {
        const known = (await knownOf({ slot, turn, scope }, by)).filter(
          ({ row }) => !roots.has(row.root_uuid),
        );
        const isOwn = writing.isAutonomous && by.vouches(turn, scope, true);
        const more = new Set(known.filter(isMore).map(({ row }) => row.root_uuid));
        const uuids = known.map(({ row }) => row.uuid);
        const asked = { uuids, readable: [scope] };
        const origins = await by.authority.factOrigins(grant.tenant, asked);
        for (const { operation_id: id } of origins.values()) if (id !== null) operations.add(id);
        for (const [root, entry] of new Map(known.map((each) => [each.row.root_uuid, each]))) {
          roots.add(root);
          const ordinal = FIRST_ORDINAL + AFTER_NAMED + retractions.length;
          retractions.push({
            ...placeOf(turn, at, by.settled),
            // What says something else as well goes by a review.
            ...{ class: classOf(entry), scope, isDirect: isOwn && !more.has(root) },
            key: captureKey({ consumer: of.consumer, source: turn.uuid, ordinal }),
            what: { kind: 'root', table: entry.table, root, at: turn.occurred_at },
          });
        }
        for (const { row } of isOwn ? known : []) if (!more.has(row.root_uuid)) gone.add(row.uuid);
      }
  return { retractions, gone, operations };
}

export const classOf = (entry: AnyFact): MemoryClass =>
  entry.table === 'memory_open_set'
    ? (MEMORY_CLASSES.find((memory) => memory === entry.row.class) ?? 'fact')
    : 'typed';

const isMore = ({ table, row }: AnyFact): boolean => {
  if (table !== 'memory_open_set') return false;
  const value = String(row.metadata[SLOT_VALUE] ?? '');
  const at = value === '' ? -1 : row.content.toLowerCase().indexOf(value.toLowerCase());
  return at !== -1 && saysBeside(row.content.slice(at + value.length));
};

interface Topic {
  readonly slot: string;
  readonly turn: BlockRow;
  readonly scope: Uuid;
}

/** Believed versions, of all times, of roots that are of capture alone. */
async function knownOf(topic: Topic, by: PlanningTopics): Promise<readonly AnyFact[]> {
  if ((headOf(by.position, topic.scope) ?? 0) === 0) return [];
  const subject = speakerName(topic.turn);
  const reading = { authority: by.authority, grant: by.prepared.grant, now: by.now };
  const facts = await believedOf(subject, { scope: topic.scope }, reading);
  const ofSlot = facts.filter(
    ({ table, row }) =>
      table === 'memory_open_set' &&
      !holdsMore(topic.slot, row.content) &&
      (row.metadata[SLOT] === topic.slot ||
        (row.metadata[SLOT] === undefined && isOfTopic(topic.slot, row.content, 'kept'))),
  );
  const byHand = new Set(
    facts.flatMap(({ table, row }) =>
      table === 'memory_open_set' && !isOfCapture(row) ? [row.root_uuid] : [],
    ),
  );
  const known = ofSlot.filter(({ row }) => !byHand.has(row.root_uuid));
  for (const { name: collection, properties } of by.collections)
    for (const property of Object.values(properties)) {
      const isNamed = property.name.replaceAll('_', ' ') === topic.slot;
      if (!isNamed && !saysSlot(property, topic.slot)) continue;
      const filter = { collection, property: property.name };
      const values = await believedOf(subject, { filter, scope: topic.scope }, reading);
      const isCaptured = values.every(({ row }) => isCapturedValue(row));
      if (isCaptured) known.push(...values);
    }
  return known;
}
