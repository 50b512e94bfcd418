/**
 * What is over in the life of the speaker, in words that do not name what was: `I got fired`, `we
 * broke up`, `Rex died`, `I sold my car`. Which fact ends, what is known tells. English.
 */

import { isAnimalNoun } from '../slots/things.ts';
import { isPerson } from '../voices/people.ts';
import { EVENTS } from './events.ts';

export interface LifeEnd {
  readonly kind: 'life';
  readonly of:
    | 'work'
    | 'marriage'
    | 'couple'
    | 'animal'
    | 'owned'
    | 'held'
    | 'doing'
    | 'dwelling'
    | 'diet'
    | 'allergy'
    | 'event'
    | 'use'
    | 'activity'
    | 'several';
  /** What is named of it; none = the only one that is known. */
  readonly words: readonly string[];
  /** Of several: how many are gone, in words. */
  readonly count?: string;
  /** Somebody died: who is named may be a person. */
  readonly isDeath?: boolean;
  /** `I resigned from the board`: what is left may be no job. */
  readonly isOffice?: boolean;
}

export const LEAD =
  '(?:(?:and|so|but|ok|okay|well|btw|fyi|actually|finally|now|hey|hi|oh|sadly|unfortunately|update|bad news|good news|news|turns out|turned out|it turns out|it turned out|as it turns out|apparently) )*';
const OFTEN =
  '(?:(?:just|recently|finally|sadly|actually|also|already|now|unfortunately|suddenly|officially|happily|sort of) )*';
export const WHO = `(?:i|we|i've|we've|i have|we have) ${OFTEN}`;
const I_AM = `(?:i'm|i am) ${OFTEN}`;
const WE_ARE = `(?:we're|we are) ${OFTEN}`;

const UNIT = '(?:day|week|weekend|month|year|night|morning|spring|summer|autumn|fall|winter)s?';
const DAY_NAME =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|christmas|easter)';
const DATE = `(?:(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?${DAY_NAME}(?: (?:the )?\\d{1,2}(?:st|nd|rd|th)?)?(?: \\d{4})?`;
/** Behind it nothing else follows: `I was let go early` is of a part. */
export const WHEN = `(?: (?:now|today|yesterday|recently|too|again|this morning|for good|at last|finally|sadly|unfortunately|earlier|(?:a|an|one|two|three|four|five|six|a few|a couple of|some|\\d+) ${UNIT} ago|(?:(?:on|in|at|since|last|this|early|late|earlier|the end of|as of) )*(?:${DATE}|${UNIT}|\\d{4})))*`;

const WHAT = "(?<what>[\\p{L}\\p{N}'’ -]{2,50}?)";
const OWN = "(?<what>(?:my|our|the) [\\p{L}\\p{N}'’ -]{2,40}?)";
const SPOUSE = '(?:wife|husband|spouse)';
const MATE =
  '(?:wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fianc[eé]e?|other half|better half)';
/** Of `my husband has passed` no name. */
const CALLED = "(?: (?!has |just |recently |sadly |suddenly |peacefully )[\\p{L}'-]+)?";
const MATE_WHAT = `(?<what>my ${MATE}${CALLED}|(?!we |you |they |he |she |it )[\\p{L}'-]+)`;
const APART =
  "(?:(?:have )?(?:broke|broken|split) up|(?:have )?(?:split|separated|divorced)|parted ways|(?:got|have|are|were)(?: been)?(?: now)? (?:divorced|separated)|are no longer (?:together|a couple|an item)|are (?:just|only) friends now|(?:are not|aren't) (?:together|a couple) (?:any ?more|any longer))";
export const GONE =
  '(?:(?:has )?(?:just |recently |sadly |suddenly |peacefully )?(?:died|passed(?: away| on)?)|is (?:dead|no longer with us)|(?:was|had to be|has been|got) (?:put down|put to sleep|euthani[sz]ed)|crossed the rainbow bridge)';
export const HOW =
  '(?: (?:peacefully|suddenly|in (?:his|her|its) sleep|(?:of|from) [\\p{L} ]{3,30}?))?';

