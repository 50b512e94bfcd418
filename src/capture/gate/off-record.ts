/**
 * A person asks that what they say is not kept: `off the record`, `don't store this`, `this stays
 * between us`, `forget I said that`. The request is mostly a piece of its own, so it is read over
 * the pieces of a turn. English.
 */
import { NUMBER_WORDS } from '../compare/likeness.ts';
import { plainText } from '../sentences/plain-text.ts';
import type { Segment } from '../sentences/segments.ts';
import { type Sentence, wordsOf } from '../sentences/sentence.ts';
import { mayBeStruck, strikesOut } from './struck-out.ts';

/** Words before a request that say nothing of it. */
const LEAD =
  "(?:(?:and|but|so|ok|okay|well|oh|hey|hi|please|pls|also|ps|now|just|only|all|btw|by the way|honestly|look|listen|fyi|psst|first|strictly|totally|completely|entirely|purely|speaking|remember that|let's|let us|can we|could we|can you|could you|would you|i want to|i'd like to) )*";
const AFTER =
  '(?: (?:please|pls|ok|okay|thanks|thank you|anywhere|at all|ever|either|though|yet|too|by the way|btw|of course|about me|for (?:later|now|me)|(?:in|to|into|from) (?:your |the |any |my )?(?:memory|memories|notes|profile|records?|history|database|long term memory)))* ';
const SAY =
  "(?: just| ever|'m about to| am about to|'m going to| am going to)* (?:say|said|saying|tell you|told you|write|wrote|mentioned|shared)";
const THIS = `(?:this|that|it|these|those|(?:any|all|none|some|most)(?: of)? (?:this|that|it)|(?:what|anything|everything) (?:i|we)${SAY}(?: (?:here|above|today|now|next))?|the following|what follows|the rest|(?:this|that|the|my) (?:next |last |previous |whole )?(?:part|bit|one|message|conversation|chat|turn|sentence|fact|detail|info|information))`;
const DO_NOT =
  "(?:don't|do not|never|not to|no need to|there's no need to|you (?:must not|mustn't|should not|shouldn't|needn't|(?:don't|do not) (?:have|need) to)|i (?:don't|do not) want you to|i'd (?:rather|prefer) (?:if )?you (?:didn't|did not|don't)|not|make sure (?:you don't|not to|never to)|try not to)(?: please| ever| even)*";
const KEEP = 'remember|store|save|keep|record|memori[sz]e|note|log|retain|capture';
const KEPT =
  '(?:remembered|stored|saved|kept|recorded|memori[sz]ed|noted|logged|retained|captured|written down|noted down)';
const IS =
  "(?:'s| is| was| are| stays?| remains?| goes| (?:should|must|has to|needs to|will) (?:be|stay|remain))(?: strictly| just| only| all| totally| completely)*";
const OWN = "(?:i|i'm|i've|i'll|my|we|we're|we've|our)";
const US = '(?:us|you and me|you and i|ourselves|the two of us)';
const ANYONE = '(?:anyone|anybody|others|other people|a soul|a living soul)(?: else)?';
const whole = (form: string): RegExp => new RegExp(`^ ${LEAD}${form}${AFTER}$`);
const first = (form: string): RegExp => new RegExp(`^ ${LEAD}${form} `);

