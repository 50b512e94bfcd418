/**
 * Frames, as data: verbs that say a state of a person, in their plain form, and how a thing that
 * has a value is said to have another one. `M` stands for any noun phrase. What is compared has no
 * aspect left: `I've been getting up at 7` and `I started getting up at 7` are `i get up at 7`.
 */
import { type Frame, frame } from './frame.ts';
import { PLAIN_FRAMES } from './frames-plain.ts';

const DRUG_FOR =
  'i take % for my/the M | i take % every/each day/morning/evening/night | i take % daily';
const LESSONS = 'i take % lessons/classes | i have % lessons/classes';

/** What one has or does: `the car I want is a Volvo` tells of no car. */
const OWN =
  'work/have/own/use/drive/ride/play/wear/take/go/went/live/attend/rent/see/study/learn/train/shop/bank/drink/watch/read/sing/run/eat/bought/chose/picked/got/prefer';
const OWNING =
  'using/driving/riding/playing/wearing/taking/going/working/living/attending/renting/seeing/studying/learning/training/drinking/watching/reading/singing/running/writing/building/following/enrolled/registered/assigned/insured';
const WHERE = 'at/for/to/with/in/on/by/from';
const A_TIME = 'a/an/one/each/every hour/day';
const SWITCHED = '@ changed/switched/moved/migrated/went/upgraded';

