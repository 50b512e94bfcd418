/**
 * Engines whose clocks differ over one database: what one wrote, the other sees, and nothing turns
 * around in time.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { checkFilter } from '../../src/cxri/check-filter.ts';
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { isStoredInstant } from '../../src/model/ids.ts';
import { describeOnServer } from '../support/databases.ts';
import { at, openEngine, refusalOf, SEED_MANIFEST, START_MS } from '../support/engines.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Pair {
  readonly ahead: ContextEngine;
  readonly behind: ContextEngine;
  /** Three hours ahead: no drift, but a wrong clock. */
  readonly wrong: ContextEngine;
}

const newScopeOf = async ({ behind }: Pair): Promise<string> =>
  (await behind.scopes.create({ type: 'chat_session' })).scope_block_uuid;

const composeOf = ({ behind }: Pair, scope: string, more: object = {}) =>
  behind.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: 'harbour',
    permission_profile: LOCAL_PROFILE,
    ...more,
  });

function laws(open: () => Promise<Pair>): void {
  let pair: Pair;
  beforeAll(async () => {
    pair = await open();
    return async () => {
      await pair.ahead.close();
      await pair.behind.close();
      await pair.wrong.close();
    };
  });
  seenLaws(() => pair);
  plannedLaws(() => pair);
}

/** What one wrote, the other sees. */
function seenLaws(pairOf: () => Pair): void {
  it('a write of the one that is ahead is seen as soon as its position is reached', async () => {
    const scope = await newScopeOf(pairOf());
    const { position } = await pairOf().ahead.append(scope, { content: 'the harbour is closed' });
    await pairOf().ahead.remember(scope, { content: 'the harbour opens at nine' });
    const composition = await composeOf(pairOf(), scope, { after: position });
    expect(composition.text).toContain('the harbour is closed');
    expect(composition.text).toContain('the harbour opens at nine');
    expect(composition.warnings.map(({ code }) => code)).not.toContain('CLOCK.AHEAD');
    const replayed = await pairOf().behind.replay(composition.composition_id);
    expect(replayed.text).toBe(composition.text);
  });

  it('a turn of the one that is behind stands after the turn that it answers', async () => {
    const scope = await newScopeOf(pairOf());
    await pairOf().ahead.append(scope, { content: 'harbour question', role: 'user' });
    await pairOf().behind.append(scope, { content: 'harbour answer', role: 'assistant' });
    const { text } = await composeOf(pairOf(), scope);
    expect(text.indexOf('harbour question')).toBeGreaterThan(-1);
    expect(text.indexOf('harbour answer')).toBeGreaterThan(text.indexOf('harbour question'));
  });

  it('the later value of a key is the one that was written later, whatever the clocks say', async () => {
    const scope = await newScopeOf(pairOf());
    await pairOf().ahead.setTyped(scope, 'user', 'places', 'city', 'Oslo');
    await pairOf().behind.setTyped(scope, 'user', 'places', 'city', 'Rome');
    await pairOf().behind.setTyped(scope, 'user', 'places', 'city', 'Bergen', { correction: true });
    const rows = [];
    for await (const line of pairOf().behind.exportScope(scope)) rows.push(line);
    const believed = rows
      .map((line) => Object(line['row']) as Record<string, unknown>)
      .filter((row) => row['property'] === 'city' && row['retired_seq'] === null);
    expect(believed.map((row) => [row['value'], row['valid_until'] === null])).toEqual([
      ['Bergen', true],
    ]);
  });
}

/** What is of later, or of a clock that is wrong, is not seen. */
function plannedLaws(pairOf: () => Pair): void {
  it('what is planned stays planned', async () => {
    const scope = await newScopeOf(pairOf());
    await pairOf().ahead.append(scope, { content: 'the harbour is closed' });
    await pairOf().ahead.remember(scope, {
      content: 'the harbour will be sold',
      valid_from: at(START_MS + 40 * MINUTE_MS),
    });
    expect((await composeOf(pairOf(), scope)).text).not.toContain('sold');
  });

  it('a clock that is wrong by more than an hour moves nobody, and the composition says so', async () => {
    const scope = await newScopeOf(pairOf());
    await pairOf().behind.append(scope, {
      content: 'the harbour pass is valid',
      valid_until: at(START_MS + 2 * HOUR_MS),
    });
    await pairOf().wrong.remember(scope, { content: 'from another harbour' });
    const composition = await composeOf(pairOf(), scope);
    expect(composition.text).toContain('the harbour pass is valid');
    expect(composition.text).not.toContain('from another harbour');
    expect(composition.warnings.map(({ code }) => code)).toContain('CLOCK.AHEAD');
  });
}

describeOnServer('two engines', (open) => {
  laws(async () => {
    const { url } = await open();
    const engineAt = (ms: number) =>
      createContextEngine({
        database: { url },
        manifests: SEED_MANIFEST,
        permission_profile: LOCAL_PROFILE,
        clock: () => ms,
      });
    return {
      behind: await engineAt(START_MS),
      ahead: await engineAt(START_MS + 5 * MINUTE_MS),
      wrong: await engineAt(START_MS + 3 * HOUR_MS),
    };
  });
});

describe('one engine on an embedded database whose clock was set back', () => {
  laws(async () => {
    const time = { ms: START_MS };
    const engine = await openEngine({ time, manifests: SEED_MANIFEST });
    const engineAt = (ms: number): ContextEngine =>
      new Proxy(engine, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return async (...args: readonly unknown[]) => {
            time.ms = ms;
            try {
              return await Reflect.apply(member, target, args);
            } finally {
              time.ms = START_MS;
            }
          };
        },
      });
    return {
      behind: engine,
      ahead: engineAt(START_MS + 5 * MINUTE_MS),
      wrong: engineAt(START_MS + 3 * HOUR_MS),
    };
  });
});

describe('a time that the calendar does not have', () => {
  const IMPOSSIBLE = [
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2025-02-29',
    '2026-04-31 10:00',
    '2026-03-01T24:00:00Z',
  ];
  let engine: ContextEngine;
  beforeAll(async () => {
    engine = await openEngine();
    return () => engine.close();
  });

  it.each(IMPOSSIBLE)('%s is refused wherever a time is given', async (time) => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'oracle' });
    const request = {
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: '',
      permission_profile: LOCAL_PROFILE,
    };
    const calls = [
      () => engine.append(scope, { content: 'x', occurred_at: time }),
      () => engine.append(scope, { content: 'x', valid_until: time }),
      () => engine.remember(scope, { content: 'x', valid_from: time }),
      () => engine.setTyped(scope, 'user', 'places', 'city', 'Oslo', { valid_from: time }),
      () => engine.composeBlockContext({ ...request, as_of: time }),
      () => engine.composeBlockContext({ ...request, recorded_as_of: time }),
    ];
    for (const call of calls) {
      const { code, message } = await refusalOf(call());
      expect(code).toBe('CONFIG.INVALID_VALUE');
      expect(message).toContain(time);
    }
  });

  it('is refused by the guard of connectors and by filters as well', () => {
    for (const day of ['2026-02-30', '2025-02-29']) {
      expect(isStoredInstant(`${day}T00:00:00.000Z`)).toBe(false);
      expect(() => checkFilter('blocks', { field: 'occurred_at', gt: day })).toThrow();
    }
    expect(isStoredInstant('2024-02-29T00:00:00.000Z')).toBe(true);
    expect(() => checkFilter('blocks', { field: 'occurred_at', gt: '2024-02-29' })).not.toThrow();
  });
});
