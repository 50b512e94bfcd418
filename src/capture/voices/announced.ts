/**
 * Sentences that announce a text of somebody else, by where it is from, who sent it or what is to
 * be done with it: all that follows in the turn is of that text. A text of one's own announces
 * nothing: `here's what I did`, `rate my plan`.
 */
import type { Sentence } from '../sentences/sentence.ts';

const LEAD =
  '(?:(?:and|so|now|then|ok|okay|hey|hi|hello|well|look|also|fyi|btw|lol|haha|omg|wow) )*';
/** What one can be shown of another. */
const TEXTS =
  'mails?|e mails?|emails?|messages?|dms?|texts?|comments?|letters?|tickets?|replies|reply|responses?|answers?|bios?|biograph(?:y|ies)|profiles?|resumes?|cvs?|reviews?|complaints?|statements?|transcripts?|posts?|tweets?|articles?|essays?|stor(?:y|ies)|poems?|lyrics|songs?|testimonials?|applications?|quotes?|passages?|excerpts?|paragraphs?|sentences?|dialogues?|novels?|threads?|voicemails?|sms|intros?|introductions?|blurbs?|pitch(?:es)?|captions?|self descriptions?|descriptions?|diar(?:y|ies)|journals?|entr(?:y|ies)|speech(?:es)?|monologues?|notes?|words|about (?:me|page|section)|abstracts?|chats?|logs?|confessions?|rants?|prompts?|drafts?|screenshots?';
/** Of a person: a note or an answer may be the speaker's own. */
const OF_PEOPLE =
  'mails?|e mails?|emails?|messages?|dms?|texts?|letters?|bios?|biograph(?:y|ies)|profiles?|resumes?|cvs?|reviews?|complaints?|statements?|transcripts?|tweets?|testimonials?|applications?|quotes?|voicemails?|voice messages?|intros?|introductions?|self descriptions?|diar(?:y|ies)|monologues?|confessions?|rants?|stor(?:y|ies)|posts?|comments?|repl(?:y|ies)|responses?';
/** Written by nobody who speaks, with those above. */
const DOCUMENTS =
  'contracts?|agreements?|leases?|polic(?:y|ies)|terms|clauses?|statutes?|laws?|notices?|forms?|manuals?|handbooks?|documents?|reports?|pages?|websites?|signs?|leaflets?|brochures?|certificates?|scripts?|manifestos?|wills?|records?|files?|tickets?|cases?|issues?';
const HERE =
  'below|follows|attached|underneath|beneath|as follows|pasted|quoted|copied|forwarded|verbatim|in full|here|next';
const STRANGERS =
  'customer|client|user|guest|reader|applicant|candidate|visitor|subscriber|employee|member|tenant|patient|student|buyer|seller|viewer|listener|witness';
/** No speaker, and no thing that is so from the day on. */
const WHO =
  "(?!(?:i|we|you|i've|we've|it|there|here|what|who|this|that|please|which|nobody|how|why|when|where|if|now|one) )[\\p{L}\\d'’-]+(?: (?!(?:i|we|you|it) )[\\p{L}\\d'’-]+){0,3}?";
const GIVES =
  'sent|sends|wrote|writes|texted|messaged|dmed|emailed|mailed|posted|posts|forwarded|shared|left|gave|showed|handed|pinged|dropped|said|says|told|tells|replied|answered|put|published|tweeted|commented|submitted|dictated|typed|has to say|had to say|was saying';
/** `Bo's`, `my mum's`, `her`, `the customer's`. */
const OWNER =
  "(?:(?:his|her|their|someone's|somebody's|the following)|(?:(?:my|our|an?|the|this|that|his|her|their) (?:[\\p{L}-]+ ){0,2}?)?(?!(?:it|that|what|let|here|there|who|how|today|now|one)['’]s )[\\p{L}\\d-]+(?:['’]s|s['’]))";
const SOURCES =
  "(?!(?:experience|now|then|today|tomorrow|yesterday|here|there|scratch|memory|me|myself|us|home|my (?:own|time|days|childhood|phone|heart|head|side|perspective|point|past|notes)) )(?:[\\p{L}\\d'’.-]+ ){1,5}";
const VERBS =
  "is|are|was|were|has|have|had|be|been|do|does|did|got|gets|goes|went|came|comes|made|makes|says|said|took|takes|gave|gives|broke|burned|burnt|fell|died|lives|works|ended|started|arrived|needs|needed|moved|helped|changed|will|would|can|could|isn't|wasn't|i|we|you|\\p{L}+ed|arrives|costs|looks|sounds|remains|stays";
