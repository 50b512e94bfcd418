/** What looks like the value of a secret: digits, letters among digits, groups, spelled digits. */
import { type Items, wordSet } from './items.ts';
import { isOrdinary } from './ordinary-words.ts';

/** After a number: it counts or measures. */
const UNITS = wordSet(
  "digit digits character characters chars letters words symbols day days week weeks month months year years minute minutes min mins second seconds sec hour hours times people users points euro euros eur dollar dollars usd pounds chf € $ £ % percent cm mm m km g kg gram grams mb gb kb bit bits byte bytes pins tokens requests attempts miles pages steps people items stellen stellig zeichen ziffern buchstaben tage wochen monate jahre minuten stunden sekunden prozent mal caracteres dígitos caractères chiffres jours días o'clock uhr am pm",
);
const isUnit = (items: Items, at: number): boolean => UNITS.has(items[at]?.said ?? '');

const DATE = /^(?:(?:19|20)\d\d-\d\d?(?:-\d\d?)?|\d\d?[./]\d\d?[./](?:19|20)\d\d|(?:19|20)\d\ds)$/;
const TIME = /^\d\d?[:.]\d\d(?:am|pm|h)?$/i;
const VERSION = /^v?\d+(?:\.\d+){1,4}(?:-[a-z]+)?$/i;
/** `4408`, `A4408`, `9-9-2-1`, `4408#`. */
const NUMBER = /^[a-z]{0,2}\d[\d./-]*[a-z]?#?$/i;
const digitsIn = (text: string): number => text.replaceAll(/\D/g, '').length;

export interface LeastDigits {
  readonly least: number;
}

/** A number with so many digits that is no date, time or measure; `12, 34, 56` is one as well. */
export function isNumber(items: Items, at: number, { least }: LeastDigits): boolean {
  const text = items[at]?.text ?? '';
  if (!NUMBER.test(text) || DATE.test(text) || TIME.test(text)) return false;
  if (VERSION.test(text) && !/^\d+$/.test(text)) return false;
  if (digitsIn(text) >= least) return !isUnit(items, at + 1);
  return isInGroups(items, at, Math.max(least, 4));
}