export const GAVE_AWAY =
  '(?:gave away|given away|donated|rehomed|had to (?:rehome|give away)|had to put up for adoption)';
export const TAKEN =
  '(?:stolen|nicked|totall?ed|wrecked|scrapped|repossessed|written off|an? (?:total )?write-?off|a total loss)';
export const RAN =
  '(?:(?:has |have )?(?:ran|run) away|(?:was|were|got|has been|have been) (?:run over|killed|hit by a car)|escaped(?: for good)?)';
/** To keep it: a dog that the vet has comes back. */
const TO_KEEPER =
  "(?! .*\\b(?:for|while|until|till|during|look|hold|walk|mind|fix|repair)\\b) to (?!the (?:vet|groomer|sitter|kennel|trainer)\\b|a (?:vet|groomer|sitter|kennel|trainer)\\b)(?:(?:my|our|the|an?|some) )?[\\p{L}'-]+(?: [\\p{L}'-]+){0,2}?";
const EVENT = `(?<what>(?:my|our|the) (?:[\\p{L}\\p{N}'-]+ ){0,3}?(?:${EVENTS})(?: (?:to|in|at|with) [\\p{L}' -]{2,30}?)?)`;
const CALLED_OFF =
  '(?:off|cancell?ed|called off|not happening(?: any ?more| any longer)?|no longer happening|scrapped)';
/** For good; `my bank is closed` may be of the hour, and is of none of them. */
const SHUT =
  '(?:(?:has |have )?(?:just |recently |sadly |finally )?(?:closed|shut)(?: its doors)? (?:down|for good|forever|permanently)|(?:is|has been|was) (?:closed|shut) (?:down|for good|forever|permanently)|(?:has |is |have )?(?:gone|went|going) (?:bust|under|bankrupt|out of business)|(?:has )?(?:folded|shut down|closed down)|no longer exists)';
const SHUT_CLUB = `(?:${SHUT}|(?:has |just |has just |was |got |is )?(?:closed|shut)(?! (?:today|this|on|early|earlier|at|late|again)\\b))`;
const FIRM = '(?:company|employer|firm|startup|start-up|workplace|factory|plant)';
const CLUB = '(?:gym|club|studio|dojo|daycare|nursery|kindergarten|crèche|creche)';

type Form = readonly [RegExp, LifeEnd['of']];
const form = (source: string, of: LifeEnd['of']): Form => [
  new RegExp(`^ ${LEAD}${source}${WHEN} $`, 'u'),
  of,
];
const NAME = "(?<what>(?!my |our |the |a |an |some |it |him |her |them |this |that )[\\p{L}'-]+)";
const TO_WHOM = '(?: (?:to|for|on|via|through) [^,;]{2,40})?';
const AT_WHAT = `(?: (?:from|by|at|with) ${WHAT})?`;

const FOOD =
  '(?<what>(?:red |white |some )?(?:meat|chicken|beef|pork|steaks?|bacon|fish|seafood|sushi|salmon|tuna|dairy|cheese|milk|butter|yogh?urt|eggs?|gluten|wheat|bread|pasta|carbs|sugar)(?: and (?:meat|fish|dairy|cheese|milk|eggs))?)';
const TO_WHAT = "(?: to (?<what>[\\p{L}' -]{2,40}?))?";
const ALLERGY = "(?:an? |any |my |the )?(?:(?<what>[\\p{L}'-]{2,20}) )?allergy";
const AFTER_ALL = '(?: (?:after all|at all|any ?more|any longer|actually|in the end))*';

/** A time of day behind it would be of a part: `I stopped drinking after six`. */
const WHY =
  "(?: (?:altogether|completely|entirely|for good|cold turkey|(?:because|due to|thanks to|on account of|for (?:my|health) )[\\p{L}\\p{N}' -]{2,60}?))?";

