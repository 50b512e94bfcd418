/**
 * Sentences that state nothing, whatever stands in them: denied, in jest, made up, given as an
 * example, or asked for. A rule is sure of these, so no other judge is asked.
 */
/** Of a sentence. */
interface Said {
  readonly plain: string;
  readonly text: string;
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
/** In jest, wherever it stands; `I'm not joking` is earnest. */
const JEST =
  / (?:just kidding|jk|only kidding|(?<!not |never |n't )(?:i'm|i am|i was|was|am|were|just|only|merely) (?:just |only |totally |obviously |of course )*(?:joking|kidding|pulling your leg|messing with you|trolling)|(?:that|it|this) was (?:just |only )?(?:a joke|sarcasm|irony|ironic|satire)|(?:meant|said) (?:it |that )?(?:as a joke|ironically|sarcastically|in jest)|april fools?|psych|not really though) /;
const TAGGED = /(?:^|\s)\/(?:s|j|sarcasm|joke|irony)[.!]?$/i;
/** What was said turns out wrong. */
const TAKEN_BACK =
  / but (?:that|it|this|that's|it's|this is|i) ?(?:was|is|isn't|wasn't|turned out(?: to be)?|lied|made (?:it|that) up)? ?(?:not true|untrue|not so|not correct|wrong|false|a lie|a mistake|nonsense|lied|true|made up|made it up|made that up|a joke) $/;
/** `…, but I don't`: of what, the clause before said. */
const ELLIPTIC =
  /^ (?:but |and |though |so )*(?:i|we|it|that) (?:don't|do not|didn't|did not|doesn't|isn't|wasn't|can't|won't|haven't|hasn't|am not|was joking|lied|do|did|does|was|am) $/;

export function statesNothing({ plain, text }: Said): boolean {
  const head = plain.slice(0, MOST_READ);
  return (
    OPENINGS.some((form) => form.test(head)) ||
    JEST.test(head) ||
    TAGGED.test(text) ||
    TAKEN_BACK.test(head) ||
    ELLIPTIC.test(head)
  );
}
/** Of a sentence; some forms read on from what they found. */
const MOST_READ = 500;

/** `Just kidding!`: what it follows was said in jest. */
export const isJestAlone = ({ plain, text }: Said): boolean =>
  plain.trim().split(' ').length <= MOST_JEST_WORDS && (JEST.test(plain) || TAGGED.test(text));
const MOST_JEST_WORDS = 6;
