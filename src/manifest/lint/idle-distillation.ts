/** A distillation that is asked for and can never run. */
import type { RawSpec } from '../wire-manifest.ts';
import type { LintRule } from './rule.ts';

/** Turns of one scope: nobody talks that long, so a policy that waits for more waits for ever. */
const MOST_TURNS = 100_000;

interface Distillation {
  readonly policy: string | undefined;
  readonly costUsd: number | undefined;
}

function settingsOf(raw: RawSpec['distillation']): Distillation {
  const policy = raw?.['policy'];
  const costUsd = raw?.['cost_budget_usd_per_day'];
  return {
    policy: typeof policy === 'string' ? policy : undefined,
    costUsd: typeof costUsd === 'number' ? costUsd : undefined,
  };
}

/** Why no alternative of the policy can fire; nothing if one can. `AND` binds tighter than `OR`. */
function whyNever(policy: string): string | undefined {
  const alternatives = policy.split(' OR ').map((alternative) => alternative.split(' AND '));
  const turns = (condition: string): number =>
    Number(/^every_(\d+)_turns$/.exec(condition)?.[1] ?? 0);
  const tooLong = alternatives.map((conditions) =>
    conditions.find((condition) => turns(condition) > MOST_TURNS),
  );
  return tooLong.every((condition) => condition !== undefined) ? tooLong[0] : undefined;
}

export const idleDistillation: LintRule = ({ spec }, report) => {
  if (spec.distillation === undefined) return;
  const { policy, costUsd } = settingsOf(spec.distillation);
  const at = ['spec', 'distillation'];
  if (policy === undefined) {
    if (Object.keys(spec.distillation).length === 0) return;
    report({
      code: 'MANIFEST.IDLE_DISTILLATION',
      at,
      on: 'key',
      message: '`distillation` has no `policy`, so nothing is ever distilled.',
      fix: 'Add one: `policy: every_3_turns OR token_pressure_70pct`, or `nightly`.',
    });
    return;
  }
  if (policy === 'manual') return;
  if (costUsd === 0)
    report({
      code: 'MANIFEST.IDLE_DISTILLATION',
      at: [...at, 'cost_budget_usd_per_day'],
      message: `The policy \`${policy}\` may spend \`0\` USD per day, so it never runs.`,
      fix: 'Raise cost_budget_usd_per_day, or write `policy: manual`.',
    });
  const never = whyNever(policy);
  if (never !== undefined)
    report({
      code: 'MANIFEST.IDLE_DISTILLATION',
      at: [...at, 'policy'],
      message: `The policy \`${policy}\` waits for \`${never}\`, more than a scope ever has.`,
      fix: `Use at most every_${MOST_TURNS}_turns; every_3_turns is usual.`,
    });
};
