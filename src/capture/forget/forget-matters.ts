/**
 * `Forget what I said about Bern`: what capture wrote of it, in whatever conversation it was said,
 * is undone. What somebody wrote by hand stays.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { AnyRow, BlockRow } from '../../model/block.ts';
import { MEMORY_CLASSES } from '../../model/capture.ts';
import { captureKey } from '../../model/capture-key.ts';
import type { AnyFact } from '../../model/fact-record.ts';
import { isCapturedValue, isOfCapture } from '../../model/fact-slot.ts';
import type { Uuid } from '../../model/ids.ts';
import { headOf } from '../../model/validity.ts';
import { speakerName } from '../compare/said-before.ts';
import type { Prepared } from '../prepare.ts';
import type { PlannedRetraction } from '../state.ts';
import { spokenName } from '../voices/speaker.ts';
import { speakerKey } from '../voices/spellings.ts';
import { isOfMatter, type Matter, matterOf } from './forget-about.ts';
import type { PlanningNamed } from './forget-known.ts';
import type { ForgetRequest, Wanted } from './forget-requests.ts';
import { classOf } from './forget-topics.ts';
import { isOfCaptureAlone, type OutOfRoot, planOutOfRoot } from './out-of-root.ts';
import { isOfKindByName } from './owned-kinds.ts';
import { FIRST_ORDINAL, placeOf } from './retract.ts';
import { believed, believedOf } from './still-known.ts';

/** Behind those that name slots. */
const AFTER_TOPICS = 3000;

export interface PlanningMatters
  extends Pick<PlanningNamed, 'vouches' | 'settled' | 'position' | 'now'> {
  readonly prepared: Pick<Prepared, 'grant' | 'of' | 'writing' | 'targetOf' | 'scopes' | 'idOf'>;
  readonly authority: Pick<Authority, 'factOrigins' | 'listFacts' | 'readUndo'>;
  /** Operations that are undone already. */
  readonly undone: ReadonlySet<Uuid>;
}

export interface PlannedMatters {
  readonly retractions: readonly PlannedRetraction[];
  /** Versions that go at once: what is said again is news. */
  readonly gone: ReadonlySet<Uuid>;
  /** What becomes of them is planned, and what wrote them: nothing is to be undone beside. */
  readonly roots: ReadonlySet<Uuid>;
  readonly operations: ReadonlySet<Uuid>;
}

/** All that holds a matter, for `planMatters`. */
export const wantedIn = (requests: readonly ForgetRequest[]): readonly Wanted[] =>
  requests.flatMap(({ turn, named }) =>
    [...named.matters].flatMap(([asked, at]) => {
      const matter = matterOf(asked);
      if (matter === null) return [];
      return [{ turn, at, goes: (fact) => isOf(fact, matter, turn.author) }];
    }),
  );

/** All of it, what held before included. */
export async function planMatters(
  wanted: readonly Wanted[],
  by: PlanningMatters,
): Promise<PlannedMatters> {
  const retractions: PlannedRetraction[] = [];
  const gone = new Set<Uuid>();
  const roots = new Set<Uuid>();
  const operations = new Set<Uuid>();
  const { of, writing, targetOf, grant } = by.prepared;
  const targets = new Set(MEMORY_CLASSES.map((memory) => targetOf(memory)));
  for (const { turn, at, goes } of wanted)
    for (const scope of targets) {
      if ((headOf(by.position, scope) ?? 0) === 0) continue;
      const reading = { authority: by.authority, grant, now: by.now };
      const known = await believedOf(speakerName(turn), { scope }, reading);
      const isDirect = writing.isAutonomous && by.vouches(turn, scope, true);
      for (const [root, first] of rootsOf(known.filter(goes))) {
        if (roots.has(root)) continue;
        roots.add(root);
        const ordinal = FIRST_ORDINAL + AFTER_TOPICS + retractions.length;
        const keyOf = (index: number): string =>
          captureKey({ consumer: of.consumer, source: turn.uuid, ordinal: ordinal + index });
        const versions = await believed({}, { scope, root }, reading);
        const common = { ...placeOf(turn, at, by.settled), scope, isDirect };
        const asking = { versions, goes, keyOf, at: turn.occurred_at };
        const { whats, targets: written } = await planRoot(asking, by);
        for (const id of written) operations.add(id);
        for (const [index, what] of whats.entries())
          retractions.push({ ...common, class: classOf(first), key: keyOf(index), what });
        if (isDirect) for (const { row } of versions) gone.add(row.uuid);
      }
    }
  return { retractions, gone, roots, operations };
}

