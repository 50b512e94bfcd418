/** What became of the served items: the only source of retrievability, utility and frequency. */
import type { Authority, FoldUsage, UsageEvent } from '../cxri/authority.ts';
import { ContextEngineError } from '../errors.ts';
import { checkFields } from '../model/fields.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseUuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import type { OutcomeInput } from '../model/write-input.ts';
import { foldUsage } from '../scoring/fold.ts';
import { checkUuids } from './check-content.ts';
import { OUTCOME_FIELDS } from './input-fields.ts';

const KINDS = ['used', 'cited', 'confirmed', 'corrected'] as const;

/** Stronger outcomes stand for weaker ones of the same item; served items that are in no list count as unused (no review, utility only). */
export async function recordOutcome(
  outcome: OutcomeInput,
  by: { readonly authority: Authority; readonly grant: Grant; readonly now: Instant },
): Promise<{ readonly recorded: number }> {
  checkFields(outcome, 'outcome', OUTCOME_FIELDS);
  const compositionId = parseUuid(outcome.composition_id, 'composition_id');
  const receipt = await by.authority.loadReceipt(by.grant.tenant, compositionId, by.grant.scopes);
  if (!receipt)
    throw new ContextEngineError('RECEIPT.NOT_FOUND', {
      message: `No composition \`${compositionId}\` was remembered.`,
      fix: 'Pass the `composition_id` of a composition that was not `as_of`.',
      where: { field: 'composition_id' },
    });
  const served = new Map(receipt.items.flatMap((item) => (item.root_uuid === null ? [] : [[item.root_uuid, item] as const])));
  const kindOf = new Map<Uuid, UsageEvent['kind']>([...served.keys()].map((root) => [root, 'unused']));
  for (const kind of KINDS) {
    for (const root of checkUuids(outcome[kind], kind)) {
      if (!served.has(root))
        throw new ContextEngineError('WRITE.INVALID', {
          message: `\`${root}\` was not served by composition \`${compositionId}\`.`,
          fix: 'Name root uuids of its items.',
          where: { field: kind },
        });
      kindOf.set(root, kind);
    }
  }
  const events = await located(by, served, (root) => ({
    root_uuid: root,
    composition_id: compositionId,
    kind: kindOf.get(root) ?? 'unused',
    at: by.now,
  }));
  if (events.length > 0) await by.authority.recordUsage(by.grant.tenant, { events, fold: FOLD, recorded_at: by.now });
  return { recorded: events.length };
}

const FOLD: FoldUsage = (before, event) => foldUsage(before, event);

/** An outcome is recorded in the scope of its row. */
async function located(
  by: { readonly authority: Authority; readonly grant: Grant },
  served: ReadonlyMap<Uuid, { readonly uuid: Uuid | null }>,
  eventOf: (root: Uuid) => Omit<UsageEvent, 'scope_uuid'>,
): Promise<UsageEvent[]> {
  const uuids = [...served.values()].flatMap((item) => (item.uuid === null ? [] : [item.uuid]));
  const { rows } = await by.authority.read({
    kind: 'versions',
    tenant: by.grant.tenant,
    scopes: by.grant.scopes.all ? '*' : [...by.grant.scopes.uuids],
    uuids,
  });
  return rows.map(({ row }) => ({ ...eventOf(row.root_uuid), scope_uuid: row.scope_uuid, born_at: row.valid_from }));
}
