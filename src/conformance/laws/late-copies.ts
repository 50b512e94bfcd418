/** Laws of copies that come after what they were copied from was forgotten. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { AnyRow } from '../../model/block.ts';
import type { CompositionReceipt, ReceiptItem } from '../../model/composition.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, addScope, day, factContent } from '../law-operations.ts';
import { receiptOf } from './compositions.ts';
import { eraseNow, forgetBlock, tell } from './erasure.ts';

/** A scope of another tenant with one fact, put into this one as an export would be. */
async function importFact(lab: Lab, connection: Authority, content: string): Promise<void> {
  const { tenant, otherTenant } = lab;
  const scope = lab.id();
  await lab.write(connection, [addScope(scope)], { tenant: otherTenant });
  const { position } = await lab.write(
    connection,
    [addFact({ scope, uuid: lab.id() }, factContent(content))],
    { tenant: otherTenant },
  );
  const there = { tenant: otherTenant, position, limit: 9 };
  const rows = [
    ...(await lab.scan(connection, { ...there, table: 'blocks' })),
    ...(await lab.scan(connection, { ...there, table: 'memory_open_set' })),
  ];
  const head = position[0]?.head ?? 0;
  const after = { seq: 0, ordinal: 0 };
  const journal = await connection.readJournal({
    ...{ tenant: otherTenant, scope, after, head, limit: 9 },
  });
  await connection.restoreScope({
    tenant,
    history: { scope, head, journal, rows: rows.map((entry) => ofTenant(entry, tenant)) },
    outcomes: [],
    held: { all: true, uuids: new Set() },
    audit: {
      ...{ principal: 'law', on_behalf_of: null, action: 'import', scope_uuid: null },
      ...{ decision: 'allowed', tier: 'T1', detail: '', at: day(60) },
    },
    recorded_at: day(60),
  });
}

/** A row of the same table, of another tenant. */
const ofTenant = ({ table, row }: AnyRow, tenant: TenantId): AnyRow =>
  ({ table, row: { ...row, tenant_id: tenant } }) as AnyRow;

const isRefused = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'WRITE.INVALID';

/** Saves receipts of a scope; the question that each one has then. */
async function savingIn(lab: Lab, connection: Authority) {
  const scope = await lab.scope(connection);
  return async (
    at: number,
    served: Uuid,
    query: string,
  ): Promise<CompositionReceipt['request']['query'] | undefined> => {
    const receipt = receiptOf(lab, scope);
    const item: ReceiptItem = {
      ...{ layer: 'recent', id: null, table: 'blocks', uuid: served, root_uuid: served },
      ...{ score: null, signals: {}, tokens: 1, kept: null },
    };
    const asked = { ...receipt.request, query, inputs: { a: query } };
    const late = { ...receipt, created_at: day(at), items: [item], request: asked };
    await connection.saveReceipts(lab.tenant, [late]);
    const held = { all: true, uuids: new Set<Uuid>() };
    const kept = await connection.loadReceipt(lab.tenant, late.composition_id, held);
    assert.equal(kept?.request.inputs['a'] ?? '', kept?.request.query);
    return kept?.request.query;
  };
}

export const lateCopies: readonly Law[] = [
  {
    name: 'an import does not bring back under other ids what was forgotten',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn } = await tell(lab);
      const request = forgetBlock(lab, turn);
      await connection.forget(request);
      for (const erase of [() => undefined, () => connection.erase(eraseNow(request))]) {
        await erase();
        const again = importFact(lab, connection, 'the password is xanadu');
        await assert.rejects(again, isRefused);
      }
      await importFact(lab, connection, 'the password is another one');
    },
  },
  {
    name: 'a receipt that comes after something was forgotten has no words of then',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, stays } = await tell(lab);
      const request = forgetBlock(lab, turn);
      await connection.forget(request);
      await connection.erase(eraseNow(request));
      const saved = await savingIn(lab, connection);
      assert.equal(await saved(5, stays, 'composed before it'), '', 'composed before');
      assert.equal(await saved(30, turn, 'what is it?'), '', 'it served what is gone');
      assert.equal(await saved(30, stays, 'my password is xanadu'), '', 'it asks what is gone');
      assert.equal(await saved(30, stays, 'good morning'), 'good morning');
    },
  },
  {
    name: 'a question that what is forgotten had answered may be asked again, and said',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn } = await tell(lab);
      const question = 'what was the password?';
      const saved = await savingIn(lab, connection);
      assert.equal(await saved(5, turn, question), question);
      const request = forgetBlock(lab, turn);
      await connection.forget(request);
      await connection.erase(eraseNow(request));
      assert.equal(await saved(30, lab.id(), question), question);
      await importFact(lab, connection, question);
    },
  },
  {
    name: 'a question with a text that is forgotten by itself is a copy of it',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn } = await tell(lab);
      const question = 'is xanadu a good password?';
      const saved = await savingIn(lab, connection);
      await saved(5, turn, question);
      await connection.forget({ ...forgetBlock(lab, turn), kind: 'text', value: 'xanadu' });
      assert.equal(await saved(30, lab.id(), question), '');
    },
  },
];
