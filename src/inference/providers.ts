/** The providers of embeddings: a new one is one file and one line here. */
import { openaiProvider } from './openai-embedder.ts';
import type { EmbedderProvider } from './provider.ts';
import { transformersProvider } from './transformers-embedder.ts';

export const PROVIDERS = [
  // Any endpoint that speaks OpenAI's protocol.
  openaiProvider,
  // A local model by ONNX.
  transformersProvider,
] as const;

type ChoiceOf<P> =
  P extends EmbedderProvider<infer N, infer O> ? O & { readonly provider: N } : never;
/** What the engine's `embedder` takes for one of them: its name, and its options. */
export type ProviderChoice = ChoiceOf<(typeof PROVIDERS)[number]>;

export const providerNamed = (name: unknown): EmbedderProvider | undefined =>
  PROVIDERS.find((provider) => provider.name === name);
