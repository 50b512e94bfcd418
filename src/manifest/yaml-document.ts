/**
 * YAML text -> plain values with positions. This file and `yaml-problems.ts` alone know the `yaml`
 * package.
 *
 * The values are walked out of the syntax tree by hand, because what the package offers for hostile
 * input is not enough: its check for duplicate keys is quadratic, its aliases are expanded without
 * regard to depth, and its tags reach beyond the core schema.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';
import type { Finding } from '../codes/finding.ts';
import { byPosition, createReporter, type Locator, type Path, type Reporter } from './reporter.ts';
import { MAX_OPEN, syntaxProblems, tooDeepAt } from './yaml-problems.ts';

export interface YamlDocument {
  /** Objects have no prototype, so that a key such as `constructor` is only a key. */
  readonly value: unknown;
  /** This document's own text. */
  readonly text: string;
  /** Line of the file on which that text begins, from 1. */
  readonly line: number;
  readonly locator: Locator;
  /**
   * The text of a scalar as it was written, for numbers whose spelling matters (`version: 1.10`).
   */
  readonly written: (path: Path) => string | undefined;
}

export interface YamlStream {
  readonly documents: readonly YamlDocument[];
  readonly findings: readonly Finding[];
}

/**
 * 128 KiB: a hundred times a real manifest. Within it the worst text found (`[,,,,`) takes 0.6 s to
 * refuse.
 */
export const MAX_TEXT_LENGTH = 131_072;
/** Nesting; v1 needs 7. */
const MAX_DEPTH = 32;
/** Values after aliases are expanded, so that an alias bomb ends early. */
const MAX_VALUES = 20_000;
const CORE_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * The bytes that count: no byte order mark, line feeds only, so that a checkout on another system
 * has the same digest.
 */
export const canonicalText = (text: string): string =>
  text.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n');

/** Reads all documents of a file. Never throws; findings are in order of position. */
export function parseYaml(text: string, file: string): YamlStream {
  const canonical = canonicalText(text);
  const lines = new LineCounter();
  const root = createReporter(file, {
    position: (path) => linePosition(lines, Number(path[0] ?? 0)),
  });
  const fail = (offset: number, message: string, fix: string): void =>
    root.report({ code: 'MANIFEST.SYNTAX', at: [offset], message, fix });
  if (canonical.length > MAX_TEXT_LENGTH) {
    fail(
      0,
      `The file has \`${canonical.length}\` characters; a manifest may have ` +
        `\`${MAX_TEXT_LENGTH}\`.`,
      'Move long texts into files and name them with `file:`.',
    );
    return { documents: [], findings: root.findings };
  }
  const deep = tooDeepAt(canonical);
  if (deep !== null) {
    fail(
      deep,
      `More than \`${MAX_OPEN}\` brackets or list marks are open here.`,
      'Close them, or move a long text into a file and name it with `file:`.',
    );
    return { documents: [], findings: root.findings };
  }
  const parsed = parseAllDocuments<ParsedNode>(canonical, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
    lineCounter: lines,
  });
  if (!Array.isArray(parsed)) return { documents: [], findings: [] };
  for (const document of parsed)
    for (const { offset, message, fix } of syntaxProblems(document, canonical))
      fail(offset, message, fix);
  if (root.findings.length > 0)
    return { documents: [], findings: [...root.findings].sort(byPosition) };
  const findings: Finding[] = [];
  const documents: YamlDocument[] = [];
  let start = 0;
  for (const document of parsed) {
    const end = document === parsed.at(-1) ? canonical.length : document.range[2];
    const isEmpty =
      isScalar(document.contents) && document.contents.value === null && !document.contents.source;
    if (!isEmpty)
      documents.push(toDocument(document, { file, canonical, lines, start, end, findings }));
    start = end;
  }
  return { documents, findings };
}

interface Source {
  readonly file: string;
  readonly canonical: string;
  readonly lines: LineCounter;
  /** Where the document's own text begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly findings: Finding[];
}

function toDocument(document: Document.Parsed<ParsedNode>, source: Source): YamlDocument {
  const places = new Map<string, Place>();
  const locator: Locator = {
    position: (path, on, offset) =>
      linePosition(source.lines, offsetOf(places, source.canonical, { path, on, offset })),
  };
  const reporter = createReporter(source.file, locator);
  const walk: Walk = { reporter, places, anchors: new Map(), open: new Set(), count: 0 };
  const value = toValue(document.contents, [], walk);
  source.findings.push(...reporter.findings);
  const written = (path: Path): string | undefined => {
    const node = places.get(pointer(path))?.node;
    return isScalar(node) ? node.source : undefined;
  };
  const text = source.canonical.slice(source.start, source.end);
  return { value, text, line: linePosition(source.lines, source.start).line, locator, written };
}

interface Place {
  readonly keyOffset: number | undefined;
  readonly node: Node;
}
interface Walk {
  readonly reporter: Reporter;
  readonly places: Map<string, Place>;
  readonly anchors: Map<string, Node>;
  /** Collections on the way from the root: an alias to one of them would be endless. */
  readonly open: Set<Node>;
  count: number;
}

