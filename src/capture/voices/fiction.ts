/**
 * Where a text of a figure begins, or a game is played: `generate a persona`, `my test user has
 * this profile`, `write a cover letter for my brother`. What is said of `I` behind it may be of
 * that figure; the next turn may go on with it.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { isPerson } from './people.ts';

const LEAD =
  "(?:(?:and|so|now|then|ok|okay|hey|hi|hello|well|please|also|just|can you|could you|would you|will you|help me|i want you to|i need you to|i'd like you to|i want to|i'd like to|let's|let us|we|can we|could we|shall we) )*";
const MAKES = 'write|draft|compose|create|generate|invent|make|make up|build|design|prepare';
const FIGURES =
  'persona|personas|character|figure|backstory|npc|avatar|protagonist|narrator|fake profile|user profile|test user|sample user|customer profile|buyer profile';
const TEXTS =
  'diary|journal|story|tale|novel|letter|monologue|log|logbook|memoir|autobiography|blog|poem|song|chapter|speech|entry';
const SAMPLE =
  'test|sample|dummy|mock|fake|example|fictional|fictitious|imaginary|made up|invented|hypothetical';

/** Of `plain`. */
const FORMS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:${MAKES}) (?:me |us )?(?:an?|some|another|one|two|three|the) (?:[\\p{L}-]+ ){0,3}?(?:${FIGURES})(?: (?:for|of|with|in|from) (?:[\\p{L}-]+ ){1,5}| please)* ?$`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:fill|complete) (?:in |out )?(?:the|this|a|an|that) (?:[\\p{L}-]+ )?(?:form|template|questionnaire|survey|fields|application)(?: in| out)? (?:like this|as follows|like so|with (?:this|these|the following)(?: data| values| answers)?|as in this example) $`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:continue|finish|complete|extend|go on with) (?:this|the|an?|his|her|their) (?:[\\p{L}-]+ )?(?:${TEXTS}) (?:of|by|from|about) (?!(?:me|my|mine|our|us|myself) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:my|our|the|a|an|this|here's (?:my|our|a)|this is (?:my|our|a)) (?:${SAMPLE}) (?:user|person|customer|profile|account|character|persona|patient|client|student|employee)(?:$| (?:$|has|is|looks|goes|reads|says|called|named|with) ?)`,
    'u',
  ),
];
/** The next turn goes on with them as well. */
const LASTING_FORMS: readonly RegExp[] = [
  new RegExp(
    `^ ${LEAD}(?:${MAKES}|tell|narrate|speak|talk) (?:[\\p{L}-]+ ){0,4}?in (?:the )?first person (?:[\\p{L}-]+ ){0,2}?(?:about|as|for|of|from) (?!(?:me|my|myself|our|us) )`,
    'u',
  ),
];
/** What one writes of oneself, here for another. */
const OF_ONESELF =
  'cover letter|motivation letter|letter of motivation|cv|resume|bio|biography|application|profile|personal statement|statement|introduction|intro|self introduction|application letter|job application|linkedin summary|dating profile';
const FOR_ONE = new RegExp(
  `^ ${LEAD}(?:${MAKES}) (?:me |us )?(?:an?|the|some) (?:[\\p{L}-]+ ){0,2}?(?:${OF_ONESELF}) (?:for|of|in the name of|on behalf of) (?:my|our) (?:[\\p{L}-]+ )?([\\p{L}-]+) $`,
  'u',
);
/** Of video games: `in The Sims I have a house` is of no place. */
const GAMES =
  "the sims|sims|minecraft|skyrim|oblivion|morrowind|stardew valley|animal crossing|fallout|zelda|the witcher|witcher|elden ring|dark souls|baldur'?s gate|gta|grand theft auto|red dead(?: redemption)?|world of warcraft|wow|runescape|roblox|pokemon|pokémon|terraria|factorio|civilization|cyberpunk|starfield|mass effect|dnd|d&d|d d|dungeons (?:and|&) dragons|second life|fortnite|valorant|overwatch|diablo|valheim|subnautica|no man's sky|eve online|hogwarts legacy|final fantasy|dragon age|league of legends|call of duty|assassin's creed|crusader kings|kingdom come|stellaris|rimworld|dwarf fortress|palworld|genshin impact|among us|far cry|half life|portal 2|hollow knight|monopoly";
