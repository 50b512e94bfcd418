/** One call against the manifest that serves it: intent, inputs, tiers. */
import type { Finding } from '../codes/finding.ts';
import { didYouMean } from '../manifest/suggest.ts';
import { shown } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import { strictest, TIERS, type Tier } from '../model/permission.ts';
import { findingAtNode } from './code-findings.ts';
import type { Shape } from './object-shape.ts';
import type { GivenInputs, Reading } from './read-calls.ts';
import type { Text } from './text-values.ts';

/** A call, and the manifests that it can mean. What one of several accepts is accepted. */
export interface BoundCall {
  readonly reading: Reading;
  readonly manifests: readonly Manifest[];
}

/**
 * Checks one call. `all` are the manifests that there are: an intent of another one is wrong where
 * it is used, not where it is written.
 */
export const checkCall = (bound: BoundCall, all: readonly Manifest[]): readonly Finding[] =>
  bound.manifests.length === 0
    ? []
    : [...checkIntent(bound, all), ...checkInputs(bound), ...checkTiers(bound)];

/** `name` of a manifest, or of several. */
export const namesOf = (manifests: readonly Manifest[]): string =>
  [...new Set(manifests.map(({ name }) => `\`${name}\``))].join(' and ');

export const unionOf = (lists: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(lists.flat()),
];

export const knowsIntent = (manifest: Manifest, intent: string): boolean =>
  Object.hasOwn(manifest.intents, intent);

function checkIntent(
  { reading, manifests }: BoundCall,
  all: readonly Manifest[],
): readonly Finding[] {
  const wrong = reading.intent.texts.filter(
    ({ text }) => !manifests.some((manifest) => knowsIntent(manifest, text)),
  );
  const known = unionOf(manifests.map(({ intents }) => Object.keys(intents)));
  const isElsewhere = (intent: string): boolean =>
    all.some((manifest) => knowsIntent(manifest, intent));
  return wrong.map(({ text, place, use }) =>
    findingAtNode('CODE.UNKNOWN_INTENT', isElsewhere(text) ? (use ?? place) : place, {
      message: `${namesOf(manifests)} has no intent \`${shown(text)}\`.`,
      fix: `${didYouMean(text, known)} Or declare it under \`spec.intents\`.`,
    }),
  );
}

function checkInputs({ reading, manifests }: BoundCall): readonly Finding[] {
  const { inputs, call } = reading;
  if (inputs === 'unknown') return [];
  if (inputs === 'none') return missing([], { manifests, place: call.place });
  return inputs.shapes.flatMap((shape) => [
    ...unknownInputs(shape, manifests),
    ...missingInputs(shape, inputs, manifests),
  ]);
}

function unknownInputs(shape: Shape, manifests: readonly Manifest[]): readonly Finding[] {
  const known = unionOf(manifests.map(({ inputs }) => Object.keys(inputs)));
  return [...shape.fields].flatMap(([name, { key }]) =>
    known.includes(name)
      ? []
      : [
          findingAtNode('CODE.UNKNOWN_INPUT', key, {
            message: `${namesOf(manifests)} declares no input \`${shown(name)}\`.`,
            fix:
              known.length === 0
                ? 'Declare it under `spec.inputs`, or leave it out.'
                : `${didYouMean(name, known)} Or declare it under \`spec.inputs\`.`,
          }),
        ],
  );
}

function missingInputs(
  shape: Shape,
  { place }: GivenInputs,
  manifests: readonly Manifest[],
): readonly Finding[] {
  if (shape.isOpen) return [];
  const given = [...shape.fields]
    .filter(([, { values }]) => values.some(({ kind }) => kind !== 'absent'))
    .map(([name]) => name);
  return missing(given, { manifests, place });
}

function missing(
  given: readonly string[],
  { manifests, place }: Pick<BoundCall, 'manifests'> & Pick<GivenInputs, 'place'>,
): readonly Finding[] {
  const [first] = manifests;
  if (!first) return [];
  const isRequired = (name: string): boolean =>
    manifests.every(
      ({ inputs }) => inputs[name]?.isRequired === true && inputs[name].default === null,
    );
  return Object.keys(first.inputs)
    .filter((name) => isRequired(name) && !given.includes(name))
    .map((name) =>
      findingAtNode('CODE.MISSING_INPUT', place, {
        message: `${namesOf(manifests)} needs the input \`${name}\`, and this call does not give it.`,
        fix: `Pass \`inputs: { ${name}: … }\`, or give it a \`default\` in the manifest.`,
      }),
    );
}

const isTier = (text: string): text is Tier => TIERS.some((tier) => tier === text);

/**
 * What holds is the strictest of manifest and profile, and only T1 reads without an approval. So a
 * profile whose tier is above T1 can never compose, and one that claims T1 cannot either where the
 * manifest asks for more.
 */
function checkTiers({ reading, manifests }: BoundCall): readonly Finding[] {
  const { reads, crossScope, hasApproval } = reading;
  const refused = (key: 'reads' | 'cross_scope', { text }: Text): Tier | undefined => {
    if (!isTier(text)) return undefined;
    const tiers = manifests.map(({ permission }) => strictest(permission[key], text));
    const mild = tiers.reduce(
      (best, tier) => (TIERS.indexOf(tier) < TIERS.indexOf(best) ? tier : best),
      'excluded',
    );
    const isAllowed =
      key === 'reads' ? mild === 'T1' || (hasApproval && mild !== 'excluded') : mild !== 'excluded';
    return isAllowed ? undefined : mild;
  };
  const judge = (key: 'reads' | 'cross_scope', text: Text): readonly Finding[] => {
    const tier = refused(key, text);
    return tier === undefined ? [] : [tooLow(manifests, { key, text, tier })];
  };
  return [
    ...reads.texts.flatMap((text) => judge('reads', text)),
    ...crossScope.texts.flatMap((text) => judge('cross_scope', text)),
  ];
}

function tooLow(
  manifests: readonly Manifest[],
  { key, text, tier }: { key: 'reads' | 'cross_scope'; text: Text; tier: Tier },
): Finding {
  const asked = [...new Set(manifests.map(({ permission }) => `\`${permission[key]}\``))].join(
    ' or ',
  );
  const rule =
    key === 'reads' ? 'only T1 reads without an approval' : 'what is excluded is never approved';
  return findingAtNode('CODE.TIER_TOO_LOW', text.place, {
    message:
      `The profile holds \`${key}: ${text.text}\`, ${namesOf(manifests)} says ${asked}: the ` +
      `strictest, \`${tier}\`, counts, and ${rule}. Every such call is refused.`,
    fix:
      key === 'reads'
        ? 'Use a profile and a manifest whose `reads` is T1.'
        : 'Leave `include_scopes` out, or use a profile that is not excluded.',
  });
}
