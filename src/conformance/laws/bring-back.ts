/** Laws of bringing back: what was forgotten comes back as it was, while its grace period lasts. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Authority } from '../../cxri/authority.ts';
import type { BringBackRequest, ForgetRequest } from '../../model/erasure.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addTyped, blockContent, day, typedContent, WRITER } from '../law-operations.ts';
import { receiptOf } from './compositions.ts';
import { eraseNow, forgetBlock, type Told, tell } from './erasure.ts';

export const back = (
  { tenant, redaction, principal, on_behalf_of, tier }: ForgetRequest,
  more: Partial<BringBackRequest> = {},
): BringBackRequest => ({
  ...{ tenant, redaction, principal, on_behalf_of, tier, scopes: null, at: day(20) },
  ...more,
});

export const forgetRoot = (lab: Lab, root: Uuid): ForgetRequest => ({
  ...forgetBlock(lab, root),
  kind: 'root',
});

/** All that whoever reads may see: rows, what words find, a receipt, and the journal. */
async function seen(lab: Lab, { connection, position, turn, fact, stays }: Told): Promise<unknown> {
  const rows = await lab.versions(connection, [turn, fact, stays]);
  const { parts } = await connection.query({
    tenant: lab.tenant,
    position,
    valid_at: day(50),
    parts: (['blocks', 'memory_open_set'] as const).map((table) => ({
      ...{ id: table, table, mode: 'search' as const, limit: 20, text: 'xanadu morning' },
    })),
  });
  const { scope = turn, head = 0 } = position[0] ?? {};
  const after = { seq: 0, ordinal: 0 };
  const journal = await connection.readJournal({
    ...{ tenant: lab.tenant, scope, after, head, limit: 100 },
  });
  const held = { all: true, uuids: new Set<Uuid>() };
  const receipts = await connection.listReceipts(lab.tenant, { manifest: 'm', limit: 10 }, held);
  return [rows.map(({ row }) => row.uuid).sort(), rows, parts, journal, receipts];
}

const SECRET = 'my passport is xanadu';

/** A scope with a turn, in which was asked what a turn of another scope says. */
async function askedElsewhere(lab: Lab, connection: Authority) {
  const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
  const [turn, secret] = [lab.id(), lab.id()];
  await lab.write(connection, [addBlock({ scope, uuid: turn }, blockContent('good morning'))]);
  await lab.write(connection, [addBlock({ scope: other, uuid: secret }, blockContent(SECRET))]);
  const asked = receiptOf(lab, scope);
  const receipt = { ...asked, request: { ...asked.request, query: SECRET } };
  const { composition_id: id } = receipt;
  await connection.saveReceipts(lab.tenant, [receipt]);
  const held = { all: true, uuids: new Set<Uuid>() };
  const saved = await connection.loadReceipt(lab.tenant, id, held);
  const isAsSaved = async (): Promise<boolean> =>
    isDeepStrictEqual(await connection.loadReceipt(lab.tenant, id, held), saved);
  return { first: { ...forgetBlock(lab, scope), kind: 'scope' as const }, secret, isAsSaved };
}