export const FRAMES: readonly Frame[] = [
  ...PLAIN_FRAMES,
  frame('home', 'i/we live in % | i/we reside in % | i/we am/are back in %', { of: 'name' }),
  frame('home', 'i/we move to % | i/we move in to %', { of: 'name', isChange: true }),
  frame('employer', 'i work for/at % | i am back at/with %', { of: 'name' }),
  frame('manager', 'i report to %', { of: 'name' }),
  frame(
    'flatmate',
    'i/we live with % | i/we share with % | i/we room with % | i/we share a/an/the/my/our flat/apartment/house/room/place with %',
    {
      of: 'name',
    },
  ),
  frame(
    'partner',
    'i see/date this/a girl/guy/man/woman/boy % | i date % | i go out with % | i am in a relationship with % | i am together with %',
    {
      of: 'name',
    },
  ),
  frame('spouse', 'i am/got married to % | i married %', { of: 'name' }),
  frame('rent', 'i/we pay % in/for/of/as rent | i/we pay a rent of % | i/we pay % rent', {
    of: 'number',
  }),
  frame('M', 'i/we pay % for my/our/the M', { of: 'number' }),
  frame('rate', `i charge % for ${A_TIME} | i charge % a/an/per hour/day`, { of: 'number' }),
  // A price belongs to what it is charged for.
  frame('price of M', 'i/we charge % for a/an/the/each/every M | i/we charge % for M', {
    of: 'number',
  }),
  frame('rate', 'i charge %', { of: 'number' }),
  frame('salary', 'i am on %', { of: 'pay' }),
  frame('salary', 'i earn % | i make % a/per year/month/hour', { of: 'number' }),
  frame('salary', 'i make %', { of: 'money' }),
  frame('M', 'i/we have a/an M of %', { of: 'number' }),
  frame(
    'weight',
    'i weigh % | i weigh in at % | i am % kilos/kg/kilograms/pounds/lbs | ' +
      'i am down/up/back to/at % kilos/kg/kilograms/pounds/lbs | ' +
      'i am at % kilos/kg/kilograms/pounds/lbs',
    { of: 'number' },
  ),
  frame('age', 'i am % years old | i turned %', { of: 'number' }),
  frame('age', 'i am %', { of: 'age' }),
  frame('height', 'i am % tall', { of: 'number' }),
  frame(
    'plan',
    'i/we have the % plan/subscription | i/we am/are subscribed to the % plan | i/we subscribe to the % plan',
    { of: 'words name' },
  ),
  // `The free plan` names one as well as a name does.
  frame('plan', 'i/we upgrade/downgrade to a/an/the % plan/tier/subscription', {
    of: 'words name',
    isChange: true,
  }),
  frame(
    'subscription',
    'i/we am/are subscribed to % | i/we subscribe to % | i/we signed up for/to % | i/we have a/an/the % subscription',
    { of: 'name', isSoft: true },
  ),
  frame('size', 'i wear size % | i wear a size % | i take size %', { of: 'number' }),
  frame('watch', 'i wear a/an/the %', { of: 'name', isOfKnown: true }),
  frame('wake-up time', 'i get/wake up at % | i/my wake at %', { of: 'number time' }),
  frame('bedtime', 'i go to bed at % | i go to sleep at %', { of: 'number time' }),
  frame('start of work', 'i start/begin work at % | i start/begin at %', { of: 'time' }),
  frame('end of work', 'i finish work at % | i leave work at %', { of: 'number time' }),
  frame('morning drink', 'i drink % in the morning/mornings | i drink % every/each morning'),
  frame('morning drink', 'i am back on/to % in the morning/mornings'),
  frame('M', `${SWITCHED} over/back to % as/for my/our M | ${SWITCHED} to % as/for my/our M`, {
    of: 'name words',
    isChange: true,
  }),
  frame('breakfast', 'i drink/eat/have % for/at/with breakfast', { of: 'words name' }),
  frame('lunch', 'i eat/have % for lunch', { of: 'words name' }),
  frame('dinner', 'i eat/have % for dinner', { of: 'words name' }),
  frame('start of the day', 'i start my day/mornings with %'),
  frame('commute', 'i commute by % | i go/get/travel to work by % | i take the % to work'),
  frame('book', 'i read % at the moment | i am reading %', { of: 'name', isSoft: true }),
  frame('series', 'i am watching %', { of: 'name', isSoft: true }),
  frame(
    'instrument',
    `i learn to play the % | i learn the % | i learn % | i play the % | ${LESSONS}`,
    {
      of: 'instrument',
      isSoft: true,
    },
  ),
  frame('language being learnt', `i learn % | i study % | ${LESSONS}`, {
    of: 'language',
    isSoft: true,
  }),
  frame('medication', `${DRUG_FOR} | i take % | i am on % | i am back on % | i use % for my M`, {
    of: 'drug',
    isSoft: true,
  }),
  frame('medication', 'i switched/changed to %', { of: 'drug', isChange: true }),
  frame('commute', 'i % to work', { of: 'transport' }),
  frame('commute', 'i go by %', { of: 'transport' }),
  frame('hobby', 'i do % as a/my hobby | in my free/spare time i do %', { of: 'words name' }),
  frame('hobby', 'i do % | i play %', { of: 'activity', isSoft: true }),
  frame('hobby', 'i took up % | i have taken up % | i picked up % as a/my hobby', {
    of: 'activity',
    isChange: true,
  }),
  frame('hobby', 'i picked up % as a/my new hobby', { of: 'words name', isChange: true }),
  frame('project', 'i/we work on project % | i/we work on the % project | i/we work on %', {
    of: 'title',
  }),
  frame('project', 'i was/got moved/assigned/put to/on/onto project %', {
    of: 'title',
    isChange: true,
  }),
  frame('team', 'i work in/on/with/for the % team | i belong to the % team', { of: 'words name' }),
  frame('team', 'i am part/a of the % team | i am a member of the % team', { of: 'words name' }),
  frame('team', 'i joined the % team | i have joined the % team', {
    of: 'words name',
    isChange: true,
  }),
  frame('M dose', 'i take % of M | i am on % of M | i am back on % of M', {
    of: 'dose',
  }),
  frame('M tool', 'i/we use % for my/our/the M | i/we use % for M', {
    of: 'name',
  }),
  frame('M tool', 'i/we write/edit/do/manage/track/keep/plan my/our/the M in/with/using %', {
    of: 'name',
  }),
  frame('M tool', 'i/we write/edit/do/manage/track/keep/plan/take M in/with/using %', {
    of: 'name',
  }),
  frame('desk', 'i sit at/in/on %', { of: 'name number' }),
  frame('place of work', 'i work from %'),
  frame('gym', 'i train at % | i work out at % | i exercise at %', { of: 'name' }),
  frame('school', 'i go to % school/college/university | i attend %', { of: 'name' }),
  frame('M', 'i/we use/have/take/see/hired/chose/picked/got/made/found % as my/our M', {
    of: 'name words number',
  }),
  frame('M', 'i said @ for my/our/the M but it is % | i said @ for M but it is %', {
    isChange: true,
    of: 'name number time day',
  }),
  frame(
    'M',
    'please update/change/set/switch my/our M to % | update/change/set/switch my/our M to %',
    {
      isChange: true,
      isOfKnown: true,
      of: 'name number time day',
    },
  ),
  frame('M', '@ to/by/with/from/at % my/our W', { of: 'title name', isSoft: true }),
  frame('M', '@ name is % he/she is my/our M | % he/she is my/our M', { of: 'name' }),
  frame('M', 'i/we have/own a/an M called/named %', { of: 'name', isSoft: true }),
  frame('M', 'the name of my/our M is %', { of: 'name' }),
  frame('favorite M', 'the M i/we like/love best/most is %', { of: 'name words' }),
  frame('favorite M', 'i/we like/love % more than any/every other M', { of: 'name words' }),
  frame('M', 'i/we like/love/prefer % better/more than @ it is my/our new M', {
    of: 'name words',
    isChange: true,
  }),
  frame('language being learnt', 'the language i am learning is %', { of: 'language' }),
  frame('M', `the M i/we ${OWN} is % | the M i/we ${OWN} ${WHERE} is %`, { of: 'name' }),
  frame('M', `the M i/we am/are ${OWNING} is % | the M i/we am/are ${OWNING} ${WHERE} is %`, {
    of: 'name',
  }),
  frame('M', 'i go to % the/my M | i/we go to the % W', { of: 'name' }),
  frame('M', 'i/we am/are in/on/with the % W', { of: 'name' }),
  frame('M', 'i/we upgrade/downgrade/switch/change/move to the % W | i/we switch/change M to %', {
    of: 'name',
    isChange: true,
  }),
  frame('occupation', 'i am a/an/the % | i am % | they/@ made me % | they/@ promoted me to %', {
    of: 'occupation',
  }),
  frame(
    'diet',
    'i am a/an % | i am % | i go/went/turned/became % | i have gone/turned/become/been %',
    { of: 'diet' },
  ),
  frame('marital status', 'i am % | i got %', { of: 'marital' }),
];

