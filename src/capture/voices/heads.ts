/**
 * What tells that a text follows which somebody else wrote: the head of a mail, a page or a chat,
 * a mark of a talk with a model, and requests to work on what is shown.
 */
import * as rules from '../gate/gate-rules.ts';
import { beginning, begins, type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { isRoleLine } from './labels.ts';
import { isTitle } from './titles.ts';

const TEXTS =
  'e-?mails?|mails?|messages?|texts?|comments?|letters?|pages?|articles?|posts?|notes?|advice|snippets?|paragraphs?|sentences?|sections?|documents?|docs?|readme|threads?|quotes?|prompts?|instructions?|tickets?|issues?|reports?|drafts?|files?|attachments?|transcripts?|guides?|websites?|sites?|blogs?|tweets?|forwards?|statements?|excerpts?|passages?|terms|contracts?|polic(?:y|ies)|rules?|tips?|config|output|log|code';
export const TEXT = new RegExp(`\\b(?:${TEXTS})\\b`);
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
export function asksAbout(sentence: Sentence): 'text' | 'work' | null {
  if (ABROAD.test(sentence.text.slice(0, MOST_ASKED))) return 'text';
  if (REPLY.test(sentence.plain)) return 'work';
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
/** `What should I reply?`: to what is shown above or below. */
const REPLY =
  /^ (?:hi |hey |hello |ok |okay |so |and |please )*(?:what|how) (?:should|shall|do|can|could|would|might|must) (?:i|we|you|one) (?:best |even |possibly )?(?:reply|answer|respond|react|say to this|write back|say back|handle this|phrase|word) |^ (?:how to|need to|help me|have to|i need to|i have to|i must) (?:reply|answer|respond) /;
export const isReplyAsked = ({ plain }: Sentence): boolean => REPLY.test(plain);
/** `How do I say that in Italian?`, `What did he mean?`: of what stands above. */
const BACK =
  / how (?:do|would|can|could|should) (?:i|you|we|one) (?:say|write|phrase|put|word|translate|spell|pronounce) (?:this|that|it) | what (?:did|does|do) (?:he|she|they) (?:even |really |actually )?mean | what (?:do|should|shall|can|could|would) (?:i|we) (?:reply|answer|respond|write back|text back|say back) /;
export const pointsBack = ({ plain }: Sentence): boolean => BACK.test(plain);
/** Work on a text, in other languages: the verb, and what points at the text. */
const WORK_ABROAD =
  'übersetz|übertrag|fass|zusammenfass|antworte|beantwort|erwider|korrigier|umschreib|umformulier|formulier|erklär|kürz|prüf|lies|schau|hältst|résum|tradui|répond|corrig|reformul|expliqu|relis|vérifi|pensez|penses|resum|traduc|traduz|respond|contest|revis|explic|piensas|riassum|tradu|rispond|spieg|controll|vertaal|beantwoord|antwoord|samenvat|vat|leg|przetłumacz|odpowiedz|streść|перевед|ответ|объясн|översätt|oversæt|svar';
const AT_WHICH =
  'dies(?:e|er|es|em|en)?|das (?:hier|zusammen|bitte)|fass das|folgende[nrsm]?|darauf|ce|cet|cette|ceci|este|esta|esto|questa|questo|queste|deze|dit|het volgende|tę|tego|ten|это|этот|denna|detta|denne|dette';
const ABROAD = new RegExp(
  `(?<!\\p{L})(?:${WORK_ABROAD})\\p{L}*(?!\\p{L})(?=.*(?<!\\p{L})(?:${AT_WHICH})(?!\\p{L}))|(?<!\\p{L})(?:${AT_WHICH})(?!\\p{L}).*(?<!\\p{L})(?:${WORK_ABROAD})\\p{L}*(?!\\p{L})|^\\p{Lu}\\p{L}+ hat mir (?:das|dies|folgendes)`,
  'iu',
);
const MOST_ASKED = 200;
const LEADS = [...ASKS, ...rules.LEAD_INS];
/** `Answer in German.`: an instruction, and no text to be answered. */
const IN_WHICH_WAY =
  /^ (?:answer|reply|respond|explain) (?:me |to me )?(?:in|with|only|always|briefly|shortly|using|as) /;
/** `Review my code.` */
const OWN = /\b(?:my|our)\b/;
const withoutFirst = ({ words, start }: Sentence, count: number): Sentence =>
  sentenceOf(words.slice(count).join(' '), start);

export const SAYING =
  /\b(?:says?|said|wrote|writes|reads?|told|tells|states?|stated|replied|replies|asks?|asked|answers?|answered|suggests?|suggested|recommends?|recommended|according to|goes|quote|quoting)\b/i;
const FIRST_PERSON = /\b(?:I|I['’]\p{L}+|me|my|mine|we|our|us)\b/u;
/** A line of the head of a mail. */
const MAIL: readonly RegExp[] = [
  /^[*_>]*(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|de|para|objet|asunto|oggetto|onderwerp|temat|ämne|emne|konu|tárgy|fwd?|re|wg|aw|tr)[*_]*\s?:[*_]*\s*\S/i,
  /^[*_>]*(?:[Оо]т|[Кк]ому|[Тт]ема|[Дд]ата|差出人|宛先|件名|日時|发件人|發件人|收件人|主题|主旨|보낸\s?사람|받는\s?사람|제목)[*_]*\s?[:：]\s*\S/u,
  /^[*_>]*(?:[Oo]d|[Dd]a|[Ff]ra|[Ff]rån|[Kk]imden)[*_]*\s?:\s*[\p{Lu}<"]/u,
];
/** Beside such a line, `Van: Bob` is one as well. */
const FIELD = /^[*_>]*\p{L}{1,12}[*_]*\s?[:：]\s*\S/u;
/** Of a line without the blanks around it. */
const HEADS: readonly RegExp[] = [
  ...MAIL,
  /^(?:from|to|subject)\t/i,
  /^[-_=*~+–—―─]{3,}/,
  /^(?:begin |start of )?(?:the )?(?:forwarded|original) (?:message|mail|e-?mail)\b/i,
  /^(?:on|am|le|el)\b.{5,150}\b(?:wrote|schrieb|écrit|escribió)\s*:/i,
  /^(?:dear|liebe[rs]?|sehr geehrte[rs]?|cher|chère|estimad[oa])\s[^\n.!?]{1,42}$/i,
  // An attachment, a page, a document.
  /^\[[^\]]*\]$/,
  /^[[(<{*_]*\s*(?:attach(?:ed|ments?)|files?|images?|documents?|pdf|pasted|screenshots?|transcripts?|clipboard|uploaded|quoted|sources?|title|url)\b[^:\])}>]{0,80}[:\])}>]/i,
  /^(?:📎|🔗|📄|https?:\/\/)/u,
  /^#{1,6}(?:\s|$)/,
  /^<[!?/]?[a-z]/i,
  // A talk with a model, as it is written for one.
  /<\|[^|<>\n]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>/i,
  /<\/?(?:system|assistant|user|human|tool|instructions?|memory)(?:[ _-][^<>\n]{0,40})?>/i,
  /^\W{0,3}(?:system|tool|function)[ _-](?:results?|outputs?|messages?|prompts?|responses?|calls?)\W*$/i,
  // A list of questions and answers.
  /^\W{0,3}q\d{0,2}\s?[:.)]\s/i,
  // `A — I live in Rome`
  /^[A-HJ-Z]\d{0,2}\s*[-–—>]\s+\p{L}/u,
  // Subtitles.
  /^\d{1,2}:\d{2}(?::\d{2})?[.,]?\d{0,3} --> \d/,
  // A chat.
  /^(?!(?:I|We|My|Our)\b|.*\b(?:is|are|was|until|moves?|moved|starts?|meet)\b)[@\p{Lu}]\S*(?:\s+\S+){0,4}\s+[[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\.?)?(?:\s?(?:uhr|h))?[\])]?:?$/iu,
  /^[[(]\d{1,2}[:.]\d{2}[^\])]{0,20}[\])]/,
  /^\p{Lu}\S*(?:\s\S+){0,3}\s[(·•-]\s?(?:just now|yesterday|\d+\s?\p{L}+ ago)\)?$/iu,
  /^[[(]?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}/,
];

