/** When files were last committed: a checkout writes them all at the time it is made. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LIMIT_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A repository is data: it names no program that is run for it. */
const NO_PROGRAMS = ['-c', 'log.showSignature=false', '-c', 'core.fsmonitor=false'];
const ARGUMENTS = ['log', '--format=%x00%ct', '--name-only', '--relative', '--no-renames', '-z'];

/** Milliseconds by path below a folder; empty outside of a repository, and without git. */
export async function gitDates(folder: string): Promise<ReadonlyMap<string, number>> {
  const options = { cwd: folder, timeout: LIMIT_MS, maxBuffer: MOST_BYTES };
  const run = promisify(execFile);
  const { stdout } = await run('git', [...NO_PROGRAMS, ...ARGUMENTS, '--', '.'], options).catch(
    () => ({ stdout: '' }),
  );
  const dates = new Map<string, number>();
  let atMs: number | null = null;
  // Newest first; a commit's line has its time alone.
  for (const part of stdout.split('\0')) {
    const text = part.replace(/^\n+/, '').trimEnd();
    if (/^\d{6,12}$/.test(text)) atMs = Number(text) * 1000;
    else if (text !== '' && atMs !== null && !dates.has(text)) dates.set(text, atMs);
  }
  return dates;
}