interface PlannedRoot {
  readonly whats: readonly PlannedRetraction['what'][];
  /** What wrote the versions that go. */
  readonly targets: readonly Uuid[];
}

/** One operation where an undo leaves nothing of the matter, else the root without it. */
async function planRoot(asked: OutOfRoot, by: PlanningMatters): Promise<PlannedRoot> {
  const { versions, goes } = asked;
  const going = versions.filter(goes).toSorted((a, b) => b.row.recorded_seq - a.row.recorded_seq);
  const { tenant, scopes } = by.prepared.grant;
  const uuids = going.map(({ row }) => row.uuid);
  const readable = [...new Set(going.map(({ row }) => row.scope_uuid))];
  const origins = await by.authority.factOrigins(tenant, { uuids, readable });
  const targets = [...new Set(uuids.flatMap((uuid) => origins.get(uuid)?.operation_id ?? []))];
  if (targets.some((target) => by.undone.has(target))) return { whats: [], targets };
  const stored = targets.map((target) => ({ kind: 'stored', target }) as const);
  // What somebody wrote by hand in it stays, and what they built on with it.
  if (!isOfCaptureAlone(versions)) return { whats: stored, targets };
  const [target] = targets;
  const undo = target ? await by.authority.readUndo(tenant, target, scopes) : null;
  const isUndone =
    going.length === 1 &&
    undo?.built_on.length === 0 &&
    !undo.effects.some(({ entry, is }) => is && isFactOf(entry, goes));
  if (isUndone) return { whats: stored, targets };
  const what = await planOutOfRoot(asked, by);
  return { whats: what === null ? [] : [what], targets };
}

const rootsOf = (facts: readonly AnyFact[]): ReadonlyMap<Uuid, AnyFact> =>
  new Map(facts.map((each) => [each.row.root_uuid, each]));

const isFactOf = (entry: AnyRow, goes: OutOfRoot['goes']): boolean =>
  (entry.table === 'memory_open_set' || entry.table === 'memory_schema_typed') && goes(entry);

/** Whether a turn that asks to forget names a matter that a row holds. */
export const holdsMatter = (
  entry: AnyRow,
  turn: BlockRow,
  requests: readonly ForgetRequest[],
): boolean =>
  requests.some(
    (each) =>
      each.turn.uuid === turn.uuid &&
      [...each.named.matters.keys()].some((asked) => {
        const matter = matterOf(asked);
        return matter !== null && isFactOf(entry, (fact) => isOf(fact, matter, turn.author));
      }),
  );

/** What capture made of it; of a value its property says a word as well. */
function isOf(fact: AnyFact, matter: Matter, author: string | null): boolean {
  const { subject } = fact.row;
  // It is written as the speaker was known by then.
  const name = spokenName(speakerKey(subject) === speakerKey(author) ? subject : author);
  if (fact.table === 'memory_open_set')
    return isOfCapture(fact.row) && isOfMatter(matter, fact.row.content, name);
  const { property, value } = fact.row;
  const text = `${property.replaceAll('_', ' ')} ${String(value)}`;
  const said = matter.of === 'all' ? text : `${name} ${String(value)}`;
  const isNamed = matter.kind !== undefined && isOfKindByName(matter.kind, property);
  return isCapturedValue(fact.row) && (isNamed || isOfMatter(matter, said, name));
}