export interface OpenForm {
  readonly form: string;
  readonly isChange: boolean;
  /** No `M` of everyday life is needed: the form itself says that a value changed. */
  readonly isTelling: boolean;
}
const open = (isChange: boolean, isTelling: boolean, text: string): readonly OpenForm[] =>
  text.split(' | ').map((form) => ({ form, isChange, isTelling }));

const TURNED =
  'changed/moved/switched/shifted/went/dropped/rose/fell/increased/decreased/slipped/grew/shrank/jumped/' +
  'goes/moves/rises/falls/drops/changes';
const SET =
  'raised/upped/lowered/cut/bumped/increased/decreased/reduced/changed/moved/set/put/switched/' +
  'updated/renamed/relocated/reassigned/transferred/rescheduled/extended/pushed/postponed/shifted/rebooked/upgraded/downgraded/halved/doubled/migrated';
const BEEN =
  'changed/moved/switched/shifted/gone/dropped/risen/increased/decreased/slipped/grown/reset';

/** Of a thing and its value. The determiner before `M` is gone. */
export const OPEN_FORMS: readonly OpenForm[] = [
  ...open(true, true, `M ${TURNED} up/down/back/over/on to/for %`),
  ...open(true, true, `M ${TURNED} from @ to %`),
  ...open(true, true, `M ${TURNED} again to %`),
  ...open(true, true, `M ${TURNED} to %`),
  ...open(true, true, `M has/have ${BEEN} up/down/back/over to %`),
  ...open(true, true, `M has/have ${BEEN} from @ to %`),
  ...open(true, true, `M has/have ${BEEN} to %`),
  ...open(true, true, `M has/have been ${SET}/${BEEN} from @ to %`),
  ...open(true, true, `M has/have been ${SET}/${BEEN} up/down/back/over to %`),
  ...open(true, true, `M has/have been ${SET}/${BEEN} to %`),
  ...open(true, true, `M was/were/got/is/are ${SET}/${BEEN} up/down/back/over to %`),
  ...open(true, true, `M was/were/got/is/are ${SET}/${BEEN} from @ to %`),
  ...open(true, true, `M was/were/got/is/are ${SET}/${BEEN} to %`),
  ...open(true, true, 'M changed/switched it is % | M changed/switched again it is %'),
  ...open(true, true, 'M has/have changed it is % | M changed again %'),
  ...open(true, true, 'M is/are no longer @ but % | M is/are not @ anymore but %'),
  ...open(true, true, 'M is/are no longer @ it is % | M is/are not @ anymore it is %'),
  ...open(true, true, 'M is/are not @ any more it is % | M is/are not @ but %'),
  ...open(true, true, 'M is/are/was/were on/at @ but it is % | M is/are/was/were @ but it is %'),
  ...open(true, true, 'M is/are back down/up to/at %'),
  ...open(true, true, 'M is/are down/up/back to/at/in/on %'),
  ...open(true, true, 'M became % | M turned into %'),
  ...open(false, true, 'M is/are set for/to/at %'),
  ...open(false, false, 'M is/are called/named % | M goes by %'),
  ...open(
    false,
    false,
    'M runs/run/lives/sits/ships/deploys/goes on/in/at/from/through/to % | M is/are hosted/run/managed/handled/provided/delivered on/in/at/by % | M is/are from/by/through/via % | M comes from % | M uses % | M meets/meet at/in/on % | M is/are at/on/in/with % | M takes place in % | M starts/start at/on % | M takes place on/at %',
  ),
  ...open(false, false, 'M has/have been % | M is/are %'),
];
/** Somebody gives the thing another value: `the landlord put the rent up to 820`. */
export const SET_FORMS: readonly string[] = [
  `${SET} my/our/the M up/down/back/over from @ to %`,
  `${SET} my/our/the M up/down/back/over to %`,
  `${SET} my/our/the M from @ to %`,
  `${SET} my/our/the M to %`,
  `replaced/swapped/exchanged/traded my/our/the M with/by/for %`,
  `replaced/swapped/exchanged/traded my/our/the M in for %`,
];
/** Of a thing that is known: `they moved practice to Friday`. */
export const BARE_SET_FORMS: readonly string[] = [
  `${SET} M from @ to %`,
  `${SET} M up/down/back to %`,
  `${SET} M to %`,
];
/** Things that one has a new one of. */
const GOT =
  'have/got/found/hired/bought/chose/picked/joined/see/use/need/started/seeing/using/rented/took/adopted';
