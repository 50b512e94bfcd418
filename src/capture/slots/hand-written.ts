/** The slot that a fact which nobody captured would have, had its subject said it. */
import { isOfCapture } from '../../model/fact-slot.ts';
import { sentenceOf } from '../sentences/sentence.ts';
import { thirdPerson } from '../sentences/statement.ts';
import type { KnownFact } from '../state.ts';
import { type SaidSlot, slotOf } from './slot.ts';

/** Null = it was captured, is of somebody else, or names none. */
export function handWrittenSlot(fact: KnownFact, subject: string): SaidSlot | null {
  if (isOfCapture(fact) || (fact.subject !== null && fact.subject !== subject)) return null;
  const known = read.get(fact);
  if (known?.subject === subject) return known.slot;
  const said = asSaidBy(fact.content, subject);
  const slot = said === null ? null : slotOf(sentenceOf(said, 0));
  read.set(fact, { subject, slot });
  return slot;
}
/** It meets all that is said of a batch, most of it by one person. */
const read = new WeakMap<KnownFact, { readonly subject: string; readonly slot: SaidSlot | null }>();

/** `Ada lives in Graz`: `I live in Graz`. */
function asSaidBy(content: string, subject: string): string | null {
  const names = [subject, 'The user', 'User'];
  const name = names.find((each) => content.startsWith(each));
  if (name === undefined) return null;
  const rest = content.slice(name.length);
  const owned = /^['’]s (.+)$/su.exec(rest)?.[1];
  if (owned !== undefined) return `My ${owned}`;
  const [, verb = '', after = ''] = /^ (\p{L}+) (.+)$/su.exec(rest) ?? [];
  const own = firstPerson(verb);
  return own === null ? null : `I ${own} ${after}`;
}

const firstPerson = (verb: string): string | null =>
  ['am', 'have', 'do', 'go', verb.slice(0, -1), verb.slice(0, -2), `${verb.slice(0, -3)}y`, verb]
    .filter((each) => each.length > 1)
    .find((each) => thirdPerson(each) === verb) ?? null;
