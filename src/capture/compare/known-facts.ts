/** What is known in the scopes that a batch writes to: read once, and grown by what is planned. */
import { ContextEngineError } from '../../codes/errors.ts';
import type { Authority } from '../../cxri/authority.ts';
import type { Hit, QueryPart } from '../../cxri/contract.ts';
import type { AlikeAsked, AlikeFact } from '../../cxri/ports/facts.ts';
import type { Embedder } from '../../inference/embedder.ts';
import { spaceName } from '../../inference/embedder.ts';
import type { FactRow, TypedRow } from '../../model/block.ts';
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import { headOf, type Position } from '../../model/validity.ts';
import { searchText } from '../../text/search-text.ts';
import type { Likely } from '../4-near-duplicate.ts';
import type { FactCandidate, KnownFact, PlacedCandidate, TypedCandidate } from '../state.ts';
import { readTypedKnown, type TypedKnown } from '../typed/known-typed.ts';
import { lifeWords } from './life-ended.ts';
import { dot } from './likeness.ts';
import { wordsUsed } from './used-before.ts';

export interface KnownParts {
  readonly authority: Pick<Authority, 'query' | 'factsAlike'>;
  /** Cosine from which two statements may be one. */
  readonly nearDuplicate: number;
  readonly embedder: Embedder | null;
  readonly tenant: TenantId;
  /** Of the closure: what is written must be read first. */
  readonly position: Position;
  /** Versions that the batch itself takes back. */
  readonly gone: ReadonlySet<Uuid>;
  readonly now: Instant;
  readonly signal?: AbortSignal;
}

export interface KnownOf {
  /** The most alike first. */
  readonly likely: readonly Likely[];
  /** Facts of the same slot, the most important facts, and those alike. */
  readonly known: readonly KnownFact[];
}

export interface KnownFacts {
  of(candidate: FactCandidate, target: Uuid): KnownOf;
  /** The values that hold of the property of a typed candidate. */
  typed(candidate: TypedCandidate, target: Uuid): readonly TypedRow[];
  /** The most important of the scope, and what was found for candidates; null = none was read. */
  standing(target: Uuid): readonly KnownFact[] | null;
  /** A fact that is going to be written: later candidates of the batch meet it. */
  add(fact: KnownFact, candidate: FactCandidate): void;
  /** A root that gives way: the next of its slot follows `by`. */
  replace(root: Uuid, by: KnownFact | null, candidate: FactCandidate): void;
}

const LIKE_LIMIT = 8;
const SLOT_LIMIT = 4;
/** The contradiction check reads as many, by importance. */
const IMPORTANT_LIMIT = 50;
/** Texts that are looked for at once: one pass over the vectors of a scope serves them all. */
const PER_REQUEST = 128;
/** Below the threshold of near duplicates by so much, a fact is still worth a look at its words. */
const NEAR_MARGIN = 0.15;
/** With these the provider of the vectors is down, or refuses the key. */
const WITHOUT_VECTORS: readonly string[] = ['INFERENCE.UNAVAILABLE', 'INFERENCE.REFUSED'];

export async function readKnownFacts(
  placed: readonly PlacedCandidate[],
  parts: KnownParts,
): Promise<KnownFacts> {
  const facts = placed.flatMap(({ candidate, target }) =>
    candidate.kind === 'fact' ? [{ candidate, target }] : [],
  );
  const targets = [...new Set(facts.map(({ target }) => target))];
  const [vectors, important, corrected, typed] = await Promise.all([
    vectorsOf(
      facts.map(({ candidate }) => candidate),
      parts,
    ),
    importantFacts(targets, parts),
    correctedFacts(facts, parts),
    readTypedKnown(placed, (asked) => ask(asked, parts)),
  ]);
  const hits = new Map<FactCandidate, readonly AlikeFact[]>();
  const one = oneOfEach([...important.values()].flat());
  for (const scope of targets) {
    const here = facts.flatMap(({ candidate, target }) => (target === scope ? [candidate] : []));
    for (let start = 0; start < here.length; start += PER_REQUEST) {
      const page = here.slice(start, start + PER_REQUEST);
      const alike = await readAlike(page, { scope, vectors }, parts);
      for (const [index, candidate] of page.entries())
        hits.set(candidate, (alike[index] ?? []).map(one).toSorted(likeliestFirst));
    }
  }
  return grown({ hits, important, corrected, vectors, typed }, new Set(parts.gone));
}

