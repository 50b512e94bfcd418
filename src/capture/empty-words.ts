/**
 * Statements that say that something was, and not what: a week later nothing can be read from them.
 * Each kind is a form of words, over the plain words of the sentence.
 */
import type { Sentence } from './sentence.ts';

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

/** Says nothing that can be read apart from the talk that it stands in. */
export const isEmpty = ({ plain, text }: Words): boolean =>
  SAYING.test(plain) ||
  (ABSENCE.test(plain) && !LASTS.test(plain) && !/\d|\bbecause\b|\bsince\b/.test(text)) ||
  HAPPENING.test(plain) ||
  EFFORT.test(plain) ||
  NO_OBJECT.test(plain) ||
  ONE.test(plain) ||
  PART.test(plain) ||
  WEATHER.test(plain);

/** Mostly marks and digits: no sentence. */
export function isSymbols({ text }: Pick<Sentence, 'text'>): boolean {
  const letters = text.replaceAll(/[^\p{L}]/gu, '').length;
  const solid = text.replaceAll(/\s/g, '').length;
  return solid >= 6 && letters / solid < 0.5;
}
