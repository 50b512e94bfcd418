/** An instructing layer marks what an agent wrote, whatever the agent claims of its source. */
import { expect, it } from 'vitest';
import type { PermissionProfile, TurnInput } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const RULES = new URL('../support/fixtures/rules', import.meta.url).pathname;
const CLAIMS = [
  {},
  { source_class: 'user' },
  { source_class: 'axiom' },
  { source_class: 'user', writer_kind: 'human' },
  { source_class: 'user', approver_kind: 'human' },
] as const satisfies readonly TurnInput['provenance'][];

it.each(['lesson', 'rule'])(
  'a %s of an agent is unreviewed, one of a person is not',
  async (kind) => {
    await using engine = await openEngine({ manifests: RULES });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'rules_scope' });
    const as = (of: PermissionProfile['kind']) => ({
      permission_profile: {
        principal: of,
        tenant: 'local',
        kind: of,
        scopes: [scope],
        tiers: { writes: 'T1' },
      } satisfies PermissionProfile,
    });
    const rules = (of: string) =>
      CLAIMS.map((provenance, index) => ({
        content: `${of} says ${index}`,
        class: kind,
        provenance,
      }));
    await engine.remember(scope, rules('agent'), as('agent'));
    await engine.remember(scope, rules('human'), as('human'));
    const { text } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query: '',
      permission_profile: as('human').permission_profile,
    });
    const lines = text.split('\n').filter((line) => line.includes(' says '));
    expect(lines).toHaveLength(2 * CLAIMS.length);
    for (const line of lines)
      expect(line.includes('(unreviewed)'), line).toBe(line.includes('agent says'));
  },
);

it('a lesson that an agent proposed instructs from the approval by a person on', async () => {
  await using engine = await openEngine({ manifests: RULES });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'rules_scope' });
  const as = (principal: string, kind: PermissionProfile['kind']) => ({
    permission_profile: { principal, tenant: 'local', kind, scopes: '*' } as const,
  });
  const tiers = { approvals: 'T1' } as const;
  for (const kind of ['human', 'service'] as const)
    await engine.principals.set({ principal: `the ${kind}`, kind, scopes: '*', tiers });
  const bot = as('bot', 'agent');
  for (const kind of ['human', 'service'] as const) {
    const lesson = {
      content: `Approved by the ${kind}`,
      class: 'lesson',
      provenance: { approver_kind: 'human', source_class: 'model' },
    } as const;
    const { proposal } = await engine.remember(scope, lesson, bot);
    await engine.approvals.approve(proposal?.proposal_uuid ?? '', null, as(`the ${kind}`, kind));
  }
  const { text } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query: '',
    ...as('the human', 'human'),
  });
  expect(
    text
      .split('\n')
      .filter((line) => line.includes('Approved by'))
      .sort(),
  ).toEqual([
    expect.stringMatching(/^#\w+ Approved by the human$/),
    expect.stringMatching(/^#\w+ \(unreviewed.*\) Approved by the service$/),
  ]);
});

it('the stamp is no part of what a key stands for', async () => {
  await using engine = await openEngine({ manifests: RULES });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'rules_scope' });
  const fact = { content: 'a fact', idempotency_key: 'k' };
  await engine.remember(scope, fact);
  const service = {
    permission_profile: { principal: 's', tenant: 'local', kind: 'service', scopes: [scope] },
  } as const;
  const again = await engine.remember(scope, fact, service);
  expect(again.receipts[0]?.outcome).toBe('duplicate');
});
