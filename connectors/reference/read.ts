/** Reads by key, and the scan. The scopes that may be seen are part of every request. */
import type { ReadRequest, ReadResult } from '../../src/cxri/contract.ts';
import type { LedgerRow } from '../../src/model/block.ts';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';
import { headOf, isVisible } from '../../src/model/validity.ts';
import { compare, toPredicate } from './filter.ts';
import { invalidRequest } from './refusals.ts';
import type { Slot, Store, TenantState } from './store.ts';

export function read(store: Store, request: ReadRequest): ReadResult {
  const tenant = store.tenants.get(request.tenant);
  if (request.kind === 'scan') return scan(tenant, request);
  const isHeld = ({ entry: { row } }: Slot): boolean =>
    row.status === 'live' && (request.scopes === '*' || request.scopes.includes(row.scope_uuid));
  const slots =
    request.kind === 'versions'
      ? distinct(request.uuids).flatMap((uuid) => tenant?.versions.get(uuid) ?? [])
      : distinct(request.roots).flatMap((root) =>
          [...(tenant?.roots.get(root) ?? [])].sort(oldestFirst),
        );
  return { rows: slots.filter(isHeld).map((slot) => slot.entry), cursor: null };
}

const distinct = (uuids: readonly Uuid[]): readonly Uuid[] => [...new Set(uuids)];

const oldestFirst = (a: Slot, b: Slot): number => {
  const [rowA, rowB] = [a.entry.row, b.entry.row];
  return (
    rowA.recorded_seq - rowB.recorded_seq ||
    compare(rowA.valid_from, rowB.valid_from) ||
    compare(rowA.uuid, rowB.uuid) ||
    0
  );
};

type Key = readonly [scope: string, seq: number, uuid: string];
const keyOf = (row: LedgerRow): Key => [row.scope_uuid, row.recorded_seq, row.uuid];
const byKey = (a: Key, b: Key): number =>
  compare(a[0], b[0]) || a[1] - b[1] || compare(a[2], b[2]) || 0;

function scan(
  tenant: TenantState | undefined,
  request: Extract<ReadRequest, { kind: 'scan' }>,
): ReadResult {
  const after = request.cursor === undefined ? null : parseCursor(request.cursor);
  const accepts = request.filter ? toPredicate(request.table, request.filter) : () => true;
  const isSeen = (row: LedgerRow): boolean => {
    const head = headOf(request.position, row.scope_uuid);
    if (head === undefined) return false;
    return request.visible_at === undefined
      ? row.status === 'live' && row.recorded_seq <= head
      : isVisible(row, request.visible_at, head);
  };
  const rows = request.position
    .flatMap(({ scope }) => tenant?.scopes.get(scope)?.slots[request.table] ?? [])
    .map((slot) => slot.entry)
    .filter(
      ({ row }) => isSeen(row) && (after === null || byKey(keyOf(row), after) > 0) && accepts(row),
    )
    .sort((a, b) => byKey(keyOf(a.row), keyOf(b.row)));
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  return {
    rows: page,
    cursor:
      last && rows.length > page.length
        ? Buffer.from(JSON.stringify(keyOf(last.row))).toString('base64url')
        : null,
  };
}

/** A cursor says only after which key to go on: what may be seen is judged anew. */
function parseCursor(cursor: string): Key {
  try {
    const [scope, seq, uuid]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof seq === 'number')
      return [parseUuid(scope, 'cursor'), seq, parseUuid(uuid, 'cursor')];
  } catch {
    // A cursor of another make ends below as well.
  }
  throw invalidRequest(
    `The cursor \`${cursor.slice(0, 80)}\` is not one of a scan.`,
    'Pass the cursor of the page before, unchanged.',
  );
}
