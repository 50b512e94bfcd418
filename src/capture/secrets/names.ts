/** What people call their secrets, in English and German, and what a value of it looks like. */
import { type Item, type Items, wordSet } from './items.ts';

/**
 * `word`: any word can be one. `phrase`: some words in a row. `number`: digits. `code`: as well,
 * but many codes are no secret. `tan`: six digits. `lock`: what has a code. `recovery`: digits or
 * groups of letters and digits. `key`: letters and digits. `token`: as well, or one word. `loose`:
 * long ones, as the name says little. `id`: of a person, six digits at least. `pair`: a user and a
 * password. `hint`: what it hints at is said further on. `answer`: to a question of a bank, if it
 * is said to be for one.
 */
export type NameKind =
  | 'word'
  | 'phrase'
  | 'number'
  | 'code'
  | 'tan'
  | 'lock'
  | 'recovery'
  | 'key'
  | 'token'
  | 'loose'
  | 'pair'
  | 'credentials'
  | 'hint'
  | 'answer'
  | 'id';

const NAMES: Readonly<Record<NameKind, string>> = {
  word: "password|passwords|passwd|pass word|pass words|pw|pws|pwd|passwort|passwörter|passwörtern|kennwort|kennwörter|losungswort|contraseña|contraseñas|contrasena|mot de passe|mots de passe|mdp|question answer|security answer|secret answer|secret answers|network password|safeword|password's|pasword|passwrod|pa55word|passw0rd|p4ssword|p@ssword|code word|codeword|memorable word|memorable information|secret word|security word|banking word|verbal password|to my secret question|to the secret question|to my security question|to the security question",
  phrase:
    'passphrase|passphrases|pass phrase|key phrase|keyphrase|secret phrase|security phrase|passsatz|seed phrase|recovery phrase|backup phrase|wallet phrase|mnemonic|mnemonic phrase|seed words|recovery words|wallet words|ledger words|12 words|24 words',
  number:
    'pin|pins|pin code|pin codes|pin number|pin nummer|pinnummer|pincode|passcode|passcodes|pass code|cvv|cvc|cvv2|cvc2|csc|otp|ssn|social security number|social security no|sozialversicherungsnummer|geheimzahl|geheimnummer|prüfnummer|prüfziffer|kartenprüfnummer|pruefnummer|digits on the back|id fallback|combination|combo|kombination|zahlenkombination|nip|código pin|security code|puk|unlock pattern',
  code: 'code|codes|código|keycode|key code',
  tan: 'tan|tans|tan list|tan liste|mtan|itan|phototan|pushtan',
  lock: 'lock|locks|padlock|lockbox|lock box|key box|keybox|fahrradschloss|zahlenschloss|vorhängeschloss|schlüsselkasten|schlüsselbox|schlüsseltresor|tresor|kofferschloss',
  recovery:
    'recovery code|recovery codes|backup code|backup codes|backupcode|backupcodes|rescue code|scratch codes|one time code|one time password|one time passcode|verification code|reset code|2fa code|2fa codes|2fa backup|2fa backups|2fa backup code|2fa backup codes|mfa code|mfa codes|mfa backup|guard code|steam code|login code|sign in code|authenticator code|authenticator backup|voicemail code|emergency code|emergency codes|activation code|wiederherstellungscode|wiederherstellungscodes|notfallcode|notfallcodes|einmalcode|einmalpasswort|freischaltcode|bestätigungscode',
  key: 'api key|api keys|apikey|access key|access keys|secret key|private key|secret access key|encryption key|decryption key|license key|licence key|product key|activation key|authenticator key|auth key|setup key|signing key|ssh key|wifi key|wlan key|wi fi key|wifi code|wlan code|wi fi code|hotspot code|wireless key|network key|wpa key|wpa2 key|security key|master key|recovery key|bitlocker key|deploy key|service key|account key|token|tokens|secret|secrets|2fa seed|2fa key|totp seed|totp|otp seed|mfa secret|mfa seed|basic auth|jwt|jwts|schlüssel api|api schlüssel|wlan schlüssel|wifi schlüssel|netzwerkschlüssel|wlanschlüssel|wpa schlüssel|lizenzschlüssel|wiederherstellungsschlüssel|privater schlüssel|geheimer schlüssel|clé wifi|clave wifi',
  token:
    'api token|api tokens|api secret|api secrets|webhook secret|webhook token|signing secret|session secret|jwt secret|shared secret|client secret|app secret|consumer secret|access secret|secret token|access token|auth token|refresh token|session token|personal access token|bearer|bearer token|2fa secret|totp secret|otp secret|authenticator secret|zugriffstoken|zugangstoken|webhook geheimnis',
  loose: 'key|keys|schlüssel|wifi|wlan|wi fi|clave|pass',
  pair: 'login|logins|logon|log in|zugang|account|konto|benutzerkonto|online banking|onlinebanking|e banking|telephone banking|banking',
  credentials:
    'credentials|credential|creds|cred|zugangsdaten|anmeldedaten|logindaten|login daten|login details|login data|login info|log in details|account details|identifiants|credenciales',
  hint: 'password hint|password hints|passwort hinweis|passworthinweis|pin hint',
  answer: 'maiden name|mädchenname|safe word',
  id: 'iban|ibans|social|passport|passport number|passport no|passport id|reisepass|reisepassnummer|passnummer|tax id|tax ids|tax number|tax no|tax identification number|taxpayer number|taxpayer id|steuer id|steuernummer|steueridentifikationsnummer|license|licence|license number|licence number|driving license|driving licence|driver license|driver licence|drivers license|drivers licence|führerschein|führerscheinnummer|id card|id card number|identity card|identity card number|national id|national id number|personalausweis|personalausweisnummer|ausweisnummer|national insurance number|ni number|nino|health insurance number|insurance number|medicare number|nhs number|aadhaar|aadhaar number|dni|bank account number|account number|kontonummer|rentenversicherungsnummer|krankenversicherungsnummer|versichertennummer',
};
const KINDS: ReadonlyMap<string, NameKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split('|').map((name) => [name, kind as NameKind] as const),
  ),
);
/** Most words begin none. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  [...KINDS.keys()].map((name) => name.split(' ', 1)[0] ?? ''),
);
const MOST_WORDS = 4;

/** German puts what it is of in front: `Haustürcode`. */
const COMPOUND =
  /^\p{L}*(?:(passwort|kennwort|passwörter)|(?:tür|tor|garagen|alarm|zugangs|eingangs|entsperr|sperr|zahlen|safe|tresor|schloss|sicherheits|pin|keller|haus|handy|telefon|büro|bildschirm|kombinations|öffnungs|zutritts)(codes?)|(?:karten|handy|bank|sim|ec|telefon|sperr|konto)(pin)|(?:zahlen|schloss|tresor|safe)(kombination))$/u;
