/**
 * Tiers that are wider than what they lie within. A manifest does not say which scope a scope
 * inherits from (that is a link of the ledger, and the strictest of all holds there), so what can
 * be compared is: the keys of one manifest, and the manifests of one scope type.
 */
import type { Manifest } from '../../model/manifest.ts';
import { type PermissionKey, TIERS, type Tier } from '../../model/permission.ts';
import type { LintRule } from './rule.ts';

const isWider = (tier: Tier, than: Tier): boolean => TIERS.indexOf(tier) < TIERS.indexOf(than);

/** Who may do the first may do the second with no more; the reason is for the reader. */
const WITHIN: readonly (readonly [key: PermissionKey, within: PermissionKey, why: string])[] = [
  ['cross_scope', 'reads', 'other scopes would be easier to read than the own one'],
  ['deletes', 'writes', 'what may not be written could be deleted'],
  [
    'approvals',
    'writes',
    'what waits for approval could be approved by those who may not write it',
  ],
];

export const widerPermission: LintRule = ({ manifest, spec, all }, report) => {
  const { permission } = manifest;
  for (const [key, within, why] of WITHIN) {
    // Defaults are no decision of the file: one that excludes writes need not repeat the rest.
    if (spec.permission?.[key] === undefined || !isWider(permission[key], permission[within]))
      continue;
    report({
      code: 'MANIFEST.WIDER_PERMISSION',
      at: ['spec', 'permission', key],
      message:
        `\`${key}\` is \`${permission[key]}\`, wider than \`${within}\` with ` +
        `\`${permission[within]}\`: ${why}.`,
      fix: `Write \`${key}: ${permission[within]}\`, or a stricter one.`,
    });
  }
  const others = all.filter(
    (other) => other.scopeBlockType === manifest.scopeBlockType && other.name !== manifest.name,
  );
  for (const [key, tier] of Object.entries(spec.permission ?? {}))
    reportWiderThanOthers({ key, tier, others }, manifest, report);
};

function reportWiderThanOthers(
  {
    key,
    tier,
    others,
  }: { readonly key: string; readonly tier: Tier; readonly others: readonly Manifest[] },
  manifest: Manifest,
  report: Parameters<LintRule>[1],
): void {
  // the schema lets no other key in
  const stricter = others.find((other) => isWider(tier, other.permission[key as PermissionKey]));
  if (!stricter) return;
  const theirs = stricter.permission[key as PermissionKey]; // as above
  report({
    code: 'MANIFEST.WIDER_PERMISSION',
    at: ['spec', 'permission', key],
    message:
      `\`${key}\` is \`${tier}\`; \`${stricter.name}@${stricter.version}\`, which serves ` +
      `\`${manifest.scopeBlockType}\` as well, has \`${theirs}\`. A call that names ` +
      `\`${manifest.name}\` goes around it.`,
    fix: `Write \`${key}: ${theirs}\`, or give the manifests scope types of their own.`,
  });
}
