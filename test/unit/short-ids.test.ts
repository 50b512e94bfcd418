import { describe, expect, it } from 'vitest';
import { distinctIds, shortId } from '../../src/compose/short-ids.ts';
import { parseUuid } from '../../src/model/ids.ts';

const uuid = (n: number) =>
  parseUuid(`0190a2b4-1111-7222-8333-${String(n).padStart(12, '0')}`, 'uuid');
const closure = Array.from({ length: 64 }, (_, index) => uuid(index));

describe('short ids', () => {
  it('are the sequence number, with letters for the scopes behind the first', () => {
    const ids = closure.map((scope_uuid) => shortId({ scope_uuid, recorded_seq: 17 }, closure));
    expect(ids.slice(0, 3)).toEqual(['17', 'a17', 'b17']);
    expect(ids.slice(26, 29)).toEqual(['z17', 'aa17', 'ab17']);
    expect(new Set(ids).size).toBe(64);
  });

  it('tell apart versions that a restored scope holds under one number', () => {
    const items = [uuid(2), uuid(1), uuid(2)].map((id) => ({ uuid: id, id: '17' }));
    expect([...distinctIds(items)].sort()).toEqual([
      [uuid(1), '17'],
      [uuid(2), '17.2'],
    ]);
  });
});
