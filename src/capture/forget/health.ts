/**
 * `Forget my health`: allergies, conditions and medicine that the speaker has. Whose health it
 * is the beginning of the statement says; that of others, and who treats it, is not asked for.
 * English.
 */
const DATA =
  '(?: (?:data|details?|info|information|history|records?|issues?|problems?|conditions?|status|situation|stuff|notes))?';
const ASKS = new RegExp(
  `^(?:my|our) (?:(?:medical|mental|physical|personal) )?(?:health${DATA}|` +
    'medical (?:data|details?|info|information|history|records?|issues?|problems?|conditions?)|' +
    '(?:health|medical) and (?:health|medical) (?:data|history))$',
);
/** Of plain words behind `forget`, `forget everything about`. */
export const namesHealth = (words: string): boolean => ASKS.test(words);

const HOW =
  '(?:also |still |now |currently |very |really |severely |mildly |slightly |deathly |recently |been |just )*';
/** Behind `is`. */
const BEING =
  'allergic|intolerant|\\p{L}+[- ]intolerant|(?:type (?:1|2|one|two) )?diabetic|prediabetic|asthmatic|' +
  'epileptic|an(?:a)?emic|coeliac|celiac|pregnant|autistic|dyslexic|bipolar|depressed|' +
  'colou?r[- ]?blind|blind|deaf|hard of hearing|disabled|immunocompromised|in remission|' +
  'hiv[- ]positive|diagnosed with|recovering from|on medication|taking medication';
const CONDITION =
  '(?:\\p{L}+(?:itis|osis|algia|aemia|emia|pathy|oma|phobia|plegia|plasia|trophy|rrhoea|rrhea)|' +
  'allerg(?:y|ies)|intolerances?|asthma|diabetes|cancer|epilepsy|migraines?|adhd|add|ptsd|ocd|ibs|copd|hiv|aids|' +
  "autism|anxiety|depression|insomnia|eczema|gout|lupus|alzheimer['’]?s?|parkinson['’]?s?|crohn['’]?s?(?: disease)?|" +
  'hay fever|high (?:blood pressure|cholesterol)|low (?:blood pressure|iron)|blood pressure|' +
  'a?rrhythmia|hypertension|sciatica|glaucoma|dementia|covid|the flu|' +
  '(?:\\p{L}+ ){0,2}(?:disease|disorder|syndrome|condition|deficiency|injury|fracture|tumou?r|infection|disability|impairment|' +
  'pacemaker|inhaler|epipen)|' +
  '(?:bad|weak|sore|broken|torn|injured) (?:\\p{L}+ )?(?:back|knee|hip|shoulder|ankle|heart|neck|wrist|arm|leg|foot|elbow|ligament))';
const HAS =
  "(?:has|have|had|has got|have got|suffers? from|suffered from|lives? with|was diagnosed with|were diagnosed with|(?:don['’]t|doesn['’]t|do not|does not|no longer) have|was told (?:i|they) have)";
/** A drug is named by its ending, by its dose or by what it is for. */
const DRUG =
  '(?:\\p{L}+(?:formin|prazole|statin|pril|sartan|olol|oxetine|aline|azepam|azolam|cillin|mycin|profen|' +
  'thyroxine|xaban|dipine|gliptin|glutide|triptan|cetirizine|loratadine|codone|barbital|sone|solone|oxacin)|' +
  'insulin|aspirin|paracetamol|warfarin|lithium|ritalin|adderall|antidepressants?|antibiotics?|' +
  'antihistamines?|beta[- ]blockers?|blood thinners?|statins?|painkillers?|ssris?|the pill|steroids?|' +
  'medication|medicine|meds|pills|tablets|(?:\\p{L}+ ){1,3}for (?:my|their|our|the) (?:\\p{L}+ )?' +
  `(?:${CONDITION}|heart|thyroid|blood pressure|back|knees?|allerg(?:y|ies)))`;
const DOSE = '\\d+(?:[.,]\\d+)? ?(?:mg|mcg|µg|ml|units?)(?!\\p{L})';
const OWN =
  '(?:\\p{L}+ )?(?:blood (?:type|group|pressure|sugar)|allerg(?:y|ies)|intolerances?|diagnos[ie]s|' +
  'medical condition|condition|conditions|medications?|medicines?|meds|prescription|insulin dose|\\p{L}+ dose|disability)';
const escaped = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&');

/** To forget the health would lose the rest. */
const MORE =
  /(?:,| and| but) (?:also )?(?:lives?|works?|likes?|loves?|drives?|plays?|speaks?|rides?|stud(?:y|ies)|moved|was born|(?:is|am) (?:from|an?|married))(?!\p{L})/iu;

/** `name`: as it is kept of somebody; null = as its speaker said it. */
export function isOfHealth(said: string, name: string | null): boolean {
  const text = said.slice(0, MOST_READ);
  return !MORE.test(text) && ownHealth(name).test(text);
}
const MOST_READ = 160;

function ownHealth(name: string | null): RegExp {
  const who = name === null ? '(?:i|we)' : escaped(name);
  const whose = name === null ? '(?:my|our)' : `${escaped(name)}['’]s?`;
  const is = "(?: (?:am|are|is|was|were|have been|has been)|['’](?:m|re|s|ve been))";
  const takes = `${who}(?:${is})?(?: not| no longer)? ${HOW}(?:takes?|taking|on|uses?|injects?)`;
  const forms = [
    `${who}${is}(?: not| no longer)? ${HOW}(?:${BEING})`,
    `${who}(?:['’]ve|['’]s)? ${HOW}${HAS} ${HOW}(?:an? |any |the )?(?:\\p{L}+ )?${CONDITION}`,
    `${takes} (?:\\p{L}+ )?${DRUG}`,
    `${takes} (?:[\\p{L}-]+,? )?${DOSE}`,
    `${whose} ${OWN} (?:is|are|was|were|has|have)`,
    `${whose} (?:\\p{L}+ )?${CONDITION} (?:is|was|has|got)`,
  ];
  return new RegExp(`^(?:${forms.join('|')})(?!\\p{L})`, 'iu');
}

/** A typed value is of health by the name of its property. */
export const isHealthProperty = (property: string): boolean => PROPERTY.test(property);
const PROPERTY =
  /(?:^|[ _])(?:health|medical|allerg(?:y|ies)|intolerances?|conditions?|diagnos[ie]s|medications?|medicines?|meds|blood (?:type|group|pressure)|disabilit(?:y|ies))(?:$|[ _])/i;
