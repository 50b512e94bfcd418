/** An undo, on the working set: what goes and what comes back. Which, `undoing.ts` says. */
import type { AnyRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { Receipt, UndoOperation } from '../model/operation.ts';
import type { UndoPlan } from '../model/undo.ts';
import { asRecut, type Effect, type Step, seedOf } from './carry-placement.ts';
import { toEntry } from './entry.ts';
import { builtOn, nothingToUndo, undoneMissing, unfoundedReturn } from './refusals.ts';
import type { Returned, Undoing } from './undoing.ts';
import { WITHDRAWING } from './withdrawal.ts';
import type { WorkingSet } from './working-set.ts';

/** What a connector reads of the operation that is to be taken back. */
export interface UndoFacts extends UndoPlan {
  /** It, or the operation that did the same again since. */
  readonly undoes: Uuid;
  readonly table: AnyRow['table'];
  readonly undoing: Undoing;
  /** Whether each version that comes back has all of its sources still, and where those are. */
  readonly isFounded: boolean;
  readonly sourceScopes: readonly Uuid[];
  /** Every version of the roots and keys that it touched. */
  readonly rows: readonly AnyRow[];
}

export function takeBack(step: Step<UndoOperation>, facts: UndoFacts | undefined): Effect {
  const { set, seq, operation } = step;
  if (!facts || facts.scope !== operation.scope) throw undoneMissing(operation.target);
  const { root_uuid: root, table, undoing } = facts;
  const named = { uuid: null, root, table } as const;
  if (facts.undone_by !== null) return { ...named, outcome: 'duplicate' };
  const isAsJudged =
    operation.expected === undefined || operation.expected.join() === facts.touched.join();
  if (!isAsJudged) return { ...named, outcome: 'conflict' };
  if (facts.built_on.length > 0) throw builtOn(operation.target, facts.built_on);
  if (facts.touched.length === 0) throw nothingToUndo(operation.target);
  if (!facts.isFounded) throw unfoundedReturn(operation.target);
  for (const { uuid, cause } of undoing.retire) {
    const version = set.versionOf(uuid);
    set.settle(version, { retired_seq: seq, cause });
    if (WITHDRAWING.has(cause)) set.fall(version);
  }
  for (const item of undoing.append) bringBack(step, item, seq);
  return { ...named, outcome: 'stored', causedBy: facts.undoes };
}

function bringBack({ set, idOf }: Pick<Step, 'set' | 'idOf'>, item: Returned, seq: number): AnyRow {
  const whole = set.versionOf(item.copy_of).entry;
  const { valid_from, valid_until } = item;
  const uuid = idOf('return', ...seedOf(set), whole.row.scope_uuid, seq, whole.row.uuid);
  const columns = { uuid, valid_from, valid_until, operation: 'UNDO', ...asRecut(whole.row, seq) };
  return set.add(toEntry(whole.table, { ...whole.row, ...columns }), 'new').entry;
}

export interface Returning {
  /** Withdrawn because of what is taken back; they are in the working set. */
  readonly versions: readonly Uuid[];
  readonly by: Receipt;
  readonly idOf: Step['idOf'];
  /** Entries of the undo's number that are journaled already. */
  readonly entries: number;
}

/**
 * Brings back what was withdrawn, with an entry for each: in the scope of the undo under its
 * number, in every other scope under one of its own.
 */
export function bringBackWithdrawn(set: WorkingSet, returning: Returning): void {
  const { by, idOf } = returning;
  const places = new Map([[by.scope, { seq: by.seq, entries: returning.entries }]]);
  for (const uuid of [...returning.versions].sort()) {
    const { valid_from, valid_until, scope_uuid: scope } = set.versionOf(uuid).entry.row;
    const place = places.get(scope) ?? { seq: set.nextSeq(scope), entries: 0 };
    const item = { copy_of: uuid, valid_from, valid_until };
    const { row, table } = bringBack({ set, idOf }, item, place.seq);
    const { root_uuid } = row;
    const receipt = { ...by, operation_id: row.uuid, table, uuid: row.uuid, root_uuid, scope };
    const { reason: _reason, ...unexplained } = { ...receipt, seq: place.seq };
    const entry = { kind: 'RETURN', ordinal: place.entries, causedBy: by.operation_id } as const;
    set.record({ ...entry, scope, seq: place.seq, receipt: unexplained });
    places.set(scope, { seq: place.seq, entries: place.entries + 1 });
  }
}

/** Pairs of a copy that came back and what it is a copy of. */
export const copiesOf = (set: WorkingSet): readonly { readonly uuid: Uuid; readonly of: Uuid }[] =>
  [...set.versions.values()].flatMap(({ state, entry: { row } }) =>
    state === 'new' && row.operation === 'UNDO' && row.recut_of !== null
      ? [{ uuid: row.uuid, of: row.recut_of }]
      : [],
  );
