/**
 * The embedder as a setting names it: a word, or in the config file an object with the options of a
 * provider in snake_case.
 */
import { resolve } from 'node:path';
import { ContextEngineError } from '../codes/errors.ts';
import type { EmbedderProvider } from '../inference/provider.ts';
import { PROVIDERS, type ProviderChoice } from '../inference/providers.ts';

export type EmbedderSetting = 'builtin' | 'off' | ProviderChoice;

type Fields = Readonly<Record<string, unknown>>;

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What of a provider a config file says: the name of the option, by its key in the file. */
const optionsOf = ({ options }: EmbedderProvider) =>
  new Map(
    Object.entries(options)
      .filter(([, { isCode }]) => isCode !== true)
      .map(([name, facts]) => [snakeCase(name), { name, facts }] as const),
  );

const exampleOf = (provider: EmbedderProvider): string => {
  const keys = [...optionsOf(provider).keys()].map((key) => `"${key}": …`);
  const taken = Object.entries(provider.options).flatMap(([name, { env }]) =>
    env === undefined ? [] : [`\`${name}\` comes from ${env}`],
  );
  const hint = taken.length === 0 ? '' : ` (${taken.join(', ')})`;
  return `\`{ "provider": "${provider.name}", ${keys.join(', ')} }\`${hint}`;
};

const FIX = `Use \`builtin\`, \`off\` or, in the config file, ${PROVIDERS.map(exampleOf).join(' or ')}.`;

/**
 * Throws `CONFIG.INVALID_VALUE`; which values an option may have is judged when the engine is made.
 * Paths are relative to `cwd`.
 */
export function parseEmbedder(
  value: unknown,
  { origin, cwd }: { readonly origin: string; readonly cwd: string },
): EmbedderSetting {
  if (value === 'builtin' || value === 'off') return value;
  const setting = typeof value === 'object' && value !== null ? settingOf({ ...value }, cwd) : null;
  if (setting) return setting;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`embedder (${origin})\` is \`${JSON.stringify(value) ?? String(value)}\`.`,
    fix: FIX,
    where: { field: `embedder (${origin})` },
  });
}

/** null: no provider, an option that it has not, or one of another type. */
function settingOf({ provider: name, ...fields }: Fields, cwd: string): EmbedderSetting | null {
  const provider: EmbedderProvider | undefined = PROVIDERS.find((each) => each.name === name);
  if (!provider) return null;
  const options = optionsOf(provider);
  if (Object.keys(fields).some((key) => !options.has(key))) return null;
  const setting: Record<string, unknown> = { provider: provider.name };
  for (const [key, { name: option, facts }] of options) {
    const value = fields[key];
    if (value === undefined && facts.isRequired !== true) continue;
    if (facts.type === 'number' ? !Number.isInteger(value) : typeof value !== 'string') return null;
    setting[option] = facts.isPath ? resolve(cwd, String(value)) : value;
  }
  // Each option has the type that the definition of its provider states; the compiler cannot follow
  // that.
  return setting as never;
}
