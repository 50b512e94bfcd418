/** A user and a password side by side: `my GitHub is ann:Tiger99`, `my Netflix is a@b.de tiger`. */
import { isOrdinary } from './ordinary-words.ts';
import { isMixed } from './value-looks.ts';

const OWNERS = /^(?:my|our|his|her|their|the|meine?|unsere?)$/i;
const LINKS = /^(?:is|was|are|=|ist|war|sind)$/i;
const MOST_BETWEEN = 6;
/** They have a port or a tag behind the colon. */
const OTHERS =
  /^(?:images?|containers?|base|host|hostname|port|address|server|tags?|endpoint|broker|registry|version|ratio|score|topic|prefix|urn|id)$/i;
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}$/;

export function hasLogin(text: string): boolean {
  const words = text.split(/\s+/);
  return words.some((link, at) => {
    if (!LINKS.test(link)) return false;
    const thing = words.slice(Math.max(0, at - MOST_BETWEEN), at);
    if (!thing.some((word) => OWNERS.test(word))) return false;
    if (thing.some((word) => OTHERS.test(word))) return false;
    return isPair(words[at + 1] ?? '') || isAfterEmail(words, at + 1);
  });
}

const bareOf = (word: string): string => word.replace(/[.!?,;]$/, '');

function isPair(word: string): boolean {
  const [user = '', password = '', ...more] = bareOf(word).split(':');
  if (more.length > 0 || user.length < 2 || !/^\p{L}[\p{L}\d._@+-]*$/u.test(user)) return false;
  return /^\p{L}{2}/u.test(password) && isMixed(password, 6);
}

/** The one word after an address that ends what is said. */
function isAfterEmail(words: readonly string[], at: number): boolean {
  if (!EMAIL.test(bareOf(words[at] ?? ''))) return false;
  const isJoined = /^(?:\/|:|with|mit)$/.test(words[at + 1] ?? '');
  const said = words[at + (isJoined ? 2 : 1)] ?? '';
  const isLast = /[.!?,;]$/.test(said) || words[at + (isJoined ? 3 : 2)] === undefined;
  const word = bareOf(said);
  if (/[.,;!?]$/.test(words[at] ?? '') || !isLast) return false;
  return /^[\p{L}\d][^\s()]{3,}$/u.test(word) && !isOrdinary(word.toLowerCase());
}
