/** What a value is: a state in numbers does not take the place of a name. */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isKnownWord } from '../../text/known-words.ts';
import { isLanguage } from '../sentences/languages.ts';
import type { Token } from './match.ts';

export type ValueKind =
  | 'name'
  | 'number'
  | 'time'
  | 'dose'
  | 'day'
  | 'words'
  | 'occupation'
  | 'diet'
  | 'marital'
  | 'age'
  | 'language'
  | 'drug'
  | 'money'
  | 'transport'
  | 'title'
  | 'activity'
  | 'instrument'
  | 'pay';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const DOSES = set('mg mcg ug ml grams gram units unit iu tablet tablets pill pills drops puffs');
const DIETS = set(
  'vegetarian vegan pescatarian flexitarian keto paleo carnivore omnivore pescetarian fruitarian kosher halal gluten-free lactose-free dairy-free plant-based low-carb',
);
const INSTRUMENTS = set(
  'accordion banjo bass bassoon bagpipes cello clarinet drums flute guitar harmonica harp horn keyboard mandolin oboe organ percussion piano recorder sax saxophone trombone trumpet tuba ukulele viola violin sitar',
);
export const isInstrument = (word: string): boolean => INSTRUMENTS.has(word);
const TRANSPORTS = set(
  'cycling walking driving biking running scootering cycle walk drive bus bike bicycle train car tram subway metro underground tube foot scooter ferry boat motorbike motorcycle taxi coach ebike e-bike',
);
const DRUGS = set(
  'aspirin ibuprofen paracetamol acetaminophen insulin metformin penicillin statins antibiotics antidepressants antihistamines cortisone melatonin lithium warfarin',
);
/** As the names of substances end. */
const DRUG_ENDING =
  /(?:pril|sartan|olol|statin|dipine|azole|mycin|cillin|oxetine|pram|traline|formin|gliptin|glutide|parin|xaban|semide|thiazide|zepam|zolam|tidine|tadine|rizine|profen|olone|sone|triptan|thyroxine)$/;
const MARITAL = set('single married divorced engaged widowed separated');
const OCCUPATIONS = set(
  'accountant administrator analyst apprentice architect artist assistant associate attorney baker barista bartender biologist bookkeeper builder butcher carpenter cashier chef chemist clerk coach consultant contractor cook coordinator counsellor counselor dentist designer developer dietitian director doctor driver economist editor electrician engineer executive farmer firefighter foreman freelancer gardener hairdresser intern janitor journalist judge lawyer lead lecturer librarian manager marketer mechanic midwife musician nurse officer operator optician painter paralegal paramedic partner pharmacist photographer physicist physiotherapist pilot planner plumber postdoc president principal producer professor programmer psychologist receptionist recruiter researcher salesman salesperson scientist secretary specialist strategist student supervisor surgeon surveyor tailor teacher technician therapist trainee trainer translator tutor vet veterinarian waiter waitress welder writer cto ceo cfo coo vp founder',
);
const PEOPLES = set(
  'german french spanish italian british english scottish irish welsh american canadian mexican brazilian indian chinese japanese korean dutch polish swedish norwegian danish finnish russian ukrainian turkish greek portuguese swiss austrian australian belgian hungarian czech jewish muslim christian catholic buddhist hindu african asian european latino',
);
const WEEKDAYS: ReadonlySet<string> = new Set(
  WEEKDAY_NAMES.flatMap((day) => [day, `${day}s`]).concat(['weekdays', 'weekends']),
);
const MONTHS: ReadonlySet<string> = new Set(MONTH_NAMES);
const TITLES = set('dr mr mrs ms prof doctor professor');
const PARTS_OF_DAY = set('noon midnight');
const NUMBER_WORDS = set(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred',
);

/** `15,000`, `6:30`: no mark of a clause. */
export const isInNumber = (text: string, end: number, start: number): boolean =>
  start === end + 1 && /\d/.test(text.charAt(end - 1)) && /\d/.test(text.charAt(start));

