/**
 * Where a write falls among the believed versions of one root (or of one typed key): which rows to
 * close, to retire, to append. Pure: the authority carries out what these functions say, and an
 * import is checked against them. The reference connector has an algorithm of its own, so that the
 * two can disagree.
 *
 * The rule is "the last writer wins at every instant it speaks of". A change that names no end
 * speaks of the time up to the next known start, so that late and back-dated arrivals land in their
 * place. An end that is not known yet is *closed* (set once); an end that was known already cannot
 * be set again, so that version is *retired* and a shorter copy of it appended (a re-cut).
 *
 * Invariant: believed intervals never overlap, and what was visible at an earlier head stays
 * visible there (test/property/timeline.test.ts).
 */
import { assertThat } from '../codes/errors.ts';
import type { Cause, Versioned } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';

/** A version that is believed: not retired, status live. */
export type BelievedVersion = Pick<Versioned, 'uuid' | 'valid_from' | 'valid_until'>;

/** Sets `valid_until` and `closed_seq`. `superseded_by` is null where nothing follows. */
export interface Close {
  readonly uuid: Uuid;
  readonly valid_until: Instant;
  readonly superseded_by: Uuid | null;
}
/**
 * Sets `retired_seq` and `cause`, and `superseded_by` where that is still null: an earlier close
 * may have set it. A version of which a re-cut stays believed has the cause of the write; one of
 * which nothing is left was wrong: `correction`.
 */
export interface Retire {
  readonly uuid: Uuid;
  readonly cause: Cause;
  readonly superseded_by: Uuid | null;
}
/**
 * `new` is the version that the write brings; `recut` has the content of `copy_of`, under an id
 * that the caller gives.
 */
export type Append =
  | { readonly kind: 'new'; readonly valid_from: Instant; readonly valid_until: Instant | null }
  | {
      readonly kind: 'recut';
      readonly copy_of: Uuid;
      readonly valid_from: Instant;
      readonly valid_until: Instant | null;
    };

/** Each list by `valid_from`; `new`, where there is one, comes first. */
export interface Placement {
  readonly close: readonly Close[];
  readonly retire: readonly Retire[];
  readonly append: readonly Append[];
}

export interface TimelineChange {
  /** Of the new version. */
  readonly uuid: Uuid;
  readonly from: Instant;
  /** Null = up to the next known start. */
  readonly until: Instant | null;
  /** What re-cut versions are retired with. */
  readonly cause?: Extract<Cause, 'change' | 'merge'>;
}

/** The world is otherwise from `from` on. */
export function placeChange(
  versions: readonly BelievedVersion[],
  change: TimelineChange,
): Placement {
  const { from } = change;
  const until = change.until ?? nextStart(versions, from);
  assertThat(until === null || from < until, 'a version ends after it begins');
  const cut = cutOut(versions, {
    from,
    until,
    supersededBy: change.uuid,
    cause: change.cause ?? 'change',
  });
  return { ...cut, append: [{ kind: 'new', valid_from: from, valid_until: until }, ...cut.append] };
}

/**
 * What a value of a key says of time; null = it holds that value already, over all of the time that
 * it speaks of.
 */
export type ValuePlacement =
  | { readonly isNews: false; readonly uuid: Uuid }
  /** `root` is null for a value that begins a root of its own. */
  | { readonly isNews: true; readonly root: Uuid | null; readonly placement: Placement };
export type BelievedValue = BelievedVersion & Pick<Versioned, 'root_uuid'>;
/** What is known of the versions that a value comes among. */
export interface Said<V> {
  readonly isSame: (version: V) => boolean;
  /** Instants from which on the version was said again. */
  readonly saidAgain: (version: V) => readonly Instant[];
}
export interface ValueChange extends TimelineChange, Said<BelievedValue> {
  readonly cardinality: 'one' | 'many';
}

/**
 * A value of a key. It is a duplicate only where one version says the same for all of the time that
 * the new one speaks of: a value that goes on longer is news. Of a key that holds many, it goes on
 * with the root that says the same.
 */
export function placeValue(
  believed: readonly BelievedValue[],
  change: ValueChange,
): ValuePlacement {
  const peers = change.cardinality === 'one' ? byStart(believed) : sameRoot(believed, change);
  const until = change.until ?? nextOf(peers, change);
  const same = peers.find(
    (version) =>
      change.isSame(version) &&
      version.valid_from <= change.from &&
      (version.valid_until === null || (until !== null && until <= version.valid_until)),
  );
  if (same) return { isNews: false, uuid: same.uuid };
  const placement = placeChange(peers, { ...change, until });
  return { isNews: true, root: peers[0]?.root_uuid ?? null, placement };
}

