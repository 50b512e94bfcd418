/**
 * The lint of code: every compose call against the manifest that serves it. Nothing of the code is
 * run.
 */
import type ts from 'typescript';
import type { Finding } from '../codes/finding.ts';
import { readManifestText } from '../manifest/manifest-files.ts';
import { parseDocuments } from '../manifest/parse.ts';
import { byPosition } from '../manifest/reporter.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import { type Binding, bindCall, type KnownManifests } from './bind-call.ts';
import { type ComposeCall, findComposeCalls, isGenericCall } from './calls.ts';
import { type BoundCall, checkCall } from './check-call.ts';
import { checkLayers, type DeclaredLayers } from './check-layers.ts';
import { checkUnused } from './check-unused.ts';
import { findingAtNode } from './code-findings.ts';
import { createSteps, fileLimit, isOutOfStack, within } from './limits.ts';
import { createCodeProgram } from './program.ts';
import { type Reading, readCall } from './read-calls.ts';
import { type CodeBase, createCodeBase } from './references.ts';
import type { TypeScript } from './typescript-module.ts';
import { objectAt, type WrittenManifest, writtenManifest } from './written-manifest.ts';

export interface LintCodeOptions {
  /** Absolute paths with `/`. */
  readonly files: readonly string[];
  /** What was not looked into on the way to the files: what seems unused may be used there. */
  readonly unread?: readonly Finding[];
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
 * const typescript = await loadTypeScript(); const { findings } = lintCode({ files:
 * findCodeFiles(['src/**\/*.ts'], cwd).files, set, typescript });
 */
export function lintCode(options: LintCodeOptions): LintedCode {
  const { set, unread = [] } = options;
  const written = new Map<Manifest, WrittenManifest | undefined>(
    set.manifests.map((manifest) => [manifest, writtenManifest(manifest)]),
  );
  const writtenOf = (manifest: Manifest): WrittenManifest | undefined => written.get(manifest);
  const code = judgeCode(options);
  const bound = code.judged.flatMap((each) => each.bound);
  const layersOf = (manifest: Manifest): readonly string[] => writtenOf(manifest)?.layers ?? [];
  const findings = [
    ...unread,
    ...code.findings,
    ...code.judged.flatMap((each) => each.findings),
    ...bound.flatMap((call) => checkCall(call, set.manifests)),
    ...(code.base ? layerFindings(code.base, bound, layersOf) : []),
    ...checkUnused({
      manifests: set.manifests,
      bound,
      meant: new Set(code.judged.flatMap((each) => each.meant)),
      hasUnbound: unread.length > 0 || code.isCut || code.judged.some((each) => each.hasUnbound),
      writtenOf,
    }),
  ];
  return { findings: withoutRepeats(findings).sort(byPosition), calls: code.calls };
}

interface JudgedCode {
  readonly judged: readonly Judged[];
  /** What is not judged. */
  readonly findings: readonly Finding[];
  readonly isCut: boolean;
  readonly calls: number;
  readonly base: CodeBase | undefined;
}

/** A checker that ran out of stack is begun anew; after this many the rest is not judged. */
const MAX_RENEWALS = 4;

function judgeCode({ files, set, typescript }: LintCodeOptions): JudgedCode {
  const findings: Finding[] = [];
  const nothing = { judged: [], calls: 0, base: undefined };
  const atFiles = (why: string): void => void findings.push(fileLimit(files[0] ?? '', why));
  const read = within(() => createCodeProgram(files, typescript), atFiles);
  findings.push(...(read?.findings ?? []));
  if (!read?.program) return { ...nothing, findings, isCut: findings.length > 0 };
  const steps = createSteps();
  let base = createCodeBase(read.program, { typescript, steps });
  const calls = within(() => findComposeCalls(base), atFiles);
  if (!calls) return { ...nothing, findings, isCut: true };
  const known = knownManifests(set);
  const judged: Judged[] = [];
  let renewals = 0;
  for (const call of calls) {
    steps.begin();
    const limited = (why: string, error: unknown): void => {
      findings.push(callLimit(call, why));
      if (!isOutOfStack(error) || renewals > MAX_RENEWALS) return;
      renewals += 1;
      base = createCodeBase(base.renewed(), { typescript, steps });
    };
    if (renewals > MAX_RENEWALS) limited('stands behind others that cannot be followed', undefined);
    else {
      const one = within(() => judge(call, { base, known }), limited);
      if (one) judged.push(one);
    }
  }
  const own = calls.length - judged.filter(({ isOfOthers }) => isOfOthers).length;
  return { judged, findings, isCut: findings.length > 0, calls: own, base };
}

function layerFindings(
  base: CodeBase,
  bound: readonly BoundCall[],
  declared: DeclaredLayers,
): readonly Finding[] {
  base.steps.begin();
  const limits: Finding[] = [];
  const found = within(
    () => checkLayers(base, bound, declared),
    (why) => limits.push(...bound.slice(0, 1).map(({ reading }) => callLimit(reading.call, why))),
  );
  return found ?? limits;
}

const callLimit = ({ place }: ComposeCall, why: string): Finding =>
  findingAtNode('CODE.LIMIT', place, {
    message: `What this call asks for ${why}: it is not judged.`,
    fix: 'Write the manifest, the intent and the inputs nearer to the call, as constants.',
  });

interface Judged {
  readonly bound: readonly BoundCall[];
  readonly findings: readonly Finding[];
  readonly meant: readonly Manifest[];
  readonly hasUnbound: boolean;
  /** The call of a wrapper that runs whatever it is given. */
  readonly isOfOthers: boolean;
}

function judge(
  call: ComposeCall,
  { base, known }: { readonly base: CodeBase; readonly known: KnownManifests },
): Judged {
  const readings = readCall(base, call);
  if (readings.every(isEmpty) && isGenericCall(base, call)) {
    return { bound: [], findings: [], meant: [], hasUnbound: true, isOfOthers: true };
  }
  const bindings = readings.map((reading) => ({ reading, binding: bindCall(reading, known) }));
  const unbound = bindings.filter(
    ({ binding }) => binding.isUnbound && binding.findings.length === 0,
  );
  const isWhole = unbound.length === bindings.length;
  return {
    bound: bindings.map(({ reading, binding }) => ({ reading, manifests: binding.manifests })),
    findings: [
      ...bindings.flatMap(({ binding }) => binding.findings),
      ...unbound.map((each) => unboundCall(call, known, isWhole ? undefined : each)),
    ],
    meant: bindings.flatMap(({ binding }) => binding.meant),
    hasUnbound: unbound.length > 0,
    isOfOthers: false,
  };
}

/** Nothing is known of what the call asks for. */
const isEmpty = ({ manifest, scopeType, intent }: Reading): boolean =>
  [manifest, scopeType, intent].every(({ texts }) => texts.length === 0);

/** Where a wrapper has a manifest at some of its calls only, the finding stands at the others. */
function unboundCall(
  call: ComposeCall,
  { manifests }: KnownManifests,
  part: { reading: Reading; binding: Binding } | undefined,
): Finding {
  const site = part && [...part.reading.env.frames.values()].at(-1);
  const place: ts.Node = site ? site.expression : call.place;
  return findingAtNode('CODE.UNBOUND_CALL', place, {
    message: 'Nothing in the code says which manifest serves this call.',
    fix: namingOf(manifests),
  });
}

/** As many manifests as a fix names. */
const MAX_NAMED = 3;

function namingOf(manifests: readonly Manifest[]): string {
  const named = manifests.slice(0, MAX_NAMED);
  const listed = (texts: readonly string[]): string => [...new Set(texts)].join(' or ');
  const names = listed(named.map(({ name }) => `\`manifest: '${name}'\``));
  const types = listed(named.map(({ scopeBlockType: type }) => `\`ScopeUuid<'${type}'>\``));
  return named.length === 0
    ? 'Name it with `manifest`, or give the scope id its type with `ScopeUuid`.'
    : `Name it (${names}), or give the scope id its type (${types}).`;
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const byKey = new Map(
    findings.map((finding) => [
      [finding.code, finding.file, finding.line, finding.column, finding.message].join('\0'),
      finding,
    ]),
  );
  return [...byKey.values()];
}

/** The manifests, and what those that were refused are called: calls of them are not judged. */
function knownManifests({ manifests, findings }: LintCodeOptions['set']): KnownManifests {
  const broken = new Set(
    findings.filter(({ severity }) => severity === 'error').map(({ file }) => file),
  );
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
  // A file that cannot be read is a finding of its own.
  const text = readManifestText(file, []);
  if (text === undefined) return [];
  return parseDocuments(text, file).documents.map(({ document }) =>
    objectAt(document.value, ['metadata']),
  );
}
