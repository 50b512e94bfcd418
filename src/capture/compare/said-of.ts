/** What a fact says of its subject, without the name. */
import type { KnownFact } from '../state.ts';
import { spokenName } from '../voices/speaker.ts';

/** Behind the name in small letters, or `'s …` of a thing of theirs; null = it is of another. */
export function saidOf({
  content,
  subject,
}: Pick<KnownFact, 'content' | 'subject'>): string | null {
  const name = spokenName(subject).toLowerCase();
  const text = content.toLowerCase().replace(/\.$/, '');
  for (const lead of [`${name} and others `, `${name} `])
    if (text.startsWith(lead)) return text.slice(lead.length);
  if (text.startsWith(`${name}'s `)) return text.slice(name.length);
  return text.startsWith(`${name}' `) ? `'s ${text.slice(name.length + 2)}` : null;
}