const MOST_GROUPS = 8;
function isInGroups(items: Items, at: number, least: number): boolean {
  let digits = '';
  let groups = 0;
  let end = at;
  for (; end < at + 2 * MOST_GROUPS; end += 1) {
    const item = items[end];
    if (item && /^(?:,|-|–|\/)$/.test(item.text)) continue;
    if (!item || !/^\d{1,4}#?$/.test(item.text)) break;
    digits += item.text.replaceAll('#', '');
    groups += 1;
  }
  return groups > 1 && digits.length >= least && !isUnit(items, end);
}

const SPELLED = wordSet(
  'zero oh one two three four five six seven eight nine null eins zwei zwo drei vier fünf sechs sieben acht neun',
);
/** `seven seven three zero` */
export const isSpelled = (items: Items, at: number): boolean =>
  [0, 1, 2].every((step) =>
    (items[at + step]?.said ?? '').split('-').every((word) => SPELLED.has(word)),
  );

const TURN = /^(?:left|right|links|rechts|l|r)$/;
/** `12 left, 34 right, 5 left` */
export const isTurns = (items: Items, at: number): boolean =>
  isTurn(items, at) && [2, 3, 4].some((step) => isTurn(items, at + step));
const isTurn = (items: Items, at: number): boolean =>
  /^\d{1,2}$/.test(items[at]?.text ?? '') && TURN.test(items[at + 1]?.said ?? '');

const MOST_ID_GROUPS = 9;
const LEAST_ID_DIGITS = 6;
/** `C01X00T47`, `12 345 678 901`, `D 123-456`: in groups, of letters and six digits at least. */
export function isIdNumber(items: Items, at: number): boolean {
  const first = items[at]?.text ?? '';
  if (DATE.test(first) || TIME.test(first) || (VERSION.test(first) && /\./.test(first)))
    return false;
  let digits = 0;
  let end = at;
  for (; end < at + MOST_ID_GROUPS; end += 1) {
    const text = items[end]?.text ?? '';
    if (!ID_GROUP.test(text)) break;
    digits += digitsIn(text);
  }
  return digits >= LEAST_ID_DIGITS && !isUnit(items, end);
}
const ID_GROUP = /^(?:[A-Z]{1,4}|[A-Za-z]{0,4}\d[A-Za-z\d./-]{0,33})$/;

/** Names with digits that everybody knows, and measures. */
const KNOWN =
  /^(?:1password|s3|ec2|k8s|k3s|h26[45]|x509|u2f|o365|m365|q[1-4]|h[12]|mp[34]|[23]fa|o200k_base|cl100k_base|pkcs\d+|(?:sha|md|aes|rsa|erc|utf|base|iso|rfc|http|tls|ipv|wpa|wifi|covid|python|java|office|oauth|fido|web|auth|argon|bcrypt|scrypt|pbkdf|keepass|windows|win|ios|android|node|iphone|galaxy|pixel|fritzbox|room|floor|level|version|ed|curve|log|postgres|es|ps|usb|cat|din|en)-?\d+\w{0,3})$/;
const MEASURE =
  /^\d+(?:[.,]\d+)*-?(?:[\p{L}%€$£°]{1,3}|k?bits?|bytes?|min|days?|digits?|stellig)$/u;
const COUNTED = /^\d+-\p{L}+(?:-\p{L}+)*$/u;
const FILE = /\.(?:md|txt|json|ya?ml|env|pem|ts|js|py|pdf|csv|kdbx|com|org|net|io|de|dev|local)$/;

/** Letters among digits, in one word that is no measure, version, file or known name. */
export function isMixed(text: string, least: number): boolean {
  const said = text.toLowerCase();
  if (text.length < least || !/\d/.test(text) || !/\p{L}/u.test(text)) return false;
  if (text.includes('://') || /@[\w-]+\./.test(text) || FILE.test(said)) return false;
  if (KNOWN.test(said) || COUNTED.test(said)) return false;
  return ![MEASURE, VERSION, TIME, DATE].some((form) => form.test(said));
}

/** `Fr-oschTeich!x`, `blauWal`: no word of a language looks like it. */
export const isStrange = (text: string): boolean =>
  text.length >= 5 &&
  !text.includes('://') &&
  !/@[\w-]+\./.test(text) &&
  (/\p{L}[!#$%&*?^+~@]+\p{L}/u.test(text) || /^\p{Ll}+\p{Lu}+\p{Ll}/u.test(text));

/** `ABCDE-FGHIJ-KLMNO`, `JBSW Y3DP EHPK`, `abc.def.ghi`. */
export function isGrouped(items: Items, at: number): boolean {
  const text = items[at]?.text ?? '';
  if (/^[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){2,9}$/.test(text)) return true;
  if (isGroupedSmall(text)) return true;
  if (/^[\w-]{3,400}\.[\w-]{3,400}\.[\w-]{3,400}$/.test(text))
    return !FILE.test(text.toLowerCase());
  const groups = [0, 1, 2].map((step) => items[at + step]?.text ?? '');
  if (!groups.every((group) => /^[A-Z\d]{3,8}$/.test(group))) return false;
  return /\d/.test(groups.join('')) || groups.every((group) => /^[A-Z]{4}$/.test(group));
}

/** `abcd-efgh-ijkl`: groups of one length, of which none is what people say of a key. */
const isGroupedSmall = (text: string): boolean => {
  const groups = text.split('-');
  const length = groups[0]?.length ?? 0;
  if (groups.length < 3 || groups.length > 10 || length < 3 || length > 8) return false;
  return groups.every(
    (group) => group.length === length && /^[a-z\d]+$/.test(group) && !isOrdinary(group),
  );
};

/** It stands for a value that is not given. */
export const isPlaceholder = (text: string): boolean =>
  text.includes('**') || /^(?:[x*•.…_-]+$|[$%])/i.test(text);