export const NEW_FORMS: readonly string[] = [
  `i/we ${GOT} a/an new/different M called/named %`,
  `i/we ${GOT} a/an new/different M it is %`,
  `i/we ${GOT} a/an new/different M %`,
  `i/we ${GOT} my/our new M %`,
  'i/we am/are seeing/using a/an new/different M %',
  'i/we go to a/an new/different M %',
  '@ a/an new/different M it is %',
  '% is my/our/the new M',
  'new M is %',
  'new M %',
  'current M %',
];
export const BACK_FORMS: readonly string[] = [
  'i/we went/am/are/switched/moved/changed back to/on/with %',
  'i/we have gone/switched/moved back to %',
];
/** Somebody else placed the speaker: `they moved me to the payments team`. */
export const PLACED_FORMS: readonly string[] = [
  'moved/transferred/assigned/reassigned me to the % W',
  'i was/got moved/transferred/assigned/reassigned to the % W',
  'i have been moved/transferred/assigned/reassigned to the % W',
  'i moved/transferred/switched/changed to the % W',
];
const GAVE =
  'finished/fired/sold/cancelled/canceled/ditched/dropped/dumped/scrapped/returned/rehomed/quit/left/stopped/abandoned';
const STOPPED =
  'i/we stopped/quit doing/taking/using/playing/learning/eating/drinking/practicing/reading %';
const GAVE_UP = `i/we ${GAVE} %`;
const HAVE = 'have/use/drive/ride/drink/take/got/bought/do/play/eat/adopted/read';
const TURNED_TO =
  'work/started/joined/started/got/bought/adopted/chose/picked/use/took/hired/found/learn/' +
  'using/learning/doing/playing/taking/moved/switched/went/signed';
const DOING = 'using/reading/watching/doing/learning/taking/playing';
const ON = `on/with/at/${DOING}`;
const DIED = 'died/broke/closed/retired';
const GONE = 'broken/gone/done/over/finished/history/out/dead/sold/cancelled/canceled';
const MOVED = 'switched/changed/moved/migrated/went/transferred/converted/upgraded/downgraded';

