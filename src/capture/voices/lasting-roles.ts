/**
 * Roles and plays that go on in the next turns: `You are now Bo.`, `Let's roleplay.`, `Pretend I'm
 * my boss for this chat`. What is said under one waits, until the talk says that it ends. A text
 * that is to be written as somebody is done with its answer, and an assistant that is to help as a
 * tutor or an expert changes nothing of who the speaker is.
 */
import type { BlockRow } from '../../model/block.ts';
import { type Sentence, sentencesOf } from '../sentences/sentence.ts';
import { isBackAtKeyboard, mayTellWho, takesKeyboard } from './at-the-keyboard.ts';
import { sharesFiction } from './fiction.ts';
import { introducesWords } from './introduced.ts';
import { isPerson } from './people.ts';
import { givesRole, isPlayed } from './roles.ts';
import { speakerOf } from './speaker.ts';

const LEAD =
  "(?:(?:and|so|now|then|ok|okay|alright|right|hey|hi|hello|well|please|also|just|but|no|from now on|i want you to|i need you to|i'd like you to|i'd like to|i want to|can you|could you|would you|will you|can we|could we|shall we|let's|let us|we can|you can|we should|time to|i think|try to) )*";

/** One text of a role, and not talk in it. */
const ONE_TEXT = new RegExp(
  `^ ${LEAD}(?:write|tweet|post|introduce|describe|tell|narrate|sing|present|argue|draft|compose|text|complain|apologi[sz]e|blog|comment|rant|give|create|generate|invent|make|do|say|put|phrase|explain|in|with|using|from|through|by) `,
);
/** What an assistant is asked to be where the speaker goes on as themselves. */
const HELPERS =
  'trainer|tutor|teacher|translator|interpreter|assistant|expert|coach|consultant|adviser|advisor|editor|proofreader|reviewer|critic|mentor|guide|planner|analyst|developer|dev|engineer|programmer|coder|designer|writer|copywriter|author|nutritionist|dietitian|therapist|doctor|physician|nurse|pharmacist|lawyer|attorney|paralegal|accountant|chef|cook|sommelier|agent|instructor|professor|lecturer|researcher|scientist|linguist|counsell?or|specialist|professional|pro|helper|aide|secretary|concierge|librarian|architect|marketer|strategist|auditor|tester|broker|stylist|mechanic|handyman|gardener|ai|bot|chatbot|model|machine|terminal|shell|console|compiler|dictionary|thesaurus|checker|calculator|engine|linter|tool|generator|summari[sz]er|moderator|facilitator|board|duck|advocate|\\p{L}+ologist|\\p{L}+ician|lehrer|lehrerin|trainerin|übersetzer|experte|expertin|assistent|assistentin';
