/** The engine's methods that look back: explain, replay, history, export, health. */

import { ContextEngineError } from '../../codes/errors.ts';
import type { ReceiptQueue } from '../../compose/receipt-queue.ts';
import type { CompositionReceipt } from '../../model/composition.ts';
import type { Health } from '../../model/health.ts';
import type { Uuid } from '../../model/ids.ts';
import { parseUuid } from '../../model/ids.ts';
import type { Grant } from '../../model/permission.ts';
import { isPlain, plainCopy } from '../../model/plain-copy.ts';
import { type Entrance, scopeMissing } from '../../permission/door.ts';
import type { OutageReading } from '../../telemetry/outage.ts';
import type { CallOptions, CompositionName, ContextEngine } from '../context-engine.ts';
import { type EngineParts, readerOf } from '../engine-parts.ts';

type Reading = Pick<
  ContextEngine,
  'explain' | 'replay' | 'history' | 'documents' | 'exportScope' | 'health'
>;

export function createReading(
  parts: EngineParts & { readonly receiptQueue: ReceiptQueue },
): Reading {
  const { authority, open, receiptQueue, permission } = parts;
  /** A receipt that the caller reads, and what of it. */
  const receiptOf = async (asked: CompositionName, options: CallOptions | undefined) => {
    const grant = await readerOf(parts, options);
    await receiptQueue.drain();
    const receipt = await namedReceipt(asked, grant, parts);
    await permission.assertReadable(grant, receipt.scope_uuid, entrance('composition_id'));
    const scopes = receipt.position.map(({ scope }) => scope);
    return { grant, receipt, readable: await permission.readable(grant, scopes) };
  };
  return {
    explain: open(async (compositionId, options) => {
      const { explain, textOfRow } = await import('../../look-back/explain.ts');
      const { storedManifest } = await import('../../look-back/replay.ts');
      const { grant, receipt, readable } = await receiptOf(compositionId, options);
      const named = [...receipt.items, ...receipt.dropped];
      const { rows } = await authority.read({
        kind: 'versions',
        tenant: grant.tenant,
        scopes: [...readable],
        uuids: named.flatMap(({ uuid }) => (uuid === null ? [] : [uuid])),
      });
      const versions = new Map(rows.map((entry) => [entry.row.uuid, textOfRow(entry)]));
      const manifest = await storedManifest(receipt.manifest, authority, grant.tenant);
      const kinds = new Map(manifest?.layers.map(({ name, kind }) => [name, kind]));
      const kindOf = (layer: string) => kinds.get(layer);
      return explain(receipt, { versions, scopes: readable, kindOf });
    }),
    replay: open(async (compositionId, options) => {
      const { replayReceipt } = await import('../../look-back/replay.ts');
      const { grant, receipt, readable } = await receiptOf(compositionId, options);
      return replayReceipt(receipt, { authority, grant, readable, digestOf: parts.digestOf });
    }),
    history: open(async (rootUuid, options) => {
      const grant = await readerOf(parts, options);
      const { rows } = await authority.read({
        kind: 'history',
        tenant: grant.tenant,
        scopes: heldScopes(grant),
        roots: [parseUuid(rootUuid, 'root')],
      });
      for (const scope of new Set(rows.map(({ row }) => row.scope_uuid)))
        await permission.assertReadable(grant, scope, entrance('root'));
      return rows;
    }),
    documents: open(async (scope, options) => {
      const { documentsOf } = await import('./documents-method.ts');
      return documentsOf(parts, scope, options);
    }),
    exportScope: (scope, options) => exported([scope, options], parts),
    health: open(async () => {
      const health = withOutage(await authority.health(), await parts.outage.reading());
      if (receiptQueue.lost === 0) return health;
      const { lost, lastError } = receiptQueue;
      const why = lastError instanceof Error ? lastError.message : 'the receipt queue ran over';
      const advice = `${lost} receipts were lost: ${why}.`;
      return {
        ...health,
        verdict: health.verdict === 'ok' ? 'degraded' : health.verdict,
        advice: [...health.advice, advice],
        details: { ...health.details, lost_receipts: lost },
      };
    }),
  };
}

