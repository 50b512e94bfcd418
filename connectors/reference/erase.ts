/** The end of what was forgotten, its certificate, and a scan for copies, in memory. */
import { createHash } from 'node:crypto';
import { certificateBody, signCertificate } from '../../src/cxri/certificate.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { notAnyMore, redactionMissing } from '../../src/ledger/refusals.ts';
import type { LedgerRow } from '../../src/model/block.ts';
import type {
  CopyScan,
  EraseRequest,
  ErasureCertificate,
  Redaction,
} from '../../src/model/erasure.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { appendAudit } from './audit.ts';
import { saysText } from './named.ts';
import { type Store, tenantOf } from './store.ts';

/** As it is stored: what a scan for copies looks for. */
const holdsText = (said: unknown, text: string): boolean =>
  saysText(said, text) || saysText(JSON.stringify(said), JSON.stringify(text).slice(1, -1));

/** Nothing of this store outlives its process, so its key may be derived from the tenant's name. */
const seedOf = (tenant: TenantId): string =>
  createHash('sha256').update(`reference ${tenant}`).digest('hex');

export function erase(store: Store, request: EraseRequest): ErasureCertificate {
  const tenant = tenantOf(store, request.tenant);
  const known = tenant.certificates.get(request.redaction);
  if (known) return known;
  const index = tenant.redactions.findIndex(
    ({ redaction_uuid: uuid }) => uuid === request.redaction,
  );
  const held = tenant.redactions[index];
  if (!held) throw redactionMissing();
  if (held.state === 'brought_back') throw notAnyMore('was brought back');
  const named = tenant.redacted.get(request.redaction);
  if (named) {
    for (const uuid of named.receipts) tenant.saidBefore.delete(uuid);
    for (const [redaction, other] of tenant.redacted) {
      const kept = [...other.proposals].filter(([uuid]) => !named.proposals.has(uuid));
      tenant.redacted.set(redaction, { ...other, proposals: new Map(kept) });
    }
  }
  for (const { journal } of tenant.scopes.values())
    for (const [place, entry] of journal.entries())
      if (named?.reasons.has(entry.operation_id)) journal[place] = { ...entry, reason: null };
  for (const slot of named?.slots ?? []) {
    const { table, row } = slot.entry;
    // Row and blanks are of the same table.
    slot.entry = toEntry(table, { ...row, ...BLANK[table], status: 'erased' } as LedgerRow);
    slot.indexed = null;
  }
  const erased: Redaction = { ...held, state: 'erased', erased_at: request.at };
  tenant.redactions[index] = erased;
  const certificate = signCertificate(
    certificateBody(request.tenant, erased),
    seedOf(request.tenant),
  );
  tenant.certificates.set(request.redaction, certificate);
  appendAudit(tenant, [
    {
      principal: request.principal,
      on_behalf_of: request.on_behalf_of,
      action: `erase.${held.target_kind}`,
      scope_uuid: null,
      decision: 'allowed',
      tier: request.tier,
      detail: request.redaction,
      at: request.at,
    },
  ]);
  return certificate;
}

const BLANK = {
  blocks: {
    author: null,
    role: null,
    title: null,
    content: '',
    tags: [],
    metadata: {},
    provenance: {},
  },
  subtree_summaries: { content: '', model: null, provenance: {} },
  memory_open_set: {
    content: '',
    subject: null,
    category: null,
    class: 'erased',
    tags: [],
    metadata: {},
    provenance: {},
  },
  memory_schema_typed: {
    subject: 'erased',
    collection: 'erased',
    property: 'erased',
    value: null,
    provenance: {},
  },
  context_links: { metadata: {} },
} as const;

export const signingKey = (store: Store, tenant: TenantId): string | null =>
  [...(store.tenants.get(tenant)?.certificates.values() ?? [])][0]?.public_key ?? null;

/** Rows and receipts that say one of the texts. */
export function scanCopies(store: Store, tenant: TenantId, texts: readonly string[]): CopyScan {
  const state = store.tenants.get(tenant);
  const places = {
    rows: [...(state?.versions.values() ?? [])].map(({ entry }) => entry.row),
    receipts: [...(state?.receipts.values() ?? []), ...(state?.saidBefore.values() ?? [])],
    proposals: [
      ...(state?.proposals.values() ?? []),
      ...[...(state?.redacted.values() ?? [])].flatMap(({ proposals }) => [...proposals.values()]),
    ],
  };
  const found = Object.entries(places).flatMap(([table, all]) => {
    const rows = all.filter((said) => texts.some((text) => holdsText(said, text))).length;
    return rows === 0 ? [] : [{ table, column: '*', rows }];
  });
  return { columns: Object.keys(places).length, found };
}
