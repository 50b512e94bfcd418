/** The engine's forgetting: what is named is out of sight at once, and erased later. */
import { ContextEngineError } from '../codes/errors.ts';
import type { TargetKind } from '../model/erasure.ts';
import { TARGET_KINDS } from '../model/erasure.ts';
import { parseUuid, shown, toEpochMs, toInstant, type Uuid } from '../model/ids.ts';
import { type Grant, strictest, type Tier } from '../model/permission.ts';
import { isPlain } from '../model/plain-copy.ts';
import type { CallOptions, ContextEngine, ForgetTarget } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

export function createForgetting(parts: EngineParts): Pick<ContextEngine, 'forget'> {
  const { authority, open, permission } = parts;
  return {
    forget: open(async (target, options) => {
      const named = checkTarget(target);
      const { grant, tier } = await judged(named, parts, options);
      await parts.settled();
      const redaction = parts.newId();
      const at = parts.now();
      const eraseAfter = toInstant(toEpochMs(at) + GRACE_MS);
      const counts = await authority
        .forget({
          tenant: grant.tenant,
          redaction,
          ...named,
          scopes: grant.scopes.all ? null : [...grant.scopes.uuids],
          at,
          erase_after: eraseAfter,
          principal: grant.principal,
          on_behalf_of: grant.onBehalfOf,
          tier,
        })
        .catch(async (error: unknown) => {
          if (error instanceof ContextEngineError && error.code === 'PERMISSION.DENIED')
            await permission.tell(grant, { detail: redaction, tier, key: 'redactions' }, ENTRANCE);
          throw error;
        });
      return { redaction_uuid: redaction, outcome: 'suppressed', counts, erase_after: eraseAfter };
    }),
  };
}

/** Thirty days, in milliseconds. */
const GRACE_MS = 30 * 24 * 3600 * 1000;
const ENTRANCE = { door: 'forget', field: 'target' };
const UUID_KINDS: ReadonlySet<TargetKind> = new Set(['version', 'root', 'block', 'scope']);

interface Named {
  readonly kind: TargetKind;
  readonly value: string;
}

function checkTarget(target: ForgetTarget): Named {
  const given: unknown = target;
  const keys = typeof given === 'object' && given !== null && isPlain(given) ? given : {};
  const [entry, ...more] = Object.entries(keys);
  const kind = TARGET_KINDS.find((known) => known === entry?.[0]);
  if (!entry || !kind || more.length > 0)
    throw invalid(
      'target',
      Object.keys(keys).join(', '),
      `Name one of ${TARGET_KINDS.join(', ')}.`,
    );
  const [, value] = entry;
  if (kind === 'tenant') {
    if (value !== true) throw invalid('tenant', value, 'Pass `{ tenant: true }`.');
    return { kind, value: '' };
  }
  if (UUID_KINDS.has(kind)) return { kind, value: parseUuid(value, kind) };
  if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed())
    throw invalid(kind, value, `Pass the ${kind} as the rows have it.`);
  if (kind === 'text' && value.trim().length < SHORTEST_TEXT)
    throw invalid(kind, value, `Pass at least ${SHORTEST_TEXT} characters: less is in every text.`);
  return { kind, value };
}

const SHORTEST_TEXT = 4;

/** `redactions`, by the strictest manifest that serves a scope it may reach. */
async function judged(
  { kind, value }: Named,
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<{ readonly grant: Grant; readonly tier: Tier }> {
  const { permission } = parts;
  const grant = await grantOf(parts, options, 'forget');
  const scope = kind === 'scope' ? parseUuid(value, 'scope') : null;
  const scopes = scope ? [scope] : await scopesOf({ kind, value }, parts, grant);
  const blocks = await permission.blocksOf(grant, scopes ?? []);
  const types = scopes
    ? [...blocks.values()].map(({ block_type: type }) => type)
    : parts.manifests.manifests.map(({ scopeBlockType }) => scopeBlockType);
  const isHeld = kind === 'tenant' ? grant.scopes.all : scope === null || blocks.has(scope);
  const tier = strictest(
    isHeld ? 'T1' : 'excluded',
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.redactions,
    ...types.map((type) => permission.policy.tierOf(type, 'redactions') ?? 'T1'),
  );
  if (tier !== 'T1') await permission.deny(grant, { tier, key: 'redactions', scope }, ENTRANCE);
  return { grant, tier };
}

/** Where the rows lie that an id names; null = anywhere. */
async function scopesOf(
  { kind, value }: Named,
  { authority }: EngineParts,
  { tenant, scopes }: Grant,
): Promise<readonly Uuid[] | null> {
  if (!UUID_KINDS.has(kind)) return null;
  const held = scopes.all ? '*' : [...scopes.uuids];
  const uuid = parseUuid(value, kind);
  const { rows } = await authority.read(
    kind === 'version'
      ? { kind: 'versions', tenant, scopes: held, uuids: [uuid] }
      : { kind: 'history', tenant, scopes: held, roots: [uuid] },
  );
  return [...new Set(rows.map(({ row }) => row.scope_uuid))];
}

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });
