/**
 * The semantic lint: what a manifest says in valid words and yet cannot mean. Findings are data;
 * the start of an engine does not lint. Invariant: every rule has a manifest that provokes it and
 * one that does not (test/unit/lint.test.ts).
 */

import { severityOf } from '../../codes/code-table.ts';
import type { Finding } from '../../codes/finding.ts';
import type { Manifest, ManifestSet } from '../../model/manifest.ts';
import { fromBundle } from '../bundle.ts';
import { parseDocuments } from '../parse.ts';
import { byPosition, createReporter, type Locator } from '../reporter.ts';
import { isContextDomain } from '../shape.ts';
import { findingsOfVariant, locatorOfVariant, specOfVariant } from '../variants.ts';
import type { LintReport, LintSubject } from './rule.ts';
import { LINT_RULES } from './rules.ts';

export interface LintOptions {
  /**
   * Tokens of a text by the tokenizer of a model; counting is the business of `budget/`, so it is
   * handed in.
   */
  readonly countTokens: (text: string, model: string) => number;
}

/**
 * Lints every manifest of a set against itself and the others. Never throws; findings are in order
 * of position.
 *
 * @example
 * const findings = lintManifests(loadManifests({ paths: ['manifests'] }), { countTokens });
 */
export const lintManifests = (
  set: Pick<ManifestSet, 'manifests'>,
  options: LintOptions,
): readonly Finding[] =>
  set.manifests.flatMap((manifest) => lintOne(manifest, set.manifests, options)).sort(byPosition);

function lintOne(
  manifest: Manifest,
  all: readonly Manifest[],
  { countTokens }: LintOptions,
): readonly Finding[] {
  const [parsed] = parseDocuments(
    fromBundle(manifest.source)?.manifest ?? manifest.source,
    manifest.path,
  ).documents;
  if (!parsed) return [];
  const { value, locator } = parsed.document;
  // The manifest was made from this text, so this only gives the value its type.
  if (!isContextDomain(value, createReporter(manifest.path, locator))) return [];
  const { spec } = value;
  const counted = (text: string): number => countTokens(text, manifest.model.name);
  const asWritten = lintSpec({ manifest, spec, all, countTokens: counted }, locator);
  const ofVariants = manifest.variants.map((variant) =>
    findingsOfVariant(
      variant.name,
      lintSpec(
        {
          manifest: variant.manifest,
          spec: specOfVariant(spec, variant.name),
          all,
          countTokens: counted,
        },
        locatorOfVariant(locator, spec, variant.name),
      ),
      asWritten,
    ),
  );
  return [...asWritten, ...ofVariants.flat()];
}

function lintSpec(subject: LintSubject, locator: Locator): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (entry: LintReport): void =>
    void findings.push(toFinding(entry, subject.manifest, locator));
  for (const rule of LINT_RULES) rule(subject, report);
  return findings;
}

function toFinding(
  { code, at, on = 'value', offset, message, fix }: LintReport,
  manifest: Manifest,
  locator: Locator,
): Finding {
  const { line, column } = locator.position(at, on, offset);
  return {
    code,
    severity: severityOf(code),
    file: manifest.path,
    line: line + (manifest.line ?? 1) - 1,
    column,
    message,
    fix,
  };
}
