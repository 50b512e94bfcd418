/**
 * Secrets: what must not be remembered, whoever said it. Prefixes that providers give their keys,
 * what follows the name of a secret, credentials in addresses, numbers of cards and people, and
 * tokens of high entropy.
 */

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
const NAMES = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'secret key',
  'api key',
  'apikey',
  'access key',
  'private key',
  'token',
  'access token',
  'auth token',
  'pin',
  'pin code',
  'cvv',
  'otp',
  'recovery code',
  'one time code',
  'security code',
  ...'door alarm gate safe entry lock access unlock garage building vault'
    .split(' ')
    .map((what) => `${what} code`),
];
const NAME_PARTS = NAMES.map((name) => name.split(' '));
const LINKS: ReadonlySet<string> = new Set([
  'is',
  'was',
  "it's",
  'to',
  'are',
  'be',
  'now',
  'still',
]);
/** After a name, these are no secret: "my password is too long". */
const NO_SECRETS: ReadonlySet<string> = new Set(
  (
    'a an the too very not never always so my your our in on at of for from with by that this ' +
    'it stored kept expired wrong correct right changed reset ' +
    'required needed missing invalid valid long short weak strong hard easy rotated set saved ' +
    'safe lost manager policy going used'
  ).split(' '),
);

const TOKEN_CUT = /[\s"'`,;()<>[\]{}|]/;
const tokensOf = (text: string): readonly string[] =>
  text.split(TOKEN_CUT).filter((token) => token !== '');

export function hasSecret(text: string): boolean {
  if (text.includes('-----BEGIN ') && text.includes('PRIVATE KEY')) return true;
  const tokens = tokensOf(text);
  return (
    tokens.some((token) => isSecretToken(token)) || namesSecret(tokens) || hasPersonNumber(tokens)
  );
}

function isSecretToken(token: string): boolean {
  const value = token.slice(token.indexOf('=') + 1);
  return [token, value].some(
    (each) =>
      PREFIXES.some(([prefix, length]) => each.startsWith(prefix) && each.length >= length) ||
      hasCredentials(each) ||
      isRandom(each),
  );
}

/** `scheme://user:secret@host`. */
function hasCredentials(token: string): boolean {
  const [, rest = ''] = token.split('://');
  const [authority = ''] = rest.split('/');
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  return user.includes(':') && user.indexOf(':') < user.length - 1;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * At least 20 characters of mixed kinds, and more than 3.5 bits each. Paths and names have words.
 */
function isRandom(token: string): boolean {
  const bare = token.replaceAll(/^[.:=]|[.:=]$/g, '');
  if (bare.length < 20 || UUID.test(bare) || bare.includes('/') || bare.includes('@')) return false;
  const isHex = /^[0-9a-fA-F]{32,}$/.test(bare);
  if (isHex) return true;
  if (!/^[A-Za-z0-9+_=.-]+$/.test(bare) || bare.split(/[-._]/).length > 3) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(bare)).length;
  const digits = bare.replaceAll(/[^0-9]/g, '').length;
  return kinds === 3 && digits >= 3 && entropyOf(bare) > 3.5;
}

export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => {
    const share = count / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}

/** "my password is hunter2", `API_KEY=abc`. */
function namesSecret(tokens: readonly string[]): boolean {
  const words = tokens.flatMap((token) => {
    const cut = Math.max(token.indexOf('='), token.indexOf(':'));
    const isPair = cut > 0 && !token.includes('://') && cut < token.length - 1;
    return isPair ? [`${token.slice(0, cut)}:`, token.slice(cut + 1)] : [token];
  });
  const said = words.map(nameWord);
  return words.some((_, index) => {
    const named = NAME_PARTS.find((parts) =>
      parts.every((part, offset) => said[index + offset] === part),
    );
    return named !== undefined && givesValue(words, index + named.length);
  });
}

const nameWord = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[:?.!]$/g, '')
    .split(/[_-]/)
    .at(-1) ?? '';

function givesValue(words: readonly string[], at: number): boolean {
  // `The secret to good bread is time.`
  if (/^secret$/i.test(words[at - 1] ?? '') && /^(?:to|of)$/i.test(words[at] ?? '')) return false;
  const isMarked = /[:=]$/.test(words[at - 1] ?? '');
  let next = at;
  while (LINKS.has((words[next] ?? '').toLowerCase()) || words[next] === '=' || words[next] === ':')
    next += 1;
  if (next === at && !isMarked) return isCode(words, at) || isOfPlace(words, at);
  const value = (words[next] ?? '').replaceAll(/[.!?]$/g, '');
  return value.length >= 3 && !NO_SECRETS.has(value.toLowerCase());
}

/** `the alarm code 7730`. */
const isCode = (words: readonly string[], at: number): boolean =>
  /^(?:code|pin|passcode)$/i.test(words[at - 1] ?? '') && /^\d{4,8}[.!]?$/.test(words[at] ?? '');

/** `The wifi password in the warehouse is Hafenkran!2291`: of what, stands between. */
function isOfPlace(words: readonly string[], at: number): boolean {
  if (!OF_WHAT.has((words[at] ?? '').toLowerCase())) return false;
  const link = words.findIndex(
    (word, index) => index > at && index <= at + MOST_BETWEEN && /^(?:is|was|=)$/i.test(word),
  );
  const value = link === -1 ? '' : (words[link + 1] ?? '').replaceAll(/[.!?]$/g, '');
  return value.length >= 4 && /\d/.test(value) && !/^\d{4}-\d\d/.test(value);
}
const OF_WHAT: ReadonlySet<string> = new Set(['for', 'of', 'in', 'on', 'at', 'to']);
const MOST_BETWEEN = 8;

/** Numbers of cards (Luhn) and US social security numbers. */
function hasPersonNumber(tokens: readonly string[]): boolean {
  if (tokens.some((token) => /^\d{3}-\d{2}-\d{4}\.?$/.test(token))) return true;
  let run = '';
  for (const token of [...tokens, 'end']) {
    const digits = token.replaceAll(/[-.]/g, '');
    if (/^\d+$/.test(digits)) run += digits;
    else {
      if (run.length >= 13 && run.length <= 19 && isLuhn(run)) return true;
      run = '';
    }
  }
  return false;
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
