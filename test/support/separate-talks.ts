/** What one user says, each statement in a conversation of its own, and what is known of it. */
import { beforeAll, beforeEach } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import type { describeOnDatabases } from './databases.ts';
import { START_MS, type TestClock } from './engines.ts';
import { openLocalEngine } from './local-engine.ts';

const DAY_MS = 86_400_000;
type Open = Parameters<Parameters<typeof describeOnDatabases>[1]>;

export interface SeparateTalks {
  readonly time: TestClock;
  readonly say: (...said: readonly string[]) => Promise<void>;
  readonly told: (state?: 'current' | 'past') => Promise<readonly string[]>;
  /** The turn that said so. */
  readonly forget: (said: string) => Promise<void>;
  /** Of properties: `role=welder`. */
  readonly values: (state?: 'current' | 'past') => Promise<readonly string[]>;
}

/** Registers the hooks: one engine for all tests of the block, a fresh user for each. */
export function separateTalks([open, flavor]: Open, daysApart: number): SeparateTalks {
  let engine: ContextEngine;
  let user: string;
  const turns = new Map<string, string>();
  const time: TestClock = { ms: START_MS };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    time.ms = START_MS;
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
  });
  return {
    time,
    say: async (...said) => {
      for (const content of said) {
        time.ms += daysApart * DAY_MS;
        const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
        const occurred_at = new Date(time.ms);
        const turn = { role: 'user', author: 'Ada', content, occurred_at } as const;
        const { receipts } = await engine.append(made.scope_block_uuid, turn);
        turns.set(content, receipts[0]?.uuid ?? '');
        await engine.capture(made.scope_block_uuid);
      }
    },
    forget: async (said) => void (await engine.forget({ block: turns.get(said) ?? '' })),
    told: async (state = 'current') => {
      const { facts } = await engine.facts.list({ scope: user, state });
      return facts.flatMap(({ row }) => ('content' in row ? [row.content] : [])).sort();
    },
    values: async (state = 'current') => {
      const { facts } = await engine.facts.list({ scope: user, state });
      return facts
        .flatMap(({ row }) => ('content' in row ? [] : [`${row.property}=${String(row.value)}`]))
        .sort();
    },
  };
}
