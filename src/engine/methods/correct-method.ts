/** `correct`: what a row should have said all along; `facts.update`: what it says from now on. */

import { isFactTable } from '../../model/fact-record.ts';
import { type Instant, parseUuid } from '../../model/ids.ts';
import type { Operation, Source, WriteResult } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import type { CorrectionInput } from '../../model/write-input.ts';
import { changeOperation, correctOperation } from '../../write/correct-operation.ts';
import { writeOperations } from '../../write/write.ts';
import type { CallOptions } from '../context-engine.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { readableScopes } from '../readable-scopes.ts';

/** A row that is not held or not readable answers like one that is not there. */
export async function correct(
  parts: EngineParts,
  given: {
    readonly root: string;
    readonly correction: CorrectionInput;
    /** The world is otherwise from then on, and was as it said before. */
    readonly changes?: Instant;
  },
  options: CallOptions | undefined,
): Promise<WriteResult> {
  const { authority, permission, manifests, newId, now } = parts;
  const root = parseUuid(given.root, 'root');
  const grant = await grantOf(parts, options, 'write');
  const { rows } = await authority.read({
    kind: 'history',
    tenant: grant.tenant,
    scopes: grant.scopes.all ? '*' : [...grant.scopes.uuids],
    roots: [root],
  });
  const scopes = [...new Set(rows.map(({ row }) => row.scope_uuid))];
  const readable = new Set(scopes.length === 0 ? [] : await permission.readable(grant, scopes));
  const corrected = correctOperation(given.correction, {
    root,
    versions: rows.filter(
      ({ table, row }) =>
        readable.has(row.scope_uuid) && (given.changes === undefined || isFactTable(table)),
    ),
    collections: manifests.collections,
    newId,
  });
  const operation =
    given.changes === undefined
      ? corrected
      : changeOperation(corrected, {
          from: given.changes,
          kept: await sourcesOf(corrected, grant, parts),
        });
  const profile = await parts.profileOf(options);
  const call = { operations: [operation], profile, now: now(), ...signalOf(options) };
  return writeOperations(call, parts);
}

/** Of the version that it takes the place of, as far as the caller reads them. */
async function sourcesOf(
  operation: Operation,
  grant: Grant,
  parts: EngineParts,
): Promise<readonly Source[]> {
  const version = 'expected_version' in operation ? operation.expected_version : undefined;
  if (version === undefined) return [];
  const readable = await readableScopes(grant, parts);
  const asked = { uuids: [version], readable };
  const origins = await parts.authority.factOrigins(grant.tenant, asked);
  return (origins.get(version)?.sources ?? []).map((source) =>
    'uuid' in source
      ? source.uuid
      : { scope: source.scope_uuid, from_seq: source.from_seq, to_seq: source.to_seq },
  );
}
