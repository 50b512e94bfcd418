/**
 * One way to write a manifest: keys in the order of the schema, two spaces, comments and single
 * blank lines kept, LF, no byte order mark.
 *
 * Invariant: a formatted text is its own format, holds the same comments, and means the same
 * (test/unit/format.test.ts).
 */
import { type Document, type ParsedNode, parseAllDocuments, type ScalarTag, type Tags } from 'yaml';
import type { Finding } from '../codes/finding.ts';
import { unfoldLongFlow } from './format-flow.ts';
import { commentsOf, layOut } from './format-layout.ts';
import { sortKeys } from './format-order.ts';
import { parseDocuments } from './parse.ts';
import { canonicalText } from './yaml-document.ts';

/** Texts that were written over several lines are wrapped again at this width. */
const TEXT_WIDTH = 100;

export type FormatResult = { readonly text: string } | { readonly findings: readonly Finding[] };

/**
 * Formats all documents of a text. Gives findings instead where it is no YAML, or a document is of
 * no kind of ours; whether the manifest is sound does not matter. Never throws.
 *
 * @example
 * const result = formatManifest(text, 'support.yaml');
 */
export function formatManifest(text: string, file: string): FormatResult {
  const { documents, findings } = parseDocuments(text, file);
  if (findings.length > 0) return { findings };
  const canonical = canonicalText(text);
  const kinds = documents.map(({ kind }) => kind);
  for (const isSorted of [true, false]) {
    const written = write(canonical, isSorted ? kinds : []);
    if (meansTheSame(canonical, written, file)) return { text: written };
  }
  // What the writer cannot repeat without a loss stays as it was written.
  return { text: canonical };
}

function write(text: string, kinds: readonly ('ContextDomain' | 'Collection')[]): string {
  let current = text;
  // Moved comments and blank lines can settle in a second round; a third has never been needed.
  for (let round = 0; round < 3; round++) {
    const next = writeOnce(current, kinds);
    if (next === current) break;
    current = next;
  }
  return current;
}

function writeOnce(text: string, kinds: readonly ('ContextDomain' | 'Collection')[]): string {
  const parsed = parseAllDocuments<ParsedNode>(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: (tags) => tagsAsWritten(tags, text),
  });
  if (!Array.isArray(parsed) || parsed.some(({ errors }) => errors.length > 0)) return text;
  const written = parsed.filter((document) => !isEmpty(document));
  for (const [index, document] of written.entries()) {
    const kind = kinds[index];
    if (kind !== undefined) sortKeys(document.contents, kind);
    unfoldLongFlow(document.contents);
    if (index > 0 && document.directives !== undefined) document.directives.docStart = true;
  }
  return layOut(written.map((document) => document.toString({ lineWidth: 0, indent: 2 })).join(''));
}

const isEmpty = ({ contents, comment, commentBefore }: Document.Parsed<ParsedNode>): boolean =>
  contents !== null &&
  'value' in contents &&
  contents.value === null &&
  !contents.source &&
  !comment &&
  !commentBefore;

/**
 * Numbers keep their spelling, because `version: 1.10` is not 1.1; texts on one line stay on one.
 */
const tagsAsWritten = (tags: Tags, text: string): Tags =>
  tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag;
    if (/:(int|float)$/.test(tag.tag))
      return {
        ...tag,
        stringify: (item, ...rest) =>
          item.source ?? tag.stringify?.(item, ...rest) ?? String(item.value),
      };
    if (!tag.tag.endsWith(':str')) return tag;
    const stringify: ScalarTag['stringify'] = (item, ctx, ...rest) => {
      const [start, end] = item.range ?? [0, 0];
      const lineWidth = text.slice(start, end).includes('\n') ? TEXT_WIDTH : 0;
      return (
        tag.stringify?.(item, { ...ctx, options: { ...ctx.options, lineWidth } }, ...rest) ??
        String(item.value)
      );
    };
    return { ...tag, stringify };
  });

/** The same values in the same spelling of numbers, and the same comments. */
function meansTheSame(before: string, after: string, file: string): boolean {
  const [one, other] = [parseDocuments(before, file), parseDocuments(after, file)];
  if (other.findings.length > 0 || one.documents.length !== other.documents.length) return false;
  const version = ['metadata', 'version'];
  const isSame = one.documents.every(({ document }, index) => {
    const twin = other.documents[index]?.document;
    return (
      twin !== undefined &&
      sortedJson(document.value) === sortedJson(twin.value) &&
      document.written(version) === twin.written(version)
    );
  });
  return (
    isSame && commentsOf(before).toSorted().join('\n') === commentsOf(after).toSorted().join('\n')
  );
}

/**
 * Keys sorted, because their order is what was changed, but for layers, whose order counts. Numbers
 * as texts: JSON has no infinity.
 */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === 'number') return `${inner}`;
    if (key === 'layers' || typeof inner !== 'object' || inner === null || Array.isArray(inner))
      return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
