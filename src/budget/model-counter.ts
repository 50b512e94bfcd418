/**
 * One function that counts for several models: for callers that lint or report rather than compose.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { modelFacts } from '../model/language-model.ts';
import type { Encoding } from '../model/manifest.ts';
import { createCounter, type TokenCounter } from './counter.ts';

/**
 * Loads the tokenizers of these models, and gives a function that counts a text for any of them. A
 * model whose tokenizer was not loaded is counted conservatively, never too low.
 *
 * @example
 * const countTokens = await createTokenCounter(['gpt-4o']);
 * countTokens('You help customers.', 'gpt-4o'); // 4
 */
export async function createTokenCounter(
  models: readonly string[],
): Promise<(text: string, model: string) => number> {
  if (!Array.isArray(models) || !models.every((model) => typeof model === 'string'))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`models\` is \`${shown(models)}\`.`,
      fix: "Pass a list of names, for example `['gpt-4o']`.",
      where: { field: 'models' },
    });
  const counters = new Map<Encoding, TokenCounter>();
  for (const encoding of new Set(models.map((model) => modelFacts(model).encoding)))
    counters.set(encoding, await createCounter(encoding));
  const fallback = await createCounter('conservative');
  return (text, model) => (counters.get(modelFacts(model).encoding) ?? fallback).count(text);
}
