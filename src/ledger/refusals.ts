/**
 * What a write is refused with where it breaks a law of edges, lineage or scopes: one text each.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Uuid } from '../model/ids.ts';

/** A source that is not there, is not believed, or that the writer may not read: one answer. */
export const sourceGone = (source: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.SOURCE_GONE', {
    message: `The source \`${source}\` is not a version that is believed.`,
    fix: 'Derive the row again from sources that are still there.',
    meta: { source },
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
    message: `The scope block of \`${scope}\` keeps its \`block_type\` and \`is_scope\`, and no other row becomes a scope.`,
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
 * One id names one row of a tenant, over all tables. `uuid`: null where the store does not tell.
 */
export const idTaken = (uuid: Uuid | null, cause?: Error): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: `${uuid === null ? 'A `uuid` of the write' : `The uuid \`${uuid}\``} is taken.`,
    fix: 'Give each version a fresh uuid, and an idempotency key if it may be sent twice.',
    ...(cause && { cause }),
  });
