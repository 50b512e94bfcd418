/**
 * Passwords that look like words, where what stands around them leaves no doubt: a flag of a
 * command, a user before them (`login: ada / greenapples`, `I sign in as ada with greenapples`).
 */
import { isOrdinary } from './ordinary-words.ts';
import { isMixed } from './value-looks.ts';

/** What one signs in with that is no password, and whose account one signs in with. */
const MEANS = new Set(
  'google facebook apple github gitlab microsoft twitter linkedin okta azure amazon keycloak auth0 saml oauth oidc ldap kerberos active-directory sso single-sign-on passkey passkeys password passwords passphrase username email e-mail phone fingerprint fingerprints face-id faceid touchid touch-id biometrics certificate certificates yubikey yubikeys smartcard bitwarden 1password lastpass keepass publickey public-key agent-forwarding forwarding keys token tokens authenticator webauthn signup register logout signin sign-up account accounts admin guest root user users name group security settings savings checking kerberos'.split(
    ' ',
  ),
);
export const isMeans = (said: string): boolean => MEANS.has(said);
const LEAST = 8;
const isWord = (said: string): boolean => {
  const word = said.replace(/[.!?,;]{1,3}$/, '');
  if (word.length < LEAST || !/^[\p{Ll}\d][\p{L}\d._&!#$%*+-]*$/u.test(word)) return false;
  return !/^\d+$/.test(word) && !MEANS.has(word.toLowerCase()) && !isOrdinary(word.toLowerCase());
};

const PASSWORD = '(?:password|passwort|passcode|passphrase|passwd|pwd?|pass|pw)';
const USER = '[\\p{L}\\d][\\p{L}\\d._@+-]{1,63}';
const VALUE = '(\\S{4,128})';
const END = '(?=[.!?]?(?:\\s*$|\\s*[,;\\n)]))';
/** The value is what the first group holds. */
const FORMS: readonly RegExp[] = [
  // `login: ada / greenapples`, `my creds: ada:greenapples`
  new RegExp(
    `\\b(?:log-?in|credentials|creds)(?: is| are|:| =)? ${USER}(?: ?[/|:] ?| then | and )${VALUE}${END}`,
    'iu',
  ),
  // `username ada, password greenapples`
  new RegExp(
    `(?:^|[\\n,;:(.] ?|\\bmy )(?:user(?: ?name)?|log-?in|u)(?: is|:| =)? ${USER}(?:[\\s,;]| and| with){1,3}(?:the |my )?(?:password|passwort|pass|pwd?|p)(?: is|:| =)? ${VALUE}${END}`,
    'iu',
  ),
  new RegExp(
    `(?:^|[\\n,;:(.] ?|\\bmy )(?:user(?: ?name)?|log-?in) ${USER}(?:,| and|;) ${VALUE} is (?:the|my) (?:pass|pw|password)\\b`,
    'iu',
  ),
  // `I sign in as ada with greenapples`
  new RegExp(
    `\\b(?:log|logs|logged|sign|signs|signed|connect|authenticate)(?: ?in| ?on)? (?:\\S+ ){0,3}?as ${USER} (?:with|using) ${VALUE}${END}`,
    'iu',
  ),
  // `ssh ada@host with greenapples`, `ssh ada@host pass greenapples`
  new RegExp(
    `\\b(?:ssh|sftp|scp|ftp|rdp|vnc|telnet|mysql|psql) (?:-\\S+ ){0,3}?${USER}@\\S{1,100} (?:with|using|pass|pw|password) ${VALUE}${END}`,
    'iu',
  ),
  // `greenapples is my password for everything`, `use greenapples as the password`
  new RegExp(
    `(?:^|[.;,!?\\n] ?)${VALUE} is (?:my|our|the) (?:[\\p{L}-]{1,20} ){0,2}?${PASSWORD}(?![\\p{L}-])`,
    'iu',
  ),
  new RegExp(
    `\\b(?:use|set|choose|pick|enter|type) ${VALUE} as (?:the|my|our|a|your) (?:[\\p{L}-]{1,20} )?${PASSWORD}(?![\\p{L}-])`,
    'iu',
  ),
  // `greenapples, that's my password`, `greenapples is what I type to log in`
  new RegExp(
    `(?:^|[.;!?\\n] ?)${VALUE} (?:that|this|it)(?:['’]?s| is) (?:my|our|the) (?:[\\p{L}-]{1,20} ){0,2}?${PASSWORD}(?![\\p{L}-])`,
    'iu',
  ),
  new RegExp(
    `(?:^|[.;,!?\\n] ?)${VALUE} is what (?:I|we|you) (?:type|use|enter)(?: in)? (?:to|when (?:I|we|you)) (?:log|sign|unlock|get) ?(?:in|into)?`,
    'iu',
  ),
  new RegExp(
    `(?:^|[.;:,!?\\n] ?)${VALUE} is what (?:I|we) (?:type|use|enter|put|key)(?: in)? (?:at|on|into|in|for|behind) (?:the|my|our) (?:\\S+ )?(?:log-?in|sign-?in|password|prompt|lock ?screen|router|vpn|wi-?fi|bank|account|laptop|phone|mail|safe|keypad)\\b`,
    'iu',
  ),
  // `with greenapples you get into my mail`, `the word greenapples opens my laptop`
  new RegExp(
    `\\b(?:with|using) ${VALUE} (?:you|I|we|one) (?:can )?(?:get|log|sign) (?:in(?=[.!]?\\s*$)|(?:in|on)(?: ?to)? (?:my|our|the) (?:\\S+ )?(?:e-?mails?|mail|account|laptop|phone|computer|wi-?fi|router|nas|server|bank|cloud|safe))\\b`,
    'iu',
  ),
  new RegExp(
    `\\bthe word ${VALUE} (?:opens|unlocks) (?:my|our|the) (?:laptop|phone|computer|account|safe|vault|tablet|door)\\b`,
    'iu',
  ),
  // `my wifi: HomeNet / sonnenblume`
  new RegExp(`\\b(?:wi-?fi|wlan|hotspot)(?: is|:| =) \\S{2,40} ?/ ?${VALUE}${END}`, 'iu'),
  // `my password changed from redapples to greenapples`, `the password will be greenapples`
  new RegExp(
    `\\b${PASSWORD} (?:[\\p{L}-]{1,20} ){0,3}?(?:from \\S{1,64} to|will be|should be|shall be|becomes) ${VALUE}`,
    'iu',
  ),
  // `wifi HomeNet, pw greenapples`
  new RegExp(
    `\\b(?:wi-?fi|wlan|router|nas)\\b[^.\\n]{0,40}[,;] ?(?:${PASSWORD}|key) ${VALUE}${END}`,
    'iu',
  ),
  // Italian, Spanish, French, Portuguese
  /\b(?:la mia|la|mi|mon|le|minha|a minha) (?:password|parola chiave|contraseña|clave|mot de passe|senha) (?:è|es|est|é) (\S{4,128})/iu,
];
/** Behind words that leave no doubt: whatever the value looks like. */
const LABELS: readonly RegExp[] = [
  // `Password (don't share!): hunter2`, `passcode hunter2`
  /\bpass(?:word|code|phrase) \([^)\n]{1,40}\) ?[:=] ?(\S{4,128})/iu,
  /\bpasscode ([\p{L}._-]{0,60}\d[\p{L}\d._-]{0,60})/iu,
  /[?&](?:pass|passwd|password|secret|api_?key)=([^&\s]{4,128})/iu,
  /\bauthorization: ?basic ([a-z\d+/=]{8,200})/iu,
  /(?:密码|密碼|口令|パスワード)(?:是|为|為|は|:|：) ?(\S{4,64})/u,
  // `site,login,password` above its rows
  /^(?:[\w -]{1,30},){1,8}(?:password|passwd|pwd)(?:,[\w -]{1,30}){0,8}\r?\n[^\n,]{0,100},([^\n]{4,200})/imu,
];
/** Where the name says little, only what looks like a value is one. */
const LOOKING: readonly RegExp[] = [
  // `My Wi-Fi is called Huber and the key is Kaktus9`
  new RegExp(
    `\\b(?:wi-?fi|wlan|wireless|hotspot|router|ssid|guest network)\\b[^.!?\\n]{0,60}?[ ,;:/(](?:(?:and|with) )?(?:(?:the|its|my|our) )?(?:key|code|phrase|pass)(?: is| are|:| =| being) ["'“]?${VALUE}${END}`,
    'iu',
  ),
  // `I use the same password everywhere, Kaktus9`
  new RegExp(
    `\\b(?:the same|just one|only one|one|a single|this one) (?:${PASSWORD}|pin|code) (?:[^\\s,:;.()–]{1,20} ?){0,6}[,:;(–-] ?(?:(?:it|that)(?:['’]s| is) |namely )?["'“]?${VALUE}${END}`,
    'iu',
  ),
];
/** Behind a colon nobody is spoken to, so what has a capital is a value as well. */
const BEHIND_COLON = new RegExp(
  `\\b(?:the same|just one|only one|one|a single) (?:${PASSWORD}|pin|code) (?:[^\\s,:;.()–]{1,20} ?){0,6}: ?["'“]?(\\p{Lu}\\S{3,63})[.!]?\\s*$`,
  'imu',
);
const isLooking = (text: string): boolean =>
  LOOKING.some((form) => {
    const value = withoutMarks(form.exec(text)?.[1] ?? '');
    return isMixed(value, 5) || /^\d{4,12}$/.test(value);
  }) || isName(withoutMarks(BEHIND_COLON.exec(text)?.[1] ?? ''));
const withoutMarks = (word: string): string => word.replace(/[.!?,;"'”)]{1,4}$/, '');
const isName = (word: string): boolean =>
  word.length > 3 && /^\p{Lu}/u.test(word) && !isOrdinary(word.toLowerCase());

/** Flags of commands: whatever the value looks like. */
const FLAGS: readonly RegExp[] = [
  /\b(?:curl|wget|http|https|httpie|mongosh?|mosquitto_\w+)\b[^\n]{0,200}?\s(?:-u|--user|-a|--auth)[ =]['"]?[\w.@+-]{1,64}:([^\s'"]{4,128})/i,
  /\s--?(?:password|passwd|passphrase|pass)[ =]['"]?([^\s'"]{4,128})/i,
];
/** `-p` is a port, a path or a project elsewhere. */
const SHORT_FLAG = /\s-p ?([^\s'"-][^\s'"]{7,128})/;
const ASKS_WITH_P = /\b(?:mysql\w*|mariadb\S*|sshpass|docker login|podman login|mongo\w*)\b/i;
const isGiven = (value: string): boolean =>
  !/^(?:[$%<{*x]|\.{3}|your|pass|password|secret|-)/i.test(value) && !/^\d+$/.test(value);

/** `I use Tr0ub4dor&3 everywhere`: marks among letters and digits, which no name has. */
const EVERYWHERE =
  /\b(?:use|used|using|type|have|reuse) (\S{8,64}) (?:everywhere|for (?:everything|all|most|every)|on (?:all|every)|all over)\b/i;
const isDrawn = (word: string): boolean =>
  /[\p{L}\d][!#$%&^*?~@][\p{L}\d]/u.test(word) &&
  word.replaceAll(/\D/g, '').length > 1 &&
  /\p{L}{2}/u.test(word) &&
  !/@[\w-]+\.|:\/\//.test(word);

export function givesPlainPassword(text: string): boolean {
  if (FORMS.some((form) => isWord(form.exec(text)?.[1] ?? '')) || isLooking(text)) return true;
  if ([...LABELS, ...FLAGS].some((form) => isGivenBy(form, text))) return true;
  const isShort = ASKS_WITH_P.test(text) && isWord(SHORT_FLAG.exec(text)?.[1] ?? '');
  return isShort || isDrawn(EVERYWHERE.exec(text)?.[1] ?? '');
}

const isGivenBy = (form: RegExp, text: string): boolean => {
  const value = form.exec(text)?.[1];
  return value !== undefined && isGiven(value);
};