const HELPS = new RegExp(` (?:${HELPERS})s? `, 'u');
/** `Be brief for this one`, `You're Welcome.` */
const OF_MANNER = /^(?:\p{L}+,? ){0,2}[Bb]e (?!an? |the |\p{Lu}\p{Ll})/u;
const NO_NAME =
  /^(?:\p{L}+,? )?(?:you(?:['’]re| are)|be) (?:welcome|right|wrong|great|amazing|awesome|correct|honest|careful|brief|concise|kind|nice|quiet|claude|chatgpt|gpt|gemini|copilot|llama|mistral)\b/iu;

const PLAYS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:start |do |begin |try |have |open )?(?:a |an |the |our |some |this is a |this is an )?(?:[a-z]+ )?(?:role ?play(?:ing)?|rpg|improv) (?!(?:game i|games? (?:is|are|was)|is|are|was|were|helps?|helped|fan|club|group|session (?:is|was)) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:play|start|improvise|act out) (?:out )?(?:a|an|the|our|some|another|this) (?:[a-z]+ ){0,2}?(?:scene|role|make believe|pretend|adventure|campaign|sketch|skit|game(?! of (?!pretend|make believe))) `,
    'u',
  ),
  /^ (?:and |so |ok |okay |now |hey )*(?:let's|let us) (?:all )?(?:pretend|make believe) /u,
  /^ (?:and |so |ok |okay |now )*(?:this is|we are|we're) (?:now )?(?:in )?(?:an? |our )?(?:role ?play|rpg|improv|simulation|make believe) /,
  /^ (?:and |so |ok |okay |now |but )*(?:in|for|during) (?:this|our) (?:[\p{L}']+ ){0,2}?(?:story|game|role ?play|scene|scenario|campaign|simulation|play|rpg|sketch|skit) (?:i|i'm|i've|my|we|our|you|you're) /u,
  /^ (?:and |so |ok |now )*(?:from now on )?(?:i'm|i am|i'll be|i will be|i play|stay|be|you're|you are|get|ich bin|ich spiele) (?:now )?in character /,
  // `Speak only as my customer from now on` has its owner: who that is, is not the speaker.
  new RegExp(
    `^ ${LEAD}(?:answer|reply|respond|speak|talk|act) (?:to me )?(?:only |always )?(?:as|like) (?:my|our) [\\p{L}'’-]+ (?:would|does|from now on) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i'll|i will|i'm going to|let me|i'm) (?:pretend(?:ing)? to be|act(?:ing)? as|speak(?:ing)? as|talk(?:ing)? as|answer(?:ing)? as|respond(?:ing)? as|play(?:ing)? the (?:role|part) of) `,
    'u',
  ),
  /^ (?:lass uns |wir )(?:\p{L}+ ){0,3}?(?:rollenspiel|theater|so tun) /u,
  /^ (?:jetzt |ab jetzt |ok )*(?:du bist|du spielst) (?:jetzt|ab jetzt|nun|ab sofort) (?!(?:mein|meine|dran|fertig|frei) )/u,
  /^ (?:ok |bitte )*tu so als (?:ob du|wärst du|wäre ich|ob ich) /u,
];
/** `I'll play Bo, you interview me`; `I play Minecraft` has nobody on the other side. */
const NAMED_SELF =
  /^(?:(?:ok|okay|so|now|and),? )*I(?:['’]ll| will|['’]m going to|['’]m| want to) (?:play|be|be playing|playing) (?:\p{Lu}\p{Ll}+|an? \p{L}+|the \p{L}+)(?: \p{Lu}\p{Ll}+)?(?:,| and|;) (?:and )?you(?:['’]\p{L}+)? /iu;
const SUPPOSES =
  /^ (?:(?:and|so|ok|okay|now|please|just|let's|let us) )*(pretend|make believe|imagine|suppose|assume|say|act as if|act like) (?:that )?(?:i'm|i am|i was|i were|we're|we are) (?:now |actually )?(.+)$/u;
/** A matter is explained to them. */
const LEARNERS =
  / (?:beginner|novice|layman|layperson|dummy|newbie|noob|idiot|child|kid|toddler|student|year old|new|old) /;
const NAME_SUPPOSED = /\b(?:I['’]m|I am|I was|I were) \p{Lu}\p{Ll}/u;

function supposesSelf({ text, plain }: Sentence): boolean {
  const [, verb = '', whom = ''] = SUPPOSES.exec(plain) ?? [];
  if (verb === '' || LEARNERS.test(` ${whom}`)) return false;
  if (NAME_SUPPOSED.test(text)) return true;
  const words = whom.split(' ').slice(0, 4);
  const isOwned = /^(?:my|your|our|his|her|their|the)$/.test(words[0] ?? '');
  if (isOwned) return words.some((word) => isPerson(word));
  return /^(?:pretend|make believe|act)/.test(verb) && /^an?$/.test(words[0] ?? '');
}

/** Whether a role or a play begins there that goes on in the next turns. */
export function beginsRole(sentence: Sentence): boolean {
  const { text, plain } = sentence;
  if (text.length > MOST_SENTENCE || / (?:don't|never|not) (?:pretend|act|play) /.test(plain))
    return false;
  if (PLAYS.some((form) => form.test(plain)) || NAMED_SELF.test(text)) return true;
  if (isPlayed(sentence) || supposesSelf(sentence) || sharesFiction(sentence)) return true;
  const isOther = ONE_TEXT.test(plain) || HELPS.test(plain);
  return givesRole(sentence) && !isOther && !OF_MANNER.test(text) && !NO_NAME.test(text);
}
const MOST_SENTENCE = 300;

const PLAY = '(?:role ?play(?:ing)?|scene|game|act|role|character|play|persona|story|simulation)';
/** Of `plain`. */
const ENDS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:(?:go|get|come|switch|be|i'm|we're|and|all) )*back to (?:normal|reality|being (?:you|yourself|me|myself|us)|the real world|real life|our (?:usual|normal|real) \\p{L}+)(?= $| (?:now|again|please|me|i|you|we) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:stop|end|quit|exit|leave|drop|finish|break|close|cancel) (?:with |of |out of )?(?:(?:the|this|our|that|your|all|being in|being|playing|doing) )*(?:${PLAY}|acting|pretending|make believe) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:that's|that is|this is|it's) )?(?:the )?end (?:of )?(?:(?:the|this|our) )?${PLAY} `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:the |this |our )?${PLAY} (?:is |'s |has )?(?:over|done|finished|ended|off) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:no more|enough|enough of|enough with|we're done|i'm done|done)(?: with)? (?:(?:the|this|our|that) )*(?:${PLAY}|acting|pretending|playing|games|roles) `,
    'u',
  ),
  /^ (?:(?:ok|okay|so|and|well|alright|but|now|haha|lol) )*(?:now seriously|seriously now|(?:ok|okay|but) seriously|in all seriousness|(?:all )?jok(?:es|ing) aside|kidding aside|for real now|now for real|out of character|ooc|back to reality) /,
  new RegExp(
    `^ ${LEAD}(?:(?:you're|you are|be|become|i'm|i am|we're) )(?:yourself|myself|ourselves|me|you|normal|claude|chatgpt|the assistant|an assistant|a normal assistant)(?: now)? (?:again|now) `,
    'u',
  ),
  /^ (?:(?:ok|gut|so|bitte|jetzt) )*(?:zurück zur (?:realität|normalität)|schluss mit (?:dem )?(?:rollenspiel|theater|spiel)|(?:das )?rollenspiel (?:ist )?(?:zu ende|beendet|vorbei|ende)|ende (?:des rollenspiels|der szene)|jetzt (?:mal )?im ernst) /u,
];
/** Whether it says that a role or a play has ended. */
export const endsRole = ({ text, plain }: Sentence): boolean =>
  text.length <= MOST_SENTENCE &&
  !/^seriously\?/i.test(text) &&
  ENDS.some((form) => form.test(plain));

/** Beginnings and ends stand in what a turn opens with. */
const MOST_READ = 2000;
const MOST_SENTENCES = 40;
const MAY_BE =
  /role|play|act|let me|story|tale|novel|fiction|adventure|pretend|suppose|imagin|assume|believe|\bsay|scene|game|charact|persona|you(?: are|['’]re)|\bbe\b|answer|reply|respond|speak|talk|become|mimic|channel|embody|back to|serious|aside|ooc|real|stop|end|over|yourself|du bist|tu so|theater|ernst/i;

export interface RoleFollower {
  /** Turn by turn, in order: whether a role goes on in it that a turn before it gave. */
  readonly heard: (turn: BlockRow, isOfOthers: boolean) => boolean;
  /** Behind all that was heard. */
  readonly isOn: () => boolean;
}

export function roleFollower(wasOnBefore = false): RoleFollower {
  let isOn = wasOnBefore;
  return {
    isOn: () => isOn,
    heard: (turn, isOfOthers) => {
      if (speakerOf(turn) !== 'person') return false;
      const wasOn = isOn;
      const head = turn.content.slice(0, MOST_READ);
      if (isOfOthers) isOn = wasOn && !isBackAlone(turn);
      else if (MAY_BE.test(head) || mayTellWho(head)) isOn = isOnAfter(head, turn.author, wasOn);
      return wasOn;
    },
  };
}

/** A text of somebody else says more than that its speaker is back. */
function isBackAlone({ content, author }: BlockRow): boolean {
  const [only, more] = sentencesOf(content.slice(0, MOST_READ), 0, { most: 2, never: [] });
  return only !== undefined && more === undefined && isBackAtKeyboard(only, author);
}

function isOnAfter(head: string, author: string | null, wasOn: boolean): boolean {
  let isOn = wasOn;
  for (const sentence of sentencesOf(head, 0, { most: MOST_SENTENCES, never: [] })) {
    if (endsRole(sentence) || isBackAtKeyboard(sentence, author)) isOn = false;
    else if (beginsRole(sentence) || takesKeyboard(sentence, author)) isOn = true;
    // What follows in the turn is the text of somebody else.
    else if (/^[>`]/.test(sentence.text) || introducesWords(sentence)) break;
  }
  return isOn;
}