const compoundKind = (said: string): NameKind | null => {
  const found = COMPOUND.exec(said);
  if (!found) return null;
  return found[1] === undefined ? 'number' : 'word';
};

/** Which others they are then: `zip code`, `primary key`, `ski pass`. */
const OTHERS: Readonly<Record<string, ReadonlySet<string>>> = {
  code: wordSet(
    'zip postal post postcode country area dress error exit status source hex color colour sort discount promo promotion promotional coupon voucher product booking tariff bar qr morse airport project class course swift bic bank http response return tax item order dial dialing dialling state region language currency icd version vendor customer cost department stock model serial part branch station subject flight fault diagnostic trouble event occupation industry naics sic iata icao html python js typescript legacy building-regulations penal civil criminal commercial highway ascii key-signature store event fare payment reservation confirmation tracking referral room',
  ),
  key: wordSet(
    'house car door front flat allen primary foreign partition sort cache project issue jira answer piano shortcut hot arrow object row range idempotency translation public musical spare house composite lookup hash return escape function tab shift',
  ),
  pass: wordSet(
    'bus ski boarding gym season parking museum train rail travel day week month monthly annual yearly visitor mountain backstage press hall lake first second third one two final free',
  ),
  pin: wordSet('gpio lapel bowling rolling safety hair firing map drawing enamel data ground'),
  lock: wordSet('row table file advisory mutex deadlock'),
  token: wordSet('design subway parking bus poker erc'),
  account: wordSet('bank savings checking'),
};
const OF_OTHERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OTHERS).flatMap(([name, words]) => [
    [name, words],
    [`${name}s`, words],
  ]),
);

export interface Name {
  readonly kind: NameKind;
  /** The item after it. */
  readonly end: number;
}

/** Of a chain of thousands, only its end can be a name. */
const MOST_PARTS = 8;
const partsOf = (item: Item): readonly string[] =>
  item.said.slice(-MOST_CHARACTERS).split(/[-_]/).slice(-MOST_PARTS);
const MOST_CHARACTERS = 200;

/** The longest name that begins there; `AWS_SECRET_ACCESS_KEY` and `Handy-PIN` end in one. */
export function nameAt(items: Items, at: number): Name | null {
  const item = items[at];
  if (item === undefined || item.isMark) return null;
  const parts = partsOf(item);
  const said = parts.length > 1 ? parts.slice(-MOST_WORDS) : [item.said];
  if (!FIRST_WORDS.has(said[0] ?? '')) return lastOfParts(parts, at);
  for (let end = at + 1; end < at + MOST_WORDS; end += 1) {
    const next = items[end];
    if (next === undefined || next.isMark || said.length >= MOST_WORDS) break;
    said.push(...partsOf(next));
  }
  for (let count = Math.min(said.length, MOST_WORDS); count > 0; count -= 1) {
    const found = nameOf(said.slice(0, count), { items, at });
    if (found) return found;
  }
  return lastOfParts(parts, at);
}

function nameOf(
  said: readonly string[],
  { items, at }: { readonly items: Items; readonly at: number },
): Name | null {
  const kind = KINDS.get(said.join(' '));
  if (kind === undefined) return null;
  // Where the parts of the items end: `api-key` is one item of two words.
  let end = at;
  let left = said.length;
  while (left > 0) {
    const item = items[end];
    if (item === undefined) return null;
    left -= partsOf(item).length;
    end += 1;
  }
  if (left < 0) return null;
  const before = items[at - 1];
  const isOther =
    said.length === 1 && OF_OTHERS.get(said[0] ?? '')?.has(before?.said.split('-').at(-1) ?? '');
  return isOther === true ? null : { kind, end };
}

function lastOfParts(parts: readonly string[], at: number): Name | null {
  for (let from = 1; from < parts.length; from += 1) {
    const rest = parts.slice(from);
    const kind = KINDS.get(rest.join(' '));
    const isOther = OF_OTHERS.get(rest.join(' '))?.has(parts[from - 1] ?? '') === true;
    if (kind !== undefined && !isOther) return { kind, end: at + 1 };
  }
  const kind = compoundKind(parts.at(-1) ?? '');
  return kind === null ? null : { kind, end: at + 1 };
}