const OMITTED = Symbol('omitted');

function toValue(node: Node | null, path: Path, walk: Walk): unknown {
  if (node === null) return null;
  if (!walk.places.has(pointer(path)))
    walk.places.set(pointer(path), { keyOffset: undefined, node });
  const fail = (message: string, fix: string): undefined =>
    void walk.reporter.report({ code: 'MANIFEST.SYNTAX', at: path, message, fix });
  walk.count += 1;
  if (walk.count > MAX_VALUES) {
    if (walk.count === MAX_VALUES + 1)
      fail(
        `The document has more than \`${MAX_VALUES}\` values with its aliases expanded.`,
        'Use fewer or smaller anchors.',
      );
    return undefined;
  }
  if (path.length > MAX_DEPTH)
    return fail(
      `Values are nested deeper than \`${MAX_DEPTH}\`.`,
      'Nest less; no key of a manifest is that deep.',
    );
  if (isAlias(node)) {
    const target = walk.anchors.get(node.source);
    if (target === undefined)
      return fail(
        `The alias \`*${node.source}\` names no anchor before it.`,
        `Write \`&${node.source}\` at the value that it repeats.`,
      );
    if (walk.open.has(target))
      return fail(
        `The alias \`*${node.source}\` contains itself.`,
        'Let an alias repeat a value that it is no part of.',
      );
    return toValue(target, path, walk);
  }
  if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
    return fail(
      `The tag \`${node.tag}\` is not one of YAML's core schema.`,
      'Remove the tag; manifests hold plain values only.',
    );
  if ('anchor' in node && typeof node.anchor === 'string') walk.anchors.set(node.anchor, node);
  if (isScalar(node)) return node.value;
  walk.open.add(node);
  const value = isMap(node)
    ? toObject(node, path, walk)
    : isSeq(node)
      ? node.items.map((item, index) => toValue(asNode(item), [...path, index], walk))
      : undefined;
  walk.open.delete(node);
  return value;
}

function toObject(map: YAMLMap, path: Path, walk: Walk): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  for (const pair of map.items) {
    const keyNode = asNode(pair.key);
    const key = keyOf(keyNode);
    const keyOffset = keyNode?.range?.[0];
    if (typeof key !== 'string') {
      walk.places.set(pointer([...path, '']), { keyOffset, node: keyNode ?? map });
      walk.reporter.report({
        code: 'MANIFEST.SYNTAX',
        at: [...path, ''],
        on: 'key',
        message: 'A key is not a plain text.',
        fix: 'Write each key as a plain word.',
      });
      continue;
    }
    const at = [...path, key];
    const first = walk.places.get(pointer(at));
    const valueNode = asNode(pair.value);
    walk.places.set(pointer(at), { keyOffset, node: valueNode ?? keyNode ?? map });
    if (Object.hasOwn(object, key)) {
      const line = first?.keyOffset === undefined ? '' : ' above';
      walk.reporter.report({
        code: 'MANIFEST.DUPLICATE',
        at,
        on: 'key',
        message: `The key \`${key.slice(0, 80)}\` stands twice.`,
        fix: `Remove this one or the one${line}.`,
      });
    }
    object[key] = toValue(valueNode, at, walk);
  }
  return object;
}

const asNode = (item: unknown): Node | null =>
  // the package types items of a parsed collection as unknown; they are nodes or null
  typeof item === 'object' && item !== null ? (item as Node) : null;

/** Numbers and booleans as keys count as they are written. */
function keyOf(node: Node | null): string | typeof OMITTED {
  if (!isScalar(node)) return OMITTED;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

const pointer = (path: Path): string =>
  path.map((part) => String(part).replace(/~/g, '~0').replace(/\//g, '~1')).join('/');

function offsetOf(
  places: ReadonlyMap<string, Place>,
  text: string,
  spot: { path: Path; on: 'key' | 'value'; offset: number | undefined },
): number {
  for (let length = spot.path.length; length >= 0; length--) {
    const place = places.get(pointer(spot.path.slice(0, length)));
    if (!place) continue;
    const isWhole = length === spot.path.length;
    const [start, end] = place.node.range ?? [0, 0];
    if (!isWhole || spot.on === 'key') return place.keyOffset ?? start;
    if (spot.offset === undefined || !isScalar(place.node) || typeof place.node.value !== 'string')
      return start;
    return offsetInScalar(text.slice(start, end), place.node.value, spot.offset) + start;
  }
  return 0;
}

/**
 * Where the `offset`th unit of a scalar's value stands in its source: exact where the value stands
 * there verbatim or line by line, else its start.
 */
function offsetInScalar(source: string, value: string, offset: number): number {
  const verbatim = source.indexOf(value);
  if (verbatim >= 0) return verbatim + offset;
  const lineStart = offset === 0 ? 0 : value.lastIndexOf('\n', offset - 1) + 1;
  const line = value.slice(
    lineStart,
    value.indexOf('\n', lineStart) < 0 ? undefined : value.indexOf('\n', lineStart),
  );
  const found = line === '' ? -1 : source.indexOf(line);
  return found >= 0 ? found + (offset - lineStart) : 0;
}

const linePosition = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
};
