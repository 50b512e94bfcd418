/** What became of the served items: the only source of retrievability, utility and frequency. */

import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { FoldUsage, UsageEvent } from '../cxri/ports/usage.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { AnyRow } from '../model/block.ts';
import type { CompositionReceipt } from '../model/composition.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseUuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import type { OutcomeInput } from '../model/write-input.ts';
import { rawTier } from '../permission/decide-write.ts';
import type { PermissionDoor } from '../permission/door.ts';
import { foldUsage } from '../scoring/fold-outcomes.ts';
import { uuidsOf } from './check-content.ts';

const KINDS = ['used', 'cited', 'confirmed', 'corrected'] as const;

interface Recording {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
  readonly grant: Grant;
  readonly now: Instant;
}

/**
 * Stronger outcomes stand for weaker ones of the same item; served items that are in no list count
 * as unused (no review, utility only).
 */
export async function recordOutcome(
  outcome: OutcomeInput,
  by: Recording,
): Promise<{ readonly recorded: number }> {
  checkInput('outcome', outcome);
  const compositionId = parseUuid(outcome.composition_id, 'composition_id');
  const receipt = await by.authority.loadReceipt(by.grant.tenant, compositionId, by.grant.scopes);
  if (!receipt)
    throw new ContextEngineError('RECEIPT.NOT_FOUND', {
      message: `No composition \`${compositionId}\` was remembered.`,
      fix: 'Pass the `composition_id` of a composition that was not `as_of`.',
      where: { field: 'composition_id' },
    });
  // The outcome shows what the composition held, and changes how its scope ranks.
  const entrance = { door: 'outcome', field: 'composition_id' };
  const block = await by.permission.assertReadable(by.grant, receipt.scope_uuid, entrance);
  await by.permission.assertStores(by.grant, block, entrance);
  // Rows that the caller may not read answer like roots that were never served.
  const rows = await servedRows(receipt, by);
  const served = new Map(rows.map(({ row }) => [row.root_uuid, row]));
  const kindOf = new Map<Uuid, UsageEvent['kind']>(
    [...served.keys()].map((root) => [root, 'unused']),
  );
  for (const kind of KINDS) {
    for (const root of uuidsOf(outcome[kind], kind)) {
      if (!served.has(root))
        throw new ContextEngineError('WRITE.INVALID', {
          message: `\`${root}\` was not served by composition \`${compositionId}\`.`,
          fix: 'Name root uuids of its items.',
          where: { field: kind },
        });
      kindOf.set(root, kind);
    }
  }
  const events = rows.map(
    ({ row }): UsageEvent => ({
      root_uuid: row.root_uuid,
      composition_id: compositionId,
      kind: kindOf.get(row.root_uuid) ?? 'unused',
      at: by.now,
      // An outcome is recorded in the scope of its row.
      scope_uuid: row.scope_uuid,
      born_at: row.valid_from,
    }),
  );
  if (events.length > 0)
    await by.authority.recordUsage(by.grant.tenant, { events, fold: FOLD, recorded_at: by.now });
  return { recorded: events.length };
}

const FOLD: FoldUsage = (before, event) => foldUsage(before, event);

/** The served rows of scopes that the caller reads, and whose outcomes it may store. */
async function servedRows(
  { items, position }: CompositionReceipt,
  { authority, permission, grant }: Recording,
): Promise<readonly AnyRow[]> {
  const blocks = await permission.blocksOf(
    grant,
    position.map(({ scope }) => scope),
  );
  const scopes = [...blocks].flatMap(([scope, block]) => {
    const rules = { policy: permission.policy, scopeType: block.block_type };
    return permission.mayRead(grant, block) && rawTier(grant, rules) === 'T1' ? [scope] : [];
  });
  const uuids = items.flatMap(({ uuid }) => (uuid === null ? [] : [uuid]));
  const { rows } = await authority.read({ kind: 'versions', tenant: grant.tenant, scopes, uuids });
  return rows;
}
