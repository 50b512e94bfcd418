/**
 * A user and a password side by side (`my GitHub is ann:Tiger99`, `my Netflix is a@b.de tiger`),
 * and what opens a named account: `my online banking is Blauwal_88`, `treasurer login, Blauwal88`.
 */
import { isOrdinary } from './ordinary-words.ts';
import { isMixed } from './value-looks.ts';

const OWNERS = /^(?:my|our|his|her|their|the|meine?|unsere?)$/i;
const LINKS = /^(?:is|was|are|=|ist|war|sind)$/i;
const MOST_BETWEEN = 6;
/** They have a port or a tag behind the colon. */
const OTHERS =
  /^(?:images?|containers?|base|host|hostname|port|address|server|tags?|endpoint|broker|registry|version|ratio|score|topic|prefix|urn|id)$/i;
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}$/;

/** Nobody tells what else their account is. */
const ACCOUNTS =
  /^(?:e-?banking|online-?banking|banking|paypal|netflix|spotify|icloud|e-?mail|gmail|outlook|amazon|ebay|steam|vpn|wi-?fi|wlan|router|sudo|root|admin)$/i;
const LOGINS = /^(?:log-?in|sign-?in|logon|credentials|creds|zugang)[,:]?$/i;
const PASSWORDS = /^(?:pw|pwd|passw(?:or)?d|passwort|kennwort|passcode|passphrase)$/i;
/** Of one clause or two: `my pw is the old one plus 88, so tiger4488`. */
const MOST_AFTER = 12;

export function hasLogin(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    hasPair(words) ||
    words.some(
      (_, at) => givesLogin(words, at) || isJoinedPair(words, at) || isBesideLogin(words, at),
    )
  );
}

/** Of a password alone: a mark between letters and digits, which no name and no measure has. */
const isMarked = (word: string): boolean =>
  isMixed(word, 8) && /[\p{L}\d][!#$%^*?~]{1,3}[\p{L}\d]/u.test(word);

/** `ada / hunter2!X9`, `admin/hunter2!X9`: whatever it opens. */
function isJoinedPair(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (/^[/|]$/.test(word)) return at > 0 && isMarked(bareOf(words[at + 1] ?? ''));
  const [user = '', value = '', ...more] = word.includes('://') ? [] : word.split('/');
  return more.length === 0 && user.length > 1 && isMarked(bareOf(value));
}

const NAMED_LOGINS =
  /^\(?(?:log-?in|sign-?in|logon|credentials|creds|zugang|user(?:name)?|account|benutzer|konto|u)[,:]?$/i;
/** Between the name, the user and the password. */
const JOINTS = /^(?:[/|:,;&+-]|and|und|with|mit|key:?|code:?|p:|pw:|pass:|password:?|passwort:?)$/i;
const MOST_TO_PASSWORD = 5;

/** `login ada / Blauwal88`, `login ada, hunter2!X9`, `u: ada p: hunter2`. */
function isBesideLogin(words: readonly string[], at: number): boolean {
  if (!NAMED_LOGINS.test(words[at] ?? '')) return false;
  let users = 0;
  let isJoined = false;
  for (const word of words.slice(at + 1, at + 1 + MOST_TO_PASSWORD)) {
    const said = word.replace(/^[("'`]|[)"'`.!?]{1,3}$/g, '');
    if (JOINTS.test(said)) isJoined ||= users > 0;
    else if (LINKS.test(said)) continue;
    else if (users === 1 && (isMarked(said) || (isJoined && isMixed(said, 8)))) return true;
    else if (users === 1) return false;
    else users += 1;
    isJoined ||= users > 0 && /[,:;/|]$/.test(word);
  }
  return false;
}

function givesLogin(words: readonly string[], at: number): boolean {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (LOGINS.test(word) && isPassword(LINKS.test(next) ? (words[at + 2] ?? '') : next)) return true;
  if (!LINKS.test(next)) return false;
  const said = (words[at + 2] ?? '').replace(/[.,;]$/, '');
  // `Our VPN is WireGuard2`: a product has no mark in its name.
  if (ACCOUNTS.test(word)) return isPassword(said) && /[^\p{L}\d]/u.test(said);
  const after = words.slice(at + 2, at + 2 + MOST_AFTER);
  const end = after.findIndex((each) => /[.!?]$/.test(each));
  const clause = end === -1 ? after : after.slice(0, end + 1);
  return PASSWORDS.test(word) && clause.some((each) => isMixed(bareOf(each), 8));
}

const isPassword = (word: string): boolean => isMixed(bareOf(word), 8);

function hasPair(words: readonly string[]): boolean {
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
