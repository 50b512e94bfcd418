/** The engine's principals: rights and keys as they are stored, and their change. */
import { createHash } from 'node:crypto';
import { checkInput } from '../../inputs/check-input.ts';
import { parseUuid } from '../../model/ids.ts';
import type { RightsChange } from '../../model/proposal.ts';
import { changeRights } from '../../write/change-rights.ts';
import type {
  CallOptions,
  ContextEngine,
  PrincipalInput,
  RightsAnswer,
} from '../context-engine.ts';
import { type EngineParts, grantOf } from '../engine-parts.ts';

export function createPrincipals(parts: EngineParts): Pick<ContextEngine, 'principals'> {
  const { authority, open, permission, writer } = parts;
  const changed = async (
    change: RightsChange,
    options: CallOptions | undefined,
  ): Promise<RightsAnswer> => {
    const grant = await grantOf(parts, options, 'principals');
    const by = { authority, permission, grant, now: parts.now(), writer };
    const proposal = await changeRights(change, by);
    return proposal === null
      ? { outcome: 'stored', proposal: null }
      : { outcome: 'quarantined', proposal };
  };
  return {
    principals: {
      list: open(async (options) => {
        const grant = await grantOf(parts, options, 'principals');
        const entrance = { door: 'principals', field: 'permission_profile' };
        await permission.assertAuditor(grant, entrance);
        const stored = await authority.listPrincipals(grant.tenant);
        return stored.map(({ scopes, isDisabled, ...rest }) => ({
          ...rest,
          scopes: scopes.all ? ('*' as const) : [...scopes.uuids],
          is_disabled: isDisabled,
        }));
      }),
      set: open(async (input, options) => changed(checkPrincipal(input), options)),
      disable: open(async (principal, options) =>
        changed({ action: 'disable', principal: nameOf(principal) }, options),
      ),
      enable: open(async (principal, options) =>
        changed({ action: 'enable', principal: nameOf(principal) }, options),
      ),
      addKey: open(async (principal, publicKey, options) => {
        checkInput('public_key', { public_key: publicKey });
        const public_key = publicKey;
        const key_id = createHash('sha256').update(Buffer.from(public_key, 'hex')).digest('hex');
        return changed(
          { action: 'add_key', principal: nameOf(principal), public_key, key_id },
          options,
        );
      }),
      revokeKey: open(async (principal, keyId, options) => {
        checkInput('key_name', { key_id: keyId });
        return changed(
          { action: 'revoke_key', principal: nameOf(principal), key_id: keyId },
          options,
        );
      }),
    },
  };
}

function checkPrincipal(input: PrincipalInput): RightsChange {
  checkInput('principal', input);
  const { principal, kind, tiers, scopes } = input;
  const uuids = scopes === '*' ? scopes : parsedScopes(scopes);
  return { action: 'set', principal, kind, tiers: tiers ?? {}, scopes: uuids };
}

const parsedScopes = (scopes: readonly string[]) =>
  [...new Set(scopes.map((scope) => parseUuid(scope, 'scopes')))].sort();

function nameOf(principal: string): string {
  checkInput('principal_name', { principal });
  return principal;
}
