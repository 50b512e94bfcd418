/**
 * `Forget where I live`: what capture wrote of that slot, and of a property that is said by it, is
 * undone, in whatever conversation it was said and whatever it was before. What somebody wrote by
 * hand stays.
 */
import type { Authority } from '../cxri/authority.ts';
import type { AnyRow, BlockRow } from '../model/block.ts';
import { MEMORY_CLASSES, type MemoryClass } from '../model/capture.ts';
import { captureKey } from '../model/capture-key.ts';
import { isOfCapture, SLOT } from '../model/fact-slot.ts';
import type { Uuid } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import { headOf } from '../model/validity.ts';
import type { PlanningNamed } from './forget-known.ts';
import type { ForgetRequest } from './forget-requests.ts';
import { FIRST_ORDINAL, placeOf } from './retract.ts';
import { speakerName } from './said-before.ts';
import type { PlannedRetraction } from './state.ts';
import { saysSlot } from './typed-patterns.ts';

/** Behind those that name statements. */
const AFTER_NAMED = 1000;
const MOST_OF_SLOT = 64;
/** Versions of one property. */
const MOST_VALUES = 200;

interface PlanningTopics extends Omit<PlanningNamed, 'authority' | 'gone'> {
  readonly authority: Pick<Authority, 'factsAlike' | 'factOrigins' | 'listFacts' | 'read'>;
  readonly collections: readonly Collection[];
}

/** Each with the version that goes; the last that was written goes first. */
export async function planTopics(
  requests: readonly ForgetRequest[],
  by: PlanningTopics,
): Promise<readonly (PlannedRetraction & { readonly version: Uuid })[]> {
  const planned: (PlannedRetraction & { readonly version: Uuid })[] = [];
  const { of, writing, targetOf, grant } = by.prepared;
  const targets = new Map(MEMORY_CLASSES.map((memory) => [targetOf(memory), memory] as const));
  for (const { turn, named } of requests)
    for (const [slot, at] of named.topics)
      for (const [scope] of targets) {
        const isDirect = writing.isAutonomous && by.vouches(turn, scope, true);
        const known = await knownOf({ slot, turn, scope }, by);
        const uuids = known.map(({ row }) => row.uuid);
        const asked = { uuids, readable: [scope] };
        const origins = await by.authority.factOrigins(grant.tenant, asked);
        for (const entry of known) {
          const target = origins.get(entry.row.uuid)?.operation_id ?? null;
          const isPlanned = planned.some(
            ({ what }) => what.kind === 'stored' && what.target === target,
          );
          if (target === null || isPlanned) continue;
          const ordinal = FIRST_ORDINAL + AFTER_NAMED + planned.length;
          planned.push({
            ...placeOf(turn, at, by.settled),
            ...{ class: classOf(entry), scope, isDirect, version: entry.row.uuid },
            key: captureKey({ consumer: of.consumer, source: turn.uuid, ordinal }),
            what: { kind: 'stored', target },
          });
        }
      }
  return planned;
}

const classOf = (entry: AnyRow): MemoryClass =>
  entry.table === 'memory_open_set'
    ? (MEMORY_CLASSES.find((memory) => memory === entry.row.class) ?? 'fact')
    : 'typed';

interface Topic {
  readonly slot: string;
  readonly turn: BlockRow;
  readonly scope: Uuid;
}

/** What capture wrote of it that is believed, of all times; the last first. */
async function knownOf(topic: Topic, by: PlanningTopics): Promise<readonly AnyRow[]> {
  const head = headOf(by.position, topic.scope) ?? 0;
  if (head === 0) return [];
  const known = [...(await factsOf(topic, head, by)), ...(await valuesOf(topic, by))];
  return known
    .filter(({ row }) => row.retired_seq === null && row.status === 'live')
    .toSorted((a, b) => b.row.recorded_seq - a.row.recorded_seq);
}

async function factsOf(
  { slot, turn, scope }: Topic,
  head: number,
  { authority, prepared: { grant }, now }: PlanningTopics,
): Promise<readonly AnyRow[]> {
  const has = { [SLOT]: slot };
  const [alike = []] = await authority.factsAlike(grant.tenant, {
    ...{ scope, head, valid_at: now, space: null, least: 1, limit: 1, most_slots: MOST_OF_SLOT },
    texts: [{ text: '', vector: null, slot: { subject: speakerName(turn), has } }],
  });
  const own = alike.filter(({ row }) => row.metadata[SLOT] === slot);
  const roots = [...new Set(own.map(({ row }) => row.root_uuid))];
  if (roots.length === 0) return [];
  const asked = { kind: 'history', tenant: grant.tenant, scopes: [scope], roots } as const;
  const { rows } = await authority.read(asked);
  return rows.filter((entry) => entry.table === 'memory_open_set' && isOfCapture(entry.row));
}

async function valuesOf(
  { slot, turn, scope }: Topic,
  { authority, prepared: { grant }, collections, now }: PlanningTopics,
): Promise<readonly AnyRow[]> {
  const found: AnyRow[] = [];
  for (const { name: collection, properties } of collections)
    for (const property of Object.values(properties)) {
      const isNamed = property.name.replaceAll('_', ' ') === slot;
      if (!isNamed && !saysSlot(property, slot)) continue;
      const filter = { subject: speakerName(turn), collection, property: property.name };
      const { facts } = await authority.listFacts(grant.tenant, {
        ...{ scopes: [scope], readable: [scope], state: 'all', at: now, filter },
        ...{ limit: MOST_VALUES, after: null },
      });
      found.push(...facts.filter(({ row }) => row.provenance.source_type === 'capture'));
    }
  return found;
}
