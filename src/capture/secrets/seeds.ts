/**
 * Seeds of one-time passwords: base32, as an authenticator is given them. Of such length that no
 * word of a language has it, in letters and the digits from 2 to 7.
 */
const LEAST = 16;
/** Beside words of an authenticator, whatever its case. */
const NAMED =
  /\b(?:2fa|mfa|t?otp|hotp|two[- ]?factor|authenticator|authy|base32|seed|einmalpassw\p{L}*|zwei[- ]?faktor)\b/iu;
const CUT = /[\s"'`,;()<>[\]{}|:=]+/;
const LARGE = /^[A-Z2-7]{16,128}$/;
const SMALL = /^[a-z2-7]{16,128}$/;
/** `JBSW Y3DP EHPK 3PXP` */
const GROUPS = /\b(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}\b/;
/** Of words in lower case none has a digit inside. */
const SMALL_GROUPS = /\b(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4}\b/g;
const DRAWN_GROUP = /[a-z][2-7]|[2-7][a-z]/;

export function hasSeed(text: string): boolean {
  const tokens = text
    .split(CUT)
    .map((token) => token.replace(/[=.!?]{1,8}$/, ''))
    .filter((token) => token.length >= LEAST);
  if (tokens.some(isDrawn)) return true;
  if (!NAMED.test(text)) return false;
  const groups = GROUPS.exec(text)?.[0] ?? '';
  const small = text.match(SMALL_GROUPS) ?? [];
  const isDrawnInGroups = small.some(
    (each) => each.split(/[ -]/).filter((group) => DRAWN_GROUP.test(group)).length > 1,
  );
  return (
    /\d/.test(groups) ||
    isDrawnInGroups ||
    tokens.some((token) => LARGE.test(token) || (SMALL.test(token) && /\d/.test(token)))
  );
}

/** Whatever stands beside it: of whole bytes, with digits among its letters. */
const isDrawn = (token: string): boolean =>
  LARGE.test(token) && token.length % 8 === 0 && /[A-Z][2-7]+[A-Z]/.test(token);
