/** The extractor as the config file names it: `rules`, or a model in snake_case without its key. */
import type { ExtractorChoice } from '../inference/create-model.ts';

const NAMES = {
  model: 'model',
  base_url: 'baseUrl',
  input_usd_per_million: 'inputUsdPerMillion',
  output_usd_per_million: 'outputUsdPerMillion',
} as const;

export const EXTRACTOR_FIX = `Write \`rules\`, or \`{ "provider": "openai", ${Object.keys(NAMES)
  .map((name) => `"${name}": …`)
  .join(', ')} }\`; the key is OPENAI_API_KEY of the environment.`;

/** null: no extractor, or an option that it has not. The values are judged with the engine's. */
export function parseExtractor(value: unknown): ExtractorChoice | null {
  if (value === 'rules') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { provider, ...fields }: Readonly<Record<string, unknown>> = { ...value };
  if (provider !== 'openai') return null;
  const names = new Map<string, string>(Object.entries(NAMES));
  if (Object.keys(fields).some((key) => !names.has(key))) return null;
  const options = Object.entries(fields).map(([key, option]) => [names.get(key), option]);
  // The engine checks each value when it is made.
  return { provider, ...Object.fromEntries(options) } as ExtractorChoice;
}
