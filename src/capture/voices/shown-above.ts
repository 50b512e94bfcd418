/**
 * Sentences that stand behind a text and say that it is material: to be worked on, judged or
 * answered, or somebody else's. What stands before them in the turn is not stated. An instruction
 * about the work of the assistant (`summarize the news for me`) names something else, and takes
 * nothing back. Forms are of a whole sentence, or bounded, so reading stays linear.
 */
import type { Sentence } from '../sentences/sentence.ts';

const LEAD =
  '(?:(?:and|so|now|then|ok|okay|hey|hi|hello|please|pls|plz|just|also|thanks|could you|can you|would you|will you|help me|i need you to|i want you to|i would like you to|bitte|kannst du|könntest du|können sie|könnten sie|mal|mir|jetzt) )*';
const IT = '(?:this|that|it|these|those|them|the above|all of this|everything above|everything)';
const TEXTS =
  'text|mail|e mail|email|message|letter|note|paragraph|sentences?|passage|draft|reply|post|article|comment|review|lines?|poem|story|bio|statement';
/** What may stand beside the verb where the text is not named. */
const BESIDE =
  'this|that|it|these|those|them|all|everything|please|pls|plz|for me|for us|to|into|in|as|the|above|below|text|mail|email|message|letter|paragraph|passage|sentences?|a|an|one|two|three|four|five|\\d+|words?|bullets?|points?|lines?|briefly|shortly|quickly|short|again|now|thanks|thx|formally|formal|more|less|better|shorter|simple|simpler|simply|terms|professional|professionally|politely|polite|casual|casually|friendlier|nicer|tone|style|it for me|english|german|french|spanish|italian|dutch|polish|portuguese|russian|chinese|japanese|turkish|deutsch|auf|ins|englisch|deutsche|englische|französisch|französische';
const ALONE =
  'summari[sz]e|summary please|translate|translation please|proofread|rewrite|rephrase|reword|paraphrase|shorten|condense|tl ?dr|eli5|spell ?check|grammar check|(?:polish|improve|simplify) (?:this|that|the above)';
const LANGUAGE =
  '(?:grammar|spelling|typos?|wording|punctuation|phrasing|spelling mistakes|mistakes|grammatik|rechtschreibung|formulierung)';
const WHO = "(?!(?:i|we|you|i've|we've|it|this|that) )[\\p{L}\\d'’-]+(?: [\\p{L}\\d'’-]+){0,2}?";