const FORMS: readonly Form[] = [
  form(
    `${WHO}(?:got|was|were|been|getting) ${OFTEN}(?:fired|sacked|laid off|let go|made redundant)${AT_WHAT}`,
    'work',
  ),
  form(
    `${WHO}(?:quit|lost|left|gave up|given up|resigned from) (?:my|our) (?:current |day |full-time )?jobs?${AT_WHAT}`,
    'work',
  ),
  form(`${WHO}(?:resigned|retired|took early retirement|went into retirement)${AT_WHAT}`, 'work'),
  form(`${I_AM}(?:retired|unemployed|jobless|out of work|out of a job|between jobs)`, 'work'),
  form(
    `(?:i|we) (?:no longer|don't|do not) (?:work|have a job)(?: any ?more| any longer)?`,
    'work',
  ),
  form(`${WHO}stopped working`, 'work'),
  form(`(?:today|yesterday|(?:last )?${DAY_NAME}) was my last (?:day|shift)${AT_WHAT}`, 'work'),
  form(`${WHO}had my last (?:day|shift)${AT_WHAT}`, 'work'),
  form(`(?:my|our|the) ${FIRM} ${SHUT}`, 'work'),

  form(`(?:${WHO}(?:got|became) |${I_AM})${OFTEN}(?:divorced|widowed|a widow(?:er)?)`, 'marriage'),
  form(`(?:${WHO}got|${WE_ARE})${OFTEN} ?(?:divorced|a divorce)`, 'marriage'),
  form(
    `(?:my|our|the) divorce (?:is|was|has been|went) ${OFTEN}(?:final|finali[sz]ed|through)`,
    'marriage',
  ),
  form(
    `${WHO}lost (?<what>my ${SPOUSE})(?! .*\\b(?:again|today|earlier|this morning)\\b)(?: to [\\p{L} ]{3,30}?)?`,
    'marriage',
  ),
  form(`(?<what>my ${SPOUSE}${CALLED}) ${GONE}${HOW}`, 'marriage'),

  form(`we(?:'ve| have)? ${OFTEN}${APART}`, 'couple'),
  form(
    `${WE_ARE}(?:no longer together|separated|not together (?:any ?more|any longer)|(?:just|only) friends now)`,
    'couple',
  ),
  form(`${I_AM}single(?: again)?`, 'couple'),
  form(`(?:me and )?${MATE_WHAT} and (?:i|me) ${OFTEN}${APART}`, 'couple'),
  form(`me and ${MATE_WHAT} ${OFTEN}${APART}`, 'couple'),
  form(
    `${MATE_WHAT} (?:has )?${OFTEN}(?:left|dumped|divorced|(?:broke|split|broken) up with) me`,
    'couple',
  ),
  form(
    `${WHO}(?:dumped|divorced|separated from|(?:broke|split|broken) up with) ${MATE_WHAT}`,
    'couple',
  ),
  form(`(?<what>my ${MATE}${CALLED}) ${GONE}${HOW}`, 'couple'),

  form(`${WHAT} ${GONE}${HOW}`, 'animal'),
  form(
    `${WHO}had to (?:put ${WHAT} (?:down|to sleep)|have ${WHAT.replace('what', 'other')} put (?:down|to sleep))`,
    'animal',
  ),
  form(`${WHO}lost ${WHAT} to (?:old age|[\\p{L} ]{3,30}?)`, 'animal'),

  form(`${WHO}${GAVE_AWAY} ${NAME}${TO_WHOM}`, 'animal'),
  form(`${WHO}gave ${NAME} away${TO_WHOM}`, 'animal'),
  form(`${WHO}(?:found|got) (?:a|another) (?:new |good |loving )?home for ${WHAT}`, 'animal'),

  form(`${WHO}gave (?:${NAME}|${OWN.replace('what', 'other')})(?<! away)${TO_KEEPER}`, 'animal'),
  form(`${WHAT} ${RAN}`, 'animal'),

  form(`${EVENT} (?:is|was|got|has been|is now|are|were) ${OFTEN}${CALLED_OFF}`, 'event'),
  form(
    `(?:${WHO}|(?:they|he|she|(?:my|our|the) [\\p{L}'-]+(?: [\\p{L}'-]+)?|[\\p{L}'-]+) (?:have |has |had to )?${OFTEN})(?:had to )?(?:cancel|cancell?ed|call off|called off|scrapped) ${EVENT}`,
    'event',
  ),
  form(`${WHO}called ${EVENT} off`, 'event'),
  form(`${WHO}(?:stopped|quit|gave up|given up) using ${WHAT}`, 'use'),
  form(`${WHO}(?:uninstalled|deleted) ${WHAT}`, 'use'),
  form(`${WHO}(?:stopped|quit|gave up|given up) (?<what>[\\p{L}-]{2,20}ing)${WHY}`, 'activity'),
  form(
    `(?:i|we) (?:no longer (?<what>[\\p{L}-]{2,20})|(?:don't|do not) (?<other>[\\p{L}-]{2,20}) (?:any ?more|any longer))${WHY}`,
    'activity',
  ),

  form(`${WHO}sold ${OWN}${TO_WHOM}`, 'owned'),
  form(
    `${WHO}(?:got rid of|scrapped|traded in|junked|totall?ed|wrecked|${GAVE_AWAY}) ${OWN}${TO_WHOM}`,
    'owned',
  ),
  form(`${WHO}gave ${OWN} away${TO_WHOM}`, 'owned'),
  form(`${OWN} (?:has been|was|got|is) ${OFTEN}${TAKEN}`, 'owned'),
  form(
    `(?:someone|somebody|they|thieves|some thief) (?:has |have )?${OFTEN}(?:stole|stolen|nicked) ${OWN}`,
    'owned',
  ),
  form(`(?<what>(?:my|our) (?:[\\p{L}-]+ )?${CLUB}) ${SHUT_CLUB}`, 'held'),
  form(`${OWN} ${SHUT}`, 'held'),
  form(`${WHO}(?:cancell?ed|terminated|ended|gave up|given up) ${OWN}`, 'held'),
  form(`${WHO}(?:finished|completed|passed|quit|dropped out of|graduated from) ${OWN}`, 'doing'),
  form(`${WHO}moved out of ${OWN}`, 'dwelling'),

  form(`${WHO}(?:eat|drink) ${FOOD} (?:again|now)`, 'diet'),
  form(`${I_AM}(?:eating|drinking) ${FOOD} again`, 'diet'),
  form(
    `${WHO}(?:started|begun|began|resumed) (?:eating|to eat|drinking|to drink) ${FOOD}(?: again)?`,
    'diet',
  ),
  form(
    `(?:${WHO}(?:went|gone|got|am) |${I_AM})back (?:to|on|onto) (?:eating |drinking )?${FOOD}`,
    'diet',
  ),
  form(`${WHO}reintroduced ${FOOD}`, 'diet'),
  form(`${WHO}(?:stopped|quit|gave up|given up) being (?:an? )?(?<what>[\\p{L}-]{3,20})`, 'diet'),

  form(`${I_AM}not (?:actually |really )?allergic${TO_WHAT}${AFTER_ALL}`, 'allergy'),
  form(`(?:i|we) (?:don't|do not) have ${ALLERGY}${AFTER_ALL}`, 'allergy'),
  form(`${WHO}(?:outgrew|outgrown|grew out of|grown out of|got over|lost) ${ALLERGY}`, 'allergy'),
  form(`${ALLERGY} (?:is|has) (?:gone|over|disappeared|vanished|cured)`, 'allergy'),
];

