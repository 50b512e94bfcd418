import { describe, expect, it } from 'vitest';
import {
  type DiverseItem,
  type DiversitySettings,
  diversify as diversifyBy,
} from '../../src/scoring/diversity.ts';

const item = (
  uuid: string,
  score: number,
  text: string,
  more: Partial<DiverseItem> = {},
): DiverseItem => ({
  uuid,
  score,
  text,
  valid_from: '2026-01-01T00:00:00.000Z',
  ...more,
});
const diversify = (items: readonly DiverseItem[], settings: Partial<DiversitySettings>) =>
  diversifyBy(items, { lambda: 1, nearDuplicate: 0.92, ...settings });
const ids = (items: readonly DiverseItem[]): string => items.map(({ uuid }) => uuid).join('');
const LONG =
  'the export service writes one file per tenant into the archive bucket every night and reports its size afterwards to the operations channel for review by the team on call';

describe('diversify over several scopes', () => {
  const far = { depth: 1, place: 1 };
  const farther = { depth: 2, place: 2 };

  it('puts the nearest scope first where scores do not tell items apart', () => {
    const kept = (...items: readonly DiverseItem[]): string =>
      ids(diversify(items, { lambda: 1 }).kept);
    const [a, b, c] = ['a plan', 'some thing', 'the rest'];
    expect(kept(item('1', 0.5, a, farther), item('2', 0.5, b, far), item('3', 0.5, c))).toBe('321');
    expect(kept(item('1', 0.5009, a, far), item('2', 0.5, b))).toBe('21');
    expect(kept(item('1', 0.5011, a, far), item('2', 0.5, b))).toBe('12');
    expect(kept(item('1', 0.5, a, { ...far, place: 2 }), item('2', 0.5, b, far))).toBe('21');
  });

  it('keeps the nearest of those that say the same, and of those that the limit lets in', () => {
    const same = diversify([item('1', 0.5, 'a plan', far), item('2', 0.5, 'a plan')], {
      lambda: 1,
    });
    expect(ids(same.kept)).toBe('2');
    expect(same.dropped.map(({ reason }) => reason)).toEqual(['same_text']);
    const cut = diversify([item('1', 0.5, 'a plan', far), item('2', 0.5, 'some thing')], {
      ...{ lambda: 0.5, limit: 1 },
    });
    expect(ids(cut.kept)).toBe('2');
  });
});

describe('diversify', () => {
  it('keeps relevance order at lambda 1 and breaks ties by the newer row, then the uuid', () => {
    const items = [
      item('c', 0.5, 'red'),
      item('b', 0.5, 'green'),
      item('a', 0.5, 'blue', { valid_from: '2025-01-01T00:00:00.000Z' }),
      item('d', 0.9, 'black'),
    ];
    expect(ids(diversify(items, { lambda: 1 }).kept)).toBe('dbca');
  });

  it('prefers what adds something', () => {
    const items = [
      item('a', 1, 'alpha beta gamma delta'),
      item('b', 0.95, 'alpha beta gamma epsilon'),
      item('c', 0.7, 'zeta eta theta iota'),
    ];
    expect(ids(diversify(items, { lambda: 0.5 }).kept)).toBe('acb');
    expect(ids(diversify(items, { lambda: 1 }).kept)).toBe('abc');
  });

  it('drops what is as like as the settings say', () => {
    const items = [
      item('a', 1, 'alpha beta gamma delta'),
      item('b', 0.9, 'alpha beta gamma delta!'),
    ];
    const reasons = (nearDuplicate: number): readonly string[] =>
      diversify([...items, item('c', 0.5, 'alpha beta gamma epsilon')], {
        nearDuplicate,
      }).dropped.map(({ reason }) => reason);
    expect(reasons(0.92)).toEqual(['near_duplicate']);
    expect(reasons(0.5)).toEqual(['near_duplicate', 'near_duplicate']);
  });

  it('drops the weaker of two texts that say the same', () => {
    const { kept, dropped } = diversify(
      [item('a', 0.4, LONG), item('b', 0.9, `Also: ${LONG}`), item('c', 0.5, LONG)],
      { lambda: 1 },
    );
    expect(ids(kept)).toBe('b');
    expect(dropped.map(({ item: { uuid }, reason }) => `${uuid} ${reason}`)).toEqual([
      'c near_duplicate',
      'a same_text',
    ]);
  });

  it('keeps texts that differ in a number or a negation, however alike', () => {
    const items = [
      item('a', 0.9, `${LONG} on 1 March`),
      item('b', 0.8, `${LONG} on 8 March`),
      item('c', 0.7, `${LONG} on March never`),
    ];
    expect(ids(diversify(items, { lambda: 1 }).kept)).toBe('abc');
  });

  it('gives no category more than its share while others wait, and the rest to whoever is left', () => {
    const items = [
      item('a1', 0.9, 'alpha'),
      item('a2', 0.8, 'beta'),
      item('a3', 0.7, 'gamma'),
      item('b1', 0.6, 'delta'),
    ];
    const categories = { most: 1, of: (uuid: string) => uuid.slice(0, 1) };
    const two = diversify(items, { lambda: 1, limit: 2, categories });
    expect(ids(two.kept)).toBe('a1b1');
    expect(two.dropped.map(({ reason }) => reason)).toEqual(['category_share', 'category_share']);
    const three = diversify(items, { lambda: 1, limit: 3, categories });
    expect(ids(three.kept)).toBe('a1b1a2');
  });

  it('stops at the limit and says so', () => {
    const { kept, dropped } = diversify([item('a', 3, 'x'), item('b', 2, 'y'), item('c', 1, 'z')], {
      lambda: 1,
      limit: 1,
    });
    expect(ids(kept)).toBe('a');
    expect(dropped.map(({ reason }) => reason)).toEqual(['limit', 'limit']);
    expect(diversify([item('a', 3, 'x')], { lambda: 1, limit: 0 }).kept).toEqual([]);
  });

  it('never calls texts duplicates that it did not read to the end', () => {
    const page = LONG.repeat(40);
    expect(
      diversify([item('a', 2, `${page} first`), item('b', 1, `${page} second`)], { lambda: 1 })
        .kept,
    ).toHaveLength(2);
  });
});
