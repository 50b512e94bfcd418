/**
 * Statements that say that something was, and not what: a week later nothing can be read from them.
 * Each kind is a form of words, over the plain words of the sentence.
 */
import type { Sentence } from '../sentences/sentence.ts';

type Words = Pick<Sentence, 'plain' | 'text'>;

/** `Our kids are our future`, `family is everything`: true of everybody. */
const SAYING =
  /^ (?:our|my|the|all) (?:[a-z'-]+ ){1,3}(?:is|are) (?:our|my|the|all our) (?:whole |entire )?(?:future|everything|world|universe|treasures?|legacy|hopes?|tomorrow) $/;

/** What a person is asked about years later, where they have none of it. */
const LASTING =
  '(?:brothers?|sisters?|siblings?|parents?|mother|father|mom|mum|dad|kids?|child|children|sons?|daughters?|family|relatives|grandparents|partner|husband|wife|girlfriend|boyfriend|roommates?|friends|pets?|dogs?|cats?|animals|car|bike|bicycle|vehicle|licen[cs]e|passport|visa|citizenship|insurance|pension|mortgage|debts?|savings|account|address|job|degree|diploma|religion|garden|yard|balcony|garage|house|home|apartment|internet|wifi|phone|smartphone|landline|tv|television|computer|laptop|printer|oven|dishwasher|microwave|freezer|air|allerg(?:y|ies)|diabetes|asthma|symptoms|teeth|hair|tattoos?|favou?rites?|preferences?|middle|experience|access|permission|drawback|deadline)';
/** `I don't have a recipe`: what is not at hand. With a reason or a measure it tells more. */
const ABSENCE =
  /^ (?:so |but |and )?(?:i|we) (?:really |actually |just |still )?(?:don't|do not|didn't) have (?:a|an|any|the|my|one|much|many) (?:[a-z'-]+ ){0,3}[a-z'-]+ $/;
const LASTS = new RegExp(` ${LASTING} `);

/** Bounded: a word of time can be read in two ways. */
const WHEN =
  '(?:(?:on )?(?:last|this|the other|the past|in the past|over the|one) [a-z]+ |yesterday |today |recently |lately |at the gym |at work |at school |at home |too |again |as well |though ){0,3}';
const PRAISE =
  '(?:(?:a|an|some|such|another|quite|one|the|really|so|very|of|most|crazy|great|good|amazing|awesome|wonderful|fantastic|incredible|tough|rough|hard|bad|long|busy|wild|special|big|huge|real|little|milestone|memorable|interesting|intense|fun|cool|nice|lovely|weird|strange|unforgettable|eye opening|life changing|super) )*';
/** `I had a crazy game`, `we had such a moment at the gym`: of what kind, where, with whom? */
const HAPPENING = new RegExp(
  `^ ${WHEN}(?:i|we|i've|we've) (?:just |also |really |recently )?(?:had|have had|got) ${PRAISE}` +
    `(?:game|day|week|weekend|time|night|moment|experience|situation|realization|feeling|one|thing|things|adventure|ride|session|match) ` +
    `${WHEN}(?:${PRAISE}|that (?:really )?(?:reminded|showed|taught|made|changed|left|touched|inspired) (?:me|us) .*)$`,
);

/** `It showed me how strong I can be`, after an effort: what was learnt of oneself. */
const EFFORT =
  /^ (?:i|we|i've|we've) (?:been |really |just |also |have )*(?:work|stud|train|practi[cs]|try|tri|push|fought|play)[a-z]* (?:so |really |very |super )*hard(?:er)? (?:and|but|so|to|$)/;

/** `I've been reading a lot`, `I've been playing for four months`: what, was said before. */
const DOES =
  '(?:reading|writing|watching|playing|learning|practi[cs]ing|using|taking|making|trying|doing|seeing|collecting|getting|having|talking|thinking|going)';
const NO_OBJECT = new RegExp(
  `^ (?:i've|we've|i have|we have) (?:also |just |really |actually |still )?been (?:also |just |really )?${DOES} ` +
    `(?:(?:so |quite |such )?(?:a lot|so much|a ton|a bunch|lots|more|plenty) (?:${WHEN}|in the (?:past|last) .*)$` +
    `|for (?:about |almost |nearly |over |around |roughly |just |like |more than )*(?:a|an|the|\\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|many|some|few|a few|years|months|weeks|ages) )`,
);
/** `I'm working on one with my group`: one of what, was said before. */
const ONE =
  / (?:on|with|for|at|got|have|had|made|make|making|bought|joined|started|finished|wrote|writing|read|reading|saw|watched|planning|attended|own) (?:also )?one (?:with|for|at|in|on|called|that|which|and|but|too|now|last|next|yesterday|recently|about|from|myself|$)/;

/** `Seeing them was my favourite part`: of what? */
const PART =
  / (?:my|our) (?:absolute |personal )?(?:favou?rite|best) (?:part|bit|moment|memory|aspect|thing) $/;

const WEATHER =
  /^ (?:here )?(?:the|our) (?:weather|sun|rain|snow|heat|sky|skies|temperature|temperatures) (?:here |outside |today |lately |has |have |is |are |was |were |'s |been |so |really |just |getting |finally )+/;

const LEAD =
  '(?:(?:and|so|but|oh|ok|okay|well|now|also|yes|yeah|no|nope|nah|haha|lol|eh|ah|hm+|then|anyway|still|just) )*';
const POINTING =
  '(?:it|that|this|them|these|those|him|her|you|so|one|ones|both|either|too|yet|again|now|then|there|here|nobody|anybody|everybody|nothing|anything|everything)';
/** `I have a confession`: what it is, the next sentence says. */
const ANNOUNCES = new RegExp(
  `^ ${LEAD}(?:i|we|i've|we've)(?: have)?(?: got)? (?:an?|one(?: more)?|another|some|two) (?:small |little |big |quick |stupid |dumb |silly |weird |random )*` +
    '(?:confessions?|questions?|requests?|favou?rs?|surprises?|theory|proposals?|suggestions?|complaints?|story|updates?|hunch|news|announcement)(?: (?:for|to) (?:you|ask|make|tell))? $',
);
/** `I don't want`, `I like that`: of what, was said before. */
const NO_THING = new RegExp(
  `^ ${LEAD}(?:i|we) (?:(?:really|also|just|still|kind of|do|don't|do not|didn't|did not|never|can't|cannot|won't|will|'ll) )*` +
    '(?:want|need|like|love|hate|know|knew|think|thought|care|mind|agree|see|tell|told|say|said|try|tried|wait|wonder|understand|remember|forget|forgot|believe|doubt|mean|meant|guess|promise|swear|asked|decided|sign|signed) ' +
    `(?:${POINTING} ){0,3}$`,
);
/** `I'll bring it up`, `I would never`: an answer to what stands before it. */
const ANSWERS = new RegExp(
  `^ ${LEAD}(?:(?:i'll|we'll|i will|we will|i'd better|we'd better) (?:\\p{L}+ ){1,2}(?:it|that|this|them|those|these|him|her) (?:\\p{L}+ ){0,4}$` +
    "|(?:i'd|we'd|i would|we would|i could) (?:never|not)(?: ever)? (?:$|(?:it|it's|that|that's|this|they|there's|you) ))",
  'u',
);
/** `I am lazy for this`, `I live with her`, `I work there`: for what, with whom, where? */
const POINTS_AT_END = new RegExp(
  `^ ${LEAD}(?:i|we|i'm|we're|i've|we've) (?:[\\p{L}\\p{N}'-]+ ){1,5}(?:(?:for|about|with|at|to|of|on|in|like|from|into|by) (?:it|that|this|them|these|those|him|her)|there) $`,
  'u',
);
/** Of somebody or something, in the middle of a sentence. */
const NAME = /(?<=[\p{L}\p{N},] )(?!I(?!\p{L})|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\p{Lu}/u;
/** `I started Tuesday`, `I was saying Jo`. */
const OF_WHAT = new RegExp(
  `^ ${LEAD}(?:(?:i|we) (?:just )?(?:started|begin|began|finished) (?:on )?(?:last |this |next )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday|tomorrow) $` +
    '|(?:i|we) (?:was|were) (?:just |only |always )?(?:saying|asking|wondering|thinking|talking|looking|trying|hoping|kidding|about to) )',
);

/** Says nothing that can be read apart from the talk that it stands in. */
export const isEmpty = ({ plain, text }: Words): boolean =>
  SAYING.test(plain) ||
  (ABSENCE.test(plain) && !LASTS.test(plain) && !/\d|\bbecause\b|\bsince\b/.test(text)) ||
  HAPPENING.test(plain) ||
  EFFORT.test(plain) ||
  NO_OBJECT.test(plain) ||
  ONE.test(plain) ||
  ANNOUNCES.test(plain) ||
  NO_THING.test(plain) ||
  ANSWERS.test(plain) ||
  (POINTS_AT_END.test(plain) && !NAME.test(text)) ||
  OF_WHAT.test(plain) ||
  PART.test(plain) ||
  WEATHER.test(plain);

/** Mostly marks and digits: no sentence. */
export function isSymbols({ text: said }: Pick<Sentence, 'text'>): boolean {
  // `My exam is on 2026-12-15` is talk; a line of a log begins with its day.
  const text = IN_WORDS.test(said) ? said.replaceAll(DAY, '') : said;
  const letters = text.replaceAll(/[^\p{L}]/gu, '').length;
  const solid = text.replaceAll(/\s/g, '').length;
  return solid >= 6 && letters / solid < 0.5;
}

const IN_WORDS = /^\p{L}+ \p{L}+(?: \p{L}+){1,20} /u;
const DAY = /(?<![\d./-])(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d\d){1,2})(?![\d/-])/g;

/** `Not Agnes.` says nothing that could be read next month. */
export const isFragment = ({ words }: Pick<Sentence, 'words'>): boolean =>
  words.length < LEAST_WORDS || words[0] === 'not';
const LEAST_WORDS = 3;

/** `Don't forget my birthday` names a thing, and says nothing of it. */
export const isNamedAlone = ({ text }: Pick<Sentence, 'text'>): boolean =>
  NAMED_ALONE.some((form) => form.test(text.slice(0, MOST_NAMED)));
const MOST_NAMED = 80;
const NAMED_ALONE: readonly RegExp[] = [
  /^(?:my|our) (?:\p{Ll}+['’]s )?(?:\p{Ll}+ (?:birthday|name|number|address)|\p{Ll}+)[.!]*$/u,
  /^(?:everything|anything|all|what|whatever)(?: that)? (?:I|we)(?:['’]ve| have)? (?:just |ever )?(?:said|told you|say|tell you)(?: to you| before| earlier)*[.!]*$/iu,
  /^(?:where|what|who|when|how|which) (?:I|my|we|our)(?: \p{Ll}+){1,3}[.!]*$/iu,
];
