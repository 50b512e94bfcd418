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

it.each([
  [401, 'INFERENCE.REFUSED', '`apiKey` of the extractor'],
  [403, 'INFERENCE.REFUSED', '`apiKey` of the extractor'],
  // Another model or path is asked for by hand.
  [404, 'INFERENCE.REFUSED', '`model` and `baseUrl`'],
  [429, 'INFERENCE.UNAVAILABLE', 'try again later'],
  [503, 'INFERENCE.UNAVAILABLE', 'try again later'],
])('of %i it throws %s', async (status, code, fix) => {
  double.reply = (_question, response) => {
    response.writeHead(status).end('no: sk-very-secret');
    return null;
  };
  const price = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };
  const key = { baseUrl: double.baseUrl, apiKey: 'sk-very-secret' };
  const model = openaiModel({ model: 'double', ...key, ...price });
  const question = { system: 'Answer.', user: '{"pieces":[]}', name: 'facts', schema: {} };
  await expect(model.ask({ ...question, mostOutputTokens: 9 })).rejects.toMatchObject({
    code,
    retryable: status >= 429,
    message: expect.not.stringContaining('sk-very-secret'),
    fix: expect.stringContaining(fix),
    meta: { status, is_free: true },
  });
});
