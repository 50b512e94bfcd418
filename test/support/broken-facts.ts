/** Connectors that break a law of facts in hand. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { isAllScopes } from '../../src/model/permission.ts';

type Break = (right: Authority) => Partial<Authority>;

export const BROKEN_FACTS: Readonly<Record<string, Break>> = {
  'lists facts of every scope that may be read': (right) => ({
    listFacts: async (tenant, asked) =>
      right.listFacts(tenant, { ...asked, scopes: asked.readable }),
  }),
  'reads all scopes, whatever their type': (right) => ({
    listFacts: async (tenant, { scopes, ...asked }) =>
      right.listFacts(tenant, {
        ...asked,
        scopes: isAllScopes(scopes) ? { ...scopes, but_types: [] } : scopes,
      }),
  }),
  'tells sources of all scopes, whatever their type': (right) => ({
    factOrigins: async (tenant, { uuids, readable }) =>
      right.factOrigins(tenant, {
        uuids,
        readable: isAllScopes(readable) ? { ...readable, but_types: [] } : readable,
      }),
  }),
  'lists every version of a fact as current': (right) => ({
    listFacts: async (tenant, asked) => right.listFacts(tenant, { ...asked, state: 'all' }),
  }),
  'begins every page of facts anew': (right) => ({
    listFacts: async (tenant, asked) => right.listFacts(tenant, { ...asked, after: null }),
  }),
  'counts the page for all pages': (right) => ({
    listFacts: async (tenant, asked) => {
      const found = await right.listFacts(tenant, asked);
      return { ...found, total: found.facts.length };
    },
  }),
  'finds facts alike however far they are': (right) => ({
    factsAlike: async (tenant, asked) => right.factsAlike(tenant, { ...asked, least: -1 }),
  }),
  'finds facts alike by words alone': (right) => ({
    factsAlike: async (tenant, asked) => right.factsAlike(tenant, { ...asked, space: null }),
  }),
  'forgets the slot of a text': (right) => ({
    factsAlike: async (tenant, { texts, ...asked }) =>
      right.factsAlike(tenant, { ...asked, texts: texts.map((each) => ({ ...each, slot: null })) }),
  }),
  'finds facts alike as they are known now': (right) => ({
    factsAlike: async (tenant, asked) => right.factsAlike(tenant, { ...asked, head: 1_000_000 }),
  }),
  'tells no source of a fact': (right) => ({
    factOrigins: async (tenant, asked) =>
      new Map(
        [...(await right.factOrigins(tenant, asked))].map(([uuid, origin]) => [
          uuid,
          { ...origin, sources: [] },
        ]),
      ),
  }),
  'tells sources that may not be read': (right) => {
    const scopes = new Set<Uuid>();
    return {
      write: async (request) => {
        for (const { scope } of request.operations) scopes.add(scope);
        return right.write(request);
      },
      factOrigins: async (tenant, { uuids }) =>
        right.factOrigins(tenant, { uuids, readable: [...scopes] }),
    };
  },
};