/** What the words of a value are; null = nothing that a state can be. */
export function kindOf(given: readonly Token[], text: string): ValueKind | null {
  const value = given.length > 1 && TITLES.has(given[0]?.word ?? '') ? given.slice(1) : given;
  const [first] = value;
  const last = value.at(-1);
  if (!first || !last) return null;
  const { word } = first;
  const said = text.slice(first.start, last.end);
  if (WEEKDAYS.has(word) || (word === 'every' && WEEKDAYS.has(value[1]?.word ?? ''))) return 'day';
  if (/^\d/.test(word) && MONTHS.has(value[1]?.word ?? '')) return 'day';
  if (MONTHS.has(word) && /^\d/.test(value[1]?.word ?? '')) return 'day';
  if (/^\d/.test(word)) {
    const unit = value.find((each) => !/^\d/.test(each.word))?.word ?? '';
    if (DOSES.has(unit) || /^\d+(?:mg|mcg|ml|g)$/.test(word)) return 'dose';
    return /^\d{1,2}(?::\d{2}|[ .]?(?:am|pm|a\.m|p\.m)\b| o'clock)/i.test(said) ? 'time' : 'number';
  }
  if (PARTS_OF_DAY.has(word)) return 'time';
  if (NUMBER_WORDS.has(word) && value.length <= 3) return 'number';
  const plain = value.map((each) => each.word);
  if (plain.some((each) => PEOPLES.has(each)) && value.length === 1) return null;
  if (/^\p{Lu}/u.test(said) || /[@\d]/.test(said)) return 'name';
  if (value.length === 1 && /^[\p{L}-]+$/u.test(said) && !isKnownWord(word)) return 'name';
  return 'words';
}

const ASIDE = set('there here now lol haha btw');

/** Whether the value is of one of the kinds; some kinds are known by their words. */
export function isOfKind(
  value: readonly Token[],
  text: string,
  kinds: readonly ValueKind[],
): boolean {
  const [first] = value;
  const last = value.at(-1);
  if (!first || !last) return false;
  const said = text.slice(first.start, last.end).toLowerCase();
  const words = said.split(/[^\p{L}\p{N}-]+/u);
  while (words.length > 1 && ASIDE.has(words.at(-1) ?? '')) words.pop();
  return kinds.some((kind) => {
    if (kind === 'money') return /[$€£]/.test(text.charAt(first.start - 1));
    if (kind === 'pay') return isPay(said, text.charAt(first.start - 1));
    if (kind === 'drug') return isDrug(words, said);
    if (kind === 'transport') return words.length === 1 && TRANSPORTS.has(said);
    if (kind === 'title') return isTitle(value, text);
    if (kind === 'activity') return words.length === 1 && (isGerund(said) || isHobby(said));
    if (kind === 'age') return /^\d{1,2}$/.test(said);
    if (kind === 'diet') return words.length === 1 && DIETS.has(said);
    if (kind === 'marital') return words.length === 1 && MARITAL.has(said);
    if (kind === 'language') return namesLanguage(words, text.slice(first.start, last.end));
    if (kind === 'instrument') return INSTRUMENTS.has(words.at(-1) ?? '');
    if (kind === 'occupation') return isOccupation(words);
    return kindOf(value, text) === kind;
  });
}

const isDrug = (words: readonly string[], said: string): boolean =>
  words.length === 1 && (DRUGS.has(said) || DRUG_ENDING.test(said));
/** Also one that no list has, by its capital and how such names end. */
const namesLanguage = (words: readonly string[], said: string): boolean =>
  isLanguage(words.at(-1) ?? '') || /^\p{Lu}\p{Ll}{2,}(?:ish|ese|ian|ic)$/u.test(said);
/** `44,000`, `52k`: what one is on is a salary; `3` is a list. */
const isPay = (said: string, sign: string): boolean =>
  /^\d{2,3}(?:k|[,.' ]?000|[,.' ]?\d{3})(?: (?:a|per) year)?$/.test(said) ||
  (/[$€£]/.test(sign) && /^\d+k?$/.test(said));
const isGerund = (word: string): boolean => /^\p{L}{2,}ing$/u.test(word);
const HOBBIES = set(
  'yoga chess pottery photography golf tennis judo karate origami ceramics calligraphy astronomy football badminton squash pilates ballet salsa crochet embroidery carpentry poker archery fencing boxing rugby hockey cricket lacrosse taekwondo aikido parkour gymnastics aerobics zumba crossfit baseball croquet darts bridge',
);
const isHobby = (word: string): boolean => HOBBIES.has(word) || /^\p{L}{2,}ball$/u.test(word);

const MOST_TITLE_WORDS = 3;
/** Every word with one capital and no more: `Nightingale`, but neither `PR 12` nor `it`. */
const isTitle = (value: readonly Token[], text: string): boolean =>
  value.length <= MOST_TITLE_WORDS &&
  kindOf(value, text) === 'name' &&
  value.every(({ start, end }) => /^\p{Lu}\p{Ll}+$/u.test(text.slice(start, end)));

const MOST_OCCUPATION_WORDS = 5;
/** `Engineering director`, but `I'm dating a doctor`. */
const LINES_OF_WORK = set(
  'engineering marketing accounting nursing advertising manufacturing banking consulting recruiting purchasing training teaching building',
);
const isOccupation = (words: readonly string[]): boolean =>
  words.length <= MOST_OCCUPATION_WORDS &&
  !words.some((word) => word === 'my' || (word.endsWith('ing') && !LINES_OF_WORK.has(word))) &&
  (OCCUPATIONS.has(words.at(-1) ?? '') || (words[0] === 'head' && words[1] === 'of'));

/** Beside the noun in the name of a slot: `the standup is at 9` and `on Mondays` are two. */
export const suffixOf = (kind: ValueKind): string =>
  kind === 'number' || kind === 'time' || kind === 'dose' || kind === 'day' ? ` ${kind}` : '';

const NAMING: ReadonlySet<string> = new Set(['called', 'named']);
const WHOSE = set('her his their its');
const MOST_NAMING_WORDS = 5;
/** `a guy called Berger`, `her name is Ines`: what comes before the name says nothing of it. */
export function withoutNaming(tokens: readonly Token[]): readonly Token[] {
  const lead = tokens.slice(0, MOST_NAMING_WORDS).map(({ word }) => word);
  const called = lead.findIndex((word) => NAMING.has(word));
  const named = lead.findIndex(
    (word, index) => WHOSE.has(word) && lead[index + 1] === 'name' && lead[index + 2] === 'is',
  );
  const from = called > 0 ? called + 1 : named === -1 ? 0 : named + 3;
  return from < tokens.length ? tokens.slice(from) : tokens;
}
