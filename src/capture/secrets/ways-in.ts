/** How one gets in, in plain words: `the keypad wants 5512`, `user root, pw toor`. English. */
import { isOrdinary } from './ordinary-words.ts';

const DEFAULT_USER = '(?:root|admin|administrator|guest|pi|sa|postgres|user)';
/** The value is the group. */
const WORDS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:account|log-?in|credentials?|creds|user) (?:is|are|=) ${DEFAULT_USER}:(\\p{L}[^\\s:]{2,63})`,
    'iu',
  ),
  /\buser(?:name)?:? [^\s,]{2,40},? (?:and )?(?:pw|pwd|pass):? ([^\s,]{3,64})/iu,
  new RegExp(
    `\\b[Ll]og(?:s|ged|ging)? ?in as ${DEFAULT_USER} with (\\p{Ll}[\\p{L}\\d]{3,63})(?=[.!,]*$)`,
    'u',
  ),
];
/** Ways to log in. */
const MEANS =
  /^(?:ssh|sudo|oauth|sso|saml|ldap|google|github|gitlab|facebook|apple|microsoft|twitter|linkedin|amazon|okta|auth0|keys?|putty|telnet|fingerprint|passkey|yubikey|faceid|touchid|email|phone)$/i;
const FORMS: readonly RegExp[] = [
  /\b(?:vpn|wi-?fi|wlan|router|ipsec|radius|client|api|app) secret:? (?=\S{0,63}\d)(?=\S{0,63}[a-z])[\w-]{6,64}/i,
  new RegExp(
    `\\b(?:opens?|unlocks?|logs? in) with ${DEFAULT_USER}/(?=\\S{0,63}\\d)[^\\s/]{5,64}`,
    'i',
  ),
  /\b(?:keypad|lock|padlock|door|gate|alarm|safe) (?:wants|needs|takes|expects|asks for) #?\d{4,8}#?(?=[.!,]*$)/i,
  /\bto (?:get in|enter|open (?:it|(?:the|my|our) \w+)|unlock (?:it|(?:the|my|our) \w+)),? (?:you )?(?:just )?(?:press|type|dial|punch in|key in|tap)(?: in)? #?\d{4,8}#?(?=[.!,]|$| (?:and|then|on)\b)/i,
];

export const givesWayIn = (text: string): boolean =>
  FORMS.some((form) => form.test(text)) ||
  WORDS.some((form) => {
    const value = (form.exec(text)?.[1] ?? '').replace(/[.!?]{1,9}$/, '');
    return value !== '' && !isOrdinary(value.toLowerCase()) && !MEANS.test(value);
  });
