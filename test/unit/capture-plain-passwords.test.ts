/** Passwords that look like words: the user, the flag or the line beside them tells. */
import { describe, expect, it } from 'vitest';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

describe('a password in plain words', () => {
  it.each([
    'my API key is the same as my birthday, 19800412',
    'My password is the same as my dog’s name, Rex.',
    'My PIN is the same as my birth year (1980)',
    "The wifi password is still the same as my sister's name: tiger",
    'My PIN is the same as 4711.',
    'My login for Netflix: ada@x.de, and the second part is tiger',
    'My Netflix account is ada@x.de, the other half: blauwal.',
    'I use the passphrase correct horse battery staple',
    'My login is ada and greenapples.',
    'I sign in as ada with greenapples',
    'I use Tr0ub4dor&3 everywhere.',
    'My Wi-Fi is called Huber and the key is Kaktus9.',
    'Our WLAN is Huber, key: Kaktus9',
    'My laptop opens with Kaktus9!',
    'My phone unlocks with Kaktus9.',
    'I use the same password everywhere, Kaktus9.',
    'I use the same password everywhere: Kaktus9.',
    'I use the same password everywhere: Sonnenblume.',
    'I have one password for everything, Kaktus9',
    'My key phrase: correct horse battery staple.',
    'My wifi password is the name of my cat, Minka.',
    "My password is my dog's name, Rex.",
    'My PIN is the year of my birth, 1987.',
    'My API key is abcd-efgh-ijkl',
    'I use -p greenapples with mysql',
    'user ada, greenapples is the pass',
    'login: ada / greenapples',
    'username ada, password greenapples',
    'username ada\npassword greenapples',
    'my creds: ada:greenapples',
    'curl -u ada:greenapples https://x.example',
    'ssh ada@host with greenapples',
    'The key in my authenticator app is jbsw y3dp ehpk 3pxp',
    'greenapples is my password for everything.',
    'Use greenapples as the password for the NAS.',
    'I changed my password from redapples to greenapples.',
    'My new password will be greenapples from Monday.',
    "Password (don't share!): hunter2",
    'wifi HomeNet, pw greenapples',
    'Passcode hunter2',
    'https://x.test/?password=hunter2',
    'Authorization: Basic YWRhOmdyZWVuYXBwbGVz',
    'site,login,password\nshop,ada,greenapples',
    'La mia password è greenapples',
    '我的密码是 greenapples',
  ])('is in %j', (text) => expect(hasSecret(text)).toBe(true));

  it.each([
    'Security is my password policy of choice.',
    'I lost the key to my flat.',
    'My laptop opens with a click.',
    'My laptop opens PDFs with Acrobat9.',
    'The key is to start early.',
    'My Wi-Fi is slow and the key is to restart it.',
    'I use the same password everywhere.',
    'I use the same password everywhere, sadly.',
    'I use the same password everywhere, Bob.',
    'I use the same password everywhere: home, work and school.',
    'My password is the name of my cat.',
    "My password is my dog's name, lol.",
    'My cat has the same name as my dog, Minka.',
    'The key phrase of the talk is that we ship weekly.',
    'My password is the same as before, sadly.',
    'My password is the same as my email password, unfortunately.',
    'My middle name is the same as my birthday month, April.',
    'My PIN is the same as my sister’s.',
    'My account has two parts, the second part is missing.',
    'The login page is slow, and the second part is worse.',
    'My login works, but the other half of the team has none.',
    'Use Bitwarden as the password manager.',
    'I changed my password from time to time.',
    'My password will be changed tomorrow.',
    'The wifi is slow, key customers complain.',
    'Authorization: Basic auth is enough.',
    'name,city,note\nAda,Rome,likes tea',
    'La mia password è sicura',
    'I use the passphrase generator from Bitwarden',
    'I use the passphrase stored in my vault',
    'My login is slow and buggy.',
    'My login is Google and Facebook.',
    'I sign in as admin with Okta',
    'I sign in as ada with fingerprint',
    'I log in as guest with facebook',
    'I use AT&T everywhere.',
    'I use C++17 everywhere',
    'My API key is read-only-mode',
    'My API key is rate-limited',
    'I use mkdir -p with nested folders',
    'I use -p 3306 with mysql',
    'login: email / password',
    'login: google / facebook',
    'username and password login',
    'The username is my email',
    'docker run -u 1000:1000 app',
    'I ssh into ada@host with tmux',
    'ssh ada@host with agent-forwarding',
    'My authenticator app is with that from this',
    'I scp files to ada@host with keys',
    'I use curl -u $USER:$PASS',
    'I sign in as ada with password',
    'My login page has a typo',
  ])('is not in %j', (text) => expect(hasSecret(text)).toBe(false));
});

async function reasonsOf(talk: string): Promise<readonly string[]> {
  const turns = talk
    .split(' || ')
    .map((said, n) =>
      turnOf(said.replace(/^A:/, ''), n, said.startsWith('A:') ? 'assistant' : 'user'),
    );
  const { gated } = await gateTurns(turns, gating);
  return gated.map(({ verdict }) => (verdict.isKept ? 'kept' : verdict.reason));
}

describe('a value stands apart from its name', () => {
  it.each([
    'The wifi password is on the next line.\ngreenapples',
    'pw below\ntr0ub4dor&3',
    'username ada\npassword greenapples',
    'My password is || greenapples',
    "A:What's your password? || greenapples",
    "A:What's your wifi password? || It's greenapples, all lower case.",
    'A:Please tell me your password. || greenapples, all lowercase',
    "A:What's the password for the router? || greenapples without spaces",
    "A:What's your password? || Sure, it's greenapples with a capital G.",
    "A:What's the PIN? || It's four seven one one.",
    "A:What's your passphrase? || That would be correct horse battery staple",
    'A:Which password should I use? || Use greenapples with a capital G',
    "A:What's your password? || greenapples, one word, no spaces",
  ])('%j', async (talk) => expect((await reasonsOf(talk)).at(-1)).toBe('secret'));

  it.each([
    'My name is || Ada Lovelace, and I live in Bern.',
    'The password policy is below.\nI live in Bern.',
    "A:What's your address? || I live in Bern.",
    'My password is || I live in Bern.',
    "A:What's your password? || I don't remember it, I live in Bern.",
    'A:Did you reset your password? || Yes, and I live in Bern now.',
    'A:Which password manager do you use? || I live in Bern with a cat.',
    'A:Where do you keep your password? || I live in Bern.',
  ])('of others: %j', async (talk) => expect((await reasonsOf(talk)).at(-1)).toBe('kept'));

  it.each([
    "A:What's your favourite fruit? || It's green apples, all kinds.",
    "A:What's your name? || It's adelina, all lower case.",
    "A:What's the name of your dog? || It's rex, in lower case.",
    'A:How many pages? || four seven one one',
  ])('no secret: %j', async (talk) => expect((await reasonsOf(talk)).at(-1)).not.toBe('secret'));

  it.each([
    ["greenapples, that's my password.", true],
    ['greenapples is what I type to log in.', true],
    ['With greenapples you get into my mail.', true],
    ['The word greenapples opens my laptop.', true],
    ["Bitwarden, that's my password manager.", false],
    ['Python is what I use to get data.', false],
    ['With patience you get into my good books.', false],
    ['The word serendipity opens my poem.', false],
  ])('%j: %s', (said, is) => expect(hasSecret(said)).toBe(is));
});
