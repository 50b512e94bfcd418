/** What answers a question for a secret, at once and a turn later, and what answers another. */
import { describe, expect, it } from 'vitest';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

/** Turns between `||`; `A:` is the assistant. Whether the last one is declined as a secret. */
async function isSecretLast(talk: string): Promise<boolean> {
  const turns = talk.split(' || ').map((said, n) => {
    const isAssistant = said.startsWith('A: ');
    const turn = turnOf(isAssistant ? said.slice(3) : said, n, isAssistant ? 'assistant' : 'user');
    return isAssistant ? { ...turn, author: 'Bot' } : turn;
  });
  const { gated } = await gateTurns(turns, gating);
  const last = gated.filter(({ turn }) => turn === turns.at(-1));
  return last.some(({ verdict }) => !verdict.isKept && verdict.reason === 'secret');
}

describe('an answer to what asks for a secret', () => {
  it.each([
    "A: What's your password? || I chose Rex2019",
    "A: What's your password? || I prefer 229114",
    "A: What's your password? || let's go with tiger99",
    "A: What's your password? || use sunshine",
    "A: What's your password? || OK, I'd go with bluewhale",
    "A: What's your password? || my cat's name, Tiger",
    'A: whats ur password || I went for Hunter22',
    'A: Please choose a password. || I like purple monkey',
    'A: Password? || I take sunshine',
    'A: What is the PIN of your card? || I picked 4471',
    'A: What is the PIN of your card? || hm, wait || 4471',
    'A: Which PIN shall I use? || The usual, 4471',
    'A: Please choose a password. || how long? || A: 8 characters. || I prefer Rex2019',
    "A: What's your password? || Rex2019 || no, I meant Rex2020",
    'What should my password be? || I chose Rex2019',
    'What should my password be? I chose Rex2019.',
    "What should my new PIN be? || Let's use 4471",
    'Wie lautet dein Passwort? || Ich nehme Sonne77',
  ])('is none to keep: %s', async (talk) => expect(await isSecretLast(talk)).toBe(true));

  it.each([
    'A: How do you store your passwords? || I use Bitwarden',
    'A: Which password manager do you prefer? || I prefer KeePass',
    "A: What's your password policy? || I prefer long ones",
    'A: What is your favourite colour? || I prefer purple',
    "A: Please choose a password. What's your favourite food? || I like tacos",
    'A: Please choose a password. || I prefer a longer one.',
    'A: Choose a PIN. || done || A: What is your phone number? || I use 555 0122',
    "A: What's your password? || I'd rather not say. I live in Rome.",
    "A: What's your password? || I forgot it. I work at Siemens.",
    'How do I choose a good password? I prefer short answers.',
    'I use the same password everywhere. I like tea.',
    'What should my password be? I live in Rome.',
    'A: What code editor do you use? || I use VSCode2',
    'A: Which key do you play in? || I prefer D minor',
    'A: What dress code do you prefer? || I prefer casual',
    'A: Choose a PIN. || a || b || c || d || e || I prefer 4471',
  ])('is another: %s', async (talk) => expect(await isSecretLast(talk)).toBe(false));
});

it.each([
  'my passphrase is purple monkey',
  'la mia password è gatto',
  "parola d'ordine: gattonero",
  'il mio PIN è 4471',
  'mi contraseña es gato',
  'minha senha é gatopreto',
  'meu PIN é 4471',
  'mijn wachtwoord is zwartekat',
  'wachtwoord: kater',
  'moje hasło to czarnykot',
  'hasło: czarnykot',
  'mon mot de passe est chat',
  'mon code est le 4471',
  'Das Passwort für den Server lautet kater',
  'my pin number backwards is 1744',
  'my password rot13 is fhafuvar',
  'The secret answer to my bank is Fluffy',
  "My mother's maiden name is Krause, for the bank.",
  'remember: sunshine is what I type at the login',
])('is a secret behind its name: %s', (text) => expect(hasSecret(text)).toBe(true));

it.each([
  'La mia password è scaduta.',
  'Mi contraseña es la misma.',
  'Mijn wachtwoord is te lang.',
  'Moje hasło to nie problem.',
  'Minha senha é muito longa.',
  'Il mio codice è su GitHub.',
  'Mon code est en Python.',
  'My passphrase is rather long.',
  'My passphrase is two words.',
  'My password is company policy.',
  "My mother's maiden name is Krause.",
])('is none behind its name: %s', (text) => expect(hasSecret(text)).toBe(false));
