/**
 * What a write is refused with where it breaks a law of edges, lineage or scopes: one text each.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { TypedContent } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import { isRange, type Source, type SourceRange } from '../model/operation.ts';
import type { NamedOperation } from '../model/undo.ts';

export const scopeMissing = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('SCOPE.NOT_FOUND', {
    message: `There is no scope \`${scope}\` for this tenant.`,
    fix: 'Create the scope first: an ADD of a block with `is_scope`, whose uuid is the scope.',
    meta: { scope },
  });

/** A value keeps its key for life: a root with two keys would stand on the timelines of both. */
export const keyMoved = (
  root: Uuid,
  { collection, property, subject }: Pick<TypedContent, 'collection' | 'property' | 'subject'>,
): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message:
      `\`${root}\` is a value of \`${collection}.${property}\` of \`${subject}\`, and an UPDATE ` +
      'gives it another key.',
    fix: 'ADD the value under its new key, and DELETE the old one.',
  });

/** A source that is not there, is not believed, or that the writer may not read: one answer. */
export const sourceGone = (source: Source): ContextEngineError =>
  new ContextEngineError('WRITE.SOURCE_GONE', {
    message: isRange(source)
      ? `The source \`${namedRange(source)}\` is not a range of blocks that are believed.`
      : `The source \`${source}\` is not a version that is believed.`,
    fix: 'Derive the row again from sources that are still there.',
    meta: { source: isRange(source) ? namedRange(source) : source },
  });

const namedRange = ({ scope, from_seq: from, to_seq: to }: SourceRange): string =>
  `${scope} ${from}..${to}`;

export const derivesFromItself = (root: Uuid, source: Source): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message:
      `\`${root}\` would derive from itself by way of ` +
      `\`${isRange(source) ? namedRange(source) : source}\`. Nothing was written.`,
    fix: 'Derive it from rows that do not depend on it.',
  });

/** An operation that is not there, or in a scope that is not held: one answer. */
export const undoneMissing = (operation: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `There is no operation \`${operation}\` here that can be taken back.`,
    fix: 'Pass the `operation_id` of a receipt: of an ADD, UPDATE, DELETE or UNDO that was stored.',
    where: { field: 'operation' },
  });

/** A duplicate, a NOOP, what was refused: the journal keeps it, and it changed nothing. */
export const nothingWritten = (
  operation: Uuid,
  { as, root_uuid: root }: { readonly as: string; readonly root_uuid: Uuid | null },
): ContextEngineError =>
  new ContextEngineError('WRITE.NOTHING_WRITTEN', {
    message:
      `The operation \`${operation}\` wrote nothing (\`${as}\`)` +
      `${root === null ? '' : `: \`${root}\` was there already`}. There is nothing to take back.`,
    fix:
      root === null
        ? 'Undo the operation that wrote what you mean: `facts.list`, `history`.'
        : `Undo the operation that wrote \`${root}\`: \`facts.get\` has it in \`origin\`.`,
    where: { field: 'operation' },
    meta: { as, root_uuid: root },
  });

/** What a receipt names beside the operation: the memory that was there already. */
export const rowIsNoOperation = (row: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOTHING_WRITTEN', {
    message:
      `\`${row}\` is a version of a row, and no operation. A candidate that a capture calls ` +
      '`duplicate` wrote nothing: its `operation_id` is null, and this is what was there already.',
    fix: 'Undo the operation that wrote it: `facts.get` has it in `origin.operation_id`.',
    where: { field: 'operation' },
    meta: { uuid: row },
  });

export const nothingToUndo = (operation: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `Nothing is left of the operation \`${operation}\` that could be taken back.`,
    fix: 'See `history` for what is believed now; what was forgotten has an id of its own to undo.',
    where: { field: 'operation' },
  });

export const unfoundedReturn = (operation: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.SOURCE_GONE', {
    message:
      `What the undo of \`${operation}\` would bring back has lost a source since. Nothing ` +
      'was written.',
    fix: 'Undo the operation first by which the source fell, or derive the row again.',
    where: { field: 'operation' },
  });

