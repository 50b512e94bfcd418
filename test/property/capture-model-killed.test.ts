/**
 * A capture by a model that dies at any call: whoever goes on acts on the answer that was kept, and
 * asks again only where none was.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { StructuredModel } from '../../src/inference/structured-model.ts';
import { capture, makeWorld, memoryOf, say } from '../support/capture-world.ts';
import { type Fault, faulty } from '../support/faulty.ts';

interface Counting extends StructuredModel {
  calls: number;
}

/** Answers another thing each time that it is asked. */
function model(): Counting {
  const self: Counting = {
    model: 'double',
    price: { input_usd_per_million: 0.1, output_usd_per_million: 0.1 },
    patienceMs: 1000,
    calls: 0,
    ask: async () => {
      self.calls += 1;
      const content = self.calls === 1 ? 'Ada likes tea.' : 'Ada likes coffee.';
      const fact = { segment: 0, content, class: 'fact', subject: 'Ada', confidence: 1 };
      return {
        text: JSON.stringify({ facts: [fact], properties: [] }),
        input_tokens: 10,
        output_tokens: 10,
      };
    },
  };
  return self;
}

async function world(): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  await say(authority, [{ role: 'user', text: 'I like tea. I like coffee.' }]);
  return authority;
}

/** Lost before it could be kept, or reserved by one who died: the two that are asked again. */
const ASKS_AGAIN = /settleExtraction$/;

describe('a capture by a model', () => {
  it.each<[Fault]>([['before'], ['after']])('dies %s any of its calls', async (fault) => {
    const right = await world();
    const counted = faulty(right, 0);
    await capture(counted.authority, { model: model() });
    const memory = await memoryOf(right);
    for (let failAt = 1; failAt <= counted.calls(); failAt += 1) {
      const authority = await world();
      const asked = model();
      await capture(faulty(authority, failAt, fault).authority, { model: asked }).catch(() => null);
      const later = await capture(authority, { model: asked, minute: 100_010 });
      const name = counted.log[failAt - 1] ?? '';
      const where = `${fault} call ${failAt} (${name})`;
      expect(later.waiting, where).toBeNull();
      if (fault === 'before' && ASKS_AGAIN.test(name)) expect(asked.calls, where).toBe(2);
      else {
        expect(asked.calls, where).toBe(1);
        expect(await memoryOf(authority), where).toEqual(memory);
      }
    }
  });

  it('is asked once by two workers at once', async () => {
    const authority = await world();
    const asked = model();
    const answers = await Promise.all([
      capture(authority, { model: asked }),
      capture(authority, { model: asked }),
    ]);
    expect(asked.calls).toBe(1);
    const receipts = answers.flatMap((answer) => answer.receipts);
    expect(receipts.length).toBeGreaterThanOrEqual(1);
    expect(new Set(receipts.map((receipt) => receipt.capture_uuid)).size).toBe(1);
  });
});
