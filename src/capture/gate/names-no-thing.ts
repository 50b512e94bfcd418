/**
 * Whether what was done is done to nothing that the statement names: `I bought the licence`, `we
 * signed on Monday`. Which one it was, only the talk around it knows; of what there is one of in a
 * life (`the army`, `the violin`, `the baby`), or what is told apart (`the driving test`, `the
 * house in Graz`), everybody does.
 */
import { isPast } from '../sentences/past-form.ts';
import type { Sentence } from '../sentences/sentence.ts';

type Words = Pick<Sentence, 'plain' | 'text'>;

const LEAD =
  '(?:(?:and|so|but|oh|well|ok|okay|also|now|yes|yeah|then|today|yesterday|last (?:night|week|month|year)|this (?:morning|week|month|year)|on \\p{L}+day|in \\p{L}+) )*';
const ADVERB =
  '(?:(?:just|finally|also|already|recently|have|had|both|all|then|now|even|actually|did|today|yesterday) )*';
const NUMBER =
  '(?:\\d{1,4}(?:st|nd|rd|th)?|an?|one|two|three|four|five|six|a few|a couple of|some|several)';
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
/** When it was; it tells nothing apart. */
const TIME =
  '(?:(?:today|yesterday|tonight|now|already|finally|again|together|too|recently|lately|just now|earlier|at last|back|online|lol|haha|btw)' +
  `|(?:on |last |this |early |late |in |back in |since |by |before |until )*(?:${DAY}|${MONTH}|morning|afternoon|evening|night|week|weekend|month|year|spring|summer|autumn|fall|winter|christmas|easter)(?: (?:the )?\\d{1,2}(?:st|nd|rd|th)?)?(?: \\d{4})?` +
  `|(?:on |in |since )(?:the )?\\d{1,4}(?:st|nd|rd|th)?(?: (?:of )?${MONTH})?(?: \\d{4})?` +
  `|${NUMBER} (?:minutes?|hours?|days?|weeks?|months?|years?) ago|the other day|a while ago)`;
const WHO = "(?:i've|we've|i|we)";
/** By its verb and its thing. */
const ONE_THING = new RegExp(
  `^ ${LEAD}${WHO} ${ADVERB}(\\p{L}+) ` +
    `(?:up for |up |for |into |in |off |out |back |away |down )?the (\\p{L}+)(?: (?:${TIME}))* $`,
  'u',
);
/** They say nothing without what they are done to. */
const OBJECTLESS = new RegExp(
  `^ ${LEAD}${WHO} ${ADVERB}(?:signed|bought|sold|got|booked|ordered|adopted|joined|lost|found|paid|accepted|applied|submitted|sent|returned|cancell?ed|confirmed|promised|received|picked|chose|decided|finished|completed|started|visited|rented|borrowed|renewed|replied|answered|registered)(?: (?:${TIME}))* $`,
  'u',
);

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** There is one in a life, a town or the world, or any will do. */
const KNOWN = set(
  'army navy military marines police force forces church clergy faith parliament senate government union bar press internet lottery jackpot sea ocean coast beach seaside countryside country city suburbs mountains hills woods north south east west gym library cinema theatre theater opera zoo pool dentist doctor hairdresser barber hospital dishes laundry housework cooking cleaning shopping kitchen garden ironing baby twins babies flu measles mumps plague virus piano guitar violin viola cello flute drums trumpet trombone clarinet saxophone oboe harp organ accordion banjo ukulele bass bagpipes harmonica pill alphabet marathon triathlon decathlon pope queen king president moon stars sun world universe altar nest habit bottle weight',
);
/** What is done to them by habit or by feeling is of all of their kind. */
const NO_DEED =
  /^(?:liked?|loved?|hated?|preferred|enjoyed|feared|missed|played|used|lived|worked|grew|was|were|had been|knew|spent)$/;

const IRREGULAR =
  /^(?:lost|sold|left|paid|sent|found|lent|built|chose|began|broke|gave|taken|given)$/;

export function namesNoThing({ plain, text }: Words): boolean {
  if (plain.length > MOST_READ) return false;
  if (OBJECTLESS.test(plain)) return true;
  const [, verb = '', thing = ''] = ONE_THING.exec(plain) ?? [];
  if (thing === '' || KNOWN.has(thing) || NO_DEED.test(verb)) return false;
  if (!isPast(verb) && !IRREGULAR.test(verb)) return false;
  // `The Louvre`, `the RAF`: a name.
  return !/\bthe \p{Lu}/u.test(text);
}
const MOST_READ = 140;
