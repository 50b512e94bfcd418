/** Calls of a model in a list of their tenant. */
import type {
  CostsAsked,
  ExtractionAnswer,
  ExtractionRequest,
  ExtractionsPort,
  Reservation,
} from '../../src/cxri/ports/extractions.ts';
import type { CostRecord, Extraction, ExtractionKey } from '../../src/model/extraction.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { compare } from './filter.ts';
import { readsIn } from './readable.ts';
import { type KeptExtraction, type Store, tenantOf } from './store.ts';

const isOf = (each: ExtractionKey, of: ExtractionKey): boolean =>
  each.scope_uuid === of.scope_uuid &&
  each.consumer === of.consumer &&
  each.from_seq === of.from_seq;

const callsOf = (store: Store, tenant: TenantId, of: ExtractionKey): readonly KeptExtraction[] =>
  tenantOf(store, tenant)
    .extractions.filter((each) => isOf(each, of))
    .sort((a, b) => a.attempt - b.attempt);

const toExtraction = (kept: KeptExtraction): Extraction => ({
  consumer: kept.consumer,
  scope_uuid: kept.scope_uuid,
  from_seq: kept.from_seq,
  attempt: kept.attempt,
  to_seq: kept.to_seq,
  state: kept.state,
  segments: structuredClone(kept.segments),
  answer: kept.answer,
  asked_until: kept.asked_until,
});

function reserve(store: Store, tenant: TenantId, request: ExtractionRequest): Reservation {
  const { extractions } = tenantOf(store, tenant);
  const { scope_uuid: scope, manifest, day, most_usd: usd, cap_usd: cap } = request;
  const spent = extractions
    .filter((each) => each.scope_uuid === scope && each.manifest === manifest && each.day === day)
    .reduce((sum, each) => sum + each.usd, 0);
  if (spent + usd > cap) return { outcome: 'over', spent_usd: spent };
  if (extractions.some((each) => isOf(each, request) && each.attempt === request.attempt))
    return { outcome: 'taken' };
  const kept = structuredClone(request);
  extractions.push({
    ...kept,
    state: 'asked',
    answer: null,
    usd,
    input_tokens: 0,
    output_tokens: 0,
  });
  return { outcome: 'reserved' };
}

function settle(store: Store, tenant: TenantId, answer: ExtractionAnswer): void {
  const kept = callsOf(store, tenant, answer).find(({ attempt }) => attempt === answer.attempt);
  if (kept?.state !== 'asked') return;
  const { state, answer: said, usd, input_tokens, output_tokens } = answer;
  Object.assign(kept, { state, answer: said, usd, input_tokens, output_tokens });
}

function listCosts(store: Store, tenant: TenantId, asked: CostsAsked): readonly CostRecord[] {
  const sums = new Map<string, CostRecord>();
  const state = store.tenants.get(tenant);
  if (!state) return [];
  const isOf = readsIn(state, asked.scopes);
  for (const each of state.extractions) {
    const { scope_uuid, manifest, day, model, usd, input_tokens, output_tokens } = each;
    if (!isOf(scope_uuid) || day < asked.from_day || day > asked.to_day) continue;
    const key = JSON.stringify([scope_uuid, manifest, day, model]);
    const sum = sums.get(key) ?? {
      ...{ scope_uuid, manifest, day, model },
      ...{ calls: 0, input_tokens: 0, output_tokens: 0, usd: 0 },
    };
    sums.set(key, {
      ...sum,
      calls: sum.calls + 1,
      input_tokens: sum.input_tokens + input_tokens,
      output_tokens: sum.output_tokens + output_tokens,
      usd: sum.usd + usd,
    });
  }
  return [...sums.values()]
    .sort(
      (a, b) =>
        compare(b.day, a.day) ||
        compare(a.scope_uuid, b.scope_uuid) ||
        compare(a.manifest, b.manifest) ||
        compare(a.model, b.model) ||
        0,
    )
    .slice(0, asked.limit);
}

export const extractionsPort = (store: Store): ExtractionsPort => ({
  extractionsOf: async (tenant, of) => callsOf(store, tenant, of).map(toExtraction),
  reserveExtraction: async (tenant, request) => reserve(store, tenant, request),
  settleExtraction: async (tenant, answer) => settle(store, tenant, answer),
  dropAnswers: async (tenant, of) => {
    for (const kept of callsOf(store, tenant, of)) kept.answer = null;
  },
  listCosts: async (tenant, asked) => listCosts(store, tenant, asked),
});
