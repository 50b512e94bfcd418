/** OPENAI_API_KEY reaches the endpoint through the engine, whoever made its options. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openEngine } from '../support/engines.ts';

let server: Server;
let keys: (string | undefined)[];
beforeEach(async () => {
  keys = [];
  server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume().on('end', () => {
      const answer = { data: [{ index: 0, embedding: [1, 2] }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it.each<[string, { readonly apiKey?: string }, string]>([
  ['the environment', {}, 'Bearer of-the-environment'],
  ['the caller first', { apiKey: 'of-the-caller' }, 'Bearer of-the-caller'],
])('an engine takes the key of %s', async (_name, own, expected) => {
  vi.stubEnv('OPENAI_API_KEY', 'of-the-environment');
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await using engine = await openEngine({
    embedder: { provider: 'openai', model: 'm', dimensions: 2, baseUrl, ...own },
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
  await engine.remember(scope, { content: 'the boiler is in the attic' });
  expect(keys).toEqual([expected]);
});
