/**
 * How much work the lint takes on. Code can be written so that following it never ends, or so that
 * the compiler runs out of stack; such code is a finding, not a crash and not a wait.
 */
import type { Finding } from '../codes/finding.ts';
import { findingAt } from './code-findings.ts';

/** One file. Chosen: several times what a person writes. */
export const MAX_FILE_BYTES = 4_194_304;
/** All files together. Chosen: their texts stay in memory. */
export const MAX_CODE_BYTES = 134_217_728;
/**
 * Levels of syntax in syntax. Chosen: far beyond code, and below where the compiler's recursion
 * ends.
 */
export const MAX_NESTING = 1000;
/** Steps for one call. Chosen. */
const STEPS_OF_CALL = 100_000;
/** Steps for all code. Chosen: five calls that take all of theirs. */
const STEPS_OF_ALL = 500_000;

/** Unwinds from work that has become too much; caught where a call is judged, and nowhere else. */
class TooManySteps extends Error {}

export interface Steps {
  /** Counts steps. Throws where there are none left. */
  spend(steps: number): void;
  /** Begins another call. */
  begin(): void;
}

export function createSteps(): Steps {
  let ofAll = STEPS_OF_ALL;
  let ofCall = STEPS_OF_CALL;
  return {
    spend(steps) {
      ofAll -= steps;
      ofCall -= steps;
      if (ofCall < 0 || ofAll < 0) throw new TooManySteps();
    },
    begin() {
      ofCall = STEPS_OF_CALL;
    },
  };
}

export const isOutOfStack = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/i.test(error.message);

/**
 * Runs work that may turn out too much: then its place is a finding, and the answer is undefined.
 */
export function within<T>(
  work: () => T,
  limited: (why: string, error: unknown) => void,
): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TooManySteps) limited('takes too many steps to follow', error);
    else if (isOutOfStack(error)) limited('is nested too deeply to follow', error);
    else throw error;
    return undefined;
  }
}

/** A file, or all of it from here on, that is not judged. */
export const fileLimit = (file: string, why: string): Finding =>
  findingAt(
    'CODE.LIMIT',
    { file, line: 1, column: 1 },
    {
      message: `The file ${why}: it is not judged.`,
      fix:
        "Take it away (`--code '!path'`) if it calls nothing of the package, or make it " +
        'simpler.',
    },
  );

/** A folder that is not looked into. */
export const folderLimit = (file: string, why: string): Finding =>
  findingAt(
    'CODE.LIMIT',
    { file, line: 1, column: 1 },
    {
      message: `The folder ${why}: the code in it is not judged.`,
      fix: 'Name the code by narrower globs, or make the folder readable.',
    },
  );
