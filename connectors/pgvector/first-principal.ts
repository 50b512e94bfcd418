/**
 * The first principal of a tenant on a server, by the login that migrates: nobody else can sign for
 * it. A sealed function stores it only where the tenant has none.
 */
import { createHash } from 'node:crypto';
import { PERMISSION_KEYS } from '../../src/model/permission.ts';
import type { RightsChange } from '../../src/model/proposal.ts';
import type { OwnerDatabase } from './driver/sql.ts';
import { toWriteError } from './refusals.ts';

export interface FirstPrincipal {
  readonly tenant: string;
  readonly principal: string;
  /** The 32 bytes of an ed25519 public key, in hexadecimal digits. */
  readonly public_key?: string;
}

/**
 * A human who holds every right at T1 in the whole tenant. Rejects with
 * `PERMISSION.RIGHTS_REFUSED` where a principal is stored, `PERMISSION.DENIED` for another login.
 */
export async function addFirstPrincipal(
  owner: OwnerDatabase,
  { tenant, principal, public_key: publicKey }: FirstPrincipal,
): Promise<void> {
  const change: RightsChange = {
    action: 'set',
    principal,
    kind: 'human',
    tiers: Object.fromEntries(PERMISSION_KEYS.map((key) => [key, 'T1'])),
    scopes: '*',
  };
  const key: RightsChange | null =
    publicKey === undefined
      ? null
      : {
          action: 'add_key',
          principal,
          public_key: publicKey,
          key_id: createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex'),
        };
  await owner
    .transaction(async (tx) => {
      await tx.query(
        "select set_config('contextengine.tenant', $1, true), " +
          "set_config('contextengine.scopes', '*', true)",
        [tenant],
      );
      // By the clock of the server, in the name of the login.
      await tx.query(
        `select context_ops.add_first_principal($1, $2::jsonb, $3::jsonb, jsonb_build_object(
           'at', context_ops.audit_time(clock_timestamp()), 'principal', session_user::text))`,
        [tenant, JSON.stringify(change), key && JSON.stringify(key)],
      );
    })
    .catch((error: unknown) => {
      throw toWriteError(error);
    });
}
