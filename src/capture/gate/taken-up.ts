/**
 * `I drink coffee again`, `I'm smoking again`, `I went back to eating meat`: what somebody takes up
 * after they gave it up. By itself it is talk; of a denial that is known it says that it is over.
 */
const ADVERBS = '(?:(?:now|actually|recently|just|also|finally|sadly|even|do) )*';
const LEAD = '(?:(?:and|so|but|ok|okay|well|btw|actually|sadly|update|oh) )*';
/** What would be, or was, or is at hand. */
const NO_VERB =
  "(?!(?:am|was|were|had|have|has|can|can't|cannot|could|would|will|won't|might|may|must|should|need|want|try|tried|see|saw|hear|get|got|think|thought|feel|felt|know|did|went|came|run|start|ask|say|said|never|not|don't|didn't) )";
const OBJECT = '(?:(?!it |that |this |them |him |her |you )[\\p{L}-]+ ){0,3}?';
const WHEN = '(?:now |these days |nowadays |since [\\p{L}\\d ]{3,20} )*';
const TAKEN_UP = new RegExp(
  `^ ${LEAD}(?:(?:i|we) ${ADVERBS}${NO_VERB}[a-z]+ ${OBJECT}again |(?:i'm|i am|we're|we are) ${ADVERBS}[a-z]+ing ${OBJECT}again |(?:i|we|i've|we've|i have|we have) ${ADVERBS}(?:(?:started|begun|began|resumed) [a-z]+ing ${OBJECT}again |(?:went|gone|got|gotten) back (?:to|into) [a-z]+ing ${OBJECT}(?:again )?))${WHEN}$`,
  'u',
);
const MOST_CHARS = 80;

export const isTakenUp = ({ plain }: { readonly plain: string }): boolean =>
  plain.length <= MOST_CHARS && TAKEN_UP.test(plain);