/** Of `plain`. */
const WORKED_ON: readonly RegExp[] = [
  new RegExp(`^ ${LEAD}(?:${ALONE})(?: (?:${BESIDE}))* $`, 'u'),
  new RegExp(
    `^ ${LEAD}(?:${ALONE}|correct|edit|review|explain|analy[sz]e|critique|rate|classify|judge|check|fact ?check|label|interpret|turn|convert|bring) (?:the|this|that|these|those|my|all) (?:[a-z]+ )?(?:above|${TEXTS}) (?:above|please|pls|for me|into|to|in|as|for|$)`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?!ignore)[a-z]+ (?:me )?(?:of |to |on |about |with )?(?:the|all) above (?:[a-z]+ ){0,6}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}make ${IT} (?:sound|read|flow|look (?:more|less|professional|like)|(?:(?:more|less|very) )?(?:formal|informal|polite|professional|friendly|concise|casual|clear|natural|elegant|catchy|readable|wordy|fluent|engaging|persuasive|humorous)|shorter|longer|nicer|friendlier|clearer|funnier|simpler|into) `,
    'u',
  ),
  new RegExp(`^ ${LEAD}(?:turn|convert|put|change) ${IT} into `, 'u'),
  new RegExp(
    `^ ${LEAD}(?:fix|check|correct|improve|mind|watch|polish|any|with) (?:for )?(?:the |my |its |this |that |all )?${LANGUAGE} `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:is|was|are|isn't) ${IT} (?:in )?(?:ok |okay |good |correct |proper |right |well |grammatically |idiomatic |natural |native )*(?:english|german|french|spanish|grammar|grammatical|correct|written|phrased|worded|idiomatic|sentences?) `,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}does ${IT} (?:sound|read|look) (?:too |very |more |polite|natural|native|formal|informal|professional|rude|right|ok |okay |like|in )`,
    'u',
  ),
  new RegExp(`^ ${LEAD}(?:fix|check|correct) (?:the|my|this) (?:english|german|french) `, 'u'),
  /^ (?:so |and |ok )*(?:which|what|in which|in what) (?=.{0,100} (?:these|those|this|that|versions?|sentences?|the two|above) ).{0,100}(?<= )(?:tense|mood|register|english|german|french|grammar|grammatical|formal|natural|idiomatic|worded|phrased|written|sounds better|reads better|genre|dialect) /,
  // German.
  /^ (?:bitte |kannst du |könntest du |können sie |mir |das |dies |den text |diesen text |die mail |mal |kurz |einmal )*(?:zusammenfassen|übersetzen|umformulieren|umschreiben|korrigieren|kürzen|korrekturlesen|verbessern|zusammenfassung|übersetzung|korrektur)(?: bitte| auf \p{L}+| ins \p{L}+| in \p{L}+ \p{L}+)* $/u,
  /^ (?:bitte |kannst du |und |jetzt )*(?:übersetze?|fasse?|korrigiere?|kürze?|formuliere?|schreibe?|verbessere?|prüfe?|lies) (?:mir )?(?:bitte )?(?:das|dies|es|dieses|diesen|diese|den text|die mail|die nachricht) (?:(?:bitte|mir|mal|kurz|einmal|hier|ins|auf|in|deutsche|deutsch|englische|englisch|französische|zusammen|um|korrektur|besser|höflicher|kürzer|formeller|förmlicher|neu) )*$/u,
];

const FALSE =
  'spam|phishing|scam|scams|fake|fraud|fraudulent|legit|legitimate|genuine|hoax|malware|authentic|suspicious|betrug|betrügerisch|echt|seriös|gefälscht|abzocke|plausible|believable|trustworthy|ai generated';
const JUDGED: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:is|was|isn't|could|might|do you think|does|ist|war|sind|klingt|sieht) (?:this|that|these|the above|das|dies|es|diese|it(?= (?:[a-z]+ )?(?:spam|phishing|scam|fake|legit) ))(?: mail| message| letter| text| e mail| email| nachricht)? (?:[\\p{L}']+ ){0,4}?(?:${FALSE}) `,
    'u',
  ),
  /^ (?:i think |i bet |i guess |ok |so |and |ich glaube )*(?:this|that|these|the above|das|dies|it)(?:'s| is| was| looks| sounds| smells| seems| ist| klingt)(?: like| obviously| clearly| surely| just| so| probably| wie| bestimmt| sicher)*(?: a| an| another| pure| some| ein| eine)? (?:[\p{L}']+ )?(?:spam|phishing|scam|fake|hoax|fraud|malware|betrug) /u,
  new RegExp(
    `^ ${LEAD}(?:do|should|can|would|must) (?:i|we|you) (?:really )?(?:trust|believe|fall for|click on|take) (?:this|that|it|these)(?: mail| message| seriously)? $`,
    'u',
  ),
];
const SAID =
  'wrote|said|says|writes|sent|sends|posted|texted|told|mailed|emailed|forwarded|claims?|claimed|meant|replied|answered|left|showed|handed|gave';
