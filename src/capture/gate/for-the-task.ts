/**
 * What the speaker brings or has to do for the work that is asked of who listens: `I have a csv
 * with three columns`, `I need to write a script`. Over with the work. A habit, a term and a work
 * of years are told for more than that.
 */
import type { Sentence } from '../sentences/sentence.ts';

const words = (text: string): string => text.split(' ').join('|');

const HEDGE = '(?:just |still |now |already |also |currently |basically |only |then )*';
const COUNTED =
  '(?:an?|some|this|these|the|two|three|four|five|six|ten|several|another|\\d+|a few|a couple of|a bunch of)';
/** What is handed over and worked on. */
const AT_HAND = words(
  'csv csvs tsv xlsx xls docx pdf pdfs json jsons xml yaml zip spreadsheet spreadsheets dataset datasets dataframe files folder script scripts snippet snippets screenshot screenshots paragraph paragraphs draft drafts question questions query regex favour favor',
);
const BRINGS = new RegExp(
  `^ (?:i|we|i've|we've) (?:have |got |have got )?${HEDGE}${COUNTED} (?:[a-z-]+ ){0,2}(?:${AT_HAND})(?= )`,
);

const WORK =
  'write draft make build create rename fix convert parse send prepare format translate summarise summarize reply respond answer plot calculate compute debug refactor deploy print merge sort clean export import compose word phrase explain submit present hand finish rewrite shorten proofread count compare extract generate design plan';
const DETERMINED =
  '(?:an?|the|this|these|those|that|my|our|some|it|them|up|in|to|two|three|four|five|\\d+)';
const HAS_TO = new RegExp(
  `^ (?:i|we|i'm|we're|i've|we've|i'll|we'll) ${HEDGE}(?:need to|have to|got to|gotta|have got to|must|trying to|are trying to|am trying to) (?:${words(WORK)}) ${DETERMINED} `,
);

/** `Every Friday`, `by May`, `a thesis`. */
const LASTING =
  / (?:every|each|always|usually|normally|often|whenever|never|since|daily|weekly|monthly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight|today|by|until|till|due|deadline|before|thesis|dissertation|book|novel|album|phd|house|living|years?|months?|january|february|march|april|may|june|july|august|september|october|november|december|\d+(?:st|nd|rd|th)) /;

/** No such sentence is longer. */
const MOST_CHARS = 300;

export const isForTheTask = ({ plain }: Pick<Sentence, 'plain'>): boolean => {
  const said = plain.length > MOST_CHARS ? plain.slice(0, MOST_CHARS) : plain;
  return (BRINGS.test(said) || HAS_TO.test(said)) && !LASTING.test(said);
};
