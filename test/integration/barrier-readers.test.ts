/**
 * From the commit of a correction on, nothing of what was withdrawn is served: by eight readers in
 * two processes of their own, whose caches were full of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createContextEngine } from '../../src/index.ts';
import { describeOnServer } from '../support/databases.ts';

/** `npm run nightly` runs 200. */
const GENERATIONS = Number(process.env['CONTEXTENGINE_BARRIER_GENERATIONS'] ?? 6);
const PROCESSES = 2;
const READERS = 4;
const READER = fileURLToPath(new URL('../support/barrier-reader.mjs', import.meta.url));
const MANIFESTS = join(import.meta.dirname, '../../manifests');
const permission_profile = {
  principal: 'writer',
  tenant: 'barrier',
  kind: 'service',
  scopes: '*',
} as const;

interface Read {
  /** By the machine's monotonic clock, in milliseconds. */
  readonly begun: number;
  readonly served: readonly number[];
}

interface Reader {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
}

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

async function startReader(settings: object): Promise<Reader> {
  const asked = JSON.stringify({ ...settings, readers: READERS, manifests: MANIFESTS });
  const child = spawn(process.execPath, [READER, asked], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return { child, lines };
}

async function endReader({ child, lines }: Reader) {
  const exited = once(child, 'exit');
  child.stdin?.end();
  const answer = JSON.parse(String((await lines.next()).value)) as {
    readonly reads: readonly (readonly [number, readonly number[]])[];
    readonly hits: number;
  };
  await exited;
  const reads = answer.reads.map(([begun, served]): Read => ({ begun, served }));
  return { reads, hits: answer.hits };
}

describeOnServer('a barrier', (open) => {
  it('holds for eight readers in two processes with caches, from the commit on', async () => {
    const { url } = await open();
    const engine = await createContextEngine({
      database: { url },
      manifests: MANIFESTS,
      embedder: 'off',
      permission_profile,
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    const readers = await Promise.all(
      Array.from({ length: PROCESSES }, () => startReader({ url, scope })),
    );
    /** By generation: when its correction was answered. */
    const withdrawn: number[] = [];
    for (let n = 0; n < GENERATIONS; n += 1) {
      const source = await engine.remember(scope, { content: `what generation ${n} is made from` });
      let [above] = source.receipts;
      for (let depth = 0; depth < 4; depth += 1) {
        const content = `derived item of generation ${n} at depth ${depth}`;
        const uuid = above?.uuid ?? '';
        [above] = (await engine.remember(scope, { content, sources: [uuid] })).receipts;
      }
      for (const { lines } of readers) expect((await lines.next()).value).toBe(`served ${n}`);
      const root = source.receipts[0]?.root_uuid ?? '';
      await engine.correct(root, { content: `what was found of ${n}` });
      withdrawn.push(now());
    }
    const answers = await Promise.all(readers.map(endReader));
    await engine.close();
    const reads = answers.flatMap(({ reads: of }) => of);
    const late = reads.flatMap(({ begun, served }) =>
      served.filter((n) => begun > (withdrawn[n] ?? Number.POSITIVE_INFINITY)),
    );
    expect(late).toEqual([]);
    // They did serve it before, from their caches too, and read on after the last correction.
    expect(new Set(reads.flatMap(({ served }) => served)).size).toBe(GENERATIONS);
    expect(Math.min(...answers.map(({ hits }) => hits))).toBeGreaterThanOrEqual(GENERATIONS);
    const last = withdrawn.at(-1) ?? 0;
    expect(reads.filter(({ begun }) => begun > last).length).toBeGreaterThanOrEqual(8);
  }, 1_200_000);
});
