/**
 * Which tier an operation needs. Raw blocks are T1. Derived memory of an agent is what the
 * manifests' `writes` say; stated by a human or a service that holds T1 it is T1. `excluded`
 * excludes everyone.
 */
import type { AnyRow, BlockContent, LinkContent } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { Operation, UndoOperation } from '../model/operation.ts';
import type { Grant, PermissionKey, Tier } from '../model/permission.ts';
import { holds, strictest } from '../model/permission.ts';
import type { UndoEffect } from '../model/undo.ts';
import type { Policy } from './policy.ts';

export interface Decision {
  readonly tier: Tier;
  readonly key: PermissionKey;
}

export interface WriteRules {
  readonly policy: Policy;
  /** The type of the scope that is written. */
  readonly scopeType: string;
  /** The stored link that the operation changes or ends. */
  readonly touched?: LinkContent | undefined;
  /** Of an UNDO: what it changes. */
  readonly undone?: readonly UndoEffect[] | undefined;
}

/**
 * Judged by what the operation touches, however it is written: who may not make authority may not
 * end or rewrite it either. The scope of the operation is held; that is judged before.
 */
export function decideWrite(operation: Operation, grant: Grant, rules: WriteRules): Decision {
  const writes = (tier: Tier): Decision => ({ tier, key: 'writes' });
  const derived = derivedTier(grant, rules);
  if (derived === 'excluded' || operation.operation === 'NOOP') return writes(derived);
  if (operation.operation === 'UNDO') return undoing(operation, grant, rules);
  const authority = linkage(operation, grant, { derived, ...rules });
  if (operation.operation === 'DELETE') {
    const isScope = operation.table === 'blocks' && operation.root_uuid === operation.scope;
    const isPlain = operation.cause === 'change' && !isScope;
    if (isPlain) return authority ?? writes(derived);
    const asked = deletion(grant, rules);
    return authority && strictest(authority.tier, asked.tier) === authority.tier
      ? authority
      : asked;
  }
  if (operation.table === 'context_links') return authority ?? writes(derived);
  if (operation.table !== 'blocks') return writes(derived);
  if (operation.operation === 'UPDATE') return writes(derived);
  return writes(isSaidAsInstruction(operation.content, rules.policy) ? derived : 'T1');
}

/**
 * An undo is judged as the writes that do the same, and as those that it takes back: who may not
 * delete may not undo an ADD, nor the DELETE of another.
 */
function undoing({ scope }: UndoOperation, grant: Grant, rules: WriteRules): Decision {
  const { undone = [], ...others } = rules;
  const decisions = undone.flatMap(({ entry, was, is }) => {
    const touched = entry.table === 'context_links' ? entry.row : undefined;
    return writesOf(entry, { scope, isKept: was && is }).map((operation) =>
      decideWrite(operation, grant, { ...others, touched }),
    );
  });
  const tier = strictest('T1', ...decisions.map((decision) => decision.tier));
  const [strict] = decisions.filter((decision) => decision.tier === tier);
  return strict ?? { tier: derivedTier(grant, rules), key: 'writes' };
}

/** The writes that make such a change; links are made and ended, never rewritten. */
function writesOf(
  { table, row }: AnyRow,
  { scope, isKept }: { readonly scope: Uuid; readonly isKept: boolean },
): readonly Operation[] {
  const { root_uuid, uuid, valid_from } = row;
  const common = { table, scope, uuid, valid_from, content: row };
  const ending = { operation: 'DELETE', table, scope, root_uuid, valid_from } as const;
  // The row has the content of its table, and more; only that is judged.
  const added = { ...common, operation: 'ADD' } as Operation;
  if (table === 'context_links') return [added, { ...ending, cause: 'change' }];
  if (!isKept) return [added, { ...ending, cause: 'correction' }];
  return [{ ...common, operation: 'UPDATE', root_uuid, cause: 'change' } as Operation];
}

/** The block itself, or the title of a scope that a manifest says. */
const isSaidAsInstruction = (content: BlockContent, policy: Policy): boolean =>
  policy.isInstruction(content) ||
  (content.is_scope && content.title !== null && policy.isTitleSaid(content.block_type));

/**
 * What is stored without being derived: turns, documents, outcomes. Only `excluded` keeps it out.
 */
export const rawTier = (grant: Grant, rules: WriteRules): Tier =>
  derivedTier(grant, rules) === 'excluded' ? 'excluded' : 'T1';

/** An import states times, sequence numbers and lineage itself: no agent may, without approval. */
export const importTier = (grant: Grant, rules: WriteRules): Tier =>
  grant.kind === 'agent' ? strictest('T3', derivedTier(grant, rules)) : derivedTier(grant, rules);

function derivedTier(grant: Grant, { policy, scopeType }: WriteRules): Tier {
  const manifests = policy.tierOf(scopeType, 'writes');
  if (grant.kind === 'agent') return strictest(grant.tiers.writes, manifests ?? 'T2');
  return manifests === 'excluded' ? 'excluded' : grant.tiers.writes;
}

const deletion = (grant: Grant, { policy, scopeType }: WriteRules): Decision => ({
  tier: strictest(grant.tiers.deletes, policy.tierOf(scopeType, 'deletes') ?? 'T1'),
  key: 'deletes',
});

/**
 * `inherits` and `grants` are authority: a person may let a scope inherit from what they hold, and
 * what is theirs to make is theirs to end. Null for what is no authority.
 */
function linkage(
  operation: Operation,
  grant: Grant,
  rules: WriteRules & { readonly derived: Tier },
): Decision | null {
  const { derived, touched } = rules;
  const said =
    'content' in operation && operation.table === 'context_links' ? operation.content : undefined;
  const link = [touched, said].find((each) => each && AUTHORITY.has(each.link_type));
  if (!link) return null;
  const isOwned =
    link.link_type === 'inherits' &&
    operation.operation !== 'UPDATE' &&
    grant.kind !== 'agent' &&
    link.from_uuid === operation.scope &&
    holds(grant, link.to_uuid);
  return isOwned
    ? { tier: derived, key: 'writes' }
    : { tier: granting(grant, rules), key: 'grants' };
}

/** No agent gives rights by itself, whatever it holds. */
const granting = (grant: Grant, { policy, scopeType }: WriteRules): Tier =>
  strictest(
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.grants,
    policy.tierOf(scopeType, 'grants') ?? 'T1',
  );

const AUTHORITY: ReadonlySet<string> = new Set(['inherits', 'grants']);