/** `We switched from A to B`: of what, only what is known tells. */
export const INSTEAD_FORMS: readonly (readonly [form: string, order: 'old new' | 'new old'])[] = [
  ['i/we switched/changed/moved/migrated/went/transferred/converted over from % to %', 'old new'],
  ['i/we switched/changed/moved/migrated/went/transferred/converted back from % to %', 'old new'],
  [`i/we ${MOVED} from % to %`, 'old new'],
  [`i/we ${MOVED} @ from % to %`, 'old new'],
  ['@ switched/moved/changed/upgraded/transferred me/us from % to %', 'old new'],
  ['i/we traded/swapped in the/my/our % for %', 'old new'],
  [`${STOPPED} i/we ${HAVE} %`, 'old new'],
  [
    `${STOPPED} and started/took doing/taking/using/playing/learning/eating/drinking/up %`,
    'old new',
  ],
  ['i/we gave up % and took/picked up %', 'old new'],
  ['i/we gave up % and started doing/playing/learning/using/taking %', 'old new'],
  [
    `${GAVE_UP} and started/went to/with/learning/using/doing/playing/taking/working at/for %`,
    'old new',
  ],
  [`${GAVE_UP} and started/went to/with/learning/using/doing/playing/taking %`, 'old new'],
  [`${GAVE_UP} and work/moved/switched/signed at/for/to/over/with %`, 'old new'],
  [`${GAVE_UP} and ${TURNED_TO} %`, 'old new'],
  [`${GAVE_UP} ${TURNED_TO} %`, 'old new'],
  [`% ${DIED} @ and/so i/we ${HAVE} a/an %`, 'old new'],
  [`% ${DIED} and/so i/we ${HAVE} a/an %`, 'old new'],
  [`% ${DIED} i/we ${HAVE} a/an %`, 'old new'],
  [`% ${DIED} i/we am/are ${ON} %`, 'old new'],
  ['i/we have switched/changed/moved/migrated/gone/transferred from % to %', 'old new'],
  [
    'i/we swapped/traded/exchanged/dropped/ditched/dumped/left/replaced/sold the/my/our % in for %',
    'old new',
  ],
  ['i/we swapped/traded/exchanged/dropped/ditched/dumped/left/replaced % in for %', 'old new'],
  ['i/we swapped/traded/exchanged/dropped/ditched/left the/my/our % for %', 'old new'],
  ['i/we swapped/traded/exchanged/dropped/ditched/dumped/left/gave % for %', 'old new'],
  ['i/we replaced the/my/our % with/by %', 'old new'],
  ['i/we replaced % with/by %', 'old new'],
  ['my/our % was/is/got replaced with/by %', 'old new'],
  ['my/our % has been replaced with/by %', 'old new'],
  ['i/we use/have/see/drive/ride/drink/take % instead of %', 'new old'],
  [
    'i/we am/are at/with/on/in/using/doing/playing/reading/taking/driving % instead of %',
    'new old',
  ],
  ['i/we went/go with/to/for/by % instead of %', 'new old'],
  [`${GAVE_UP} i/we ${HAVE} a/an %`, 'old new'],
  [`${GAVE_UP} i/we ${HAVE} the/my/our %`, 'old new'],
  [`${GAVE_UP} i/we ${HAVE} %`, 'old new'],
  [`${GAVE_UP} it is %`, 'old new'],
  [`i/we gave up % it is %`, 'old new'],
  [`${GAVE_UP} i/we am/are ${ON} %`, 'old new'],
  [`% is/are/was ${GONE} i/we am/are ${ON} %`, 'old new'],
  [`% is/are/was ${GONE} i/we ${HAVE} a/an/the %`, 'old new'],
  [`% is/are/was ${GONE} i/we ${HAVE} %`, 'old new'],
  [`% is/are/was ${GONE} ${DOING} %`, 'old new'],
  [`% is/are/was ${GONE} it is %`, 'old new'],
  ['it is not % after all it is %', 'old new'],
  ['i/we am/are no longer with/at/in/on % i/we am/are with/at/in/on %', 'old new'],
  ['i/we am/are not with/at/in/on % i/we am/are with/at/in/on %', 'old new'],
];
