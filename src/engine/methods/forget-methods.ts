/** The engine's forgetting: what is named is out of sight at once, and erased later. */
import type { OpenedAuthority } from '../../../connectors/index.ts';
import { ContextEngineError } from '../../codes/errors.ts';
import { isSigned } from '../../cxri/certificate.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { nothingNamed } from '../../ledger/refusals.ts';
import {
  type ErasureCertificate,
  type Redaction,
  TARGET_KINDS,
  type TargetKind,
} from '../../model/erasure.ts';
import { parseUuid, shown, toEpochMs, toInstant, type Uuid } from '../../model/ids.ts';
import { type Grant, strictest, type Tier } from '../../model/permission.ts';
import { isPlain } from '../../model/plain-copy.ts';
import { comparableText } from '../../text/visible-text.ts';
import { optionsOf } from '../check-options.ts';
import type { CallOptions, ContextEngine } from '../context-engine.ts';
import { type EngineParts, grantOf } from '../engine-parts.ts';
import { followForgetting } from '../follow-forgetting.ts';
import type { KeptVectors } from '../kept-vectors.ts';
import { keyedDigests } from '../keyed-digests.ts';
import { type Judgement, type Named, proposeForget, rowsOf } from '../propose-forget.ts';
import { bringBack } from './bring-back-method.ts';
import type { ForgetAnswer, ForgetOptions, ForgetTarget } from './forget-surface.ts';

interface Forgetting extends EngineParts {
  readonly keptVectors: KeptVectors;
  readonly opened: Pick<OpenedAuthority, 'compact'>;
}

export function createForgetting(
  parts: Forgetting,
): Pick<ContextEngine, 'forget' | 'erasure' | 'keyedDigests'> {
  const { open } = parts;
  return {
    keyedDigests: open((options?: CallOptions) => keyedDigests(parts, options)),
    forget: open((target, options) => forgotten(checkTarget(target), parts, optionsOf(options))),
    erasure: {
      list: open(async (asked, options) => {
        const { tenant } = await auditorOf(parts, options);
        return parts.authority.listRedactions(tenant, { limit: limitOf(asked ?? {}) });
      }),
      erase: open(async (redaction, options) => {
        const { grant, tier } = await eraserOf(parts, options);
        const { tenant } = grant;
        const finished = finishing(grant, parts, options);
        if (redaction !== null) {
          const id = parseUuid(redaction, 'redaction');
          await finished(...(await parts.authority.listRedactions(tenant, { limit: 1, id })));
          return [await erased(id, { grant, tier }, parts)];
        }
        const due_by = parts.now();
        await parts.authority.lapseProposals(tenant, due_by);
        const certificates: ErasureCertificate[] = [];
        for (let isMore = true; isMore; ) {
          // What is erased is not due any more: each page is the first.
          const due = await parts.authority.listRedactions(tenant, { limit: PAGE, due_by });
          await finished(...due);
          for (const { redaction_uuid: uuid } of due)
            certificates.push(await erased(uuid, { grant, tier }, parts));
          isMore = due.length === PAGE;
        }
        return certificates;
      }),
      bringBack: open((redaction, options) => bringBack(parts, redaction, options)),
      certificate: open(async (redaction, options) => {
        const { tenant } = await auditorOf(parts, options);
        const uuid = parseUuid(redaction, 'redaction');
        const certificate = await parts.authority.loadCertificate(tenant, uuid);
        if (certificate) return certificate;
        throw noCertificate(uuid);
      }),
      check: open(async (certificate, options) => {
        const { tenant } = await auditorOf(parts, options);
        const key = await parts.authority.signingKey(tenant);
        const isOne = isCertificate(certificate);
        return {
          is_whole: isOne && isSigned(certificate),
          is_ours: key === null ? null : isOne && certificate.public_key === key,
        };
      }),
      verify: open(async (texts, options) => {
        const { tenant } = await auditorOf(parts, options);
        await parts.settled();
        return parts.authority.scanCopies(tenant, checkTexts(texts ?? []));
      }),
      compact: open(async (options) => {
        await eraserOf(parts, options);
        if (parts.opened.compact === null)
          throw new ContextEngineError('CONFIG.INVALID_VALUE', {
            message: 'The database is on a `server`: its files are not the engine’s.',
            fix: 'Run `vacuum full` as the owner; its log goes with checkpoints and archives.',
          });
        await parts.settled();
        await parts.opened.compact();
      }),
    },
  };
}

