/** What `migrate` did, in words for people. */
import type { Flags } from './command.ts';

/** `0001_roles ... 0046_words`: all of them are in the JSON. */
export const rangeOf = (names: readonly string[]): string =>
  names.length < 3 ? names.join(', ') : `${names[0]} ... ${names.at(-1)}`;

/** The first principal, and where each half of the key is. */
export function madeWords(
  flags: Pick<Flags, 'text' | 'isOn'>,
  { principal, tenant }: { readonly principal: string; readonly tenant: string },
): string {
  if (flags.isOn('dry-run'))
    return `would make the first principal ${principal} of tenant ${tenant}; no key was made`;
  const [fresh, file] = [flags.text('new'), flags.text('public')];
  const key =
    fresh !== undefined
      ? `; the private key is in ${fresh}, the public one is registered`
      : file !== undefined
        ? `; the public key of ${file} is registered`
        : ', without a key';
  return `made the first principal ${principal} of tenant ${tenant}, a human with every right${key}`;
}
