/** Who speaks in a turn, and under which name what they say is kept. */
import type { BlockRow } from '../model/block.ts';
import { visibleText } from '../render/visible-text.ts';

export type Speaker = 'person' | 'assistant' | 'machine';

/** Without a role, such an author is the role: nobody is called so. */
const ROLE_NAMES: ReadonlyMap<string, Speaker> = new Map([
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['system', 'machine'],
  ['developer', 'machine'],
  ['tool', 'machine'],
  ['function', 'machine'],
]);

export function speakerOf({ role, author }: Pick<BlockRow, 'role' | 'author'>): Speaker {
  if (role === 'user') return 'person';
  if (role === 'assistant') return 'assistant';
  if (role !== null || author === null) return 'machine';
  return ROLE_NAMES.get(shownName(author).toLowerCase()) ?? 'person';
}

/** On one line, without what cannot be seen: it stands in sentences. */
export const shownName = (author: string): string =>
  visibleText(author).replaceAll(/\s+/g, ' ').trim();