const noCertificate = (uuid: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `There is no certificate of \`${uuid}\`: it is not erased, or not there.`,
    fix: 'See `erasure.list` or `contextengine erase --list`; erase it first.',
    where: { field: 'redaction' },
  });

/** The process that forgot may have died before what follows on it. */
const finishing =
  (grant: Grant, parts: Forgetting, options: CallOptions | undefined) =>
  async (...redactions: readonly Redaction[]): Promise<void> => {
    for (const { redaction_uuid: redaction, target_kind: kind, state } of redactions)
      if (state === 'suppressed')
        await followForgetting({ redaction, kind, grant }, parts, options);
  };

/** Receipts on their way are written first, so that they are found. */
async function forgotten(
  named: Named,
  parts: Forgetting,
  { now: isNow, ...options }: ForgetOptions,
): Promise<ForgetAnswer> {
  const { authority, permission } = parts;
  if (isNow !== undefined && typeof isNow !== 'boolean')
    throw invalid('now', isNow, 'Pass `true`, `false`, or leave it out.');
  const judgement = await judged(named, parts, options);
  const { grant, tier, grace_days: days } = judgement;
  if (tier === 'T2' || tier === 'T3')
    return proposeForget(named, { ...judgement, tier, isNow: isNow === true }, parts);
  await parts.settled();
  const redaction = parts.newId();
  const at = parts.now();
  const eraseAfter = toInstant(toEpochMs(at) + days * DAY_MS);
  const by = { principal: grant.principal, on_behalf_of: grant.onBehalfOf, tier };
  const scopes = grant.scopes.all ? null : [...grant.scopes.uuids];
  const request = { tenant: grant.tenant, redaction, ...named, ...by, scopes, at };
  const counts = await parts.outage
    .watch(
      () => authority.forget({ ...request, erase_after: eraseAfter }),
      () => true,
    )
    .catch(async (error: unknown) => {
      if (error instanceof ContextEngineError && error.code === 'PERMISSION.DENIED')
        await permission.auditRefusal(
          grant,
          { detail: redaction, tier, key: 'redactions' },
          ENTRANCE,
        );
      throw error;
    });
  // What is out of sight is written; a cache that is down is dropped before anything is erased.
  await parts.keptVectors.drop(grant.tenant).catch(() => undefined);
  const followed = await followForgetting({ redaction, kind: named.kind, grant }, parts, options);
  const answer = { redaction_uuid: redaction, counts, erase_after: eraseAfter, followed };
  if (isNow !== true) return { ...answer, outcome: 'suppressed', certificate: null };
  const certificate = await erased(redaction, { grant, tier }, parts);
  return { ...answer, counts: certificate.reached, outcome: 'erased', certificate };
}

/** Again it gives the certificate of then. */
async function erased(
  redaction: Uuid,
  { grant, tier }: { readonly grant: Grant; readonly tier: Tier },
  parts: Forgetting,
): Promise<ErasureCertificate> {
  const { tenant, principal, onBehalfOf } = grant;
  await parts.settled();
  await parts.keptVectors.drop(tenant);
  const certificate = await parts.outage.watch(
    () =>
      parts.authority.erase({
        tenant,
        redaction,
        at: parts.now(),
        principal,
        on_behalf_of: onBehalfOf,
        tier,
      }),
    () => true,
  );
  return certificate;
}

async function auditorOf(parts: EngineParts, options: CallOptions | undefined): Promise<Grant> {
  const grant = await grantOf(parts, options, 'erasure');
  await parts.permission.assertAuditor(grant, { door: 'erasure', field: 'permission_profile' });
  return grant;
}

