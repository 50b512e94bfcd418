/**
 * Secrets: what must not be remembered, whoever said it. Keys and tokens are known by how they
 * look, cards and people by their numbers, passwords and codes by what people write around them.
 */

import { plainText } from '../sentences/plain-text.ts';
import { itemsOf } from './items.ts';
import { hasKey } from './keys.ts';
import { givesValueElsewhere } from './labels-elsewhere.ts';
import { hasLogin } from './logins.ts';
import { namesSecret } from './named.ts';
import { hasPersonNumber } from './person-numbers.ts';
import { givesPlainPassword } from './plain-passwords.ts';
import { hasSeedPhrase } from './seed-phrase.ts';
import { hasSeed } from './seeds.ts';
import { withoutBlanks } from './spaced-letters.ts';
import { isToldInParts } from './told-in-parts.ts';
import { unlocksWith } from './unlocked.ts';
import { isValueOfName } from './value-first.ts';
import { givesWayIn } from './ways-in.ts';

/** Time is linear in the length of the text: every look ahead or back has a bound. */
export function hasSecret(text: string): boolean {
  const plain = plainText(text);
  const spelled = withoutBlanks(plain);
  return hasAny(plain) || (spelled !== plain && hasAny(spelled));
}

function hasAny(text: string): boolean {
  if (hasKey(text) || hasSeed(text) || hasPersonNumber(text) || hasLogin(text)) return true;
  if (givesPlainPassword(text) || givesWayIn(text) || givesValueElsewhere(text)) return true;
  const items = itemsOf(text);
  return (
    isToldInParts(text, items) ||
    namesSecret(items) ||
    isValueOfName(items) ||
    unlocksWith(items) ||
    hasSeedPhrase(items)
  );
}
