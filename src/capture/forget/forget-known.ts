/**
 * `Please forget that I have diabetes`, and `Forget I said that`, where another conversation said
 * it: what was captured of that statement, in the scope that it is written to, is undone. It is
 * found by the words that capture makes of it, by its slot and value, or as the value of a
 * property; what somebody wrote by hand stays.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { AlikeFact } from '../../cxri/ports/facts.ts';
import { isSameJson } from '../../ledger/same-content.ts';
import type { BlockRow, FactRow, TypedRow } from '../../model/block.ts';
import { captureKey } from '../../model/capture-key.ts';
import { isCapturedValue, isOfCapture, SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import { headOf, type Position } from '../../model/validity.ts';
import type { GateSettings } from '../1-gate.ts';
import { type ExtractSettings, extractCandidates } from '../2-extract.ts';
import type { Prepared } from '../prepare.ts';
import type {
  Candidate,
  FactCandidate,
  PlannedRetraction,
  TypedCandidate,
  TypedClaim,
} from '../state.ts';
import { speakerKey, spellingsOf } from '../voices/spellings.ts';
import {
  type ForgetRequest,
  isWhole,
  readablePieces,
  type TakenBack,
  type Wanted,
} from './forget-requests.ts';
import { plainWords } from './forget-words.ts';
import { FIRST_ORDINAL, placeOf, type Retracting } from './retract.ts';

/** A statement that a turn asks to forget, as capture would state it. */
export interface NamedRequest {
  readonly turn: BlockRow;
  /** Where the sentence begins that asks. */
  readonly at: number;
  readonly candidate: Candidate;
}

interface Reading {
  readonly gating: GateSettings;
  readonly extracting: ExtractSettings;
}

/** What the requests name. */
export const namedIn = (
  requests: readonly ForgetRequest[],
  reading: Reading,
): readonly NamedRequest[] =>
  requests.flatMap(({ turn, named }) =>
    [...named.statements].flatMap(([statement, at]) => {
      const content = `${statement.charAt(0).toUpperCase()}${statement.slice(1)}.`;
      return statedIn({ ...turn, content }, reading).map((candidate) => ({ turn, at, candidate }));
    }),
  );

/**
 * What the turns say of their speakers that are taken back whole: another conversation may have
 * said it before, so that nothing was stored of these.
 */
export const restatedIn = (
  takenBack: ReadonlyMap<Uuid, TakenBack>,
  turns: readonly BlockRow[],
  reading: Reading,
): readonly NamedRequest[] =>
  turns.flatMap((said) => {
    const request = takenBack.get(said.uuid);
    if (!request || !isWhole(request)) return [];
    const { by: turn, at } = request;
    const own = statedIn(said, reading).filter(({ isDirect }) => isDirect);
    return own.map((candidate) => ({ turn, at, candidate }));
  });

const statedIn = (turn: BlockRow, { gating, extracting }: Reading): readonly Candidate[] =>
  extractCandidates(readablePieces(turn, gating), extracting, []).going.filter(
    (each) => !(each.kind === 'typed' ? each.typed.isEnd : each.ends),
  );

/** The same as what goes, of whatever time. */
export const wantedAs = ({ turn, at, candidate }: NamedRequest): Wanted => ({
  ...{ turn, at },
  goes: ({ table, row }) =>
    table === 'memory_open_set'
      ? candidate.kind === 'fact' && isOfCapture(row) && isSaidAs(candidate, row)
      : candidate.kind === 'typed' && isCapturedValue(row) && isValueOf(candidate.typed, row),
});

/** In these words, or as the same value of its slot, where that is all that is said. */
const isSaidAs = ({ content: text, slot }: FactCandidate, { metadata, content }: FactRow) =>
  plainWords(content) === plainWords(text) ||
  (slot !== null &&
    metadata[SLOT] === slot.name &&
    metadata[SLOT_VALUE] === slot.value &&
    !saysMore(content, slot.value));

/** `I live in Rome with two cats`: to forget the home would lose the cats. */
function saysMore(content: string, value: string): boolean {
  const words = plainWords(content);
  const at = words.indexOf(plainWords(value));
  return at !== -1 && MORE.test(words.slice(at + plainWords(value).length));
}
const MORE = /^(?: \S+){0,6}? (?:with|and|but|where|who|whose|because|while|although|though) \S/u;

const isValueOf = ({ collection, property, value }: TypedClaim, row: TypedRow): boolean =>
  row.collection === collection && row.property === property && isSameJson(row.value, value);

