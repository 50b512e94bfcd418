/** Connectors that break one rule of undo, of bringing back or of proposals each. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { NewProposal } from '../../src/cxri/ports/proposals.ts';
import type { ProposedAction } from '../../src/model/proposal.ts';
import { BROKEN_RETURNS } from './broken-returns.ts';

type Break = (right: Authority) => Partial<Authority>;

const changedAction = (proposal: NewProposal, change: Partial<ProposedAction>): NewProposal => ({
  ...proposal,
  action: JSON.stringify({ ...(JSON.parse(proposal.action) as ProposedAction), ...change }),
});

export const BROKEN_PROPOSALS: Readonly<Record<string, Break>> = {
  ...BROKEN_RETURNS,
  'brings nothing back with an undo': (right) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) =>
          operation.operation === 'UNDO'
            ? { operation: 'NOOP' as const, scope: operation.scope, reason: 'undone' }
            : operation,
        ),
      }),
  }),
  'names no operation of the journal': () => ({ operationNamed: async () => null }),
  'undoes an operation again': (right) => ({
    write: async (request) => {
      const written = await right.write(request);
      const receipts = written.receipts.map((receipt) =>
        receipt.operation === 'UNDO' ? { ...receipt, outcome: 'stored' as const } : receipt,
      );
      return { ...written, receipts };
    },
  }),
  'passes over an undo that others build on': (right) => ({
    write: async (request) =>
      right.write(request).catch((error: unknown) => {
        if (request.operations.every(({ operation }) => operation !== 'UNDO')) throw error;
        return right.write({ ...request, operations: [] });
      }),
  }),
  'approves what its links no longer lead to': (right) => ({
    propose: async (tenant, proposal) =>
      right.propose(tenant, changedAction(proposal, { targets: [], heads: [] })),
  }),
  'keeps a proposal of what was forgotten': (right) => ({
    propose: async (tenant, proposal) => {
      const { operations } = JSON.parse(proposal.action) as ProposedAction;
      return right.propose(tenant, proposal).catch((error: unknown) => {
        const [first] = operations;
        if (first?.operation !== 'UPDATE') throw error;
        return right.propose(tenant, changedAction(proposal, { operations: [] }));
      });
    },
  }),
  'approves what the proposer has lost': (right) => ({
    propose: async (tenant, proposal) => {
      const { key } = JSON.parse(proposal.action) as ProposedAction;
      const lost = key === 'writes' ? 'reads' : key;
      return right.propose(tenant, changedAction(proposal, { key: lost }));
    },
  }),
  'approves for a proposer who is disabled': (right) => ({
    changeRights: async (tenant, change, by) =>
      change.action === 'disable' && change.principal !== 'carol'
        ? undefined
        : right.changeRights(tenant, change, by),
  }),
  'approves what another database proposed': (right) => ({
    propose: async (tenant, proposal) => {
      const database = await right.databaseId(tenant);
      return right.propose(tenant, changedAction(proposal, { database }));
    },
  }),
  'lets one proposer fill the list': (right) => {
    let count = 0;
    return {
      propose: async (tenant, proposal) => {
        const { proposer } = JSON.parse(proposal.action) as ProposedAction;
        count += 1;
        return right.propose(
          tenant,
          changedAction(proposal, { proposer: `${proposer}${Math.floor(count / 50)}` }),
        );
      },
    };
  },
  'forgets what came since it was proposed': (right) => ({
    propose: async (tenant, proposal) => {
      const { redaction, ...action } = JSON.parse(proposal.action) as ProposedAction;
      const { reach: _reach, ...unjudged } = redaction ?? {};
      const changed = redaction ? { ...action, redaction: unjudged } : action;
      return right.propose(tenant, { ...proposal, action: JSON.stringify(changed) });
    },
  }),
  'tells of what is out of sight': (right) => ({
    reachOf: async (request) => {
      const reach = await right.reachOf(request);
      const [hidden] = await right.listRedactions(request.tenant, { limit: 1 });
      return hidden ? { ...reach, counts: { ...reach.counts, blocks: 1 } } : reach;
    },
  }),
  'forgets by being asked what it would reach': (right) => ({
    reachOf: async (request) => {
      const reach = await right.reachOf(request);
      const { at, scopes } = { at: '2026-01-10T00:00:00.000Z' as never, scopes: request.scopes };
      const by = { principal: 'law', on_behalf_of: null, tier: 'T1' } as const;
      const redaction = '00000000-0000-4000-8000-00000000f0f0' as never;
      await right
        .forget({ ...request, scopes, redaction, at, erase_after: at, ...by })
        .catch(() => undefined);
      return reach;
    },
  }),
  'keeps the words of what was settled': (right) => {
    const words = new Map<string, string>();
    return {
      propose: async (tenant, proposal) => {
        const kept = await right.propose(tenant, proposal);
        if (kept.target !== null) words.set(kept.proposal_uuid, kept.target);
        return kept;
      },
      listProposals: async (...asked) =>
        (await right.listProposals(...asked)).map((each) => ({
          ...each,
          target: words.get(each.proposal_uuid) ?? null,
        })),
    };
  },
  'brings back what is back already': (right) => ({
    settleProposal: async (request) => {
      const settled = await right.settleProposal(request);
      return settled.state === 'conflict' ? { ...settled, state: 'approved' } : settled;
    },
  }),
  'loses the certificate of an approval': (right) => ({
    settleProposal: async (request) => {
      const { certificate: _certificate, ...settled } = await right.settleProposal(request);
      return settled;
    },
  }),
  'approves a redaction and forgets nothing': (right) => ({
    propose: async (tenant, proposal) => {
      const { redaction: _redaction, ...action } = JSON.parse(proposal.action) as ProposedAction;
      return right.propose(tenant, { ...proposal, action: JSON.stringify(action) });
    },
  }),
};
