/** Keys for tests, and the signatures of approvers. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { approvalMessage } from '../../src/model/proposal.ts';

export interface ApprovalKey {
  /** 64 hexadecimal digits. */
  readonly publicKey: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export function newKey(): ApprovalKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey: raw.toString('hex'),
    keyId: createHash('sha256').update(raw).digest('hex'),
    privateKey,
  };
}

export const signed = (digest: string, key: ApprovalKey) => ({
  key_id: key.keyId,
  signature: sign(null, Buffer.from(approvalMessage(digest)), key.privateKey).toString('hex'),
});
