/** What `doctor` states of the tokenizers that count for the manifests. */
import { createCounter } from '../budget/counter.ts';
import { packageOf } from '../budget/encodings.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Check } from './health-checks.ts';

/** One check for each model that a manifest names. */
export async function tokenizerChecks(
  manifests: readonly Pick<Manifest, 'model'>[],
): Promise<readonly Check[]> {
  const models = new Map(manifests.map(({ model }) => [model.name, model.encoding]));
  return Promise.all(
    [...models].map(async ([name, encoding]): Promise<Check> => {
      const counter = await createCounter(encoding);
      const isMissing = counter.encoding !== encoding;
      return {
        name: 'tokenizer',
        state: isMissing ? 'warn' : 'ok',
        message:
          counter.encoding === 'conservative'
            ? `${name}: counted from above`
            : `${name}: exact, ${counter.encoding}`,
        ...(isMissing
          ? { fix: `Install it for exact counts: npm install ${packageOf(encoding)}` }
          : {}),
      };
    }),
  );
}
