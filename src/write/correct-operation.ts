/** A correction of one row, by what it says: the version at an instant was never so. */
import { ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { AnyRow, TypedRow, VERSIONED_COLUMNS } from '../model/block.ts';
import { type Instant, parseInstant, type Uuid } from '../model/ids.ts';
import type { Operation, Source } from '../model/operation.ts';
import type { CorrectionInput } from '../model/write-input.ts';
import { invalidWrite, sourcesOf } from './check-content.ts';
import { checkTyped, type Typed } from './check-typed.ts';

type CorrectedRow = Exclude<AnyRow, { readonly table: 'context_links' }>;
type Collections = Parameters<typeof checkTyped>[1];

export interface Correcting {
  readonly root: Uuid;
  /** Its versions, as far as the writer reads them. */
  readonly versions: readonly AnyRow[];
  readonly collections: Collections;
  readonly newId: () => Uuid;
}

/** What is not named stays: subject, tags, provenance. The sources are those of the correction. */
export function correctOperation(input: CorrectionInput, correcting: Correcting): Operation {
  checkInput('correction', input);
  const { root, newId } = correcting;
  const at = input.at === undefined ? null : parseInstant(input.at, 'at');
  const wrong = versionAt(correcting, at);
  const { uuid, scope_uuid: scope, valid_from } = wrong.row;
  const common = {
    operation: 'UPDATE',
    scope,
    root_uuid: root,
    uuid: newId(),
    cause: 'correction',
    // Any instant inside the interval says which version is meant.
    valid_from,
    expected_version: uuid,
    ...sourcesOf(input.sources),
    ...(input.reason !== undefined && { reason: input.reason }),
  } as const;
  if (wrong.table === 'memory_schema_typed') {
    const content = typedContent(wrong.row, input, correcting);
    return { ...common, table: wrong.table, content };
  }
  if (input.content === undefined || input.value !== undefined)
    throw invalidWrite(
      `A row of \`${wrong.table}\` is corrected without \`content\`, or with \`value\`.`,
      'Pass the right text as `content`; `value` is for typed values.',
      'content',
    );
  // The pair of table and content stays a pair: only the text, which all three have, is another.
  const said = { ...contentOf(wrong.row), content: input.content };
  return { ...common, table: wrong.table, content: said } as Operation;
}

/**
 * The same from an instant on, as a change in the world: what was said before stays true for its
 * time.
 */
export function changeOperation(
  corrected: Operation,
  { from, kept }: { readonly from: Instant; readonly kept: readonly Source[] },
): Operation {
  if (corrected.operation !== 'UPDATE') return corrected;
  // Subject, class and tags are still of what the version before was made from: so it falls with
  // it. Not of that version itself, whose correction would take the news along.
  const sources = corrected.sources ?? kept;
  const changed = { ...corrected, ...(sources.length > 0 && { sources }) };
  return { ...withoutExtractor(changed), cause: 'change', valid_from: from };
}

/** No extractor has said what a person changes. */
function withoutExtractor<O extends Extract<Operation, { operation: 'UPDATE' }>>(operation: O): O {
  const { content } = operation;
  if (!('provenance' in content)) return operation;
  const { extractor: _extractor, ...provenance } = content.provenance;
  return { ...operation, content: { ...content, provenance } };
}

/** The version that is believed at the instant; null: the last that began. */
function versionAt({ root, versions }: Correcting, at: Instant | null): CorrectedRow {
  const believed = versions
    .filter(({ row }) => row.retired_seq === null && row.status === 'live')
    .sort((a, b) => (a.row.valid_from < b.row.valid_from ? -1 : 1));
  const found =
    at === null
      ? believed.at(-1)
      : believed.find(
          ({ row }) => row.valid_from <= at && (row.valid_until === null || at < row.valid_until),
        );
  if (found && found.table !== 'context_links') return found;
  throw new ContextEngineError('WRITE.NOT_FOUND', {
    message: `Nothing with the root \`${root}\` is believed at that time that you may read.`,
    fix: 'See `history`; take a `root_uuid` from `compose` or from a receipt.',
    where: { field: 'root' },
  });
}

function typedContent(row: TypedRow, input: CorrectionInput, { collections }: Correcting) {
  if (input.value === undefined || input.content !== undefined)
    throw invalidWrite(
      'A typed value is corrected without `value`, or with `content`.',
      'Pass the right value as `value`.',
      'value',
    );
  const { collection, property } = row;
  const typed: Typed = { collection, property, value: input.value };
  return { ...contentOf(row), ...checkTyped(typed, collections) };
}

type VersionedColumn = (typeof VERSIONED_COLUMNS)[number];

/** Without what the ledger adds to a version. */
function contentOf<R extends CorrectedRow['row']>(row: R): Omit<R, VersionedColumn> {
  const {
    tenant_id: _tenant,
    uuid: _uuid,
    root_uuid: _root,
    scope_uuid: _scope,
    valid_from: _from,
    valid_until: _until,
    closed_seq: _closed,
    recorded_seq: _recorded,
    retired_seq: _retired,
    superseded_by: _by,
    cause: _cause,
    status: _status,
    operation: _operation,
    recut_of: _recut,
    ...content
  } = row;
  return content;
}
