/**
 * Subscribe: what was applied to the copy that serves, entry by entry of the journals, once it can
 * be found here. It polls the cursor, so that it sees what other processes feed.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type {
  Change,
  ChangeFilter,
  ChangeListener,
  Subscription,
} from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { headOf } from '../../src/model/validity.ts';
import { readChanges } from './changes.ts';
import type { Copy } from './copies.ts';
import { type MarkOfCopy, readMarks } from './cursors.ts';

/** A look at the cursor reads one small file. */
const POLL_MS = 200;

/** How far a scope was told, and where that is in the file of a copy. */
interface Reached {
  readonly seq: number;
  readonly copy: string | null;
  readonly from: number;
}

export interface SubscribeParts {
  /** The copy that serves now; null = there is none. Rejects once the mount is closed. */
  readonly current: () => Promise<Copy | null>;
  readonly listener: ChangeListener;
}

export async function subscribe(
  filter: ChangeFilter,
  { current, listener }: SubscribeParts,
): Promise<Subscription> {
  const scopes = [...new Set(filter.scopes)];
  const reached = await startOf(filter, await current());
  const stop = new AbortController();
  const isOpen = (): boolean => !stop.signal.aborted;
  const run = async (): Promise<void> => {
    while (isOpen()) {
      let isIdle = true;
      for (const scope of scopes) {
        const at = reached.get(scope) ?? { seq: 0, copy: null, from: 0 };
        const { changes, next } = await nextOf(current, { ...filter, scope, at });
        if (!isOpen()) return;
        if (changes.length > 0) await listener(changes);
        if (next.from !== at.from || next.copy !== at.copy) isIdle = false;
        reached.set(scope, next);
      }
      if (isIdle) await rest(POLL_MS, undefined, { ref: false, signal: stop.signal }).catch(noop);
    }
  };
  const ended = run();
  // Whoever wants to know why it stopped awaits `ended`; that no one does must not end the process.
  ended.catch(noop);
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended.catch(noop);
    },
  };
}

const noop = (): void => {};

async function startOf(
  { tenant, scopes, after }: ChangeFilter,
  copy: Copy | null,
): Promise<Map<Uuid, Reached>> {
  const marks = copy ? readMarks(copy, tenant) : new Map<Uuid, MarkOfCopy>();
  for (const scope of scopes) if (copy) countedOf(marks.get(scope));
  const seqOf = (scope: Uuid): number =>
    after ? (headOf(after, scope) ?? 0) : toldUpTo(marks.get(scope));
  return new Map(scopes.map((scope) => [scope, { seq: seqOf(scope), copy: null, from: 0 }]));
}

/** A mark within a sequence number: the rest of it is fed next, and then it is told. */
const toldUpTo = (mark: MarkOfCopy | undefined): number =>
  mark === undefined ? 0 : mark.seq - (mark.ordinal > 0 ? 1 : 0);

interface Asked extends ChangeFilter {
  readonly scope: Uuid;
  readonly at: Reached;
}
interface Next {
  readonly changes: readonly Change[];
  readonly next: Reached;
}

/** Again where the copy was replaced while it was read. */
async function nextOf(current: SubscribeParts['current'], asked: Asked): Promise<Next> {
  const copy = await current();
  try {
    return await nextIn(copy, asked);
  } catch (error) {
    const now = await current();
    if (now === null || now.name === copy?.name) throw error;
    return nextIn(now, asked);
  }
}

/** Another copy has the same journals in files of its own: it is read from its beginning. */
async function nextIn(copy: Copy | null, { tenant, scope, at }: Asked): Promise<Next> {
  if (copy === null) return { changes: [], next: at };
  const marks = readMarks(copy, tenant);
  const counted = countedOf(marks.get(scope));
  const place = `${copy.name} ${marks.epoch}`;
  const from = place === at.copy && at.from <= counted ? at.from : 0;
  const read = await readChanges(copy, { tenant, scope }, { from, counted });
  const changes = read.changes.filter(({ seq }) => seq > at.seq);
  const seq = changes.at(-1)?.seq ?? at.seq;
  return { changes, next: { seq, copy: place, from: read.next } };
}

/** A scope that was fed by an earlier release has no file of its beginning. */
function countedOf(mark: MarkOfCopy | undefined): number {
  if (mark === undefined) return 0;
  if (mark.counted !== undefined) return mark.counted;
  throw new ContextEngineError('CONNECTOR.MISSING_CAPABILITY', {
    message:
      `An earlier version fed the mount the scope \`${mark.scope}\`, and kept no entries to ` +
      'tell.',
    fix: 'Run `contextengine rebuild MOUNT`, then subscribe again.',
    where: { field: 'scopes' },
  });
}