/** No form is without one of them. */
const MAY_END =
  / (?:fired|sacked|off|go|redundant|job|jobs|resigned|retired|retirement|unemployed|friends|last|jobless|work|working|divorced|divorce|widowed|widow|widower|up|split|separated|together|ways|couple|item|single|dumped|me|dead|died|passed|us|down|sleep|bridge|euthani[sz]ed|lost|sold|rid|scrapped|donated|traded|junked|totall?ed|rehomed|away|cancell?ed|terminated|ended|finished|completed|quit|out|graduated|gave|rehome|stolen|stole|nicked|wrecked|repossessed|write-?off|loss|closed|shut|bust|under|bankrupt|business|folded|exists|again|now|back|reintroduced|stopped|allergic|allergy|started|begun|began|resumed|home|ran|run|killed|hit|escaped|gave|happening|cancel|call|called|using|uninstalled|deleted|longer|any|anymore) /;
const DIED = / (?:died|passed|is dead|no longer with us) /;
const OFFICE = / (?:resigned|retired|retirement) /;
/** Nothing of its own, and no word of what is meant. */
const EMPTY: ReadonlySet<string> = new Set(
  'my our the a an job work position post role company firm employer boss there poor dear beloved little sweet own'.split(
    ' ',
  ),
);
/** Not the one that the speaker has now, or not all of it. */
const OTHER =
  /\b(?:old|other|second|first|previous|former|last|late|ex|half|most|some|part|spare|side|gig|part-time|weekend|temp|temporary|volunteer|and|or|of|for|that|which|ex-\p{L}+)\b/u;
