/**
 * What of the journal was applied to a copy: a file for each scope, which grows by a line an entry.
 * The mark of the scope says how many bytes of it count, so that what a dead feeder began is not
 * told, and is cut off by the next.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../../src/cxri/contract.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { type Copy, replaceFile } from './copies.ts';

/** Below a copy, as its cursors are: tenants differ by case, files not everywhere. */
export const CHANGES = 'changes';
const folderOf = ({ folder }: Copy, tenant: TenantId): string =>
  join(folder, CHANGES, Buffer.from(tenant).toString('hex'));
const fileOf = (copy: Copy, tenant: TenantId, scope: Uuid): string =>
  join(folderOf(copy, tenant), `${scope}.jsonl`);

const toLine = ({ seq, operation, table, uuid, root_uuid: root }: Change): string =>
  `${JSON.stringify([seq, operation, table, uuid, root])}\n`;

/** Written by `toLine`, hence the cast. */
function fromLine(scope: Uuid, line: string): Change {
  const [seq, operation, table, uuid, root_uuid] = JSON.parse(line) as [
    Change['seq'],
    Change['operation'],
    Change['table'],
    Change['uuid'],
    Change['root_uuid'],
  ];
  return { scope, seq, operation, table, uuid, root_uuid };
}

/** `counted`: bytes that count so far. Gives how many do once the mark of the scope says so. */
export async function appendChanges(
  copy: Copy,
  { tenant, scope }: { readonly tenant: TenantId; readonly scope: Uuid },
  { changes, counted }: { readonly changes: readonly Change[]; readonly counted: number },
): Promise<number> {
  if (changes.length === 0) return counted;
  await mkdir(folderOf(copy, tenant), { recursive: true });
  const lines = Buffer.from(changes.map(toLine).join(''));
  const file = await open(fileOf(copy, tenant, scope), 'a');
  try {
    await file.truncate(counted);
    await file.appendFile(lines);
    await file.datasync();
  } finally {
    await file.close();
  }
  return counted + lines.length;
}

/** Read at once; a sequence number that is longer is read whole. */
const CHUNK_BYTES = 65_536;

/** Whole sequence numbers from a byte on, and the byte to go on from; none = that was all. */
export async function readChanges(
  copy: Copy,
  { tenant, scope }: { readonly tenant: TenantId; readonly scope: Uuid },
  { from, counted }: { readonly from: number; readonly counted: number },
): Promise<{ readonly changes: readonly Change[]; readonly next: number }> {
  if (from >= counted) return { changes: [], next: from };
  const file = await open(fileOf(copy, tenant, scope), 'r');
  try {
    for (let size = CHUNK_BYTES; ; size *= 2) {
      const length = Math.min(size, counted - from);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, from);
      const lines = buffer.toString('utf8').split('\n').slice(0, -1);
      const read = lines.map((line) => fromLine(scope, line));
      if (from + length === counted) return { changes: read, next: counted };
      const cut = read.at(-1)?.seq;
      const changes = read.filter(({ seq }) => seq !== cut);
      const taken = lines.slice(0, changes.length);
      // Ids, names and numbers: a character is a byte.
      if (changes.length > 0)
        return { changes, next: from + taken.reduce((sum, line) => sum + line.length + 1, 0) };
    }
  } finally {
    await file.close();
  }
}

export const dropChanges = (copy: Copy, tenant: TenantId, scopes: readonly Uuid[]): void => {
  for (const scope of scopes) rmSync(fileOf(copy, tenant, scope), { force: true });
};

/** The entries stay and name no more what was erased. Spaces keep every byte in its place. */
export async function eraseIds(
  copy: Copy,
  tenant: TenantId,
  uuids: readonly Uuid[],
): Promise<void> {
  const folder = folderOf(copy, tenant);
  if (uuids.length === 0 || !existsSync(folder)) return;
  const gone = new Set<string>(uuids);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const left = text.replaceAll(/"([0-9a-f-]{36})"/g, (quoted: string, uuid: string) =>
      gone.has(uuid) ? 'null'.padEnd(quoted.length) : quoted,
    );
    if (left !== text) await replaceFile(join(folder, name), left);
  }
}
