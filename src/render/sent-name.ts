/**
 * Names of tools and ids of calls as every provider takes them: stored input may be of another
 * provider, or of nobody. The same input gives the same name, so a call and its result agree.
 */
import { createHash } from 'node:crypto';

/** OpenAI takes 64 signs, Anthropic 128. */
export const LONGEST_NAME = 64;
/** OpenAI's chat completions take 40 signs. */
const LONGEST_ID = 40;
const TAKEN = /^[a-zA-Z0-9_-]+$/;
const NOT_TAKEN = /[^a-zA-Z0-9_-]+/g;
const DIGEST_SIGNS = 12;

export const sentName = (name: string): string => taken(name, LONGEST_NAME);
const sentId = (id: string): string => taken(id, LONGEST_ID);

/**
 * Ids for the calls of one conversation, in its order: one that was given before gets a number
 * behind, because providers refuse an id that two calls have.
 */
export function callIds(): (id: string) => string {
  const given = new Set<string>();
  return (id) => {
    const sent = sentId(id);
    let own = sent;
    for (let count = 2; given.has(own); count++)
      own = `${sent.slice(0, LONGEST_ID - `_${count}`.length)}_${count}`;
    given.add(own);
    return own;
  };
}

/** What is no such name gets a digest behind, so that two of them differ. */
function taken(name: string, longest: number): string {
  if (name.length <= longest && TAKEN.test(name)) return name;
  // As JSON, halves of surrogate pairs differ as well.
  const digest = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  const kept = name.replace(NOT_TAKEN, '_').slice(0, longest - DIGEST_SIGNS - 1);
  return `${kept}_${digest.slice(0, DIGEST_SIGNS)}`;
}
