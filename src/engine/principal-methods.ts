/** The engine's principals: rights and keys as they are stored, and their change. */
import { createHash } from 'node:crypto';
import { ContextEngineError } from '../codes/errors.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import { parseUuid, shown } from '../model/ids.ts';
import type { RightsChange } from '../model/proposal.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import { changeRights } from '../write/change-rights.ts';
import type { CallOptions, ContextEngine, PrincipalInput, RightsAnswer } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

const PRINCIPAL: FieldsOf<PrincipalInput> = {
  principal: true,
  kind: true,
  tiers: true,
  scopes: true,
};

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
        const public_key = checkKey(publicKey);
        const key_id = createHash('sha256').update(Buffer.from(public_key, 'hex')).digest('hex');
        return changed(
          { action: 'add_key', principal: nameOf(principal), public_key, key_id },
          options,
        );
      }),
      revokeKey: open(async (principal, keyId, options) => {
        if (typeof keyId !== 'string' || !/^[0-9a-f]{64}$/.test(keyId))
          throw invalid('key_id', keyId, 'Pass a `key_id` of `principals.list`.');
        return changed(
          { action: 'revoke_key', principal: nameOf(principal), key_id: keyId },
          options,
        );
      }),
    },
  };
}

/** The rules of a profile hold for what is stored of it. */
function checkPrincipal(input: PrincipalInput): RightsChange {
  checkFields(input, 'principal', PRINCIPAL);
  const { principal, kind, tiers, scopes } = parseProfile({ ...input, tenant: 'x' });
  const uuids = scopes === '*' ? scopes : parsedScopes(scopes);
  return { action: 'set', principal, kind, tiers: tiers ?? {}, scopes: uuids };
}

const parsedScopes = (scopes: readonly string[]) =>
  [...new Set(scopes)].sort().map((scope) => parseUuid(scope, 'scopes'));

const nameOf = (principal: unknown): string => {
  const claim = { principal, kind: 'human', tenant: 'x', scopes: [] };
  return parseProfile(claim).principal;
};

/** Points of small order, without their sign: anyone signs for such a key. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
const withoutSign = (key: string): string => {
  const last = Number.parseInt(key.slice(-2), 16) % 128;
  return key.slice(0, -2) + last.toString(16).padStart(2, '0');
};

function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key) && !SMALL_ORDER.has(withoutSign(key)))
    return key;
  throw invalid(
    'public_key',
    key,
    'Pass the 32 bytes of an ed25519 public key in hexadecimal digits.',
  );
}

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });
