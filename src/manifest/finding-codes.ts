/** The closed list of what the check of a manifest can find. `test/unit/manifest-findings.test.ts` provokes every one of them. */
import type { Finding } from '../model/finding.ts';

export interface FindingCodeFacts {
  readonly severity: Finding['severity'];
  readonly summary: string;
}

/** Errors keep a manifest from being loaded; warnings travel with every composition of it. */
export const FINDING_CODES = {
  'MANIFEST.SYNTAX': { severity: 'error', summary: 'the text is not the YAML 1.2 that a manifest may use' },
  'MANIFEST.UNKNOWN_KEY': { severity: 'error', summary: 'a key that does not exist at this place' },
  'MANIFEST.WRONG_TYPE': { severity: 'error', summary: 'a value of another type than the key takes' },
  'MANIFEST.INVALID_VALUE': { severity: 'error', summary: 'a value of the right type that is not allowed' },
  'MANIFEST.MISSING': { severity: 'error', summary: 'a required key, document or file is not there' },
  'MANIFEST.DUPLICATE': { severity: 'error', summary: 'a key, a manifest or a collection stands twice' },
  'MANIFEST.UNKNOWN_PLACEHOLDER': { severity: 'error', summary: 'a text uses {{name}} that no input declares' },
  'MANIFEST.UNKNOWN_LAYER': { severity: 'error', summary: 'a layer that is neither a kind nor declared' },
  'MANIFEST.UNKNOWN_INTENT_LAYER': { severity: 'error', summary: 'an intent names a layer that the manifest does not declare' },
  'MANIFEST.FORMULA': { severity: 'error', summary: 'a scoring formula does not parse' },
  'BUDGET.INVALID': { severity: 'error', summary: 'budget numbers are out of range or contradict each other' },
  'FEATURE.NOT_LANDED': { severity: 'error', summary: 'a capability that this version does not have yet' },
  'FEATURE.INERT': { severity: 'warning', summary: 'a valid setting that has no effect in this version' },
  'MANIFEST.NO_VERSION': { severity: 'warning', summary: 'no metadata.version: it counts as 0' },
  'MANIFEST.UNKNOWN_COLLECTION': { severity: 'warning', summary: 'a collection that no loaded Collection manifest declares' },
  'MANIFEST.AMBIGUOUS_SCOPE': { severity: 'warning', summary: 'several manifests serve one scope type: calls must name theirs' },
} as const satisfies Record<string, FindingCodeFacts>;

export type FindingCode = keyof typeof FINDING_CODES;

/** What the lint of sound manifests can find: settings that are allowed and yet cannot do what they say. `test/unit/lint.test.ts` provokes every one. */
export const LINT_CODES = {
  'BUDGET.STATIC_TOO_LONG': { severity: 'error', summary: 'a text that is never cut is longer than its share of the budget' },
  'BUDGET.NO_ROOM': { severity: 'warning', summary: 'texts that are never cut leave less than the minimums of the other layers' },
  'BUDGET.ALWAYS_CUT': { severity: 'warning', summary: 'a text of the manifest is longer than its layer may be' },
  'MANIFEST.UNREACHABLE_LAYER': { severity: 'error', summary: 'a layer that no intent fires, or that asks for nothing' },
  'MANIFEST.ABSENT_SIGNAL': { severity: 'warning', summary: 'a formula uses a signal that items of the layer never have' },
  'MANIFEST.FLOOR_TOO_HIGH': { severity: 'warning', summary: 'a formula that stays under its floor: nothing is ever served' },
  'MANIFEST.UNUSED_SETTING': { severity: 'warning', summary: 'a number that no formula of the manifest reads' },
  'MANIFEST.WIDER_PERMISSION': { severity: 'warning', summary: 'a tier that is wider than the one it should lie within' },
  'MANIFEST.IDLE_DISTILLATION': { severity: 'error', summary: 'a distillation policy that can never fire' },
  'MANIFEST.VOLATILE_PREFIX': {
    severity: 'warning',
    summary: 'something that changes with every call stands in the part that prompt caches keep',
  },
} as const satisfies Record<string, FindingCodeFacts>;

export type LintCode = keyof typeof LINT_CODES;

/** What is found beside the manifests: the lock, and the types that are generated of them. `test/unit/lock.test.ts` and `generate.test.ts` provoke them. */
export const PIN_CODES = {
  'MANIFEST.VERSION_UNCHANGED': { severity: 'error', summary: 'a manifest or collection differs from the locked one of the same version' },
  'MANIFEST.LOCK_BEHIND': { severity: 'warning', summary: 'a manifest or collection has a version that the lock does not know' },
  'MANIFEST.LOCK_INVALID': { severity: 'error', summary: 'the lock file cannot be read as one' },
  'CODE.TYPES_STALE': { severity: 'error', summary: 'the generated types are not those of the manifests' },
} as const satisfies Record<string, FindingCodeFacts>;
