/** What people write of passwords, codes and keys, and what they say about them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`../support/fixtures/capture/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('# '));

const secrets = linesOf('secrets.txt');
const innocent = linesOf('no-secrets.txt');

describe('a secret', () => {
  it('is known in at least 60 sentences', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(60);
    expect(secrets.filter((text) => !hasSecret(text))).toEqual([]);
  });

  it('is declined as one by the gate, whatever it says else', () => {
    const reasonsOf = (text: string) =>
      [...gatedPieces(turnOf(text), gating)].map(({ verdict }) =>
        verdict.isKept ? 'kept' : verdict.reason,
      );
    expect(secrets.filter((text) => !reasonsOf(text).includes('secret'))).toEqual([]);
  });

  it('is not in at least 50 sentences about them', () => {
    expect(innocent.length).toBeGreaterThanOrEqual(50);
    expect(innocent.filter(hasSecret)).toEqual([]);
  });

  it.each([
    ['no width', 'my p\u200bass\u00adword is Sunny77'],
    ['Cyrillic', 'my р\u0430ssword is Sunny77'],
    ['Greek', 'my ΡΙΝ is 4711'],
    ['full width', 'ｍｙ ＰＩＮ ｉｓ ４７１１'],
    ['hyphens', 'My Wi‑Fi password is Sunny77'],
    ['quotes', 'My password’s Sunny77'],
  ])('is read as it looks: %s', (_, text) => {
    expect(hasSecret(text)).toBe(true);
  });

  it('leaves words of another script', () => {
    expect(hasSecret('Мой пароль сменили в 2019 году, и я живу в Москве.')).toBe(false);
  });

  it.each([
    'key-',
    'a-b_',
    'A1-',
    'my password is ',
    'the code for ',
    'log in with ann and ',
    '1 ',
    '12, ',
    'witch ',
    'password "',
    'аb ',
    'a b ',
    'A1b2 ',
    'DE89 3704 ',
    'one ',
    'my x is ann@x.de tiger ',
    'get in with ',
    'use the password ',
    'orbit ',
    'set code on to ',
    'geht mit ',
    '= ',
  ])('is looked for in linear time: %j', (unit) => {
    const text = unit.repeat(Math.ceil(102_400 / unit.length));
    const start = performance.now();
    hasSecret(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
