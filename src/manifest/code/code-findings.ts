/** The closed list of what the lint of code can find. The drift corpus provokes every one (test/integration/drift.test.ts). */
import type ts from 'typescript';
import type { Finding } from '../../model/finding.ts';
import type { FindingCodeFacts } from '../finding-codes.ts';

/** Errors are calls that would fail or read nothing; warnings are parts of manifests that nothing uses. */
export const CODE_CODES = {
  'CODE.UNBOUND_CALL': { severity: 'error', summary: 'a compose call of which nothing says which manifest serves it' },
  'CODE.UNKNOWN_MANIFEST': { severity: 'error', summary: 'a compose call names a manifest, a version or a scope type that is not there' },
  'CODE.UNKNOWN_INTENT': { severity: 'error', summary: 'an intent that the manifest does not know' },
  'CODE.UNKNOWN_INPUT': { severity: 'error', summary: 'an input that the manifest does not declare' },
  'CODE.MISSING_INPUT': { severity: 'error', summary: 'a required input that a call does not give' },
  'CODE.TIER_TOO_LOW': { severity: 'error', summary: 'a profile with which no call of the manifest is ever allowed' },
  'CODE.UNKNOWN_LAYER': { severity: 'error', summary: 'the code reads a layer that the manifest does not declare' },
  'CODE.LAYER_NOT_FIRED': { severity: 'error', summary: 'the code reads a layer that the intent of the call does not fire' },
  'CODE.MANIFEST_UNUSED': { severity: 'warning', summary: 'a manifest that no call in the code uses' },
  'CODE.INTENT_UNUSED': { severity: 'warning', summary: 'an intent that a manifest declares and no call uses' },
  'CODE.INPUT_NEVER_FILLED': { severity: 'warning', summary: 'an input that a manifest declares and no call gives' },
} as const satisfies Record<string, FindingCodeFacts>;

export type CodeFindingCode = keyof typeof CODE_CODES;

interface Words {
  readonly message: string;
  readonly fix: string;
}

/** A finding at a place in the code. */
export function findingAtNode(code: CodeFindingCode, place: ts.Node, words: Words): Finding {
  const source = place.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(place.getStart(source));
  return { code, severity: CODE_CODES[code].severity, file: source.fileName, line: line + 1, column: character + 1, ...words };
}

/** A finding at a position of a manifest. */
export const findingInManifest = (code: CodeFindingCode, where: Pick<Finding, 'file' | 'line' | 'column'>, words: Words): Finding => ({
  code,
  severity: CODE_CODES[code].severity,
  ...where,
  ...words,
});
