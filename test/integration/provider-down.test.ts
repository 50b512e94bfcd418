/**
 * Days on which the embedding provider fails or hangs: the search is text alone and says so, and
 * nobody waits for long.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Composition,
  type ContextEngine,
  ContextEngineError,
  type Embedder,
  LOCAL_PROFILE,
} from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const ask = (engine: ContextEngine, scope: string, more: object): Promise<Composition> =>
  engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query: 'where is the boiler?',
    permission_profile: LOCAL_PROFILE,
    ...more,
  });

describe('a search of facts', () => {
  it('goes by words where the embedder fails, and embeds the beginning of a long query', async () => {
    const lengths: number[] = [];
    const failing: Embedder = {
      space: { provider: 'test', model: 'failing', dimensions: 2 },
      embed: async (texts, { kind }) => {
        if (kind === 'document') return texts.map(() => [1, 0]);
        lengths.push(...texts.map((text) => text.length));
        throw new ContextEngineError('INFERENCE.DIMENSIONS', { message: 'It is off.', fix: '-' });
      },
      close: async () => {},
    };
    await using engine = await openEngine({ embedder: failing });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    await engine.remember(scope, { content: 'the boiler is in the attic' });
    const query = `boiler ${'.'.repeat(9_000)}`;
    const found = await engine.facts.search(query, { scope });
    const composition = await ask(engine, scope, { query });
    expect(found).toMatchObject([{ row: { content: 'the boiler is in the attic' } }]);
    expect(composition.text).toContain('the boiler is in the attic');
    expect(lengths.slice(0, 2)).toEqual([8_000, 8_000]);
  });
});

describe('an embedder that hangs at queries', () => {
  const hanging: Embedder = {
    space: { provider: 'test', model: 'hanging', dimensions: 2 },
    embed: (texts, { kind }) =>
      kind === 'query' ? new Promise(() => {}) : Promise.resolve(texts.map(() => [1, 0])),
    close: async () => {},
  };

  it('has half of the deadline: the other half serves what the words find', async () => {
    await using engine = await openEngine({ embedder: hanging });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    await engine.remember(scope, { content: 'the boiler is in the attic' });
    // The first composition of a process loads tokenizer and word table.
    await ask(engine, scope, { query: '' });
    const composition = await ask(engine, scope, { deadline_ms: 3000.5 });
    expect(composition.degraded).toMatchObject([
      { part: 'embedding', reason: expect.stringContaining('more than half of the time') },
    ]);
    expect(composition.text).toContain('the boiler is in the attic');
  });

  it('is left when the caller leaves', async () => {
    await using engine = await openEngine({ embedder: hanging });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 50);
    expect(
      (await refusalOf(ask(engine, scope, { signal: leaving.signal, deadline_ms: 20_000 }))).code,
    ).toBe('CONNECTOR.DEADLINE');
  });
});

describe('an endpoint that answers 500', () => {
  let server: Server;
  let asked: number;
  beforeEach(async () => {
    asked = 0;
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        asked += 1;
        response
          .writeHead(500, { 'x-should-retry': 'false' })
          .end('{"error": {"message": "on fire"}}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is asked three times, and then left alone: writes stay pending, compositions are degraded', async () => {
    const { port } = server.address() as AddressInfo;
    await using engine = await openEngine({
      embedder: {
        provider: 'openai',
        model: 'm',
        dimensions: 4,
        baseUrl: `http://127.0.0.1:${port}/v1`,
      },
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const { receipts } = await engine.remember(scope, { content: 'the boiler is in the attic' });
    expect(receipts[0]).toMatchObject({ outcome: 'stored', embedding: 'pending' });
    const reasons: string[] = [];
    for (const query of [
      'where is the boiler?',
      'is there a boiler?',
      'which boiler?',
      'whose boiler?',
    ]) {
      const { degraded, text } = await ask(engine, scope, { query });
      expect(text).toContain('the boiler is in the attic');
      reasons.push(degraded[0]?.reason ?? 'not degraded');
    }
    expect(asked).toBe(3);
    expect(reasons[1]).toContain('on fire');
    expect(reasons[3]).toContain('is left alone for another');
    expect(await engine.embedPending()).toEqual({ embedded: 0, pending: 1 });
    expect(asked).toBe(3);
  });
});
