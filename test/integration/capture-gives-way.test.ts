/**
 * Two conversations of one person are captured at once and say the same: what the later stored
 * gives way. Here the later is judged before the earlier writes, every time, and dies at every call
 * that comes after.
 */
import { describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { CaptureResult } from '../../src/capture/capture.ts';
import { ContextEngineError, type ErrorCode } from '../../src/codes/errors.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import {
  capture,
  makeOtherSession,
  makeWorld,
  memoryOf,
  OTHER_SESSION,
  say,
} from '../support/capture-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const SAID = [{ role: 'user', text: 'I am allergic to peanuts. I love cycling.' }] as const;
const OWN = [{ role: 'user', text: 'My brother has a boat. I prefer window seats.' }] as const;

async function world(authority: Authority): Promise<Authority> {
  await makeWorld(authority);
  await makeOtherSession(authority);
  await say(authority, SAID);
  await say(authority, [...SAID, ...OWN], { scope: OTHER_SESSION });
  return authority;
}

/** The first conversation is captured as soon as the other is planned. */
function overtaken(authority: Authority): Authority {
  let isDone = false;
  return {
    ...authority,
    planCapture: async (tenant, planned) => {
      const kept = await authority.planCapture(tenant, planned);
      if (!isDone) await capture(authority);
      isDone = true;
      return kept;
    },
  };
}

const captureOther = (authority: Authority): Promise<CaptureResult> =>
  capture(authority, { scope: OTHER_SESSION });

const outcomesOf = ({ receipts }: CaptureResult): readonly string[] =>
  receipts.flatMap(({ candidates }) =>
    candidates.map(({ outcome, reason }) => (outcome === 'failed' ? `failed ${reason}` : outcome)),
  );

const believed = (memory: readonly unknown[]): number =>
  memory.filter((row) => /allergic.*"until":null,"isBelieved":true/.test(String(row))).length;

/** Dies at each of the calls after the plan was kept, the last of each name where `isShort`. */
async function killedEverywhere(
  fresh: () => Promise<Authority>,
  { faults, isShort }: { readonly faults: readonly Fault[]; readonly isShort: boolean },
): Promise<number> {
  const counted = faulty(overtaken(await fresh()), 0);
  const whole = await captureOther(counted.authority);
  const memory = await memoryOf(counted.authority);
  expect(believed(memory)).toBe(1);
  expect(outcomesOf(whole).filter((outcome) => outcome === 'duplicate')).toHaveLength(2);
  const planned = counted.log.indexOf('planCapture') + 1;
  const calls = counted.log.map((name, index) => [name, index + 1] as const).slice(planned);
  const died = isShort ? [...new Map(calls)] : calls;
  for (const fault of faults)
    for (const [name, failAt] of died) {
      const authority = await fresh();
      const dying = faulty(overtaken(authority), failAt, fault).authority;
      await captureOther(dying).catch(() => null);
      await captureOther(authority);
      expect(await memoryOf(authority), `${fault} ${name} (${failAt})`).toEqual(memory);
      expect((await captureOther(authority)).receipts).toEqual([]);
    }
  return died.length * faults.length;
}

describe('capture that gives way', () => {
  const fresh = async (): Promise<Authority> => world(await createReferenceConnector().connect());

  it('is gone on with wherever it dies', async () => {
    const of = { faults: ['before', 'after'], isShort: false } as const;
    expect(await killedEverywhere(fresh, of)).toBeGreaterThan(10);
  });

  const refusing = (authority: Authority, code: ErrorCode): Authority => ({
    ...authority,
    write: async (request) => {
      if (request.operations.some(({ operation }) => operation === 'DELETE'))
        throw new ContextEngineError(code, { message: 'Not today.', fix: 'Another day.' });
      return authority.write(request);
    },
  });

  it('says with a code why what should have given way stands', async () => {
    const authority = await fresh();
    const outcomes = outcomesOf(
      await captureOther(refusing(overtaken(authority), 'WRITE.TOO_LARGE')),
    );
    // What is loved has a slot, which holds it once whoever writes it.
    expect(outcomes).toEqual(expect.arrayContaining(['failed WRITE.TOO_LARGE', 'duplicate']));
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(1);
    expect(believed(await memoryOf(authority))).toBe(2);
  });

  it('takes what was forgotten meanwhile for gone', async () => {
    const authority = refusing(overtaken(await fresh()), 'WRITE.NOT_FOUND');
    const outcomes = outcomesOf(await captureOther(authority));
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(2);
  });
});

describeOnDatabases('capture that gives way', (open, flavor) => {
  let last: Awaited<ReturnType<typeof open>> | null = null;
  // A server has some hundred connections; the one before is done with.
  const fresh = async (): Promise<Authority> => {
    await last?.[Symbol.asyncDispose]();
    last = await open();
    return world(pgvectorAuthority(last.database));
  };
  const isLite = flavor === 'pglite';

  it('is gone on with wherever it dies', async () => {
    // A PGlite takes a second to open: there one fault a kind of call.
    const faults: readonly Fault[] = isLite ? ['after'] : ['before', 'after'];
    expect(await killedEverywhere(fresh, { faults, isShort: isLite })).toBeGreaterThan(3);
  }, 600_000);
});
