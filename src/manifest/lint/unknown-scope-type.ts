/**
 * A scope type in `writing.into` that is nearly one that is known. Which types there are is a
 * matter of the ledger (capture warns where no scope of the closure has the type), and a scope that
 * others inherit needs no manifest: so only what looks like a slip is reported.
 */
import { nearest } from '../suggest.ts';
import type { LintRule } from './rule.ts';

/** Scopes that others usually inherit. */
const OUTER_TYPES = ['user', 'project', 'team', 'workspace', 'organisation', 'organization'];

export const unknownScopeType: LintRule = ({ spec, all }, report) => {
  const known = [...all.map(({ scopeBlockType }) => scopeBlockType), ...OUTER_TYPES];
  for (const [memory, type] of Object.entries(spec.writing?.into ?? {})) {
    const near = known.includes(type) ? undefined : nearest(type, known);
    if (near === undefined) continue;
    report({
      code: 'MANIFEST.UNKNOWN_SCOPE_TYPE',
      at: ['spec', 'writing', 'into', memory],
      message:
        `No loaded manifest serves scopes of type \`${type}\`: where a closure has none, what is ` +
        `captured as \`${memory}\` stays in the scope of its turns.`,
      fix: `Did you mean \`${near}\`? Else load the manifest of \`${type}\`, or give it another name.`,
    });
  }
};