/** Behind those of what the conversation itself said. */
const AFTER_OWN = 500;
const MOST_ALIKE = 8;
const MOST_VALUES = 100;

export interface PlanningNamed extends Pick<Retracting, 'vouches' | 'settled'> {
  readonly prepared: Pick<Prepared, 'grant' | 'of' | 'writing' | 'targetOf'>;
  readonly authority: Pick<Authority, 'factsAlike' | 'factOrigins' | 'listFacts'>;
  readonly position: Position;
  readonly now: Instant;
  /** Versions that go already. */
  readonly gone: ReadonlySet<Uuid>;
  /** Operations that are undone already. */
  readonly undone: ReadonlySet<Uuid>;
}

/** Each with the version that goes. */
export async function planNamed(
  requests: readonly NamedRequest[],
  by: PlanningNamed,
): Promise<readonly (PlannedRetraction & { readonly version: Uuid })[]> {
  const planned: (PlannedRetraction & { readonly version: Uuid })[] = [];
  for (const [index, { turn, at, candidate }] of requests.entries()) {
    const { of, writing, targetOf } = by.prepared;
    const scope = targetOf(candidate.class);
    const found = await knownAs(candidate, scope, by);
    const isGone = found && planned.some(({ version }) => version === found.uuid);
    if (!found || isGone || by.gone.has(found.uuid) || by.undone.has(found.operation)) continue;
    const isDirect = writing.isAutonomous && by.vouches(turn, scope, true);
    const ordinal = FIRST_ORDINAL + AFTER_OWN + index;
    planned.push({
      ...placeOf(turn, at, by.settled),
      ...{ class: candidate.class, scope, isDirect },
      key: captureKey({ consumer: of.consumer, source: turn.uuid, ordinal }),
      what: { kind: 'stored', target: found.operation },
      version: found.uuid,
    });
  }
  return planned;
}

/** What capture wrote of that statement, and the operation that wrote it. */
async function knownAs(
  candidate: Candidate,
  scope: Uuid,
  by: PlanningNamed,
): Promise<{ readonly uuid: Uuid; readonly operation: Uuid } | null> {
  const head = headOf(by.position, scope) ?? 0;
  if (head === 0) return null;
  const uuid =
    candidate.kind === 'fact'
      ? await factOf(candidate, { scope, head }, by)
      : await typedValueOf(candidate, scope, by);
  if (uuid === null) return null;
  const { authority, prepared } = by;
  const asked = { uuids: [uuid], readable: [scope] };
  const origins = await authority.factOrigins(prepared.grant.tenant, asked);
  const operation = origins.get(uuid)?.operation_id ?? null;
  return operation === null ? null : { uuid, operation };
}

async function factOf(
  candidate: FactCandidate,
  at: { readonly scope: Uuid; readonly head: number },
  { prepared: { grant }, authority, now }: PlanningNamed,
): Promise<Uuid | null> {
  const { content: text, subject, slot } = candidate;
  const has = slot && { [SLOT]: slot.name, [SLOT_VALUE]: slot.value };
  const alike = await authority.factsAlike(grant.tenant, {
    ...{ ...at, valid_at: now, space: null, least: 1, limit: MOST_ALIKE, most_slots: 1 },
    texts: spellingsOf(subject).map((spelling) => ({
      text: text.startsWith(subject) ? spelling + text.slice(subject.length) : text,
      vector: null,
      slot: has && { subject: spelling, has },
    })),
  });
  const isSaid = ({ row }: AlikeFact): boolean =>
    isOfCapture(row) && speakerKey(row.subject) === speakerKey(subject) && isSaidAs(candidate, row);
  const found = alike.flat().find(isSaid);
  return found?.row.uuid ?? null;
}

async function typedValueOf(
  { subject, typed: { collection, property, value } }: TypedCandidate,
  scope: Uuid,
  { prepared: { grant }, authority, now }: PlanningNamed,
): Promise<Uuid | null> {
  for (const spelling of spellingsOf(subject)) {
    const { facts } = await authority.listFacts(grant.tenant, {
      ...{ scopes: [scope], readable: [scope], state: 'current', at: now },
      filter: { subject: spelling, collection, property },
      ...{ limit: MOST_VALUES, after: null },
    });
    const found = facts.find(
      ({ table, row }) =>
        table === 'memory_schema_typed' && isCapturedValue(row) && isSameJson(row.value, value),
    );
    if (found) return found.row.uuid;
  }
  return null;
}
