/**
 * What holds of a part alone: `I don't take metformin on an empty stomach`, `in summer I live in
 * Oslo`. It neither ends what holds of the whole nor takes its place.
 */
import type { Sentence } from '../sentences/sentence.ts';

const DAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)days';
const SEASONS = 'summer|winter|spring|autumn|fall';
const MEALS = 'breakfast|lunch|dinner|supper|brunch|meals?|food|eating';
const FLUIDS =
  'milk|water|coffee|tea|juice|alcohol|beer|wine|sugar|grapefruit(?: juice)?|salt|gluten|meat';
const OCCASIONS = `${MEALS}|bed|bedtime|sleep|sleeping|driving|flying|flights?|exams?|work|school|training|workouts?|sports?|exercise|surgery|noon|midnight|dawn|dusk|dark|sunrise|sunset|christmas|easter`;

/** Of the days and seasons alone. */
const TIMES = `(?:on|at|over|during)(?: the| most| some)? (?:${DAYS}|weekends?|weekdays|workdays|weeknights|holidays|school days|rest days)|(?:in|during|over)(?: the)? (?:${SEASONS}|summers|winters|holidays|school holidays|off season)`;
/** Behind what it restricts, or at the beginning of the sentence. */
const PARTS: readonly string[] = [
  TIMES,
  `every (?:day|night|week|month|year|morning|evening|single day)|each (?:day|night|week|morning)`,
  'in the (?:mornings?|evenings?|afternoons?|daytime|dark|rain|sun|cold|heat|office|car|kitchen|bedroom|shower|same (?:way|place|car))|in public|in bed|in traffic',
  `at (?:night|noon|home|work|school|parties|restaurants|my desk|the office|the same time|once|${MEALS})`,
  `with(?:out)? (?:an? |any |my |the |much |hot |cold )?(?:${MEALS}|${FLUIDS})`,
  'on an? (?:empty|full) stomach|on planes|on the (?:road|train|bus|plane|phone)',
  `(?:before|after|during|around)(?: my| the| an?)? (?:${OCCASIONS})`,
  "(?:before|after|until|till|past|from) \\d{1,2}(?: \\d{2})?(?: ?[ap]m| o'clock| uhr)?",
  'before|once',
  'to (?:work|school|uni|university|the office|the gym|church|town|the shops)',
  `for (?:${MEALS}|fun|free|long|a living|(?:a|the) (?:trip|day|night|weekend|week|walk|while|bit|run|minute|holiday|vacation|break|conference|meeting))`,
  'as (?:much|often|hard|fast|well)|(?:so|that|very|too|quite) (?:much|often|well)|much|often|regularly|(?:full|part)[ -]time|alone|together|by myself|on my own|early|late|overtime',
  'when|while|whenever|if|unless|except|apart from|other than|only',
];
const UNTIL_END =
  '(?= (?:any ?more|any more|though|now|again|today|yesterday|because|since|but)|$)';
/** Words of the sentence between single spaces are read. */
const BEHIND = new RegExp(
  ` (?:${PARTS.slice(0, -1).join('|')})${UNTIL_END}| (?:${PARTS.at(-1) ?? ''}) `,
);
const LEADING = new RegExp(`^ (?:(?:and|so|but|well) )*(?:${PARTS.slice(0, -3).join('|')}) `);
const SEASONAL = new RegExp(
  `^ (?:(?:and|so|but|well) )*(?:${TIMES}) | (?:${TIMES})${UNTIL_END}| except (?:at|on|in|for|during|when) `,
);

type Words = Pick<Sentence, 'plain' | 'text'>;

/** Says when, where or with what: so much of it alone is denied. */
export const isRestricted = ({ plain }: Words): boolean =>
  BEHIND.test(trimmed(plain)) || LEADING.test(plain);
/** What stands behind `because` restricts nothing. */
const trimmed = (plain: string): string => plain.split(REASON, 1)[0]?.trimEnd() ?? plain;
const REASON = / (?:because|so|but|although|since) /;

/** `I don't work at Acme for the money`, `I'm not at Acme today`, `I don't just live in Bern`. */
export const isEndOfPart = ({ plain, text }: Words, end: number): boolean =>
  isRestricted({ plain, text }) ||
  NOT_WHOLLY.test(text) ||
  (DENIED.test(text) && !/\bany ?(?:more|longer)\b/i.test(text) && !WHOLE.test(text.slice(end)));
