/**
 * What a caller of the write surface wrote is refused in its words: the field as the caller names
 * it, how long it is and how long it may be. The guard of the connectors, whose words are about
 * operations, finds nothing more in what the surface lets pass.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { checkOperations } from '../../src/cxri/check-write.ts';
import { parseInstant, parseUuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import {
  factOperation,
  linkOperation,
  type Making,
  scopeOperations,
  summaryOperation,
  turnOperation,
  typedOperation,
} from '../../src/write/to-operations.ts';

const uuid = (n: number) =>
  parseUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'uuid');
const making: Making = {
  scope: uuid(1),
  now: parseInstant('2026-01-01T00:00:00Z', 'now'),
  newId: () => uuid(2),
};

type Given = Readonly<Record<string, unknown>>;
/** Each entry of the surface, and what it takes besides the field that is tried. */
const ENTRIES: Readonly<Record<string, (given: Given) => readonly Operation[]>> = {
  // The inputs are wrong on purpose: a caller in JavaScript has no types.
  scope: (given) => scopeOperations({ type: 'chat', ...given } as never, making),
  turn: (given) => [turnOperation({ content: 'a', ...given } as never, making)],
  fact: (given) => [factOperation({ content: 'a', ...given } as never, making)],
  link: (given) => [linkOperation({ type: 'pinned', to: uuid(3), ...given } as never, making)],
  summary: (given) => [
    summaryOperation(
      { kind: 'rolling', content: 'a', covers_to_seq: 1, sources: [uuid(4)], ...given } as never,
      making,
    ),
  ],
  typed: ({ subject, collection, property, value, ...options }) => [
    typedOperation(
      {
        subject: subject ?? 's',
        collection: collection ?? 'c',
        property: property ?? 'p',
        value: value ?? 1,
        options,
      } as never,
      { ...making, collections: {}, correctedRoot: null },
    ),
  ],
};

const long = (n: number): string => 'x'.repeat(n);
const WIDE = '\u6f22';
const CASES: readonly (readonly [entry: string, field: string, value: unknown, limit: string])[] = [
  ['scope', 'title', long(2000), '1000'],
  ['scope', 'type', long(64), '63'],
  ['scope', 'idempotency_key', WIDE.repeat(400), '1000'],
  ['turn', 'title', long(2000), '1000'],
  ['turn', 'author', long(201), '200'],
  ['turn', 'role', long(64), '63'],
  ['turn', 'block_type', long(64), '63'],
  ['turn', 'tags', [WIDE.repeat(200)], '512'],
  ['turn', 'metadata', { a: long(300_000) }, '262144'],
  ['turn', 'idempotency_key', WIDE.repeat(400), '1000'],
  ['fact', 'subject', long(1001), '1000'],
  ['fact', 'class', long(64), '63'],
  ['fact', 'category', long(200), '128'],
  ['fact', 'sources', Array.from({ length: 1001 }, (_, n) => uuid(n)), '1000'],
  ['fact', 'sources', [uuid(7), uuid(7)], 'each once'],
  ['link', 'ordinal', 1.5, 'whole number'],
  ['link', 'weight', Number.NaN, 'a number'],
  ['summary', 'model', long(201), '200'],
  ['summary', 'cost_usd', -1, '0 or more'],
  ['typed', 'subject', WIDE.repeat(200), '512'],
  ['typed', 'collection', long(200), '128'],
  ['typed', 'value', long(300_000), '262144'],
];

const refusalOf = (body: () => unknown): ContextEngineError | null => {
  try {
    body();
    return null;
  } catch (error) {
    if (error instanceof ContextEngineError) return error;
    throw error;
  }
};

describe('a text that is longer than the ledger keeps', () => {
  it.each(CASES)('%s.%s', (entry, field, value, limit) => {
    const refusal = refusalOf(() => ENTRIES[entry]?.({ [field]: value }));
    expect(refusal?.where?.field).toBe(field);
    expect(`${refusal?.message} ${refusal?.fix}`).toContain(limit);
    expect(`${refusal?.message} ${refusal?.fix}`).not.toMatch(/operation|column|content\./);
  });

  it('is refused before the guard of the connectors, whatever field it is and however long', () => {
    const fields = [...new Set(CASES.map(([entry, field]) => `${entry} ${field}`))];
    const anything = fc.oneof(
      fc.tuple(fc.nat(1300), fc.constantFrom('x', WIDE)).map(([n, letter]) => letter.repeat(n)),
      fc.double(),
      fc.array(fc.constantFrom('a', WIDE.repeat(180)), { maxLength: 70 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), anything, (place, value) => {
        const [entry = '', field = ''] = place.split(' ');
        let operations: readonly Operation[] = [];
        if (refusalOf(() => void (operations = ENTRIES[entry]?.({ [field]: value }) ?? []))) return;
        expect(refusalOf(() => checkOperations(operations))).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});
