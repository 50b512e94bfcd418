/**
 * A manifest with the overrides of an operator: one that contradicts the budget is not taken, and
 * one that nothing reads changes nothing. Neither stops a start; both are warnings.
 */
import type { Finding } from '../codes/finding.ts';
import type { Manifest } from '../model/manifest.ts';
import { type Override, otherValue } from './overrides.ts';
import type { Report } from './reporter.ts';
import { settingsOfManifest } from './settings-record.ts';

interface Checked {
  readonly manifest?: Manifest;
  readonly findings: readonly Finding[];
}
type Check = (overrides: readonly Override[], reports: readonly Report[]) => Checked;

/** `overrides` are those that the manifest takes. */
export function checkOverridden(overrides: readonly Override[], check: Check): Checked {
  const first = check(overrides, []);
  const { held, reports } = first.manifest
    ? { held: overrides, reports: [] }
    : withoutContradiction(overrides, first.findings);
  const checked = held === overrides ? first : check(held, reports);
  if (checked.manifest === undefined) return first;
  const unread = unreadOf(held, checked.manifest, check);
  return unread.length === 0 ? checked : check(held, [...reports, ...unread.map(unreadReport)]);
}

const isOfBudget = ({ path }: Override): boolean =>
  path.includes('budget') || path.at(-1) === 'max_tokens';

function withoutContradiction(
  overrides: readonly Override[],
  findings: readonly Finding[],
): { readonly held: readonly Override[]; readonly reports: readonly Report[] } {
  const contradiction = findings.find(({ code }) => code === 'BUDGET.INVALID');
  const dropped = overrides.filter(isOfBudget);
  if (contradiction === undefined || dropped.length === 0) return { held: overrides, reports: [] };
  const reports = dropped.map(
    ({ path, value }): Report => ({
      code: 'CONFIG.OVERRIDE_CLAMPED',
      at: ['spec', ...path],
      message: [
        `The override \`${path.join('.')}\` to \`${value}\` is not taken:`,
        contradiction.message,
      ].join(' '),
      fix: contradiction.fix,
    }),
  );
  return { held: overrides.filter((each) => !isOfBudget(each)), reports };
}

/** Those whose number can be another, and every setting that is read stays as it is. */
function unreadOf(
  overrides: readonly Override[],
  manifest: Manifest,
  check: Check,
): readonly Override[] {
  const settings = JSON.stringify(settingsOfManifest(manifest, {}));
  const byPath = new Map(overrides.map((each) => [each.path.join('.'), each]));
  return [...byPath.values()].filter((each) => {
    const other = { ...each, value: otherValue(each) };
    const changed = check([...overrides.filter((one) => one !== each), other], []).manifest;
    return changed !== undefined && JSON.stringify(settingsOfManifest(changed, {})) === settings;
  });
}

const unreadReport = ({ path }: Override): Report => ({
  code: 'CONFIG.OVERRIDE_UNREAD',
  at: ['spec', ...path],
  message: `The override \`${path.join('.')}\` changes nothing: no layer reads it.`,
  fix: 'Take it back, or use a formula, preset or layer that reads it.',
});