/** `operations`: as many as the caller may hear of. */
export const builtOn = (
  operation: Uuid,
  operations: readonly NamedOperation[],
): ContextEngineError =>
  new ContextEngineError('WRITE.BUILT_ON', {
    message: `Later operations build on \`${operation}\`: ${named(operations)}. Nothing was written.`,
    fix: 'Undo those first, the latest one first; or correct what is wrong.',
    where: { field: 'operation' },
    meta: { operation, operations },
  });

const MAX_NAMED = 10;

function named(operations: readonly NamedOperation[]): string {
  if (operations.length === 0) return 'in scopes that you do not read';
  const shown = operations.slice(0, MAX_NAMED).map(({ operation_id: id }) => `\`${id}\``);
  const more = operations.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Of a redaction that is erased, due, or brought back: `why` follows what it named. */
export const notAnyMore = (why: string): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: `What it named ${why}.`,
    fix: 'Forget it again, if it is to be erased.',
  });

/** An edge is a statement of the scope that holds its beginning. */
export const edgeNotHere = (from: Uuid, scope: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`from\` is \`${from}\`, which is no row of scope \`${scope}\`.`,
    fix: 'Write the link to the scope of the row that it leads from.',
    where: { field: 'from' },
  });

/** The end of an edge that is not there, or that the writer may not link to: one answer. */
export const targetMissing = (to: Uuid, index?: number): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`to\` is \`${to}\`, which names nothing that the writer may link to.`,
    fix: 'Name the root of a row in a scope that the profile holds; `inherits` needs a scope.',
    where: { field: 'to', ...(index !== undefined && { index }) },
  });

export const parentMissing = (parent: Uuid, index: number): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`parent_uuid\` is \`${parent}\`, which names nothing that the writer reads.`,
    fix: 'Name the root of a block in a scope that the profile holds.',
    where: { field: 'parent_uuid', index },
  });

/** What an edge means was judged when it was made. */
export const linkTypeMoved = (root: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: `The link \`${root}\` keeps its \`link_type\`.`,
    fix: 'End the link, and write another one.',
    where: { field: 'link_type' },
  });

/** Lineage says what a row was made from, so it begins and ends with the row. */
export const lineageByHand = (): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: 'A `derived_from` link is written or ended by hand.',
    fix: 'Name `sources` in the operation that writes the derived row.',
    where: { field: 'link_type' },
  });

/** A scope keeps its type: the manifests of the type say who may read and write it. */
export const scopeTypeMoved = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message:
      `The scope block of \`${scope}\` keeps its \`block_type\` and \`is_scope\`, and no other ` +
      'row becomes a scope.',
    fix: 'Create a scope of the other type.',
    where: { field: 'block_type' },
  });

/** A scope that the writer does not hold, which was to be created and is there already. */
export const scopeNotFresh = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('PERMISSION.DENIED', {
    message: `Scope \`${scope}\` was there before, and the writer does not hold it.`,
    fix: 'Use a profile that holds the scope, or create one under another key.',
    where: { field: 'scope' },
  });

/**
 * One id names one row of a tenant, over all tables. `uuid`: null where the store does not report
 * it.
 */
export const idTaken = (uuid: Uuid | null, cause?: Error): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: `${uuid === null ? 'A `uuid` of the write' : `The uuid \`${uuid}\``} is taken.`,
    fix: 'Give each version a fresh uuid, and an idempotency key if it may be sent twice.',
    ...(cause && { cause }),
  });

export const nothingNamed = (): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: 'Nothing is there that this names: nothing was forgotten.',
    fix:
      'A name counts letter for letter, as `compose` and `facts` show it; a text is found in ' +
      'either case: `contextengine forget --text`.',
  });

export const redactionMissing = (): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: 'There is no such redaction where the caller holds all that it reached.',
    fix: 'See `erasure.list` or `contextengine erase --list`.',
    where: { field: 'redaction' },
  });
