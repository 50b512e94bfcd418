/**
 * Receipts: a transient failure is tried again, a refused one takes no other with it, and what is
 * lost is counted.
 */
import { describe, expect, it, vi } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { createReceiptQueue, type ReceiptQueue } from '../../src/compose/receipt-queue.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import { id, tenantNamed } from '../support/ledger.ts';

const TENANT = tenantNamed('queue');
const HELD = { all: true, uuids: new Set<never>() };

/** All that the queue reads of a receipt is its id. */
const receipt = (n: number): CompositionReceipt => {
  const made: Partial<CompositionReceipt> = { composition_id: id(9, n), scope_uuid: id(1, 1) };
  return made as CompositionReceipt;
};
const push = (queue: ReceiptQueue, n: number, digest = 'a'): void =>
  queue.push({
    tenant: TENANT,
    receipt: receipt(n),
    artifact: { digest, kind: 'manifest', content: '' },
  });

const down = (): ContextEngineError =>
  new ContextEngineError('CONNECTOR.UNAVAILABLE', { message: 'down', fix: 'Wait.' });
const refused = (): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', { message: 'bad', fix: 'Clean it.' });

/** A store that is down while `isDown`, and that refuses some receipts and artifacts. */
function store(refuses: (batch: readonly CompositionReceipt[]) => boolean = () => false) {
  const right = referenceAuthority();
  const state = { isDown: false, tries: 0, saves: 0 };
  const authority: Pick<Authority, 'saveArtifact' | 'saveReceipts' | 'saveServed'> = {
    saveServed: right.saveServed,
    saveArtifact: async (tenant, artifact) => {
      state.tries += 1;
      if (state.isDown) throw down();
      if (artifact.digest === 'bad') throw refused();
      return right.saveArtifact(tenant, artifact);
    },
    saveReceipts: async (tenant, receipts) => {
      state.saves += 1;
      if (state.isDown) throw down();
      if (refuses(receipts)) throw refused();
      return right.saveReceipts(tenant, receipts);
    },
  };
  const stored = async (count: number): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let n = 1; n <= count; n += 1)
      if (await right.loadReceipt(TENANT, id(9, n), HELD)) found.push(n);
    return found;
  };
  return { authority, state, stored };
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('a receipt that the store refuses', () => {
  it('is lost alone, and counted once', async () => {
    const { authority, stored } = store((batch) =>
      batch.some(({ composition_id: uuid }) => uuid === id(9, 7) || uuid === id(9, 31)),
    );
    const queue = createReceiptQueue(authority);
    for (const n of upTo(49)) push(queue, n);
    await queue.drain();
    expect(await stored(49)).toEqual(upTo(49).filter((n) => n !== 7 && n !== 31));
    expect(queue.lost).toBe(2);
    expect(queue.lastError).toMatchObject({ code: 'WRITE.INVALID' });
  });

  it('may be one whose manifest cannot be stored', async () => {
    const { authority, stored } = store();
    const queue = createReceiptQueue(authority);
    for (const n of upTo(10)) push(queue, n, n === 4 ? 'bad' : 'good');
    await queue.drain();
    expect(await stored(10)).toEqual(upTo(10).filter((n) => n !== 4));
    expect(queue.lost).toBe(1);
  });
});

describe('receipts that come while others are saved', () => {
  it('wait for each other', async () => {
    vi.useFakeTimers();
    try {
      const { authority, state, stored } = store();
      const slow = { ...authority, saveReceipts: slowly(authority.saveReceipts) };
      const queue = createReceiptQueue(slow);
      push(queue, 1);
      await vi.advanceTimersByTimeAsync(200);
      // While the first is saved, and a moment later.
      push(queue, 2);
      await vi.advanceTimersByTimeAsync(150);
      push(queue, 3);
      expect(state.saves).toBe(1);
      await vi.advanceTimersByTimeAsync(400);
      expect(state.saves).toBe(2);
      expect(await stored(3)).toEqual([1, 2, 3]);
      expect(queue.waiting).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

/** A save that takes as long as a call. */
const slowly =
  (save: Authority['saveReceipts']): Authority['saveReceipts'] =>
  async (tenant, receipts) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return save(tenant, receipts);
  };

describe('a store that is down', () => {
  it('has every receipt when it is back, whoever asks meanwhile', async () => {
    const { authority, state, stored } = store();
    const queue = createReceiptQueue(authority, { retryMs: [0, 0, 0] });
    state.isDown = true;
    for (const n of upTo(120)) push(queue, n);
    for (let asked = 0; asked < 20; asked += 1) await queue.drain();
    expect(queue.waiting).toBe(120);
    state.isDown = false;
    await queue.drain();
    expect(await stored(120)).toEqual(upTo(120));
    expect(queue.lost).toBe(0);
  });

  it('is tried by the clock, a bounded number of times, then the receipts are lost and counted', async () => {
    vi.useFakeTimers();
    try {
      const { authority, state } = store();
      const queue = createReceiptQueue(authority, { retryMs: [100, 200, 400] });
      state.isDown = true;
      for (const n of upTo(10)) push(queue, n);
      await vi.advanceTimersByTimeAsync(200);
      expect(queue.waiting).toBe(10);
      await vi.advanceTimersByTimeAsync(10_000);
      expect([queue.waiting, queue.lost]).toEqual([0, 10]);
      expect(state.tries).toBeLessThanOrEqual(4);
      state.isDown = false;
      push(queue, 11);
      await vi.advanceTimersByTimeAsync(200);
      expect([queue.waiting, queue.lost]).toEqual([0, 10]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not asked again at once for what was pushed while it failed', async () => {
    vi.useFakeTimers();
    try {
      const { authority, state } = store();
      const saveArtifact = async (...args: Parameters<typeof authority.saveArtifact>) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return authority.saveArtifact(...args);
      };
      const queue = createReceiptQueue({ ...authority, saveArtifact }, { retryMs: [5_000] });
      state.isDown = true;
      push(queue, 1);
      await vi.advanceTimersByTimeAsync(50);
      void queue.drain();
      push(queue, 2);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(state.tries).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not hold up a close: what waits is lost and counted', async () => {
    const { authority, state } = store();
    const queue = createReceiptQueue(authority, { retryMs: [0] });
    state.isDown = true;
    for (const n of upTo(3)) push(queue, n);
    await queue.close();
    expect([queue.waiting, queue.lost]).toEqual([0, 3]);
  });
});
