/**
 * What manifests declare and no call uses. Said only where every call that could use it is known.
 */
import type { Finding } from '../codes/finding.ts';
import { nearest } from '../manifest/suggest.ts';
import type { InputSettings, Manifest } from '../model/manifest.ts';
import type { BoundCall } from './check-call.ts';
import { findingAt } from './code-findings.ts';
import type { WrittenManifest } from './written-manifest.ts';

export interface UsageFacts {
  readonly manifests: readonly Manifest[];
  readonly bound: readonly BoundCall[];
  /** Manifests that a wrong name is probably meant for: used, and nobody knows how. */
  readonly meant: ReadonlySet<Manifest>;
  /** A call that could be of any manifest. */
  readonly hasUnbound: boolean;
  readonly writtenOf: (manifest: Manifest) => WrittenManifest | undefined;
}

export function checkUnused(facts: UsageFacts): readonly Finding[] {
  const { manifests, bound, meant, hasUnbound, writtenOf } = facts;
  if (hasUnbound) return [];
  return manifests.flatMap((manifest) => {
    const written = writtenOf(manifest);
    // A former version of a manifest that is used is kept for what was composed with it.
    const isName = (other: Manifest): boolean => other.name === manifest.name;
    if (!written || [...meant].some(isName)) return [];
    const calls = bound.filter((call) => call.manifests.includes(manifest));
    if (calls.length > 0)
      return [
        ...unusedIntents(manifest, calls, written),
        ...unfilledInputs(manifest, calls, written),
      ];
    return bound.some((call) => call.manifests.some(isName))
      ? []
      : [unusedManifest(manifest, written)];
  });
}

const unusedManifest = ({ name, scopeBlockType }: Manifest, written: WrittenManifest): Finding =>
  findingAt('CODE.MANIFEST_UNUSED', written.position(['metadata', 'name'], 'value'), {
    message: `No compose call in the code uses the manifest \`${name}\`.`,
    fix:
      `Remove it, read more code with \`--code\`, or call it: \`manifest: '${name}'\` or a ` +
      `\`ScopeUuid<'${scopeBlockType}'>\`.`,
  });

function unusedIntents(
  { name }: Manifest,
  calls: readonly BoundCall[],
  written: WrittenManifest,
): readonly Finding[] {
  if (calls.some(({ reading: { intent } }) => !intent.isComplete)) return [];
  const used = calls.flatMap(({ reading }) => reading.intent.texts.map(({ text }) => text));
  const meant = used.map((text) =>
    written.intents.includes(text) ? text : nearest(text, written.intents),
  );
  return written.intents
    .filter((intent) => !used.includes(intent) && !meant.includes(intent))
    .map((intent) =>
      findingAt('CODE.INTENT_UNUSED', written.position(['spec', 'intents', intent], 'key'), {
        message: `\`${name}\` declares the intent \`${intent}\`, and no call uses it.`,
        fix: 'Remove it, or call with it.',
      }),
    );
}

function unfilledInputs(
  { name, inputs }: Manifest,
  calls: readonly BoundCall[],
  written: WrittenManifest,
): readonly Finding[] {
  const given = calls.map(({ reading }) => reading.inputs);
  const shapes = given.flatMap((each) => (typeof each === 'string' ? [] : each.shapes));
  if (given.includes('unknown') || shapes.some(({ isOpen }) => isOpen)) return [];
  const filled = shapes.flatMap(({ fields }) => [...fields.keys()]);
  const declared = Object.keys(inputs);
  const meant = filled.map((text) => (declared.includes(text) ? text : nearest(text, declared)));
  return Object.values(inputs)
    .filter(
      (input) => !filled.includes(input.name) && !meant.includes(input.name) && !isRequired(input),
    )
    .map((input) =>
      findingAt(
        'CODE.INPUT_NEVER_FILLED',
        written.position(['spec', 'inputs', input.name], 'key'),
        {
          message:
            `\`${name}\` declares the input \`${input.name}\`, and no call gives it: it is ` +
            `always ${input.default === null ? 'empty' : `\`${input.default}\``}.`,
          fix: 'Give it in a call, or remove it and write the text where it is used.',
        },
      ),
    );
}

/** A required input that no call gives is an error at each of them already. */
const isRequired = (input: InputSettings): boolean => input.isRequired && input.default === null;
