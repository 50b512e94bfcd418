/** What the loaded manifests serve, and what one types next to see it. */
import { nearest } from '../codes/suggest.ts';
import type { ContextEngine } from '../index.ts';

type Loaded = Pick<ContextEngine, 'manifests'>;

/** What to type to see what the scope composes; null = no loaded manifest serves its type. */
export function composeCommand(
  { manifests }: Loaded,
  { scope, type }: { readonly scope: string; readonly type: string },
): string | null {
  const serving = manifests.manifests.find(({ scopeBlockType }) => scopeBlockType === type);
  if (!serving) return null;
  const [intent = 'INTENT'] = Object.keys(serving.intents);
  const inputs = Object.values(serving.inputs)
    .filter((input) => input.isRequired)
    .map(({ name }) => ` --input ${name}=…`)
    .join('');
  return `contextengine compose --scope ${scope} --intent ${intent} --query "…"${inputs}`;
}

/** ` Did you mean \`x\`?` of a type that no manifest serves, or the empty text. */
export function servedInstead({ manifests }: Loaded, type: string): string {
  const served = [...new Set(manifests.manifests.map(({ scopeBlockType }) => scopeBlockType))];
  const near = nearest(type, served);
  return near === undefined ? '' : ` Did you mean \`${near}\`?`;
}
