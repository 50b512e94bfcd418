/** A proposal to forget, or to bring back, names what goes and no less than its scopes. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import { digestOfTarget } from '../../src/cxri/keyed-digest.ts';
import type { NewProposal } from '../../src/cxri/ports/proposals.ts';
import { NAMED_BY_WORDS } from '../../src/model/erasure.ts';
import type { ProposedAction } from '../../src/model/proposal.ts';
import { digestKeyOf } from './keys.ts';
import type { TenantState } from './store.ts';

export function checkRedaction(
  tenant: TenantState,
  { target }: Pick<NewProposal, 'target'>,
  action: ProposedAction,
): void {
  const { kind, key, redaction, bring_back: back } = action;
  const isOf =
    (kind === 'redaction') === Boolean(redaction) && (kind === 'return') === Boolean(back);
  const isKeyed = (!redaction && !back) || key === 'redactions';
  const isWhole = redaction
    ? isNamed(tenant, { ...action, redaction }, target)
    : target === undefined;
  if (isOf && isKeyed && isWhole) return;
  throw new ContextEngineError('WRITE.REFUSED', {
    message: 'A redaction names what goes, and its scopes.',
    fix: 'Propose it with `forget` or `undo`.',
  });
}

type Redaction = NonNullable<ProposedAction['redaction']>;

function isNamed(
  tenant: TenantState,
  { scopes, redaction }: Pick<ProposedAction, 'scopes'> & { readonly redaction: Redaction },
  target: string | undefined,
): boolean {
  const { kind, value, within, is_now: isNow, reach } = redaction;
  if (isNow === true && !reach) return false;
  if (!NAMED_BY_WORDS.has(kind)) {
    if (target !== undefined) return false;
    if (kind === 'tenant') return scopes.length === 0 && within === null;
    return kind === 'scope' ? scopes.some((scope) => scope === value) : scopes.length > 0;
  }
  const isWithin = scopes.length === 0 ? within === null : within?.join() === scopes.join();
  const digest = target && digestOfTarget(digestKeyOf(tenant), { kind, value: target });
  return isWithin && digest === value;
}
