/**
 * `Please forget that I have diabetes`, where another conversation said it: what was captured of
 * that statement, in the scope that it is written to, is undone. It is found by the words that
 * capture makes of it; what somebody wrote by hand stays.
 */
import type { Authority } from '../cxri/authority.ts';
import type { BlockRow } from '../model/block.ts';
import { captureKey } from '../model/capture-key.ts';
import { isOfCapture } from '../model/fact-slot.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { headOf, type Position } from '../model/validity.ts';
import type { GateSettings } from './1-gate.ts';
import { type ExtractSettings, extractCandidates } from './2-extract.ts';
import { type ForgetRequest, readablePieces } from './forget-requests.ts';
import { plainWords } from './forget-words.ts';
import type { Prepared } from './prepare.ts';
import { FIRST_ORDINAL, placeOf, type Retracting } from './retract.ts';
import type { FactCandidate, PlannedRetraction } from './state.ts';

/** A statement that a turn asks to forget, as capture would state it. */
export interface NamedRequest {
  readonly turn: BlockRow;
  /** Where the sentence begins that asks. */
  readonly at: number;
  readonly fact: FactCandidate;
}

/** What the requests name. */
export const namedIn = (
  requests: readonly ForgetRequest[],
  gating: GateSettings,
  extracting: ExtractSettings,
): readonly NamedRequest[] =>
  requests.flatMap(({ turn, named }) =>
    [...named.statements].flatMap(([statement, at]) => {
      const content = `${statement.charAt(0).toUpperCase()}${statement.slice(1)}.`;
      const pieces = readablePieces({ ...turn, content }, gating);
      const { going } = extractCandidates(pieces, extracting, []);
      return going.flatMap((fact) => (fact.kind === 'fact' ? [{ turn, at, fact }] : []));
    }),
  );

/** Behind those of what the conversation itself said. */
const AFTER_OWN = 500;
const MOST_ALIKE = 8;

export interface PlanningNamed extends Omit<Retracting, 'authority' | 'prepared'> {
  readonly prepared: Pick<Prepared, 'grant' | 'of' | 'writing' | 'targetOf'>;
  readonly authority: Pick<Authority, 'factsAlike' | 'factOrigins'>;
  readonly position: Position;
  readonly now: Instant;
  /** What goes already. */
  readonly gone: ReadonlySet<Uuid>;
}

/** Each with the version that goes. */
export async function planNamed(
  requests: readonly NamedRequest[],
  by: PlanningNamed,
): Promise<readonly (PlannedRetraction & { readonly version: Uuid })[]> {
  const planned: (PlannedRetraction & { readonly version: Uuid })[] = [];
  for (const [index, { turn, at, fact }] of requests.entries()) {
    const { of, writing, targetOf } = by.prepared;
    const scope = targetOf(fact.class);
    const found = await knownAs(fact, scope, by);
    const isGone = found && planned.some(({ version }) => version === found.uuid);
    if (!found || isGone || by.gone.has(found.uuid)) continue;
    const isDirect = writing.isAutonomous && by.vouches(turn, scope, true);
    const ordinal = FIRST_ORDINAL + AFTER_OWN + index;
    planned.push({
      ...placeOf(turn, at, by.settled),
      ...{ class: fact.class, scope, isDirect },
      key: captureKey({ consumer: of.consumer, source: turn.uuid, ordinal }),
      what: { kind: 'stored', target: found.operation },
      version: found.uuid,
    });
  }
  return planned;
}

/** What capture wrote of that statement, and the operation that wrote it. */
async function knownAs(
  { content, subject }: FactCandidate,
  scope: Uuid,
  { prepared: { grant }, authority, position, now }: PlanningNamed,
): Promise<{ readonly uuid: Uuid; readonly operation: Uuid } | null> {
  const head = headOf(position, scope) ?? 0;
  if (head === 0) return null;
  const [alike = []] = await authority.factsAlike(grant.tenant, {
    ...{ scope, head, valid_at: now, space: null, least: 1, limit: MOST_ALIKE, most_slots: 1 },
    texts: [{ text: content, vector: null, slot: null }],
  });
  const words = plainWords(content);
  const found = alike.find(
    ({ row }) => isOfCapture(row) && row.subject === subject && plainWords(row.content) === words,
  );
  if (!found) return null;
  const { uuid } = found.row;
  const origins = await authority.factOrigins(grant.tenant, { uuids: [uuid], readable: [scope] });
  const operation = origins.get(uuid)?.operation_id ?? null;
  return operation === null ? null : { uuid, operation };
}
