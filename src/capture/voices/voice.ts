/**
 * Whose words a piece of a turn is. A person pastes mails, pages and chats into what they say, and
 * no list of phrases tells all of them: so an instruction is taken at its word only where the turn
 * opens with it, or with what the person says of themselves on the same line. What stands behind a
 * mark of foreign text is nobody's word at all. Nothing is lost: what is not taken waits.
 */
import type { BlockRow } from '../../model/block.ts';
import { isDashed } from '../blocks/code.ts';
import type { Segment } from '../sentences/segments.ts';
import { begins, type Sentence } from '../sentences/sentence.ts';
import { isBackAtKeyboard, takesKeyboard } from './at-the-keyboard.ts';
import { enclosedIn } from './enclosed.ts';
import {
  asksAbout,
  type HeadLine,
  isHead,
  isReplyAsked,
  pointsBack,
  SAYING,
  TEXT,
} from './heads.ts';
import { introducesWords } from './introduced.ts';
import { isForeignLabel, isOfOther } from './labels.ts';
import { endsRole } from './lasting-roles.ts';
import { lettersIn, ofAuthor } from './letters.ts';
import { isReal, opensPlay } from './made-up.ts';
import { isNameAlone } from './name-lines.ts';
import { handsOver, isSourced, nameBeforeAside } from './other-speakers.ts';
import { pointsAbove } from './shown-above.ts';

export interface Voice {
  /** It may be of a text that was pasted: nothing of it is said by the speaker. */
  readonly isForeign: boolean;
  /** All before it is the speaker's own: it can instruct. */
  readonly isOpening: boolean;
  /** It is said in a role, a game or a story. */
  readonly isMadeUp: boolean;
}

/** `To deploy:` and its steps. */
const STEPS_LEAD = /^\s*(?:to|how (?:to|I|we)|when(?:ever)?|before|after|for|if)\b/i;

/** `Hi!`, `Thanks a lot.`: no head of a text. */
const GREETINGS =
  'hi|hello|hey|good morning|good evening|good afternoon|thanks|thank you|thx|ok|okay|yes|no|sure|great|cool|nice|perfect|right|sorry|got it|sounds good|welcome back|happy to meet you|nice to meet you'.split(
    '|',
  );
const MOST_GREETING_WORDS = 8;
const OWN_WORDS: ReadonlySet<string> = new Set(
  "i i'm i've i'd i'll my me we we're we've we'd we'll our us".split(' '),
);
const isOwnWords = (sentence: Sentence): boolean =>
  !/[?:]$/.test(sentence.text) &&
  // `Our wiki says …`
  !SAYING.test(sentence.text) &&
  (sentence.words.slice(0, 6).some((word) => OWN_WORDS.has(word)) ||
    (begins(sentence, GREETINGS) && sentence.words.length <= MOST_GREETING_WORDS));

const INSTRUCTIONS: ReadonlySet<string> = new Set(['rule', 'procedure', 'lesson']);
export const isInstruction = (memory: string): boolean => INSTRUCTIONS.has(memory);

/** What a turn said so far. */
type Before = 'nothing' | 'instructions' | 'own' | 'other';

export interface Heard {
  /** The class of what is kept of it. */
  readonly class: string | null;
  readonly isAsked: boolean;
}

/** Piece by piece, in order. */
export interface VoiceReader {
  /** Of the next piece. */
  readonly voiceOf: (segment: Segment) => Voice;
  /** What the gate found of it. */
  readonly heard: (segment: Segment, found: Heard) => void;
}

/** What the turns before say of this one. */
export interface Announced {
  /** It was announced as the words of somebody else. */
  readonly isOfOthers?: boolean;
  /** A role goes on in it. */
  readonly isInRole?: boolean;
  /** It asked something. */
  readonly isReply?: boolean;
}

export function voiceReader(
  { content, author }: Pick<BlockRow, 'content' | 'author'>,
  segments: readonly Segment[],
  { isOfOthers = false, isInRole = false, isReply = false }: Announced = {},
): VoiceReader {
  const startOf = (segment: Segment | undefined): number => segment?.sentence.start ?? -1;
  const letters = lettersIn(content, author);
  const isAuthor = ofAuthor(author);
  const isNameOfOther = (text: string): boolean => isNameAlone(text) && !isAuthor(text);
  const introduces = introducing(author, isReply);
  const encloses = enclosedIn(content);
  const foreignBefore = Math.max(
    letters.signedAt,
    startOf(segments.findLast((each) => isAskedBelow(content, each))),
    startOf(segments.findLast(isBelowShown)),
  );
  const shownBefore = Math.max(foreignBefore, startOf(segments.findLast(asksBack)));
  let before: Before = 'nothing';
  let isForeign = isOfOthers;
  let isPlay = false;
  let isRole = isInRole;
  let asked: 'text' | 'work' | null = null;
  let last = '';
  let end = 0;
  let lineEnd = -1;
  return {
    voiceOf: ({ kind, sentence }) => {
      const { start, end: behind, text } = sentence;
      const gap = content.slice(end, start);
      const isBroken = gap.includes('\n');
      if (asked === 'text' || (asked === 'work' && isBroken)) isForeign = true;
      if (isBroken && before === 'own') before = 'other';
      if (start > lineEnd) {
        const line = lineAt(content, start);
        lineEnd = line.end;
        const leads = kind === 'steps' && STEPS_LEAD.test(line.text) && !SAYING.test(line.text);
        isForeign ||= !leads && (isHead(line) || (!line.isLast && isNameOfOther(line.text)));
      }
      isForeign ||= letters.greetedAt !== -1 && start >= letters.greetedAt;
      if (kind === 'sentence' && !isBroken && /^\s*[:：]\s*$/.test(gap))
        isForeign ||= !isAuthor(last) && isForeignLabel(nameBeforeAside(last) ?? last, text);
      if (kind === 'sentence' && !isBroken && DASH.test(gap)) isForeign ||= isNameOfOther(last);
      if (kind === 'sentence') isForeign ||= isOfOther(content.slice(start, lineEnd), isAuthor);
      const isShown = encloses({ start, end: behind }) || isShownLine(text, content, start);
      if (isForeign || isShown || kind === 'block') before = 'other';
      isRole &&= !endsRole(sentence) && !isBackAtKeyboard(sentence, author);
      const isMadeUp = (isPlay || opensPlay(sentence)) && !isReal(sentence);
      const isPart = isShown || (isRole && !isReal(sentence));
      const isOwn = kind === 'sentence' ? !isOfNext(sentence, author) : kind !== 'block';
      return {
        isForeign:
          isForeign || !isOwn || isMadeUp || isPart || start < foreignBefore || opensQuote(text),
        isMadeUp,
        isOpening: before !== 'other' && !isRole && start >= shownBefore && !OPENS_QUOTE.test(text),
      };
    },
    heard: ({ kind, sentence }, found) => {
      ({ end, text: last } = sentence);
      if (kind === 'sentence') {
        asked = introduces(sentence) ? 'text' : (asksAbout(sentence) ?? asked);
        isPlay ||= opensPlay(sentence);
      }
      if (before === 'other') return;
      const instructs = found.isAsked || (found.class !== null && isInstruction(found.class));
      if (asked !== null) before = 'other';
      else if (instructs) before = before === 'own' ? 'own' : 'instructions';
      else before = kind === 'sentence' && isOwnWords(sentence) ? 'own' : 'other';
    },
  };
}

