/**
 * `Forget what I said about Bern`: what capture wrote of it, in whatever conversation it was said,
 * is undone. What somebody wrote by hand stays.
 */
import type { Authority } from '../../cxri/authority.ts';
import { MEMORY_CLASSES } from '../../model/capture.ts';
import { captureKey } from '../../model/capture-key.ts';
import type { AnyFact } from '../../model/fact-record.ts';
import { isCapturedValue, isOfCapture } from '../../model/fact-slot.ts';
import type { Uuid } from '../../model/ids.ts';
import { headOf } from '../../model/validity.ts';
import { speakerName } from '../compare/said-before.ts';
import type { PlannedRetraction } from '../state.ts';
import { spokenName } from '../voices/speaker.ts';
import { isOfMatter, type Matter, matterOf } from './forget-about.ts';
import type { PlanningNamed } from './forget-known.ts';
import type { ForgetRequest } from './forget-requests.ts';
import { classOf } from './forget-topics.ts';
import { FIRST_ORDINAL, placeOf } from './retract.ts';
import { believed } from './still-known.ts';

/** Behind those that name slots. */
const AFTER_TOPICS = 3000;

type PlanningMatters = PlanningNamed & {
  readonly authority: Pick<Authority, 'factOrigins' | 'listFacts'>;
};

/** One for each operation, with the version that goes. */
export async function planMatters(
  requests: readonly ForgetRequest[],
  by: PlanningMatters,
): Promise<readonly (PlannedRetraction & { readonly version: Uuid })[]> {
  const planned: (PlannedRetraction & { readonly version: Uuid })[] = [];
  const undone = new Set(by.undone);
  const { of, writing, targetOf, grant } = by.prepared;
  const targets = new Set(MEMORY_CLASSES.map((memory) => targetOf(memory)));
  for (const { turn, named } of requests)
    for (const [asked, at] of named.matters)
      for (const scope of targets) {
        const matter = matterOf(asked);
        if (matter === null || (headOf(by.position, scope) ?? 0) === 0) continue;
        const subject = speakerName(turn);
        const reading = { authority: by.authority, grant, now: by.now };
        const known = (await believed({ subject }, { scope }, reading)).filter(
          (fact) => holdsNow(fact, by) && isOf(fact, matter, spokenName(turn.author)),
        );
        const uuids = known.map(({ row }) => row.uuid);
        const origins = await by.authority.factOrigins(grant.tenant, { uuids, readable: [scope] });
        const isDirect = writing.isAutonomous && by.vouches(turn, scope, true);
        for (const fact of known) {
          const target = origins.get(fact.row.uuid)?.operation_id ?? null;
          if (target === null || undone.has(target)) continue;
          undone.add(target);
          const ordinal = FIRST_ORDINAL + AFTER_TOPICS + planned.length;
          planned.push({
            ...placeOf(turn, at, by.settled),
            ...{ class: classOf(fact), scope, isDirect, version: fact.row.uuid },
            key: captureKey({ consumer: of.consumer, source: turn.uuid, ordinal }),
            what: { kind: 'stored', target },
          });
        }
      }
  return planned;
}

const holdsNow = ({ row }: AnyFact, { now, gone }: PlanningMatters): boolean =>
  !gone.has(row.uuid) && (row.valid_until === null || row.valid_until > now);

/** What capture made of it; of a value its property says a word as well. */
function isOf(fact: AnyFact, matter: Matter, name: string): boolean {
  if (fact.table === 'memory_open_set')
    return isOfCapture(fact.row) && isOfMatter(matter, fact.row.content, name);
  const { property, value } = fact.row;
  const text = `${property.replaceAll('_', ' ')} ${String(value)}`;
  const said = matter.of === 'all' ? text : `${name} ${String(value)}`;
  return isCapturedValue(fact.row) && isOfMatter(matter, said, name);
}
