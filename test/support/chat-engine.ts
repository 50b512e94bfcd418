/** An engine in memory for tests of chat loops, by the rights of the local profile. */
import { afterAll, beforeAll } from 'vitest';
import {
  type BoundEngine,
  type ContextEngine,
  createContextEngine,
  LOCAL_PROFILE,
  type Uuid,
} from '../../src/index.ts';

export interface ChatEngine {
  /** Both are there once the tests of the file have begun. */
  readonly engine: ContextEngine;
  readonly bound: BoundEngine;
  readonly newScope: () => Promise<Uuid>;
}

/** Opened before the tests of the file, and closed behind them. */
export function chatEngine(): ChatEngine {
  let engine: ContextEngine;
  let bound: BoundEngine;
  beforeAll(async () => {
    engine = await createContextEngine({ database: { inMemory: true } });
    bound = engine.as(LOCAL_PROFILE);
  });
  afterAll(() => engine.close());
  return {
    get engine() {
      return engine;
    },
    get bound() {
      return bound;
    },
    newScope: async () => (await bound.scopes.create({ type: 'chat_session' })).scope_block_uuid,
  };
}