/** Of the text in lower case: punctuation tells `sent me that.` from `told me that he …`. */
const SOMEBODYS_TEXT = new RegExp(
  `^${WHO} (?:has |have |just |really |actually |only |literally |also )*(?:${SAID}) (?:me |us |to me |to us |to everyone )?(?:this|that|the above|exactly that)(?=$|\\s*[,.!?;:)]| yesterday| today| just now| last | this | earlier| in | via | and i | lol| haha)`,
  'u',
);
const SOMEBODYS: readonly RegExp[] = [
  new RegExp(
    `^ (?:and |so |ok )*(?:who|did ${WHO}|has ${WHO}|have ${WHO}|hat ${WHO}|wer)(?: really| actually| just| das| dies| it| that)*(?: wirklich| echt| hat das| hat dies)? (?:write|wrote|written|send|sent|say|said|post|posted|geschrieben|geschickt|gesagt|hat das geschrieben) (?:(?:this|that|it|the above|me|to me|all|really) )*$`,
    'u',
  ),
  new RegExp(
    `^ (?:this|that|it|these|the above|all of that)(?:'s| is| was| were| are)(?: exactly| basically| just| all)* what (?!.* (?:always|never|used) )${WHO} (?:just |really )?(?:${SAID}|wants?|wanted|meint|meinte)(?: (?:me|us|to do|to say|to pay|today|yesterday|earlier|just now|there|here|mir|uns))* $`,
    'u',
  ),
  new RegExp(
    `^ (?:is|was|so)(?: exactly| basically)? (?:what )?${WHO} (?:${SAID}) (?:me |us |there )?$`,
    'u',
  ),
  /^ (?:this|that|these|those|the above|das|dies)(?:'s| is| was| were| are| came| comes| kam| kommt| war| ist)(?: just| all| only| copied| taken| pasted| quoted| straight| forwarded)* (?:from|by|off|von|aus) (?:[\p{L}\d']+ ){0,3}?(?:wiki|wikipedia|web|website|page|internet|slack|reddit|forum|blog|book|novel|chat|mail|e mail|email|letter|ticket|customer|client|boss|colleague|friend|scammer|spammer|stranger|somebody|someone|template|ad|advert|flyer|news|mailing list|teams|discord|whatsapp|linkedin|twitter|facebook|instagram|kunden|kundin|chef|freund|freundin) /u,
  /^ (?:sent|written|posted|said|forwarded|quoted) (?:by |from )?(?!me |myself |us )[\p{L}\d'-]+(?: [\p{L}\d'-]+){0,2} $/u,
  /^ (?:and |just |yet )*(?:a|an|another|the|some|one more|this|yet another|eine|noch eine) (?:[\p{L}]+ )?(?:mail|e mail|email|message|letter|post|comment|ticket|review|nachricht) (?:i got |i received |we got )?(?:from|by|von) (?:[\p{L}\d'-]+ ){1,3}$/u,
];
const ANSWERED: readonly RegExp[] = [
  /^ (?:ok |so |and |hm |hey |please |now )*(?:what|how) (?:do|should|shall|can|could|would|might|must) (?:i|we|you|one) (?:best |even |possibly )?(?:tell|say|write|answer|reply|respond|react)(?: back)?(?: to)? (?:them|him|her|this|that|back|there|to this|to that|to them|to him|to her)(?: back| now| best| politely)* $/,
  /^ (?:ok |so |and |please |can you |could you |help me )*(?:write|draft|suggest|give me|compose|prepare|send) (?:me )?(?:a|an|the|some|my) (?:[a-z]+ ){0,2}?(?:reply|response|answer|comeback)(?: to (?:this|that|him|her|them|it|the above))?(?: please| for me)* $/,
  /^ (?:ok |so |and |please |can you |could you |help me )*(?:reply|respond|answer)(?: to)? (?:this|that|him|her|them|it|the above)(?: please| for me| politely| briefly| in [a-z]+)* $/,
  /^ (?:und |also |ok |hm )*(?:was|wie) (?:soll|sollte|kann|könnte|muss|würdest|würde|sollen|sag|sage|schreib|schreibe|antworte|antwort) (?:ich |wir |man |du )?(?:(?:darauf|dazu|dem|denen|ihm|ihr|ihnen|da|jetzt|nun|am besten|bloß|nur) )*(?:antworten|schreiben|sagen|erwidern|reagieren)? ?$/,
];
/** `^ what bob wrote`, `<- is this ok english?`. */
const ARROW = /^\s*(?:<[-=—–]+|←|⬅|⬆|↑|👆|\^)/u;

const FORMS = [...WORKED_ON, ...JUDGED, ...SOMEBODYS, ...ANSWERED];

/** Whether it says that the text before it is material, or another's. */
export function pointsAbove({ text, plain, start }: Sentence): boolean {
  if (start === 0 || text.length > MOST_READ) return false;
  return (
    ARROW.test(text) ||
    SOMEBODYS_TEXT.test(text.toLowerCase()) ||
    FORMS.some((form) => form.test(plain))
  );
}
const MOST_READ = 200;