/** What was not written is no fault of the store as it is now, but a reader should know. */
function withOutage(health: Health, reading: OutageReading): Health {
  if (reading.state === 'clear') return health;
  const { outage, advice } =
    reading.state === 'outage'
      ? {
          outage: reading.outage,
          advice: `A write failed at ${reading.outage.time}: ${reading.outage.hint}`,
        }
      : { outage: null, advice: `The outage marker cannot be read: ${reading.reason}` };
  const verdict = health.verdict === 'ok' ? 'degraded' : health.verdict;
  return {
    ...health,
    verdict,
    advice: [...health.advice, advice],
    details: { ...health.details, outage },
  };
}

async function* exported(
  args: readonly [string, CallOptions | undefined],
  parts: EngineParts,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const [scope, options] = plainCopy(args);
  const { authority, permission, digestOf } = parts;
  const uuid = parseUuid(scope, 'scope');
  const judged = parts.open(async () => {
    const grant = await readerOf(parts, options);
    await permission.assertReadable(grant, uuid, entrance('scope'));
    return grant;
  });
  const { tenant } = await judged();
  const admit = async (): Promise<void> => {
    const grant = await judged();
    if (grant.tenant !== tenant) throw scopeMissing(uuid, grant.tenant, 'scope');
  };
  const { exportScope } = await import('../../look-back/export-scope.ts');
  yield* exportScope({ authority, tenant, scope: uuid, digestOf, admit });
}

const entrance = (field: string): Entrance => ({ door: 'look_back', field });

/** The one of an id, or the newest of what the caller reads. */
async function namedReceipt(
  asked: CompositionName,
  grant: Grant,
  { authority, permission, now }: EngineParts,
): Promise<CompositionReceipt> {
  const name: unknown = asked;
  if (name !== LATEST && !isLatestOf(name)) {
    const id = parseUuid(name, 'composition_id');
    const receipt = await authority.loadReceipt(grant.tenant, id, grant.scopes);
    if (receipt) return receipt;
    throw receiptMissing(id, grant);
  }
  const scope = name === LATEST ? null : parseUuid(name.latest_of, 'latest_of');
  if (scope) await permission.assertReadable(grant, scope, entrance('latest_of'));
  const listed = scope ? [] : await authority.listScopes(grant.tenant, grant.scopes, now());
  const readable = listed.flatMap((each) =>
    permission.mayRead(grant, each.scope) ? [each.scope.root_uuid] : [],
  );
  const scopes = { all: false, uuids: new Set(scope ? [scope] : readable) };
  const newest = { manifest: null, limit: 1 };
  const [receipt] = await authority.listReceipts(grant.tenant, newest, scopes);
  if (receipt) return receipt;
  throw noReceipt(scope, grant);
}

const LATEST = 'latest';

const isLatestOf = (value: unknown): value is { readonly latest_of: unknown } =>
  typeof value === 'object' && value !== null && 'latest_of' in value && isPlain(value);

const noReceipt = (scope: Uuid | null, { principal }: Grant): ContextEngineError =>
  new ContextEngineError('RECEIPT.NOT_FOUND', {
    message:
      `No composition ${scope ? `of \`${scope}\`` : 'of any scope'} was remembered that ` +
      `\`${principal}\` may read.`,
    fix: `Compose first; ${WITHOUT_RECEIPT}`,
    where: { field: 'composition_id' },
  });

const WITHOUT_RECEIPT =
  'compositions with `as_of`, and those of manifests that bypass `remember`, leave no receipt.';

const receiptMissing = (id: Uuid, { principal }: Grant): ContextEngineError =>
  new ContextEngineError('RECEIPT.NOT_FOUND', {
    message: `No composition \`${id}\` was remembered for \`${principal}\`.`,
    fix: `Check the id; ${WITHOUT_RECEIPT}`,
    where: { field: 'composition_id' },
  });

const heldScopes = (grant: Grant): readonly Uuid[] | '*' =>
  grant.scopes.all ? '*' : [...grant.scopes.uuids];