/** A version that many candidates meet is one row, so that its words are read once. */
function oneOfEach(rows: readonly FactRow[]): (alike: AlikeFact) => AlikeFact {
  const known = new Map(rows.map((row) => [row.uuid, row]));
  return (alike) => {
    const row = known.get(alike.row.uuid) ?? alike.row;
    known.set(row.uuid, row);
    return { ...alike, row };
  };
}

async function readAlike(
  candidates: readonly FactCandidate[],
  { scope, vectors }: { readonly scope: Uuid; readonly vectors: Vectors },
  { authority, embedder, tenant, position, now, nearDuplicate, signal }: KnownParts,
): Promise<readonly (readonly AlikeFact[])[]> {
  const head = headOf(position, scope) ?? 0;
  if (head === 0) return [];
  const asked: AlikeAsked = {
    scope,
    head,
    valid_at: now,
    space: embedder && vectors.size > 0 ? spaceName(embedder.space) : null,
    least: nearDuplicate - NEAR_MARGIN,
    limit: LIKE_LIMIT,
    most_slots: SLOT_LIMIT,
    texts: candidates.map((candidate) => ({
      text: candidate.content,
      vector: vectors.get(candidate) ?? null,
      slot: candidate.slot && {
        subject: candidate.subject,
        has: candidate.slot.instead
          ? { [SLOT_VALUE]: candidate.slot.instead.was }
          : { [SLOT]: candidate.slot.name },
      },
    })),
    ...(signal && { signal }),
  };
  return authority.factsAlike(tenant, asked);
}

/** By both signals; what is only of the slot comes last, the latest first. */
const likeliestFirst = (a: AlikeFact, b: AlikeFact): number =>
  signalOf(b) - signalOf(a) ||
  inOrder(b.row.valid_from, a.row.valid_from) ||
  inOrder(a.row.uuid, b.row.uuid);
const signalOf = ({ dense, lexical }: AlikeFact): number => (dense ?? 0) + (lexical ?? 0);
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Vectors = ReadonlyMap<FactCandidate, readonly number[]>;

async function vectorsOf(
  candidates: readonly FactCandidate[],
  { embedder, tenant, signal }: KnownParts,
): Promise<Vectors> {
  if (!embedder || candidates.length === 0) return new Map();
  // As they are stored, so that what is compared with them is of one shape.
  const texts = candidates.map(({ content, subject, slot }) =>
    searchText({ content, subject, metadata: slot ? { [SLOT]: slot.name } : {} }),
  );
  const values = await embedder
    .embed(texts, { kind: 'document', tenant, ...(signal && { signal }) })
    .catch((error: unknown) => {
      // Without vectors only what is the same word for word is known again.
      if (error instanceof ContextEngineError && WITHOUT_VECTORS.includes(error.code)) return [];
      throw error;
    });
  return new Map(
    candidates.flatMap((candidate, index) => {
      const vector = values[index];
      return vector ? [[candidate, vector] as const] : [];
    }),
  );
}

async function importantFacts(
  targets: readonly Uuid[],
  parts: KnownParts,
): Promise<ReadonlyMap<Uuid, readonly FactRow[]>> {
  if (targets.length === 0) return new Map();
  const asked = targets.map(
    (target): QueryPart => ({
      id: target,
      table: 'memory_open_set',
      mode: 'list',
      scopes: [target],
      limit: IMPORTANT_LIMIT,
      order: { by: 'importance', direction: 'desc' },
    }),
  );
  const answered = await ask(asked, parts);
  return new Map(targets.map((target) => [target, factsOf(answered.get(target) ?? [])]));
}

/**
 * What a correction in few words speaks of, and what else may hold the word that it replaces; and
 * what the end of a part of a life may be of, which shares no word with it.
 */
