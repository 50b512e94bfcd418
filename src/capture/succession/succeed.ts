/** A statement that is new to the judge can take the place of one that no slot ties it to. */
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Judgement } from '../5-judge.ts';
import type { Said } from '../compare/likeness.ts';
import { opposition } from '../compare/opposed.ts';
import { isCountry } from '../slots/countries.ts';
import type { Slot } from '../slots/slot.ts';
import type { Candidate, FactCandidate, KnownFact } from '../state.ts';
import { isApartInSlot } from './apart.ts';
import { isConditionOf } from './condition.ts';
import { newClause } from './new-clause.ts';
import { predecessorOf } from './takes-place.ts';
import type { Topics } from './topics.ts';

const SUCCEEDS = 'takes_its_place';

interface Succeeding {
  readonly facts: readonly KnownFact[];
  /** Slots that the turn fills by what else it says. */
  readonly taken: ReadonlySet<string> | undefined;
  readonly topics: Topics;
}
/** What no slot ties to a fact can take its place all the same. */
export function succession(
  candidate: FactCandidate,
  judgement: Judgement,
  { facts, taken, topics }: Succeeding,
): Judgement {
  const { slot, valid_from } = candidate;
  if (candidate.isBeside || judgement.operation !== 'ADD' || slot?.isBeside || slot?.isEnd)
    return judgement;
  // What is said in one breath stands side by side.
  const earlier = facts.filter(
    (fact) => fact.valid_from < valid_from && !taken?.has(String(fact.metadata[SLOT])),
  );
  const of = predecessorOf(candidate, earlier, topics);
  // A guess takes nothing back: what was true stays true for its time.
  if (of === null || opposition(candidate, of) === 'beside' || isHowItIs(candidate, of))
    return judgement;
  return { operation: 'UPDATE', of, cause: 'change', why: SUCCEEDS };
}

/** `My bank is closed now` after `my bank is Acme`: how it is, and no other name of it. */
function isHowItIs({ content, slot }: FactCandidate, { metadata, content: before }: KnownFact) {
  const { [SLOT]: name, [SLOT_VALUE]: value } = metadata;
  if (slot !== null || typeof name !== 'string' || typeof value !== 'string') return false;
  const [, noun = '', how = ''] = HOW_IT_IS.exec(content) ?? [];
  const at = before.toLowerCase().indexOf(value);
  return noun.split(' ').at(-1) === name.split(' ').at(-1) && NAMED.test(before.slice(at))
    ? !NAMED_OR_COUNTED.test(how) && !OVER.test(how)
    : false;
}
const HOW_IT_IS = /^.{1,60}?['’]s? ((?:\p{L}+ ){0,2}\p{L}+) (?:is|are) (?!no longer |not )(.+)$/u;
const NAMED = /^\p{Lu}/u;
/** `My car is gone now`. */
const OVER = /^(?:gone|sold|dead|stolen|scrapped|history|over|finished)\b/u;
const NAMED_OR_COUNTED = /(?:^| )[\p{Lu}\d]/u;

/**
 * Without the slot, where all that is known of it is of another thing, so that neither the judge
 * nor the ledger ends that.
 */
export function besideOthers(candidate: FactCandidate, facts: readonly KnownFact[]): FactCandidate {
  const { slot, subject, isCorrection } = candidate;
  if (slot === null || isCorrection || slot.isBeside) return candidate;
  const content = candidate.whole ?? candidate.content;
  const said = { content, subject };
  const held = facts.filter(
    (fact) => fact.subject === subject && fact.metadata[SLOT] === slot.name,
  );
  const isApart = held.every(
    (fact) =>
      isApartInSlot(said, fact, slot.value) ||
      (!slot.isEnd && isConditionOf(said, fact)) ||
      isOtherVehicle(slot, said, fact) ||
      isOtherService(slot, said, fact),
  );
  const isWhere = held.every((fact) => isCountryOf(slot, fact));
  return held.length > 0 && (isApart || isWhere)
    ? { ...candidate, content, slot: null }
    : candidate;
}

/** `I drive a tractor` after `I drive a Skoda`: of another kind, which ends nothing. */
const isOtherVehicle = ({ name, isChange, isEnd }: Slot, said: Said, before: Said): boolean =>
  name === 'car' && !isChange && !isEnd && [said, before].some(({ content }) => KIND.test(content));
const KIND = /\bdrives an? [\p{Ll} -]{1,40}[.!]*$/u;

/** `I downgraded to the free plan at GitHub` after `I'm on the Spotify plan`. */
function isOtherService({ name }: Slot, said: Said, before: Said): boolean {
  if (name !== 'plan') return false;
  const [of, was] = [said, before].map(({ content }) => SERVICE.exec(content)?.[1]?.toLowerCase());
  return of !== undefined && of !== was && !before.content.toLowerCase().includes(of);
}
const SERVICE = /\b(?:plan|tier|subscription) (?:at|with|of|from|for|on) (\p{Lu}[\p{L}\p{N}]+)/u;

/** `I live in Italy` after `I live in Rome` says where that is, or it may. */
const isCountryOf = ({ name, value, isChange }: Slot, { metadata }: KnownFact): boolean =>
  name === 'home' &&
  isChange !== true &&
  isCountry(value) &&
  !isCountry(String(metadata[SLOT_VALUE]));

export const told = (candidate: FactCandidate, judgement: Judgement): FactCandidate =>
  judgement.operation === 'UPDATE' && judgement.why === SUCCEEDS
    ? {
        ...candidate,
        content: newClause(candidate.content, judgement.of, candidate.subject),
      }
    : candidate;

/** The slots that each turn fills: `Carla moved away, our new babysitter is Jodie`. */
export function slotsByTurn(
  placed: readonly { readonly candidate: Candidate }[],
): ReadonlyMap<Uuid, ReadonlySet<string>> {
  const slots = new Map<Uuid, Set<string>>();
  for (const { candidate } of placed) {
    if (candidate.kind === 'typed' || candidate.slot === null) continue;
    const of = slots.get(candidate.source_uuid) ?? new Set();
    slots.set(candidate.source_uuid, of.add(candidate.slot.name));
  }
  return slots;
}
