/**
 * What is chosen among what the talk laid out, and moves of a game: `I prefer the second option`,
 * `I choose B`, `my answer is 42`, `I play e4`. Over with the question; what one always chooses,
 * and a thing with a name of its own, is a preference.
 */
import type { Sentence } from '../sentences/sentence.ts';

const HEDGE =
  '(?:(?:ok|okay|so|well|hm|hmm|then|yes|yeah|no|actually|honestly|i think|i guess|in that case|and|but) )*';
const WHO = "(?:i|we|i'd|we'd|i'll|we'll|i'm|let's|let me|i would|i will)";
const ALSO =
  '(?:just |now |really |definitely |rather |still |would |will |going to |gonna |also |probably |personally |slightly |much )*';
const CHOOSES =
  '(?:prefer|choose|chose|pick|picked|take|select|selected|go with|go for|going with|going for|opt for|vote for|want|like|love|use|keep|say|answer|have|do)';
/** Laid out in the talk. */
const OFFERED =
  'options?|choices?|versions?|variants?|variations?|alternatives?|suggestions?|proposals?|drafts?|answers?|designs?|layouts?|titles?|names?|ideas?|sentences?|paragraphs?|wordings?|phrasings?|approach(?:es)?|plans?|links?|images?|pictures?|photos?|logos?|examples?|samples?|headlines?|slogans?|captions?|endings?|openings?|intros?|solutions?|results?|recipes?|itinerar(?:y|ies)|routes?|offers?|quotes?|mockups?|templates?|palettes?|schemes?|translations?|summar(?:y|ies)|subject lines?|doors?|cards?|numbers?';
const PLACED =
  'first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|last|latter|former|other|left|right|top|bottom|middle|upper|lower|previous|next|above|original';
const BEHIND =
  '(?: (?:one|ones|better|best|more|most|please|pls|then|now|of (?:the )?(?:two|three|four|those|these|them)|you (?:gave|listed|suggested|offered|proposed|showed me|wrote)|above|below|from (?:the|your) list|over the (?:first|second|third|other|others|rest)|thanks|thank you|as well|too|a lot|instead|for (?:this|now)))*';
const FORMS: readonly RegExp[] = [
  // `The second option`, `the latter`, `the first of the two`
  new RegExp(
    `^ ${HEDGE}(?:${WHO} ${ALSO}${CHOOSES} )?(?:the |your |that )?(?:very )?(?:${PLACED})(?: (?:${OFFERED}))?${BEHIND} $`,
    'u',
  ),
  // `The red one`, `this one`
  new RegExp(
    `^ ${HEDGE}${WHO} ${ALSO}${CHOOSES} (?:(?:the|your) (?:[\\p{L}-]+ ){1,2}?|this |that |these |those )ones?${BEHIND} $`,
    'u',
  ),
  // `Option B`, `version 2`, `door number 2`
  new RegExp(
    `^ ${HEDGE}(?:${WHO} ${ALSO}${CHOOSES} )?(?:the )?(?:${OFFERED}) (?:number |no |nr )?(?:[a-h]|\\d{1,2}|one|two|three|four)${BEHIND} $`,
    'u',
  ),
  // `My answer is 42`; `my first choice is MIT` is one of a life.
  new RegExp(
    `^ ${HEDGE}(?:my|our) (?:(?:final|last|next|current|only|best) )?(?:answers?|guess(?:es)?|bets?|vote|pick|solution|response|estimate|hunch)(?: to (?:the|this|that|your) (?:[\\p{L}-]+ )?(?:question|riddle|puzzle|quiz|one|problem))?(?:'s| is| was| would be| will be| stays| remains) (?!(?:always|usually|never|often|that i|due|on|by) )`,
    'u',
  ),
  new RegExp(
    `^ ${HEDGE}(?:my|our) (?:(?:final|next|current) )?choice(?:'s| is) (?:[a-h]|\\d{1,2}|(?:the )?(?:${PLACED})(?: (?:${OFFERED}))?)${BEHIND} $`,
    'u',
  ),
  // `I go with heads`
  new RegExp(
    `^ ${HEDGE}${WHO} ${ALSO}(?:choose|pick|go with|throw|say|call|bet on|take|show) (?:rock|paper|scissors|heads|tails|lizard|spock|red|black|odd|even|truth|dare)${BEHIND} $`,
    'u',
  ),
  new RegExp(
    `^ ${HEDGE}${WHO} ${ALSO}(?:roll|rolled|draw|drew|fold|castle|check|raise|call|pass|hit|stand|bet)(?: (?:an? |the )?(?:\\d{1,5}|six|five|four|three|two|one|card|dice|die|king ?side|queen ?side|my turn))?${BEHIND} $`,
    'u',
  ),
];
/** As written: `I choose B`; whoever prefers C or R may write code in it. */
const LETTER =
  /^(?:(?:[Oo]k|[Oo]kay|[Ss]o|[Ww]ell|[Hh]m+|[Tt]hen),? )?(?:(?:I|We)(?:['’]d|['’]ll| will| would)? (?:just )?(?:choose|chose|pick|picked|go (?:with|for)|select|vote for|take|say|answer|opt for) (?:[A-H]|\d)|(?:I|We)(?:['’]d)? prefer [ABEFGH])(?:,? (?:please|then|instead))?[.!]?$/;
/** `e4`, `Nf3`, `O-O`, of a game of chess. */
const MOVE =
  /(?:^| )(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?|0-0(?:-0)?)[+#]?[.!]?$/;
const MOVES =
  /^(?:(?:[Oo]k|[Oo]kay|[Ss]o|[Tt]hen|[Nn]ow),? )?(?:(?:I|We)(?:['’]ll| will|['’]d| would)? (?:play|move|go|answer|respond|open|reply|take|castle)|[Mm]y (?:next |first )?(?:move|turn|reply) (?:is|was))\b/;
/** A matter of more than this talk. */
const LASTING =
  / (?:always|usually|never|every|generally|normally|often|in general|whenever|everywhere|by default|for (?:all|every|everything)) /;
const MOST_READ = 120;

export const isChosenHere = ({ text, plain }: Pick<Sentence, 'text' | 'plain'>): boolean => {
  if (text.length > MOST_READ || LASTING.test(plain)) return false;
  return (
    FORMS.some((form) => form.test(plain)) ||
    LETTER.test(text) ||
    (MOVES.test(text) && MOVE.test(text))
  );
};
