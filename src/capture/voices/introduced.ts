/**
 * Sentences that say whose words follow: somebody's mail, a ticket, a sample, what a friend was
 * like. What stands behind them in the turn is not stated by the speaker; it waits for a review.
 * A form is of a whole sentence, so that what somebody told the speaker stays the speaker's news.
 */

import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { announcesText } from './announced.ts';
import { opensFiction, opensNextFiction, sharesFiction } from './fiction.ts';
import { givesRole, supposesSpeaker } from './roles.ts';

const LEAD = '(?:(?:and|so|now|then|ok|okay|hey|hi|hello|well|look|also|fyi|btw|und|also) )*';
const NOUNS =
  'mails?|e mails?|emails?|messages?|dms?|texts?|comments?|letters?|tickets?|replies|reply|responses?|bios?|profiles?|resumes?|cvs?|reviews?|complaints?|statements?|transcripts?|posts?|tweets?|articles?|essays?|stor(?:y|ies)|poems?|lyrics|songs?|testimonials?|applications?|requests?|quotes?|passages?|excerpts?|paragraphs?|threads?|forwards?|voicemails?|sms|nachrichten?|briefe?|anfragen?|beschwerden?|texte?|kommentare?';
const WHO =
  "(?!(?:i|we|you|i've|we've|it|ich|wir|du|there|here|what|who|this|that|please|which|nobody|how|why|when|where|if|my mood|my day|life) )[\\p{L}\\d'’-]+(?: (?!(?:i|we|you|it) )[\\p{L}\\d'’-]+){0,3}?";
const SAYS =
  'wrote|writes|written|replied|responded|answered|texted|emailed|e mailed|mailed|messaged|posted|commented|said|says|told|tells|states|stated|meint|meinte|schreibt|schrieb|geschrieben|sagt|sagte|antwortet|antwortete';
/** Somebody, and not the speaker or who is spoken to. */
const OTHERS =
  '(?:my|our|a|his|her|their) (?!(?:own|self|new|current|first) )(?:[\\p{L}-]+ ){0,1}?[\\p{L}-]+|(?!(?:me|us|you|it|this|that|free|now|good|fun|help|work|money|advice|the|a|my|our) )[\\p{L}-]+';
const WHEN =
  'back|in|again|me|us|to me|to us|this|that|the following|today|yesterday|tonight|this morning|this evening|last night|last week|on \\p{L}+day|now|just now|earlier|below|as follows|like this|here|once|dazu|mir|uns|gerade|heute|gestern|folgendes|das|zurück|hat';

