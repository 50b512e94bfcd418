/** Tokens of providers: each known format, formats that no rule has, and what only looks like one. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { isShown } from '../../src/capture/model/model-extract.ts';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';
import { hasPublishedToken, tokenRules } from '../../src/capture/secrets/published-tokens.ts';
import { gating, turnOf } from '../support/capture-turns.ts';
import { tokensOf } from '../support/random-tokens.ts';

const FRAMES = [
  (token: string) => `We use ${token} on the build box.`,
  (token: string) => `I always use ${token}.`,
  (token: string) => `My favourite one is "${token}", and I live in Oslo.`,
];
const EACH = 6;
const rules = tokenRules();
const told = (token: string, at: number): string => (FRAMES[at % FRAMES.length] ?? String)(token);

const isDeclined = (text: string): boolean => {
  const pieces = [...gatedPieces(turnOf(text), gating)];
  return pieces.some(({ verdict }) => !verdict.isKept && verdict.reason === 'secret');
};
const isHidden = (text: string, token: string): boolean =>
  [...gatedPieces(turnOf(text), gating)]
    .filter(isShown)
    .every(({ whole }) => !whole.text.includes(token));

describe('a token of a provider', () => {
  it('is known in at least 60 formats', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))('is declined: %s', (_, rule) => {
    const texts = tokensOf(rule.expression, EACH).map((token, at) => [told(token, at), token]);
    expect(texts.filter(([text = '']) => !isDeclined(text))).toEqual([]);
    expect(texts.filter(([text = '', token = '']) => !isHidden(text, token))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))('has a keyword: %s', (_, rule) => {
    const without = tokensOf(rule.expression, 20).filter(
      (token) => !rule.keywords.some((keyword) => token.toLowerCase().includes(keyword)),
    );
    expect(without).toEqual([]);
  });

  it.each([
    ['small letters and digits', /acme_live_[a-z0-9]{40}/],
    ['hex', /zeta-[0-9a-f]{32}/],
    ['letters of both kinds', /qix\.[A-Za-z0-9]{36}/],
    ['with marks', /corp_[A-Za-z0-9_-]{48}/],
    ['in two parts', /zq1\.[A-Z0-9]{24}\.[A-Z0-9]{40}/],
    ['behind a number', /[1-9][0-9]{8}:[A-Za-z0-9_-]{35}/],
    ['behind a slash', /[1-9][0-9]{8}\/[A-Za-z0-9_-]{35}/],
    ['without a prefix', /[A-Za-z0-9_-]{43}/],
    ['small, without a prefix', /[a-z0-9]{40}/],
    ['as a value', /ACME=zed_[a-z0-9]{40}/],
  ])('of an unknown provider is declined: %s', (_, expression) => {
    const texts = tokensOf(expression, 100).map(told);
    // One of a hundred may look like words by chance.
    expect(texts.filter((text) => !isDeclined(text)).length).toBeLessThanOrEqual(1);
  });

  it('is none in technical sentences without a secret', () => {
    const file = new URL('../support/fixtures/capture/technical.txt', import.meta.url);
    const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    expect(lines.length).toBeGreaterThanOrEqual(60);
    expect(lines.filter(hasSecret)).toEqual([]);
  });
});

const LENGTH = 102_400;
const timeOf = (text: string): number => {
  const start = performance.now();
  hasPublishedToken(text);
  hasSecret(text);
  return performance.now() - start;
};

describe('the time of looking for tokens', () => {
  const keywords = [...new Set(rules.flatMap((rule) => rule.keywords))];

  it.each(['a', 'A1', 'a.', 'a-', '0:', 'a_1/', 'x1=', '1:'])('is linear: %j', (unit) => {
    expect(timeOf(unit.repeat(LENGTH / unit.length))).toBeLessThan(2000);
  });

  it('is linear in text dense with keywords', () => {
    expect(timeOf(keywords.join('').repeat(200).slice(0, LENGTH))).toBeLessThan(2000);
    expect(timeOf(keywords.join('a1').repeat(200).slice(0, LENGTH))).toBeLessThan(2000);
    const slow = keywords
      .map((keyword) => [keyword, timeOf(keyword.repeat(LENGTH / 8).slice(0, LENGTH / 4))] as const)
      .filter(([, spent]) => spent > 1000);
    expect(slow).toEqual([]);
  });
});
