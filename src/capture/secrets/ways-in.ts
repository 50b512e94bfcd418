/** How one gets in, in plain words: `the keypad wants 5512`, `user root, pw toor`. English. */
import { isOrdinary } from './ordinary-words.ts';
import { isMixed } from './value-looks.ts';

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
/** `root:toor`, wherever it stands: a default user with a default password, or a mixed word. */
const DEFAULT_PAIR =
  /(?<![\p{L}\p{N}_./@:-])(?:root|admin|administrator|guest|pi|sa|postgres|oracle|tomcat|ubnt|support)([:/])([^\s:/"'`,;()<>]{3,40}?)(?=[.!?]*(?:$|[\s"'`,;)]))/giu;
const DEFAULT_PASSWORD =
  /^(?:admin|root|toor|password|passwd|pass|guest|changeme|letmein|raspberry|secret|default|welcome|calvin|alpine|tomcat|ubnt|postgres|oracle|support|\d{4,8})\d{0,4}!?$/i;
/** `chown root:root`, `the owner is root:admin`: a user and a group. */
const OF_GROUPS =
  /\b(?:chown|chgrp|owners?|owned|ownership|groups?|permissions?|chmod|roles?|ls)\b/i;
const hasDefaultPair = (text: string): boolean =>
  !OF_GROUPS.test(text) &&
  [...text.matchAll(DEFAULT_PAIR)].some(([, joint, value = '']) =>
    joint === ':'
      ? DEFAULT_PASSWORD.test(value) || isMixed(value, 5)
      : DEFAULT_PASSWORD.test(value) && !/^(?:guest|support|\d+|default)$/i.test(value),
  );
/** `I log in with ada:sunshine`: one word is no way to log in. */
const LOGS_IN_WITH =
  /\b(?:log|logs|logged|logging|sign|signs|signed|signing|connect|authenticate)(?: ?in| ?on)? (?:[\p{L}'-]{1,20} ){0,5}?(?:with|as|using) ([\p{L}\d][\p{L}\d._@+-]{1,40}):([^\s:/"'`,;()]{3,40}?)(?=[.!?]*(?:$|[\s"'`,;)]))/iu;
const logsInWith = (text: string): boolean => {
  const [, user = '', value = ''] = LOGS_IN_WITH.exec(text) ?? [];
  return value !== '' && !MEANS.test(user) && !MEANS.test(value) && !/^\d{2,5}$/.test(value);
};
/** `hunter2 is for my mail` */
const IS_FOR =
  /(?:^|[:;,.] ?)(\p{Ll}[\p{L}\d!#$%&*?^~@_-]{5,63}) is for (?:my|our|the) (?:\S{1,20} )?(?:e-?mail|mail|inbox|router|wi-?fi|account|bank|banking|laptop|phone|pc|computer|vpn|server|nas|login|admin|netflix|cloud)(?=[.!,;]|$| and)/u;
const isGivenFor = (text: string): boolean => isMixed(IS_FOR.exec(text)?.[1] ?? '', 6);
/** Ways to log in. */
const MEANS =
  /^(?:ssh|sudo|oauth|sso|saml|ldap|google|github|gitlab|facebook|apple|microsoft|twitter|linkedin|amazon|okta|auth0|keys?|putty|telnet|fingerprint|passkey|yubikey|faceid|touchid|email|phone)$/i;
const FORMS: readonly RegExp[] = [
  // `alarm 4471`; `alarm 0630` is a time.
  /(?:^|[:;,.] ?|\b(?:my|our|the|home|house|office) )alarm:? (?:is )?(?!(?:[01]\d|2[0-3])[0-5]\d\b)\d{4,8}(?=[.!]*$)/i,
  /\bmaiden name (?:is|was) \S{2,40},? (?:is )?(?:for|at|with|to) (?:the|my|our) (?:\S{1,20} )?(?:bank|banking|account|security|insurance)\b/i,
  /\b(?:vpn|wi-?fi|wlan|router|ipsec|radius|client|api|app) secret:? (?=\S{0,63}\d)(?=\S{0,63}[a-z])[\w-]{6,64}/i,
  new RegExp(
    `\\b(?:opens?|unlocks?|logs? in) with ${DEFAULT_USER}/(?=\\S{0,63}\\d)[^\\s/]{5,64}`,
    'i',
  ),
  /\b(?:keypad|lock|padlock|door|gate|alarm|safe) (?:wants|needs|takes|expects|asks for) #?\d{4,8}#?(?=[.!,]*$)/i,
  /\bto (?:get in|enter|open (?:it|(?:the|my|our) \w+)|unlock (?:it|(?:the|my|our) \w+)),? (?:you )?(?:just )?(?:press|type|dial|punch in|key in|tap)(?: in)? #?\d{4,8}#?(?=[.!,]|$| (?:and|then|on)\b)/i,
];

export const givesWayIn = (text: string): boolean =>
  hasDefaultPair(text) ||
  logsInWith(text) ||
  isGivenFor(text) ||
  FORMS.some((form) => form.test(text)) ||
  WORDS.some((form) => {
    const value = (form.exec(text)?.[1] ?? '').replace(/[.!?]{1,9}$/, '');
    return value !== '' && !isOrdinary(value.toLowerCase()) && !MEANS.test(value);
  });
