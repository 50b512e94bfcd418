/**
 * The outage marker: a small JSON file that a writer which cannot write leaves behind, so that the
 * next composition, `doctor` and the health endpoint can say that memory is missing something.
 * Imports nothing of the engine but the reading of a URL: it must work when the engine does not.
 *
 * Format: `{"format": "contextengine-outage/1", "reason": …, "hint": …, "owner": …, "time": …}`,
 * texts, the time in ISO 8601.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseDatabaseUrl } from '../model/database-url.ts';

const FORMAT = 'contextengine-outage/1';
/** After that a marker is forgotten: whoever left it is not coming back. */
const VALID_MS = 7 * 24 * 3_600_000;

export interface Outage {
  /** What could not be done. */
  readonly reason: string;
  /** What to do about it. */
  readonly hint: string;
  /** Who left the marker: a command or process. */
  readonly owner: string;
  /** ISO 8601. */
  readonly time: string;
}
/**
 * `clear`: no marker, or one that has expired. `unknown`: the marker could not be looked at, which
 * is not the same as there being none.
 */
export type OutageReading =
  | { readonly state: 'clear' }
  | { readonly state: 'outage'; readonly outage: Outage }
  | { readonly state: 'unknown'; readonly reason: string };

/** What a probe exits with: 0 healthy, 1 stale, 2 probe failed. */
export const PROBE_EXIT_CODES = { clear: 0, outage: 1, unknown: 2 } as const satisfies Record<
  OutageReading['state'],
  number
>;

/**
 * Where the marker of a database is kept: in its own folder, or, for one on a server, in the folder
 * for state under a name of its own.
 */
export function outagePath(
  database:
    | { readonly dataDir: string }
    | { readonly url: string }
    | { readonly pool: object }
    | { readonly inMemory: true },
  stateDir: string,
): string | null {
  if ('inMemory' in database) return null;
  if ('dataDir' in database) return resolve(database.dataDir, 'outage.json');
  const name = placeOf('url' in database ? database.url : urlOfPool(database.pool));
  return resolve(
    stateDir,
    `outage-${createHash('sha256').update(name).digest('hex').slice(0, 12)}.json`,
  );
}

/**
 * What a pool of `pg` was made with, as a URL: so that its marker is that of the same database by
 * URL.
 */
function urlOfPool(pool: object): string {
  const options: Readonly<Record<string, unknown>> = Object('options' in pool ? pool.options : {});
  const { connectionString, host = 'localhost', port = 5432, database = '' } = options;
  return typeof connectionString === 'string'
    ? connectionString
    : `postgresql://${String(host)}:${String(port)}/${String(database)}`;
}

/** Host, port and name, however they are written, and whoever logs in. */
function placeOf(url: string): string {
  const parsed = parseDatabaseUrl(url);
  return parsed === null ? url : [parsed.host, parsed.port, parsed.path].join(' ');
}

/**
 * Never throws. A marker that is no JSON (cut off by a full disk, say) still stands for an outage,
 * of the file's own time.
 */
export async function readOutage(path: string, now: Date): Promise<OutageReading> {
  try {
    const outage = parseMarker(await readFile(path, 'utf8')) ?? (await unreadableMarker(path));
    return now.getTime() - Date.parse(outage.time) > VALID_MS
      ? { state: 'clear' }
      : { state: 'outage', outage };
  } catch (error) {
    return isMissing(error) ? { state: 'clear' } : { state: 'unknown', reason: reasonOf(error) };
  }
}

/**
 * Replaces the marker whole. Never throws; false where it could not be written, so that the caller
 * can say so itself.
 */
export async function writeOutage(path: string, outage: Outage): Promise<boolean> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${JSON.stringify({ format: FORMAT, ...outage })}\n`);
    await rename(draft, path);
    return true;
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
    return false;
  }
}

/** After a healthy write. Never throws; false where a marker is still there. */
export async function clearOutage(path: string): Promise<boolean> {
  try {
    await rm(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function parseMarker(text: string): Outage | null {
  let marker: unknown;
  try {
    marker = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof marker !== 'object' || marker === null) return null;
  const { reason, hint, owner, time }: Partial<Record<keyof Outage, unknown>> = marker;
  const isWhole =
    typeof reason === 'string' &&
    typeof hint === 'string' &&
    typeof owner === 'string' &&
    typeof time === 'string';
  return isWhole && !Number.isNaN(Date.parse(time)) ? { reason, hint, owner, time } : null;
}

async function unreadableMarker(path: string): Promise<Outage> {
  const { mtime } = await stat(path);
  return {
    reason: 'a write failed, and the marker that says why is damaged',
    hint: `Run \`contextengine doctor\`, then delete \`${path}\`.`,
    owner: 'unknown',
    time: mtime.toISOString(),
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
