/** `Forget the last thing I told you`, `scratch that`: what its speaker said last. English. */
import type { Reach } from '../gate/off-record.ts';
import type { Segment } from '../sentences/segments.ts';

const LEAD = '^(?:(?:please|and|no|sorry|oh|actually|wait|ok|okay|you can),? )*';
const LAST = new RegExp(
  `${LEAD}(?:forget|disregard|ignore|erase|delete) (?:about )?the (?:very )?last ` +
    "(?:thing|bit|part|message|statement|sentence)(?: (?:that )?I(?:['’]ve| have)? (?:just )?" +
    '(?:told you|said|wrote|mentioned))(?:,? please)?[.!]*$',
  'iu',
);
/** Of an offer it is a no, and of a task its end. */
const STRUCK = new RegExp(`${LEAD}(?:scratch|strike) (?:that|what I (?:just )?said)[.!]*$`, 'iu');
const MOST_CHARS = 120;

/** null = it begins with no such request. */
export function lastSaid(segments: readonly Segment[]): Reach | null {
  const [first, second] = segments;
  if (first?.kind !== 'sentence' || first.sentence.text.length > MOST_CHARS) return null;
  const text = first.sentence.text.trim();
  if (LAST.test(text)) return 'turn';
  return second === undefined && STRUCK.test(text) ? 'statement' : null;
}

/** `Forget everything. Start over.` is of a task: by itself alone it is of all that is known. */
export const isOfTask = (text: string, pieces: number): boolean =>
  pieces > 1 && BARE.test(text.trim());
const BARE = new RegExp(`${LEAD}forget (?:everything|all of it|it all)[.!]*$`, 'iu');
