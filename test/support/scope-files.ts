/** Exports for tests: a scope as its lines, and the lines of generated histories. */
import { createHash, randomUUID } from 'node:crypto';
import type { Authority } from '../../src/cxri/authority.ts';
import { canonicalJson } from '../../src/cxri/payload.ts';
import { exportScope } from '../../src/look-back/export-scope.ts';
import { importScope } from '../../src/look-back/import-scope.ts';
import { type Line, LineDigest } from '../../src/look-back/scope-format.ts';
import { parseUuid, toInstant, type Uuid } from '../../src/model/ids.ts';
import type { Grant } from '../../src/model/permission.ts';
import { createPermissionDoor } from '../../src/permission/door.ts';
import { tenantNamed } from './ledger.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function linesOf(
  authority: Authority,
  tenant: string,
  scope: Uuid,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const of = {
    authority,
    tenant: tenantNamed(tenant),
    scope,
    digestOf: sha256,
    admit: async () => undefined,
  };
  for await (const line of exportScope(of)) lines.push(line);
  return lines;
}

/** With the end that these lines must have: what an importer meets who recounts after an edit. */
export function signed(lines: readonly Line[]): readonly Line[] {
  const digest = new LineDigest(sha256);
  const kept = lines.filter((line) => !('end' in Object(line)));
  for (const line of kept) digest.add(line);
  return [...kept, digest.endLine()];
}

export const textOf = (lines: readonly Line[]): string => lines.map(canonicalJson).join('\n');

/** Long after anything that a test writes. */
export const IMPORTED = toInstant(Date.UTC(2027, 0, 1));

export function grantIn(tenant: string, scopes: readonly Uuid[] | '*' = '*'): Grant {
  return {
    tenant: tenantNamed(tenant),
    principal: 'importer',
    kind: 'human',
    onBehalfOf: null,
    // What they bring back into a folder of their own is theirs as it stands.
    isOwner: true,
    tiers: {
      reads: 'T1',
      writes: 'T1',
      cross_scope: 'T3',
      deletes: 'T3',
      grants: 'T3',
      redactions: 'T3',
      approvals: 'T3',
    },
    scopes: { all: scopes === '*', uuids: new Set(scopes === '*' ? [] : scopes) },
    digest: 'test',
  };
}

export async function* stream(lines: readonly unknown[]): AsyncGenerator<unknown> {
  yield* lines;
}

export const importLines = (
  authority: Authority,
  lines: readonly unknown[],
  grant: Grant,
): ReturnType<typeof importScope> =>
  importScope(stream(lines), {
    authority,
    permission: createPermissionDoor({
      newId: () => parseUuid(randomUUID(), 'id'),
      owner: null,
      authority,
      manifests: [],
      digestOf: sha256,
      now: () => IMPORTED,
    }),
    judged: async () => grant,
    now: IMPORTED,
    writer: 'test/1',
    digestOf: sha256,
  });

/** What the lines hold, in whatever order they stand. */
export const contentOf = (lines: readonly Line[]): string =>
  lines
    .filter((line) => !('end' in line))
    .map(canonicalJson)
    .sort()
    .join('\n');
