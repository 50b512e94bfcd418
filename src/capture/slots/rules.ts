/**
 * What slots are read by, as data. A pattern is words, `a/b` for one of several, `%` for the value
 * and `@` for words that are passed over. Contractions are written out; adverbs and named days are
 * gone before it is compared.
 */

export interface VerbForm {
  readonly slot: string;
  /** The slot has another value from now on, or is empty. */
  readonly kind: 'tells' | 'changes' | 'ends';
  readonly forms: readonly string[];
  /** The value must be a name: `I joined Acme`, but not `I joined a call`. */
  readonly isName?: boolean;
}

export const VERB_FORMS: readonly VerbForm[] = [
  {
    slot: 'home',
    kind: 'tells',
    forms: [
      'i/we live in %',
      'i/we am/are living in %',
      'i/we have been living in %',
      'i/we have lived in %',
      'i/we am/are based in %',
      'i/we have been based in %',
      'i/we live at %',
      'i/we am/are living at %',
      'i/we have been living at %',
      'my/our home is in %',
      'i/we settled in %',
      'home for me/us is %',
      'home is in %',
      'home is %',
    ],
  },
  {
    slot: 'home',
    kind: 'changes',
    forms: [
      'i/we moved to %',
      'i/we moved back to %',
      'i/we moved over to %',
      'i/we have moved to %',
      'i/we have moved back to %',
      'i/we relocated to %',
      'i/we have relocated to %',
      'i/we moved from @ to %',
      'i/we settled down in %',
      'i/we have moved again it is %',
      'i/we moved again it is %',
    ],
    isName: true,
  },
  {
    slot: 'home',
    kind: 'ends',
    forms: [
      'i/we no longer live in %',
      'i/we do not live in %',
      'i/we moved away from %',
      'i/we moved out of %',
    ],
  },
  {
    slot: 'employer',
    kind: 'tells',
    forms: [
      'i work at/for %',
      'i am working at/for %',
      'i have been working at/for %',
      'i have worked at/for %',
      'i am employed at/by/with %',
      'i have been employed at/by/with %',
      'i am an employee of %',
    ],
  },
  {
    slot: 'employer',
    kind: 'changes',
    forms: [
      'i started working at/for %',
      'i started to work at/for %',
      'i started at/with %',
      'i joined %',
      'i have joined %',
      'i got/have/took/found/landed/accepted a job at/with %',
      'i got/have/took/found/landed/accepted a new job at/with %',
      'i started a/my job at/with %',
      'i started a/my new job at/with %',
      'i was/got hired by/at %',
      'i moved from @ to % as my employer',
      'i accepted/took/got an offer from/at %',
    ],
    isName: true,
  },
  {
    slot: 'employer',
    kind: 'ends',
    forms: [
      'i no longer work at/for %',
      'i do not work at/for %',
      'i quit my job at %',
      'i left my job at %',
      'i stopped working at/for %',
    ],
  },
  {
    slot: 'occupation',
    kind: 'tells',
    forms: ['i work as %', 'i am working as %', 'i have been working as %', 'i am employed as %'],
  },
  {
    slot: 'occupation',
    kind: 'changes',
    forms: [
      'i was promoted to %',
      'i got promoted to %',
      'i have been promoted to %',
      'i started as %',
      'i started working as %',
      'i became a/an %',
      'i was made %',
    ],
  },
  { slot: 'name', kind: 'tells', forms: ['call me %', 'address me as %'], isName: true },
  { slot: 'name', kind: 'tells', forms: ['i go by %'], isName: true },
  {
    slot: 'car',
    kind: 'tells',
    forms: ['i/we drive a/an %', 'i/we am/are driving a/an %', 'i/we have been driving a/an %'],
  },
  {
    slot: 'car',
    kind: 'changes',
    forms: ['i/we traded/swapped my/our car for %', 'i/we traded/swapped my/our car in for %'],
  },
  {
    slot: 'bike',
    kind: 'tells',
    forms: ['i/we ride a/an %', 'i/we am/are riding a/an %', 'i/we have been riding a/an %'],
    isName: true,
  },
  {
    slot: 'manager',
    kind: 'tells',
    forms: ['i report to %', 'i am reporting to %', 'i have been reporting to %'],
    isName: true,
  },
  {
    slot: 'bank',
    kind: 'tells',
    forms: [
      'i/we bank with/at %',
      'i/we am/are banking with/at %',
      'i/we have been banking with/at %',
      'i/we have my/our account at/with %',
      'i/we have my/our bank account at/with %',
    ],
  },
  {
    slot: 'bank',
    kind: 'changes',
    forms: [
      'i/we moved my/our account to %',
      'i/we moved my/our bank account to %',
      'i/we opened an account at/with %',
    ],
    isName: true,
  },
  {
    slot: 'school',
    kind: 'tells',
    forms: [
      'i study at %',
      'i am studying at %',
      'i have been studying at %',
      'i am a student at %',
      'i attend %',
    ],
    isName: true,
  },
  {
    slot: 'school',
    kind: 'changes',
    forms: ['i transferred to %', 'i enrolled at/in %', 'i have transferred to %'],
    isName: true,
  },
  {
    slot: 'gym',
    kind: 'tells',
    forms: [
      'i train at %',
      'i am training at %',
      'i have been training at %',
      'i work out at %',
      'i am working out at %',
      'i have been working out at %',
      'i go to the gym at %',
      'i/we go to % to work/train/exercise/lift out',
      'i/we go to % to train/exercise/lift',
    ],
    isName: true,
  },
  {
    slot: 'diet',
    kind: 'tells',
    forms: [
      'i follow a/an/the % diet',
      'i am on a/an/the % diet',
      'i have been on a/an/the % diet',
      'i have been following a/an/the % diet',
      'i am following a/an/the % diet',
      'i eat a/an/the % diet',
      'i am doing/trying a/an/the % diet',
      'i have been doing a/an/the % diet',
    ],
  },
  {
    slot: 'diet',
    kind: 'changes',
    forms: [
      'i switched/changed/went/moved to a/an/the % diet',
      'i started a/an/the % diet',
      'i went on a/an/the % diet',
      '@ put me on a/an/the % diet',
    ],
  },
];

