/**
 * The authority's placing and the oracle's share no code: they must say the same of every write.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, corrected, deleted, valued } from '../../connectors/reference/placing.ts';
import { placeChange, placeCorrection, placeDelete, placeValue } from '../../src/ledger/placing.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import { day, uuidOf } from '../support/timeline-ledger.ts';

const DAYS = 12;
const NEW = uuidOf(9999);

interface Held {
  readonly uuid: Uuid;
  readonly root_uuid: Uuid;
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
  readonly value: number;
}

/** Believed versions of one root: they never overlap. */
const someSpans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 4 })), { maxLength: 4 })
  .chain((steps) => fc.tuple(fc.constant(steps), fc.boolean(), fc.infiniteStream(fc.nat(2))))
  .map(([steps, isOpen, values]) => {
    let at = 0;
    return steps.map(([gap, length], index) => {
      const from = at + gap;
      at = from + length;
      const { value } = values.next();
      return {
        from,
        until: isOpen && index === steps.length - 1 ? null : at,
        value: Number(value ?? 0),
      };
    });
  });

const held = (
  spans: readonly { from: number; until: number | null; value: number }[],
  root: number,
) =>
  spans.map(
    ({ from, until, value }, index): Held => ({
      uuid: uuidOf(root * 100 + index + 1),
      root_uuid: uuidOf(root * 100),
      valid_from: day(from),
      valid_until: until === null ? null : day(until),
      value,
    }),
  );

const aWrite = fc.record({
  from: fc.integer({ min: 0, max: DAYS }),
  days: fc.option(fc.integer({ min: 1, max: DAYS })),
});
const endOf = ({ from, days }: { from: number; days: number | null }): Instant | null =>
  days === null ? null : day(from + days);

describe('two algorithms of placing', () => {
  it('agree on changes and merges', () => {
    fc.assert(
      fc.property(
        someSpans,
        aWrite,
        fc.constantFrom('change' as const, 'merge' as const),
        (spans, write, cause) => {
          const change = { uuid: NEW, from: day(write.from), until: endOf(write), cause };
          expect(changed(held(spans, 1), change)).toEqual(placeChange(held(spans, 1), change));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('agree on corrections', () => {
    fc.assert(
      fc.property(someSpans, aWrite, (spans, write) => {
        const versions = held(spans, 1);
        const at = day(write.from);
        const wrong = versions.find(
          ({ valid_from, valid_until }) => valid_from <= at && (!valid_until || at < valid_until),
        );
        // An end before the beginning of what is corrected is refused before it is placed.
        const given = endOf(write);
        const until = wrong && given !== null && given <= wrong.valid_from ? null : given;
        expect(corrected(versions, at, { uuid: NEW, until })).toEqual(
          placeCorrection(versions, at, { uuid: NEW, until }),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('agree on ends', () => {
    fc.assert(
      fc.property(
        someSpans,
        aWrite,
        fc.constantFrom('change' as const, 'prune' as const, 'correction' as const),
        (spans, { from }, cause) => {
          const versions = held(spans, 1);
          expect(deleted(versions, cause, day(from))).toEqual(
            placeDelete(versions, cause, day(from)),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('agree on values of a key, of one value and of many', () => {
    fc.assert(
      fc.property(
        fc.array(someSpans, { minLength: 1, maxLength: 3 }),
        aWrite,
        fc.constantFrom('one' as const, 'many' as const),
        fc.nat(2),
        fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 4 }),
        (roots, write, cardinality, value, again) => {
          const versions = (cardinality === 'one' ? roots.slice(0, 1) : roots).flatMap(
            (spans, index) => held(spans, index + 1),
          );
          const byUuid = new Map(versions.map((version) => [version.uuid, version.value]));
          const isSame = ({ uuid }: { uuid: Uuid }): boolean => byUuid.get(uuid) === value;
          const change = { uuid: NEW, from: day(write.from), until: endOf(write) };
          const said = again.map(
            ([n, at]) => [versions[n % versions.length]?.uuid ?? NEW, day(at)] as const,
          );
          const othersAgain = said.filter(([uuid]) => !isSame({ uuid }));
          const saidAgain = ({ uuid }: { uuid: Uuid }) =>
            said.filter(([of]) => of === uuid).map(([, at]) => at);
          const answer = placeValue(versions, { ...change, cardinality, isSame, saidAgain });
          const asked = { ...change, cause: 'change', othersAgain } as const;
          expect(valued(versions, asked, { cardinality, isSame })).toEqual(
            answer.isNews
              ? { said: null, root: answer.root, placed: answer.placement }
              : { said: answer.uuid },
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});