/**
 * Up to when a value holds that names no end: a version begins, or another value was said again.
 */
export function nextOf<V extends BelievedVersion>(
  versions: readonly V[],
  { from, isSame, saidAgain }: Said<V> & { readonly from: Instant },
): Instant | null {
  const said = versions.flatMap((version) => {
    if (isSame(version)) return [];
    const { valid_from, valid_until } = version;
    return saidAgain(version).filter((at) => valid_from < at && isBefore(at, valid_until));
  });
  const starts = versions.map(({ valid_from }) => valid_from);
  const [first] = [...starts, ...said].filter((at) => at > from).sort();
  return first ?? null;
}

/**
 * The versions of the root (the lowest, where several do) that says the same in that time and
 * nothing else; none = a new member.
 */
function sameRoot(
  believed: readonly BelievedValue[],
  change: ValueChange,
): readonly BelievedValue[] {
  const inTime = believed.filter(
    (version) =>
      isBefore(version.valid_from, change.until) && isBefore(change.from, version.valid_until),
  );
  const [root] = inTime
    .filter(
      (version) =>
        change.isSame(version) &&
        inTime.every((other) => other.root_uuid !== version.root_uuid || change.isSame(other)),
    )
    .map((version) => version.root_uuid)
    .sort();
  return byStart(believed).filter((version) => version.root_uuid === root);
}

/**
 * It was never so: the version whose interval holds `at` gives way to the new one over the same
 * interval, or up to the end that the correction names. Null = none holds it.
 */
export function placeCorrection(
  versions: readonly BelievedVersion[],
  at: Instant,
  correction: { readonly uuid: Uuid; readonly until?: Instant | null },
): Placement | null {
  const wrong = versions.find(
    (version) => version.valid_from <= at && isBefore(at, version.valid_until),
  );
  if (!wrong) return null;
  const { uuid: supersededBy } = correction;
  const [from, until] = [wrong.valid_from, correction.until ?? wrong.valid_until];
  // An end that lies later takes its time from the versions that follow.
  const cut = cutOut(
    versions.filter((version) => version !== wrong),
    { from, until, supersededBy, cause: 'change' },
  );
  return {
    close: cut.close,
    retire: [{ uuid: wrong.uuid, cause: 'correction', superseded_by: supersededBy }, ...cut.retire],
    append: [{ kind: 'new', valid_from: from, valid_until: until }, ...cut.append],
  };
}

/**
 * `change`: it is no more from `at` on, whatever was planned later. Any other cause: no version is
 * believed any longer.
 */
export function placeDelete(
  versions: readonly BelievedVersion[],
  cause: Cause,
  at: Instant,
): Placement {
  if (cause === 'change')
    return cutOut(versions, { from: at, until: null, supersededBy: null, cause });
  return {
    close: [],
    retire: byStart(versions).map(({ uuid }) => ({ uuid, cause, superseded_by: null })),
    append: [],
  };
}

interface Interval {
  readonly from: Instant;
  readonly until: Instant | null;
  readonly supersededBy: Uuid | null;
  readonly cause: Cause;
}

/** Frees [from, until) of every version that reaches into it. */
function cutOut(versions: readonly BelievedVersion[], interval: Interval): Placement {
  const { from, until, supersededBy: superseded_by } = interval;
  const close: Close[] = [];
  const retire: Retire[] = [];
  const append: Append[] = [];
  for (const version of byStart(versions)) {
    const { uuid, valid_from, valid_until } = version;
    if (!isBefore(valid_from, until) || !isBefore(from, valid_until)) continue;
    const keepsHead = valid_from < from;
    const tailFrom = until !== null && isBefore(until, valid_until) ? until : null;
    if (keepsHead && valid_until === null) {
      close.push({ uuid, valid_until: from, superseded_by });
    } else {
      retire.push({
        uuid,
        cause: keepsHead || tailFrom !== null ? interval.cause : 'correction',
        superseded_by,
      });
      if (keepsHead) append.push({ kind: 'recut', copy_of: uuid, valid_from, valid_until: from });
    }
    if (tailFrom !== null)
      append.push({ kind: 'recut', copy_of: uuid, valid_from: tailFrom, valid_until });
  }
  return { close, retire, append };
}

function nextStart(versions: readonly BelievedVersion[], from: Instant): Instant | null {
  return byStart(versions).find((version) => version.valid_from > from)?.valid_from ?? null;
}

/** Whether `at` lies before `end`; null = an end that is not known. */
const isBefore = (at: Instant, end: Instant | null): boolean => end === null || at < end;

const byStart = <V extends BelievedVersion>(versions: readonly V[]): readonly V[] =>
  [...versions].sort((a, b) =>
    a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : 0,
  );
