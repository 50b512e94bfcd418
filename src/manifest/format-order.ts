/** The order of keys in a formatted manifest: that of the schema, wherever order means nothing. */
import {
  isAlias,
  isMap,
  isScalar,
  type Node,
  type Pair,
  type ParsedNode,
  visit,
  type YAMLMap,
} from 'yaml';
import { manifestSchema } from './schema.ts';
import type { JsonSchema } from './schema-values.ts';

/**
 * Sorts the keys of one document in place, comments with their keys. A document with aliases stays
 * as it is: an anchor must stand before them.
 */
export function sortKeys(contents: ParsedNode | null, kind: 'ContextDomain' | 'Collection'): void {
  if (contents === null || hasAlias(contents)) return;
  sortNode(contents, {
    schema: definition(kind === 'Collection' ? 'collection' : 'context_domain'),
    isRoot: true,
  });
}

function hasAlias(node: Node): boolean {
  let isFound = false;
  visit(node, {
    Alias: () => {
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound || isAlias(node);
}

interface Place {
  readonly schema: JsonSchema | undefined;
  readonly isRoot: boolean;
}

function sortNode(node: unknown, { schema, isRoot }: Place): void {
  if (!isMap(node) || schema === undefined) return;
  if (isOrdered(schema)) sortMap(node, { names: Object.keys(properties(schema)), isRoot });
  for (const pair of node.items)
    sortNode(pair.value, { schema: schemaOf(schema, keyOf(pair)), isRoot: false });
}

/**
 * Keys that the schema does not name come last, as written: `x-` keys, and what validation will
 * refuse.
 */
function sortMap(
  map: YAMLMap,
  { names, isRoot }: { readonly names: readonly string[]; readonly isRoot: boolean },
): void {
  if (map.items.some((pair) => keyOf(pair) === undefined)) return;
  const placeOf = (pair: Pair): number => {
    const index = names.indexOf(keyOf(pair) ?? '');
    return index < 0 ? names.length : index;
  };
  const sorted = [...map.items].sort((a, b) => placeOf(a) - placeOf(b));
  if (sorted.every((pair, index) => pair === map.items[index])) return;
  const [first, newFirst] = [map.items[0]?.key, sorted[0]?.key];
  map.items.splice(0, map.items.length, ...sorted);
  if (!isScalar(first) || !isScalar(newFirst)) return;
  newFirst.spaceBefore = false;
  // What stands in front of all is about the file; further in, it is about the key below it, though
  // it may hang on the map.
  if (isRoot)
    [newFirst.commentBefore, first.commentBefore] = [
      joined(first.commentBefore, newFirst.commentBefore),
      null,
    ];
  else
    [first.commentBefore, map.commentBefore] = [
      joined(map.commentBefore, first.commentBefore),
      null,
    ];
}

const joined = (...comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter(Boolean).join('\n') || null;

function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
}

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function definition(name: string): JsonSchema | undefined {
  const definitions = manifestSchema['definitions'];
  const found = isRecord(definitions) ? definitions[name] : undefined;
  return isRecord(found) ? found : undefined;
}

const properties = (schema: JsonSchema): JsonSchema =>
  isRecord(schema['properties']) ? schema['properties'] : {};

/** A map of names that people choose (layers, inputs, intents) keeps their order. */
const isOrdered = (schema: JsonSchema): boolean => schema['additionalProperties'] === false;

function schemaOf(parent: JsonSchema, key: string | undefined): JsonSchema | undefined {
  const known = properties(parent);
  const own = key !== undefined && Object.hasOwn(known, key) ? known[key] : undefined;
  const schema = own ?? parent['additionalProperties'];
  if (!isRecord(schema)) return undefined;
  const reference = schema['$ref'];
  return typeof reference === 'string'
    ? definition(reference.replace('#/definitions/', ''))
    : schema;
}
