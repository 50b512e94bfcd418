/** What `doctor` states of the ledger, the embedding cache and the mounts. */
import { type ContextEngine, ContextEngineError, type Health } from '../index.ts';
import type { Outage } from '../telemetry/outage.ts';
import { formatMs } from './table.ts';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

export const outageWords = ({ reason, owner, time }: Outage): string =>
  `${time} ${owner} could not write: ${reason}`;

/** Of a week, by space: what each level answered, and what that saved. */
export function cacheChecks(
  days: Awaited<ReturnType<ContextEngine['costs']['embeddings']>>,
): readonly Check[] {
  return [...new Set(days.map(({ space }) => space))].map((space) => {
    const own = days.filter((each) => each.space === space);
    const sum = (count: (day: (typeof own)[number]) => number): number =>
      own.reduce((total, day) => total + count(day), 0);
    const [process, shared, provider] = [
      sum((day) => day.process),
      sum((day) => day.shared),
      sum((day) => day.provider),
    ];
    const share = (part: number): string =>
      `${((100 * part) / Math.max(1, process + shared + provider)).toFixed(1)} %`;
    const saved = own.some(({ saved_usd: usd }) => usd !== null)
      ? `, saved about $${sum((day) => day.saved_usd ?? 0).toFixed(4)}`
      : '';
    return {
      name: 'embedding cache',
      state: 'ok',
      message:
        `${space}, a week: ${share(process)} in process, ${share(shared)} shared, ` +
        `${share(provider)} asked of the provider${saved}`,
    };
  });
}

type Jobs = Awaited<ReturnType<ContextEngine['jobs']['list']>>;

/** What is behind appends: nothing where no capture waits. */
export function captureChecks(jobs: Jobs): readonly Check[] {
  if (jobs.length === 0) return [];
  const failed = jobs.filter(({ failure }) => failure !== null);
  const wait = `${jobs.length} ${jobs.length === 1 ? 'scope waits' : 'scopes wait'} for a capture`;
  if (failed.length === 0) return [{ name: 'captures', state: 'ok', message: wait }];
  const codes = [...new Set(failed.flatMap(({ failure }) => failure?.code ?? []))];
  return [
    {
      name: 'captures',
      state: 'warn',
      message: `${wait}, of ${failed.length} the last try failed: ${codes.join(', ')}`,
      fix: 'See why, and when they are tried again, with `contextengine capture list`.',
    },
  ];
}

/** Clocks further apart than this put what one machine writes into another's future. */
const SKEW_MS = 5000;

export function healthChecks(health: Health, opened: string): readonly Check[] {
  const state = ({ ok: 'ok', degraded: 'warn', down: 'fail' } as const)[health.verdict];
  const message = `opened in ${opened}, answers in ${formatMs(health.latency_ms)}`;
  const { pending_embeddings: pending, clock_skew_ms: skew, outage, ...rest } = health.details;
  const details = detailWords(rest);
  const checks: Check[] = [
    {
      name: 'database',
      state,
      message,
      ...(health.advice.length > 0 ? { fix: health.advice.join(' ') } : {}),
    },
  ];
  if (details !== '') checks.push({ name: 'details', state: 'ok', message: details });
  if (typeof pending === 'number')
    checks.push(
      pending === 0
        ? { name: 'vectors', state: 'ok', message: 'none is missing' }
        : {
            name: 'vectors',
            state: 'warn',
            message: `${pending} are missing`,
            fix: 'Make them with `contextengine doctor --fix`.',
          },
    );
  if (typeof skew === 'number')
    checks.push(
      Math.abs(skew) < SKEW_MS
        ? { name: 'clock', state: 'ok', message: `${formatMs(Math.abs(skew))} from the database's` }
        : {
            name: 'clock',
            state: 'warn',
            message: `${formatMs(Math.abs(skew))} from the database's`,
            fix: 'Set the clocks of both machines by NTP.',
          },
    );
  if (isMarked(outage))
    checks.push({
      name: 'outage',
      state: 'fail',
      message: outageWords(outage),
      fix: `${outage.hint} The next write that succeeds clears the marker.`,
    });
  return checks;
}

/** What the database is; of a connector that tells other things, these by their names. */
function detailWords({
  flavor,
  version,
  vector,
  bytes,
  role,
  spaces,
  is_exclusive: _exclusive,
  vector_type: _type,
  ...others
}: Health['details']): string {
  const name = flavor === 'pglite' ? 'PGlite' : flavor === 'postgres' ? 'PostgreSQL' : null;
  return [
    ...(name === null ? [] : [typeof version === 'string' ? `${name} ${version}` : name]),
    ...(typeof vector === 'string' ? [`pgvector ${vector}`] : []),
    ...(Number(bytes) > 0 ? [`${(Number(bytes) / 1e6).toFixed(1)} MB`] : []),
    ...(typeof role === 'string' && flavor === 'postgres' ? [`as role ${role}`] : []),
    ...(typeof spaces === 'number'
      ? [`${spaces} embedding ${spaces === 1 ? 'space' : 'spaces'}`]
      : []),
    ...Object.entries(others).map(
      ([other, value]) =>
        `${other.replaceAll('_', ' ')} ` +
        `${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    ),
  ].join(', ');
}

const isMarked = (outage: unknown): outage is Outage =>
  typeof outage === 'object' && outage !== null && 'hint' in outage;

/** Each mount of the settings; who does not hold the whole tenant is not shown them. */
export async function mountChecks(
  engine: ContextEngine,
  names: readonly string[],
): Promise<readonly Check[]> {
  if (names.length === 0) return [];
  try {
    return (await engine.mounts.health()).map(mountCheck);
  } catch (error) {
    if (!(error instanceof ContextEngineError) || error.code !== 'PERMISSION.DENIED') throw error;
    const message = `${names.join(', ')}: shown to who holds the whole tenant`;
    return [{ name: 'mounts', state: 'ok', message }];
  }
}

type MountHealth = Awaited<ReturnType<ContextEngine['mounts']['health']>>[number];

function mountCheck({ mount, verdict, lag, latency_ms, advice, details }: MountHealth): Check {
  const { rows, bytes } = details;
  const words = [
    ...(verdict === 'down' ? ['cannot be searched'] : [`answers in ${formatMs(latency_ms)}`]),
    ...(typeof rows === 'number' ? [`${rows} ${rows === 1 ? 'row' : 'rows'}`] : []),
    ...(typeof bytes === 'number' ? [`${(bytes / 1e6).toFixed(1)} MB`] : []),
    ...(verdict === 'down' ? [] : [lag === 0 ? 'up to date' : 'behind the ledger']),
  ];
  return {
    name: `mount ${mount}`,
    state: verdict === 'down' ? 'fail' : advice.length > 0 ? 'warn' : 'ok',
    message: words.join(', '),
    ...(advice.length > 0 ? { fix: advice.join(' ') } : {}),
  };
}