const THIS_GAME = 'the game|this game|that game|our game|my game|the campaign|our campaign';
const SEQUEL = '(?: (?:\\d+|[ivx]{1,4}|online|save|world|campaign|server|playthrough|run))*';
const OWN = "(?:i|i'm|i've|my|we|we're|our)";
const IN_GAME = new RegExp(
  `^ (?:(?:and|so|but|ok|well|now) )*(?:in|on) (?:my |our |the )?(?:${GAMES}|${THIS_GAME})${SEQUEL} ${OWN} `,
  'u',
);
/** `I own a castle in Minecraft`; `I met Bo in Minecraft` is of people. */
const ENDS_IN_GAME = new RegExp(
  `^ (?:(?:and|so|but|ok|well|now) )*(?:(?:i|we) (?:also |now |still |currently |even )*(?:am|are|own|have|live|work|rule|run|keep|got|built|bought)|i'm|we're|i've|we've|my (?:[\\p{L}-]+ ){1,3}?(?:is|are|has|lives?)) (?:[^ ]+ ){1,12}?in (?:my |our |the )?(?:${GAMES})${SEQUEL} $`,
  'u',
);
export const isInGame = ({ text, plain }: Pick<Sentence, 'text' | 'plain'>): boolean =>
  text.length <= MOST_READ && (IN_GAME.test(plain) || ENDS_IN_GAME.test(plain));
/** `I'm playing Skyrim.`, `I'm playing Yakuza 3`: a composer or a club has no number behind it. */
const PLAYING = new RegExp(
  "^ (?:(?:ok|okay|so|now|hi|hey) )?(?:i'm|i am|we're|we are) (?:now |just |currently |still )*playing " +
    `(?:${GAMES}|(?:the )?[\\p{L}'-]+(?: [\\p{L}'-]+){0,2}? (?:[2-9]|i{2,3}|iv|vi{0,3}))(?: [^ ]+){0,3}? (?:(?:right now|now|today|tonight|again) )?$`,
  'u',
);
const NAMED_TITLE = /playing (?:[Tt]he )?\p{Lu}/u;

/** Whether what follows in the turn may be said by a figure. */
export const opensFiction = (sentence: Sentence): boolean =>
  sentence.text.length <= MOST_READ &&
  (FORMS.some((form) => form.test(sentence.plain)) ||
    IN_GAME.test(sentence.plain) ||
    opensNextFiction(sentence));

/** And what the next turn holds. */
export const opensNextFiction = ({ text, plain }: Sentence): boolean =>
  text.length <= MOST_READ &&
  ((PLAYING.test(plain) && NAMED_TITLE.test(text)) ||
    isPerson(FOR_ONE.exec(plain)?.[1] ?? '') ||
    LASTING_FORMS.some((form) => form.test(plain)));
const MOST_READ = 200;

const THINGS =
  "guitar|piano|violin|drums|cello|flute|bass|trumpet|saxophone|clarinet|harp|organ|accordion|ukulele|keyboard|lottery|market|field|game|song|video|music|track|record|clip|devil's|role|part|one|first|next|last|judge";
/** Plays and stories of two that go on in the next turns. */
const SHARED: readonly RegExp[] = [
  /^ (?:(?:ok|okay|so|now|and|hi|hey|well|today) )*(?:we|we're|we'll|we are|we will)(?: now| going to| want to)*(?: do| doing| start| starting| have| having| play| playing| try) (?:an? |the |our |some )?(?:[\p{L}-]+ )?(?:role ?play(?:ing)?|improv|make believe)(?: (?:now|game|exercise|together|today|session))* (?:$|you|i|i'm|where|in which|with you)/u,
  new RegExp(
    `^ ${LEAD}let me (?:play|be) (?:the|an?) (?!(?:${THINGS}) )(?:[\\p{L}-]+ ){1,2}?(?:$|(?:now|this time|here|first|today|and you|you|for once|for a while) )`,
    'u',
  ),
  new RegExp(
    `^ ${LEAD}(?:co )?(?:write|tell|make up|invent|create) (?:an?|our|another|the) (?:[\\p{L}-]+ ){0,2}?(?:story|tale|novel|fan ?fiction|fanfic|scene|adventure) (?:.{0,60} )?(?:together|in turns|i'll (?:start|begin)|i start|i begin|you (?:start|begin)|taking turns|one sentence each) `,
    'u',
  ),
];
export const sharesFiction = ({ text, plain }: Pick<Sentence, 'text' | 'plain'>): boolean =>
  text.length <= MOST_READ && SHARED.some((form) => form.test(plain));