/** What only one kind of value can be said of. */
export const REACHED: readonly string[] = [
  'you can reach/call/phone/text/write/mail/email/get/find me at/on/under %',
  '@ you can reach/call/phone/text/write/mail/email/get me at/on/under %',
  'you can write/mail/email to me at/on/under %',
  'reach/call/phone/text/write/mail/email me at/on/under %',
  'write/mail/email to me at/on/under %',
  'i can be reached at/on/under %',
];

export interface NounForm {
  readonly form: string;
  readonly kind: 'tells' | 'changes';
}
const forms = (kind: NounForm['kind'], text: string): readonly NounForm[] =>
  text.split(' | ').map((form) => ({ form, kind }));

/** With a noun of a slot in the place of `N`; those that say more stand first. */
export const AS_FORMS: readonly NounForm[] = [
  ...forms('changes', 'i/we changed/switched/moved from @ to % as my/our N'),
  ...forms('changes', 'i/we changed/switched/moved/went over to % as my/our N'),
  ...forms('changes', 'i/we changed/switched/moved/went to % as my/our N'),
  ...forms('changes', 'use/take/note/save/put % as my/our N'),
  ...forms('changes', '@ changed/switched/moved/migrated/went/upgraded over/back to % as my/our N'),
  ...forms('changes', '@ changed/switched/moved/migrated/went/upgraded to % as my/our N'),
  ...forms('tells', 'i/we have been using/seeing/having/driving/taking/with % as my/our N'),
  ...forms('tells', 'i/we have been going to % as my/our N'),
  ...forms('tells', 'i/we go to % as my/our N'),
  ...forms('tells', 'i/we use/have/see/took/take/chose/picked/got/want/keep % as my/our N'),
  ...forms('tells', 'i/we go by the/my N %'),
  ...forms('tells', 'you find me/us under the/my N %'),
  ...forms('tells', 'you can find me/us under the/my N %'),
  ...forms('tells', 'find me/us under the/my N %'),
  ...forms('tells', 'i/we am/are in/on/with the % N'),
  ...forms('tells', 'i/we have been in/on/with the % N'),
  ...forms('changes', 'i/we changed/switched/moved to the % N'),
];
export const NOUN_FORMS: readonly NounForm[] = [
  ...forms('changes', '@ is/are no longer my/our N it is %'),
  ...forms('changes', '@ is/are not my/our N anymore it is %'),
  ...forms('changes', '% has/have replaced @ as my/our N'),
  ...forms('changes', '% replaced @ as my/our N'),
  ...forms('changes', 'my/our N is/are no longer @ it is %'),
  ...forms('changes', 'my/our N is/are not @ but/it %'),
  ...forms('changes', 'my/our N has/have changed it is %'),
  ...forms('changes', 'my/our N has/have changed/switched to %'),
  ...forms('changes', 'my/our N changed/switched to %'),
  ...forms('changes', 'my/our N became %'),
  ...forms('changes', 'my/our N changed it is %'),
  ...forms('changes', 'i/we swapped/traded/exchanged my/our N for %'),
  ...forms('changes', 'i/we swapped/traded my/our N in for %'),
  ...forms('tells', 'my/our N is/are called/named %'),
  ...forms('tells', 'my/our N has/have to be %'),
  ...forms('tells', '% that/this is my/our N'),
  ...forms('tells', 'my/our N is/are set for/to/at %'),
  ...forms('tells', 'my/our N is/are %'),
  ...forms('tells', 'my/our N has/have been %'),
  ...forms('tells', '% is my/our N'),
  ...forms('changes', 'i/we changed/switched/updated/moved/renamed/set my/our N to %'),
  ...forms('changes', 'i/we replaced my/our N with/by %'),
  ...forms('changes', 'i/we have changed/switched/updated/moved/renamed/set my/our N to %'),
  ...forms('changes', 'i/we have/got/found/bought/joined/chose/picked a/an new N called/named %'),
  ...forms('changes', 'i/we have/got/found/bought/joined/chose/picked a/an new N it is %'),
  ...forms('changes', 'i/we have/got/found/bought/joined/chose/picked a/an new N %'),
  ...forms('changes', 'i/we have/got/found/bought/joined/chose/picked my/our new N %'),
  ...forms('changes', 'new @ new N %'),
  ...forms('changes', 'new N is %'),
  ...forms('changes', 'new N %'),
];
/** After `I switched banks`. */
export const SWITCHED_TO: readonly string[] = [
  'from @ to %',
  'it is %',
  'to %',
  'i/we am/are with/at/in %',
  'i/we go to %',
  'i/we use/have/see/take/drive a/an %',
  'i/we use/have/see/take/drive %',
];

