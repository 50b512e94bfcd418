/**
 * Private matters of somebody else: health, a pregnancy, whom they love, what they believe, debts.
 * `Remember that Bo has cancer` asks for it, and still it is not the speaker's alone to say.
 */
import type { Sentence } from '../sentences/sentence.ts';

const PRIVATE =
  "cancer|leuk(?:a)?emia|lymphoma|tumou?r|diabetes|diabetic|hiv|aids|epilepsy|epileptic|depression|depressed|anxiety|bipolar|schizophreni[ac]|adhd|autism|autistic|dementia|alzheimer's|parkinson's|multiple sclerosis|hepatitis|herpes|std|anorexi[ac]|bulimi[ac]|eating disorder|panic attacks|burn ?out|alcoholic|addict|addicted|addiction|rehab|chemo|chemotherapy|pregnant|miscarriage|abortion|infertile|suicidal|terminally ill|mentally ill|seriously ill|chronically ill|disabled|pacemaker|heart (?:attack|disease|condition|failure)|stroke|high blood pressure|antidepressants|insulin|gay|lesbian|bisexual|transgender|queer|muslim|jewish|catholic|atheist|in (?:prison|jail|debt)|convicted|bankrupt|having an affair|an affair|cheating on";
/** `A clinic that has cancer patients` */
const NO_KIND =
  '(?! (?:patients?|research|treatments?|drugs?|cent(?:er|re)s?|wards?|clinics?|stud(?:y|ies)|charity|awareness|friendly|parade|pride|bars?|schools?|church|history|food))';
const SAID = new RegExp(
  ` ([\\p{L}\\p{M}'-]+) (?:has|had|is|was|are|were|got|gets|takes|have|suffers|suffered|needs|lives|became|came|must)(?: (?!i |i'm |my |we )[\\p{L}'-]+){0,3}? (?:${PRIVATE})${NO_KIND}(?= )`,
  'gu',
);
/** `She's pregnant` */
const SHORT = new RegExp(
  ` ((?!(?:that|it|what|there|here)'s)[\\p{L}\\p{M}-]+'s|they're)(?: (?!i |i'm |my |we )[\\p{L}-]+){0,3}? (?:${PRIVATE})${NO_KIND}(?= )`,
  'gu',
);
const OWN: ReadonlySet<string> = new Set(
  "i i've we we've not also still now just and or but always never already".split(' '),
);

export function isPrivateOfOther({ plain }: Pick<Sentence, 'plain'>): boolean {
  const said = plain.slice(0, MOST_READ);
  return [SAID, SHORT].some((form) => [...said.matchAll(form)].some(([, of = '']) => !OWN.has(of)));
}
const MOST_READ = 400;
