/** The engine's write methods: each turns its input into operations and sends them down the one write path. */

import type { CallOptions, ContextEngine } from './context-engine.ts';
import type { Authority } from './cxri/authority.ts';
import { ContextEngineError } from './errors.ts';
import type { Embedder } from './inference/embedder.ts';
import { checkFields } from './model/fields.ts';
import { judgeProfile } from './model/grant.ts';
import type { Instant, TenantId, Uuid } from './model/ids.ts';
import { parseTenant, parseUuid } from './model/ids.ts';
import type { ManifestSet } from './model/manifest.ts';
import type { Operation, WriteResult } from './model/operation.ts';
import type { Grant, PermissionProfile } from './model/permission.ts';
import { holds } from './model/permission.ts';
import type { FactInput, ScopeInput, TurnInput, TypedOptions } from './model/write-input.ts';
import type { OutageMarker } from './telemetry/outage-marker.ts';
import { checkUuids, instantOr } from './write/check-content.ts';
import { embedPending } from './write/embed-rows.ts';
import { SCOPE_FIELDS } from './write/input-fields.ts';
import { recordOutcome } from './write/outcome.ts';
import { restoreScope } from './write/restore.ts';
import type { Making, TypedInput } from './write/to-operations.ts';
import {
  factOperation,
  linkOperation,
  scopeOperations,
  summaryOperation,
  turnOperation,
  typedOperation,
  unlinkOperation,
} from './write/to-operations.ts';
import { writeOperations } from './write/write.ts';

/** What the engine's methods share. */
export interface EngineParts {
  readonly authority: Authority;
  readonly manifests: ManifestSet;
  readonly embedder: Embedder | null;
  readonly digestOf: (text: string) => string;
  readonly now: () => Instant;
  readonly newId: () => Uuid;
  readonly profileOf: (call: CallOptions | undefined) => Promise<PermissionProfile>;
  readonly writer: string;
  /** Waits for the receipts that are still on their way. */
  readonly settled: () => Promise<void>;
  readonly outage: OutageMarker;
  /** Refuses use after close. */
  readonly open: <A extends readonly unknown[], R>(body: (...args: A) => Promise<R>) => (...args: A) => Promise<R>;
}

type Writing = Pick<
  ContextEngine,
  'append' | 'remember' | 'setTyped' | 'summarize' | 'link' | 'unlink' | 'write' | 'recordOutcome' | 'importScope' | 'embedPending'
> & { readonly scopes: ContextEngine['scopes'] };

export function createWriting(parts: EngineParts): Writing {
  const { authority, embedder, now, open } = parts;
  const makingOf = (scope: string): Making => ({ scope: parseUuid(scope, 'scope'), now: now(), newId: parts.newId });
  const send = async (operations: readonly Operation[], options: CallOptions | undefined): Promise<WriteResult> =>
    writeOperations(
      { operations, profile: await parts.profileOf(options), now: now(), ...(options?.signal && { signal: options.signal }) },
      parts,
    );
  /** A write that fails for no fault of its caller leaves the outage marker; one that reached the store clears it. */
  const writing =
    <A extends readonly unknown[], R>(body: (...args: A) => Promise<R>, hasWritten: (result: R) => boolean) =>
    (...args: A): Promise<R> =>
      open(() => parts.outage.watch(() => body(...args), hasWritten))();
  return {
    scopes: {
      create: writing(
        async (input, options) => {
          const scope = await checkedScope(input, parts, options);
          const result = await send(scopeOperations(input, { ...makingOf(scope), scope }), options);
          return { scope_block_uuid: result.receipts[0]?.root_uuid ?? scope, result };
        },
        ({ result }) => hasReceipts(result),
      ),
      list: open((options) => listScopes(parts, options)),
    },
    append: writing(async (scope, turns, options) => {
      const making = makingOf(scope);
      return send(
        listOf<TurnInput>(turns).map((turn) => turnOperation(turn, making)),
        options,
      );
    }, hasReceipts),
    remember: writing(async (scope, facts, options) => {
      const making = makingOf(scope);
      return send(
        listOf<FactInput>(facts).map((fact) => factOperation(fact, making)),
        options,
      );
    }, hasReceipts),
    setTyped: writing(
      async (scope, subject, collection, property, value, options) =>
        setTyped({ making: makingOf(scope), subject, collection, property, value, options: options ?? {} }, parts, send),
      hasReceipts,
    ),
    summarize: writing(async (scope, summary, options) => send([summaryOperation(summary, makingOf(scope))], options), hasReceipts),
    link: writing(async (scope, link, options) => send([linkOperation(link, makingOf(scope))], options), hasReceipts),
    unlink: writing(async (scope, linkRoot, options) => send([unlinkOperation(linkRoot, makingOf(scope))], options), hasReceipts),
    write: writing(send, hasReceipts),
    recordOutcome: writing(
      async (outcome, options) => {
        await parts.settled();
        return recordOutcome(outcome, { authority, grant: await grantOf(parts, options), now: now() });
      },
      ({ recorded }) => recorded > 0,
    ),
    importScope: writing(
      async (lines, options) => restoreScope(lines, { authority, grant: await grantOf(parts, options), now: now(), writer: parts.writer }),
      () => true,
    ),
    embedPending: open(async (options) => {
      const profile = await parts.profileOf(options);
      return embedder
        ? embedPending(parseTenant(profile.tenant), { authority, embedder, ...(options?.signal && { signal: options.signal }) })
        : { embedded: 0, pending: 0 };
    }),
  };
}

