/**
 * Turns in which a text is expected that somebody else wrote: the speaker announced it, or the
 * assistant asked for it. What stands in them waits, until the assistant has answered.
 */
import type { BlockRow } from '../../model/block.ts';
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { announcesNext } from './introduced.ts';
import { roleFollower } from './lasting-roles.ts';
import { speakerOf } from './speaker.ts';
import { speakerKey } from './spellings.ts';
import type { Announced } from './voice.ts';

const TEXTS =
  'text|mail|e-?mail|message|letter|article|paragraph|passage|sentence|ticket|document|content|post|comment|review|transcript|chat|conversation|page|bio|story|essay|poem|draft|contract|nachricht|brief';
const WORK = 'check|review|translate|proofread|summari[sz]e|read|rewrite|analy[sz]e|look at|answer';
const SENT =
  'sent|texted|wrote|emailed|mailed|messaged|posted|said|says|forwarded|replied|answered|shared|told|written';
/** `This weekend` points at no text. */
const TIMES =
  'week|weekend|month|year|quarter|morning|afternoon|evening|night|time|summer|winter|spring|autumn|fall|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday';
/** Of a turn of a person. */
const ANNOUNCES: readonly RegExp[] = [
  /\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to|['’]m about to| am about to|['’]d like to| want to| can)? (?:now |then |next |also |just )*(?:paste|forward|quote) (?:you )?(?:in |here )?(?:a|an|the|some|this|my|it|one|two|below|next|another)\b/i,
  new RegExp(
    `\\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to)(?: now| then| next| just)* (?:send|show|share|post|copy|give)(?: you)?(?: in| here)? (?:a|an|the|some|this|my|another) (?:[\\p{L}]+ ){0,2}(?:${TEXTS})s?\\b`,
    'iu',
  ),
  new RegExp(`\\b(?:the|my) next (?:few |two |three )?(?:${TEXTS})s?\\b`, 'i'),
  new RegExp(
    `\\b(?:(?:can|could|will|would) you|(?:want|need|like) you to) (?:please )?(?:${WORK}) (?:something|(?:a|an|some|another) (?:[a-z]+ )?(?:${TEXTS})s?)\\b`,
    'i',
  ),
  // `Check the grammar of this:`, `Read the following and …`, `How do I say this in Italian?`
  new RegExp(
    `\\b(?:${WORK}|fix|correct|improve|explain|classify|shorten|grammar|spelling|wording|tone)\\b[^.!?\\n]{0,40}\\b(?:this|these|following|below|next)\\b(?! (?:${TIMES}))`,
    'iu',
  ),
  new RegExp(
    `\\b(?:is|are|does|do|can|could|would|how|what|who)\\b[^.!?\\n]{0,40}\\b(?:this|these)\\b(?! (?:${TIMES}))[^.!?\\n]{0,30}\\?\\s*$`,
    'iu',
  ),
  // `My boss just sent me this`, `look what Bob texted`, `I send you what Bob wrote`.
  new RegExp(
    `\\b(?:${SENT})(?: (?:me|us))? (?:this|these|the following)[.!:]?\\s*$|\\bwhat (?!i |we )(?:(?:my|the|our|your|a|this) )?[\\p{L}'’-]+(?: [\\p{L}'’-]+)?(?: just| has)? (?:${SENT})(?: (?:me|us|today|yesterday|back|to me|to us))*[.!:]?\\s*$`,
    'iu',
  ),
  // A turn that ends with a colon announces something; of oneself, one's own words.
  /(?:^|\n)(?!.*\b(?:about (?:me|myself|us)|my (?:own|new)|i(?:['’]m| am)|facts?)\b).{3,200}:\s*$/iu,
  /\bich (?:kopiere|schicke|sende|füge|poste|leite)\b.{0,60}\b(?:gleich|jetzt|nun|hier|weiter)\b.{0,60}\b(?:text|mail|nachricht|brief|ein)/iu,
];
/** Of a turn of an assistant. */
const ASKS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:paste|share|post|send|copy|drop|forward|provide|quote)\\b(?: me| us| in| over| here)* (?:the |your |that |this |its |their |full |whole |original )*(?:${TEXTS}|it|them)\\b(?! (?:into|to|in|on) (?:the|your|a) )`,
    'i',
  ),
  /\b(?:paste|quote) (?:it|them|that|away|here|below)\b/i,
  /\b(?:füge?|kopiere?|schicke?|sende?|poste?)\b.{0,60}\b(?:text|mail|nachricht|brief|hier|ein)\b/iu,
];
/** What a few words cannot be: a short turn behind it is talk. */
const LONG_TEXT =
  /\b(?:article|report|document|chapter|essay|paper|contract|transcript|thread|page|book)s?\b/i;
const LEAST_OF_LONG = 160;
/** Of an assistant that has not answered yet: `Sure, go ahead!`. */
const MOST_ASIDE = 120;
const MOST_READ = 400;
/** Turns that one announcement covers: a text may come in two. */
const MOST_TURNS = 2;

/** The sentence that a turn ends with. */
function lastOf(tail: string): Sentence {
  const bare = tail.trimEnd();
  const from = /[.!?\n][^.!?\n]{1,200}[.!?:]{0,3}$/u.exec(bare)?.index ?? -1;
  return sentenceOf(bare.slice(from + 1), 0);
}

/** Turn by turn, in order: what the turns before say of it. */
export function turnFollower(
  isInRole = false,
): (turn: BlockRow) => Required<Omit<Announced, 'isReply'>> {
  const awaits = textAwaiter();
  const role = roleFollower(isInRole);
  return (turn) => {
    const isOfOthers = awaits(turn);
    return { isOfOthers, isInRole: role.heard(turn, isOfOthers) };
  };
}

/** Whether a role goes on behind the turns, where one went on before them or not. */
export function isInRoleAfter(turns: readonly BlockRow[], isInRole: boolean): boolean {
  const awaits = textAwaiter();
  const role = roleFollower(isInRole);
  for (const turn of turns) role.heard(turn, awaits(turn));
  return role.isOn();
}

/** Turn by turn, in order: whether a text of somebody else is expected in it. */
function textAwaiter(): (turn: BlockRow) => boolean {
  /** Of a speaker: turns that are still covered. */
  const awaited = new Map<string, number>();
  /** Of a speaker: whether what is awaited is a long text. */
  const long = new Map<string, boolean>();
  let isAsked = false;
  let isShown = false;
  const after = (content: string): void => {
    isAsked = ASKS.some((form) => form.test(content.slice(-MOST_READ)));
    const isAnswer = isShown || content.length > MOST_ASIDE;
    if (isAnswer || isAsked) awaited.clear();
    isShown = false;
  };
  return (turn) => {
    const speaker = speakerOf(turn);
    if (speaker === 'assistant') after(turn.content);
    if (speaker !== 'person') return false;
    const name = speakerKey(turn.author);
    const left = awaited.get(name) ?? (isAsked ? MOST_TURNS : 0);
    const isTalk = awaited.has(name) && long.get(name) === true && isShort(turn.content);
    awaited.set(name, Math.max(0, left - 1));
    // The end of a turn is what the next one goes on with.
    const tail = turn.content.slice(-MOST_READ);
    const announces = ANNOUNCES.some((form) => form.test(tail)) || announcesNext(lastOf(tail));
    if (announces) awaited.set(name, MOST_TURNS);
    if (announces) long.set(name, LONG_TEXT.test(lastOf(tail).text));
    if (left === 0 || isTalk) return false;
    isShown = true;
    return true;
  };
}

const isShort = (content: string): boolean =>
  content.length < LEAST_OF_LONG && !content.trim().includes('\n');
