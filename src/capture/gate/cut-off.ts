/**
 * Statements that break off or stumble: `I live in.`, `I work at the.`, `I live in in Berlin`. What
 * they say of whom, nobody can tell, so none is kept. English.
 */
import type { Sentence } from '../sentences/sentence.ts';

/** No statement ends in them; an `A` in capitals is a mark, a grade or a plan. */
const ENDS_IN_ARTICLE = /\s(?:the|an|a|my|our|your|his|their)[\s.!,;:…]*$/u;
/** `My dog is called`, but not `what my dog is called`. */
const NO_NAME =
  /^(?!.* (?:what|how|why|whatever|never|not|so|being|getting) ).* (?:is|are|am|i'm|was) (?:called|named) $/;

const LEAD = '^ (?:(?:and|so|but|oh|ok|okay|well|also|now|yes|yeah|no) )*';
const OFTEN =
  '(?:(?:also|still|now|currently|really|just|always|usually|only|mostly|often|mainly|actually) )*';
const WHO = `(?:(?:i|we) ${OFTEN}(?:(?:am|are|was|were|have|had) (?:been )?)?|(?:i'm|we're|i've|we've) (?:been )?${OFTEN}|(?:my|our) [a-z-]+ (?:[a-z-]+ )?${OFTEN}(?:(?:is|are|was) )?)`;
/** Where, for whom or with whom must follow. */
const PLACED =
  '(?:lives?|living|lived|works?|working|worked|stud(?:y|ies|ying|ied)|resides?|residing|born|based|employed|married|engaged|allergic|addicted|used|commutes?|commuting|moved|moving|relocated|belongs?|interested|fluent|related)';
const PREPOSITION = '(?:in|at|to|for|with|from|of|into|near|as)';
const WHICH = `(?:${PLACED} ${PREPOSITION}|(?:likes?|loves?|prefers?|wants?|needs?|owns?|has|have) (?:to|of|for|with|from))`;
/** In few words, with one subject: `the city that I live in` has another before. */
const ENDS_IN_PREPOSITION = new RegExp(`${LEAD}${WHO}(?!moved in |moving in )${WHICH} $`);
const TWICE = new RegExp(
  `${LEAD}${WHO}(?!mov(?:ed|ing) in )${PLACED} (${PREPOSITION}) \\1 | (the|an|my|our) \\2 `,
);
/** Written as it is heard: what used to be is not so now. */
const USE_TO = new RegExp(`${LEAD}(?:i|we) ${OFTEN}use to (?!do list|dos )[a-z]+ `);

export const isCutOff = ({ plain, text }: Pick<Sentence, 'plain' | 'text'>): boolean => {
  if (plain.length > MOST_READ) return false;
  return (
    ENDS_IN_ARTICLE.test(text) ||
    NO_NAME.test(plain) ||
    ENDS_IN_PREPOSITION.test(plain) ||
    TWICE.test(plain) ||
    USE_TO.test(plain)
  );
};
const MOST_READ = 200;
