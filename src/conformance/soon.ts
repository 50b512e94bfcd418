/** The wait of a law for what comes by itself. */
import assert from 'node:assert/strict';

/** Rejects where `event` takes longer than the patience. */
export async function soon<T>(
  event: Promise<T>,
  what: string,
  { patienceMs }: { readonly patienceMs: number },
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${what} did not come within ${patienceMs} ms`;
    timer = setTimeout(() => reject(new assert.AssertionError({ message })), patienceMs);
  });
  return Promise.race([event, late]).finally(() => clearTimeout(timer));
}
