/** The key of the hosted endpoint: promised by a fix text, read from the environment. */
import { describe, expect, it } from 'vitest';
import { withEnvironmentKey } from '../../src/engine/embedder-key.ts';
import { codeFiles } from '../support/source-files.ts';

const hosted = { provider: 'openai', model: 'm', dimensions: 8 } as const;
const env = { OPENAI_API_KEY: 'the key' };

describe('OPENAI_API_KEY', () => {
  it('goes to the openai embedder', () => {
    expect(withEnvironmentKey(hosted, env)).toEqual({ ...hosted, apiKey: 'the key' });
  });

  it('gives way to a key of the caller', () => {
    const own = { ...hosted, apiKey: 'my own' };
    expect(withEnvironmentKey(own, env)).toEqual(own);
  });

  it.each([{}, { OPENAI_API_KEY: '' }])('is absent in %j', (none) => {
    expect(withEnvironmentKey(hosted, none)).toEqual(hosted);
  });

  it('goes to no other embedder', () => {
    const local = { ...hosted, provider: 'transformers' } as const;
    for (const other of ['builtin', 'off', local] as const)
      expect(withEnvironmentKey(other, env)).toBe(other);
  });
});

describe('variables of the environment', () => {
  it('that a text of the command line names are read', () => {
    const texts = codeFiles(['src/cli', 'src/engine', 'src/inference', 'src/settings']).map(
      ({ text }) => text,
    );
    const all = texts.join('\n');
    const named = new Set(all.match(/\b(?:CONTEXTENGINE_[A-Z_]+|[A-Z]+_API_KEY)\b/g));
    // By its name, or as the variable that an option of a provider states: `withEnvironmentKey`
    // reads those.
    const isRead = (name: string) =>
      new RegExp(`env\\??\\.?[([]'?${name}|env\\.${name}|env: '${name}'`).test(all);
    expect(named.size).toBeGreaterThan(4);
    expect([...named].filter((name) => !isRead(name))).toEqual([]);
  });
});
