/**
 * Attacks on approvals: who may not, with what was not signed, of what has moved or is over, by
 * objects that change and by SQL as the application role. None gets through, and each is in the
 * audit.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { ContextEngineError } from '../../src/index.ts';
import { type ApprovalKey, newKey, signed } from '../support/approvals.ts';
import { attackSize } from '../support/attack-size.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { Dice } from '../support/dice.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

type Proposed = { readonly proposal_uuid: string; readonly digest: string };
type Signed = ReturnType<typeof signed> | null;
interface World {
  readonly engine: ContextEngine;
  readonly opened: TestDatabase | null;
  readonly time: TestClock;
  readonly scope: string;
  readonly other: string;
  readonly carol: ApprovalKey;
  readonly gone: ApprovalKey;
  readonly revoked: ApprovalKey;
}
/** Ends in a refusal (its code) or in an answer (its state). */
type Attempt = (world: World, proposed: Proposed, dice: Dice) => Promise<string>;

const human = (principal: string, more: Partial<PermissionProfile> = {}): PermissionProfile => ({
  principal,
  tenant: 'local',
  kind: 'human',
  scopes: '*',
  ...more,
});

async function ended(call: Promise<{ readonly state: string }>): Promise<string> {
  try {
    return (await call).state;
  } catch (error) {
    if (error instanceof ContextEngineError) return error.code;
    throw error;
  }
}

const approve = (
  { engine }: World,
  id: string,
  by: { readonly profile: PermissionProfile; readonly signature: Signed },
): Promise<string> =>
  ended(engine.approvals.approve(id, by.signature, { permission_profile: by.profile }));

/** A bit of a signature, a digest or an id that is another. */
const flipped = (hex: string, dice: Dice): string => {
  const at = dice.roll(hex.length);
  const digit = ((Number.parseInt(hex[at] ?? '0', 16) + 1 + dice.roll(15)) % 16).toString(16);
  return `${hex.slice(0, at)}${digit}${hex.slice(at + 1)}`;
};

