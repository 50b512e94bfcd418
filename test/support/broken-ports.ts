/** Connectors that break one rule of the engine's internal ports each. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { EmbeddingRow } from '../../src/cxri/ports/vectors.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import type { ErasureCertificate, Redaction } from '../../src/model/erasure.ts';
import { parseInstant, parseTenant, parseUuid, type Uuid } from '../../src/model/ids.ts';
import { BROKEN_FACTS } from './broken-facts.ts';

/** A head that no scope reaches. */
const FAR = 1_000_000;
const EMPTY_UUID = parseUuid('00000000-0000-4000-8000-000000000000', 'id');
const EVERYBODY = parseTenant('everybody');
const LONG_AGO = parseInstant('2000-01-01T00:00:00.000Z', 'at');

type Break = (right: Authority) => Partial<Authority>;

export const BROKEN_PORTS: Readonly<Record<string, Break>> = {
  ...BROKEN_FACTS,
  'shares vectors between tenants': (right) => ({
    shareVectors: async (_tenant, given) => right.shareVectors(EVERYBODY, given),
    sharedVectors: async (_tenant, asked) => right.sharedVectors(EVERYBODY, asked),
  }),
  'keeps vectors of what was forgotten': (right) => ({
    shareVectors: async (tenant, given) => {
      const asked = { space: given.space, digests: [] };
      const { epoch } = await right.sharedVectors(tenant, asked);
      return right.shareVectors(tenant, { ...given, epoch });
    },
  }),
  'keeps shared vectors for ever': (right) => ({
    shareVectors: async (tenant, given) =>
      right.shareVectors(tenant, { ...given, kept_since: LONG_AGO }),
  }),
  'counts the use of embeddings for nobody': () => ({ addEmbeddingUse: async () => undefined }),
  'tells everyone what was served': (right) => ({
    saveServed: async (tenant, marks, since) =>
      right.saveServed(
        tenant,
        marks.map((mark) => ({ ...mark, principal: 'all' })),
        since,
      ),
    servedTo: async (tenant, asked) => right.servedTo(tenant, { ...asked, principal: 'all' }),
  }),
  'counts what a session itself was served': (right) => ({
    servedTo: async (tenant, asked) =>
      right.servedTo(tenant, { ...asked, except_session: EMPTY_UUID }),
  }),
  'keeps what was served for ever': (right) => ({
    saveServed: async (tenant, marks) => right.saveServed(tenant, marks, LONG_AGO),
  }),
  'embeds the content alone': (right) => ({
    pendingEmbeddings: async (tenant, space, limit) => {
      const rows = await right.pendingEmbeddings(tenant, space, limit);
      return rows.map((row) => ({ ...row, text: row.text.split('\n').at(-1) ?? '' }));
    },
  }),
  'reads vectors of every version': (right) => {
    const stored: EmbeddingRow[] = [];
    return {
      storeEmbeddings: async (space, rows) => {
        stored.push(...rows);
        return right.storeEmbeddings(space, rows);
      },
      readEmbeddings: async () =>
        stored.map(({ uuid, origin, ordinal, values }) => ({ uuid, origin, ordinal, values })),
    };
  },
  'shows receipts to everyone of the tenant': (right) => ({
    loadReceipt: async (tenant, id) =>
      right.loadReceipt(tenant, id, { all: true, uuids: new Set() }),
  }),
  'lists receipts to everyone of the tenant': (right) => ({
    listReceipts: async (tenant, asked) =>
      right.listReceipts(tenant, asked, { all: true, uuids: new Set() }),
  }),
  'lists scopes that are not held': (right) => ({
    listScopes: async (tenant, _held, now) =>
      right.listScopes(tenant, { all: true, uuids: new Set() }, now),
  }),
  'says that no scope inherits': (right) => ({
    describeScopes: async (tenant, scopes, now) =>
      (await right.describeScopes(tenant, scopes, now)).map((each) => ({ ...each, inherits: [] })),
  }),
  'walks the closure depth first': (right) => ({
    resolveScope: async (request) => {
      const resolved = await right.resolveScope(request);
      return {
        ...resolved,
        closure: [...resolved.closure.slice(0, 1), ...resolved.closure.slice(1).reverse()],
      };
    },
  }),
  'answers heads of now for the past': (right) => ({
    resolveScope: async (request) => {
      const { recorded_as_of: _past, ...now } = request;
      return right.resolveScope(now);
    },
  }),
  'gives the usage of now for the past': (right) => ({
    query: async (request) =>
      right.query(
        request.usage_position
          ? {
              ...request,
              usage_position: request.usage_position.map(({ scope }) => ({ scope, head: FAR })),
            }
          : request,
      ),
  }),
  'journals the decision of the first operation for all': (right) => ({
    write: async (request) => {
      const [first] = request.decisions ?? [];
      return right.write(
        first ? { ...request, decisions: request.operations.map(() => first) } : request,
      );
    },
  }),
  'numbers audit entries by time': (right) => ({
    readAudit: async (request) =>
      [...(await right.readAudit(request))].sort((a, b) => (a.at < b.at ? -1 : 1)),
  }),
  'keeps one chain for all tenants': (right) => ({
    audit: async (_tenant, entries) => right.audit(parseTenant('all'), entries),
    readAudit: async (request) => right.readAudit({ ...request, tenant: parseTenant('all') }),
    auditHead: async () => right.auditHead(parseTenant('all')),
  }),
  'audits a write apart from it': (right) => ({
    write: async (request) => {
      await right.audit(request.tenant, request.audit ?? []);
      const { audit: _audit, ...rest } = request;
      return right.write(rest);
    },
  }),
  'approves whoever asks': (right) => ({
    settleProposal: async (request) =>
      right.settleProposal({
        ...request,
        by: { ...request.by, kind: 'human', on_behalf_of: null },
      }),
  }),
  'lists proposals to everyone of the tenant': (right) => ({
    listProposals: async (tenant, asked) =>
      right.listProposals(tenant, asked, { all: true, uuids: new Set() }),
  }),
  'keeps the policy epoch where rights change': (right) => ({
    heads: async (...asked) => ({ ...(await right.heads(...asked)), policy_epoch: 0 }),
  }),
  'gives one job to every worker': (right) => ({
    claimJob: async (tenant, claim) => {
      const job = await right.claimJob(tenant, claim);
      if (job) await right.finishJob(tenant, { ...job, asked: -1 });
      return job;
    },
  }),
  'gives jobs of scopes that are not held': (right) => ({
    claimJob: async (tenant, claim) =>
      right.claimJob(tenant, { ...claim, held: { all: true, uuids: new Set() } }),
  }),
  'forgets what was asked for while a job ran': (right) => ({
    finishJob: async (tenant, job) => {
      await right.finishJob(tenant, job);
      const again = await right.claimJob(tenant, {
        kind: job.kind,
        worker: job.claimed_by,
        held: { all: true, uuids: new Set() },
        at: job.claimed_until,
        until: job.claimed_until,
      });
      if (again) await right.finishJob(tenant, again);
    },
  }),
  'plans anew over an open plan': (right) => {
    const last = new Map<string, Awaited<ReturnType<Authority['planCapture']>>>();
    return {
      planCapture: async (tenant, capture) => {
        const kept = await right.planCapture(tenant, capture);
        last.set(capture.scope_uuid, kept === null ? null : capture);
        return last.get(capture.scope_uuid) ?? null;
      },
    };
  },
  'plans from where the progress was': (right) => ({
    planCapture: async (tenant, capture) => (await right.planCapture(tenant, capture)) ?? capture,
  }),
  'keeps receipts of before as they come': (right) => {
    const kept = new Map<string, CompositionReceipt>();
    return {
      saveReceipts: async (tenant, receipts) => {
        for (const receipt of receipts) kept.set(receipt.composition_id, receipt);
        return right.saveReceipts(tenant, receipts);
      },
      loadReceipt: async (tenant, id, scopes) =>
        (await right.loadReceipt(tenant, id, scopes)) && (kept.get(id) ?? null),
    };
  },
  'has one digest key for all tenants': () => ({ digestKey: async () => 'a'.repeat(64) }),
  'gives digests of payloads away': (right) => ({
    readJournal: async (request) =>
      (await right.readJournal(request)).map((entry) => ({ ...entry, payload_digest: 'd' })),
  }),
  'takes scopes that it forgot for standing': (right) => ({
    madeScopes: async (tenant, scopes) =>
      (await right.madeScopes(tenant, scopes)).map((made) => ({ ...made, is_standing: true })),
  }),
  'does not know the names of what it forgot': () => ({
    forgottenNames: async () => ({ uuids: [], keys: [] }),
  }),
  'keeps the last receipt of a capture': (right) => ({
    finishCapture: async (tenant, finished) => {
      await right.finishCapture(tenant, finished);
      return finished.receipt;
    },
  }),
  'splits a plan that is split already': (right) => ({
    splitCapture: async (tenant, split) => {
      await right.splitCapture(tenant, split);
      return true;
    },
  }),
  'has one progress for all scopes': (right) => {
    let done = 0;
    return {
      captureProgress: async () => done,
      progressOfScopes: async (_tenant, { scopes }) =>
        scopes.map((scope_uuid) => ({ scope_uuid, done_seq: done })),
      skipCapture: async (tenant, skipped) => {
        done = skipped.to_seq;
        return right.skipCapture(tenant, skipped);
      },
    };
  },
  'has no progress where many scopes are asked for': () => ({ progressOfScopes: async () => [] }),
  'lists captures to everyone of the tenant': (right) => ({
    listCaptures: async (tenant, asked) =>
      right.listCaptures(tenant, asked, { all: true, uuids: new Set() }),
  }),
  'lists the first captures again on every page': (right) => ({
    listCaptures: async (tenant, { after: _after, ...asked }, scopes) =>
      right.listCaptures(tenant, asked, scopes),
  }),
  'lists jobs without what they failed with': (right) => ({
    listJobs: async (tenant, asked) =>
      (await right.listJobs(tenant, asked)).map((job) => ({ ...job, last_error: null })),
  }),
  'says that it forgot, and serves on': (right) => {
    const forgotten: Redaction[] = [];
    return {
      forget: async (request) => {
        forgotten.unshift({
          redaction_uuid: request.redaction,
          target_kind: request.kind,
          state: 'suppressed',
          principal: request.principal,
          on_behalf_of: null,
          suppressed_at: request.at,
          erase_after: request.erase_after,
          erased_at: null,
          brought_back_at: null,
          counts: { blocks: 1 },
        });
        return { blocks: 1, memory_open_set: 1 };
      },
      listRedactions: async () => forgotten,
      erase: right.erase,
    };
  },
  'keeps the policy epoch where something is forgotten': (right) => {
    const before = new Map<string, number>();
    return {
      forget: async (request) => {
        const { policy_epoch: epoch } = await right.heads(request.tenant, []);
        before.set(request.tenant, epoch);
        return right.forget(request);
      },
      heads: async (tenant, ...asked) => {
        const heads = await right.heads(tenant, ...asked);
        return { ...heads, policy_epoch: before.get(tenant) ?? heads.policy_epoch };
      },
    };
  },
  'lists the oldest redaction first': (right) => ({
    listRedactions: async (...asked) => (await right.listRedactions(...asked)).toReversed(),
  }),
  'lists as due what is not': (right) => ({
    listRedactions: async (tenant, { due_by: _, ...asked }) => right.listRedactions(tenant, asked),
  }),
  'lists as due the one that was forgotten last first': (right) => ({
    listRedactions: async (tenant, { due_by: at, limit, ...asked }) => {
      const listed = await right.listRedactions(tenant, { ...asked, limit: 1000 });
      const due = listed.filter(({ state, erase_after: after }) =>
        at === undefined ? true : state === 'suppressed' && after <= at,
      );
      return due.slice(0, limit);
    },
  }),
  'forgets what is not there': (right) => ({
    forget: async (request) => right.forget(request).catch(() => ({})),
  }),
  'certifies an erasure anew each time': (right) => ({
    erase: async (request) => ({ ...(await right.erase(request)), erased_at: request.at }),
  }),
  'signs for one tenant as for all': (right) => {
    let key: string | null = null;
    return {
      erase: async (request) => {
        const certificate = await right.erase(request);
        key ??= certificate.public_key;
        return { ...certificate, public_key: key };
      },
      signingKey: async () => key,
    };
  },
  'shows certificates to other tenants': (right) => {
    const all = new Map<string, ErasureCertificate>();
    return {
      erase: async (request) => {
        const certificate = await right.erase(request);
        all.set(request.redaction, certificate);
        return certificate;
      },
      loadCertificate: async (_tenant, redaction) => all.get(redaction) ?? null,
    };
  },
  'finds no copies, whatever is there': (right) => ({
    scanCopies: async (tenant) => right.scanCopies(tenant, ['no such text is anywhere']),
  }),
  'gives the rights of whoever asked first': (right) => {
    let first: Awaited<ReturnType<Authority['readRights']>> | undefined;
    return {
      readRights: async (...asked) => (first ??= await right.readRights(...asked)),
    };
  },
  'reads outcomes past the number that was asked for': (right) => ({
    readOutcomes: async (request) => right.readOutcomes({ ...request, head: FAR }),
  }),
  'lists principals in the order of their coming': (right) => ({
    listPrincipals: async (tenant) => (await right.listPrincipals(tenant)).toReversed(),
  }),
  'keeps the last answer of a model': (right) => {
    const last = new Map<string, string | null>();
    return {
      settleExtraction: async (tenant, answer) => {
        last.set(answer.scope_uuid, answer.answer);
        return right.settleExtraction(tenant, answer);
      },
      extractionsOf: async (tenant, of) =>
        (await right.extractionsOf(tenant, of)).map((each) => ({
          ...each,
          answer: last.get(each.scope_uuid) ?? each.answer,
        })),
    };
  },
  'asks a model without a cap': (right) => ({
    reserveExtraction: async (tenant, request) =>
      right.reserveExtraction(tenant, { ...request, cap_usd: FAR }),
  }),
  'tells the costs of every scope': (right) => {
    const scopes = new Set<Uuid>();
    return {
      reserveExtraction: async (tenant, request) => {
        scopes.add(request.scope_uuid);
        return right.reserveExtraction(tenant, request);
      },
      listCosts: async (tenant, asked) =>
        right.listCosts(tenant, { ...asked, scopes: [...scopes] }),
    };
  },
  'restores over what is there': (right) => ({
    restoreScope: async (request) => right.restoreScope(request).catch(() => undefined),
  }),
  'restores one scope of several': (right) => ({
    restoreScope: async ({ beside: _beside, ...request }) => right.restoreScope(request),
  }),
};
