/**
 * Keys and tokens that are known by how they look: prefixes that providers give them, credentials
 * in addresses, and tokens of high entropy.
 */
import { hasPublishedToken } from './published-tokens.ts';
import { entropyOf } from './randomness.ts';
import { hasUnknownToken } from './unknown-prefix.ts';

/** Published prefixes of keys, and the least length of a key with it. */
const PREFIXES: readonly (readonly [string, number])[] = [
  ['AKIA', 16],
  ['ASIA', 16],
  ['ghp_', 20],
  ['gho_', 20],
  ['ghs_', 20],
  ['ghr_', 20],
  ['github_pat_', 20],
  ['glpat-', 16],
  ['sk-', 20],
  ['sk_live_', 12],
  ['sk_test_', 12],
  ['rk_live_', 12],
  ['pk_live_', 12],
  ['whsec_', 12],
  ['xoxb-', 16],
  ['xoxp-', 16],
  ['xapp-', 16],
  ['AIza', 30],
  ['ya29.', 20],
  ['npm_', 20],
  ['pypi-', 20],
  ['hf_', 20],
  ['SG.', 20],
  ['dop_v1_', 20],
  ['shpat_', 20],
  ['AGE-SECRET-KEY-', 20],
  ['eyJ', 40],
];

/** Whoever has one of these addresses needs no password. */
const OPEN_ADDRESSES =
  /hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|\/private-[0-9a-f]{8}|[?&](?:access_token|api_?key|token|sig|signature|secret|client_secret)=[\w.%+/-]{8}|[?&](?:password|passwd)=[^&\s]{4}|^otpauth(?:-migration)?:/i;

const TOKEN_CUT = /[\s"'`,;()<>[\]{}|]+/;
/** Of a build or a file: they name what is public. */
const DIGESTS =
  /\b(?:commit|commits|sha|sha1|sha256|sha512|md5|hash|digest|checksum|revision|etag|fingerprint|blob|HEAD)\b/i;
const SECRET_WORDS = /secret|token|passw|key\b/i;

export function hasKey(text: string): boolean {
  if (text.includes('-----BEGIN ') && text.includes('PRIVATE KEY')) return true;
  if (hasKeyInGroups(text) || hasPublishedToken(text)) return true;
  const isDigest = DIGESTS.test(text) && !SECRET_WORDS.test(text);
  const tokens = text.split(TOKEN_CUT).filter((token) => token.length > 3);
  return (
    tokens.some((token) => isKeyToken(token) && !(isDigest && hasHex(token))) ||
    hasUnknownToken(text, tokens, isDigest)
  );
}

const hasHex = (token: string): boolean => /(?:^|[:=@])[0-9a-fA-F]{32,}[.:!?]?$/.test(token);

function isKeyToken(token: string): boolean {
  const value = token.slice(token.indexOf('=') + 1);
  return (
    (token.includes('://') && (hasCredentials(token) || OPEN_ADDRESSES.test(token))) ||
    [token, value].some((each) => hasPrefix(each) || isRandom(each) || isBase64(each))
  );
}

/** `scheme://user:secret@host`. */
function hasCredentials(token: string): boolean {
  const [, rest = ''] = token.split('://');
  const [authority = ''] = rest.split('/');
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  if (user.includes(':') && user.indexOf(':') < user.length - 1) return true;
  return isTokenAsUser(user.replace(/:$/, ''));
}

/** `https://0123abcd…@o1.ingest.sentry.io/1`: nobody is called so. */
function isTokenAsUser(user: string): boolean {
  const isHex = /^[0-9a-f]{12,}$/i.test(user) && /\d/.test(user);
  return isHex || UUID.test(user) || isRandom(user) || hasPrefix(user);
}

const hasPrefix = (token: string): boolean =>
  PREFIXES.some(([prefix, length]) => token.startsWith(prefix) && token.length >= length);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * At least 20 characters of mixed kinds, and more than 3.5 bits each. Paths and names have words.
 */
function isRandom(token: string): boolean {
  const bare = token.replaceAll(/^[.:=]|[.:=]$/g, '');
  if (bare.length < 20 || UUID.test(bare) || bare.includes('/') || bare.includes('@')) return false;
  if (/^[0-9a-fA-F]{32,}$/.test(bare)) return true;
  if (!/^[A-Za-z0-9+_=.-]+$/.test(bare) || bare.split(/[-._]/).length > 3) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(bare)).length;
  const digits = bare.replaceAll(/[^0-9]/g, '').length;
  return kinds === 3 && digits >= 3 && entropyOf(bare) > 3.5;
}

/** A token of letters, digits, `/` and `+` that no path looks like, or `user:password` of it. */
function isBase64(token: string): boolean {
  const bare = token.replace(/[.:!?]$/, '');
  if (!BASE64.test(bare)) return false;
  if (isLogin(bare)) return true;
  return bare.length >= 32 && /[+/=]/.test(bare) && /\d/.test(bare) && isScrambled(bare);
}
const BASE64 = /^[A-Za-z0-9+/]{12,4000}={0,2}$/;

/** What a header of basic authentication holds. */
function isLogin(base64: string): boolean {
  if (base64.length % 4 !== 0 || !/[a-z]/.test(base64) || !/[A-Z]/.test(base64)) return false;
  return /^[\w.@+-]{2,}:[!-~]{3,}$/.test(atob(base64));
}

/** Words in camel case change between small, large and digits at less than a third of places. */
function isScrambled(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g) ?? [];
  return changes.length >= LEAST_CHANGES * text.length && entropyOf(text) > 3.5;
}
const LEAST_CHANGES = 0.3;

/** `5Kb8 kLf9 zgWQ nogi dDA7 6MzP`: five groups of one length, which words are not. */
function hasKeyInGroups(text: string): boolean {
  let run: readonly string[] = [];
  for (const token of [...text.split(TOKEN_CUT), '']) {
    const bare = token.replace(/[.:!?]$/, '');
    const isNext = bare.length === run[0]?.length && GROUP.test(bare);
    if (isNext && run.length < MOST_GROUPS) run = [...run, bare];
    else {
      if (run.length >= LEAST_GROUPS && isScrambledKey(run.join(''))) return true;
      run = GROUP.test(bare) ? [bare] : [];
    }
  }
  return false;
}
const GROUP = /^[A-Za-z0-9]{3,8}$/;
const LEAST_GROUPS = 5;
const MOST_GROUPS = 24;
const isScrambledKey = (text: string): boolean =>
  /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && isScrambled(text);