/** Who ends a grace period holds `redactions` of the whole tenant. */
async function eraserOf(
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<{ readonly grant: Grant; readonly tier: Tier }> {
  const grant = await auditorOf(parts, options);
  const manifests = parts.permission.policy.strictestOf('redactions');
  const tier = strictest(grant.tiers.redactions, manifests);
  const entrance = { door: 'erase', field: 'permission_profile' };
  if (tier !== 'T1')
    await parts.permission.deny(grant, { tier, key: 'redactions', scope: null }, entrance);
  return { grant, tier };
}

const tiersOf = (types: readonly string[], { permission }: EngineParts): readonly Tier[] =>
  types.map((type) => permission.policy.tierOf(type, 'redactions') ?? 'T1');

/** Due redactions that are read at once. */
const PAGE = 20;

function limitOf(asked: { readonly limit?: number }): number {
  checkInput('redaction_listing', asked);
  return asked.limit ?? 100;
}

function checkTexts(texts: readonly string[]): readonly string[] {
  const given: unknown = texts;
  if (!Array.isArray(given)) throw invalid('texts', given, 'Pass a list of texts.');
  for (const text of given)
    if (typeof text !== 'string' || isUnseen(text) || !text.isWellFormed())
      throw invalid('texts', text, 'Pass texts that are not empty.');
  return texts;
}

const isCertificate = (value: unknown): value is ErasureCertificate =>
  typeof value === 'object' &&
  value !== null &&
  'public_key' in value &&
  typeof value.public_key === 'string' &&
  'signature' in value &&
  typeof value.signature === 'string';

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_GRACE_DAYS = 30;

/** The fewest that a manifest says of a scope that the target may reach. */
function graceDays(types: readonly string[], { manifests }: EngineParts): number {
  const said = manifests.manifests.flatMap(({ scopeBlockType, retention, variants }) =>
    types.includes(scopeBlockType)
      ? [retention, ...variants.map(({ manifest }) => manifest.retention)]
      : [],
  );
  const days = said.flatMap((retention) => retention.graceDays ?? []);
  return days.length === 0 ? DEFAULT_GRACE_DAYS : Math.min(...days);
}

const ENTRANCE = { door: 'forget', field: 'target' };
const UUID_KINDS: ReadonlySet<TargetKind> = new Set(['version', 'root', 'block', 'scope']);

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
  if (typeof value !== 'string' || isUnseen(value) || !value.isWellFormed())
    throw invalid(kind, value, `Pass the ${kind} as the rows have it.`);
  if (kind === 'text' && comparableText(value).trim().length < SHORTEST_TEXT)
    throw invalid(kind, value, `Pass at least ${SHORTEST_TEXT} characters: less is in every text.`);
  return { kind, value };
}

const SHORTEST_TEXT = 4;

const isUnseen = (text: string): boolean => comparableText(text).trim() === '';

/** `redactions`, by the strictest manifest that serves a scope it may reach. */
async function judged(
  { kind, value }: Named,
  parts: EngineParts,
  options: CallOptions,
): Promise<Judgement> {
  const { permission } = parts;
  const grant = await grantOf(parts, options, 'forget');
  const scope = kind === 'scope' ? parseUuid(value, 'scope') : null;
  const scopes = scope ? [scope] : await scopesOf({ kind, value }, parts, grant);
  const blocks = await permission.blocksOf(grant, scopes ?? []);
  const types = scopes
    ? [...blocks.values()].map(({ block_type: type }) => type)
    : parts.manifests.manifests.map(({ scopeBlockType }) => scopeBlockType);
  const isHeld = kind === 'tenant' ? grant.scopes.all : scope === null || blocks.has(scope);
  const own = strictest(
    isHeld ? 'T1' : 'excluded',
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.redactions,
  );
  const judgedTier = strictest(own, ...tiersOf(types, parts));
  // Who may not forget it by themselves, nor read it, is answered as if it were absent.
  const isRead = (scopes ?? []).every((each) => {
    const block = blocks.get(each);
    return block !== undefined && permission.mayRead(grant, block);
  });
  const isAbsent = judgedTier !== 'T1' && !isRead;
  const tier = !isAbsent ? judgedTier : scope === null ? own : 'excluded';
  if (tier === 'excluded')
    await permission.deny(grant, { tier, key: 'redactions', scope }, ENTRANCE);
  if (isAbsent) throw nothingNamed();
  return { grant, tier, grace_days: graceDays(types, parts) };
}

/** Where the rows lie that an id names; null = anywhere. */
async function scopesOf(
  named: Named,
  parts: EngineParts,
  grant: Grant,
): Promise<readonly Uuid[] | null> {
  if (!UUID_KINDS.has(named.kind)) return null;
  const rows = await rowsOf(named, parts, grant);
  return [...new Set(rows.map(({ row }) => row.scope_uuid))];
}

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });
