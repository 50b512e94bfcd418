/**
 * The one closed table of codes: what is thrown, what is found, what a composition warns of. `code`
 * = `NAMESPACE.REASON`. A code is added here first: the compiler refuses one that is not here, and
 * test/unit/codes.test.ts one that no source file produces. docs/codes.md is generated from it.
 */

import { type CodeFacts, error, type Finder, finding, retryable, warning } from './code-facts.ts';

export const CODES = {
  // Errors.
  'MANIFEST.NOT_FOUND': error('no manifest serves the scope type, or the named one is not loaded'),
  'MANIFEST.INVALID': error('a manifest has findings of severity error; they are in meta.findings'),
  'MANIFEST.MISSING_INPUT': error('a required input has no value in the request'),
  'MANIFEST.UNKNOWN_INPUT': error('the request gives an input that the manifest does not declare'),
  'MANIFEST.UNKNOWN_INTENT': error('the intent is neither built in nor declared by the manifest'),
  'SCOPE.NOT_FOUND': error('no such scope for this tenant'),
  'SCOPE.NOT_A_SCOPE': error('the uuid names a block that is not a scope'),
  'SCOPE.CYCLE': error('inherits would form a cycle'),
  'PERMISSION.PROFILE_MISSING': error('the call has no permission profile'),
  'PERMISSION.INVALID_PROFILE': error(
    'the permission profile is malformed or wider than its principal',
  ),
  'PERMISSION.DENIED': error('the principal may not do this here'),
  'PERMISSION.APPROVAL_REQUIRED': error(
    'a T2 or T3 action: another principal has to review or approve it first',
  ),
  'PERMISSION.PROPOSAL_NOT_FOUND': error('no such proposal that the principal may see'),
  'PERMISSION.PROPOSAL_SETTLED': error('the proposal was settled before, or has expired'),
  'PERMISSION.TOO_MANY_PROPOSALS': error('as many proposals of the proposer wait as may'),
  'PERMISSION.SIGNATURE_INVALID': error(
    'the approval has no signature of a registered key over the digest of the proposal',
  ),
  'PERMISSION.RIGHTS_REFUSED': error('the right of a principal cannot be changed so'),
  'PERMISSION.UNAVAILABLE': retryable(
    'the permission store did not answer; the call failed closed',
  ),
  'CONNECTOR.UNAVAILABLE': retryable('the database did not answer'),
  'CONNECTOR.DEADLINE': retryable('the deadline passed or the call was aborted'),
  'CONNECTOR.LOCKED': retryable('another process holds the embedded database'),
  'CONNECTOR.MISSING_CAPABILITY': error(
    'the connector cannot give what is asked; isolation is never emulated',
  ),
  'CONNECTOR.MISSING_PACKAGE': error('a package that a connector needs is not installed'),
  'CONNECTOR.ROLE': error('the database role would bypass row-level security or lacks a grant'),
  'CONNECTOR.INVALID_REQUEST': error('a malformed request reached a connector'),
  'CONNECTOR.CLOSED': error('the engine or connection was closed'),
  'CONNECTOR.CORRUPT': error('an embedded folder or a mount is not ours or is damaged'),
  'WRITE.INVALID': error('an operation is malformed; nothing was written'),
  'WRITE.IDEMPOTENCY_CONFLICT': error('the idempotency key was used with another payload'),
  'WRITE.NOT_FOUND': error('UPDATE or DELETE of a root that is not there'),
  'WRITE.NOTHING_WRITTEN': error('an undo of what wrote nothing: a duplicate or a NOOP'),
  'WRITE.TYPE_MISMATCH': error('a typed value does not fit its collection'),
  'WRITE.TOO_LARGE': error('a content is longer than the limit'),
  'WRITE.SOURCE_GONE': error('a derived row names a source that is not visible'),
  'WRITE.BUILT_ON': error('an undo of an operation that later operations build on'),
  'WRITE.COMMIT_UNKNOWN': retryable(
    'the connection was lost during the commit: stored wholly or not at all; repeat with the ' +
      'same idempotency keys',
  ),
  'WRITE.REFUSED': error('the database refused an illegal change'),
  'BUDGET.STATIC_TOO_LONG': {
    ...error('a text that is never cut is longer than the budget, or than its share of it'),
    finding: { severity: 'error', by: 'lint' },
  },
  'BUDGET.INVALID': {
    ...error('budget numbers are out of range or contradict each other'),
    finding: { severity: 'error', by: 'load' },
  },
  'CAPTURE.BUDGET_SPENT': retryable('the budget of the day for a model is spent; the work waits'),
  'CAPTURE.BUSY': retryable('another worker has asked a model about these turns'),
  'CAPTURE.REVIEWS_WAIT': retryable('as many proposals wait for a review as may; the rest waits'),
  'CAPTURE.ANSWER_UNUSABLE': error('no answer of a model could be used; its turns are set aside'),
  'CAPTURE.UNREADABLE': error('a piece of a turn could not be read by rules; it is set aside'),
  'INFERENCE.UNAVAILABLE': retryable('the provider of the embedder or model did not answer'),
  'INFERENCE.REFUSED': error('the provider does not accept the key, or not for this model'),
  'INFERENCE.DIMENSIONS': error('a vector of another embedding space'),
  'INFERENCE.MISSING_PACKAGE': error('an optional package is not installed'),
  'MIGRATION.PENDING': error('the database has not been migrated'),
  'MIGRATION.CHANGED': error('an applied migration differs from its file'),
  'MIGRATION.FAILED': error('a migration did not apply; nothing of it was kept'),
  'CODE.MISSING_PACKAGE': error(
    '`typescript`, with which the lint of code reads it, is not installed',
  ),
  'EVAL.DATA': error(
    'a data set, manifest or baseline of the eval harness cannot be read as what it claims to be',
  ),
  'CONFIG.BUNDLED': error('the package runs from a bundle, without the files beside its code'),
  'CONFIG.INVALID_VALUE': error('an option or argument has a value that is not allowed'),
  'CONFIG.UNKNOWN_KEY': error('a field of a call, or a configuration key, that does not exist'),
  'CLI.USAGE': error('the command line is wrong'),
  'CLI.INPUT': error('an input file cannot be read as what it claims to be'),
  'RECEIPT.NOT_FOUND': error('no composition with this id was remembered'),
  'RECEIPT.OTHER_RENDERER': error(
    'the composition was rendered by another version of the renderer',
  ),

  // Findings when a manifest is loaded, by an engine as well. An error keeps it from being loaded.
  // test/unit/manifest-findings.test.ts provokes every one.
  'MANIFEST.SYNTAX': finding(
    'load',
    'error',
    'the text is not the YAML 1.2 that a manifest may use',
  ),
  'MANIFEST.UNKNOWN_KEY': finding('load', 'error', 'a key that does not exist at this place'),
  'MANIFEST.WRONG_TYPE': finding('load', 'error', 'a value of another type than the key takes'),
  'MANIFEST.INVALID_VALUE': finding(
    'load',
    'error',
    'a value of the right type that is not allowed',
  ),
  'MANIFEST.MISSING': finding('load', 'error', 'a required key, document or file is not there'),
  'MANIFEST.LIMIT': finding(
    'load',
    'error',
    'files, folders or all of them together that are larger than what is read',
  ),
  'MANIFEST.DUPLICATE': finding('load', 'error', 'a key, a manifest or a collection stands twice'),
  'MANIFEST.UNKNOWN_PLACEHOLDER': finding(
    'load',
    'error',
    'a text uses {{name}} that no input declares',
  ),
  'MANIFEST.UNKNOWN_LAYER': finding('load', 'error', 'a layer that is neither a kind nor declared'),
  'MANIFEST.UNKNOWN_INTENT_LAYER': finding(
    'load',
    'error',
    'an intent names a layer that the manifest does not declare',
  ),
  'MANIFEST.FORMULA': finding('load', 'error', 'a scoring formula does not parse'),
  'FEATURE.NOT_LANDED': finding(
    'load',
    'error',
    'a capability that this version does not have yet',
  ),
  'FEATURE.INERT': finding('load', 'warning', 'a valid setting that has no effect in this version'),
  'CONFIG.OVERRIDE_CLAMPED': finding(
    'load',
    'warning',
    'an override is out of its range, or contradicts the rest of the manifest',
  ),
  'CONFIG.OVERRIDE_UNREAD': finding(
    'load',
    'warning',
    'an override of what no layer of the manifest reads: it changes nothing',
  ),
  'MANIFEST.UNKNOWN_MOUNT': finding(
    'load',
    'error',
    'a layer names a mount that is not configured',
  ),
  'MANIFEST.NO_VERSION': finding('load', 'warning', 'no metadata.version: it counts as 0'),
  'MANIFEST.UNUSED_COLLECTION': finding(
    'load',
    'warning',
    'a collection with `patterns` that no layer of a loaded manifest names: capture never reads them',
  ),
  'MANIFEST.UNKNOWN_COLLECTION': finding(
    'load',
    'warning',
    'a collection that no loaded Collection manifest declares',
  ),
  'MANIFEST.AMBIGUOUS_SCOPE': finding(
    'load',
    'warning',
    'several manifests serve one scope type: calls must name theirs',
  ),

  // Findings of `validate` in manifests that load: test/unit/lint.test.ts provokes every one.
  'BUDGET.NO_ROOM': finding(
    'lint',
    'warning',
    'texts that are never cut leave less than the minimums of the other layers',
  ),
  'BUDGET.ALWAYS_CUT': finding(
    'lint',
    'warning',
    'a text of the manifest is longer than its layer may be',
  ),
  'BUDGET.LIMIT_OVER_TOTAL': finding(
    'lint',
    'warning',
    'a limit of a layer is above the budget of all layers, and limits nothing',
  ),
  'MANIFEST.UNREACHABLE_LAYER': finding(
    'lint',
    'error',
    'a layer that no intent fires, or that asks for nothing',
  ),
  'MANIFEST.ABSENT_SIGNAL': finding(
    'lint',
    'warning',
    'a formula uses a signal that items of the layer never have',
  ),
  'MANIFEST.FLOOR_TOO_HIGH': finding(
    'lint',
    'warning',
    'a formula that stays under its floor: nothing is ever served',
  ),
  'MANIFEST.UNUSED_SETTING': finding('lint', 'warning', 'a number that no formula reads'),
  'MANIFEST.UNSERVED_CLASS': finding(
    'lint',
    'warning',
    'a class of memory that `writing.into` names and no layer brings: stored, and never shown',
  ),
  'MANIFEST.UNKNOWN_SCOPE_TYPE': finding(
    'lint',
    'warning',
    'a scope type in `writing.into` that no manifest serves and that is nearly a known one',
  ),
  'MANIFEST.UNKNOWN_BLOCK_TYPE': finding(
    'lint',
    'warning',
    'a block type that is none of the engine and nearly one of them',
  ),
  'MANIFEST.UNKNOWN_MODEL': finding(
    'lint',
    'warning',
    'a model whose tokenizer and window are not known: its tokens are counted conservatively',
  ),
  'MANIFEST.WIDER_PERMISSION': finding(
    'lint',
    'warning',
    'a tier that is wider than the one it should lie within',
  ),
  'MANIFEST.IDLE_DISTILLATION': finding(
    'lint',
    'error',
    'a distillation policy that can never fire',
  ),
  'MANIFEST.VOLATILE_PREFIX': finding(
    'lint',
    'warning',
    'something that changes with every call stands in the part that prompt caches keep',
  ),

  // Findings in the lock and the generated types: test/unit/lock.test.ts and generate.test.ts.
  'MANIFEST.VERSION_UNCHANGED': finding(
    'pin',
    'error',
    'a manifest or collection differs from the locked one of the same version',
  ),
  'MANIFEST.LOCK_BEHIND': finding(
    'pin',
    'warning',
    'a manifest or collection has a version that the lock does not know',
  ),
  'MANIFEST.LOCK_INVALID': finding('pin', 'error', 'the lock file cannot be read as one'),
  'CODE.TYPES_STALE': finding('pin', 'error', 'the generated types are not those of the manifests'),

  // Findings in the code that calls: test/integration/drift.test.ts provokes every one.
  // Errors are calls that would fail or read nothing; warnings are parts that nothing uses.
  'CODE.UNBOUND_CALL': finding(
    'code',
    'error',
    'a compose call whose manifest cannot be determined',
  ),
  'CODE.UNKNOWN_MANIFEST': finding(
    'code',
    'error',
    'a compose call names a manifest, a version or a scope type that is not there',
  ),
  'CODE.UNKNOWN_INTENT': finding('code', 'error', 'an intent that the manifest does not know'),
  'CODE.UNKNOWN_INPUT': finding('code', 'error', 'an input that the manifest does not declare'),
  'CODE.MISSING_INPUT': finding('code', 'error', 'a required input that a call does not give'),
  'CODE.TIER_TOO_LOW': finding(
    'code',
    'error',
    'a profile with which no call of the manifest is ever allowed',
  ),
  'CODE.UNKNOWN_LAYER': finding(
    'code',
    'error',
    'the code reads a layer that the manifest does not declare',
  ),
  'CODE.LAYER_NOT_FIRED': finding(
    'code',
    'error',
    'the code reads a layer that the intent of the call does not fire',
  ),
  'CODE.LIMIT': finding(
    'code',
    'error',
    'code that is not judged: no regular file, too large, too deep or endless to follow',
  ),
  'CODE.MANIFEST_UNUSED': finding('code', 'warning', 'a manifest that no call in the code uses'),
  'CODE.INTENT_UNUSED': finding('code', 'warning', 'an intent of a manifest that no call uses'),
  'CODE.INPUT_NEVER_FILLED': finding(
    'code',
    'warning',
    'an input that a manifest declares and no call gives',
  ),
  // Findings of the eval gate, which are measured over the whole of a suite.
  'EVAL.REGRESSION': finding('gate', 'error', 'a gated metric fell below its baseline'),
  'EVAL.STALE_BASELINE': finding(
    'gate',
    'error',
    'the ranking, the data or the settings changed and the baseline did not',
  ),

  // Warnings: what a composition served, or could not serve, that its reader should know.
  'BUDGET.SMALLER_WINDOW': warning(
    'the window of the model that the call names is smaller than the manifest plans for',
    'Name a model with a larger window, or lower the budget of the manifest.',
  ),
  'BUDGET.TOKENIZER_MISSING': warning(
    'the package with the tokenizer of the model is not installed',
    'Install what the message names, or keep it: tokens are counted too high.',
  ),
  'BUDGET.UNKNOWN_MODEL': warning(
    'the tokenizer and the window of the model that the call names are not known',
    'Correct the name, or keep it: tokens are counted too high, and leave room unused.',
  ),
  'CLOCK.AHEAD': warning(
    'a scope was written by a clock that is ahead of this one',
    'Set the clocks of the writers.',
  ),
  'CONNECTOR.PART_FAILED': warning(
    'a layer is incomplete: the store did not answer its part',
    'See `contextengine doctor`, then call again.',
  ),
  'CORE.LINES_CUT': warning(
    'core memory has more lines than its layer reads',
    'Shorten it, or raise `max_lines`.',
  ),
  'CORE.TOKENS_CUT': warning(
    'a stored text of a layer that is never cut does not fit the budget',
    'Shorten it, or raise `budget.total_tokens`.',
  ),
  'HISTORY.CALL_CUT': warning(
    'calls of tools do not fit the budget: `messages()` sends their arguments shortened',
    'Nothing to do; raise `budget.total_tokens` where the model needs them whole.',
  ),
  'HISTORY.GAP': warning(
    'earlier turns are not shown',
    'Raise the budget or the `limit` of the layer, or add a `summary` layer.',
  ),
  'LAYER.EMPTY': warning(
    'a searched layer holds nothing for the query, or what it found stands in another layer',
    'Nothing to do, where nothing was stored on it; else give the layer a better `rank`.',
  ),
  'LAYER.LIMIT_CUT': warning(
    'the store holds more entries than the layer reads',
    'Raise `limit` of the layer, or remove entries.',
  ),
  'LAYER.NONE_FIRES': warning(
    'the intent fires no layer of the manifest but fixed text and pins',
    'Name another intent, or give it `layers` under `spec.intents`.',
  ),
  'LAYER.NO_ROOM': warning(
    'a layer has something to show that does not fit beside the others or into its limit',
    'Raise the budget, keep tokens for it in `budget.min_per_layer`, or shorten what stands before.',
  ),
  NOTHING_RELEVANT: warning(
    'no searched layer found anything above its floor',
    'Nothing to do; lower `scoring.floor` where this is wrong.',
  ),
  OUTAGE: warning(
    'a write failed and none has succeeded since: memory may miss something',
    'See `contextengine doctor`.',
  ),
  'PAST.NOTHING_RECORDED': warning(
    'nothing that was recorded by the time of `as_of` is served',
    'Give `recorded_as_of` as well, for what was recorded later of that time.',
  ),
  'PERMISSION.SCOPE_LEFT_OUT': warning(
    'an inherited scope was left out of what the principal reads',
    'Widen the profile, or end the link.',
  ),
  'SCOPE.CLOSURE_CUT': warning(
    'the closure is wider or deeper than its limits; the farthest scopes were left out',
    'Inherit from fewer scopes.',
  ),
  'SEARCH.STATISTICS_OF_NOW': warning(
    'a search of a past position counts words over what is stored now',
    'Nothing to do: scores may differ a little.',
  ),
} as const satisfies Readonly<Record<string, CodeFacts>>;

export type Code = keyof typeof CODES;
type CodeWith<Facet> = {
  [C in Code]: (typeof CODES)[C] extends Facet ? C : never;
}[Code];

export type ErrorCode = CodeWith<{ readonly error: unknown }>;
export type WarningCode = CodeWith<{ readonly warning: true }>;
export type FindingCode<By extends Finder = Finder> = CodeWith<{
  readonly finding: { readonly by: By };
}>;

/** Each code with its facts, in the order of the table. */
export const codeRows = (): readonly (readonly [Code, CodeFacts])[] => {
  const rows: Readonly<Record<Code, CodeFacts>> = CODES;
  // `Object.entries` widens the names of a closed record to `string`.
  return Object.entries(rows) as [Code, CodeFacts][];
};

export const severityOf = (code: FindingCode): 'error' | 'warning' => CODES[code].finding.severity;
