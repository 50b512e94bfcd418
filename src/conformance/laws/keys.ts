/** Laws of the digest key of a tenant, and of names that outlive what they named. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import { addFact, day, factContent } from '../law-operations.ts';

export const keys: readonly Law[] = [
  {
    name: 'a tenant has one digest key, which no other tenant has',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const asked = await Promise.all([
        connection.digestKey(lab.tenant),
        connection.digestKey(lab.tenant),
        connection.digestKey(lab.otherTenant),
      ]);
      assert.equal(asked[0], asked[1]);
      assert.notEqual(asked[0], asked[2]);
      assert.equal(await connection.digestKey(lab.tenant), asked[0]);
    },
  },
  {
    name: 'no digest of a payload leaves the store with the journal',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('once'), { key: 'k1' }),
      ]);
      const after = { seq: 0, ordinal: 0 };
      const asked = { tenant: lab.tenant, scope, after, head: 9, limit: 9 };
      const journal = await connection.readJournal(asked);
      assert.deepEqual(
        journal.map((entry) => [entry.idempotency_key, entry.payload_digest]),
        [
          [null, null],
          ['k1', null],
        ],
      );
    },
  },
  {
    name: 'the names of what was forgotten are known as that, in its scope and tenant alone',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [gone, stays] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: gone }, factContent('gone'), { key: 'gone' }),
        addFact({ scope, uuid: stays }, factContent('stays'), { key: 'stays' }),
      ]);
      const names = { scope, uuids: [gone, stays], keys: ['gone', 'stays'] };
      const none = { uuids: [], keys: [] };
      assert.deepEqual(await connection.forgottenNames(lab.tenant, names), none);
      const by = { principal: 'p', on_behalf_of: null, tier: 'T1' } as const;
      const redaction = lab.id();
      await connection.forget({
        ...{ tenant: lab.tenant, redaction, kind: 'root', value: gone, scopes: null, ...by },
        ...{ at: day(60), erase_after: day(61) },
      });
      const known = { uuids: [gone], keys: ['gone'] };
      assert.deepEqual(await connection.forgottenNames(lab.tenant, names), known);
      await connection.erase({ tenant: lab.tenant, redaction, at: day(62), ...by });
      assert.deepEqual(await connection.forgottenNames(lab.tenant, names), known);
      assert.deepEqual(
        await connection.forgottenNames(lab.tenant, { ...names, scope: other }),
        none,
      );
      assert.deepEqual(await connection.forgottenNames(lab.otherTenant, names), none);
    },
  },
  {
    name: 'a scope that was made is known in its tenant, also once it is forgotten',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [gone, stays] = [await lab.scope(connection), await lab.scope(connection)];
      const asked = [gone, stays, lab.id()];
      const made = async (tenant = lab.tenant) =>
        new Map(
          (await connection.madeScopes(tenant, asked)).map((each) => [
            each.scope,
            [each.is_standing, each.is_earlier],
          ]),
        );
      const standing = [true, false];
      const both = new Map([
        [gone, standing],
        [stays, standing],
      ]);
      assert.deepEqual(await made(), both);
      const by = { principal: 'p', on_behalf_of: null, tier: 'T1' } as const;
      const redaction = lab.id();
      await connection.forget({
        ...{ tenant: lab.tenant, redaction, kind: 'scope', value: gone, scopes: null, ...by },
        ...{ at: day(60), erase_after: day(61) },
      });
      const one = new Map([...both, [gone, [false, false]]]);
      assert.deepEqual(await made(), one);
      await connection.erase({ tenant: lab.tenant, redaction, at: day(62), ...by });
      assert.deepEqual(await made(), one);
      assert.deepEqual(await made(lab.otherTenant), new Map());
    },
  },
];
