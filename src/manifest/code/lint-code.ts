/** The lint of code: every compose call against the manifest that serves it. Nothing of the code is run. */
import { readFileSync } from 'node:fs';
import type ts from 'typescript';
import type { Finding } from '../../model/finding.ts';
import type { Manifest, ManifestSet } from '../../model/manifest.ts';
import { parseDocuments } from '../parse.ts';
import { byPosition } from '../reporter.ts';
import { type Binding, bindCall, type KnownManifests } from './bind-call.ts';
import { type ComposeCall, findComposeCalls } from './calls.ts';
import { type BoundCall, checkCall } from './check-call.ts';
import { checkLayers } from './check-layers.ts';
import { checkUnused } from './check-unused.ts';
import { findingAtNode } from './code-findings.ts';
import { createCodeProgram } from './program.ts';
import { type Reading, readCall } from './readings.ts';
import { createCodeBase } from './references.ts';
import type { TypeScript } from './typescript-module.ts';
import { objectAt, type WrittenManifest, writtenManifest } from './written-manifest.ts';

export interface LintCodeOptions {
  /** Absolute paths with `/`. */
  readonly files: readonly string[];
  readonly set: Pick<ManifestSet, 'manifests' | 'findings'>;
  readonly typescript: TypeScript;
}

export interface LintedCode {
  /** In order of position, each once. */
  readonly findings: readonly Finding[];
  /** Compose calls that were found. */
  readonly calls: number;
}

/**
 * Lints code against manifests. Never runs it, and never reports errors of the language.
 *
 * @example
 * const typescript = await loadTypeScript();
 * const { findings } = lintCode({ files: findCodeFiles(['src/**\/*.ts'], cwd).files, set, typescript });
 */
export function lintCode({ files, set, typescript }: LintCodeOptions): LintedCode {
  const written = new Map<Manifest, WrittenManifest | undefined>(set.manifests.map((manifest) => [manifest, writtenManifest(manifest)]));
  const writtenOf = (manifest: Manifest): WrittenManifest | undefined => written.get(manifest);
  const program = createCodeProgram(files, typescript);
  const base = program && createCodeBase(program, typescript);
  const calls = base ? findComposeCalls(base) : [];
  const judged = base ? calls.map((call) => judge(call, { readings: readCall(base, call), known: knownManifests(set) })) : [];
  const bound = judged.flatMap((each) => each.bound);
  const findings = [
    ...judged.flatMap((each) => each.findings),
    ...bound.flatMap((call) => checkCall(call, set.manifests)),
    ...(base ? checkLayers(base, bound, (manifest) => writtenOf(manifest)?.layers ?? []) : []),
    ...checkUnused({
      manifests: set.manifests,
      bound,
      meant: new Set(judged.flatMap((each) => each.meant)),
      hasUnbound: judged.some((each) => each.hasUnbound),
      writtenOf,
    }),
  ];
  return { findings: withoutRepeats(findings).sort(byPosition), calls: calls.length };
}

interface Judged {
  readonly bound: readonly BoundCall[];
  readonly findings: readonly Finding[];
  readonly meant: readonly Manifest[];
  readonly hasUnbound: boolean;
}

function judge(call: ComposeCall, { readings, known }: { readings: readonly Reading[]; known: KnownManifests }): Judged {
  const bindings = readings.map((reading) => ({ reading, binding: bindCall(reading, known) }));
  const unbound = bindings.filter(({ binding }) => binding.isUnbound && binding.findings.length === 0);
  const isWhole = unbound.length === bindings.length;
  return {
    bound: bindings.map(({ reading, binding }) => ({ reading, manifests: binding.manifests })),
    findings: [
      ...bindings.flatMap(({ binding }) => binding.findings),
      ...unbound.map((each) => unboundCall(call, isWhole ? undefined : each)),
    ],
    meant: bindings.flatMap(({ binding }) => binding.meant),
    hasUnbound: unbound.length > 0,
  };
}

/** Where a wrapper has a manifest at some of its calls only, the finding stands at the others. */
function unboundCall(call: ComposeCall, part: { reading: Reading; binding: Binding } | undefined): Finding {
  const site = part && [...part.reading.env.frames.values()].at(-1);
  const place: ts.Node = site ? site.expression : call.place;
  return findingAtNode('CODE.UNBOUND_CALL', place, {
    message: 'Nothing in the code says which manifest serves this call.',
    fix: "Name it (`manifest: 'support-thread'`), or give the scope id its type (`ScopeUuid<'support_thread'>`).",
  });
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const byKey = new Map(
    findings.map((finding) => [[finding.code, finding.file, finding.line, finding.column, finding.message].join('\0'), finding]),
  );
  return [...byKey.values()];
}

/** The manifests, and what those that were refused are called: calls of them are not judged. */
function knownManifests({ manifests, findings }: LintCodeOptions['set']): KnownManifests {
  const broken = new Set(findings.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  const metadata = [...broken]
    .flatMap((file) => metadataOf(file))
    .map((each) => ({ name: String(each['name']), type: String(each['scope_block_type']) }));
  const names = new Set(manifests.map(({ name }) => name));
  const types = new Set(manifests.map(({ scopeBlockType }) => scopeBlockType));
  return {
    manifests,
    brokenNames: new Set(metadata.map(({ name }) => name).filter((name) => !names.has(name))),
    brokenScopeTypes: new Set(metadata.map(({ type }) => type).filter((type) => !types.has(type))),
  };
}

function metadataOf(file: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return parseDocuments(readFileSync(file, 'utf8'), file).documents.map(({ document }) => objectAt(document.value, ['metadata']));
  } catch {
    return []; // a file that cannot be read is a finding of its own
  }
}
