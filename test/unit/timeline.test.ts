import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/codes/errors.ts';
import { placeChange, placeCorrection, placeDelete } from '../../src/ledger/placing.ts';
import { day, uuidOf } from '../support/timeline-ledger.ts';

const version = (id: number, from: number, until: number | null) => ({
  uuid: uuidOf(id),
  valid_from: day(from),
  valid_until: until === null ? null : day(until),
});
const NEW = uuidOf(99);

describe('placeChange', () => {
  it('closes the open version and appends', () => {
    expect(placeChange([version(1, 0, null)], { uuid: NEW, from: day(5), until: null })).toEqual({
      close: [{ uuid: uuidOf(1), valid_until: day(5), superseded_by: NEW }],
      retire: [],
      append: [{ kind: 'new', valid_from: day(5), valid_until: null }],
    });
  });

  it('re-cuts a version whose end was known, and ends a late arrival where the next version begins', () => {
    expect(
      placeChange([version(1, 0, 8), version(2, 8, null)], {
        uuid: NEW,
        from: day(5),
        until: null,
      }),
    ).toEqual({
      close: [],
      retire: [{ uuid: uuidOf(1), cause: 'change', superseded_by: NEW }],
      append: [
        { kind: 'new', valid_from: day(5), valid_until: day(8) },
        { kind: 'recut', copy_of: uuidOf(1), valid_from: day(0), valid_until: day(5) },
      ],
    });
  });

  it('back-dated before everything, touches nothing', () => {
    expect(placeChange([version(1, 4, null)], { uuid: NEW, from: day(1), until: null })).toEqual({
      close: [],
      retire: [],
      append: [{ kind: 'new', valid_from: day(1), valid_until: day(4) }],
    });
  });

  it('replaces a version of the same start as a correction', () => {
    expect(
      placeChange([version(1, 4, null)], { uuid: NEW, from: day(4), until: null }).retire,
    ).toEqual([{ uuid: uuidOf(1), cause: 'correction', superseded_by: NEW }]);
  });

  it('lets the old value come back after a bounded change', () => {
    expect(placeChange([version(1, 0, null)], { uuid: NEW, from: day(3), until: day(5) })).toEqual({
      close: [{ uuid: uuidOf(1), valid_until: day(3), superseded_by: NEW }],
      retire: [],
      append: [
        { kind: 'new', valid_from: day(3), valid_until: day(5) },
        { kind: 'recut', copy_of: uuidOf(1), valid_from: day(5), valid_until: null },
      ],
    });
  });

  it('retires as corrected what a bounded change covers wholly', () => {
    const { retire } = placeChange([version(1, 0, 4), version(2, 4, 5), version(3, 5, null)], {
      uuid: NEW,
      from: day(3),
      until: day(6),
    });
    expect(retire.map(({ uuid, cause }) => [uuid, cause])).toEqual([
      [uuidOf(1), 'change'],
      [uuidOf(2), 'correction'],
      [uuidOf(3), 'change'],
    ]);
  });

  it('takes an interval that ends before it begins for a bug', () => {
    expect(() => placeChange([], { uuid: NEW, from: day(3), until: day(3) })).toThrow(
      InternalError,
    );
  });
});

describe('placeCorrection', () => {
  it('keeps the interval of the version it corrects', () => {
    expect(placeCorrection([version(1, 0, 4), version(2, 4, null)], day(3), { uuid: NEW })).toEqual(
      {
        close: [],
        retire: [{ uuid: uuidOf(1), cause: 'correction', superseded_by: NEW }],
        append: [{ kind: 'new', valid_from: day(0), valid_until: day(4) }],
      },
    );
  });

  it('has nothing to correct in a gap: the end of an interval is not in it', () => {
    expect(placeCorrection([version(1, 0, 4)], day(4), { uuid: NEW })).toBeNull();
  });
});

describe('placeDelete', () => {
  it('by change, closes the open version, and what was planned later is believed no more', () => {
    expect(
      placeDelete([version(1, 0, 4), version(2, 4, 6), version(3, 8, null)], 'change', day(5)),
    ).toEqual({
      close: [],
      retire: [
        { uuid: uuidOf(2), cause: 'change', superseded_by: null },
        { uuid: uuidOf(3), cause: 'correction', superseded_by: null },
      ],
      append: [{ kind: 'recut', copy_of: uuidOf(2), valid_from: day(4), valid_until: day(5) }],
    });
    expect(placeDelete([version(1, 0, null)], 'change', day(5)).close).toEqual([
      { uuid: uuidOf(1), valid_until: day(5), superseded_by: null },
    ]);
  });

  it('by any other cause, retires every version', () => {
    expect(placeDelete([version(2, 4, null), version(1, 0, 4)], 'prune', day(5))).toEqual({
      close: [],
      retire: [
        { uuid: uuidOf(1), cause: 'prune', superseded_by: null },
        { uuid: uuidOf(2), cause: 'prune', superseded_by: null },
      ],
      append: [],
    });
  });
});
