/**
 * A question for a secret, and its answer in other words: `What's your PIN?`, `I chose 4471`. What
 * can only be a value answers it a few turns later as well, until something else is asked; words
 * that could be anything answer it at once or not at all.
 */
import type { BlockRow } from '../../model/block.ts';
import { plainText } from '../sentences/plain-text.ts';
import { itemsOf } from './items.ts';
import { COMPOUNDS, isStrong } from './named.ts';
import { type NameKind, nameAt } from './names.ts';
import { isClosed, isDescription, isOrdinary } from './ordinary-words.ts';
import { isMeans } from './plain-passwords.ts';

export interface AskedSecret {
  readonly kind: NameKind;
  /** Nothing was said or asked since. */
  readonly isJustAsked: boolean;
}

const LEAD =
  '(?:(?:please|pls|now|then|and|so|ok|okay|great|first|next|also|well|hi|hey|hm+|oh|just|alright|finally)[,:]? )*';
/** `What's your password?`, `Which PIN should I take?`; not `how do you keep your passwords?` */
const QUESTION = new RegExp(
  `^${LEAD}(?:what(?:'?s)?|which|and the|your|any|cuál|qual|quel|quelle|wat|welk|welche[sr]?|wie lautet|wie ist|jakie)\\b`,
  'iu',
);
const SETS =
  'choose|pick|select|set|create|invent|make up|come up with|think of|enter|type|spell|give|tell|send|say|suggest|provide|confirm|repeat|wähle?n?|gib|nenne?|elige|scegli|choisi\\p{L}*|kies|podaj|wybierz';
const REQUEST = new RegExp(
  `^(?:${LEAD}|[^.?!]{0,60}\\b(?:you (?:can|could|should|must|need to|have to|may|to)|can you|could you|i (?:need|have|want|would like|must|should|am supposed) (?:to |you to )|i'd like (?:you )?to|help me|let me|let's|to) )(?:${SETS})\\b[^.?!]{0,60}$`,
  'iu',
);
const KINDS: ReadonlySet<NameKind> = new Set<NameKind>([
  ...(['word', 'phrase', 'number', 'code', 'recovery', 'key', 'token', 'credentials'] as const),
]);
/** Of another value: an answer behind it is one to that. */
const ASKS_ELSE = /\b(?:what|which|where|who|when|how|why)\b/i;
const ASKS_YOU = /\b(?:what|which|where|who|when|how)\b.{0,40}\byou(?:r|rs)?\b/i;
const MOST_READ = 400;
const MOST_ITEMS = 40;
/** `Your wifi password?` */
const MOST_BARE = 30;

/** The kind of secret that a sentence asks for; null = it asks for none. */
function kindAsked(sentence: string): NameKind | null {
  const isMarked = sentence.endsWith('?');
  const isQuestion = QUESTION.test(sentence) || (isMarked && sentence.length <= MOST_BARE);
  if (!isQuestion && !REQUEST.test(sentence.replace(/[.?!:]{1,4}$/, ''))) return null;
  const items = itemsOf(sentence).slice(0, MOST_ITEMS);
  for (const [at] of items.entries()) {
    const name = nameAt(items, at);
    if (!name || !KINDS.has(name.kind) || COMPOUNDS.has(items[name.end]?.said ?? '')) continue;
    // `whats ur password` has no mark.
    if (isMarked || !isQuestion || items[name.end] === undefined) return name.kind;
  }
  return null;
}

/** `else` = for something else, `you` = of who answers. */
type Found = { readonly kind: NameKind } | 'else' | 'you' | null;

/** What the end of a text asks for. */
function askedIn(text: string): Found {
  let found: Found = null;
  for (const [part] of plainText(text.slice(-MOST_READ)).matchAll(SENTENCES)) {
    const sentence = part.trim();
    const kind = kindAsked(sentence);
    if (kind !== null) found = { kind };
    else if (sentence.endsWith('?') && ASKS_ELSE.test(sentence))
      found = ASKS_YOU.test(sentence) ? 'you' : 'else';
  }
  return found;
}
const SENTENCES = /[^.!?\n]{1,400}[.!?]{0,4}/g;

