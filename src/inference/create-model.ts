/** From the engine's option to the model that extracts; null = rules alone. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { type OpenaiModelOptions, openaiModel } from './openai-model.ts';
import type { StructuredModel } from './structured-model.ts';

export type ExtractorChoice = 'rules' | ({ readonly provider: 'openai' } & OpenaiModelOptions);

const OPTIONS = [
  'model',
  'baseUrl',
  'apiKey',
  'timeoutMs',
  'inputUsdPerMillion',
  'outputUsdPerMillion',
] as const satisfies readonly (keyof OpenaiModelOptions)[];

/** `env`: OPENAI_API_KEY is the key where none is given. Throws `CONFIG.INVALID_VALUE`. */
export function createModel(
  choice: ExtractorChoice,
  env: Readonly<Record<string, string | undefined>>,
): StructuredModel | null {
  if (choice === 'rules') return null;
  const isKnown = typeof choice === 'object' && choice !== null && choice.provider === 'openai';
  if (!isKnown) throw unknownExtractor(choice);
  const { provider: _provider, ...options } = choice;
  const other = Object.keys(options).find((name) => !OPTIONS.some((known) => known === name));
  if (other !== undefined)
    throw new ContextEngineError('CONFIG.UNKNOWN_KEY', {
      message: `The extractor has no option \`${shown(other)}\`.`,
      fix: `Use ${OPTIONS.join(', ')}.`,
      where: { field: 'extractor' },
    });
  const key = options.apiKey ?? (env['OPENAI_API_KEY'] || undefined);
  return openaiModel({ ...options, ...(key !== undefined && { apiKey: key }) });
}

const unknownExtractor = (choice: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`extractor\` is \`${shown(choice)}\`, none of the known ones.`,
    fix: "Use 'rules', or `{ provider: 'openai', model, baseUrl }` for a model.",
    where: { field: 'extractor' },
  });
