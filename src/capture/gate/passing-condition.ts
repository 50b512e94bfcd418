/**
 * How a thing of the speaker is just now: `my laptop is slow today`, `my phone is on silent now`,
 * `my rent is due today`. Over in hours or days; what it is (`a MacBook now`) lasts. English.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { ANIMALS } from '../slots/things.ts';
import { isKin, isPerson } from '../voices/people.ts';

const TODAY = '(?:today|tonight|right now|at the moment|this (?:morning|afternoon|evening))';
const DEGREE =
  '(?:(?:still|again|really|very|so|too|super|pretty|quite|a bit|a little|kind of|extremely|totally|all|just|always|currently|being) )*';
/** Of these nobody says that something is so for long. */
const QUALITY =
  '(?:slow|laggy|sluggish|frozen|stuck|cold|freezing|hot|boiling|warm|stuffy|loud|noisy|quiet|dark|dirty|messy|busy|crowded|full|empty|down|up|offline|unavailable|unreachable|broken|flat|low|high|due|late|overdue|delayed|dead|expensive|cheap|bad|terrible|awful|good|great|nice|fine|okay|ok|weird|annoying|stressed|stressful|unusable|unresponsive|overheating|crashing|rebooting|updating|charging|leaking|blinking|buzzing|ringing)';
const STANDING =
  '(?:at the (?:garage|shop|mechanic|mechanics|workshop|dealer|dealership|dry cleaners?|cleaners|vet)|in (?:repair|the shop|the wash|the garage)|being repaired|on (?:silent|mute|vibrate|strike|fire|hold|charge|standby|airplane mode|flight mode|do not disturb))';
const LEAD = '^ (?:(?:and|so|but|ugh|well|oh|also) )*(?:my|our) ((?:[a-z-]+ ){1,3}?)(?:is|are) ';
const NOW = new RegExp(`${LEAD}${DEGREE}(?:${QUALITY}|${STANDING}) (?:(?:now|again|${TODAY}) )+$`);
/** `Wobbly`, `in the wash`; what was done to it is told of more than the day. */
const OF_TODAY = new RegExp(
  `${LEAD}${DEGREE}(?:(?![a-z]+ed |an? |the |my |our |not |one |at noon |at midnight |mon|tues|wednes|thurs|fri|satur|sun)[a-z-]+|at the [a-z-]+|on [a-z-]+) ${TODAY} $`,
);

export function isPassingCondition({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean {
  const noun = (NOW.exec(plain) ?? (hasName(text) ? null : OF_TODAY.exec(plain)))?.[1]?.trim();
  if (noun === undefined) return false;
  return !noun.split(' ').some((word) => isKin(word) || isPerson(word) || ANIMALS.has(word));
}
/** `My class is with Ben today`. */
const hasName = (text: string): boolean => /(?<=.)(?:\p{Lu}|\d)/u.test(text);