/** Turns behind a question that may answer it. */
const MOST_TURNS = 4;

interface Open {
  readonly kind: NameKind;
  readonly by: string;
  readonly left: number;
}

/** Turn by turn, in order: which secret a turn before it asked for. */
export function secretAsker(): (turn: BlockRow) => AskedSecret | null {
  let open: Open | null = null;
  let isJustAsked = false;
  return (turn) => {
    const before = open === null ? null : { kind: open.kind, isJustAsked };
    const found = askedIn(turn.content);
    isJustAsked = found !== null && typeof found !== 'string';
    open = openAfter(found, open, `${turn.role}/${turn.author}`);
    return before;
  };
}

function openAfter(found: Found, open: Open | null, by: string): Open | null {
  if (found !== null && typeof found !== 'string')
    return { kind: found.kind, by, left: MOST_TURNS };
  if (open === null || open.left <= 1) return null;
  // `How long?` of whoever answers asks about the same.
  const isElse = found === 'you' || (found === 'else' && open.by === by);
  return isElse ? null : { ...open, left: open.left - 1 };
}

const MODAL =
  "(?:i|we|i'd|i'll|i've|we'll|we've|i'm|you can|you may|you could)(?: (?:just|now|have|had|would|will|going to|want to|like to|always|already|finally|rather|simply|only|usually|then|think i'd|think i'll|guess i'll))*";
const CHOSE =
  '(?:chose|choose|chosen|pick|picked|prefer|preferred|like|love|use|used|using|take|took|want|set|made|put|decided on|settled on|settle on|go for|go with|went with|went for|going with|going for|opt for|opted for|came up with|come up with|typed|type|entered|enter|changed|selected|select|meant|mean|try|tried)(?: (?:it|that|this))?(?: to| as)?';
const TAKES =
  "(?:let's|let us)(?: just)? (?:go with|go for|use|take|do|make it|say|try|pick|choose|keep|stick with|set it to)|(?:use|take|try|make it|make that|go with|set it to|put|type|enter|say|how about|what about|maybe|perhaps|keep)|(?:it|that|this|mine|my choice|my pick|the new one|the one)(?:'s| is|'ll be| will be| would be| should be)|(?:would|should|will|could) be";
/** In German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const TAKES_ELSEWHERE =
  'ich (?:nehme|nahm|habe|hab|benutze|verwende|nutze|will|möchte|wähle|bevorzuge)|nimm|je (?:prends|choisis|préfère|veux)|(?:yo )?(?:elijo|prefiero|uso|quiero|escojo)|(?:io )?(?:scelgo|preferisco|uso|prendo)|(?:eu )?(?:escolho|prefiro|uso|quero)|ik (?:kies|neem|gebruik|wil)|(?:ja )?(?:wybieram|wolę|biorę)';
const HEDGES =
  '(?:(?:ok|okay|sure|hm+|well|oh|yes|yeah|yep|no|nah|alright|then|so|fine|thanks|great|sorry|wait|actually|i think|maybe|i guess|the usual|my usual|same as (?:always|before|ever)|in that case|please|correction|uh|um|hi|hey|and|but)[,.!:;]* (?:- )?)*';
const FILLER =
  '(?:(?:the|a) (?:word|words|number|phrase|password|passphrase|pin|code|digits)[,:]? |just |simply |probably |now |something like |like )*';
const ANSWER = new RegExp(
  `^${HEDGES}(?:${MODAL} ${CHOSE}|${TAKES}|${TAKES_ELSEWHERE})[,:]? ${FILLER}["'\`]?(.{2,100})$`,
  'iu',
);
const NAMED_FIRST = new RegExp(
  `^${HEDGES}["'\`]?(.{2,60}?)["'\`]?,? (?:it is|then|please|sounds (?:good|fine|great)|works|will do|is (?:fine|good|ok|okay|great|my (?:choice|pick|favou?rite)|the one|what i (?:chose|picked|want|prefer|use|took))|would be (?:fine|good|great|nice))$`,
  'iu',
);
const BARE = new RegExp(`^${HEDGES}["'\`]?(.{2,60}?)["'\`]?$`, 'iu');
/** Behind a value. */
const TAIL =
  /,? (?:everywhere|now|again|please|then|instead|for (?:it|that|this|now|me|the|my|all|everything)|as (?:the|my|a|it)|because|since|if|thanks|thank you|i think|i guess|gewählt|genommen|benutzt|verwendet)(?![\p{L}\d])/iu;
