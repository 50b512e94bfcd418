/**
 * Where a turn begins to play: a role, a game, a story, a supposition. What the speaker says of
 * `I` from there on is of a figure, so it states nothing; only what is marked as real does.
 */
import type { Sentence } from '../sentences/sentence.ts';

const LEAD =
  "(?:(?:and|so|now|then|ok|okay|hey|hi|hello|well|please|also|just|can we|could we|shall we|let's|let us|we|you and i|i want us to) )*";
const OWN =
  "(?:that |for a (?:moment|second|minute) |a world where |now )*(?:i|i'm|i've|i'd|we|we're|we've|my(?! (?:surprise|joy|shock|horror|delight|face))|our) ";
const SUPPOSES =
  "suppose|supposing|assume|assuming|imagine|pretend|hypothetically|hypothetically speaking|let's (?:say|pretend|assume|imagine|suppose)|say|picture this|make believe|angenommen|stell dir vor|nehmen wir an|tun wir so als ob";
const SUPPOSED = new RegExp(`^ (?:and |so |ok |now |but )*(?:${SUPPOSES}) (?!you )${OWN}`, 'u');
const PLAYS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:(?:do |try )?(?:a |some )?role ?play|play (?:(?:a|an|the|some|another|out a|out the) )?(?:little |short |new |word |text |role |fantasy )*(?:game|scene|adventure|roleplay|role|make believe|pretend|rpg|campaign|theater|theatre)|start (?:a|an|the|our) (?:[a-z]+ )?(?:game|roleplay|scene|story|adventure|campaign)|improvise) `,
    'u',
  ),
  /^ (?:and |so |ok |now )*(?:let's|let us) (?:pretend|make believe) $/,
  /^ (?:(?:ok|hi|hello|so) )*this is (?:just |only )?a test(?: (?:message|turn|run))? $/,
  /^ (?:this is|we are|we're|it's) (?:now )?(?:in )?(?:a|an|the|our) (?:role ?play|game|rpg|story|improv|scene|simulation|make believe) $/,
  /^ (?:and |so |ok |now |but )*(?:in|for|during|inside) (?:this|the|my|our|that|a|an|your) (?:[\p{L}']+ ){0,2}?(?:story|game|role ?play|scene|example|examples|exercise|scenario|campaign|simulation|novel|film|play|thought experiment|fantasy|rpg|tale|dream|sketch) (?:i|i'm|i've|my|we|our|let's) /u,
  /^ (?:and |so |ok |please |now |can you |could you |would you |let's )*(?:write|tell|make up|continue|begin|start|invent|finish|create|compose) (?:me |us )?(?:a|an|the|this|that|our) (?:[\p{L}]+ ){0,3}?(?:first person|fictional|fictitious|made up|invented|fantasy) (?:[\p{L}]+ ){0,3}?(?:story|tale|novel|poem|diary|monologue|scene|letter|narrative|essay|song|chapter|account|blog|entry) /u,
  /^ once upon a time /,
  /^ (?:from now on )?(?:i'm|i am|i'll be|i will be|i play|ich bin|ich spiele) (?:now )?in character /,
  /^ (?:lass uns |wir )(?:\p{L}+ ){0,3}?(?:rollenspiel|ein spiel|theater) (?:spielen|machen)? ?/u,
];

/** `Suppose we sold it, we would have more`: it says what follows, and is complete. */
const CONCLUDED = / (?:would|wouldn't|then|\p{L}+'d|wed|what|how|could) /u;

/** Whether it opens a play; a question, or a supposition that is complete, opens none. */
export const opensPlay = ({ text, plain }: Sentence): boolean => {
  if (text.length > MOST_READ || text.endsWith('?')) return false;
  return PLAYS.some((form) => form.test(plain)) || (SUPPOSED.test(plain) && !CONCLUDED.test(plain));
};
const MOST_READ = 300;

const REAL =
  / (?:in real life|irl|in reality|out of character|ooc|in truth|for real|back to reality|end of (?:the )?(?:story|game|scene|roleplay)|im echten leben) /;
/** Whether it says that it is no part of a play. */
export const isReal = ({ plain }: Sentence): boolean => REAL.test(plain);
