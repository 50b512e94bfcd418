/** Connectors that break one rule of naming what is forgotten, or of bringing it back, each. */

import { day } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { builtOn } from '../../src/ledger/refusals.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import type { JournalRecord } from '../../src/model/journal.ts';

type Break = (right: Authority) => Partial<Authority>;

export const BROKEN_RETURNS: Readonly<Record<string, Break>> = {
  'looks for a name letter by letter': (right) => ({
    forget: async (request) => {
      if (request.kind === 'person' && !/^[ -~]*$/.test(request.value)) return {};
      return right.forget(request);
    },
  }),
  'finds no copy of a text that it shows in other characters': (right) => ({
    scanCopies: async (tenant, texts) =>
      right.scanCopies(
        tenant,
        texts.filter((text) => /^[ -~]*$/.test(text)),
      ),
  }),
  'tells in the journal of what was forgotten': (right) => {
    const told = new Map<string, JournalRecord>();
    return {
      readJournal: async (request) =>
        (await right.readJournal(request)).map((record) => {
          const known = told.get(record.operation_id) ?? record;
          told.set(record.operation_id, known);
          return known;
        }),
    };
  },
  'says that it brought back, and shows nothing': (right) => ({
    bringBack: async ({ tenant, redaction, at }) => {
      const [held] = await right.listRedactions(tenant, { limit: 1, id: redaction });
      if (!held) throw new Error('there is none');
      return { ...held, state: 'brought_back', brought_back_at: at };
    },
  }),
  'brings back what another redaction names': (right) => ({
    bringBack: async (request) => {
      const all = await right.listRedactions(request.tenant, { limit: 9 });
      for (const { redaction_uuid: redaction, state } of all)
        if (state === 'suppressed') await right.bringBack({ ...request, redaction });
      return right.bringBack(request);
    },
  }),
  'brings back the words of a receipt that were erased meanwhile': (right) => {
    const saved = new Map<string, CompositionReceipt>();
    let isBack = false;
    return {
      saveReceipts: async (tenant, receipts) => {
        for (const receipt of receipts) saved.set(receipt.composition_id, receipt);
        return right.saveReceipts(tenant, receipts);
      },
      bringBack: async (request) => {
        const redaction = await right.bringBack(request);
        isBack = true;
        return redaction;
      },
      loadReceipt: async (tenant, id, held) => {
        const receipt = await right.loadReceipt(tenant, id, held);
        return receipt && isBack ? (saved.get(id) ?? receipt) : receipt;
      },
    };
  },
  'brings back after the grace period': (right) => ({
    bringBack: async (request) => right.bringBack({ ...request, at: day(20) }),
  }),
  'brings back in scopes that are not held': (right) => ({
    bringBack: async (request) => right.bringBack({ ...request, scopes: null }),
  }),
  'passes over what stands in the place of what comes back': (right) => ({
    bringBack: async (request) =>
      right.bringBack(request).catch(async (error: unknown) => {
        const [held] = await right.listRedactions(request.tenant, {
          limit: 1,
          id: request.redaction,
        });
        if (held?.state !== 'suppressed' || held.target_kind !== 'root') throw error;
        return { ...held, state: 'brought_back', brought_back_at: request.at };
      }),
  }),
  'passes over another value in the slot of what comes back': (right) => ({
    bringBack: async (request) =>
      right.bringBack(request).catch(async (error: unknown) => {
        const { tenant, redaction: id, at } = request;
        const [held] = await right.listRedactions(tenant, { limit: 1, id });
        if (held?.state !== 'suppressed' || held.target_kind !== 'version') throw error;
        return { ...held, state: 'brought_back', brought_back_at: at };
      }),
  }),
  'brings back no fact of a slot': (right) => ({
    bringBack: async (request) => {
      const { tenant, redaction: id } = request;
      const [held] = await right.listRedactions(tenant, { limit: 1, id });
      if (held?.target_kind === 'version') throw builtOn(id, []);
      return right.bringBack(request);
    },
  }),
  'brings back each time anew': (right) => ({
    bringBack: async (request) => ({
      ...(await right.bringBack(request)),
      brought_back_at: request.at,
    }),
  }),
  'says that it amended a receipt, and keeps the one before': () => ({
    amendCapture: async () => true,
  }),
  'lists nothing that came back': () => ({ readReturned: async () => [] }),
  'lists what came back to every epoch': (right) => ({
    readReturned: async (tenant, asked) => right.readReturned(tenant, { ...asked, epoch: 0 }),
  }),
};
