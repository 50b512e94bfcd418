/** A limit of a layer that the budget for all of them is below: it limits nothing. */
import type { Path } from '../reporter.ts';
import type { LintRule } from './rule.ts';

export const limitOverTotal: LintRule = ({ manifest, spec }, report) => {
  const { totalTokens } = manifest.budget;
  const shares = Object.entries(spec.budget?.max_per_layer ?? {}).map(
    ([name, tokens]) => [['spec', 'budget', 'max_per_layer', name], tokens] as const,
  );
  const owns = Object.entries(spec.layers ?? {}).flatMap(([name, raw]) =>
    typeof raw === 'object' && raw?.max_tokens !== undefined && raw.enabled !== false
      ? [[['spec', 'layers', name, 'max_tokens'], raw.max_tokens] as const]
      : [],
  );
  const limits: readonly (readonly [Path, number])[] = [...shares, ...owns];
  for (const [at, tokens] of limits) {
    if (tokens <= totalTokens) continue;
    report({
      code: 'BUDGET.LIMIT_OVER_TOTAL',
      at,
      message: `\`${tokens}\` tokens limit nothing: all layers together have \`${totalTokens}\`.`,
      fix: `Use less than ${totalTokens}, raise budget.total_tokens, or remove the limit.`,
    });
  }
};
