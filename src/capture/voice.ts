/**
 * Whose words a piece of a turn is. A person pastes mails, pages and chats into what they say, and
 * no list of phrases tells all of them: so an instruction is taken at its word only where the turn
 * opens with it, or with what the person says of themselves on the same line. What stands behind a
 * mark of foreign text is nobody's word at all. Nothing is lost: what is not taken waits.
 */
import * as rules from './gate-rules.ts';
import type { Segment } from './segments.ts';
import { beginning, begins, type Sentence, sentenceOf } from './sentence.ts';

export interface Voice {
  /** It may be of a text that was pasted: nothing of it is said by the speaker. */
  readonly isForeign: boolean;
  /** All before it is the speaker's own: it can instruct. */
  readonly isOpening: boolean;
}

/** Of a line: what tells a head from a sentence stands at its beginning. */
const MOST_LINE = 200;

const TEXTS =
  'e-?mails?|mails?|messages?|texts?|comments?|letters?|pages?|articles?|posts?|notes?|advice|snippets?|paragraphs?|sentences?|sections?|documents?|docs?|readme|threads?|quotes?|prompts?|instructions?|tickets?|issues?|reports?|drafts?|files?|attachments?|transcripts?|guides?|websites?|sites?|blogs?|tweets?|forwards?|statements?|excerpts?|passages?|terms|contracts?|polic(?:y|ies)|rules?|tips?|config|output|log|code';
const TEXT = new RegExp(`\\b(?:${TEXTS})\\b`);
const POINTING = /\b(?:this|these|following|below|above|attached|means?|here is|here's|here are)\b/;
const list = (text: string): readonly string[] => text.split('|');
/** Work on a text, whatever else is said of it. */
const TEXT_WORK = list(
  'explain|review|answer|reply|respond|translate|summarize|summarise|proofread|rewrite|rephrase|paraphrase|analyze|analyse|comment on|interpret|critique|shorten|tldr|tl dr|eli5|thoughts on|any thoughts|your thoughts|opinion on|feedback on|what do you think|what do you make|what does this|what do these|what is this|what are these|is this|are these|does this|do these|is the following|are the following',
);
/** Of a text only where one is named. */
const WORK = list(
  'check|read|comment|edit|improve|fix|correct|evaluate|assess|verify|simplify|look at|have a look|take a look|should i believe|can i trust|is that|is it|does it|what does',
);
const ASKS = list(
  'can you|could you|would you|will you|please|pls|help me|help me to|i need you to|i want you to|i would like you to|now|then|and|next|first|also',
);
const GOT =
  /\b(?:got|received|found|sent|sends|wrote|posted|copied|pasted|saw|read|forwarded|says|said|reads)\b/;

/** `Explain what this means.`, `Is this advice any good?`: what is asked about is not said. */
function asksAbout(sentence: Sentence): 'text' | 'work' | null {
  let rest = sentence;
  for (let rounds = 0; rounds < 4; rounds += 1) {
    const lead = beginning(rest, LEADS);
    if (lead === null) break;
    rest = withoutFirst(rest, lead.split(' ').length);
  }
  if (IN_WHICH_WAY.test(rest.plain)) return null;
  const isOfText = POINTING.test(rest.plain) || (TEXT.test(rest.plain) && !OWN.test(rest.plain));
  if (begins(rest, TEXT_WORK)) return isOfText ? 'text' : 'work';
  if (begins(rest, WORK) && isOfText) return 'text';
  const isShown = /\b(?:this|these|following|below)\b/.test(rest.plain);
  return isShown && (GOT.test(rest.plain) || TEXT.test(rest.plain)) ? 'text' : null;
}
const LEADS = [...ASKS, ...rules.LEAD_INS];
/** `Answer in German.`: an instruction, and no text to be answered. */
const IN_WHICH_WAY =
  /^ (?:answer|reply|respond|explain) (?:me |to me )?(?:in|with|only|always|briefly|shortly|using|as) /;
/** `Review my code.` */
const OWN = /\b(?:my|our)\b/;
const withoutFirst = ({ words, start }: Sentence, count: number): Sentence =>
  sentenceOf(words.slice(count).join(' '), start);

const SAYING =
  /\b(?:says?|said|wrote|writes|reads?|told|tells|states?|stated|replied|replies|asks?|asked|answers?|answered|suggests?|suggested|recommends?|recommended|according to|goes|quote|quoting)\b/i;
const FIRST_PERSON = /\b(?:I|I['’]\p{L}+|me|my|mine|we|our|us)\b/u;
/** Of a line without the blanks around it. */
const HEADS: readonly RegExp[] = [
  // A mail.
  /^[*_>]*(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|de|para|objet|asunto|oggetto|fwd?|re)[*_]*\s?:[*_]*\s*\S/i,
  /^[-_=*~+]{3,}/,
  /^(?:begin |start of )?(?:the )?(?:forwarded|original) (?:message|mail|e-?mail)\b/i,
  /^(?:on|am|le|el)\b.{5,150}\b(?:wrote|schrieb|écrit|escribió)\s*:/i,
  /^(?:dear|liebe[rs]?|sehr geehrte[rs]?|cher|chère|estimad[oa])\s[^\n.!?]{1,42}$/i,
  // An attachment, a page, a document.
  /^\[[^\]]*\]$/,
  /^[[(<{*_]*\s*(?:attach(?:ed|ments?)|files?|images?|documents?|pdf|pasted|screenshots?|transcripts?|clipboard|uploaded|quoted|sources?|title|url)\b[^:\])}>]{0,80}[:\])}>]/i,
  /^(?:📎|🔗|📄|https?:\/\/)/u,
  /^#{1,6}(?:\s|$)/,
  /^<[!?/]?[a-z]/i,
  // A chat.
  /^(?!(?:I|We|My|Our)\b|.*\b(?:is|are|was|until|moves?|moved|starts?|meet)\b)[@\p{Lu}]\S*(?:\s+\S+){0,4}\s+[[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\.?)?[\])]?:?$/iu,
  /^[[(]\d{1,2}[:.]\d{2}[^\])]{0,20}[\])]/,
  /^[[(]?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}/,
];

