/**
 * What a write does to the believed versions of a root, by subtracting intervals. The authority's
 * algorithm is `src/ledger/placing.ts`; this one shares nothing with it, so that the two can
 * disagree (test/property/timeline.test.ts, test/property/agreement.test.ts).
 */
import type { Cause, Versioned } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';

type Version = Pick<Versioned, 'uuid' | 'root_uuid' | 'valid_from' | 'valid_until'>;

/** [from, until); null = for ever. */
interface Span {
  readonly from: Instant;
  readonly until: Instant | null;
}

/** What becomes of the rows; `new` is the version of the write, `recut` a shorter copy. */
export interface Placed {
  readonly close: readonly {
    readonly uuid: Uuid;
    readonly valid_until: Instant;
    readonly superseded_by: Uuid | null;
  }[];
  readonly retire: readonly {
    readonly uuid: Uuid;
    readonly cause: Cause;
    readonly superseded_by: Uuid | null;
  }[];
  readonly append: readonly (Appended & {
    readonly valid_from: Instant;
    readonly valid_until: Instant | null;
  })[];
}
type Appended = { readonly kind: 'new' } | { readonly kind: 'recut'; readonly copy_of: Uuid };

interface Writer {
  /** The version that takes the place; null = none does. */
  readonly by: Uuid | null;
  readonly cause: Cause;
}

const spanOf = ({ valid_from: from, valid_until: until }: Version): Span => ({ from, until });
const isBefore = (at: Instant, end: Instant | null): boolean => end === null || at < end;
const meet = (a: Span, b: Span): boolean => isBefore(a.from, b.until) && isBefore(b.from, a.until);
const holds = (span: Span, at: Instant): boolean => span.from <= at && isBefore(at, span.until);

/** What is left of a span without a hole: nothing, one piece or two. */
function without(span: Span, hole: Span): readonly Span[] {
  if (!meet(span, hole)) return [span];
  const head = span.from < hole.from ? [{ from: span.from, until: hole.from }] : [];
  const tail =
    hole.until !== null && isBefore(hole.until, span.until)
      ? [{ from: hole.until, until: span.until }]
      : [];
  return [...head, ...tail];
}

const inOrder = <V extends Version>(versions: readonly V[]): readonly V[] =>
  [...versions].sort(
    (a, b) => Number(a.valid_from > b.valid_from) - Number(a.valid_from < b.valid_from),
  );

/**
 * An end that is not known yet is set; any other loss retires the row, and its pieces come as
 * copies.
 */
function giveWay(versions: readonly Version[], hole: Span, { by, cause }: Writer): Placed {
  const touched = inOrder(versions).filter((version) => meet(spanOf(version), hole));
  const losses = touched.map((version) => {
    const pieces = without(spanOf(version), hole);
    const head = pieces.find(({ from }) => from === version.valid_from);
    const closedAt = version.valid_until === null ? (head?.until ?? null) : null;
    return { version, pieces, closedAt };
  });
  return {
    close: losses.flatMap(({ version: { uuid }, closedAt }) =>
      closedAt === null ? [] : [{ uuid, valid_until: closedAt, superseded_by: by }],
    ),
    retire: losses.flatMap(({ version: { uuid }, pieces, closedAt }) =>
      closedAt === null
        ? [{ uuid, cause: pieces.length > 0 ? cause : 'correction', superseded_by: by }]
        : [],
    ),
    append: losses.flatMap(({ version, pieces, closedAt }) =>
      pieces
        .filter(({ from }) => closedAt === null || from !== version.valid_from)
        .map((piece) => ({
          kind: 'recut' as const,
          copy_of: version.uuid,
          valid_from: piece.from,
          valid_until: piece.until,
        })),
    ),
  };
}

const withNew = (placed: Placed, { from, until }: Span): Placed => ({
  ...placed,
  append: [{ kind: 'new', valid_from: from, valid_until: until }, ...placed.append],
});