const ASKS =
  "(?:(?:please|pls|can you|could you|would you|will you|help me|help me to|i need you to|i want you to|i'd like you to|quickly|kindly|let's|and|now|then|just|honestly|be honest|give me|i need|any|your) )*";
const WORK =
  "rate|score|judge|grade|review|check|critique|criticize|criticise|evaluate|assess|read|proofread|edit|improve|polish|fix|correct|shorten|translate|summari[sz]e|rewrite|rephrase|reword|paraphrase|comment on|look at|look over|go over|have a look at|take a look at|feedback on|(?:your )?(?:thoughts|opinion|take) on|roast|help with|analy[sz]e|explain|interpret|classify|respond to|reply to|answer|what do you (?:think|make) of|what (?:are|is) your (?:thoughts|opinion|take) on|how (?:good|bad|convincing|clear) is|how is|how's|how does|is|what about|what's wrong with|spot the mistakes in|find the mistakes in";
const LANGUAGE =
  'english|german|french|spanish|italian|portuguese|dutch|polish|russian|japanese|chinese|korean|turkish|swedish|danish|norwegian|finnish|czech|greek|arabic|hebrew|hindi|latin|plain \\p{L}+|simple \\p{L}+|formal \\p{L}+';

/** Of `plain`. */
const FORMS: readonly RegExp[] = [
  // `This is from Bo`, `Got this from my mum`, `Forwarded from Bo`
  new RegExp(
    `^ ${LEAD}(?:this|these|the following|below|here)(?:'s| is| was| are| were)?(?: just| all| only| also| one| copied| taken| straight| directly)* from ${SOURCES}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:i |we |i've |we've )?(?:just |have )*(?:got|found|copied|pasted|forwarded|quoted|received|took|saw|read|stumbled (?:up)?on|came across) (?:this|these|it|the following)(?: one| text| message| mail)?(?: here| today| yesterday| earlier| just now)* (?:from|by|off|on|in|via|at) ${SOURCES}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:forwarded|fwd|forwarding|copied|pasted|quoted|quoting|quote|excerpt|extract|passage|taken|transcribed|reposted|screenshot)(?: this| it| here| straight| message)* (?:from|by|of) ${SOURCES}$`,
    'u',
  ),
  // `Look what my ex sent`, `Here's what she sent me`
  new RegExp(
    `^ ${LEAD}(?:look at|look|see|check out|check|read|guess|listen to|hear|get|here's|here is|this is|that's|below is|i'll show you|let me show you|i got|you should see)(?: exactly| just| this)* (?:what|how|the (?:thing|stuff|words)(?: that)?) ${WHO} (?:just |has |had |have |once |also |actually |finally )*(?:${GIVES})(?: (?:back|in|again|me|us|to me|to us|you|this|down|today|yesterday|tonight|this morning|last night|last week|on \\p{L}+|now|just now|earlier|below|here|about (?:me|him|her|them|himself|herself|themselves|it|that)))* $`,
    'u',
  ),
  // `She sent me this`, `My mum left this note for me`
  new RegExp(
    `^ ${LEAD}${WHO} (?:has |have |had |just |also |then |now |finally |already )*(?:${GIVES})(?: me| us| to me)? (?:this|these|the following)(?: (?:one|${TEXTS}))?(?: (?:to me|to us|for me|back|today|yesterday|earlier|now|just now|(?:in|on|to|at) (?:[\\p{L}'’-]+ ?){1,3}|about (?:himself|herself|themselves)))* $`,
    'u',
  ),
  // `Here is Bo's intro`, `Bo's bio reads engineer`
  new RegExp(
    `^ ${LEAD}(?:here's|here is|here are|here comes|here goes|this is|these are|below is|below are|that's|see|read) (?:just |only )?${OWNER} (?:[\\p{L}\\d'-]+ ){0,3}?(?:${TEXTS}) (?:from \\p{L}+ |about \\p{L}+ |for \\p{L}+ )?$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:the|this|that|an?|his|her|their|${OWNER}) (?:[\\p{L}\\d'-]+ ){0,3}?(?:${TEXTS}) (?:says|said|reads|read|goes|went|begins|began|starts|started|opens|opened|is|was)(?: with| like| this| as follows| just| simply)* (?:hi|hello|hey|dear|good (?:morning|evening|day)|yo|the following|this|as follows|like this|verbatim|quote)(?: \\p{L}+){0,3} $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:the|this|that|his|her|their|${OWNER}) (?:[\\p{L}-]+ ){0,2}?(?:book|${TEXTS}) (?:starts|begins|opens|goes|reads|continues|ends)(?: like this| as follows| here| thus| so| with this| with the following)* $`,
    'u',
  ),
  // `I'm quoting Bo here`, `Sharing a story I read`
  new RegExp(
    `^ ${LEAD}(?:i'm |i am |we're |i'll be |let me )?(?:(?:just |now |also |only )*(?:quoting|quote|citing|cite|reciting|recite|reposting|repost|relaying|relay|transcribing|transcribe) (?!(?:my|our|you|me|the price) )(?:[\\p{L}\\d'’-]+ ){1,6}|(?:sharing|pasting|copying|forwarding|posting) (?:${OWNER}|an?|the|this|some) (?:[\\p{L}-]+ ){0,2}?(?:${TEXTS}) (?:[\\p{L}'’-]+ ){0,5})$`,
    'u',
  ),
  // `A line from the novel`, `My tenant's message from today`: no verb, so nothing is said of it.
  new RegExp(
    `^ ${LEAD}(?!.* (?:${VERBS}) )(?:(?:an?|the|one|some|another) (?:[\\p{L}-]+ ){0,2}?(?:lines?|pages?|verses?|chapters?|scenes?|sections?|parts?|${TEXTS}) (?:from|out of|of) (?:the|an?|his|her|their|my [\\p{L}-]+['’]s|[\\p{L}-]+['’]s) |${OWNER} (?:[\\p{L}-]+ ){0,2}?(?:${TEXTS}) (?:from|about|on) )(?:[\\p{L}'’-]+ ){1,4}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}${WHO} (?:just |then )*(?:introduced|introduces|described|describes|presented|presents) (?:himself|herself|themselves|itself)(?: like this| as follows| thus| so| to (?:me|us|everyone|the (?:group|team|class))| today| yesterday)* $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:here's|here is|this is|use|consider|take|adopt|meet|assume) (?:an?|the|this|our|another|one) (?:[\\p{L}-]+ ){0,2}?(?:persona|character|backstory|user story|scenario|role|protagonist|narrator)(?: (?:for you|to use|below|here))* $`,
    'u',
  ),
  // `Rate this bio`, `What do you think of her profile?`
  new RegExp(
    `^ ${LEAD}${ASKS}(?:${WORK}) (?:${OWNER}|this|these|that|those|the following|the|an?)(?<! my own) (?:(?!(?:my|our|own) )[\\p{L}\\d'-]+ ){0,3}?(?:${TEXTS}) (?:(?:for (?:me|him|her|them)|please|pls|below|here|again|out of (?:ten|10)|from \\p{L}+|to \\p{L}+|(?:in|into) \\p{L}+|any good|good|ok|okay|fine|convincing|clear|too long|honestly|sound|read) )*$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}${ASKS}(?:(?:${WORK}|continue|finish|complete|go on with) the following (?:[\\p{L}'’-]+ ){1,4}|(?:continue|finish|complete|extend|go on with) (?:${OWNER}|this|that|the) (?:${TEXTS}) |make (?:this|it|that) (?:sound|read|look|more|less|shorter|longer|nicer|better|clearer|funnier|simpler|formal|casual|polite|friendlier) (?:[\\p{L}-]+ ){0,3}|which (?:one |version |sentence |text )?of (?:these|the following|those)(?: two| three| four)? (?:is|are|sounds?|reads?|looks?|do you) (?:[\\p{L}-]+ ){1,4})$`,
    'u',
  ),
  // `My friend's bio.`, `Profile of Bo`, `Voice memo from mom`, `Customer complaint`: no more.
  new RegExp(
    `^ ${LEAD}(?!.* (?:${VERBS}) )(?!(?:this|last|next|\\p{L}+day|week|month|year|summer|winter)['’]?s )${OWNER.replace('(?:his|her|their|', '(?:')} (?:[\\p{L}-]+ ){0,2}?(?:cv|${OF_PEOPLE}) $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:an?|the|this|new|another|one) )?(?:voice |short |quick |long )?(?:${OF_PEOPLE}|voice memos?|memos?|feedback|recordings?|notes?) (?:from|by|off) (?!(?:my|our) side )${SOURCES}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:the|this|a) )?(?:profiles?|bios?|cvs?|resumes?|self descriptions?|transcripts?|recordings?|statements?|testimonials?) of (?!(?:me|myself|my|our|us|mine) )(?:[\\p{L}'’-]+ ){1,4}$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:an?|the|this|new|another|one|next) )?(?:${STRANGERS}) (?:${OF_PEOPLE}|feedback|complaints?|inquir(?:y|ies)|enquir(?:y|ies)|requests?|tickets?)(?: (?:number|no|nr))?(?: \\d+)?(?: (?:is|are))?(?: (?:${HERE}))* $`,
    'u',
  ),
  // `The complaint below`, `Full ticket follows`, `Copy of ticket 991`
  new RegExp(
    `^ ${LEAD}(?!my |our )(?!.* (?:${VERBS}) )(?:(?:the|an?|this|that|his|her|their) )?(?:[\\p{L}-]+ ){0,2}?(?:${OF_PEOPLE}|${DOCUMENTS}) (?:(?:no|nr|number) )?(?:\\d+ )?(?:(?:from|by|of) (?:[\\p{L}'’-]+ ){1,2})?(?:${HERE})(?: (?:${HERE}))* $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:(?:an?|the|full|exact) )*(?:copy|copies|extract|excerpt|printout|screenshot|scan|contents?|body|text|wording|paste|dump|quote) (?:of|from|out of) (?:(?:the|an?|this|that|his|her|their|${OWNER}) )?(?:[\\p{L}-]+ ){0,2}?(?:${TEXTS}|${DOCUMENTS})(?: (?:no|nr|number))?(?: \\d+)?(?: (?:from|by|of) (?:[\\p{L}'’-]+ ?){1,3})?(?: (?:${HERE}))* $`,
    'u',
  ),
  // `The contract reads as follows`; what `is as follows` may be the speaker's.
  new RegExp(
    `^ ${LEAD}(?:(?:the|this|that|an?|his|her|their|${OWNER}) (?:[\\p{L}\\d-]+ ){0,3}?(?:[\\p{L}-]+)|my (?:[\\p{L}-]+ )?(?:${DOCUMENTS})) (?:reads|states|says|is worded|was worded|runs)(?: exactly| literally| now)* (?:as follows|like this|the following|thus|verbatim)(?: here)? $`,
    'u',
  ),
  // `forwarded`, `paste incoming`, `this just in from Bo`
  new RegExp(
    `^ ${LEAD}(?:(?:now |just )*(?:forwarded|forwarding|fwd|pasted|pasting|quoted|quoting|copied|copying)(?: (?:message|mail|text|below|now|it|this|here))*|(?:big |long |text )?(?:paste|quote|forward|copy paste|wall of text|mail|message|text) (?:incoming|coming(?: up| in)?|ahead|follows|below)|incoming (?:paste|quote|text|forward)|this just in(?: from [\\p{L}'’-]+(?: [\\p{L}'’-]+)?)?) $`,
    'u',
  ),
  // `Correct my sentences`, `Translate what I type from now on`: what comes next is practice.
  new RegExp(
    `^ ${LEAD}${ASKS}(?:correct|translate|fix|proofread|check|improve|rephrase|rewrite|repeat|transcribe) (?:(?:all )?(?:my|our) (?:next |english |german |french |spanish |italian )?(?:sentences?|texts?|lines?|messages?|grammar|spelling|words|writing|phrases|mistakes|errors|typos|english|german|french|spanish|italian)|(?:everything|anything|whatever|all|each thing|every (?:sentence|line|message)|what)(?: that)? (?:i|we) (?:type|write|say|send|post|paste|enter|tell you))(?: (?:please|pls|from now on|from here on|now|next|in here|here|below|(?:in|in|to|into) \\p{L}+|as (?:i|we) (?:go|type|write)|for me))* $`,
    'u',
  ),
  // `Translate into French`: what is to be translated follows.
  new RegExp(
    `^ ${LEAD}${ASKS}(?:translate|proofread|summari[sz]e|rephrase|reword|paraphrase|rewrite|transcribe|correct|shorten|polish)(?: (?:in|to|into) (?:${LANGUAGE}|\\p{L}+ words|one sentence|a sentence)| please| pls| for me| formally| politely| briefly| quickly)* $`,
    'u',
  ),
];

/** Whether what follows in the turn is of a text of somebody else. */
export const announcesText = ({ text, plain }: Pick<Sentence, 'text' | 'plain'>): boolean =>
  text.length <= MOST_READ && FORMS.some((form) => form.test(plain));
const MOST_READ = 200;
