/** Secrets by where they stand: seeds of authenticators, users of addresses, pairs, next lines. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

describe('a secret', () => {
  it.each([
    'my 2fa seed is JBSWY3DPEHPK3PXP',
    'the seed for my 2fa is JBSWY3DPEHPK3PXP',
    'I scanned JBSWY3DPEHPK3PXP into Authy',
    'my 2fa seed is KRSXGXXDMVRXEZLU',
    'My 2fa setup key is jbswy3dpehpk3pxp',
    'our DSN is https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1',
    'https://1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed@logs.acme.example/x',
    'postgres://ada@host/db?password=hunter2',
    'login ada / hunter2!X9',
    'login ada, hunter2!X9',
    'router login admin / Blauwal88',
    'staging: ada / hunter2!X9',
    'jenkins admin/hunter2!X9',
    'u: ada p: hunter2!X9',
  ])('is in %j', (text) => expect(hasSecret(text)).toBe(true));

  it.each([
    'I work on INTERNATIONALIZATION',
    'My site is https://ada@example.org/me',
    'ssh://git@github.com/a/b is the remote',
    'I log in / out daily',
    'login via Okta / MFA',
    'login / logout v2 is done',
    'I use 2FA with a YubiKey',
    'I planted SUNFLOWER seeds',
  ])('is not in %j', (text) => expect(hasSecret(text)).toBe(false));
});

it.each(['my password is:\nhunter2', 'the pin for my card is:\n4711', 'my api key =\n\nabc123def'])(
  'is on the next line: %j',
  (content) => {
    const pieces = [...gatedPieces(turnOf(content), gating)];
    const reasons = pieces.map(({ verdict }) => (verdict.isKept ? 'kept' : verdict.reason));
    expect(new Set(reasons)).toEqual(new Set(['secret']));
  },
);
