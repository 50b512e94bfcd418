/**
 * Tokens whose provider no rule knows: a short prefix and behind it what looks drawn by chance
 * (`acme_live_9f3c…`), or a number and such a token (`123456789:AAH…`).
 */
import { entropyOf, strangeIn } from './randomness.ts';

const MAY_BE = /[\w.~+/=-]{26}|\d{6}[:/][\w-]{27}/;
const PREFIXED = /^([A-Za-z][A-Za-z0-9]{1,11})[_.-]([\w.~+/=-]{24,})$/;
const NUMBERED = /^\d{6,12}[:/]([\w-]{27,})$/;
/** Without a prefix: letters of both kinds among digits, however they are joined. */
const BARE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+-]{32,}$/;
const BARE_BITS = 4;
/** Small letters and digits alone, as ids of 25 characters are; addresses of coins are public. */
const SMALL = /^(?!bc1|bafy)[a-z0-9]{28,}$/;
/** Letters and digits change at so many of the places of a drawn one. */
const LEAST_CHANGES = 0.15;
const HEX = /^(?:[A-Za-z0-9]{1,11}[_.-]){0,3}([0-9a-f]{24,}|[0-9A-F]{24,})$/;
const LEAST_RANDOM = 27;
const LEAST_STRANGE = 20;
const LEAST_BITS = 3.5;
/** Longer ones are data, and are judged by their beginning. */
const MOST_READ = 512;

/** They name what anybody may know: digests, and things by their ids. */
const PUBLIC =
  /^(?:sha\d*|md5|crc\d*|blake\d\w?|commit|rev|revision|git|hash|digest|checksum|etag|integrity|build|image|layer|blob|tree|trace|span|req|request|run|job|task|order|invoice|user|usr|customer|cust|item|doc|page|node|file|img|photo|video|msg|message|chatcmpl|resp|call|thread|evt|event|id|uuid|guid|ref|obj|object|test|example|index|main|chunk|vendor|vendors|bundle|css|sc|emotion)$/i;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** What has a file or a host for its end is named, not drawn. */
const NAMED_END =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|xml|html?|s?css|map|md|txt|log|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|mp[34]|mov|zip|gz|tgz|xz|zst|whl|jar|so|dll|exe|deb|rpm|img|iso|bak|sql|py|rs|go|java|rb|php|sh|woff2?|com|net|org|io|dev|app|local|internal|cloud|de|eu|uk|fr)$/i;
const SITE = /^(?:www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|app|ai|de|eu)\/)/i;
const TRAILING = /[.:!?*]{1,8}$/;

/** `isDigest`: the text speaks of digests, so that hex is none of a secret. */
export function hasUnknownToken(
  text: string,
  tokens: readonly string[],
  isDigest: boolean,
): boolean {
  if (!MAY_BE.test(text)) return false;
  return tokens.some((token) => {
    if (token.length <= LEAST_RANDOM || token.includes('://') || token.includes('@')) return false;
    const whole = token.slice(0, MOST_READ).replace(TRAILING, '');
    return !SITE.test(whole) && partsOf(whole).some((part) => isUnknown(part, isDigest));
  });
}

/** `key=…` and `key:…` have a value of their own. */
const partsOf = (token: string): readonly string[] => [
  token,
  ...[token.indexOf('='), token.indexOf(':')].map((at) => token.slice(at + 1)),
];

function isUnknown(part: string, isDigest: boolean): boolean {
  const number = NUMBERED.exec(part)?.[1];
  if (number !== undefined) return isDrawn(number);
  if (BARE.test(part) && entropyOf(part) > BARE_BITS && strangeIn(part) >= LEAST_RANDOM)
    return !PUBLIC.test(part.slice(0, part.search(/[_-]/)));
  if (SMALL.test(part)) return !isDigest && isDrawn(part) && changesIn(part) >= LEAST_CHANGES;
  const [, prefix = '', rest = ''] = PREFIXED.exec(part) ?? [];
  if (rest === '' || PUBLIC.test(prefix) || NAMED_END.test(part)) return false;
  const hex = HEX.exec(rest)?.[1];
  if (hex !== undefined) return !isDigest && /\d/.test(hex) && /[a-f]/i.test(hex);
  const bare = rest.replace(UUID, '');
  return isDrawn(bare) && !(bare.includes('/') && isPath(bare));
}

const isDrawn = (text: string): boolean =>
  text.length >= LEAST_RANDOM &&
  /\d/.test(text) &&
  strangeIn(text) >= LEAST_STRANGE &&
  entropyOf(text) > LEAST_BITS;

const changesIn = (text: string): number =>
  (text.match(/[a-z](?=\d)|\d(?=[a-z])/g) ?? []).length / text.length;

/** Most of a path are words, and their parts are short. */
const isPath = (text: string): boolean => strangeIn(text) < text.length * 0.7;
