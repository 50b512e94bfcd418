/** What the stages that write are given: the rights of the caller, and the time of each write. */
import { proposerFor, type Writing } from '../7-write.ts';
import type { CaptureDependencies, Prepared } from '../prepare.ts';
import type { Made } from './made.ts';
import type { ProposedBefore } from './proposed-before.ts';
import { takeBack } from './take-back.ts';

export function writingOf(
  { grant, writing }: Pick<Prepared, 'grant' | 'writing'>,
  kept: { readonly made: Made; readonly proposed: ProposedBefore },
  { authority, write, now: clock }: Pick<CaptureDependencies, 'authority' | 'write' | 'now'>,
): () => Writing {
  const proposer = proposerFor(writing);
  return () => {
    const now = clock();
    const taking = { authority, tenant: grant.tenant, proposer, scopes: grant.scopes, now };
    return { ...writing, write, now, ...kept, takeBack: (each) => takeBack(each, taking) };
  };
}
