/** How a claim becomes what later stages accept. */
import { ContextEngineError } from '../codes/errors.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { plainCopy } from '../model/plain-copy.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import type { EngineOptions } from './context-engine.ts';

/**
 * The engine's authority over claims: trust the embedding process, or ask its resolver, whose
 * answer is checked like any claim.
 */
export function claimJudge(
  authority: EngineOptions['authority'],
): (claim: PermissionProfile) => Promise<PermissionProfile> {
  if (authority === undefined || authority === 'embedder_trusted') return async (claim) => claim;
  return async (claim) => {
    try {
      return parseProfile(plainCopy(await authority(plainCopy(claim))));
    } catch (cause) {
      if (cause instanceof ContextEngineError) throw cause;
      throw new ContextEngineError('PERMISSION.UNAVAILABLE', {
        message: `The authority did not judge the claim of \`${claim.principal}\`.`,
        fix: 'Fix the `authority` function; no call passes without it.',
        cause,
      });
    }
  };
}