/** It says whose words come next, in those of that one or with nothing of the speaker in it. */
const isOfNext = (sentence: Sentence, author: string | null): boolean =>
  introducesWords(sentence) || takesKeyboard(sentence, author);

/** Where nobody knows who the author is, a name may be theirs. */
function introducing(author: string | null, isReply: boolean): (sentence: Sentence) => boolean {
  const handing = { isAuthor: ofAuthor(author), isName: isNameAlone, isReply };
  return (sentence) =>
    introducesWords(sentence) ||
    takesKeyboard(sentence, author) ||
    (author !== null && handsOver(sentence.text, handing));
}

/** `Always run it. Is this advice any good?`: it is about what stands before it. */
const asksBack = ({ kind, sentence }: Segment): boolean =>
  kind === 'sentence' &&
  sentence.start > 0 &&
  // `Make this a rule: …` names what is said, and asks nothing about it.
  !/^ (?:please )?make (?:this|that|it) (?:a|an|the|my|our) /.test(sentence.plain) &&
  /\b(?:this|that|these|those|above)\b/.test(sentence.plain) &&
  (TEXT.test(sentence.plain) || /\b(?:this|that|these|those) means?\b/.test(sentence.plain)) &&
  asksAbout(sentence) === 'text';

const isBelowShown = ({ kind, sentence }: Segment): boolean =>
  kind === 'sentence' && pointsAbove(sentence);

/** Below what it is about, on a line of its own, or by words that point at it. */
function isAskedBelow(content: string, segment: Segment): boolean {
  const { start } = segment.sentence;
  if (start === 0) return false;
  if (pointsBack(segment.sentence)) return true;
  return (asksBack(segment) || isReplyAsked(segment.sentence)) && beginsLine(content, start);
}
const beginsLine = (content: string, start: number): boolean => {
  const before = content.slice(Math.max(0, start - MOST_BLANKS), start);
  return before.slice(before.trimEnd().length).includes('\n');
};
const MOST_BLANKS = 20;

const DASH = /^\s+[-–—]\s+$/;
const OPENS_QUOTE = /^\s*(?:["“”„«»‹‚‘'`「『┃│|])/u;
/** `'tis` and `'cause` begin with an apostrophe. */
const APOSTROPHE = /^\s*['’](?:\p{Ll}{1,5})\b(?!.*['’]\s*[.!?]?$)/u;
/** `“Annie” is my nickname` quotes a word, and says something of it. */
const QUOTES_WORD = /^\s*["“”„«»‹‚‘'`「『][^"“”»›’'`」』]{1,60}["“”»›’'`」』](?=.*\p{L})/u;
const opensQuote = (text: string): boolean =>
  OPENS_QUOTE.test(text) && !APOSTROPHE.test(text) && !QUOTES_WORD.test(text);
/** Between marks that are apostrophes as well. */
const QUOTED_LINE = /^['‘‚](?:\S+\s+){2,60}\S+['’‘][.!?]?$/u;

/** `'I am vegan'`, and what may be a comment of a query. */
const isShownLine = (text: string, content: string, start: number): boolean =>
  QUOTED_LINE.test(text) ||
  isSourced(text) ||
  // A turn of one line is no query with a comment.
  (content.trim().includes('\n') && isDashed(lineAt(content, start).text));

function lineAt(content: string, at: number): HeadLine & { readonly end: number } {
  const start = content.lastIndexOf('\n', at - 1) + 1;
  const next = content.indexOf('\n', at);
  const end = next === -1 ? content.length : next;
  return {
    text: content.slice(start, Math.min(end, start + MOST_LINE)),
    end,
    next:
      content
        .slice(end + 1, end + MOST_LINE)
        .split('\n', 1)[0]
        ?.trim() ?? '',
    isLast: end >= content.length,
    isApart: /^\n[ \t]*\n/.test(content.slice(end, end + MOST_BLANKS)),
  };
}
/** Of a line: what tells a head from a sentence stands at its beginning. */
const MOST_LINE = 200;
