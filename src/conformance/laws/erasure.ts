/** Laws of erasure: what is forgotten is out of sight at once, and erased it is not there. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { EraseRequest, ForgetRequest } from '../../model/erasure.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Position } from '../../model/validity.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addFact, blockContent, day, factContent } from '../law-operations.ts';

const by = { principal: 'law', on_behalf_of: null, tier: 'T1' } as const;

export const forgetBlock = (lab: Lab, root: Uuid, at = 10): ForgetRequest => ({
  tenant: lab.tenant,
  redaction: lab.id(),
  kind: 'block',
  value: root,
  scopes: null,
  at: day(at),
  erase_after: day(at + 30),
  ...by,
});

export const eraseNow = ({ tenant, redaction }: ForgetRequest): EraseRequest => ({
  tenant,
  redaction,
  at: day(20),
  ...by,
});

export interface Told {
  readonly connection: Authority;
  readonly turn: Uuid;
  /** Made from the turn. */
  readonly fact: Uuid;
  readonly stays: Uuid;
  readonly position: Position;
}

/** Two turns, and a fact made from the first. */
export async function tell(lab: Lab): Promise<Told> {
  const connection = await lab.authority();
  const scope = await lab.scope(connection);
  const [turn, fact, stays] = [lab.id(), lab.id(), lab.id()];
  await lab.write(connection, [
    addBlock({ scope, uuid: turn }, blockContent('my password is xanadu')),
    addBlock({ scope, uuid: stays }, blockContent('good morning')),
  ]);
  const { position } = await lab.write(connection, [
    addFact({ scope, uuid: fact }, factContent('the password is xanadu'), { sources: [turn] }),
  ]);
  return { connection, turn, fact, stays, position };
}

const auditOf = async ({ connection }: Told, lab: Lab): Promise<readonly string[]> =>
  (await connection.readAudit({ tenant: lab.tenant, after: 0, limit: 100 })).map(
    ({ action, detail }) => `${action} ${detail}`,
  );

export const erasure: readonly Law[] = [
  {
    name: 'what is forgotten is out of sight at once, with what was made from it, in the past too',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const told = await tell(lab);
      const { connection, position, turn, fact, stays } = told;
      const counts = await connection.forget(forgetBlock(lab, turn));
      assert.equal(counts['blocks'], 1);
      assert.equal(counts['memory_open_set'], 1);
      const blocks = await lab.uuids(connection, 'blocks', { position });
      assert.ok(!blocks.includes(turn) && blocks.includes(stays));
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { position }), []);
      const rows = await lab.versions(connection, [turn, fact, stays]);
      assert.deepEqual(
        rows.map(({ row }) => row.uuid),
        [stays],
      );
    },
  },
  {
    name: 'forgetting moves the policy epoch: no cached composition is served after it',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, position, turn } = await tell(lab);
      const scopes = position.map(({ scope }) => scope);
      const before = await connection.heads(lab.tenant, scopes);
      await connection.forget(forgetBlock(lab, turn));
      const after = await connection.heads(lab.tenant, scopes);
      assert.ok(after.policy_epoch > before.policy_epoch);
    },
  },
  {
    name: 'a redaction is listed in its tenant, the newest first, and by its id',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, stays } = await tell(lab);
      const requests = [forgetBlock(lab, turn, 10), forgetBlock(lab, stays, 11)];
      for (const request of requests) await connection.forget(request);
      const listed = await connection.listRedactions(lab.tenant, { limit: 10 });
      const uuids = requests.map(({ redaction }) => redaction);
      assert.deepEqual(
        listed.map(({ redaction_uuid: uuid }) => uuid),
        uuids.toReversed(),
      );
      assert.ok(listed.every(({ state, erased_at: at }) => state === 'suppressed' && at === null));
      const [id] = uuids;
      assert.ok(id);
      const [one, ...more] = await connection.listRedactions(lab.tenant, { limit: 10, id });
      assert.deepEqual([one?.redaction_uuid, more], [id, []]);
      assert.deepEqual(await connection.listRedactions(lab.otherTenant, { limit: 10 }), []);
    },
  },
  {
    name: 'what is due is listed a page at a time, the longest due first, and not what is erased',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const turns = Array.from({ length: 4 }, () => lab.id());
      await lab.write(
        connection,
        turns.map((uuid) => addBlock({ scope, uuid }, blockContent(`the turn ${uuid}`))),
      );
      // Neither in the order in which they are forgotten, nor in its reverse.
      const requests = turns.map((turn, index) => ({
        ...forgetBlock(lab, turn, 10 + index),
        erase_after: day([17, 19, 16, 18][index] ?? 0),
      }));
      for (const request of requests) await connection.forget(request);
      const [second, latest, first, third] = requests.map(({ redaction }) => redaction);
      const dueBy = async (at: number, limit = 10, tenant = lab.tenant) => {
        const listed = await connection.listRedactions(tenant, { limit, due_by: day(at) });
        return listed.map(({ redaction_uuid: uuid }) => uuid);
      };
      assert.deepEqual(await dueBy(15), []);
      assert.deepEqual(await dueBy(17), [first, second]);
      assert.deepEqual(await dueBy(20), [first, second, third, latest]);
      assert.deepEqual(await dueBy(20, 10, lab.otherTenant), []);
      assert.deepEqual(await dueBy(20, 2), [first, second]);
      for (const request of requests.filter((_, index) => index % 2 === 0))
        await connection.erase(eraseNow(request));
      assert.deepEqual(await dueBy(20, 2), [third, latest]);
    },
  },
  {
    name: 'what names nothing is refused, and leaves neither a redaction nor an audit entry',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const told = await tell(lab);
      const { connection, turn } = told;
      const elsewhere = { ...forgetBlock(lab, turn), tenant: lab.otherTenant };
      for (const request of [forgetBlock(lab, lab.id()), elsewhere])
        await lab.refused(connection.forget(request), 'WRITE.NOT_FOUND');
      await lab.refused(connection.erase(eraseNow(forgetBlock(lab, turn))), 'WRITE.NOT_FOUND');
      assert.deepEqual(await connection.listRedactions(lab.tenant, { limit: 10 }), []);
      assert.deepEqual(await auditOf(told, lab), []);
    },
  },
  {
    name: 'an erasure is done once, and both phases are in the audit',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const told = await tell(lab);
      const { connection, turn } = told;
      const request = forgetBlock(lab, turn);
      await connection.forget(request);
      const certificate = await connection.erase(eraseNow(request));
      const later = { ...eraseNow(request), at: day(25) };
      assert.deepEqual(await connection.erase(later), certificate);
      const [redaction] = await connection.listRedactions(lab.tenant, { limit: 1 });
      assert.deepEqual([redaction?.state, redaction?.erased_at], ['erased', day(20)]);
      assert.deepEqual(await auditOf(told, lab), [
        `forget.block ${request.redaction}`,
        `erase.block ${request.redaction}`,
      ]);
    },
  },
];
