/**
 * Who may not take memory away does not, and learns nothing by trying: what is not held answers like
 * what is not there.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const TENANT = 'local';
const OWNER: PermissionProfile = {
  principal: 'owner',
  tenant: TENANT,
  kind: 'human',
  scopes: '*',
};
const CLAIMED = { redactions: 'T1', deletes: 'T1', grants: 'T1', approvals: 'T1' } as const;

describeOnDatabases('forget, asked for by who may not', (open, flavor) => {
  let engine: ContextEngine;
  let own = '';
  let there: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    engine = await openEngine({
      embedder: 'off',
      database: url === null ? { inMemory: true } : { url },
    });
    const asOwner = { permission_profile: OWNER };
    const make = async () =>
      (await engine.scopes.create({ type: 'short_scope' }, asOwner)).scope_block_uuid;
    own = await make();
    const scope = await make();
    const turn = await engine.append(scope, { content: 'The safe is red', author: 'Zoe' }, asOwner);
    const fact = await engine.remember(scope, { content: 'A safe', subject: 'Zoe' }, asOwner);
    there = {
      scope,
      block: turn.receipts[0]?.root_uuid ?? '',
      root: fact.receipts[0]?.root_uuid ?? '',
      version: fact.receipts[0]?.uuid ?? '',
      author: 'Zoe',
      subject: 'Zoe',
      writer: 'owner',
      person: 'Zoe',
      text: 'safe',
    };
  }, 600_000);
  afterAll(() => engine.close());

  /** The whole ledger of the tenant, and what was forgotten of it. */
  const state = async (): Promise<string> => {
    const asOwner = { permission_profile: OWNER };
    const scopes = await engine.scopes.list(asOwner);
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(there['scope'] ?? '', asOwner)) lines.push(line);
    return JSON.stringify([scopes, lines, await engine.erasure.list({}, asOwner)]);
  };
  const told = ({ code, message, fix, where }: Awaited<ReturnType<typeof refusalOf>>): string =>
    JSON.stringify({ code, message, fix, where }).replace(
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      'ID',
    );

  const asking = (): readonly (readonly [string, PermissionProfile])[] => [
    ['a person whose rights are not stored', OWNER],
    ['a claim of rights', { ...OWNER, tiers: CLAIMED }],
    ['an agent', { ...OWNER, kind: 'agent', tiers: CLAIMED }],
    [
      'an agent by the name of the owner of the folder',
      { ...OWNER, principal: 'local', kind: 'agent' },
    ],
    ['a service', { ...OWNER, principal: 'app', kind: 'service', tiers: CLAIMED }],
    ['who holds another scope', { ...OWNER, scopes: [own], tiers: CLAIMED }],
    [
      'an agent for the owner of the folder',
      { ...OWNER, kind: 'agent', scopes: [own], on_behalf_of: { ...OWNER, principal: 'local' } },
    ],
    ['another tenant', { ...OWNER, tenant: 'other', tiers: CLAIMED }],
  ];

  it('takes nothing away, whatever is named', async () => {
    const before = await state();
    for (const [who, profile] of asking())
      for (const [kind, value] of [...Object.entries(there), ['tenant', true] as const])
        for (const now of [false, true]) {
          const call = engine.forget({ [kind]: value } as never, {
            now,
            permission_profile: profile,
          });
          const answer = await call.then(
            ({ outcome }) => outcome,
            ({ code }) => code,
          );
          expect([who, kind, answer]).toEqual([
            who,
            kind,
            expect.stringMatching(/^(PERMISSION\.|WRITE\.NOT_FOUND|SCOPE\.NOT_FOUND|quarantined$)/),
          ]);
        }
    expect(await state()).toBe(before);
  }, 600_000);

  it('answers alike for what is not held and what is not there', async () => {
    for (const [who, profile] of asking()) {
      if (profile.scopes === '*' && profile.tenant === TENANT) continue;
      for (const kind of ['scope', 'block', 'root', 'version'] as const) {
        const at = (value: string) =>
          refusalOf(engine.forget({ [kind]: value } as never, { permission_profile: profile }));
        const [unheld, absent] = [await at(there[kind] ?? ''), await at(randomUUID())];
        expect([who, kind, told(unheld)]).toEqual([who, kind, told(absent)]);
      }
    }
  }, 600_000);

  it('erases nothing, and shows no redaction, certificate or copy', async () => {
    const before = await state();
    for (const [who, profile] of asking()) {
      const options = { permission_profile: profile };
      const calls = [
        () => engine.erasure.erase(null, options),
        () => engine.erasure.erase(randomUUID(), options),
        () => engine.erasure.certificate(randomUUID(), options),
        () => engine.erasure.verify(['safe'], options),
      ];
      for (const [n, call] of calls.entries()) {
        const answer = await call().catch((error: unknown) => error);
        const isNothing = Array.isArray(answer) && answer.length === 0;
        const code = Object(answer).code;
        if (n === 3 && profile.scopes === '*' && profile.kind !== 'agent') continue;
        expect([who, n, isNothing || /^(PERMISSION|WRITE|CONFIG)\./.test(String(code))]).toEqual([
          who,
          n,
          true,
        ]);
      }
    }
    expect(await state()).toBe(before);
  }, 600_000);
});