async function correctedFacts(
  facts: readonly { readonly candidate: FactCandidate; readonly target: Uuid }[],
  parts: KnownParts,
): Promise<ReadonlyMap<FactCandidate, readonly FactRow[]>> {
  const correcting = facts.filter(
    ({ candidate }) =>
      candidate.corrects !== undefined ||
      candidate.ends?.kind === 'life' ||
      wordsUsed(candidate) !== null,
  );
  const asked = correcting.flatMap(({ candidate, target }, index) => {
    const { corrects, subject } = candidate;
    const of = { table: 'memory_open_set', scopes: [target], limit: MOST_HOLDING } as const;
    const { content = null, word = wordsToFind(candidate) } = corrects ?? {};
    const said: QueryPart = {
      ...{
        ...of,
        id: `${index}/said`,
        mode: 'list',
        order: { by: 'valid_from', direction: 'desc' },
      },
      filter: {
        and: [
          { field: 'subject', eq: subject },
          { field: 'content', eq: content ?? '' },
        ],
      },
    };
    const holding: QueryPart = {
      ...{ ...of, id: `${index}/word`, mode: 'search', text: word ?? '' },
      filter: { field: 'subject', eq: subject },
    };
    return [...(content === null ? [] : [said]), ...(word === null ? [] : [holding])];
  });
  const answered = await ask(asked, parts);
  return new Map(
    correcting.map(({ candidate }, index) => [
      candidate,
      ['said', 'word'].flatMap((kind) => factsOf(answered.get(`${index}/${kind}`) ?? [])),
    ]),
  );
}
const MOST_HOLDING = 16;
const wordsToFind = (candidate: FactCandidate): string | null =>
  candidate.ends?.kind === 'life' ? lifeWords(candidate.ends) : wordsUsed(candidate);

export async function ask(
  asked: readonly QueryPart[],
  {
    authority,
    tenant,
    position,
    now,
    signal,
  }: Pick<KnownParts, 'authority' | 'tenant' | 'position' | 'now' | 'signal'>,
): Promise<ReadonlyMap<string, readonly Hit[]>> {
  if (asked.length === 0) return new Map();
  const request = { tenant, position, valid_at: now, parts: asked, ...(signal && { signal }) };
  const { parts } = await authority.query(request);
  return new Map(
    parts.map((part) => {
      if (part.ok) return [part.id, part.hits] as const;
      // Deciding without them would store what is known already.
      throw new ContextEngineError(part.error.code, {
        message: part.error.message,
        fix: 'Capture again: nothing of this batch was written.',
      });
    }),
  );
}

const factsOf = (hits: readonly Hit[]): readonly FactRow[] =>
  hits.flatMap((hit) => (hit.table === 'memory_open_set' ? [hit.row] : []));

interface Read {
  readonly hits: ReadonlyMap<FactCandidate, readonly AlikeFact[]>;
  readonly important: ReadonlyMap<Uuid, readonly FactRow[]>;
  readonly corrected: ReadonlyMap<FactCandidate, readonly FactRow[]>;
  readonly vectors: Vectors;
  readonly typed: TypedKnown;
}

function grown({ hits, important, corrected, vectors, typed }: Read, gone: Set<Uuid>): KnownFacts {
  const planned: { readonly fact: KnownFact; readonly vector: readonly number[] | undefined }[] =
    [];
  const isThere = ({ uuid }: KnownFact): boolean => !gone.has(uuid);
  return {
    of: (candidate, target) => {
      const own = vectors.get(candidate);
      const here = planned.filter(({ fact }) => fact.scope_uuid === target && isThere(fact));
      const fresh = here.map(({ fact, vector }) => ({
        fact,
        cosine: own && vector ? dot(own, vector) : null,
      }));
      const found = hits.get(candidate) ?? [];
      const stored = found.flatMap(({ row, dense }) =>
        isThere(row) ? [{ fact: row, cosine: dense }] : [],
      );
      const likely = [...fresh, ...stored];
      const meant = corrected.get(candidate) ?? [];
      const others = [...meant, ...(important.get(target) ?? [])].filter(isThere);
      return { likely, known: unique([...likely.map(({ fact }) => fact), ...others]) };
    },
    standing: (target) => {
      const read = important.get(target);
      if (read === undefined) return null;
      const found = [...corrected.values()].flat();
      const all = [...planned.map(({ fact }) => fact), ...found, ...read];
      return all.filter((fact) => fact.scope_uuid === target && isThere(fact));
    },
    typed: (candidate, target) => typed(candidate, target).filter(({ uuid }) => !gone.has(uuid)),
    add: (fact, candidate) => void planned.unshift({ fact, vector: vectors.get(candidate) }),
    replace: (uuid, by, candidate) => {
      gone.add(uuid);
      if (by) planned.unshift({ fact: by, vector: vectors.get(candidate) });
    },
  };
}

const unique = (facts: readonly KnownFact[]): readonly KnownFact[] => [
  ...new Map(facts.map((fact) => [fact.uuid, fact])).values(),
];
