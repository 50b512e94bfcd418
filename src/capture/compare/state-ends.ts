/**
 * What ends a state of the speaker: `I'm not sick any more`, `I'm not on call`, `I'm back at work`.
 * Which one, what is known tells; of what nobody knows it ends nothing. English.
 */
import type { FactRow } from '../../model/block.ts';
import type { Instant } from '../../model/ids.ts';
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { spokenName } from '../voices/speaker.ts';
import { type LifeEnd, lifeEndIn, lifeEndOfWhole } from './life-ends.ts';
import { oneGone } from './one-gone.ts';

export type StateEnd =
  /** All of the words stand in it. */
  | { readonly kind: 'denied'; readonly words: readonly string[] }
  /** It begins with these words: nothing says that it was so until now. */
  | { readonly kind: 'not'; readonly words: readonly string[] }
  | { readonly kind: 'back'; readonly from: keyof typeof STATES }
  | LifeEnd;

const LEAD = '(?:(?:and|so|but|ok|okay|well|btw|actually|finally|now|hey|hi|good news) )*';
const I_AM = "(?:i'm|i am|we're|we are) (?:now |finally |luckily )?";
/** Nothing follows: `I'm not on call this weekend` is of a part. */
const DENIED = new RegExp(
  `^ ${LEAD}(?:${I_AM})?(?:no longer ((?:[^ ]+ ){1,5}?)(?:now )?|not ((?:[^ ]+ ){1,5}?)(?:any more|anymore|any longer) (?:now )?)$`,
);
const NOT = new RegExp(
  `^ ${LEAD}${I_AM}(?:(?:actually|really) )?not ((?:[^ ]+ ){1,5}?)(?:(?:now|after all|actually) )*$`,
);
/** `I'm off call` is `I'm not on call`. */
const OFF = new RegExp(`^ ${LEAD}${I_AM}off ((?:[^ ]+ ){1,2}?)(?:now )?$`);
/** `I'm not sure`, `I'm not only on call`, `I'm not a morning person`. */
const NO_STATE =
  /^(?:an?|the|my|our|sure|only|just|yet|always|all|even|quite|so|too|that|because)\b/;
const SMALL: ReadonlySet<string> = new Set(
  'in on at the a an my our off out of to with for from and or so very really'.split(' '),
);

const WORK = '(?:(?:at|to) work|in (?:the )?office|at (?:the office|my desk)|on duty|online)';
const LEAVE =
  '(?:vacation|holidays?|(?:[a-z]+ )?leave|my trip|the trip|a trip|(?:[a-z]+ )?business trip)';
const WHEN = '(?:now |again |today |since today |this morning )*';
const BACK: readonly (readonly [RegExp, keyof typeof STATES])[] = [
  [new RegExp(`^ ${LEAD}(?:${I_AM})?back ${WORK} ${WHEN}$`), 'absent'],
  [new RegExp(`^ ${LEAD}(?:${I_AM})?back from (?:my |our |the )?${LEAVE} ${WHEN}$`), 'away'],
  [new RegExp(`^ ${LEAD}(?:${I_AM})?back (?:at )?home ${WHEN}$`), 'away'],
  // By itself it may be said of a break; of an illness nobody is back but who is over it.
  [new RegExp(`^ ${LEAD}${I_AM}back ${WHEN}$`), 'sick'],
  [new RegExp(`^ ${LEAD}${I_AM}(?:well|healthy|fit|better|recovered) again ${WHEN}$`), 'sick'],
];
const SICK = 'sick|ill|unwell|in hospital|signed off';
const AWAY =
  'away|on (?:[a-z]+ )?(?:vacation|holidays?|leave)|on a (?:[a-z]+ )?trip|travell?ing|out of (?:the )?office|ooo|out of town';
/** By how it is said that one is so. `Off sugar` is no absence. */
const STATES = {
  sick: new RegExp(`^(?:off )?(?:${SICK})\\b`, 'i'),
  away: new RegExp(`^(?:${AWAY})\\b`, 'i'),
  absent: new RegExp(
    `^(?:(?:off )?(?:${SICK})|${AWAY}|off(?= (?:work|duty|this|next|until|till|for|from|on|today|all|the (?:whole|rest))\\b|[ .]*$| \\())\\b`,
    'i',
  ),
} as const;

/** null = it ends none. */
export function stateEndIn({ plain, text }: Pick<Sentence, 'plain' | 'text'>): StateEnd | null {
  if (text.length > MOST_CHARS || text.includes('?')) return null;
  const clause = firstClause(text, plain);
  const life = lifeEndIn(clause) ?? lifeEndOfWhole({ plain, text }) ?? oneGone(clause);
  if (life !== null) return life;
  const [, longer, more] = DENIED.exec(clause) ?? [];
  const denied = (longer ?? more ?? '').trim().split(' ');
  const words = denied.filter((word) => word !== '' && !SMALL.has(word));
  if (words.length > 0) return { kind: 'denied', words };
  const off = OFF.exec(clause)?.[1];
  const not = off === undefined ? NOT.exec(clause)?.[1] : `on ${off}`;
  if (not !== undefined && !NO_STATE.test(not))
    return { kind: 'not', words: not.trim().split(' ') };
  const found = BACK.find(([form]) => form.test(plain));
  return found ? { kind: 'back', from: found[1] } : null;
}
const MOST_CHARS = 120;

/** `I'm not on call any more, Tom took over`; what bounds the denial belongs to it. */
function firstClause(text: string, plain: string): string {
  const [, clause, rest = ''] = /^([^,;–—]{8,}?)(?:[,;] | [-–—] )(.*)$/u.exec(text) ?? [];
  return clause === undefined || BOUNDS.test(rest) ? plain : sentenceOf(clause, 0).plain;
}
const BOUNDS =
  /^(?:but|except|only|just|at least|unless|if|when|until|till|for|on|in|at|from|this|next|or|am|are)\b/i;

type Held = Pick<FactRow, 'class' | 'subject' | 'content' | 'valid_from' | 'valid_until'>;

interface Ending {
  readonly ends: Exclude<StateEnd, LifeEnd>;
  readonly subject: string;
  readonly at: Instant;
}

/** The last that was told of those that it ends; null = none is known. */
export function stateEnded<Fact extends Held>(
  { ends, subject, at }: Ending,
  known: readonly Fact[],
): Fact | null {
  const name = spokenName(subject);
  const held = known.filter(
    (fact) =>
      fact.class === 'state' &&
      fact.subject === subject &&
      fact.valid_from <= at &&
      (fact.valid_until === null || fact.valid_until > at) &&
      isSuch(ends, fact.content, name),
  );
  return held.toSorted((a, b) => (a.valid_from < b.valid_from ? 1 : -1))[0] ?? null;
}

/** What is said of others, or of a thing of the speaker, is no state of theirs. */
function isSuch(ends: Ending['ends'], content: string, name: string): boolean {
  const lead = [`${name} is `, `${name} and others are `].find((each) => content.startsWith(each));
  if (lead === undefined) return false;
  const said = content.slice(lead.length);
  // `Ada is not drinking until Easter` denies itself.
  if (/^(?:not|no longer|never)\b/i.test(said)) return false;
  if (ends.kind === 'back') return STATES[ends.from].test(said);
  const words = ` ${said.toLowerCase().replaceAll(/[^\p{L}\p{N}']+/gu, ' ')} `;
  if (ends.kind === 'not') return words.startsWith(` ${ends.words.join(' ')} `);
  return ends.words.every((word) => words.includes(` ${word} `));
}
