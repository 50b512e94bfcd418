/** Files of ed25519 keys: PEM, as `openssl genpkey -algorithm ed25519` writes them. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextEngineError } from '../index.ts';
import type { Terminal } from './terminal.ts';

type Place = Pick<Terminal, 'cwd'>;

/** 64 hexadecimal digits. */
const rawOf = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex');

const unreadable = (file: string, cause?: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${file}\` is no readable ed25519 key.`,
    fix: 'Give the path of a PEM file; `contextengine principals key NAME --new FILE` makes one.',
    where: { file },
    ...(cause !== undefined && { cause }),
  });

function readKey(file: string, { cwd }: Place, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (cause) {
    throw unreadable(file, cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw unreadable(file);
  return key;
}

/** The public key of a PEM file, of the public or of the private half. */
export const readPublicKey = (file: string, place: Place): string =>
  rawOf(readKey(file, place, (pem) => createPublicKey(pem)));

/**
 * Writes a new private key, for its owner's eyes alone, and gives the public half. Overwrites
 * nothing.
 */
export function writeNewKey(file: string, { cwd }: Place): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  try {
    writeFileSync(resolve(cwd, file), pem, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`${file}\` cannot be written, or is there already.`,
      fix: 'Give the path of a file that is not there yet to `--new`.',
      where: { file },
      cause,
    });
  }
  return rawOf(publicKey);
}

/** Takes back a key that was just written, and that nothing was registered with. */
export const discardNewKey = (file: string, { cwd }: Place): void =>
  rmSync(resolve(cwd, file), { force: true });

/** Signs the message of a proposal. */
export function signMessage(
  message: string,
  file: string,
  place: Place,
): { readonly key_id: string; readonly signature: string } {
  const key = readKey(file, place, (pem) => createPrivateKey(pem));
  const signature = sign(null, Buffer.from(message, 'utf8'), key);
  return { key_id: keyIdOf(rawOf(createPublicKey(key))), signature: signature.toString('hex') };
}
