/**
 * The same talk captured on each database, killed at every kind of call and gone on with, by two
 * workers at once and again: the memory of the reference, byte for byte.
 */
import { expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { capture, makeWorld, memoryOf, type Said, say } from '../support/capture-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const TALK: readonly Said[] = [
  { role: 'user', text: 'Hi! My name is Ada. I live in Ghent and I love cycling.' },
  { role: 'assistant', text: 'Lesson learned: always confirm the branch before a stash pop.' },
  { role: 'user', text: 'Please answer in German. My sister lives in Rome.' },
  { role: 'user', text: 'I moved to Bruges. I love cycling.' },
  { role: 'user', text: 'No, I meant Leuven. My new number is 555 0101.' },
];

async function world(authority: Authority): Promise<Authority> {
  await makeWorld(authority);
  await say(authority, TALK);
  return authority;
}

describeOnDatabases('capture, killed', (open, flavor) => {
  let last: Awaited<ReturnType<typeof open>> | null = null;
  // A server has some hundred connections; the one before is done with.
  const fresh = async (): Promise<Authority> => {
    await last?.[Symbol.asyncDispose]();
    last = await open();
    return world(pgvectorAuthority(last.database));
  };
  // A PGlite takes a second to open: there one fault a kind of call.
  const faults: readonly Fault[] = flavor === 'pglite' ? ['after'] : ['before', 'after'];

  it('is gone on with at every kind of call, and is the same by two at once and again', async () => {
    const right = await world(await createReferenceConnector().connect());
    await capture(right);
    const memory = await memoryOf(right);
    expect(memory.join()).toContain('Ada moved to Leuven');
    const counted = faulty(await fresh(), 0);
    await capture(counted.authority);
    expect(await memoryOf(counted.authority)).toEqual(memory);
    const calls = new Map(counted.log.map((name, index) => [name, index + 1]));
    for (const fault of faults)
      for (const [name, failAt] of calls) {
        const authority = await fresh();
        await capture(faulty(authority, failAt, fault).authority).catch(() => null);
        await capture(authority);
        expect(await memoryOf(authority), `${fault} ${name}`).toEqual(memory);
      }
    const shared = await fresh();
    await Promise.all([capture(shared), capture(shared)]);
    expect(await memoryOf(shared)).toEqual(memory);
    await capture(shared);
    expect(await memoryOf(shared)).toEqual(memory);
  }, 600_000);
});
