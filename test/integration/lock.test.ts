import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderLock, lockFolder } from '../../connectors/folder-lock.ts';

let dir: string;
const held: FolderLock[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'contextengine-lock-'));
});
afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  rmSync(dir, { recursive: true, force: true });
});

const fileOf = (name = 'pg.lock'): string => join(dir, name);
const take = (): FolderLock => {
  const lock = lockFolder(dir, { onLost: () => undefined });
  held.push(lock);
  return lock;
};
/** A lock file as this process would write it, with other facts. */
function writeLock(changes: Record<string, unknown>, name = 'pg.lock'): void {
  const own = lockFolder(dir, { onLost: () => undefined });
  const facts = JSON.parse(readFileSync(fileOf(), 'utf8'));
  own.release();
  writeFileSync(fileOf(name), JSON.stringify({ ...facts, ...changes }));
}
const deadPid = (): number =>
  Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
const isOurs = (lock: FolderLock): boolean =>
  JSON.parse(readFileSync(fileOf(), 'utf8')).token === lock.token;
const OLD = new Date(Date.now() - 10 * 60_000);
const TOKENS = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

describe('the lock of an embedded folder', () => {
  it('is refused while this process holds it, and free after its release', () => {
    const first = take();
    expect(() => take()).toThrow(
      expect.objectContaining({
        code: 'CONNECTOR.LOCKED',
        message: expect.stringContaining('already open in this process'),
      }),
    );
    first.release();
    expect(readdirSync(dir)).toEqual([]);
    expect(isOurs(take())).toBe(true);
  });

  it('names process, machine and time of a holder that lives', () => {
    writeLock({ pid: process.ppid, started: null, since: '2026-01-01T00:00:00.000Z' });
    expect(() => take()).toThrow(
      expect.objectContaining({
        code: 'CONNECTOR.LOCKED',
        retryable: true,
        message: expect.stringMatching(
          new RegExp(`\`${process.ppid}\` on \`${hostname()}\` since \`2026-01-01T00:00:00.000Z\``),
        ),
      }),
    );
  });

  it('is not taken from a living holder, however old its heartbeat', () => {
    writeLock({ pid: process.ppid, started: null });
    utimesSync(fileOf(), OLD, OLD);
    expect(() => take()).toThrow(expect.objectContaining({ code: 'CONNECTOR.LOCKED' }));
  });

  it('is taken over from a process that is gone', () => {
    writeLock({ pid: deadPid() });
    expect(isOurs(take())).toBe(true);
    expect(readdirSync(dir)).toEqual(['pg.lock']);
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when the pid belongs to a later process by now',
    () => {
      writeLock({ pid: process.ppid, started: '1' });
      expect(isOurs(take())).toBe(true);
    },
  );

  it('is taken over from a claimant that died on its way to the lock', () => {
    writeLock({ pid: deadPid(), token: TOKENS[0] });
    const lock = readFileSync(fileOf(), 'utf8');
    writeFileSync(
      fileOf(`pg.lock.after-${TOKENS[0]}`),
      JSON.stringify({ ...JSON.parse(lock), token: TOKENS[1] }),
    );
    expect(isOurs(take())).toBe(true);
    expect(readdirSync(dir)).toEqual(['pg.lock']);
  });

  it('is refused while a living process is on its way to a dead one’s lock', () => {
    writeLock({ pid: deadPid(), token: TOKENS[0] });
    const lock = JSON.parse(readFileSync(fileOf(), 'utf8'));
    writeFileSync(
      fileOf(`pg.lock.after-${TOKENS[0]}`),
      JSON.stringify({ ...lock, token: TOKENS[1], pid: process.ppid, started: null }),
    );
    expect(() => take()).toThrow(
      expect.objectContaining({
        code: 'CONNECTOR.LOCKED',
        message: expect.stringContaining(String(process.ppid)),
      }),
    );
  });

  it('is never taken from another machine', () => {
    writeLock({ pid: deadPid(), host: 'elsewhere' });
    utimesSync(fileOf(), OLD, OLD);
    expect(() => take()).toThrow(
      expect.objectContaining({
        code: 'CONNECTOR.LOCKED',
        message: expect.stringContaining('elsewhere'),
        fix: expect.stringContaining('delete'),
      }),
    );
  });

  it('goes by the heartbeat where the pid means nothing: another boot or another container', () => {
    writeLock({ pid: process.pid, place: 'another boot' });
    expect(() => take()).toThrow(
      expect.objectContaining({
        code: 'CONNECTOR.LOCKED',
        fix: expect.stringContaining('heartbeat'),
      }),
    );
    utimesSync(fileOf(), OLD, OLD);
    expect(isOurs(take())).toBe(true);
  });

  it.each(['', 'not JSON', '{"token":"../../etc","pid":1,"host":"h","since":"s"}', '[]', 'null'])(
    'refuses a lock file that it cannot read: %j',
    (text) => {
      writeFileSync(fileOf(), text);
      expect(() => take()).toThrow(
        expect.objectContaining({
          code: 'CONNECTOR.LOCKED',
          fix: expect.stringContaining('delete the file'),
        }),
      );
      expect(readFileSync(fileOf(), 'utf8')).toBe(text);
    },
  );

  it('leaves a lock alone that is another’s by now', () => {
    const lock = take();
    writeFileSync(fileOf(), '{}');
    lock.release();
    expect(existsSync(fileOf())).toBe(true);
  });

  it('is given back when the process ends without closing', () => {
    const module = new URL('../../dist/connectors/folder-lock.js', import.meta.url).href;
    const script = `import { lockFolder } from ${JSON.stringify(module)}; lockFolder(${JSON.stringify(dir)}, { onLost() {} });`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(readdirSync(dir)).toEqual([]);
  });
});
