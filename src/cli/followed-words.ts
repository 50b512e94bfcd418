/** What changed in memory that was captured, with what was forgotten. */
import type { ContextEngine } from '../index.ts';
import type { Call } from './command.ts';
import { remark } from './output.ts';

type Followed = NonNullable<Awaited<ReturnType<ContextEngine['forget']>>['followed']>;

export function tellFollowed(call: Call, followed: Followed): void {
  const { given_back: back, said_again: again, waits, failures } = followed;
  if (back > 0) remark(call, `Changes that it had made, and that are taken back: ${back}`);
  if (again > 0) remark(call, `Captured from other turns that say it as well: ${again}`);
  if (waits > 0) remark(call, `Of that waits for a review: ${waits}. contextengine approvals list`);
  for (const { code, fix } of failures) remark(call, `Stays as it was: ${code}. ${fix}`, 'yellow');
}
