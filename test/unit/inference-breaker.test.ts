import { describe, expect, it } from 'vitest';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { createBreaker, withBreaker } from '../../src/inference/breaker.ts';
import type { Embedder } from '../../src/inference/embedder.ts';

const outage = new ContextEngineError('INFERENCE.UNAVAILABLE', { message: 'down', fix: 'wait' });
const deadline = new ContextEngineError('CONNECTOR.DEADLINE', { message: 'late', fix: 'wait' });
const fail = (error: Error) => (): Promise<never> => Promise.reject(error);
const succeed = async (): Promise<string> => 'fine';

function machine() {
  const clock = { ms: 0 };
  const breaker = createBreaker({
    subject: 'test/m/2',
    failures: 2,
    halfOpenAfterMs: 1000,
    now: () => clock.ms,
  });
  const failTimes = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      await expect(breaker.run(fail(outage))).rejects.toBe(outage);
  };
  return { clock, breaker, failTimes };
}

describe('createBreaker', () => {
  it('opens after failures in a row and then asks nothing', async () => {
    const { clock, breaker, failTimes } = machine();
    await failTimes(1);
    await breaker.run(succeed);
    await failTimes(1);
    expect(breaker.state()).toBe('closed');
    await failTimes(1);
    expect(breaker.state()).toBe('open');
    clock.ms = 400;
    let calls = 0;
    const asked = breaker.run(async () => {
      calls += 1;
    });
    await expect(asked).rejects.toMatchObject({
      code: 'INFERENCE.UNAVAILABLE',
      message: expect.stringContaining('test/m/2'),
      meta: { retry_after_ms: 600 },
    });
    expect(calls).toBe(0);
  });

  it('lets one call through after the wait: a success closes it, a failure opens it again', async () => {
    const { clock, breaker, failTimes } = machine();
    await failTimes(2);
    clock.ms = 1000;
    expect(breaker.state()).toBe('half_open');
    await failTimes(1);
    expect(breaker.state()).toBe('open');
    clock.ms = 2000;
    let finish: (value: string) => void = () => undefined;
    const probe = breaker.run(
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await expect(breaker.run(succeed)).rejects.toMatchObject({ code: 'INFERENCE.UNAVAILABLE' });
    finish('fine');
    expect(await probe).toBe('fine');
    expect(breaker.state()).toBe('closed');
    await failTimes(1);
    expect(breaker.state()).toBe('closed');
  });

  it('counts only outages: a caller that gives up says nothing of the provider', async () => {
    const { clock, breaker, failTimes } = machine();
    for (let time = 0; time < 5; time += 1)
      await expect(breaker.run(fail(deadline))).rejects.toBe(deadline);
    expect(breaker.state()).toBe('closed');
    await failTimes(2);
    clock.ms = 1000;
    await expect(breaker.run(fail(deadline))).rejects.toBe(deadline);
    expect(breaker.state()).toBe('half_open');
    expect(await breaker.run(succeed)).toBe('fine');
  });
});

describe('what a breaker takes for a failure', () => {
  it('is a key that is refused; while it is open it says that, and what to do', async () => {
    const { clock, breaker } = machine();
    const refused = new ContextEngineError('INFERENCE.REFUSED', { message: 'no', fix: 'the key' });
    for (let time = 0; time < 2; time += 1)
      await expect(breaker.run(fail(refused))).rejects.toBe(refused);
    expect(breaker.state()).toBe('open');
    const [code, fix] = ['INFERENCE.REFUSED', 'the key'];
    await expect(breaker.run(succeed)).rejects.toMatchObject({ code, fix, retryable: false });
    clock.ms = 1000;
    await expect(breaker.run(fail(outage))).rejects.toBe(outage);
    await expect(breaker.run(succeed)).rejects.toMatchObject({ code: 'INFERENCE.UNAVAILABLE' });
  });

  it('is no text that was refused', async () => {
    const { breaker } = machine();
    for (const status of [400, 413, 422, 400]) {
      const refused = new ContextEngineError('INFERENCE.UNAVAILABLE', {
        message: 'no',
        fix: 'no',
        meta: { status },
      });
      await expect(breaker.run(fail(refused))).rejects.toBe(refused);
    }
    expect(breaker.state()).toBe('closed');
  });

  it('is one that ran out of patience, if it had half a second', async () => {
    const { clock, breaker } = machine();
    const givenUpAfter = (ms: number) =>
      breaker.run(
        async () => {
          clock.ms += ms;
          throw deadline;
        },
        () => true,
      );
    for (let time = 0; time < 5; time += 1) await expect(givenUpAfter(499)).rejects.toBe(deadline);
    expect(breaker.state()).toBe('closed');
    for (let time = 0; time < 2; time += 1) await expect(givenUpAfter(500)).rejects.toBe(deadline);
    expect(breaker.state()).toBe('open');
  });

  it('is not undone by a call that began before', async () => {
    const { breaker, failTimes } = machine();
    let finish: (value: string) => void = () => undefined;
    const slow = breaker.run(
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await failTimes(2);
    finish('late');
    expect(await slow).toBe('late');
    expect(breaker.state()).toBe('open');
  });
});

describe('withBreaker', () => {
  it('stands before an embedder', async () => {
    let calls = 0;
    const inner: Embedder = {
      space: { provider: 'test', model: 'm', dimensions: 2 },
      async embed() {
        calls += 1;
        throw outage;
      },
      async close() {},
    };
    const guarded = withBreaker(inner, { failures: 1, halfOpenAfterMs: 10, now: () => 0 });
    await expect(guarded.embed(['a'], { kind: 'query' })).rejects.toBe(outage);
    await expect(guarded.embed(['a'], { kind: 'query' })).rejects.toMatchObject({
      meta: { circuit: 'open' },
    });
    expect(calls).toBe(1);
    expect(guarded.space).toBe(inner.space);
  });
});