/** Of a whole turn, wherever in it they stand. */
const REQUESTS: readonly RegExp[] = [
  // Not to be kept.
  whole(`${DO_NOT} (?:(?:${KEEP}) ${THIS}|(?:write|note|jot|take) ${THIS} down)`),
  whole(`${DO_NOT} (?:remember|store|save|record|memori[sz]e) my(?: [^ ]+){1,2}`),
  first(`${DO_NOT} (?:${KEEP}) (?:the fact )?that ${OWN}`),
  whole(
    `${THIS}(?:'s| is| are| should| must| may| need| can)? (?:not|never)(?: to)?(?: be)? ${KEPT}`,
  ),
  whole(
    `${THIS} (?:isn't|aren't|shouldn't|mustn't|needn't|doesn't (?:have|need)|don't (?:have|need))(?: to)?(?: be)? ${KEPT}`,
  ),
  whole(
    `(?:nothing|none)(?: (?:of|in) (?:this|that|it)| (?:that )?i (?:say|said|tell you))? (?:is|are|should|must|may|shall|can)(?: to)? be ${KEPT}`,
  ),
  whole(`i (?:don't|do not|wouldn't) (?:want|like) ${THIS}(?: to be)? ${KEPT}`),
  whole(
    `not (?:to be ${KEPT}|for (?:your |the )?(?:memory|memories|records?|notes|storage|safekeeping))`,
  ),
  // Off the record.
  first(
    `(?:this is |that's |that is )?off the record(?! (?:comments?|remarks?|chats?|talks?|conversations?|meetings?|interviews?|statements?|discussions?|briefings?|sources?|answers?) )`,
  ),
  first(`${THIS}${IS} off the record`),
  first(`keep ${THIS} off the record`),
  first(
    `(?:i'm|i am|i|we're|we) (?:just |only )?(?:(?:tell|telling|told) you(?: ${THIS})?|(?:saying|said|say|mention|mentioned) (?:this|that|it)|saying|speaking|talking) (?:strictly )?off the record`,
  ),
  /^ (?:can|could|may|shall|let me|let's|i want to|i'd like to|i need to|i have to) .{0,60} off the record (?:please |now |ok |okay )*$/,
  // For nobody else.
  whole(`${THIS}${IS} between ${US}`),
  whole(
    `(?:keep|leave) ${THIS} (?:strictly |just |only )*(?:between ${US}|to yourself|private|confidential|secret|a secret|quiet|under wraps|in confidence)`,
  ),
  whole(
    `${THIS}${IS} (?:confidential|private|secret|a secret|in confidence|for your (?:eyes|ears) only)`,
  ),
  whole(
    '(?:in (?:strict |strictest |complete |total )?confidence|confidentially|for your (?:eyes|ears) only)',
  ),
  whole(
    `${DO_NOT} (?:tell|show) (?:(?:this|that|it) to )?${ANYONE}(?: (?:this|that|it)| about (?:this|that|it))?`,
  ),
  whole(
    `${DO_NOT} (?:share|repeat|mention|spread|disclose|reveal) ${THIS}(?: (?:with|to) ${ANYONE})?`,
  ),
  whole("forget (?:this|the following|what i(?:'m| am) about to (?:say|tell you))"),
];
const BETWEEN = whole(`between ${US}`);
/** `Between us, the boss is Bob` is one piece; `between you and me` says little there. */
const BETWEEN_FIRST =
  /^\W{0,3}(?:(?:and|but|so|ok|okay|well|just|only|strictly)[, ]+){0,3}between (?:us|ourselves)\s*[,:–—-]/i;
const BETWEEN_LAST = /,\s*(?:(?:just|only|strictly) )*between (?:us|ourselves)[.!)]*$/i;