const withoutTail = (value: string): string => {
  const at = value.search(TAIL);
  return withoutMarks(at === -1 ? value : value.slice(0, at));
};
const withoutMarks = (said: string): string => said.replace(/["'`.!…]{1,5}$/, '');
const MOST_VALUE_WORDS = 6;

interface Answering {
  readonly text: string;
  /** In the turn. */
  readonly start: number;
}

/** Whether a sentence of a turn answers what asked for a secret, in it or in a turn before. */
export function answersSecret(
  content: string,
  { text, start }: Answering,
  askedBefore: AskedSecret | null,
): boolean {
  if (text.length > MOST_ANSWER || text.trimEnd().endsWith('?')) return false;
  const above = content.slice(Math.max(0, start - MOST_READ), start);
  const found = above.includes('?') ? askedIn(above) : null;
  if (found !== null && typeof found !== 'string')
    return isAnswer(text, { kind: found.kind, isJustAsked: true });
  if (askedBefore === null) return false;
  const isFirst = above.split(/\s+/).length <= MOST_WORDS_BEFORE;
  return isAnswer(text, { ...askedBefore, isJustAsked: askedBefore.isJustAsked && isFirst });
}
const MOST_ANSWER = 160;
/** `Oh, sure.` */
const MOST_WORDS_BEFORE = 4;

function isAnswer(text: string, asked: AskedSecret): boolean {
  const said = withoutMarks(plainText(text).trim());
  const chosen = withoutTail((ANSWER.exec(said) ?? NAMED_FIRST.exec(said))?.[1] ?? '');
  if (chosen !== '' && isValue(chosen, asked)) return true;
  const bare = withoutTail(BARE.exec(said)?.[1] ?? '');
  if (isStrongValue(bare, asked.kind)) return true;
  const [, named = ''] = NAME_OF.exec(chosen === '' ? bare : chosen) ?? [];
  return named !== '' && isValue(named, asked);
}
/** `My dog's name, Rex` */
const NAME_OF =
  /^(?:my|our|the|his|her) [^,]{2,60}(?:,| is)(?: so| which is| that is| it's| i\.e\.)? (\S{3,40})$/iu;

const isValue = (chosen: string, { kind, isJustAsked }: AskedSecret): boolean =>
  isStrongValue(chosen, kind) ||
  (isJustAsked && (kind === 'word' || kind === 'phrase') && isOfWords(chosen));

/** A number or a word with digits, and no more than that. */
function isStrongValue(value: string, kind: NameKind): boolean {
  const items = itemsOf(value).filter(({ isMark }) => !isMark);
  if (items.length === 0 || items.length > MOST_VALUE_WORDS) return false;
  if (items.length > 1 && items.some(({ said }) => /\p{Ll}/u.test(said) && isClosed(said)))
    return false;
  return isStrong({ items, kind }, 0);
}

/** `sunshine`, `purple monkey`: words that say nothing of a password. */
function isOfWords(value: string): boolean {
  const words = value.toLowerCase().split(/[ -]/).filter(Boolean);
  if (words.length === 0 || words.length > MOST_VALUE_WORDS) return false;
  if (!words.every((word) => /^[\p{L}\p{M}\d'._&+!?-]{1,40}$/u.test(word))) return false;
  if (words.length === 1 && (words[0]?.length ?? 0) < 3) return false;
  return !isOrdinary(words[0] ?? '') && !words.some(isNoValue);
}
const isNoValue = (word: string): boolean =>
  isClosed(word) ||
  isDescription(word) ||
  isMeans(word) ||
  /^(?:ones?|options?|things?|suggestions?|ideas?|default|randomi[sz]ed)$/.test(word);
