/** Work of the processor alone, in pieces: others go on between them. */
import { setImmediate } from 'node:timers/promises';

/** Characters that are read between two breaths, some 2 ms of work: no clock is asked. */
const CHARACTERS_BETWEEN = 40;

export interface Breath {
  readonly take: (characters: number) => Promise<void>;
}
export function breathing(): Breath {
  let since = 0;
  return {
    take: async (characters) => {
      since += characters;
      if (since < CHARACTERS_BETWEEN) return;
      await setImmediate();
      since = 0;
    },
  };
}

/** All steps at once. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    // The value of the last is what the work returns.
    if (done === true) return value;
  }
}

/** Step by step; each says how many characters it read. */
export async function withBreath<T>(steps: Generator<number, T>): Promise<T> {
  const breath = breathing();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await breath.take(value);
  }
}
