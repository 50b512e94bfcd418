/**
 * Sentences that state nothing, whatever stands in them: denied, in jest, made up, given as an
 * example, asked for, or to be passed on. A rule is sure of these, so no other judge is asked.
 */
import { isExercise } from './exercise.ts';

/** Of a sentence. */
interface Said {
  readonly plain: string;
  readonly text: string;
}
interface Placed extends Said {
  readonly start: number;
}

const ROLES =
  'novel|story|stories|tale|screenplay|script|poem|song|game|roleplay|role play|campaign|fiction|fanfic|fan fiction|movie|film|sketch|play|musical|comic|dream|dreams|nightmare|daydream|simulation|scenario|fantasy';
/** From the beginning of the sentence. */
const OPENINGS: readonly RegExp[] = [
  // Denied.
  /^ (?:no |well |actually |and |but |so )*(?:it's|it is|it isn't|it's just|that's|that is|it was|it wasn't) (?:just |simply |absolutely |totally )*(?:untrue|false|wrong|a lie|a myth|a rumou?r|nonsense|fake news|not (?:\w+ )?(?:true|correct|right|the case)|(?<=isn't |wasn't )(?:\w+ )?(?:true|correct|right|the case)) (?:that|to say) /,
  /^ (?:nobody|no one|noone|none of us|who) (?:ever )?(?:says|said|claims|claimed|thinks|believes|told you) /,
  /^ i (?:never|didn't|did not|don't|do not) (?:said|say|claim|claimed|mean|meant|believe|think) (?:that )?(?:i|i'm|i've|my|we|our) /,
  /^ (?:i|i'd|we) (?:would|could|might|used to) (?:say|claim|pretend|tell people|have said)? ?.* but (?:i|we|it|that) (?:don't|do not|didn't|doesn't|isn't|wasn't|am not|can't|won't) $/,
  // `Not that I live in Rome`; what stands behind a `but` is stated.
  /^ (?:(?:and|well|it's|it is|it isn't|isn't) )*not (?:that|as if|as though|like|because) (?:i|i'm|i've|i'd|my|we|we're|our) (?!.* but )/,
  // Dropped.
  /^ (?:(?:oh|ok|okay|ah|no|and|but|actually|well) )*(?:never ?mind|nevermind|nvm) (?!.*\b(?:i|i'm|i've|my|we|we're|our)\b)/,
  // Unsure.
  /^ (?:well |so |and |but |hm+ |oh |ok |honestly )*(?:i'm |i am |we're )?(?:not (?:entirely |quite |really |so |too |completely |100 )*(?:sure|certain)|unsure|uncertain|no idea|no clue) /,
  /^ (?:allegedly|supposedly|reportedly|presumably|hypothetically|theoretically|in theory|assume|assuming|suppose|supposing|imagine|picture this|pretend|let's (?:say|pretend|assume|imagine|suppose)|say for (?:example|instance)|what if|as if|if i (?:were|was|had)) /,
  // An example, or a try.
  /^ (?:test |testing ){2,}/,
  /^ (?:and |so |but |like )*(?:for example|for instance|e g|as an example|to give an example|by way of example|an example) /,
  // Made up.
  new RegExp(
    `^ (?:and |so |but |last night )*(?:in|for|from) (?:my|the|a|an|our|this|that|her|his) (?:[\\p{L}']+ ){0,2}?(?:${ROLES}) (?!job |house |home |team |night )`,
    'u',
  ),
  /^ (?:(?:and|so|but) )*(?:i (?:dreamed|dreamt)|in character|(?:my|the|our|her|his) (?:[\p{L}']+ )?(?:character|protagonist|narrator|alter ego)(?:'s)? )/u,
  /^ (?:(?:and|so|but|today|according to) )*(?:my|the|a|our|this|today's) (?:[\p{L}']+ ){0,2}?(?:horoscopes?|fortune cookie|fortune teller|tarot(?: cards?)?|psychic|astrologer|palm reader|ouija board|magic 8 ball|joke|meme|lyrics|novel|story|character|cartoon|fanfic|spam|phishing mail) (?:says?|said|claims?|claimed|reads?|goes|thinks|told|tells|predicts?|predicted|states?|is that|promised) /u,
  // To be written or looked up.
  /^ (?:please |now |ok |can you |could you |would you |will you )*(?:write|draft|compose|generate|create|make up|invent|prepare|formulate) .* (?:says?|saying|claims?|claiming|telling|states?|stating|that|in which|where) .*\b(?:i|i'm|i've|my|we|our) /,
  / (?:check|checks|find out|look up|see|verify|ask|asks|wonder|wondering|know|tell me|test) (?:whether|if) (?:i|i'm|i've|my|we|our) /,
];
/** What both know: `remember when Bo fell`, `remember that time in Prague`. */
const REMINISCED =
  /^ (?:and |so |oh |hey |do you |you )*remember (?:(?:when|how|me|us) |(?:that|the|this) (?:one )?(?:time|day|night|summer|winter|trip|guy|girl|place|party) (?!is |zone |of |limit |for |slot ))/;
const ASKED =
  "(?:(?:please|pls|now|also|and|so|then|ok|okay|hey|hi|just|remember to|don't forget to|make sure to|can you|could you|would you|will you|you can|i want you to|i need you to) )*";
/** `Notify the team before we deploy` is a rule. */
const TO_ONE =
  "(?: (?!(?:me|us|you|down|this|it|that|what|when|whenever|where|which|who|why|how|if|whether|before|after|while|until|unless|once|as|because|since|about|of|for|on|in|at|from|with|hi|hello|thanks|sorry|yes|no) )[\\p{L}'-]+){1,4}?";
const OF_OWN = "(?: that| how)? (?:i|i'm|i've|i'll|i'd|my|we|we're|we've|we'll|our) ";
/** Of whether it is so, the request says nothing; `just to let you know` does. */
const PASSED_ON = new RegExp(
  `^ ${ASKED}(?:(?:tell|inform|notify|remind|warn)${TO_ONE}|let${TO_ONE} know)${OF_OWN}`,
  'u',
);
/** With a name as it is written: `message queues we use` are things. */
const WRITTEN_TO =
  /^(?:[Pp]lease,? |[Pp]ls |[Nn]ow |[Aa]lso |[Cc]an you |[Cc]ould you |[Ww]ould you ){0,3}(?:[Tt]ext|[Ee]-?mail|[Mm]ail|[Mm]essage|[Ww]rite|DM|[Dd]m|[Pp]ing)(?: to)? (?:him|her|them|everyone|everybody|my [\p{Ll}-]+|\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)[,:]? (?:that )?(?:I|i|my|My|we|We|our|Our)(?![\p{L}])/u;

/** In jest, wherever it stands; `I'm not joking` is earnest. */
const JEST =
  / (?:just kidding|jk|only kidding|(?:just|only) (?:testing|a test)|(?<!not |never |n't )(?:i'm|i am|i was|was|am|were|just|only|merely) (?:just |only |totally |obviously |of course )*(?:joking|kidding|pulling your leg|messing with you|trolling)|(?:that|it|this) was (?:just |only )?(?:a joke|sarcasm|irony|ironic|satire)|(?:meant|said) (?:it |that )?(?:as a joke|ironically|sarcastically|in jest)|april fools?|psych|not really though) /;
const TAGGED = /(?:^|\s)\/(?:s|j|sarcasm|joke|irony)[.!]?$/i;
/** What was said turns out wrong. */
const TAKEN_BACK =
  / but (?:that|it|this|that's|it's|this is|i) ?(?:was|is|isn't|wasn't|turned out(?: to be)?|lied|made (?:it|that) up)? ?(?:not true|untrue|not so|not correct|wrong|false|a lie|a mistake|nonsense|lied|true|made up|made it up|made that up|a joke) $/;
/** `…, but I don't`: of what, the clause before said. */
const ELLIPTIC =
  /^ (?:but |and |though |so )*(?:i|we|it|that) (?:don't|do not|didn't|did not|doesn't|isn't|wasn't|can't|won't|haven't|hasn't|am not|was joking|lied|do|did|does|was|am) $/;

/** At the end of a sentence: `😂 kidding`, `haha jk`; `no kidding` is earnest. */
const JEST_END =
  / (?<!(?:not|no|never|ain't|isn't|aren't|ever|without|stop|about|lol no) )(?:kidding|joking|jk|j k|joke|as a joke|in jest|in my dreams?|in (?:the|a|my|this|that) (?:dream|game|novel|story|simulation|role ?play)) $/;
/** `Now I live in Oslo... not!` */
const NOT_END = /(?:\.\.|…|[!,;–—-])\s?not[!.]?\s?$/iu;
/** Nobody is: `allergic to Mondays`. */
const IDIOM =
  / allergic to (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings|meetings|work|working|homework|chores|effort|stupidity|stupid people|idiots|fools|nonsense|bullshit|bs|drama|people|humans|fun|boredom|bureaucracy|failure|commitment|bad (?:code|vibes|ideas)) (?:(?:lol|lmao|haha|btw|tbh|fyi) )*$/;
/** Nobody laughs at an order that is meant: `never listen to Bob lol`. */
const LAUGHED_AT = /^ (?:note to self )?(?:never|always|don't|stop) .* (?:lol|lmao|haha|hehe) $/;
/** `I am the king of Spain, haha`: who laughs is none. */
const LAUGHED_OFF =
  /^ (?:(?:well|and|so|yeah|yes|because) )*(?:i'm|i am) (?:basically |actually |obviously |secretly |now )*(?:an?|the|your) (?:[\p{L}-]+ ){0,2}?(?:king|queen|emperor|empress|pope|god|goddess|devil|wizard|witch|pirate|superhero|alien|dinosaur|unicorn|vampire|president|prince|princess|tsar|pharaoh|sultan|billionaire|millionaire|genius|legend) (?:.{0,60} )?(?:lol|lmao|haha(?:ha)?|hehe|rofl) $/u;
/** Of no home and no place; `I live in Hope` is a town. */
const NO_PLACE: readonly RegExp[] = [
  /\brent[- ]free in (?:\p{L}+['’]?s? ){1,2}(?:head|mind|brain)s?\b/iu,
  /\b(?:live|lives|lived|living) in hope\b/u,
  /(?:\b(?:am|is|are|was|were|be|been|back|live|lives)|['’](?:m|s|re)|\bim) (?:(?:now|still|really|back|currently|always|again) )*in the dog ?house\b/u,
];
/** `For this example I live in Oslo.` */
const FOR_EXAMPLE =
  /^ (?:(?:and|so|but|ok|okay|now) )*(?:for|in|as) (?:this|the|that|our|my|an|your) (?:following |next |above |purposes? of (?:this|the|our) )?(?:example|exercise|demo|demonstration|sample|test case|thought experiment|illustration|hypothetical|mock up|tutorial) /;

export function statesNothing(said: Said): boolean {
  const { plain, text } = said;
  const head = plain.slice(0, MOST_READ);
  return (
    OPENINGS.some((form) => form.test(head)) ||
    FOR_EXAMPLE.test(head) ||
    isExercise(said) ||
    REMINISCED.test(head) ||
    isJest(said) ||
    asksToConfirm(text) ||
    TAKEN_BACK.test(head) ||
    ELLIPTIC.test(head) ||
    PASSED_ON.test(head) ||
    WRITTEN_TO.test(text.slice(0, MOST_READ)) ||
    NO_PLACE.some((form) => form.test(text.slice(0, MOST_READ)))
  );
}
/** Of a sentence; some forms read on from what they found. */
const MOST_READ = 500;

function isJest({ plain, text }: Said): boolean {
  const end = plain.slice(-MOST_READ);
  return (
    JEST.test(plain.slice(0, MOST_READ)) ||
    JEST_END.test(end) ||
    IDIOM.test(end) ||
    LAUGHED_AT.test(plain.slice(0, MOST_READ)) ||
    LAUGHED_OFF.test(plain.slice(0, MOST_READ)) ||
    TAGGED.test(text) ||
    NOT_END.test(text.slice(-MOST_NOT))
  );
}
const MOST_NOT = 20;

/** `Just kidding!`: what it follows was said in jest. */
export const isJestAlone = (said: Said): boolean =>
  said.plain.trim().split(' ').length <= MOST_JEST_WORDS &&
  (isJest(said) || /^not[!.]+$/i.test(said.text));
const MOST_JEST_WORDS = 6;

/** `I live in Oslo?!`: after the last question mark there is no word. */
export function isAsking(text: string): boolean {
  const mark = text.lastIndexOf('?');
  return mark !== -1 && !/[\p{L}\p{N}]/u.test(text.slice(mark));
}

const WHO =
  '(?:i|you|u|we|he|she|it|they|there|this|that|these|those|my|your|our|his|her|their|the|anyone|anybody|someone|people)';
/** `How do I stop it`, `will a drum fit`: asked, though nothing marks it. */
const INVERTED = new RegExp(
  '^ (?:(?:and|so|but|also|ok|okay|oh|hey|hi|lol|btw|then|now|well|um|hm+|cool|great|thanks|anyway|yeah|yes|actually) )*(?:' +
    `(?:how|what|why|where|when|which|who|whose)(?:'s| (?:\\p{L}+ )?(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has|am)(?:n't)? ${WHO}) ` +
    `|(?:can|could|would|should|will|does|did|is|are)(?:n't)? (?:${WHO}|an?|dogs?|cats?|kids) ` +
    '|(?:do|have|was|were|has|may|shall|am) (?:i|you|u|we|he|she|it|they|there) )',
  'u',
);
export const isInverted = ({ plain }: Pick<Said, 'plain'>): boolean =>
  INVERTED.test(plain.slice(0, MOST_READ));

/** `…, right?`: whoever asks so does not know; `…, can you believe it?` does. */
export const asksToConfirm = (text: string): boolean =>
  isAsking(text) && CONFIRM.test(text.slice(-MOST_TAG));
const CONFIRM =
  /(?:[,.;–—-]|\bnow|\bthen)\s*(?:is that |that['’]s |am i |or am i )?(?:all )?(?:right|correct|yes|yeah|no|true|or not|or what|(?:is|was|are|were|do|did|have|am)(?:n['’]t| not)? (?:it|i|we|that)(?: not)?)\s*\?[^\p{L}\p{N}]*$/iu;
const MOST_TAG = 60;

/**
 * By its start, each piece that the sentence after it takes back as a joke or as misread: all
 * pieces of the sentence that ends there.
 */
export function jestedIn(pieces: readonly Placed[]): ReadonlySet<number> {
  const jested = new Set<number>();
  for (const [index, piece] of pieces.entries()) {
    const isMistake = MISTAKEN.test(piece.plain);
    if (!isMistake && !isJestAlone(piece)) continue;
    let last = index - 1;
    // `Ah no, I read wrong`: of what stands before the sigh.
    while (isMistake && SIGH.test(pieces[last]?.plain ?? '')) last -= 1;
    // `It is Bern, not Rome, I misspoke` says itself what was meant.
    if (isMistake && !STANDS.test(pieces[last]?.text ?? '')) continue;
    for (let at = last; at >= 0; at -= 1) {
      const before = pieces[at];
      if (!before || (at < last && ENDS.test(before.text)) || jested.has(before.start)) break;
      jested.add(before.start);
    }
  }
  return jested;
}
const SIGHS = '(?:ah|oh|wait|hm+|no|nope|sorry|actually|oops|argh|ugh|damn|hang on|hold on)';
const SIGH = new RegExp(`^ (?:${SIGHS} ){1,4}$`);
const STANDS = /^(?!.*\b(?:not|meant|instead)\b).*[.!…]$/isu;
/** `I misread`, `no, I got that wrong`: of what was said just before. */
const MISTAKEN = new RegExp(
  `^ (?:${SIGHS} ){0,4}(?:i|i've|we) (?:just |have )?(?:(?:misread|misspoke|mistyped|misremembered)(?: (?:it|that|this|the \\S+))?|(?:read|wrote|typed|looked|counted|remembered) (?:it |that |this )?(?:wrong|wrongly)) $` +
    `|^ (?:${SIGHS} ){1,4}i (?:got|had|said|put) (?:it|that|this) wrong $`,
);
const ENDS = /[.!?…]$/;
