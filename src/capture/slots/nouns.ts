/** The nouns that name a slot, and what can be a value of it, as data. */

/** What a person has one of, by the nouns that name it. */
const NOUNS: readonly (readonly [slot: string, nouns: string])[] = [
  ['home', 'home|city|home city|town|home town now|place of residence|residence|city of residence'],
  ['employer', 'employer|company|workplace'],
  ['occupation', 'job|job title|role|title|occupation|profession|position'],
  ['phone', 'phone number|number|mobile number|cell number|telephone number|telephone'],
  ['device', 'phone|mobile|cell|smartphone'],
  ['email', 'email|e mail|mail|email address|e mail address|mail address'],
  ['address', 'address|home address|street address|postal address'],
  ['manager', 'manager|boss|supervisor|line manager|team lead|superior'],
  ['diet', 'diet'],
  ['partner', 'partner|girlfriend|boyfriend'],
  ['car', 'car|vehicle'],
  ['bike', 'bike|bicycle'],
  ['bank', 'bank'],
  ['doctor', 'doctor|gp|physician|family doctor'],
  ['dentist', 'dentist'],
  ['therapist', 'therapist'],
  ['landlord', 'landlord'],
  ['gym', 'gym'],
  ['school', 'school|university|college|uni'],
  ['major', 'major|field of study'],
  ['team', 'team'],
  ['plan', 'plan|subscription|subscription plan'],
  ['wake-up time', 'wake up time|wakeup time|alarm'],
  ['medication', 'medication|medicine|meds'],
  ['time zone', 'time zone|timezone'],
  ['language', 'language|native language|first language|mother tongue'],
  ['name', 'name|full name|first name'],
  ['nickname', 'nickname'],
  ['username', 'username|handle|user name'],
  ['birthday', 'birthday|date of birth|birth date'],
  ['age', 'age'],
  ['height', 'height'],
  ['weight', 'weight'],
  ['size', 'size|shoe size'],
  ['pronouns', 'pronouns'],
  ['salary', 'salary|annual salary|yearly salary'],
  ['budget', 'budget'],
  ['rate', 'rate'],
  ['deadline', 'deadline'],
  ['marital status', 'marital status|relationship status'],
  ['laptop', 'laptop|computer'],
  [
    'editor',
    'editor|code editor|text editor|favorite editor|favorite code editor|favorite text editor',
  ],
  ['provider', 'provider|carrier'],
  ['insurance', 'insurance|insurer'],
  ['goal', 'main goal'],
  ['main client', 'main client|main customer'],
  ['parking space', 'parking space|parking spot|parking bay|parking place|parking slot'],
  ['operating system', 'operating system|os'],
  ['cloud provider', 'cloud provider|hosting provider'],
  ['thesis supervisor', 'thesis supervisor|thesis advisor|thesis adviser|phd supervisor'],
  ['favorite restaurant', 'favorite restaurant|favorite place to eat|favorite eatery'],
  ['flatmate', 'flatmate|roommate|housemate'],
  ['vet', 'vet|veterinarian|veterinary'],
  ['pharmacy', 'pharmacy|chemist|drugstore'],
  ['nursery', 'nursery|daycare|day care|preschool'],
  ['internet provider', 'internet provider|isp|internet service provider'],
  ['mobile plan', 'mobile plan|phone plan|cell plan|mobile contract|phone contract'],
  [
    'electricity supplier',
    'electricity supplier|electricity provider|power supplier|power company',
  ],
  ['wedding venue', 'wedding venue|wedding location'],
  ['holiday destination', 'holiday destination|vacation destination'],
  ['blood type', 'blood type|blood group'],
  ['coffee order', 'coffee order|usual coffee|usual coffee order|regular coffee'],
  ['running distance', 'running distance|daily run|usual run|regular run'],
];
export const SLOT_OF_NOUN: ReadonlyMap<string, string> = new Map(
  NOUNS.flatMap(([slot, nouns]) => nouns.split('|').map((noun) => [noun, slot] as const)),
);
/** Beside a noun they name the same thing. */
export const SAME_THING: ReadonlySet<string> = new Set(
  'new current main own latest actual present default'.split(' '),
);
/** `favourite` makes a slot of any noun. */
export const LIKED: ReadonlySet<string> = new Set(['favorite', 'preferred']);
export const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    favourite: 'favorite',
    fav: 'favorite',
    colour: 'color',
    programme: 'program',
    flavour: 'flavor',
    film: 'movie',
  }),
);

/** Their values are names: `my car is broken` says of no other car. */
export const NAMED: ReadonlySet<string> = new Set(
  [
    'partner home employer manager doctor dentist therapist landlord bank gym school laptop car bike device provider insurance address name phone email plan'.split(
      ' ',
    ),
    ['main client', 'parking space', 'operating system', 'cloud provider', 'thesis supervisor'],
  ].flat(),
);
/** How a thing is, not what it is. */
export const QUALITIES: ReadonlySet<string> = new Set(
  'good bad great terrible awful fine broken dead slow fast nice hard easy stressful boring fun full empty big small important done over late early here there gone lost closed open better worse ok okay healthy unhealthy weird different same safe secret private wrong right unknown tight high low ready down up ruined stolen'.split(
    ' ',
  ),
);
/** `my team has been super encouraging` tells how, not which. */
export const DEGREES: ReadonlySet<string> = new Set(
  'super so really very pretty quite totally extremely incredibly such truly'.split(' '),
);
/** `my boss is in the garden` says nothing of who it is. */
export const PLACING: ReadonlySet<string> = new Set(
  'in on at from to under over with about like going being getting having not no so too very more less always never coming'.split(
    ' ',
  ),
);

/** Their values are days: no day of a change. */
export const DAY_SLOTS: ReadonlySet<string> = new Set(['birthday', 'deadline']);

/** Before a noun, and no part of its name. */
export const DETERMINERS: ReadonlySet<string> = new Set('my our the a an'.split(' '));
/** No words of a noun phrase that names a thing. */
export const NO_NOUN: ReadonlySet<string> = new Set(
  "i you he she it we they me him her us them my your his their our its the a an this that these those is are was were be been am do does did have has had not no and but or if so to in on at by with from as than then when while because about into over up down out off what who how why where which will would can could should must may might just also too very really got get go goes went going something everything anything nothing all both each some any more most other others same lot let's it's that's i'm i've moved changed switched every each one ones after instead said".split(
    ' ',
  ),
);

/** `My biggest client` is the main one, and one has no second. */
export function isMain(said: readonly string[]): boolean {
  const [main = '', noun = '', more] = said.filter(
    (word) => word === 'main' || !SAME_THING.has(word),
  );
  return more === undefined && MAIN.test(main) && SLOT_OF_NOUN.has(`main ${noun}`);
}
const MAIN = /^(?:main|biggest|largest|primary|principal|chief)$/;
