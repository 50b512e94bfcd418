import { describe, expect, it } from 'vitest';
import { distinctIds, shortId } from '../../src/compose/short-ids.ts';
import { parseUuid } from '../../src/model/ids.ts';

const uuid = (n: number) =>
  parseUuid(`0190a2b4-1111-7222-8333-${String(n).padStart(12, '0')}`, 'uuid');
const closure = Array.from({ length: 64 }, (_, index) => uuid(index));

describe('short ids', () => {
  const idAt = (place: number, recorded_seq: number) =>
    shortId({ scope_uuid: uuid(place), recorded_seq }, closure);

  it('share the plain numbers between the first two scopes, with letters for those behind', () => {
    expect([1, 2, 3, 4, 5].map((seq) => idAt(0, seq))).toEqual(['1', '2', '4', '5', '7']);
    expect([1, 2, 3, 4, 5].map((seq) => idAt(1, seq))).toEqual(['3', '6', '9', '12', '15']);
    expect([2, 27, 28, 29].map((place) => idAt(place, 17))).toEqual(['a17', 'z17', 'aa17', 'ab17']);
    expect(shortId({ scope_uuid: uuid(64), recorded_seq: 17 }, closure)).toBe('zz17');
  });

  it('name one version each, over all scopes and numbers', () => {
    const ids = closure.flatMap((_, place) =>
      Array.from({ length: 300 }, (__, index) => idAt(place, index + 1)),
    );
    expect(new Set(ids).size).toBe(64 * 300);
  });

  it('tell apart versions that a restored scope holds under one number', () => {
    const items = [uuid(2), uuid(1), uuid(2)].map((id) => ({ uuid: id, id: '17' }));
    expect([...distinctIds(items)].sort()).toEqual([
      [uuid(1), '17'],
      [uuid(2), '17.2'],
    ]);
  });
});
