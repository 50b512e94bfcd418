/** Whether two versions say the same: a re-cut has the content of what it was cut from. */
import { type AnyRow, VERSIONED_COLUMNS } from '../model/block.ts';

const VERSIONED: ReadonlySet<string> = new Set(VERSIONED_COLUMNS);

export const isSameContent = (a: AnyRow, b: AnyRow): boolean =>
  a.table === b.table && jsonOf(contentOf(a.row)) === jsonOf(contentOf(b.row));

export const isSameJson = (a: unknown, b: unknown): boolean => jsonOf(a) === jsonOf(b);

const contentOf = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !VERSIONED.has(name)));

/** Members in order, so that equal values have equal text. */
const jsonOf = (given: unknown): string =>
  JSON.stringify(given, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value,
  );
