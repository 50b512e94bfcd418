import { expect, it } from 'vitest';
import { hasSecret } from '../../src/capture/secrets/has-secret.ts';

it.each([
  'The admin account is root:toor.',
  'user root, pw toor',
  'VPN secret 8812abc',
  'Log in as admin with toor',
  'The router opens with admin/admin1234',
  'The keypad wants 5512',
  'To get in, press 4471 and then the hash',
  'root:toor',
  'admin:admin works on the NAS',
  'The router is admin/admin',
  'I log in with admin:admin',
  'I logged in using ada:sunshine',
  'note: alarm 4471',
])('is a way in: %s', (text) => expect(hasSecret(text)).toBe(true));

it.each([
  'The user changed, pw reset',
  'The account is root:22 in the list',
  'Log in as admin with ssh',
  'Log in as Ada with the new phone',
  'The meeting opens with sales/2026',
  'The safe needs 4000 euros of repairs',
  'To get in, press 1 and wait',
  'The VPN secret is safe with me',
  'The app wants 5512 points',
  'chown root:root /etc/passwd',
  'The file is owned by root:admin',
  'We use the scopes user:email and admin:org',
  'I read admin/users every day',
  'I am the admin/support person',
  'I log in with email/password',
  'I log in with Google:SSO',
  'My alarm 0630 is early',
])('is none: %s', (text) => expect(hasSecret(text)).toBe(false));