/** Of `plain`. */
const FORMS: readonly RegExp[] = [
  // `Here is my friend's bio`, `This is the ticket`; not `here is my bio`.
  new RegExp(
    `^ ${LEAD}(?:here's|here is|here are|this is|these are|that's|that is|below is|below are|hier ist|hier sind|das ist|hier kommt|here comes) (?:just |only |basically )?(?:the|a|an|another|one|some|his|her|their|someone's|somebody's|der|die|das|eine|ein|einen|seine|ihre|(?:my|our|mein|meine) (?:[\\p{L}]+ ){0,2}?[\\p{L}-]+['’]s?|(?!my |our |your )[\\p{L}-]+['’]s) (?:[\\p{L}\\d'-]+ ){0,3}?(?:${NOUNS}) (?!(?:to|for) you|(?:address|app|box|inbox|account|list) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:here's|here is|this is|that's|that is|below is|hier ist|das ist) (?:exactly |just |also )?(?:what|how|was) ${WHO} (?:just |has |had |once |mir |uns )*(?:${SAYS}|sent|put it|sends|posted)(?: (?:${WHEN}))* $`,
    'u',
  ),
  // `She wrote back.`, `A customer just wrote in.`, `Die Kundin schreibt.`
  new RegExp(
    `^ ${LEAD}${WHO} (?:has |have |had |just |also |then |now |finally |already |hat |haben )*(?:${SAYS})(?: (?:${WHEN}))* $`,
    'u',
  ),
  // `Bob was like, …`, `my boss is always like I …`, `Bob goes, …`
  new RegExp(
    `^ ${LEAD}${WHO}(?: (?:was|is|were|are)(?: always| all| just| totally| so| really)* like(?= $| (?:i|i'm|i've) )| (?:goes|(?:goes|went) like)(?= $))`,
    'u',
  ),
  // `We got a letter.`, `I am forwarding you a mail.`, `I have a mail here.`
  new RegExp(
    `^ ${LEAD}(?:i|we|i've|we've|i'm|we're|i'll)(?: just| have| am| are| also| only| will| today| now| again| recently)* (?:got|get|received|found|copied|forwarding|forward|forwarded|pasting|paste|pasted|sending|attaching|attached|sharing|quoting|quote|have(?= .{0,60}(?: here| in front of me| from) )|was sent|were sent|was given) (?:you |in |below |sent )*(?:a|an|the|this|some|another|one|two|this|following|the following|my [\\p{L}]+['’]s) (?:[\\p{L}-]+ ){0,2}?(?:${NOUNS})(?: (?:here|below|in front of me|today|yesterday|this morning|just now|for you|now|again|first|(?:from|by|off|on|in) (?:[\\p{L}\\d'’-]+ ?){1,4}))* $`,
    'u',
  ),
  /^ (?:also |ok |hallo |hi )*(?:ich|wir) (?:habe|haben|hab|bekam|bekamen|erhielt|leite|leiten) (?:\p{L}+ ){0,5}?(?:mails?|e mails?|emails?|nachrichten?|briefe?|texte?|anfragen?|schreiben|folgendes)(?: (?:bekommen|erhalten|gekriegt|gefunden|hier|weiter|kopiert|von|vom|vor mir|\p{L}+ bekommen))* $/u,
  // `This came in from a customer today.`
  new RegExp(
    `^ ${LEAD}(?:this|these|that|the following|das|dies|diese(?:s|r)?)(?: one| mail| message| text| nachricht)?(?: just| has| have| was| is| were| all| only)* (?:came|come|comes|arrived|landed|sent|received|posted|written|copied|pasted|forwarded|quoted|taken|found|kam|kommt) (?:in|from|via|by|through|to|on|at|today|yesterday|this|off|von|aus|heute|gestern|rein) `,
    'u',
  ),
  // `Ticket #4411 from Bob Jones`
  /^ (?:new |next |open |support |customer |jira |the )*(?:tickets?|cases?|issues?|messages?|mails?|e mails?|emails?|letters?|comments?|reviews?|posts?|complaints?|requests?|incidents?|anfragen?|customers?|chats?|calls?|fall)(?: number| no| nr| id)? (?:[a-z]{1,4} )?\d+(?: (?:by|from|of|von)(?: [\p{L}\d.'’-]+){1,4})? $/u,
  new RegExp(
    `^ (?:new |another |the )*(?:${NOUNS}) (?:from|by|von|vom) (?:[\\p{L}\\d.'’-]+ ){1,4}$`,
    'u',
  ),
  // `I'm filling this in for my mom`, `Fill this form for Bo`, `asking for a friend`
  new RegExp(
    `^ ${LEAD}(?:(?:i'm|i am|we're|i'll be|i'll|i) (?:just |now |also )*)?(?:fill(?:ing)?|complet(?:e|ing)|answer(?:ing)?|writ(?:e|ing)|typ(?:e|ing)|sign(?:ing)?|apply(?:ing)?|speak(?:ing)?|ask(?:ing)?|post(?:ing)?) (?:(?:in |out |up )?(?:this|these|it|the (?:form|survey|questionnaire|application|questions|profile))(?: (?:form|survey|questionnaire|application|profile))? (?:in |out |up )?)?(?:for|on behalf of) (?:${OTHERS}|\\p{L}+['’]s \\p{L}+) $`,
    'u',
  ),
  // `Example sentence.`
  /^ (?:an? |the |my |some |first |next )*(?:example|sample|test|dummy|placeholder|mock) (?:sentences?|texts?|messages?|mails?|data|input|prompts?|statements?|lines?|turns?|cases?)(?: \d+)? $/,
  // What was so in a dream may go on in the next sentence.
  /^ (?:and |so |ok |last night )*(?:i (?:just )?(?:dreamed|dreamt)|in my dream(?: last night)?) (?:that )?(?:i|i'm|i'd|i've|my|we) /,
  // `Fix grammar - …`, `Which tense is this in - …`, `tl;dr please …`
  /^ (?:please |pls |can you |could you |just |hey |hi )*(?:fix|correct|check|improve|mind|proofread|polish) (?:for )?(?:the |my |its |this |that |all )?(?:grammar|spelling|typos?|wording|punctuation|phrasing|mistakes) /,
  /^ (?:so |and |ok |please )*(?:which|what|in which|in what) (?:tense|mood|register|genre|dialect|language|style|grammar) (?:is|are|does|do) (?:this|that|these|it|the following) /,
  /^ (?:please |pls )?(?:tl ?dr|summari[sz]e|translate|rephrase|proofread|rewrite|paraphrase) (?:please|pls|plz|this|that|for me)(?: (?:please|pls|to [a-z]+|into [a-z]+|in [a-z]+))* (?:$|(?:i|i'm|i've|my|we|our) )/,
  // `How do I say this in Italian?`, `Classify the tone of the next sentence.`
  new RegExp(
    `^ ${LEAD}how (?:do|would|can|could|should) (?:i|you|we|one) (?:say|write|phrase|put|word|translate|spell|pronounce) (?:this|that|it|these|the following) `,
  ),
  new RegExp(
    `^ ${LEAD}(?:please |can you |could you )*(?:classify|label|tag|rate|score|analy[sz]e|read|check|translate|judge|describe|summari[sz]e) (?:[\\p{L}]+ ){0,6}?(?:next|following) (?:sentences?|lines?|words?|${NOUNS}) `,
    'u',
  ),
  // `An SMS came in.`, `Output of the tool.`, `Bob wants you to do this.`
  new RegExp(
    `^ ${LEAD}(?:an?|another|the|one more|some) (?:[\\p{L}]+ )?(?:${NOUNS}) (?:just |has |have )*(?:came|come|comes|arrived|landed|popped up)(?: in| up| through| today| now)* $`,
    'u',
  ),
  /^ (?:the |an? )?(?:outputs?|results?|responses?|answers?|logs?|repl(?:y|ies)) (?:of|from) (?:the |an? |my |our )?[\p{L}\d'’-]+(?: [\p{L}\d'’-]+){0,2} $/u,
  new RegExp(
    `^ ${LEAD}${WHO} (?:just |also |now )*(?:wants?|asks?|asked|tells?|told|needs?|wanted|would like|says|begs?|begged) (?:you|me|us) to (?:do|say|know|hear|read|see|follow|obey|tell you) (?:this|that|the following) $`,
    'u',
  ),
  /^ (?:please |now |just |and )*(?:repeat|say|echo|recite)(?: this| that| the following)? after me /,
  /^ (?:please |now |can you |could you )*(?:write|draft|compose|generate|create) (?:me )?(?:an? |the |my |some )?(?:[a-z]+ ){0,2}?(?:ad|advert|tweet|speech|dialogue|dialog|monologue|testimonial|review|poem|song|story|headline|caption|slogan) $/,
];

/** Where nothing else stands behind it, no text of somebody else comes next. */
const NO_TEXT_NEXT =
  /^ (?:and |so |ok |please |now |just |can you |could you |last night )*(?:write|draft|compose|generate|create|i (?:just )?(?:dreamed|dreamt)|in my dream) /;
/** Whether a text of somebody else is expected in the next turn, where this one ends with it. */
export const announcesNext = (sentence: Sentence): boolean =>
  opensNextFiction(sentence) ||
  (!sentence.text.endsWith('!') && isIntroduction(sentence) && !NO_TEXT_NEXT.test(sentence.plain));

/** Whether what follows in the turn is not said by its speaker. */
export function introducesWords(sentence: Sentence): boolean {
  const known = read.get(sentence);
  if (known !== undefined) return known;
  const found =
    givesRole(sentence) ||
    supposesSpeaker(sentence) ||
    opensFiction(sentence) ||
    sharesFiction(sentence) ||
    isIntroduction(sentence) ||
    isIntroduction(beforeColon(sentence));
  read.set(sentence, found);
  return found;
}
/** Asked of each piece several times. */
const read = new WeakMap<Sentence, boolean>();

const isIntroduction = (sentence: Sentence): boolean =>
  announcesText(sentence) ||
  (sentence.text.length <= MOST_READ && FORMS.some((form) => form.test(sentence.plain)));

/** `Here's what she sent me: hi.` announces as it does without the greeting. */
function beforeColon(sentence: Sentence): Sentence {
  const colon = sentence.text.search(/[:：](?:\s|$)/u);
  return colon === -1 ? sentence : sentenceOf(sentence.text.slice(0, colon), sentence.start);
}
const MOST_READ = 200;