/** `I don't just live in Bern` says that one does. */
export const isNotOnly = (text: string): boolean =>
  /(?:\bnot|n['’]t) (?:just|only|merely|simply) /i.test(text);
const NOT_WHOLLY =
  /(?:\bnot|n['’]t) (?:just|only|merely|simply|really|always|usually|normally|typically|generally|mostly|exactly|strictly|also)\b/i;
const DENIED = /^[^,;:]{0,40}?(?:\bnot|n['’]t) /i;
/** What follows the value begins a clause, says since when, or says no more of it. */
const WHOLE =
  /^(?:$|[^\p{L}\p{N} ]| ?[-–—(]| (?:now|nowadays|these days|at all|again|since|because|but|so|and|though|as of|from|starting|either|too|actually|currently|lol|haha|yet)\b)/iu;

/** One lives, works and eats so at those times alone. */
export const isSeasonal = (slot: string, { plain }: Words): boolean =>
  ALL_YEAR.test(slot) && SEASONAL.test(trimmed(plain));
const ALL_YEAR = /^(?:home|employer|occupation|diet)$/;

/** Whether the words that follow a denial take nothing of it away. */
export const STAYS_DENIED =
  /^(?:(?:any more|anymore|any longer|at all|ever|now|again|these days|nowadays)(?: |$))*(?:since (?!it|he|she|they|i|we|you|my|our|the|there|today|this|that)\b.*)?$/;
/** Behind `coffee any more`: when, where or with whom it is not had. A reason restricts nothing. */
const IN_A_CASE =
  /^(?:,? (?:any ?more|any longer|at all|now|again|these days|nowadays))*,? (?:(?:before|after|during|until|till|when|while|whenever|if|unless|except|around|between|past|with|without)\b|in (?!general\b|years\b|ages\b|months\b|principle\b|any\b)|at (?!all\b|the moment\b|present\b|any\b)|on (?!principle\b|doctor|medical|health|religious|ethical|moral|(?:my|the) doctor))/i;

/** A liking, unless it is denied of a part alone: `I don't drink coffee any more after lunch`. */
export const ofWhole = <Liking extends { readonly value: string; readonly end: number }>(
  liking: Liking | null,
  { text }: Pick<Sentence, 'text'>,
): Liking | null =>
  liking?.value === 'no' && IN_A_CASE.test(text.slice(liking.end)) ? null : liking;

/** `I no longer eat meat on Mondays` may have the whole as its slot. */
export const isDislike = ({ name, value }: Readonly<Record<'name' | 'value', string>>): boolean =>
  name.startsWith('like ') && value === 'no';

const DENIES =
  / (?:no longer|stopped|quit|left|sold|gave up|given up|not|never|no|none|cannot|[a-z]+n't|hardly|rarely) /;
/** `I have no dog food left`, `I don't have a dog allergy`: one can have the dog. */
const HAS_NO =
  /^ (?:(?:and|so|but|well) )*(?:i|we|i've|we've) (?:currently |really |actually |also )?(?:have no|got no|have got no|no longer have|(?:don't|do not) have|haven't got|have not got) (?:an? |any |much |enough |more )?(?!an? |any |much |enough |more )(?:[\p{L}'-]+ ){1,3}[\p{L}'-]+ $/u;
const OVER = / (?:any ?more|any more) $/;
const LEFT = / (?:no|few|little|much|enough|any|some|more) (?:[\p{L}'-]+ ){0,3}left $/u;
/** `I quit Acme's gym`, `I sold my Golf clubs`: another thing than what is called so. */
const OF_NAME =
  /\b(?:sold|quit|left|dropped|cancell?ed|stopped|returned|finished|gave up) (?:my |our |the )?\p{Lu}[\p{L}\d-]{0,40}(?:['’]s \p{Ll}| (?!lessons|classes)\p{Ll}{1,30}[^\Ws]s\b)/u;
/** Of a time that is over: `I was married before`. */
const WAS =
  /^ (?:i|i've|we|we've|my [\p{L}-]+|our [\p{L}-]+) (?:was|were|had|have been|been|did) /u;
const BEFORE = / (?:before|once|back then|at the time|as an? (?:kid|child|teenager|student)) $/;

/** `I live alone`, `I work for free`: how, and not where. */
const NO_PLACE =
  /^(?:I|We) (?:live|work) (?:alone|together|apart|hard|fast|well|a lot|(?:in|at|for|as|with|from) (?:an? |the |my |our )?\p{Ll})/u;

/** Whether a statement without a slot takes the place of nothing, whatever it is like. */
export const isOfPart = (said: Words): boolean =>
  (DENIES.test(said.plain) && isRestricted(said)) ||
  LEFT.test(said.plain) ||
  OF_NAME.test(said.text) ||
  NO_PLACE.test(said.text) ||
  (HAS_NO.test(said.plain) && !OVER.test(said.plain)) ||
  (WAS.test(said.plain) && BEFORE.test(said.plain));

/** `On weekends I work at Foodly`, `I pay 90 rent for my garage`: beside what is so else. */
const IN_PART =
  /\b(?:on|at|in|during|over|for) (?:the |every |my )?(?:work(?:ing)? )?(?:weeks?|weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|summers?|winters?|spring|autumn|fall|holidays?|evenings?|nights?)\b|\bpart[- ]time\b|\bon the side\b|\b(?:day|days|hours?) (?:a|per) (?:week|month)\b|\bas an? (?:freelancer|volunteer|contractor|consultant)\b|\bfor (?:work|tax reasons|the \w+)[.!]*$|^(?:on paper|officially|legally|for tax reasons|in the test)\b/iu;
const OF_A_PART: ReadonlySet<string> = new Set(
  'home|employer|manager|car|running distance|coffee order|operating system|time zone|cloud provider|desk number|floor|bus number|tram number|parking space|start of work|thesis supervisor|coach|tutor'.split(
    '|',
  ),
);
/** `500 a month from tutoring`: what one earns with something else. */
const BY_ANOTHER =
  /\b(?:from|by|through) (?:my |the |an? )?(?!(?:now|then|today|next|this|on|job|work|salary|my|the)\b)\p{Ll}{3,}|\bwith (?:my |the )?\p{Ll}{2,}ing\b|\bon the side\b/u;
const FOR_ANOTHER =
  /\bfor (?:my|our|the|a) (?!(?:flat|apartment|room|house|home|place|studio)\b)\w+/i;
/** Whether a value of the slot holds beside the one that holds else. */
export const isPartOfSlot = (name: string, text: string): boolean =>
  (OF_A_PART.has(name) && IN_PART.test(text)) ||
  (name === 'rent' && FOR_ANOTHER.test(text)) ||
  (name === 'salary' && BY_ANOTHER.test(text));
