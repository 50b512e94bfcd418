/** A model behind a server of the protocol: what of its answer is kept. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openaiModel } from '../../src/inference/openai-model.ts';
import { type ModelDouble, openModelDouble } from '../support/model-double.ts';

let double: ModelDouble;
beforeAll(async () => {
  double = await openModelDouble();
});
afterAll(() => double.close());

it.each([
  ['sk-very-secret', '***'],
  // A server of one's own takes any word.
  ['local', 'local'],
])('of the key `%s` its answer keeps `%s`', async (apiKey, kept) => {
  double.reply = () => `Ada runs ${apiKey} models.`;
  const price = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };
  const model = openaiModel({ model: 'double', baseUrl: double.baseUrl, apiKey, ...price });
  const question = { system: 'Answer.', user: '{"pieces":[]}', name: 'facts', schema: {} };
  const { text } = await model.ask({ ...question, mostOutputTokens: 9 });
  expect(text).toBe(`Ada runs ${kept} models.`);
});
