/**
 * Edits of an export: what a forger, a bad disk or a bad tool makes of it. Each number is one edit.
 */
import type { Line } from '../../src/look-back/scope-format.ts';
import { signed } from './scope-files.ts';

/** Numbers from a seed (mulberry32): a failure comes again. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Pick = (below: number) => number;
type Edit = (lines: Json[], pick: Pick, victims: readonly string[]) => void;
type Json = Record<string, unknown>;

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
};
const VALUES: readonly unknown[] = [
  null,
  '',
  0,
  1,
  2,
  3,
  -1,
  1.5,
  2 ** 53,
  1e13,
  1e300,
  true,
  false,
  [],
  {},
  'infinity',
  '-infinity',
  '0000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-01-03T00:00:00.000Z',
  '2026-01-03T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'a\0b',
  'a\ud800b',
  'x'.repeat(70_000),
  nested(70),
  'ADD',
  'UPDATE',
  'DELETE',
  'NOOP',
  'CASCADE',
  'RESTORE',
  'stored',
  'superseded',
  'duplicate',
  'conflict',
  'quarantined',
  'change',
  'merge',
  'correction',
  'prune',
  'cascade',
  'redaction',
  'live',
  'suppressed',
  'erased',
  'blocks',
  'memory_open_set',
  'memory_schema_typed',
  'context_links',
  'inherits',
  'grants',
  'derived_from',
  'pinned',
  'one',
  'many',
  '00000000-0000-4000-8000-00000000ffff',
];

const one = <T>(from: readonly T[], pick: Pick): T | undefined => from[pick(from.length)];

/** The object of a line that has the fields: the header itself, or what a line holds. */
const bodyOf = (line: Json): Json => {
  const inner = line['row'] ?? line['journal'] ?? line['outcome'] ?? line;
  return inner as Json;
};

const EDITS: readonly (readonly [string, Edit])[] = [
  [
    'a value',
    (lines, pick) => {
      const body = bodyOf(one(lines, pick) ?? {});
      const field = one(Object.keys(body), pick);
      if (field !== undefined) body[field] = one(VALUES, pick);
    },
  ],
  [
    'a value of another line',
    (lines, pick) => {
      const body = bodyOf(one(lines, pick) ?? {});
      const field = one(Object.keys(body), pick) ?? '';
      const others = lines.map(bodyOf).filter((other) => Object.hasOwn(other, field));
      const other = one(others, pick);
      if (other) body[field] = other[field];
    },
  ],
  [
    'a number',
    (lines, pick) => {
      const body = bodyOf(one(lines, pick) ?? {});
      const numbers = Object.keys(body).filter((field) => typeof body[field] === 'number');
      const field = one(numbers, pick);
      if (field !== undefined) body[field] = Number(body[field]) + (pick(2) === 0 ? 1 : -1);
    },
  ],
  [
    'an id of someone else',
    (lines, pick, victims) => {
      const body = bodyOf(one(lines, pick) ?? {});
      const ids = Object.keys(body).filter((field) => /uuid|operation_id/.test(field));
      const field = one(ids, pick);
      if (field !== undefined) body[field] = one(victims, pick);
    },
  ],
  [
    'an id of someone else, everywhere',
    (lines, pick, victims) => {
      const ids = JSON.stringify(lines).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
      const from = one(ids ?? [], pick) ?? '';
      const to = one(victims, pick) ?? '';
      const edited = JSON.parse(JSON.stringify(lines).replaceAll(from, to)) as Json[];
      lines.splice(0, lines.length, ...edited);
    },
  ],
  [
    'a field',
    (lines, pick) => {
      const body = bodyOf(one(lines, pick) ?? {});
      const field = one(Object.keys(body), pick);
      if (pick(2) === 0) body['more'] = 1;
      else if (field !== undefined) delete body[field];
    },
  ],
  ['a line less', (lines, pick) => void lines.splice(1 + pick(lines.length - 1), 1)],
  [
    'a line twice',
    (lines, pick) => {
      const at = 1 + pick(lines.length - 1);
      lines.splice(at, 0, structuredClone(lines[at] ?? {}));
    },
  ],
  [
    'a row twice, with another id',
    (lines, pick) => {
      const rows = lines.filter((line) => 'row' in line);
      const copy = structuredClone(one(rows, pick) ?? {});
      bodyOf(copy)['uuid'] = '00000000-0000-4000-8000-00000000eeee';
      lines.push(copy);
    },
  ],
  [
    'two lines in turn',
    (lines, pick) => {
      const [a, b] = [1 + pick(lines.length - 1), 1 + pick(lines.length - 1)];
      [lines[a], lines[b]] = [lines[b] ?? {}, lines[a] ?? {}];
    },
  ],
];
const LOST_END = 'the end';

export interface Mutation {
  readonly names: readonly string[];
  readonly lines: readonly Line[];
}

/** One to three edits; the last line is then counted anew, but for some that leave it as it was. */
export function mutationOf(
  sound: readonly Line[],
  seed: number,
  victims: readonly string[],
): Mutation {
  const pick = numbersFrom(seed);
  const lines = structuredClone(sound) as Json[];
  const end = lines.pop();
  const names: string[] = [];
  for (let edits = 1 + pick(3); edits > 0; edits -= 1) {
    const [name, edit] = one(EDITS, pick) ?? ['none', () => undefined];
    names.push(name);
    edit(lines, pick, victims);
  }
  const how = pick(40);
  if (how === 0) return { names: [...names, LOST_END], lines };
  if (how === 1 && end) return { names, lines: [...lines, end] };
  return { names, lines: signed(lines) };
}
