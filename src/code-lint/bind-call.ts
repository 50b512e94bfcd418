/** Which manifest serves a call: the one that it names, else the one that its type of scope has. */
import type { Finding } from '../codes/finding.ts';
import { didYouMean, nearest } from '../manifest/suggest.ts';
import { compareVersions } from '../manifest/version.ts';
import { shown } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import { findingAtNode } from './code-findings.ts';
import type { Reading } from './read-calls.ts';
import type { Text } from './text-values.ts';

/**
 * The manifests that calls can mean, and the names of those that could not be loaded: about their
 * calls nothing is known.
 */
export interface KnownManifests {
  readonly manifests: readonly Manifest[];
  readonly brokenNames: ReadonlySet<string>;
  readonly brokenScopeTypes: ReadonlySet<string>;
}

export interface Binding {
  /** One, or those that the call can mean; none where that is not known. */
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
  /** Manifests that a wrong name is probably meant for. */
  readonly meant: readonly Manifest[];
  /** Nothing, or not enough, says which. */
  readonly isUnbound: boolean;
}

const newest = (manifests: readonly Manifest[]): readonly Manifest[] =>
  [...manifests].sort((a, b) => compareVersions(b.version, a.version)).slice(0, 1);

export function bindCall(reading: Reading, known: KnownManifests): Binding {
  const { manifest, scopeType } = reading;
  const named = manifest.texts.map((text) => byName(text, known));
  const typed = scopeType.texts.map((text) => byScopeType(text, known));
  const isNamed = manifest.texts.length > 0 && manifest.isComplete && !manifest.isMaybeAbsent;
  const found = isNamed ? named : [...named, ...typed];
  // A name from outside with a fallback (`process.env.MANIFEST ?? 'notes'`) is held to the
  // fallback.
  const isKnown =
    isNamed ||
    (named.length > 0 && !manifest.isMaybeAbsent) ||
    (typed.length > 0 && scopeType.isComplete);
  if (isKnown) return joined([...found, ...(isNamed ? [contradiction(reading, named)] : [])]);
  const partly = joined(found);
  return { ...partly, manifests: [], isUnbound: true };
}

type Part = Omit<Binding, 'isUnbound'>;
const NOTHING: Part = { manifests: [], findings: [], meant: [] };

const joined = (parts: readonly Part[]): Binding => ({
  manifests: [...new Set(parts.flatMap(({ manifests }) => manifests))],
  findings: parts.flatMap(({ findings }) => findings),
  meant: parts.flatMap(({ meant }) => meant),
  isUnbound: false,
});

function byName({ text, place }: Text, { manifests, brokenNames }: KnownManifests): Part {
  const cut = text.indexOf('@');
  const name = cut < 0 ? text : text.slice(0, cut);
  const version = cut < 0 ? undefined : text.slice(cut + 1);
  if (brokenNames.has(name)) return NOTHING;
  const called = manifests.filter((manifest) => manifest.name === name);
  const found = newest(
    version === undefined ? called : called.filter((manifest) => manifest.version === version),
  );
  if (found.length > 0) return { ...NOTHING, manifests: found };
  const names = [...new Set(manifests.map((manifest) => manifest.name))];
  if (called.length > 0) {
    const versions = called.map((manifest) => `${name}@${manifest.version}`);
    const words = {
      message: `The manifest \`${name}\` has no version \`${shown(version)}\`.`,
      fix: didYouMean(text, versions),
    };
    return {
      ...NOTHING,
      findings: [findingAtNode('CODE.UNKNOWN_MANIFEST', place, words)],
      meant: newest(called),
    };
  }
  const near = nearest(name, names);
  const words = {
    message: `There is no manifest \`${shown(text)}\`.`,
    fix: names.length === 0 ? NO_MANIFESTS : didYouMean(name, names),
  };
  return {
    ...NOTHING,
    findings: [findingAtNode('CODE.UNKNOWN_MANIFEST', place, words)],
    meant: manifests.filter((manifest) => manifest.name === near),
  };
}

const NO_MANIFESTS =
  'Write the manifest, or give the folder that holds it: `contextengine validate manifests ' +
  '--code …`.';

function byScopeType({ text, place }: Text, { manifests, brokenScopeTypes }: KnownManifests): Part {
  if (brokenScopeTypes.has(text)) return NOTHING;
  const serving = manifests.filter((manifest) => manifest.scopeBlockType === text);
  const names = [...new Set(serving.map(({ name }) => name))];
  if (serving.length > 0)
    return {
      ...NOTHING,
      manifests: names.flatMap((name) => newest(serving.filter((each) => each.name === name))),
    };
  const types = [...new Set(manifests.map((manifest) => manifest.scopeBlockType))];
  const near = nearest(text, types);
  const words = {
    message: `No manifest serves scopes of type \`${shown(text)}\`.`,
    fix: types.length === 0 ? NO_MANIFESTS : didYouMean(text, types),
  };
  return {
    ...NOTHING,
    findings: [findingAtNode('CODE.UNKNOWN_MANIFEST', place, words)],
    meant: manifests.filter((manifest) => manifest.scopeBlockType === near),
  };
}

/** A named manifest that does not serve the scope's type: the engine refuses such a call. */
function contradiction({ manifest, scopeType }: Reading, named: readonly Part[]): Part {
  const [text, ...others] = manifest.texts;
  const [found] = named.flatMap(({ manifests }) => manifests);
  const types = scopeType.texts.map((type) => type.text);
  if (
    !text ||
    !found ||
    others.length > 0 ||
    types.length === 0 ||
    !scopeType.isComplete ||
    types.includes(found.scopeBlockType)
  )
    return NOTHING;
  const message =
    `The manifest \`${text.text}\` serves scopes of type \`${found.scopeBlockType}\`, and the ` +
    `scope is a \`${types.join('`, `')}\`.`;
  const fix = 'Name a manifest of the type of the scope, or leave `manifest` out.';
  return {
    ...NOTHING,
    findings: [findingAtNode('CODE.UNKNOWN_MANIFEST', text.place, { message, fix })],
  };
}
