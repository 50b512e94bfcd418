/**
 * A change that did not come about, or did not last: `I almost switched from A to B`, `I switched
 * to B for a day`. What was so before it is so still. English.
 */
const CHANGE =
  '(?:(?:switch|replac|mov|migrat|swapp?|trad|convert|transferr?|upgrad|downgrad|chang|ditch|relocat|exchang)(?:e|ed|es|ing)?|leave|leaving|left|quit|quitting|sell|sold|selling|giv(?:e|en|ing) up|gave up)';
const NOT =
  "(?:not|never|cannot|[a-z]+n't|almost|nearly|hardly|barely|refuse[sd]?|refusing|declined?|wanted|tried|tries|trying|attempted|failed|considered|could|might|should|would(?! like)|wish(?:es)?|temporarily|briefly|nothing|nobody|no one|no (?:reason|need|plans?|wish)|(?:was|were) (?:going|about|planning|thinking|supposed))";
/** Between the two. */
const FILLER =
  '(?:to|of|about|from|have|has|had|be|been|being|really|actually|ever|even|yet|quite|fully|completely|want|like|going|plan|planning|need|think|thinking|intend|intending|dare|manage|get)';
/** `I can't believe I switched` and `I use it since I never left` have a clause between. */
const JOINS = '(?:and|but|so|because|since|when|while|after|until|if|that|which)';
const NOT_DONE = new RegExp(
  `^ (?:(?!${JOINS} )[^ ]+ ){0,5}?${NOT} (?:${FILLER} )*${CHANGE} (?!my mind )`,
);

const CHANGED = new RegExp(` ${CHANGE} `);
const SOME = '(?:an?|one|two|three|four|five|six|a few|the|this|that|half an?|a couple of|\\d+)';
const FOR_A_TIME = new RegExp(
  ` (?:temporarily|briefly|for ${SOME} (?:whole )?(?:days?|weeks?|months?|hours?|minutes?|while|bit|weekend|night|evening|morning|sprint|test|trip|experiment|demo)) (?!now )`,
);
/** `And back`, `but I went back after a week`; `and never went back` is none. */
const UNDONE =
  / (?:and|then|but) (?:(?:i|we|i'm|i've|have|has|am|is|then|later|soon|now|quickly|right|went|switched|moved|came|changed|go|gone|come) )*(?:back|returned|reverted) /;

/** `plain`: the words of the sentence between single spaces. */
export const isNoChange = (plain: string): boolean =>
  NOT_DONE.test(plain) || (CHANGED.test(plain) && (FOR_A_TIME.test(plain) || UNDONE.test(plain)));

/** `I switched the font from A to B`: of what else it changed; null = of nothing else. */
export const changedThing = (plain: string): string | null =>
  / (?:switched|moved|changed|migrated|converted|transferred|replaced|swapped|traded) (?:the|an?|my|our|their|his|her|its) ([^ ]+(?: [^ ]+){0,3}?) (?:from|of) /.exec(
    plain,
  )?.[1] ?? null;
