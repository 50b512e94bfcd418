/** How far a long command is: one unit from beginning to end, and the time that is left. */
import { withCommas } from './table.ts';

const COLUMNS = 20;
/** Before that the rate says little. */
const LEAST_MS = 1000;

export interface Done {
  readonly done: number;
  readonly all: number;
  /** Since the first. */
  readonly ms: number;
}

/** `████░░░░  200 of 400 records, 3 s left`. */
export function barOf({ done, all, ms }: Done): string {
  const share = all === 0 ? 1 : Math.min(1, done / all);
  const filled = Math.floor(share * COLUMNS);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(COLUMNS - filled)}`;
  const left = ms < LEAST_MS || done === 0 ? '' : `, ${timeWords((ms / done) * (all - done))} left`;
  return `${bar}  ${withCommas(done)} of ${withCommas(all)} records${left}`;
}

function timeWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