/** Say when, how surely or since when, and nothing of the value. */
export const ADVERBS: ReadonlySet<string> = new Set(
  'now currently just also really actually still always recently lately finally already nowadays presently then usually normally typically generally mostly'.split(
    ' ',
  ),
);
/** The same, of several words; of these the marked ones say that something changed. */
export const TIME_PHRASES: readonly string[] = [
  'from now on',
  'from today on',
  'as of now',
  'as of today',
  'as of this week',
  'as of this month',
  'starting today',
  'starting now',
  'since today',
  'these days',
  'at the moment',
  'right now',
  'for now',
  'for a while now',
  'by the way',
];
/** They say no more of the noun that they stand beside. */
export const PASSED_PHRASES: readonly string[] = ['all time', 'of choice'];
/** A state that ends is none of the person. */
export const PASSING_STATE: readonly string[] = [
  'until',
  'till',
  'temporarily',
  'for the time being',
  'for now',
  'this week only',
];

export const LIKES: readonly string[] = [
  'i like',
  'i love',
  'i enjoy',
  'i adore',
  'i like to',
  'i love to',
  'i am a fan of',
  'i eat',
  'i drink',
];
export const DISLIKES: readonly string[] = [
  'i do not like',
  'i no longer like',
  'i used to like',
  'i used to love',
  'i used to enjoy',
  'i dislike',
  'i hate',
  'i can not stand',
  'i cannot stand',
  'i do not enjoy',
  'i do not eat',
  'i do not drink',
  'i stopped eating',
  'i stopped drinking',
  'i am not a fan of',
  'i no longer eat',
  'i no longer drink',
];
/** `I became a father` is no job. */
export const NO_OCCUPATION: ReadonlySet<string> = new Set(
  'father mother dad mum mom parent uncle aunt grandfather grandmother grandpa grandma godfather godmother citizen member fan believer widow vegetarian vegan'.split(
    ' ',
  ),
);
