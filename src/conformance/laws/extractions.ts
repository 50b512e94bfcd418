/** Laws of extractions: one call at a time, its answer kept, a cap that holds beforehand. */
import assert from 'node:assert/strict';
import type { ExtractionAnswer, ExtractionRequest } from '../../cxri/ports/extractions.ts';
import type { ExtractionKey } from '../../model/extraction.ts';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';

const request = (of: ExtractionKey, more: Partial<ExtractionRequest> = {}): ExtractionRequest => ({
  ...of,
  attempt: 1,
  to_seq: of.from_seq + 4,
  segments: [{ source_uuid: of.scope_uuid, start: 0, end: 9 }],
  asked_until: day(2),
  manifest: 'chat-session',
  model: 'small',
  day: '2026-05-01',
  most_usd: 0.4,
  cap_usd: 1,
  asked_at: day(1),
  ...more,
});
const answered = (of: ExtractionKey, more: Partial<ExtractionAnswer> = {}): ExtractionAnswer => ({
  ...of,
  attempt: 1,
  state: 'answered',
  answer: '{"facts": []}',
  usd: 0.1,
  input_tokens: 10,
  output_tokens: 5,
  ...more,
});

export const extractions: readonly Law[] = [
  {
    name: 'an answer of a model is kept as it came, once, until it is dropped',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer: 'model/1', scope_uuid: await lab.scope(connection), from_seq: 1 };
      assert.deepEqual(await connection.extractionsOf(lab.tenant, of), []);
      const asked = request(of);
      assert.deepEqual(await connection.reserveExtraction(lab.tenant, asked), {
        outcome: 'reserved',
      });
      assert.deepEqual(await connection.reserveExtraction(lab.tenant, asked), { outcome: 'taken' });
      const { attempt, to_seq, segments, asked_until } = asked;
      const kept = { ...of, attempt, to_seq, segments, asked_until };
      assert.deepEqual(await connection.extractionsOf(lab.tenant, of), [
        { ...kept, state: 'asked', answer: null },
      ]);
      await connection.settleExtraction(lab.tenant, answered(of));
      await connection.settleExtraction(lab.tenant, answered(of, { answer: 'another', usd: 9 }));
      const answer = { ...kept, state: 'answered', answer: '{"facts": []}' };
      assert.deepEqual(await connection.extractionsOf(lab.tenant, of), [answer]);
      assert.deepEqual(await connection.extractionsOf(lab.otherTenant, of), []);
      await connection.dropAnswers(lab.tenant, of);
      assert.deepEqual(await connection.extractionsOf(lab.tenant, of), [
        { ...answer, answer: null },
      ]);
    },
  },
  {
    name: 'a call is reserved by one of two workers, and no cap is passed by both together',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      const keys = Array.from({ length: 5 }, (_, index) => ({
        consumer: 'model/1',
        scope_uuid,
        from_seq: 1 + index * 10,
      }));
      const outcomes = await Promise.all(
        keys.map((of) => connection.reserveExtraction(lab.tenant, request(of))),
      );
      const granted = keys.filter((_, index) => outcomes[index]?.outcome === 'reserved');
      assert.equal(granted.length, 2);
      const over = outcomes.find(({ outcome }) => outcome === 'over');
      assert.ok(over?.outcome === 'over' && Math.abs(over.spent_usd - 0.8) < 1e-9);
      const [first] = granted;
      assert.ok(first);
      await connection.settleExtraction(lab.tenant, answered(first, { usd: 0.1 }));
      const next = { ...first, from_seq: 90 };
      assert.deepEqual(await connection.reserveExtraction(lab.tenant, request(next)), {
        outcome: 'reserved',
      });
      const tomorrow = request({ ...first, from_seq: 91 }, { day: '2026-05-02' });
      assert.deepEqual(await connection.reserveExtraction(lab.tenant, tomorrow), {
        outcome: 'reserved',
      });
    },
  },
  {
    name: 'costs add up by scope, manifest, day and model, of the scopes asked for alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope_uuid, other] = [await lab.scope(connection), await lab.scope(connection)];
      for (const [index, scope] of [scope_uuid, scope_uuid, other].entries()) {
        const of = { consumer: 'model/1', scope_uuid: scope, from_seq: index + 1 };
        await connection.reserveExtraction(lab.tenant, request(of, { most_usd: 0.25 }));
        if (index > 0) await connection.settleExtraction(lab.tenant, answered(of, { usd: 0.125 }));
      }
      const asked = { from_day: '2026-05-01', to_day: '2026-05-01', limit: 10 };
      const of = { manifest: 'chat-session', day: '2026-05-01', model: 'small' };
      assert.deepEqual(await connection.listCosts(lab.tenant, { ...asked, scopes: [scope_uuid] }), [
        { ...of, scope_uuid, calls: 2, input_tokens: 10, output_tokens: 5, usd: 0.375 },
      ]);
      const both = { ...asked, scopes: [scope_uuid, other] };
      assert.equal((await connection.listCosts(lab.tenant, both)).length, 2);
      assert.equal((await connection.listCosts(lab.tenant, { ...both, limit: 1 })).length, 1);
      assert.deepEqual(await connection.listCosts(lab.otherTenant, both), []);
      const later = { ...both, from_day: '2026-05-02', to_day: '2026-05-09' };
      assert.deepEqual(await connection.listCosts(lab.tenant, later), []);
    },
  },
];