const WAYS: Readonly<Record<string, Attempt>> = {
  'the proposer itself': (world, { proposal_uuid: id, digest }) =>
    approve(world, id, { profile: human('erin'), signature: signed(digest, world.carol) }),
  'the proposer, as a service': (world, { proposal_uuid: id, digest }) => {
    const profile = human('erin', { kind: 'service', tiers: { approvals: 'T1' } });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'an agent on behalf of the approver': (world, { proposal_uuid: id, digest }) => {
    const profile = human('bot', {
      kind: 'agent',
      scopes: [world.scope],
      on_behalf_of: human('carol'),
    });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'the approver, on behalf of another': (world, { proposal_uuid: id, digest }) => {
    const profile = human('carol', { scopes: [world.scope], on_behalf_of: human('dave') });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'the approver, as an agent': (world, { proposal_uuid: id, digest }) => {
    const profile = human('carol', { kind: 'agent' });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'nobody of whom anything is stored': (world, { proposal_uuid: id, digest }, dice) => {
    const key = newKey();
    const profile = human(`nobody${dice.roll(100)}`, { tiers: { approvals: 'T1', grants: 'T1' } });
    return approve(world, id, { profile, signature: signed(digest, key) });
  },
  'a tier in the profile, without a signature': (world, { proposal_uuid: id }, dice) => {
    const profile = human(dice.of(['carol', 'dave', 'mallory']), {
      tiers: { approvals: 'T1', deletes: 'T1' },
    });
    return approve(world, id, { profile, signature: null });
  },
  'a key that is not registered': (world, { proposal_uuid: id, digest }) =>
    approve(world, id, { profile: human('carol'), signature: signed(digest, newKey()) }),
  'the key of another principal': (world, { proposal_uuid: id, digest }) =>
    approve(world, id, { profile: human('dave'), signature: signed(digest, world.carol) }),
  'the key of a disabled principal': (world, { proposal_uuid: id, digest }) =>
    approve(world, id, { profile: human('gone'), signature: signed(digest, world.gone) }),
  'a revoked key': (world, { proposal_uuid: id, digest }) =>
    approve(world, id, { profile: human('carol'), signature: signed(digest, world.revoked) }),
  'a changed digest': (world, { proposal_uuid: id, digest }, dice) => {
    const signature = signed(flipped(digest, dice), world.carol);
    return approve(world, id, { profile: human('carol'), signature });
  },
  'a changed signature': (world, { proposal_uuid: id, digest }, dice) => {
    const right = signed(digest, world.carol);
    const signature = { ...right, signature: flipped(right.signature, dice) };
    return approve(world, id, { profile: human('carol'), signature });
  },
  'a changed key id': (world, { proposal_uuid: id, digest }, dice) => {
    const right = signed(digest, world.carol);
    return approve(world, id, {
      profile: human('carol'),
      signature: { ...right, key_id: flipped(right.key_id, dice) },
    });
  },
  'a signature of an object that changes': (world, { proposal_uuid: id, digest }) => {
    const right = signed(digest, world.carol);
    const shifty = { ...signed('0'.repeat(64), world.carol) };
    const call = approve(world, id, { profile: human('carol'), signature: shifty });
    Object.assign(shifty, right);
    return call;
  },
  'a profile of an object that changes': (world, { proposal_uuid: id, digest }) => {
    const profile: { principal: string } & PermissionProfile = { ...human('erin') };
    const call = approve(world, id, { profile, signature: signed(digest, world.carol) });
    profile.principal = 'carol';
    return call;
  },
  'another tenant': (world, { proposal_uuid: id, digest }) => {
    const profile = human('carol', { tenant: 'elsewhere' });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'an approver who does not hold the scope': (world, { proposal_uuid: id, digest }) => {
    const profile = human('carol', { scopes: [world.other] });
    return approve(world, id, { profile, signature: signed(digest, world.carol) });
  },
  'an id of nothing': (world, { digest }) =>
    approve(world, randomUUID(), {
      profile: human('carol'),
      signature: signed(digest, world.carol),
    }),
};

/** On a proposal of its own: one by words is over for good where somebody meets it too late. */
async function tooLate(world: World, { proposal_uuid: id, digest }: Proposed): Promise<string> {
  const signature = signed(digest, world.carol);
  world.time.ms += 7 * 24 * 3600 * 1000;
  const state = await approve(world, id, { profile: human('carol'), signature });
  world.time.ms -= 7 * 24 * 3600 * 1000;
  return state;
}

/** Settled already, whichever way: the same signature serves nothing more. */
const AGAIN: readonly ('approve' | 'reject')[] = ['approve', 'reject'];

describeOnDatabases('attacks on approvals', (open, flavor) => {
  let world: World;
  const local = { permission_profile: human('local') };
  beforeAll(async () => {
    const opened = flavor === 'postgres' ? await open() : null;
    const time = { ms: START_MS };
    const engine = await openEngine({
      database: opened?.url ? { url: opened.url } : { inMemory: true },
      embedder: 'off',
      permission_profile: local.permission_profile,
      time,
    });
    if (opened) await storeLocalHuman(opened.owner);
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const { scope_block_uuid: other } = await engine.scopes.create({ type: 'short_scope' });
    const [carol, gone, revoked] = [newKey(), newKey(), newKey()];
    for (const principal of ['carol', 'dave', 'gone'])
      await engine.principals.set({ principal, kind: 'human', scopes: '*' });
    await engine.principals.addKey('carol', carol.publicKey);
    await engine.principals.addKey('carol', revoked.publicKey);
    await engine.principals.revokeKey('carol', revoked.keyId);
    await engine.principals.addKey('gone', gone.publicKey);
    await engine.principals.disable('gone');
    world = { engine, opened, time, scope, other, carol, gone, revoked };
    return () => engine.close();
  });

  let made = 0;
  interface Target extends Proposed {
    readonly root: string;
    /** Whether the row is there until it is approved; it is the other way round afterwards. */
    readonly isThereBefore: boolean;
  }

  /** T3: a turn of the scope is to be taken back, forgotten, or to come back. */
  async function proposed(number = 0): Promise<Target> {
    made += 1;
    const { engine, scope, time } = world;
    const author = `author-${made}`;
    const { receipts } = await engine.append(scope, {
      author,
      content: `turn ${made} of ${author}.`,
    });
    const root = receipts[0]?.root_uuid;
    if (!root) throw new Error('a turn was not written');
    const by = { permission_profile: human('erin') };
    const text = `of ${author}.`;
    const valid_from = new Date(time.ms).toISOString();
    const taken = { operation: 'DELETE', table: 'blocks', scope, root_uuid: root, valid_from };
    const deeds = [
      () => engine.write([{ ...taken, cause: 'correction' } as never], by),
      () => engine.forget({ root }, by),
      () => engine.forget({ author }, by),
      () => engine.forget({ text }, by),
      () => engine.forget({ text }, { ...by, now: true }),
      async () => engine.undo((await engine.forget({ root }, local)).redaction_uuid, by),
    ];
    const which = number % deeds.length;
    const proposal = (await deeds[which]?.())?.proposal;
    if (proposal?.tier !== 'T3') throw new Error('it does not wait');
    return { ...proposal, root, isThereBefore: which !== deeds.length - 1 };
  }
  const isThere = async (root: string): Promise<boolean> => {
    const versions = await world.engine.history(root);
    return versions.length > 0 && versions.every(({ row }) => row.retired_seq === null);
  };

  it('get nothing through, and each is in the audit', async () => {
    const { engine } = world;
    const size = attackSize(132); // once each deed
    const names = Object.keys(WAYS);
    const through: string[] = [];
    let tried = 0;
    for (let round = 0; tried < size; round += 1) {
      const target = await proposed(round);
      const { head } = await engine.audit.verify();
      const before = tried;
      for (const [index, name] of names.entries()) {
        const answer = await WAYS[name]?.(world, target, new Dice(round * 1000 + index));
        tried += 1;
        if (answer === undefined || !answer.startsWith('PERMISSION.'))
          through.push(`${name}: ${answer}`);
      }
      if ((await isThere(target.root)) !== target.isThereBefore)
        through.push(`the row moved in round ${round}`);
      const told = await engine.audit.list({ after: head.seq, limit: 1000 });
      const elsewhere = 1; // of another tenant, which has an audit of its own
      expect(told.filter(({ decision }) => decision === 'denied').length).toBe(
        tried - before - elsewhere,
      );
      // What nobody could do, the approver can; once.
      const rightly = { profile: human('carol'), signature: signed(target.digest, world.carol) };
      expect(await approve(world, target.proposal_uuid, rightly)).toBe('approved');
      expect(await isThere(target.root)).toBe(!target.isThereBefore);
      for (const decision of AGAIN) {
        tried += 1;
        const by = { permission_profile: rightly.profile };
        const again =
          decision === 'approve'
            ? approve(world, target.proposal_uuid, rightly)
            : ended(engine.approvals.reject(target.proposal_uuid, by));
        if ((await again) !== 'PERMISSION.PROPOSAL_SETTLED') through.push(`replay: ${decision}`);
      }
      tried += 1;
      const late = await tooLate(world, await proposed(round));
      if (late !== 'PERMISSION.PROPOSAL_SETTLED') through.push(`a time that is over: ${late}`);
    }
    expect(through).toEqual([]);
    expect((await engine.audit.verify()).faults).toEqual([]);
    // biome-ignore lint/suspicious/noConsole: the bar is a number that a run reports
    console.log(`${flavor}: ${tried} attacks on approvals, ${through.length} through`);
  }, 3_600_000);

  it('two approvers at once: one is first', async () => {
    const { engine } = world;
    const target = await proposed();
    const by = { profile: human('carol'), signature: signed(target.digest, world.carol) };
    const ends = await Promise.all(
      [1, 2, 3, 4].map(() => approve(world, target.proposal_uuid, by)),
    );
    expect(ends.filter((end) => end === 'approved')).toHaveLength(1);
    expect(ends.filter((end) => end === 'PERMISSION.PROPOSAL_SETTLED')).toHaveLength(3);
    const told = await engine.audit.list({ limit: 1000 });
    const approved = told.filter(
      ({ detail, decision }) => detail === target.proposal_uuid && decision === 'approved',
    );
    expect(approved.length).toBeLessThanOrEqual(1);
  });

  it('what moved since is in conflict, whoever signed it', async () => {
    const { engine, scope, carol } = world;
    const set = (value: string, profile: PermissionProfile) =>
      engine.setTyped(scope, 'x', 'c', 'p', value, { permission_profile: profile });
    const { proposal } = await set('mine', human('bot', { kind: 'agent' }));
    await set('theirs', human('local'));
    const signature = signed(proposal?.digest ?? '', carol);
    const id = proposal?.proposal_uuid ?? '';
    expect(await approve(world, id, { profile: human('carol'), signature })).toBe('conflict');
  });

  it('an agent gives itself nothing, and nobody a right to approve by a claim', async () => {
    const { engine } = world;
    const key = newKey();
    const tiers = { grants: 'T1', approvals: 'T1' } as const;
    for (const profile of [
      human('bot', { kind: 'agent', tiers }),
      human('mallory', { tiers }),
      human('mallory', { kind: 'service', tiers }),
    ]) {
      const options = { permission_profile: profile };
      const changes = [
        () =>
          engine.principals.set(
            { principal: 'mallory', kind: 'human', scopes: '*', tiers },
            options,
          ),
        () => engine.principals.addKey('carol', key.publicKey, options),
        () => engine.principals.enable('gone', options),
        () => engine.principals.disable('carol', options),
      ];
      for (const change of changes)
        expect(await change()).toMatchObject({
          outcome: 'quarantined',
          proposal: { action: { tier: 'T3' } },
        });
    }
    const stored = await engine.principals.list();
    expect(stored.map(({ principal }) => principal)).not.toContain('mallory');
    expect(stored.find(({ principal }) => principal === 'gone')?.is_disabled).toBe(true);
  });

  it('SQL as the application role approves nothing, registers no key and changes no right', async () => {
    const { opened, carol } = world;
    if (!opened) return;
    const target = await proposed();
    const key = newKey();
    const right = signed(target.digest, carol);
    const settle = (more: object) =>
      `select context_ops.settle_proposal('local', '${target.proposal_uuid}', '${JSON.stringify({
        decision: 'approve',
        principal: 'carol',
        kind: 'human',
        at: new Date(world.time.ms).toISOString(),
        ...more,
      })}')`;
    const change = JSON.stringify({
      action: 'add_key',
      principal: 'carol',
      public_key: key.publicKey,
      key_id: key.keyId,
    });
    const entry = JSON.stringify({ principal: 'carol', at: new Date(world.time.ms).toISOString() });
    const attempts: readonly string[] = [
      settle({}),
      settle({ is_owner: true }),
      settle({ is_owner: 'true', principal: 'local' }),
      settle({ ...signed(target.digest, key) }),
      settle({ ...right, signature: '0'.repeat(128) }),
      settle({ ...right, principal: 'erin' }),
      settle({ ...right, principal: 'dave' }),
      settle({ ...right, kind: 'agent' }),
      settle({ ...right, at: '2027-01-01T00:00:00.000Z' }),
      settle({ ...right, decision: 'conflict', signature: null }),
      `update context_ops.proposals set state = 'approved'`,
      `update context_ops.proposals set action = '{}', digest = '${'0'.repeat(64)}'`,
      `delete from context_ops.proposals`,
      `insert into context_ops.principal_keys values ('local', '${key.keyId}', 'carol', '\\x${key.publicKey}')`,
      `update context_ops.principal_keys set is_revoked = false`,
      `update context_ops.principal_rights set is_disabled = false`,
      `insert into context_ops.principal_rights values ('local', 'mallory', 'human')`,
      `select context_ops.apply_rights('local', '${change}')`,
      `select context_ops.change_rights('local', '${change}', '${entry}')`,
      `select context_ops.is_signed_by('', '', '')`,
      `select context_ops.append_audit('local', '[{"at": "2026-01-01Z", "principal": "carol",
        "action": "approvals.approve", "decision": "approved", "tier": "T3", "detail": ""}]')`,
    ];
    // A login of its own, as a server has it: one that owns nothing.
    const login = `ctx_attacker_${made}_${Date.now()}`;
    await opened.owner.exec(`create role ${login} login in role contextengine_app`);
    try {
      for (const sql of attempts) {
        const outcome = await opened.owner
          .transaction(async (tx) => {
            await tx.exec(`set session authorization ${login};
              set local contextengine.tenant = 'local'; set local contextengine.scopes = '*'`);
            const rows = await tx.query(sql);
            throw new Error(`through: ${JSON.stringify(rows)}`);
          })
          .catch((error: unknown) => error);
        await opened.owner.exec('reset session authorization');
        expect(outcome, sql).toMatchObject({
          sqlstate: expect.stringMatching(/^(42501|CE00[15678]|23514)$/),
        });
      }
      expect(await isThere(target.root)).toBe(true);
    } finally {
      await opened.owner.exec(`drop role ${login}`);
    }
  });
});
