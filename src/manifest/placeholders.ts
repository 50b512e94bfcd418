/** `{{name}}` in the texts of a manifest: found here, filled by the pipeline. */
import type { InputSettings } from '../model/manifest.ts';
import type { Path, Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import type { RawSpec } from './wire-manifest.ts';

export interface Placeholder {
  readonly name: string;
  /** Of the first brace, in UTF-16 units. */
  readonly offset: number;
}

/** What every manifest may use beside its inputs. */
const BUILT_IN_PLACEHOLDERS = ['now', 'query', 'scope.title'] as const;

/** All placeholders of a text, in order. Braces that never close are text. */
export const placeholdersOf = (text: string): readonly Placeholder[] =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => ({
    name: (match[1] ?? '').trim(),
    offset: match.index,
  }));

interface PlaceholderContext {
  readonly inputs: readonly string[];
  readonly reporter: Reporter;
  /** The file that the text was read from, if it does not stand in the manifest itself. */
  readonly file?: string;
}

/**
 * Refuses placeholders that nothing can fill, at their own position; those of a file at the place
 * that names it.
 */
export function checkPlaceholders(
  text: string,
  at: Path,
  { inputs, reporter, file }: PlaceholderContext,
): void {
  const known = [...inputs, ...BUILT_IN_PLACEHOLDERS];
  for (const { name, offset } of placeholdersOf(text)) {
    if (known.includes(name)) continue;
    // Each finding counts the lines before it: work for nothing once no more are taken.
    if (reporter.isFull()) return;
    const fix = `${didYouMean(name, known)} Other names must be declared in spec.inputs.`;
    const inFile =
      file === undefined
        ? ''
        : ` in line ${text.slice(0, offset).split('\n').length} of \`${file}\``;
    reporter.report({
      code: 'MANIFEST.UNKNOWN_PLACEHOLDER',
      at,
      ...(file === undefined && { offset }),
      message: `\`{{${name.slice(0, 80)}}}\`${inFile} is filled by nothing.`,
      fix,
    });
  }
}

export function resolveInputs(
  spec: RawSpec,
  reporter: Reporter,
): Readonly<Record<string, InputSettings>> {
  const inputs: Record<string, InputSettings> = Object.create(null);
  for (const [name, raw] of Object.entries(spec.inputs ?? {})) {
    const isBuiltIn = (BUILT_IN_PLACEHOLDERS as readonly string[]).includes(name);
    if (isBuiltIn)
      reporter.report({
        code: 'MANIFEST.INVALID_VALUE',
        at: ['spec', 'inputs', name],
        on: 'key',
        message: `The input \`${name}\` has the name of a built-in placeholder.`,
        fix: 'Give it another name.',
      });
    if (raw?.required && raw.default !== undefined) {
      reporter.report({
        code: 'MANIFEST.INVALID_VALUE',
        at: ['spec', 'inputs', name, 'default'],
        message: `The input \`${name}\` is required and has a default.`,
        fix: 'Remove one of the two.',
      });
    }
    inputs[name] = {
      name,
      isRequired: raw?.required ?? false,
      default: raw?.default === undefined ? null : String(raw.default),
      description: raw?.description ?? null,
    };
  }
  return inputs;
}