const PRONOUN = /^(?:it|he|she|they|this|that|everything|everybody|someone|somebody|nobody|who)$/;

/** `My late wife Anna loved tulips`, `my ex-husband Tom`: of whom, only the name tells. */
const BEFORE = new RegExp(
  `^ ${LEAD}my (?:late (?:${MATE})|(?:ex|former) (?:${MATE})|ex) (?<what>[\\p{L}'-]+) `,
  'u',
);
/** Behind a comma stands the job that one has now. */
const CHANGED_JOBS = new RegExp(
  `^ ${LEAD}${WHO}(?:changed|switched) (?:jobs|employers|companies)${WHEN} $`,
  'u',
);
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
interface Said {
  /** Its words between single spaces. */
  readonly plain: string;
  readonly text: string;
}
/** Of the whole sentence; null = it ends nothing. */
export function lifeEndOfWhole({ plain, text }: Said): LifeEnd | null {
  if (plain.length > MOST_CHARS) return null;
  const name = BEFORE.exec(plain.replace(' ex-', ' ex '))?.groups?.['what'];
  // `My ex-wife lives in Rome` names nobody.
  const isName = name !== undefined && text.split(/[^\p{L}'-]+/u).includes(capital(name));
  if (isName) return { kind: 'life', of: 'couple', words: [name] };
  return CHANGED_JOBS.test(plain) ? { kind: 'life', of: 'work', words: [] } : null;
}

/** `plain`: of the first clause, its words between single spaces. null = it ends nothing. */
export function lifeEndIn(plain: string): LifeEnd | null {
  if (plain.length > MOST_CHARS || !MAY_END.test(plain)) return null;
  for (const [pattern, of] of FORMS) {
    const { groups, 0: found } = pattern.exec(plain) ?? {};
    if (found === undefined) continue;
    const what = groups?.['what'] ?? groups?.['other'] ?? '';
    const words = what.split(' ').filter((word) => word !== '' && !EMPTY.has(word));
    if (of === 'activity' && OF_PART.test(plain)) return null;
    if (of === 'diet' || of === 'allergy') return { kind: 'life', of, words };
    const mayBeOther = of === 'animal' ? what.replace(/\b(?:old|late)\b/, '') : what;
    if (OTHER.test(mayBeOther) || words.some((word) => PRONOUN.test(word))) return null;
    const isOfAnother =
      of !== 'couple' && of !== 'marriage' && of !== 'event' && words.some(isPerson);
    const needsWords = of !== 'work' && of !== 'couple' && of !== 'marriage';
    if (isOfAnother || (needsWords && words.length === 0)) return null;
    const own = words.filter((word) => word !== 'old');
    const isPet = of === 'owned' && own.some(isAnimalNoun);
    const isDeath = of === 'animal' && DIED.test(found);
    const isOffice = of === 'work' && own.length > 0 && OFFICE.test(found);
    const more = { ...(isDeath && { isDeath }), ...(isOffice && { isOffice }) };
    return { kind: 'life', of: isPet ? 'animal' : of, words: own, ...more };
  }
  return null;
}
/** `I stopped running at night`: in the morning one may still. */
const OF_PART =
  / (?:at (?:night|weekends|work|home|school)|(?:in the|on) (?:mornings?|evenings?|afternoons?|nights?|weekends?|winter|summer|spring|autumn|fall)|(?:this|in) (?:winter|summer|spring|autumn|fall)|on \p{L}+days|mornings|evenings|nights|weekends) /u;
const MOST_CHARS = 120;
