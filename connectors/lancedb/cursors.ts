/** How far each tenant was fed: a file for each below a copy, replaced in one step. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedCursor, FeedMark } from '../../src/cxri/projection.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { type Copy, replaceFile } from './copies.ts';

const NONE: FeedCursor = { policy_epoch: 0, marks: [] };

/** Names of tenants are compared by case, files not everywhere. */
const fileOf = ({ folder }: Copy, tenant: TenantId): string =>
  join(folder, 'cursors', `${Buffer.from(tenant).toString('hex')}.json`);

/** Written below, whole or not at all, hence the cast. */
export function readCursor(copy: Copy, tenant: TenantId): FeedCursor {
  const file = fileOf(copy, tenant);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FeedCursor) : NONE;
}

export async function writeCursor(
  copy: Copy,
  tenant: TenantId,
  { policy_epoch, marks }: FeedCursor,
): Promise<void> {
  const sorted = [...marks].sort((a, b) => (a.scope < b.scope ? -1 : 1));
  await replaceFile(fileOf(copy, tenant), JSON.stringify({ policy_epoch, marks: sorted }));
}

export const withMark = ({ policy_epoch, marks }: FeedCursor, mark: FeedMark): FeedCursor => ({
  policy_epoch,
  marks: [...marks.filter(({ scope }) => scope !== mark.scope), mark],
});
