/**
 * Stages 1 and 2 of a batch, by rules: what its turns say. It depends on the turns alone, never on
 * what is known, so that a batch can be read while the one before it is compared and written.
 */
import type { BlockRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import type { GatedSegment, GateSettings } from './1-gate.ts';
import { type ExtractSettings, extractSteps, looksBack } from './2-extract.ts';
import { withBreath } from './breath.ts';
import {
  type ForgetRequest,
  forgetRequests,
  type TakenBack,
  takenBackIn,
} from './forget/forget-requests.ts';
import { areAmongPeople, gateBefore, gateTurns } from './gate/gate-turns.ts';
import type { CaptureDependencies, Prepared } from './prepare.ts';
import type { Candidate, Settled, Stage } from './state.ts';
import { type Turns, turnsBefore } from './turns.ts';
import { wasInRole } from './voices/role-before.ts';

export interface BatchRead {
  readonly turns: Turns;
  /** The last turns before it. */
  readonly before: readonly BlockRow[];
  readonly isAmongPeople: boolean;
  readonly gating: GateSettings;
  readonly extracting: ExtractSettings;
  readonly requests: readonly ForgetRequest[];
  readonly takenBack: ReadonlyMap<Uuid, TakenBack>;
  readonly gated: readonly GatedSegment[];
  /** Turns that no rule could read. */
  readonly unread: readonly Settled[];
  /** By rules; nothing where a model is asked. */
  readonly extracted: Stage<Candidate>;
}

/** A turn of more is a list or a log, not talk. */
const MOST_PER_TURN = 24;

export async function readBatch(
  turns: Turns,
  prepared: Prepared & { readonly from: number },
  by: CaptureDependencies,
): Promise<BatchRead> {
  const { settings, layerNames, timeZone } = prepared;
  const { rows } = turns;
  const before = rows.length === 0 ? [] : await turnsBefore(prepared, by);
  const isAmongPeople = areAmongPeople([...before, ...rows]);
  const gating = { layerNames, never: settings.never, isAmongPeople };
  const requests = forgetRequests(rows, gating, before);
  const takenBack = takenBackIn([...before, ...rows], requests, gating);
  const isInRole = rows.length > 0 && (await wasInRole(prepared, by, [...before, ...rows]));
  const beside = { before, isInRole, takenBack };
  const { gated, settled: unread } = await gateTurns(rows, gating, beside);
  const collections = collectionsOf(prepared, by);
  const extracting = { collections, timeZone, mostPerTurn: MOST_PER_TURN };
  const extracted = by.model
    ? { going: [], settled: [] }
    : await withBreath(extractSteps(gated, extracting, await beforeOf(gated, before, gating)));
  return {
    ...{ turns, before, isAmongPeople, gating, extracting },
    ...{ requests, takenBack, gated, unread, extracted },
  };
}

/** Of the turns before the batch, those that a correction may speak of. */
const beforeOf = async (
  gated: readonly GatedSegment[],
  before: readonly BlockRow[],
  gating: GateSettings,
): Promise<readonly GatedSegment[]> =>
  gated.some(looksBack) ? gateBefore(gated, before, gating) : [];

/** Those that the layers of the manifest show. */
export function collectionsOf(
  { manifest }: Prepared,
  { manifests }: CaptureDependencies,
): readonly Collection[] {
  const names = new Set((manifest?.layers ?? []).flatMap(({ collection }) => collection ?? []));
  return [...names].flatMap((name) => manifests.collections[name] ?? []);
}
