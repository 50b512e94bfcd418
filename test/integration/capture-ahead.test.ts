/** While a batch is compared and written, the next one is read: what becomes of memory is the same. */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import {
  capture,
  makeWorld,
  memoryOf,
  type Said,
  SESSION,
  say,
  timeOf,
  turnOf,
  writeRaw,
} from '../support/capture-world.ts';

/** A batch is a page of 200 turns, but for the last, of which there may be more: each is one. */
const PER_BATCH = 199;
const PLACES = ['Ghent', 'Oslo', 'Lyon', 'Turin', 'Graz'];
/** The first turn of each batch, and one more, are to be kept. */
const turnsOf = (batch: number): readonly Said[] =>
  Array.from({ length: PER_BATCH }, (_, at): Said => {
    if (at === 0) return { role: 'user', text: `I live in ${PLACES[batch]}.` };
    if (at === 100) return { role: 'user', text: `I am allergic to nut number ${batch}.` };
    // A correction in few words speaks of the turn before it.
    return { role: 'user', text: at === 1 && batch === 2 ? 'Sorry, I meant Metz.' : 'What a day.' };
  });
const numberOf = (batch: number): number => 1 + batch * PER_BATCH;

async function world(batches: number): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  for (let batch = 0; batch < batches; batch += 1)
    await say(authority, turnsOf(batch), { from: numberOf(batch) });
  return authority;
}

const beginsAt = (request: Parameters<Authority['read']>[0]): number | null =>
  request.kind === 'scan' && request.limit === 200
    ? Number(/"gte":(\d+)/.exec(JSON.stringify(request.filter))?.[1])
    : null;

/** Where it begins to read turns to capture. */
function watched(authority: Authority): {
  readonly authority: Authority;
  readonly read: readonly number[];
} {
  const read: number[] = [];
  return {
    read,
    authority: {
      ...authority,
      read: (request) => {
        const from = beginsAt(request);
        if (from !== null) read.push(from);
        return authority.read(request);
      },
    },
  };
}

describe('a batch that is read ahead', () => {
  it('becomes what it becomes when each is captured by a call of its own', async () => {
    const [one, other] = [await world(4), await world(4)];
    const { receipts } = await capture(one);
    const apart: unknown[] = [];
    for (;;) {
      const { receipts: made, isMore } = await capture(other, { mostBatches: 1 });
      apart.push(...made);
      if (!isMore) break;
    }
    expect(receipts).toHaveLength(4);
    const plain = (all: unknown): unknown =>
      JSON.parse(JSON.stringify(all, (key, value) => (/_uuid$|_id$|^uuid$/.test(key) ? 0 : value)));
    expect(plain(receipts)).toEqual(plain(apart));
    const memory = await memoryOf(one);
    expect(memory).toEqual(await memoryOf(other));
    expect(memory.join('\n')).toContain('Metz');
  });

  it('is not read where the call may not capture it', async () => {
    const { authority, read } = watched(await world(3));
    await capture(authority, { mostBatches: 1 });
    expect(new Set(read).size).toBe(1);
    await capture(authority, { mostBatches: 2 });
    expect(new Set(read).size).toBe(3);
    expect(read).toHaveLength(3);
  });

  it('is thrown away where another worker was here', async () => {
    const [plain, met] = [await world(4), await world(4)];
    await capture(plain);
    let isFirst = true;
    const overtaken: Authority = {
      ...met,
      finishCapture: async (tenant, finished) => {
        if (isFirst) {
          isFirst = false;
          // Finishes this batch, and captures two more.
          await capture(met, { mostBatches: 3 });
        }
        return met.finishCapture(tenant, finished);
      },
    };
    const { receipts } = await capture(overtaken);
    expect(isFirst).toBe(false);
    expect(receipts.map(({ turns }) => turns)).toEqual([PER_BATCH, PER_BATCH]);
    expect(await memoryOf(met)).toEqual(await memoryOf(plain));
  });

  it('keeps nothing of a turn that is withdrawn after it was read', async () => {
    const authority = await world(2);
    const withdrawn = turnOf(numberOf(1));
    let isFirst = true;
    const meanwhile: Authority = {
      ...authority,
      finishCapture: async (tenant, finished) => {
        const receipt = await authority.finishCapture(tenant, finished);
        if (isFirst)
          await writeRaw(authority, [
            {
              ...{ operation: 'DELETE', table: 'blocks', scope: SESSION, root_uuid: withdrawn },
              ...{ cause: 'correction', valid_from: timeOf(numberOf(1)), reason: 'not so' },
            },
          ]);
        isFirst = false;
        return receipt;
      },
    };
    const { receipts } = await capture(meanwhile);
    const memory = (await memoryOf(authority)).join('\n');
    expect(memory).toContain('Ghent');
    expect(memory).toContain('nut number 1');
    expect(memory).not.toContain('Oslo');
    const made = receipts[1]?.candidates.find(({ source_uuid: of }) => of === withdrawn);
    expect(made?.outcome).toBe('failed');
  });

  it('lets nobody hear of it where the batch before it fails', async () => {
    const authority = await world(2);
    const failing: Authority = {
      ...authority,
      planCapture: async () => Promise.reject(new Error('gone')),
      read: async (request) =>
        (beginsAt(request) ?? 0) > 1
          ? Promise.reject(new Error('read in vain'))
          : authority.read(request),
    };
    await expect(capture(failing)).rejects.toThrow('gone');
    const { receipts } = await capture(authority);
    expect(receipts).toHaveLength(2);
  });
});