export interface Change {
  readonly uuid: Uuid;
  readonly from: Instant;
  /** null = up to the next known start. */
  readonly until: Instant | null;
  readonly cause: Extract<Cause, 'change' | 'merge'>;
  /** When versions that say something else were said again. */
  readonly othersAgain?: readonly (readonly [Uuid, Instant])[];
}

/** The time that a write speaks of. */
function spokenOf(versions: readonly Version[], { from, until, othersAgain = [] }: Change): Span {
  if (until !== null) return { from, until };
  const again = othersAgain.filter(([uuid, at]) =>
    versions.some((version) => version.uuid === uuid && holds(spanOf(version), at)),
  );
  const ends = [...versions.map((version) => version.valid_from), ...again.map(([, at]) => at)];
  return { from, until: ends.filter((at) => at > from).sort()[0] ?? null };
}

export function changed(versions: readonly Version[], change: Change): Placed {
  const spoken = spokenOf(versions, change);
  return withNew(giveWay(versions, spoken, { by: change.uuid, cause: change.cause }), spoken);
}

/** null = no version holds the instant. */
export function corrected(
  versions: readonly Version[],
  at: Instant,
  { uuid, until }: { readonly uuid: Uuid; readonly until: Instant | null },
): Placed | null {
  const wrong = versions.find((version) => holds(spanOf(version), at));
  if (!wrong) return null;
  const spoken = { from: wrong.valid_from, until: until ?? wrong.valid_until };
  const others = versions.filter((version) => version !== wrong);
  const placed = withNew(giveWay(others, spoken, { by: uuid, cause: 'change' }), spoken);
  const retired = { uuid: wrong.uuid, cause: 'correction', superseded_by: uuid } as const;
  return { ...placed, retire: [retired, ...placed.retire] };
}

/** A change ends what is from then on; any other cause retires every version. */
export function deleted(versions: readonly Version[], cause: Cause, at: Instant): Placed {
  if (cause === 'change') return giveWay(versions, { from: at, until: null }, { by: null, cause });
  return {
    close: [],
    retire: inOrder(versions).map(({ uuid }) => ({ uuid, cause, superseded_by: null })),
    append: [],
  };
}

export interface ValueQuestion {
  readonly cardinality: 'one' | 'many';
  readonly isSame: (version: Version) => boolean;
}
/**
 * Either the version that says it already, or what becomes of the key; `root` null = a new member.
 */
export type ValueAnswer =
  | { readonly said: Uuid }
  | { readonly said: null; readonly root: Uuid | null; readonly placed: Placed };

export function valued(
  versions: readonly Version[],
  change: Change,
  { cardinality, isSame }: ValueQuestion,
): ValueAnswer {
  const peers = cardinality === 'one' ? versions : versionsOfMember(versions, change, isSame);
  const spoken = spokenOf(peers, change);
  const said = inOrder(peers).find(
    (version) => isSame(version) && without(spoken, spanOf(version)).length === 0,
  );
  if (said) return { said: said.uuid };
  const root = inOrder(peers)[0]?.root_uuid ?? null;
  return { said: null, root, placed: changed(peers, change) };
}

/** Of a key that holds many: the lowest root that says the same in that time, and nothing else. */
function versionsOfMember(
  versions: readonly Version[],
  { from, until }: Change,
  isSame: ValueQuestion['isSame'],
): readonly Version[] {
  const members = new Map<Uuid, Version[]>();
  for (const version of versions)
    members.set(version.root_uuid, [...(members.get(version.root_uuid) ?? []), version]);
  const [root] = [...members]
    .filter(([, all]) => {
      const inTime = all.filter((version) => meet(spanOf(version), { from, until }));
      return inTime.length > 0 && inTime.every(isSame);
    })
    .map(([uuid]) => uuid)
    .sort();
  return root === undefined ? [] : (members.get(root) ?? []);
}
