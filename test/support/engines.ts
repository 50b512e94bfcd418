/**
 * Engines for tests: a clock that the test sets, ids that do not change between runs, and refusals
 * as values.
 */
import {
  type ContextEngine,
  ContextEngineError,
  createContextEngine,
  type EngineOptions,
  type ErrorCode,
  type WriteResult,
} from '../../src/index.ts';

export const ORACLE_MANIFESTS = new URL('./fixtures/oracle', import.meta.url).pathname;
export const SEED_MANIFEST = new URL('./fixtures/seed-chat-session.yaml', import.meta.url).pathname;

export interface TestClock {
  ms: number;
}
export const START_MS = Date.parse('2026-03-01T09:00:00.000Z');
export const at = (ms: number): string => new Date(ms).toISOString();

/** Embedded and gone at close, with the manifests of the package unless others are given. */
export const openEngine = (
  options: EngineOptions & { readonly time?: TestClock } = {},
): Promise<ContextEngine> => {
  const { time, ...engine } = options;
  return createContextEngine({
    database: { inMemory: true },
    manifests: ORACLE_MANIFESTS,
    ...engine,
    ...(time && { clock: () => time.ms }),
  });
};

/** The error that a call must end in; a call that succeeds fails the test by its name. */
export async function refusalOf(call: Promise<unknown>): Promise<ContextEngineError> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in answer && answer.error instanceof ContextEngineError) return answer.error;
  throw new Error(
    `expected a ContextEngineError, got ${JSON.stringify(answer)} ${'error' in answer ? String(answer.error) : ''}`,
  );
}

/** The tier that a write waits for; it wrote nothing. A write that did not wait fails the test. */
export async function waitsFor(
  call: Promise<WriteResult | { readonly result: WriteResult }>,
): Promise<'T2' | 'T3'> {
  const answer = await call;
  const result = 'result' in answer ? answer.result : answer;
  const { receipts, counts, position, proposal } = result;
  const isWaiting = counts.quarantined === receipts.length && position.length === 0;
  if (proposal && isWaiting) return proposal.tier;
  throw new Error(`expected a write that waits, got ${JSON.stringify(answer)}`);
}

/** What every refusal owes: its code, a message with a value in backticks, and a fix. */
export const told = (
  error: ContextEngineError,
): { code: ErrorCode; hasValue: boolean; hasFix: boolean } => ({
  code: error.code,
  hasValue: /`[^`]+`/.test(error.message),
  hasFix: error.fix.length > 10,
});
export const refusedAs = (code: ErrorCode): ReturnType<typeof told> => ({
  code,
  hasValue: true,
  hasFix: true,
});
