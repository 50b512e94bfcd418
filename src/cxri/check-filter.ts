/**
 * Filters are data from outside: their fields, operators and values are checked before a connector
 * compiles them.
 */
import type { Table } from '../model/block.ts';
import { isStoredUuid, isTimeText } from '../model/ids.ts';
import { isStorable, isStorableJson } from '../model/storable.ts';
import { type ColumnKind, columnKind } from './columns.ts';
import type { Filter } from './contract.ts';
import { invalidRequest, isPlainObject } from './refuse.ts';

/** Deeper or longer than this is a program, not a filter. */
const MAX_DEPTH = 16;
const MAX_NODES = 256;
const MAX_VALUES = 1000;
const MAX_JSON_CHARS = 65_536;
const RANGE = ['gt', 'gte', 'lt', 'lte'];

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
  const isRange = names.length > 0 && names.every((name) => RANGE.includes(name));
  if (!isRange && names.length !== 1)
    throw invalidRequest(
      `filter.${field}`,
      names,
      'Give one comparison, or a range of `gt`, `gte`, `lt`, `lte`.',
    );
  for (const [name, value] of Object.entries(comparisons)) {
    if (!accepts(name, kind, value))
      throw invalidRequest(
        `filter.${field}.${name}`,
        value,
        `Use a comparison and a value that fit a field of kind \`${kind}\`.`,
      );
  }
}

type Kind = ColumnKind | 'metadata';

function accepts(comparison: string, kind: Kind, value: unknown): boolean {
  switch (comparison) {
    case 'eq':
      return isScalarOf(kind, value);
    case 'in':
      return (
        Array.isArray(value) &&
        value.length <= MAX_VALUES &&
        value.every((member) => isScalarOf(kind, member))
      );
    case 'contains':
      return (
        kind === 'tags' &&
        Array.isArray(value) &&
        value.length <= MAX_VALUES &&
        value.every((member) => typeof member === 'string' && isStorable(member))
      );
    case 'has':
      return kind === 'json' && isPlainObject(value) && isStorableJson(value, MAX_JSON_CHARS);
    default:
      return (
        RANGE.includes(comparison) &&
        ['number', 'text', 'time', 'metadata'].includes(kind) &&
        value !== null &&
        isScalarOf(kind, value) &&
        typeof value !== 'boolean'
      );
  }
}

function isScalarOf(kind: Kind, value: unknown): boolean {
  if (value === null) return true;
  if (kind === 'metadata')
    return (
      (typeof value === 'string' && isStorable(value)) ||
      Number.isFinite(value) ||
      typeof value === 'boolean'
    );
  if (kind === 'number') return Number.isFinite(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'uuid') return isStoredUuid(value);
  if (kind === 'time') return typeof value === 'string' && isTimeText(value);
  return kind === 'text' && typeof value === 'string' && isStorable(value);
}
