/**
 * Filters are data from outside: the shape of the tree is walked here, and each comparison has the
 * schema of the kind of its column, before a connector compiles them.
 */
import { RANGE_COMPARISONS } from '../inputs/request-schemas.ts';
import type { Table } from '../model/block.ts';
import { isStorable } from '../model/storable.ts';
import { checkRequest } from './check-request.ts';
import { columnKind } from './columns.ts';
import type { Filter } from './contract.ts';
import { invalidRequest, isPlainObject } from './refuse.ts';

/** Deeper or larger than this is a program, not a filter. */
const MAX_DEPTH = 16;
const MAX_NODES = 256;
const RANGE: ReadonlySet<string> = new Set(RANGE_COMPARISONS);

/** Throws `CONNECTOR.INVALID_REQUEST` naming the field and the value. */
export function checkFilter(table: Table, filter: Filter): void {
  const budget = { nodes: MAX_NODES };
  checkNode(filter, { table, depth: 0, budget });
}

interface Place {
  readonly table: Table;
  readonly depth: number;
  readonly budget: { nodes: number };
}

function checkNode(node: unknown, place: Place): void {
  place.budget.nodes -= 1;
  if (!isPlainObject(node))
    throw invalidRequest(
      'filter',
      node,
      'Pass an object: `and`, `or`, `not`, or a `field` with a comparison.',
    );
  if (place.depth > MAX_DEPTH || place.budget.nodes < 0)
    throw invalidRequest(
      'filter',
      `${MAX_DEPTH} levels, ${MAX_NODES} nodes`,
      'Filters may not be deeper or larger; split the query.',
    );
  const keys = Object.keys(node);
  const [key = ''] = keys;
  const inner = { ...place, depth: place.depth + 1 };
  if (keys.length === 1 && (key === 'and' || key === 'or')) {
    const members = node[key];
    if (!Array.isArray(members))
      throw invalidRequest(`filter.${key}`, members, 'Pass a list of filters.');
    for (const member of members) checkNode(member, inner);
  } else if (keys.length === 1 && key === 'not') {
    checkNode(node['not'], inner);
  } else {
    checkLeaf(node, place.table);
  }
}

function checkLeaf(leaf: Readonly<Record<string, unknown>>, table: Table): void {
  const { field, ...comparisons } = leaf;
  const kind = typeof field === 'string' ? columnKind(table, field) : undefined;
  if (typeof field !== 'string' || kind === undefined || !isStorable(field))
    throw invalidRequest(
      'filter.field',
      field,
      `Name a column of \`${table}\`, or \`metadata.x\` of blocks and facts.`,
    );
  const names = Object.keys(comparisons);
  const isRange = names.length > 0 && names.every((name) => RANGE.has(name));
  // A comparison with `undefined` is none: its schema takes it for absent.
  const isUndefined = Object.values(comparisons).includes(undefined);
  if ((!isRange && names.length !== 1) || isUndefined)
    throw invalidRequest(
      `filter.${field}`,
      names,
      'Give one comparison, or a range of `gt`, `gte`, `lt`, `lte`.',
    );
  checkRequest(`filter_${kind}`, comparisons, `filter.${field}`);
}
