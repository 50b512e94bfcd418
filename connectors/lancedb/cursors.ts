/** How far each tenant was fed: a file for each below a copy, replaced in one step. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedCursor, FeedMark } from '../../src/cxri/projection.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { type Copy, replaceFile } from './copies.ts';

/** `counted`: bytes of its changes that count; absent = they were not kept from the beginning. */
export interface MarkOfCopy extends FeedMark {
  readonly counted?: number;
}
interface CursorOfCopy {
  readonly policy_epoch: number;
  readonly marks: readonly MarkOfCopy[];
}

const NONE: CursorOfCopy = { policy_epoch: 0, marks: [] };

/** Names of tenants are compared by case, files not everywhere. */
const fileOf = ({ folder }: Copy, tenant: TenantId): string =>
  join(folder, 'cursors', `${Buffer.from(tenant).toString('hex')}.json`);

/** Written below, whole or not at all, hence the cast. */
export function readOwnCursor(copy: Copy, tenant: TenantId): CursorOfCopy {
  const file = fileOf(copy, tenant);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CursorOfCopy) : NONE;
}

export function readCursor(copy: Copy, tenant: TenantId): FeedCursor {
  const { policy_epoch, marks } = readOwnCursor(copy, tenant);
  return { policy_epoch, marks: marks.map(({ counted: _own, ...mark }) => mark) };
}

/** By scope, with the epoch that they are of. */
export function readMarks(
  copy: Copy,
  tenant: TenantId,
): ReadonlyMap<Uuid, MarkOfCopy> & { readonly epoch: number } {
  const { policy_epoch: epoch, marks } = readOwnCursor(copy, tenant);
  return Object.assign(new Map(marks.map((mark) => [mark.scope, mark] as const)), { epoch });
}

export async function writeCursor(
  copy: Copy,
  tenant: TenantId,
  { policy_epoch, marks }: CursorOfCopy,
): Promise<void> {
  const sorted = [...marks].sort((a, b) => (a.scope < b.scope ? -1 : 1));
  await replaceFile(fileOf(copy, tenant), JSON.stringify({ policy_epoch, marks: sorted }));
}

export const withMark = (
  { policy_epoch, marks }: CursorOfCopy,
  mark: MarkOfCopy,
): CursorOfCopy => ({
  policy_epoch,
  marks: [...marks.filter(({ scope }) => scope !== mark.scope), mark],
});
