/** Options of a provider that the environment holds, such as the key of a hosted endpoint. */
import { providerNamed } from '../inference/providers.ts';
import type { EngineOptions } from './context-engine.ts';

type Choice = NonNullable<EngineOptions['embedder']>;

/**
 * The choice with the options that its provider takes from the environment, where the caller gives
 * none: OPENAI_API_KEY as the `apiKey` of `openai`. Any other embedder is left as it is.
 */
export function withEnvironmentKey(
  choice: Choice,
  env: Readonly<Record<string, string | undefined>>,
): Choice {
  if (typeof choice !== 'object' || choice === null || !('provider' in choice)) return choice;
  const given = new Map<string, unknown>(Object.entries(choice));
  const taken = Object.entries(providerNamed(choice.provider)?.options ?? {}).flatMap(
    ([name, facts]) => {
      const value = facts.env === undefined ? undefined : env[facts.env];
      return value && given.get(name) === undefined ? [[name, value]] : [];
    },
  );
  return taken.length === 0 ? choice : { ...choice, ...Object.fromEntries(taken) };
}