const hasReceipts = ({ receipts }: WriteResult): boolean => receipts.length > 0;

type Send = (operations: readonly Operation[], options: CallOptions | undefined) => Promise<WriteResult>;

async function setTyped(
  input: Omit<TypedInput, 'options'> & { readonly making: Making; readonly options: TypedOptions & CallOptions },
  parts: EngineParts,
  send: Send,
): Promise<WriteResult> {
  const { making, subject, collection, property, value } = input;
  const { permission_profile, signal, ...options } = input.options;
  const call = { ...(permission_profile !== undefined && { permission_profile }), ...(signal !== undefined && { signal }) };
  const typed = { subject, collection, property, value, options };
  const { collections } = parts.manifests;
  const added = typedOperation(typed, { ...making, collections, correctedRoot: null });
  if (options.correction !== true) return send([added], call);
  const at = instantOr(options.valid_from, 'valid_from', making.now);
  const correctedRoot = await currentRoot({ making, subject, collection, property, at }, parts, call);
  return send([typedOperation(typed, { ...making, collections, correctedRoot })], call);
}

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** What a call may do, outside of any one scope. */
export async function grantOf(
  parts: Pick<EngineParts, 'authority' | 'digestOf' | 'profileOf'>,
  options: CallOptions | undefined,
): Promise<Grant> {
  const profile = await parts.profileOf(options);
  const principals = [profile.principal, ...(profile.on_behalf_of ? [profile.on_behalf_of.principal] : [])];
  const { rights } = await parts.authority.resolveScope({
    tenant: profile.tenant as TenantId,
    scope: NO_SCOPE,
    principals,
    max_depth: 0,
    max_scopes: 1,
  });
  return judgeProfile(profile, rights, parts.digestOf);
}
const NO_SCOPE = parseUuid('00000000-0000-0000-0000-000000000000', 'scope');

async function listScopes(parts: EngineParts, options: CallOptions | undefined): ReturnType<ContextEngine['scopes']['list']> {
  const grant = await grantOf(parts, options);
  const listed = await parts.authority.listScopes(grant.tenant, grant.scopes, parts.now());
  return listed.map(({ scope, head }) => ({ scope_block_uuid: scope.root_uuid, type: scope.block_type, title: scope.title, head }));
}

/** The uuid of the scope to be made, whose outer scopes are there. */
async function checkedScope(input: ScopeInput, parts: EngineParts, options: CallOptions | undefined): Promise<Uuid> {
  checkFields(input, 'scope', SCOPE_FIELDS);
  const scope = input.uuid === undefined ? await newScope(input, parts, options) : parseUuid(input.uuid, 'uuid');
  await assertOuterScopes(checkUuids(input.inherits, 'inherits'), parts, options);
  return scope;
}

/** An outer scope that is not there would be inherited from for ever in vain. */
async function assertOuterScopes(inherits: readonly Uuid[], parts: EngineParts, options: CallOptions | undefined): Promise<void> {
  const profile = inherits.length > 0 ? await parts.profileOf(options) : null;
  for (const [index, scope] of inherits.entries()) {
    const { closure } = await parts.authority.resolveScope({
      tenant: profile?.tenant as TenantId,
      scope,
      principals: [],
      max_depth: 0,
      max_scopes: 1,
    });
    if (!closure[0]?.scope.is_scope)
      throw new ContextEngineError('SCOPE.NOT_FOUND', {
        message: `There is no scope \`${scope}\` to inherit from.`,
        fix: 'Create the outer scope first.',
        where: { field: 'inherits', index },
      });
  }
}

/** A scope that is made under a key has the same uuid at every retry. */
async function newScope({ idempotency_key: key }: ScopeInput, parts: EngineParts, options: CallOptions | undefined): Promise<Uuid> {
  if (typeof key !== 'string') return parts.newId();
  const { tenant } = await parts.profileOf(options);
  const hex = parts.digestOf(JSON.stringify([tenant, 'scope', key]));
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return parseUuid(groups.join('-'), 'uuid');
}

interface TypedKey {
  readonly making: Making;
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly at: Instant;
}

/** The root of the value that a correction is about. */
async function currentRoot(key: TypedKey, parts: EngineParts, call: CallOptions): Promise<Uuid> {
  const grant = await grantOf(parts, call);
  if (!holds(grant, key.making.scope))
    throw new ContextEngineError('PERMISSION.DENIED', {
      message: `\`${grant.principal}\` may not write to scope \`${key.making.scope}\`.`,
      fix: 'Use a profile that holds the scope.',
      where: { field: 'scope' },
    });
  const { position } = await parts.authority.heads(grant.tenant, [key.making.scope]);
  const filter = {
    and: [
      { field: 'subject', eq: key.subject },
      { field: 'collection', eq: key.collection },
      { field: 'property', eq: key.property },
    ],
  };
  const { rows } = await parts.authority.read({
    kind: 'scan',
    tenant: grant.tenant,
    table: 'memory_schema_typed',
    position,
    visible_at: key.at,
    filter,
    limit: 1,
  });
  const [found] = rows;
  if (found) return found.row.root_uuid;
  throw new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`${key.subject}\` has no \`${key.property}\` in \`${key.collection}\` to correct.`,
    fix: 'Leave `correction` out: there is no stored value yet.',
    where: { field: 'property' },
  });
}
