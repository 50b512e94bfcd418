/**
 * Maps and lists in braces and brackets: on one line where they fit, else a line per entry without
 * the braces.
 */
import { Document, isCollection, isMap, isScalar, type ParsedNode } from 'yaml';

/** Column that a line should not pass. */
const LINE_WIDTH = 140;
const INDENT = 2;

/** Unfolds in place what does not fit on its line, from the outside in. */
export function unfoldLongFlow(node: unknown, indent = 0): void {
  if (!isCollection(node) || node.flow) return;
  for (const item of node.items) {
    const [value, prefix] = isMap(node) ? entryOf(item) : [item, '- '.length];
    if (!isCollection(value)) continue;
    if (value.flow && value.items.length > 0 && !fits(value, indent + prefix)) value.flow = false;
    unfoldLongFlow(value, indent + INDENT);
  }
}

/** The value of a pair, and how much of the line its key takes. */
function entryOf(pair: unknown): readonly [value: unknown, prefix: number] {
  if (typeof pair !== 'object' || pair === null || !('value' in pair) || !('key' in pair))
    return [undefined, 0];
  return [
    pair.value,
    isScalar(pair.key) ? String(pair.key.source ?? pair.key.value).length + ': '.length : 0,
  ];
}

/** A comment inside needs lines of its own as well. */
function fits(value: unknown, column: number): boolean {
  const document = new Document();
  // a node of a parsed document, which the caller has narrowed to a collection
  document.contents = value as ParsedNode;
  const line = document.toString({ lineWidth: 0, verifyAliasOrder: false }).trimEnd();
  return !line.includes('\n') && column + line.length <= LINE_WIDTH;
}
