import { describe, expect, it } from 'vitest';
import { shortArguments, visibleArguments } from '../../src/render/sent-arguments.ts';

const within =
  (most: number) =>
  (json: string): boolean =>
    json.length <= most;

describe('arguments of a call', () => {
  it('keep their names where their texts are cut, and are cut no more than they need', () => {
    const given = { path: 'a.ts', text: 'const alpha = beta;\n'.repeat(3000), mode: 7 };
    const short = shortArguments(given, within(150));
    expect(Object.keys(short)).toEqual(['path', 'text', 'mode']);
    expect(short).toMatchObject({ path: 'a.ts', mode: 7 });
    expect(short['text']).toMatch(/^const alpha = beta;\n[\s\S]{40,}…$/);
    expect(shortArguments(given, within(100_000))['text']).toHaveLength(121);
    expect(shortArguments(given, within(10))).toEqual({});
    expect(shortArguments({ a: 1 }, within(7))).toEqual({ a: 1 });
  });

  it('say where a list or an object is cut', () => {
    const short = shortArguments({ ids: Array.from({ length: 500 }, (_, n) => n) }, within(90));
    expect(short['ids']).toEqual([...Array.from({ length: 20 }, (_, n) => n), '…']);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key${n}`, n]));
    const kept = shortArguments(many, within(90));
    expect(kept).toMatchObject({ key0: 0, key1: 1, '…': '…' });
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(90);
  });

  it('of any shape are JSON: whole characters, names of their own, whatever the depth', () => {
    const own = JSON.parse('{"__proto__":{"x":"y"},"constructor":2}');
    expect(JSON.stringify(shortArguments(own, within(80)))).toBe(JSON.stringify(own));
    const emoji = shortArguments({ text: '👍'.repeat(300) }, within(60));
    expect(JSON.stringify(emoji)).not.toMatch(/\\ud/);
    let deep: Record<string, unknown> = {};
    for (let at = 0; at < 5000; at++) deep = { deep };
    expect(JSON.stringify(visibleArguments(deep))).toMatch(/^(\{"deep":){101}"…"\}+$/);
  });

  it('have nothing invisible in names and texts', () => {
    expect(
      visibleArguments({ 'a\u{e0041}': ['x\u202ey', { b: 'u\u200bv' }], n: 1.5, none: null }),
    ).toEqual({ a: ['xy', { b: 'uv' }], n: 1.5, none: null });
    const plain = { text: 'a\tb\nc 👩‍👧', list: [], no: false };
    expect(visibleArguments(plain)).toEqual(plain);
  });
});
