/** The engine's methods that look back: explain, replay, history, export, health. */
import type { CallOptions, ContextEngine } from './context-engine.ts';
import { ContextEngineError } from './errors.ts';
import type { CompositionReceipt, Explanation } from './model/composition.ts';
import type { Health } from './model/health.ts';
import type { Uuid } from './model/ids.ts';
import { parseUuid } from './model/ids.ts';
import type { Grant, Tier } from './model/permission.ts';
import { holds } from './model/permission.ts';
import { whyDropped, whyIn } from './pipeline/explain.ts';
import { exportRows } from './pipeline/export-rows.ts';
import { shownId } from './pipeline/item-text.ts';
import type { Outbox } from './pipeline/outbox.ts';
import { replayReceipt } from './pipeline/replay.ts';
import type { OutageReading } from './telemetry/outage.ts';
import type { EngineParts } from './writing.ts';
import { grantOf } from './writing.ts';

type Reading = Pick<ContextEngine, 'explain' | 'replay' | 'history' | 'exportScope' | 'health'>;

export function createReading(parts: EngineParts & { readonly outbox: Outbox }): Reading {
  const { authority, open, outbox } = parts;
  const receiptOf = async (compositionId: string, grant: Grant): Promise<CompositionReceipt> => {
    await outbox.drain();
    const id = parseUuid(compositionId, 'composition_id');
    const receipt = await authority.loadReceipt(grant.tenant, id, grant.scopes);
    if (receipt) return receipt;
    throw new ContextEngineError('RECEIPT.NOT_FOUND', {
      message: `No composition \`${id}\` was remembered for \`${grant.principal}\`.`,
      fix: 'Check the id; compositions with `as_of`, and those of manifests that bypass `remember`, leave no receipt.',
      where: { field: 'composition_id' },
    });
  };
  return {
    explain: open(async (compositionId, options) => explanationOf(await receiptOf(compositionId, await readerOf(parts, options)))),
    replay: open(async (compositionId, options) => {
      const grant = await readerOf(parts, options);
      return replayReceipt(await receiptOf(compositionId, grant), { authority, grant, digestOf: parts.digestOf });
    }),
    history: open(async (rootUuid, options) => {
      const grant = await readerOf(parts, options);
      const { rows } = await authority.read({
        kind: 'history',
        tenant: grant.tenant,
        scopes: heldScopes(grant),
        roots: [parseUuid(rootUuid, 'root')],
      });
      return rows;
    }),
    async *exportScope(scope, options) {
      const grant = await open(() => readerOf(parts, options))();
      const uuid = parseUuid(scope, 'scope');
      if (!holds(grant, uuid)) await refuseReading({ grant, tier: 'excluded', scope: uuid }, parts);
      yield* exportRows({ authority, tenant: grant.tenant, scope: uuid });
    },
    health: open(async () => {
      const health = withOutage(await authority.health(), await parts.outage.reading());
      if (outbox.lost === 0) return health;
      const advice = `${outbox.lost} receipts were lost: ${outbox.lastError instanceof Error ? outbox.lastError.message : 'the outbox ran over'}.`;
      return {
        ...health,
        verdict: health.verdict === 'ok' ? 'degraded' : health.verdict,
        advice: [...health.advice, advice],
        details: { ...health.details, lost_receipts: outbox.lost },
      };
    }),
  };
}

/** What was not written is no fault of the store as it is now, but a reader should know. */
function withOutage(health: Health, reading: OutageReading): Health {
  if (reading.state === 'clear') return health;
  const { outage, advice } =
    reading.state === 'outage'
      ? { outage: reading.outage, advice: `A write failed at ${reading.outage.time}: ${reading.outage.hint}` }
      : { outage: null, advice: `The outage marker cannot be read: ${reading.reason}` };
  const verdict = health.verdict === 'ok' ? 'degraded' : health.verdict;
  return { ...health, verdict, advice: [...health.advice, advice], details: { ...health.details, outage } };
}

/** Who may read at all: a profile whose `reads` is not T1 sees nothing by looking back either. */
export async function readerOf(parts: EngineParts, options: CallOptions | undefined): Promise<Grant> {
  const grant = await grantOf(parts, options);
  return grant.tiers.reads === 'T1' ? grant : refuseReading({ grant, tier: grant.tiers.reads, scope: null }, parts);
}

/** Audited first: no audit, no answer. */
async function refuseReading(
  { grant, tier, scope }: { readonly grant: Grant; readonly tier: Tier; readonly scope: Uuid | null },
  { authority, now }: EngineParts,
): Promise<never> {
  const entry = {
    principal: grant.principal,
    action: 'look_back.reads',
    scope_uuid: scope,
    decision: 'denied',
    tier,
    detail: '',
    at: now(),
  } as const;
  await authority.audit(grant.tenant, [entry]);
  if (tier === 'T2' || tier === 'T3')
    throw new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
      message: `\`reads\` is \`${tier}\` for \`${grant.principal}\`, and approvals have not landed in this version.`,
      fix: 'Use a profile whose `reads` is T1.',
      where: { field: 'permission_profile' },
      meta: { tier, action: 'reads' },
    });
  throw new ContextEngineError('PERMISSION.DENIED', {
    message: scope === null ? `\`${grant.principal}\` may not read.` : `\`${grant.principal}\` may not read scope \`${scope}\`.`,
    fix: 'Use a profile that holds the scope and whose `reads` is not excluded.',
    where: { field: scope === null ? 'permission_profile' : 'scope' },
    meta: { tier, action: 'reads' },
  });
}

const heldScopes = (grant: Grant): readonly Uuid[] | '*' => (grant.scopes.all ? '*' : [...grant.scopes.uuids]);

const explanationOf = (receipt: CompositionReceipt): Explanation => ({
  receipt,
  items: receipt.items.map((item) => ({
    uuid: item.uuid,
    root_uuid: item.root_uuid,
    id: item.root_uuid && shownId(item.root_uuid),
    table: item.table,
    layer: item.layer,
    score: item.score,
    signals: item.signals,
    tokens: item.tokens,
    truncated: item.kept !== null,
    provenance: { scope: null, time: null },
    why: whyIn(item, receipt),
  })),
  dropped: receipt.dropped.map((item) => ({ ...item, why: whyDropped(item) })),
});