const OFF_LAST = new RegExp(` off the record${AFTER}$`);
const MARKED_OFF =
  /[,;:(–—-]\s*(?:(?:but|and|strictly|all|this is|that['’]s) )*off[ -]the[ -]record\b/iu;
/** `We spoke off the record`, `I told them off the record`: of another talk. */
const OF_A_TALK =
  / (?:told|tells?|said|says?|asked|admitted|confirmed|mentioned|heard|learnt|learned|spoke|spoken|speaks?|talked|talks?|chatted|met|meets?|discussed|agreed|shared|revealed|informed|briefed|interviewed|kept|keeps?) /;
const BEING = / (?:is|are|was|were|been|being|went|goes|go) /;

/** They name what the speaker said; `forget that` alone may only change the subject. */
const OWN_WORDS: readonly RegExp[] = [
  whole(
    '(?:you (?:can|may|should|must) |i (?:want|need) you to )?(?:forget|disregard|ignore|erase|delete) (?:that )?(?:i|we)(?: just| ever| even)* (?:said|mentioned|told you|wrote|brought up|shared|asked)(?: (?:this|that|it|so|anything|everything|(?:any|all) (?:of )?(?:this|that)))*',
  ),
  whole(
    `(?:you (?:can|may|should|must) |i (?:want|need) you to )?(?:forget|disregard|ignore|erase|delete) (?:what|everything|all|anything) (?:that )?(?:i|i've|we)${SAY}(?: (?:here|above|before|earlier|just now|now|today))*`,
  ),
];
/** Of what stands before them in the turn: `forget what I said about the gym` is of another. */
const TAKE_BACK: readonly RegExp[] = [
  ...OWN_WORDS,
  whole('(?:you (?:can|may|should|must) )?forget (?:about )?(?:that|all (?:of )?(?:this|that))'),
  whole(
    "i (?:never|didn't) (?:said|say|told you|tell you) (?:this|that|it|anything|any of (?:this|that))",
  ),
  whole("i (?:shouldn't|should not) have (?:said|told you|mentioned) (?:this|that|it|anything)"),
  whole("you (?:didn't hear|never heard|did not hear) (?:this|that|it|anything)(?: from me)?"),
];
/** Of what was said before, at the end of the turn alone: else it only changes the subject. */
const TAKE_BACK_LAST = whole('forget (?:about )?it');

/** Of a piece: a request is short, and opens it or ends it. */
const MOST_READ = 240;

/**
 * Sentences that begin before it are not to be kept; 0 = the turn asks for no such thing. `Forget I
 * said that` speaks of what stands before it, every other request of the whole turn.
 */
export function offRecordBefore(segments: readonly Segment[]): number {
  const pieces = segments.flatMap(({ kind, sentence }) => (kind === 'sentence' ? [sentence] : []));
  let before = 0;
  for (const [at, piece] of pieces.entries()) {
    const clauses = clausesOf(piece);
    if (isRequest(piece, clauses, pieces[at + 1])) return Number.POSITIVE_INFINITY;
    const isLast = at === pieces.length - 1;
    const [all, first, last] = clauses;
    if (takesBack(last)) before = piece.end;
    else if (
      at > 0 &&
      (takesBack(all) || DROPPED.test(all) || (isLast && TAKE_BACK_LAST.test(all)))
    )
      before = piece.end;
    else if (at > 0 && takesBack(first)) before = piece.start;
    else if (isStruck(pieces, at, clauses)) before = piece.end;
  }
  return before;
}

/** `I live in Rome. Delete that.`, `I live in Rome, delete that.`, and `ignore that` by itself. */
function isStruck(pieces: readonly Sentence[], at: number, [all, , last]: Clauses): boolean {
  const next = pieces[at + 1];
  // `I live in Rome. Scratch that. I live in Oslo.`
  const isLast = next === undefined || mayBeStruck(next.text);
  if (strikesOut(all, { isLast })) {
    const said = pieces[at - 1];
    return said === undefined || mayBeStruck(said.text);
  }
  return last !== '' && strikesOut(last, { isLast }) && mayBeStruck(pieces[at]?.text ?? '');
}

/** All of a turn that asks for nothing else: `Don't store that.` speaks of what stood before it. */
export interface Bare {
  /** Where each of its pieces begins. */
  readonly starts: readonly number[];
  /** Whether it says that what was said last is meant, and not what comes, or a thing. */
  readonly isOfLast: boolean;
  /** By words that may be of a thing: `delete that`. */
  readonly isStruck: boolean;
}

/** null = the turn says more, or asks for no such thing. */
export function bareOf(segments: readonly Segment[]): Bare | null {
  const pieces = segments.map(({ kind, sentence }) => (kind === 'sentence' ? sentence : null));
  const starts: number[] = [];
  let isOfLast = false;
  let isStruck = false;
  for (const piece of pieces) {
    if (piece === null || piece.text.length > MOST_READ) return null;
    const clauses = clausesOf(piece);
    const [all] = clauses;
    if (COURTESY.test(all)) continue;
    if (OF_WHAT_COMES.test(all)) return null;
    const isOwn = takesBack(all) || LAST_MESSAGE.test(all) || takesBackTwice(clauses);
    const strikes = strikesOut(all, { isLast: true });
    const isIt = TAKE_BACK_LAST.test(all) && starts.length > 0;
    if (!isOwn && !isIt && !strikes && !REQUESTS.some((form) => form.test(all))) return null;
    starts.push(piece.start);
    isStruck ||= strikes;
    isOfLast ||= strikes || isOwn || (SPEAKS_OF_LAST.test(all) && !OF_A_THING.test(all));
  }
  return starts.length === 0 ? null : { starts, isOfLast, isStruck };
}
const COURTESY = whole('(?:sorry|please|thanks|thank you|ok|okay|no|oops|sorry about that)');
const LAST_MESSAGE = whole(
  '(?:you (?:can|may|should|must) )?(?:forget|disregard|ignore|erase|delete|remove) (?:about )?' +
    'my (?:very )?(?:last|previous|latest) (?:one|message|turn|sentence|statement|comment|remark)',
);
const SPEAKS_OF_LAST = new RegExp(
  ` (?:this|that|it|these|those|last|previous)(?:'s)? | (?:i|we)(?: just| ever)* (?:said|wrote|mentioned|shared|told you) |^ ${LEAD}(?:off the record|in confidence|confidentially|between us|${DO_NOT} (?:tell|show) ${ANYONE})${AFTER}$`,
);
const OF_WHAT_COMES =
  / (?:following|follows|next|rest|about to|going to|i say|i tell you|that (?:i|i'm|i've|i'll|my|we|we're|we've|our)) | my (?!last |previous |latest |very )/;
/** `It's private`, of a repository; `don't mention it` is a courtesy. */
const OF_A_THING = new RegExp(
  ` (?:don't|do not) mention (?:it|that) |^ ${LEAD}(?:it|these|those|they)(?:'s| (?:is|are|was|were)) (?:[a-z]+ )?(?:private|confidential|secret|a secret) `,
);

/** `I shouldn't have told you that, please forget it`; `sorry, forget that`. */
function takesBackTwice([all, first, last]: Clauses): boolean {
  const count = (text: string): number => text.trim().split(' ').length;
  if (first === '' || last === '' || count(all) !== count(first) + count(last)) return false;
  if (COURTESY.test(first)) return takesBack(last) || LAST_MESSAGE.test(last);
  return takesBack(first) && (takesBack(last) || TAKE_BACK_LAST.test(last));
}

/**
 * The turn before; the same if it is a statement and nothing was asked since, or one of the speaker
 * themselves; all before.
 */
export type Reach = 'turn' | 'statement' | 'own' | 'talk';

/** Of a turn that begins with `forget I said that`, by what it speaks of; null = with no such. */
export function reachOf(segments: readonly Segment[]): Reach | null {
  const [first] = segments;
  if (first?.kind !== 'sentence') return null;
  const [all] = clausesOf(first.sentence);
  if (OWN_WORDS.some((form) => form.test(all))) return ALL_OF_IT.test(all) ? 'talk' : 'turn';
  const bare = bareOf(segments);
  if (!DROPPED.test(all) && bare?.isOfLast !== true) return null;
  return bare?.isStruck === true ? 'own' : 'statement';
}
/** `Everything I said`, and not `I said everything`. */
const ALL_OF_IT = / (?:everything|anything|all) (?:that )?(?:i|i've|we) /;
/** Of a task it would be its end, and of an offer a no. */
const DROPPED = whole(
  '(?:never ?mind|nevermind|nvm)(?: (?:that|it|about (?:that|it)))?(?: (?:then|just|please|actually|you can))* ' +
    'forget (?:about )?(?:that|it|this|all (?:of )?(?:this|that))',
);

/** All of a piece, and its first and last clause where it has several, as plain words. */
type Clauses = readonly [all: string, first: string, last: string];

function clausesOf({ text, plain }: Sentence): Clauses {
  const all = plainText(plain.slice(0, MOST_READ));
  const [first, last] = [FIRST_CLAUSE.exec(text.slice(0, MOST_READ)), text.lastIndexOf(', ')];
  if (first === null && last === -1) return [all, '', ''];
  const ofText = (clause: string): string => ` ${wordsOf(plainText(clause)).join(' ')} `;
  return [
    all,
    first === null ? '' : ofText(first[0]),
    last === -1 ? '' : ofText(text.slice(last).slice(0, MOST_READ)),
  ];
}
const FIRST_CLAUSE = /^[^,;:–—]+(?=[,;:–—] | - )/u;

function isRequest(piece: Sentence, clauses: Clauses, next: Sentence | undefined): boolean {
  const { text, words } = piece;
  if (clauses.some((clause) => REQUESTS.some((form) => form.test(clause)))) return true;
  if (BETWEEN.test(clauses[0]) || BETWEEN_FIRST.test(text.slice(0, MOST_READ)))
    return !(isTogether(words.slice(2)) || (words[0] === 'between' && isTogether(next?.words)));
  return BETWEEN_LAST.test(text.slice(-MOST_READ)) || endsOffRecord(piece);
}

/** `I live in Rome, off the record`; `my interview was off the record` is said of another talk. */
function endsOffRecord({ text, plain }: Sentence): boolean {
  const end = plainText(plain.slice(-MOST_READ));
  if (!OFF_LAST.test(end) || OF_A_TALK.test(end)) return false;
  return MARKED_OFF.test(plainText(text.slice(-MOST_READ))) || !BEING.test(end);
}

/** `Between us, we have three kids`. */
const isTogether = (words: readonly string[] = []): boolean =>
  /^we(?:$|')/.test(words[0] ?? '') &&
  words.some((word) => /^\d/.test(word) || NUMBER_WORDS.has(word));

const takesBack = (clause: string): boolean => TAKE_BACK.some((form) => form.test(clause));
