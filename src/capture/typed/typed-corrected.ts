/**
 * `Turin, not Rome.`, as a later talk begins, where an earlier one told `Rome` as the value of a
 * property: of which property, what is known tells. Where two that are known hold the old value,
 * nothing is corrected.
 */
import { isSameJson } from '../../ledger/same-content.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Collection, CollectionProperty } from '../../model/manifest.ts';
import type { KnownFacts } from '../compare/known-facts.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { correctedValue } from '../slots/slot.ts';
import {
  type Corrects,
  declinedAs,
  type FactCandidate,
  type PlacedCandidate,
  type Settled,
  type TypedCandidate,
  type TypedClaim,
} from '../state.ts';
import { readAs } from './typed-meant.ts';

interface Stated {
  readonly sentence: { readonly text: string };
  readonly today: number;
  readonly corrects?: Corrects;
}

/** Of each property that can have both values; none = it corrects what this talk told. */
export function claimsInstead(
  { sentence: { text }, today, corrects }: Stated,
  collections: readonly Collection[],
): readonly TypedClaim[] {
  if (!corrects?.word || corrects.content !== null) return [];
  return collections.flatMap(({ name: collection, properties }) =>
    Object.values(properties).flatMap((property) => {
      if (property.type === 'array' || property.cardinality === 'many') return [];
      const found = valuesIn(text, property, today);
      return found ? [{ collection, property: property.name, ...found }] : [];
    }),
  );
}

function valuesIn(
  text: string,
  property: CollectionProperty,
  today: number,
): Pick<TypedClaim, 'value' | 'was'> | null {
  const { said = '', not = null } = correctedValue(text, property.name) ?? {};
  if (not === null || /\d/.test(said) !== /\d/.test(not)) return null;
  const [value, was] = [said, not].map((each) => readAs(each, property, today));
  const isMeant = value !== null && value !== undefined && was !== null && was !== undefined;
  return isMeant && !isSame(value, was) ? { value, was } : null;
}

const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one.toLowerCase() === other.toLowerCase()
    : isSameJson(one, other);

interface Meant {
  readonly placed: readonly PlacedCandidate[];
  readonly settled: readonly Settled[];
}

/** Of the candidates of one correction, the one whose old value holds. */
export function withMeant(placed: readonly PlacedCandidate[], known: KnownFacts): Meant {
  if (!placed.some(isCorrecting)) return { placed, settled: [] };
  const spans = new Set(placed.filter(isCorrecting).map(spanOf));
  const settled: Settled[] = [];
  const left = [...spans].map((span): readonly [string, readonly PlacedCandidate[]] => {
    const own = placed.filter((each) => spanOf(each) === span);
    const found = meantIn(own, known);
    const [first] = own;
    if (found === null && first) settled.push(declinedAs(first.candidate, 'ambiguous'));
    return [span, found ?? []];
  });
  const of = new Map(left);
  const seen = new Set<string>();
  const all = placed.flatMap((each) => {
    const span = spanOf(each);
    const meant = of.get(span);
    if (meant === undefined) return [each];
    if (seen.has(span)) return [];
    seen.add(span);
    return meant;
  });
  return { placed: all, settled };
}

const isCorrecting = ({ candidate }: PlacedCandidate): boolean =>
  candidate.kind === 'typed' && candidate.typed.was !== undefined;
const spanOf = ({ candidate: { source_uuid, start } }: PlacedCandidate): string =>
  `${source_uuid}/${start}`;

/** null = two could be meant. */
function meantIn(
  own: readonly PlacedCandidate[],
  known: KnownFacts,
): readonly PlacedCandidate[] | null {
  const typed = own.flatMap(({ candidate, target }) =>
    candidate.kind === 'typed' ? heldAs({ candidate, target }, known) : [],
  );
  const rest = own.filter((each) => !isCorrecting(each));
  const [only, more] = typed;
  if (only === undefined) return rest;
  const isOfFact = rest.some(
    ({ candidate, target }) =>
      candidate.kind === 'fact' &&
      known.of(candidate, target).known.some((fact) => holds(fact, candidate)),
  );
  return more !== undefined || isOfFact ? null : [only];
}

const holds = (
  { content, subject }: { readonly content: string; readonly subject: string | null },
  { corrects, subject: speaker }: FactCandidate,
): boolean =>
  subject === speaker && ` ${wordsOf(content).join(' ')} `.includes(` ${corrects?.word ?? ''} `);

/** At the time of what it corrects: that was never so. */
function heldAs(
  { candidate, target }: { readonly candidate: TypedCandidate; readonly target: Uuid },
  known: KnownFacts,
): readonly PlacedCandidate[] {
  const { was } = candidate.typed;
  const row = known.typed(candidate, target).find(({ value }) => isSame(value, was));
  if (row === undefined) return [];
  return [{ candidate: { ...candidate, valid_from: row.valid_from }, target }];
}
