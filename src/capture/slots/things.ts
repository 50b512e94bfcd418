/** Nouns by what can be said of them, as data. */
import { SLOT_OF_NOUN } from './nouns.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Things of everyday life that one speaks of without `my`. */
export const EVERYDAY = set(
  'rent budget deadline standup stand-up meeting sync retro retrospective alarm class lesson lessons practice practise training rehearsal check-in one-on-one password passcode code pin wifi wi-fi price fee rate target quota client landlord flatmate roommate mortgage salary wage allowance dose dosage therapy shift plan subscription provider insurance gym tutor cleaner nanny babysitter vet office kitchen deposit date group',
);
/** One can have several: only what says that it changed takes the place of another. */
export const MANY = set(
  'brother sister son daughter cousin friend uncle aunt nephew niece kid child colleague neighbour neighbor client customer book series show song course sport game exam app plant shop restaurant recipe dish movie film artist author country teacher',
);
/** What they are is a state, however it is called: `my hobby is pottery`. */
export const ATTRIBUTES = set(
  'hobby sport breed religion medication breakfast lunch dinner commute genre framework database stack team project plan editor drink meal routine shell branch browser theme font major subject instrument role specialty speciality colour color roast tea coffee language discipline department',
);
/** What is said of them is no state. */
const NO_STATE = set(
  'day days week weekend month year life morning evening night time moment point question guess mind heart soul advice idea thought thoughts dream dreams hope fear mistake fault pleasure turn experience opinion problem issue answer feeling vote concern part reason way journey passion inspiration motto thing things stuff one ones mood take view impression favorite eyes head face body lesson luck bad news trip birthday weather humidity wind traffic sun sky rain snow forecast future world everything love pride joy priority',
);
const SLOTS: ReadonlySet<string> = new Set(SLOT_OF_NOUN.values());
/** `My wake-up time` is one, `my time` is none. */
export const isNoState = (noun: string): boolean =>
  NO_STATE.has(noun.split(' ').at(-1) ?? '') && !(noun.includes(' ') && SLOTS.has(noun));
/** A number of them is what is said of them. */
export const MEASURES = set(
  'rent budget rate salary wage weight age height size price fee cost mortgage deposit allowance dose dosage target limit quota deadline alarm bedtime time number speed temperature score',
);

export const ANIMALS = set('dog cat pet horse puppy kitten rabbit hamster parrot bird pony');

/** One at a time, whatever they are of: `the launch venue`, `the Nord theme`. */
export const FUNCTIONAL = set(
  'venue location place pickup drop-off checkout branch theme font browser editor shell framework database stack server host provider supplier vendor sponsor caterer organiser organizer speaker moderator captain chair chairman chairwoman lead leader owner contact builder contractor architect editor publisher agent broker accountant lawyer carer mentor sitter babysitter instructor trainer coach referee conductor director producer version model brand colour color title name topic subject keyboard card account subscription membership plan tier package tariff licence license channel room desk spot bay seat platform gate terminal route line lane tool app system template layout language currency region zone roast blend formula kibble milk shampoo diet menu wallpaper ringtone passcode address number extension project campaign sprint milestone',
);
/** What has values, whatever its first letter: `standup`, `theme`, `rent`. */
export const isThing = (head: string): boolean =>
  [EVERYDAY, FUNCTIONAL, ATTRIBUTES, MEASURES].some((things) => things.has(head));

/** Also those that fewer people have. */
export const isAnimalNoun = (word: string): boolean => ANIMALS.has(word) || FEWER_HAVE.has(word);
const FEWER_HAVE: ReadonlySet<string> = new Set(
  'bunny budgie canary fish goldfish turtle tortoise snake lizard gecko ferret gerbil rat mouse pig chicken hen goat sheep donkey cow beagle poodle labrador terrier'.split(
    ' ',
  ),
);