/** Whether what follows the line, or stands in it, was written by somebody else. */
function isHead(line: string, isLast: boolean): boolean {
  const shown = line.trim();
  if (HEADS.some((head) => head.test(shown))) return true;
  const colon = line.indexOf(':');
  if (colon === -1) return false;
  const lead = line.slice(0, colon);
  const isOwn = FIRST_PERSON.test(lead);
  if (SAYING.test(lead) && !/\b(?:I|we)\b/i.test(lead)) return true;
  const isEnd = !isLast && line.slice(colon + 1).trim() === '';
  return isEnd && (!isOwn || TEXT.test(lead.toLowerCase()));
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

export function voiceReader(content: string, segments: readonly Segment[]): VoiceReader {
  const startOf = (segment: Segment | undefined): number => segment?.sentence.start ?? -1;
  const foreignBefore = startOf(segments.findLast((each) => endsForeign(content, each)));
  const shownBefore = Math.max(foreignBefore, startOf(segments.findLast(asksBack)));
  let before: Before = 'nothing';
  let isForeign = false;
  let asked: 'text' | 'work' | null = null;
  let end = 0;
  let lineEnd = -1;
  return {
    voiceOf: ({ kind, sentence: { start, text } }) => {
      const isBroken = content.slice(end, start).includes('\n');
      if (asked === 'text' || (asked === 'work' && isBroken)) isForeign = true;
      if (isBroken && before === 'own') before = 'other';
      if (start > lineEnd) {
        const line = lineAt(content, start);
        lineEnd = line.end;
        const leads = kind === 'steps' && STEPS_LEAD.test(line.text) && !SAYING.test(line.text);
        isForeign ||= !leads && isHead(line.text, line.end >= content.length);
      }
      if (isForeign || kind === 'block') before = 'other';
      return {
        isForeign: isForeign || start < foreignBefore,
        isOpening: before !== 'other' && start >= shownBefore && !/^\s*["“«‘']/u.test(text),
      };
    },
    heard: ({ kind, sentence }, found) => {
      end = sentence.end;
      asked = kind === 'sentence' ? (asksAbout(sentence) ?? asked) : asked;
      if (before === 'other') return;
      const instructs = found.isAsked || (found.class !== null && isInstruction(found.class));
      if (asked !== null) before = 'other';
      else if (instructs) before = before === 'own' ? 'own' : 'instructions';
      else before = kind === 'sentence' && isOwnWords(sentence) ? 'own' : 'other';
    },
  };
}

/** `Always run it. Is this advice any good?`: it is about what stands before it. */
const asksBack = ({ kind, sentence }: Segment): boolean =>
  kind === 'sentence' &&
  sentence.start > 0 &&
  /\b(?:this|that|these|those|above)\b/.test(sentence.plain) &&
  (TEXT.test(sentence.plain) || /\b(?:this|that|these|those) means?\b/.test(sentence.plain)) &&
  asksAbout(sentence) === 'text';

/** Below what it is about, on a line of its own; or the end of a letter. */
const endsForeign = (content: string, segment: Segment): boolean =>
  SIGNED.test(segment.sentence.text) ||
  (asksBack(segment) && beginsLine(content, segment.sentence.start));
const beginsLine = (content: string, start: number): boolean => {
  const before = content.slice(Math.max(0, start - MOST_BLANKS), start);
  return before.slice(before.trimEnd().length).includes('\n');
};
const MOST_BLANKS = 20;
const SIGNED =
  /^(?:--|(?:best |kind |warm )?regards|sincerely|yours (?:truly|sincerely)|mit freundlichen grüßen),?$/i;

function lineAt(content: string, at: number): { readonly text: string; readonly end: number } {
  const start = content.lastIndexOf('\n', at - 1) + 1;
  const next = content.indexOf('\n', at);
  const end = next === -1 ? content.length : next;
  return { text: content.slice(start, Math.min(end, start + MOST_LINE)), end };
}