export const bringingBack: readonly Law[] = [
  {
    name: 'the journal numbers what was forgotten, and says nothing of it',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, fact, position } = await tell(lab);
      const [{ scope, head } = { scope: turn, head: 0 }] = position;
      const asked = { tenant: lab.tenant, scope, after: { seq: 0, ordinal: 0 }, head, limit: 100 };
      const before = await connection.readJournal(asked);
      await connection.forget(forgetBlock(lab, turn));
      const after = await connection.readJournal(asked);
      const told = JSON.stringify(after);
      assert.ok(!told.includes(turn) && !told.includes(fact));
      assert.deepEqual(
        after.map(({ seq, ordinal, operation_id: id }) => [seq, ordinal, id]),
        before.map(({ seq, ordinal, operation_id: id }) => [seq, ordinal, id]),
      );
    },
  },
  {
    name: 'what was forgotten comes back as it was, with its words and what was asked with them',
    needs: ['authority', 'erase', 'text'],
    check: async (lab) => {
      const told = await tell(lab);
      const { connection, turn, position } = told;
      const [{ scope } = { scope: turn }] = position;
      const asked = receiptOf(lab, scope);
      const request = { ...asked.request, query: 'my password is xanadu' };
      await connection.saveReceipts(lab.tenant, [{ ...asked, request }]);
      const before = await seen(lab, told);
      const { policy_epoch: epoch } = await connection.heads(lab.tenant, [scope]);
      const forgetting = forgetBlock(lab, turn);
      await connection.forget(forgetting);
      assert.notDeepEqual(await seen(lab, told), before);
      const redaction = await connection.bringBack(back(forgetting));
      assert.deepEqual(await seen(lab, told), before);
      assert.deepEqual(
        [redaction.state, redaction.brought_back_at, redaction.erased_at],
        ['brought_back', day(20), null],
      );
      const later = back(forgetting, { at: day(21) });
      assert.deepEqual(await connection.bringBack(later), redaction, 'it is done once');
      assert.deepEqual(await connection.listRedactions(lab.tenant, { limit: 2 }), [redaction]);
      const { policy_epoch: now } = await connection.heads(lab.tenant, [scope]);
      assert.ok(now >= epoch + 2, 'no cached composition is served after it');
      const entries = await connection.readAudit({ tenant: lab.tenant, after: 0, limit: 9 });
      assert.deepEqual(
        entries.map(({ action, detail }) => `${action} ${detail}`),
        ['forget', 'bring_back'].map((what) => `${what}.block ${forgetting.redaction}`),
      );
      await lab.refused(connection.erase(eraseNow(forgetting)), 'WRITE.REFUSED');
      await connection.forget(forgetBlock(lab, turn));
      assert.notDeepEqual(await seen(lab, told), before, 'it can be forgotten again');
    },
  },
  {
    name: 'what another redaction names as well stays out of sight until that one is taken back',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const told = await tell(lab);
      const { connection, turn, fact } = told;
      const before = await seen(lab, told);
      const [one, other] = [forgetBlock(lab, turn), forgetRoot(lab, fact)];
      await connection.forget(one);
      await connection.forget(other);
      await connection.bringBack(back(one));
      const rows = await lab.versions(connection, [turn, fact]);
      assert.deepEqual(
        rows.map(({ row }) => row.uuid),
        [turn],
      );
      await connection.bringBack(back(other));
      assert.deepEqual(await seen(lab, told), before);
    },
  },
  ...(['first', 'last'] as const).map(
    (which): Law => ({
      name: `a copy that two redactions name says nothing until both are taken back, the ${which} one first`,
      needs: ['authority', 'erase'],
      check: async (lab) => {
        const connection = await lab.authority();
        const { first, secret, isAsSaved } = await askedElsewhere(lab, connection);
        const second = forgetRoot(lab, secret);
        await connection.forget(first);
        await connection.forget(second);
        assert.ok(!(await isAsSaved()));
        const [one, other] = which === 'first' ? [first, second] : [second, first];
        await connection.bringBack(back(one));
        assert.ok(!(await isAsSaved()), 'the other one names it as well');
        await connection.bringBack(back(other));
        assert.ok(await isAsSaved(), 'none names it any more');
      },
    }),
  ),
  ...(['root', 'text'] as const).map(
    (kind): Law => ({
      name: `what is erased by its ${kind} is erased in what an earlier redaction kept of it`,
      needs: ['authority', 'erase'],
      check: async (lab) => {
        const connection = await lab.authority();
        const { first, secret, isAsSaved } = await askedElsewhere(lab, connection);
        const value = kind === 'text' ? 'XANADU' : secret;
        const second: ForgetRequest = { ...forgetRoot(lab, secret), kind, value };
        await connection.forget(first);
        await connection.forget(second);
        await connection.erase(eraseNow(second));
        const found = async () => (await connection.scanCopies(lab.tenant, ['xanadu'])).found;
        assert.deepEqual(await found(), [], 'while the other waits');
        await connection.bringBack(back(first));
        assert.deepEqual(await found(), [], 'when the other came back');
        assert.ok(!(await isAsSaved()));
      },
    }),
  ),
  {
    name: 'a reason in the journal goes with the text that it says, and comes back with it',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [turn, other] = [lab.id(), lab.id()];
      const { receipts } = await lab.write(connection, [
        addBlock({ scope, uuid: turn }, blockContent('good morning')),
      ]);
      const target = receipts[0]?.operation_id;
      assert.ok(target);
      await lab.write(connection, [{ operation: 'UNDO', scope, target, reason: SECRET }]);
      await lab.write(connection, [addBlock({ scope, uuid: other }, blockContent('hello'))]);
      const asked = { tenant: lab.tenant, scope, after: { seq: 0, ordinal: 0 }, head: 9 };
      const told = async () =>
        JSON.stringify(await connection.readJournal({ ...asked, limit: 100 })).includes(SECRET);
      const text = (): ForgetRequest => ({
        ...forgetRoot(lab, turn),
        kind: 'text',
        value: 'XANADU',
      });
      assert.ok(await told());
      const [first, row, last] = [text(), forgetRoot(lab, turn), text()];
      await connection.forget(first);
      assert.ok(!(await told()));
      await connection.bringBack(back(first));
      assert.ok(await told());
      await connection.forget(row);
      await connection.forget(last);
      await connection.erase(eraseNow(last));
      assert.deepEqual((await connection.scanCopies(lab.tenant, ['xanadu'])).found, []);
      await connection.bringBack(back(row));
      assert.ok(!(await told()));
      assert.deepEqual((await connection.scanCopies(lab.tenant, ['xanadu'])).found, []);
    },
  },
  {
    name: 'nothing comes back that is erased, due, of another tenant, or in scopes not held',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, position } = await tell(lab);
      const forgetting = forgetBlock(lab, turn);
      await connection.forget(forgetting);
      for (const more of [{ tenant: lab.otherTenant }, { scopes: [lab.id()] }, { scopes: [] }])
        await lab.refused(connection.bringBack(back(forgetting, more)), 'WRITE.NOT_FOUND');
      const due = back(forgetting, { at: day(40) });
      await lab.refused(connection.bringBack(due), 'WRITE.REFUSED');
      assert.deepEqual(await lab.versions(connection, [turn]), []);
      await connection.erase(eraseNow(forgetting));
      const scopes = position.map(({ scope }) => scope);
      for (const more of [{}, { scopes }])
        await lab.refused(connection.bringBack(back(forgetting, more)), 'WRITE.REFUSED');
      assert.deepEqual(await lab.versions(connection, [turn]), []);
    },
  },
  {
    name: 'nothing comes back in a place that was taken since; the operation is named',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [first, second] = [lab.id(), lab.id()];
      const add = (uuid: Uuid, value: string) =>
        lab.write(connection, [addTyped({ scope, uuid }, typedContent(value))]);
      await add(first, 'Oslo');
      const forgetting = forgetRoot(lab, first);
      await connection.forget(forgetting);
      const { receipts } = await add(second, 'Bergen');
      const operation = receipts[0]?.operation_id;
      const refused = await lab.refused(connection.bringBack(back(forgetting)), 'WRITE.BUILT_ON');
      assert.deepEqual(refused.meta?.['operations'], [{ operation_id: operation, scope }]);
      assert.deepEqual(await lab.versions(connection, [first]), []);
      assert.ok(operation);
      await lab.write(connection, [{ operation: 'UNDO', scope, target: operation }]);
      await connection.bringBack(back(forgetting, { scopes: [scope] }));
      assert.equal((await lab.versions(connection, [first])).length, 1);
    },
  },
  {
    name: 'nothing comes back that lost a source while it was out of sight',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, fact, position } = await tell(lab);
      const [{ scope } = { scope: turn }] = position;
      const forgetting = forgetRoot(lab, fact);
      await connection.forget(forgetting);
      const { receipts } = await connection.write({
        tenant: lab.tenant,
        writer: WRITER,
        recorded_at: day(100),
        operations: [
          {
            ...{ operation: 'UPDATE', table: 'blocks', scope, uuid: lab.id(), root_uuid: turn },
            ...{ valid_from: day(0), cause: 'correction' },
            content: blockContent('my password is another one'),
          },
        ],
      });
      await lab.refused(connection.bringBack(back(forgetting)), 'WRITE.SOURCE_GONE');
      assert.deepEqual(await lab.versions(connection, [fact]), []);
      const target = receipts[0]?.operation_id;
      assert.ok(target);
      await lab.write(connection, [{ operation: 'UNDO', scope, target }]);
      await connection.bringBack(back(forgetting));
      assert.equal((await lab.versions(connection, [fact])).length, 1);
    },
  },
  {
    name: 'what came back is listed after the policy epoch that did not have it, page by page',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, fact, position } = await tell(lab);
      const scopes = position.map(({ scope }) => scope);
      const { policy_epoch: epoch } = await connection.heads(lab.tenant, scopes);
      const forgetting = forgetBlock(lab, turn);
      await connection.forget(forgetting);
      await connection.bringBack(back(forgetting));
      const all: Uuid[] = [];
      for (;;) {
        const after = all.at(-1) ?? null;
        const page = await connection.readReturned(lab.tenant, { epoch, after, limit: 1 });
        if (page.length === 0) break;
        all.push(...page.map(({ uuid }) => uuid));
        assert.ok(all.length < 9, 'the pages end');
      }
      assert.deepEqual(all, [...all].sort());
      assert.ok(all.includes(turn) && all.includes(fact));
      const { policy_epoch: now } = await connection.heads(lab.tenant, scopes);
      const rest = { after: null, limit: 9 };
      assert.deepEqual(await connection.readReturned(lab.tenant, { epoch: now, ...rest }), []);
      assert.deepEqual(await connection.readReturned(lab.otherTenant, { epoch, ...rest }), []);
    },
  },
];