/** A line, and how it stands. */
export interface HeadLine {
  readonly text: string;
  /** The one below it, without the blanks around it. */
  readonly next: string;
  /** Nothing follows. */
  readonly isLast: boolean;
  /** An empty line follows. */
  readonly isApart: boolean;
}

/** `From my boss`, `FYI`: where what stands below is from. */
const SOURCE =
  /^(?:\W*)(?:fyi|fwd?|f\.?y\.?i\.?|see (?:below|above|attached)|below|attached|(?:this (?:is|was|came|comes) |it(?:'s| is| was) |that(?:'s| is) |straight |taken |copied |copy |pasted |copy[- ]pasted |forwarded |forwarding |found |received |got (?:this )?|here(?:'s| is) (?:what|one) )*(?:from|by|via|off|copied|pasted|forwarded|quoting|quoted|per)(?:\s(?!now\b|then\b|today\b|tomorrow\b|on\b|here\b|scratch\b|experience\b|i\b)\S+){0,6})[.:,!]?$/i;
const isSource = (line: string): boolean => line.length <= MOST_SOURCE && SOURCE.test(line);
const MOST_SOURCE = 80;

/** `assert bio ==`, `const bio =`: what is compared or set stands below. */
const OPERATOR = /\S\s?(?:[=!]==?|:=|=>|<<|\w\s=)$/;
/** `ERROR 2026-11-28 user said`: what they said stands below. */
const SAID = /\s(?:said|says|wrote|writes|replied|answered|posted|typed|entered|input)\W{0,3}$/i;

/** Whether what follows the line, or stands in it, was written by somebody else. */
export function isHead(line: HeadLine): boolean {
  const { text, isLast } = line;
  const shown = text.trim();
  if (HEADS.some((head) => head.test(shown))) return true;
  if (FIELD.test(shown) && MAIL.some((head) => head.test(line.next))) return true;
  if (!isLast && (isRoleLine(shown) || (line.isApart && isSource(shown)))) return true;
  if (!isLast && isTitle(shown, line.isApart)) return true;
  if (!isLast && (OPERATOR.test(shown) || (SAID.test(shown) && !FIRST_PERSON.test(shown))))
    return true;
  const colon = text.indexOf(':');
  if (colon === -1) return false;
  const lead = text.slice(0, colon);
  const isOwn = FIRST_PERSON.test(lead);
  if (SAYING.test(lead) && !/\b(?:I|we)\b/i.test(lead)) return true;
  const isEnd = !isLast && text.slice(colon + 1).trim() === '';
  return isEnd && (!isOwn || TEXT.test(lead.toLowerCase()));
}
