/**
 * What nobody can mean of themselves: a crown, a being of tales, a home in the sky, an age of 300.
 * It is a joke without a laugh, or said of a figure; it may be a strange name as well, so it waits.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { isCountry } from '../slots/countries.ts';

type Words = Pick<Sentence, 'plain' | 'text'>;

const LEAD = '(?:(?:and|but|so|well|yes|yeah|ok|okay|oh|btw|fyi|because|since|as|hi|hello|hey) )*';
const AM =
  "(?:i'm|i am|i was) (?:now |still |really |actually |also |basically |secretly |obviously |just |currently )*";
const CALLED = '(?:my (?:real |full |true )?name is|call me|i go by)';
const CROWNS = 'king|queen|emperor|empress|tsar|czar|pharaoh|sultan|kaiser|shah';
const OFFICES = `(?:vice )?president|prime minister|chancellor|ruler|dictator|${CROWNS}`;
/** `The Pope`; `the king of pancakes` reigns over a kitchen. */
const REIGNS = new RegExp(
  `^ ${LEAD}${AM}(?:the |a |your )?(?:rightful |true |real |new |next |last |future )*` +
    `(?:(?:pope|dalai lama|messiah|antichrist|chosen one)(?= $| (?:and|of|in) )|(?:${CROWNS})(?= $| and )` +
    `|(?:${OFFICES}) of (?:the (?:world|universe|galaxy|planet|earth|moon|seas?|elves|dwarves|gods)(?= )))`,
);
const OF_A_STATE = new RegExp(`^ ${LEAD}${AM}(?:the |a |your )?(?:[a-z-]+ )?(?:${OFFICES}) of `);
/** Behind it the name of a state, as it is written. */
const STATE = /\bof ((?:the )?\p{Lu}[\p{L}'’-]*(?: (?:and |of |the )?\p{Lu}[\p{L}'’-]*){0,3})/u;

const BEINGS =
  'vampire|werewolf|zombie|ghost|elf|half elf|orc|goblin|troll|dragon|unicorn|mermaid|merman|centaur|fairy|genie|wizard|sorcerer|sorceress|warlock|mage|necromancer|alien|martian|god|goddess|demigod|demon|immortal|superhero|supervillain|time traveler|time traveller|dinosaur|cyborg|jedi|sith|hobbit|hogwarts student';
/** `I'm a wizard at Excel` is praise, `I'm an alien resident` a paper. */
const BEING = new RegExp(
  `^ ${LEAD}${AM}(?:an? |the )(?:(?!(?:big|huge) )[a-z\\d]+ ){0,3}?(?:${BEINGS}) ` +
    '(?=$|(?:named|called|from|who|and|with|of|in) )',
);
const LEVEL = new RegExp(`^ ${LEAD}${AM}(?:an? )?(?:level|lvl) \\d{1,3} [a-z]+ `);
const FIGURES =
  'batman|superman|spider man|spiderman|iron man|wonder woman|captain america|james bond|sherlock holmes|harry potter|hermione granger|gandalf|frodo(?: baggins)?|darth vader|luke skywalker|yoda|santa(?: claus)?|father christmas|the easter bunny|the tooth fairy|count dracula|dracula|napoleon(?: bonaparte)?|julius caesar|cleopatra|albert einstein|elvis(?: presley)?|jesus christ|god|satan|zeus|mickey mouse|donald duck|popeye|tarzan|zorro|robin hood|king arthur|the joker|the hulk|wolverine|geralt of rivia';
const FIGURE = new RegExp(`^ ${LEAD}(?:${AM}|${CALLED} )(?:${FIGURES}) $`);

const IS_THERE =
  "(?:i|we)(?:'m|'re| am| are)? (?:also |now |still |currently |just |actually |really )*" +
  '(?:live|living|lived|moved|moving|was born|were born|grew up|come|came|reside|own (?:a|an|the) [a-z]+|have (?:a|an|the) [a-z]+|work(?:ing)?(?: as an? [a-z ]{2,30}?)?)?';
const SKIES =
  'on (?:the moon|mars|venus|mercury|jupiter|saturn|uranus|neptune|pluto|the sun|another planet)|' +
  '(?:in|from) (?:outer space|narnia|mordor|middle earth|the shire|hogwarts|gotham(?: city)?|wakanda|atlantis|westeros|neverland|wonderland|azeroth|hyrule|tamriel|asgard|the matrix|tatooine)';
const IN_THE_SKY = new RegExp(
  `^ ${LEAD}(?:${IS_THERE} (?:here |to )?|my (?:home|house|flat|address) is )(?:up )?(?:to )?(?:${SKIES})` +
    '(?= $| (?:now|with|since|and) )',
);
const MOVED_THERE = new RegExp(
  `^ ${LEAD}(?:i|we)(?:'ve| have)? (?:just )?moved to (?:the moon|mars|venus|jupiter|saturn|neptune|pluto|narnia|mordor|hogwarts|gotham(?: city)?|wakanda|atlantis|westeros) $`,
);

const AGE = new RegExp(`^ ${LEAD}${AM}(?:about |over |almost |nearly )?(\\d[\\d.]*) years? old `);
const MOST_YEARS = 122;
/** Who cannot read yet does not write. */
const LEAST_YEARS = 4;
/** Nobody is alive who was born in an earlier century than the last. */
const BORN = new RegExp(`^ ${LEAD}i was born (?:[a-z]+ ){0,4}?(?:\\d{1,2} )?(1[0-8]\\d\\d) $`);

export function saysImpossible({ plain, text }: Words): boolean {
  if (text.length > MOST_READ) return false;
  if (
    [REIGNS, BEING, LEVEL, FIGURE, IN_THE_SKY, MOVED_THERE, BORN].some((form) => form.test(plain))
  )
    return true;
  if (OF_A_STATE.test(plain)) return isState(STATE.exec(text)?.[1] ?? '');
  const years = AGE.exec(plain)?.[1];
  if (years === undefined) return false;
  const age = Number(years.replaceAll('.', ''));
  return age > MOST_YEARS || age < LEAST_YEARS;
}
const MOST_READ = 200;

/** `President of Siemens` is an office that people have. */
const isState = (said: string): boolean =>
  isCountry(said) || /^(?:the )?(?:america|united states(?: of america)?|europe)$/i.test(said);
