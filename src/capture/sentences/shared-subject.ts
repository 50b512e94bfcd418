/**
 * `I live in Graz, work as a nurse and have two kids`: three statements of one `I`, each of which
 * can change without the others. `I have a dog called Rex and a cat called Tom`: two.
 */
import { STANDING } from '../gate/gate-rules.ts';

/** What a person does for long, in the words that say of what. */
const VERBS =
  'live (?:in|at|near|with|on)|work (?:as|at|for|in|on|from)|(?:have|own) (?:a|an|no|one|two|three|four|five|six|\\d+)|(?:drive|ride|rent) (?:a|an)|(?:manage|lead|run|teach) (?:a|an|the)|speak \\p{Lu}\\p{L}+|(?:study|teach|play|prefer) \\p{L}+';
const NAMED = 'an? (?:\\p{L}+ ){1,2}(?:called|named)';
const ENDS = '(?=[ ,.;!]|$)';

/** Where such a clause may begin. */
export const SHARED_JOINT = new RegExp(
  `(?:,(?: and)?| and) (?=(?:${VERBS}|${NAMED})${ENDS})`,
  'giu',
);

const OWN = new RegExp(
  `^(?:I|we) (?:(?:now|also|still|currently|both) )?(?:${VERBS})${ENDS}|` +
    "^(?:(?:I|we) (?:am|are)|I['’]m|we['’]re) (?:also |now )?" +
    `(?:an? |the |from |\\d+|allergic to |(?:${STANDING.join('|')})${ENDS})`,
  'iu',
);
/** A second verb may be that of another one, or lean on the first. */
const OTHER_VERB =
  /[?:"“(]| (?:to|who|whom|which|that|where|when|while|if|because|since|until|unless|so|or|whose|than|like|can|could|would|may|might|must|should|will|did|do|not|never|people|friends) |(?:n['’]t|ing) /iu;

const HAVING = new RegExp(
  `^((?:I|we)(?:['’]ve)? (?:(?:now|also|still|currently|both) )?(?:have|own|got|adopted) )${NAMED} `,
  'iu',
);
const NAMED_NEXT = new RegExp(`^${NAMED} `, 'iu');

/**
 * The words before which what follows the clause stands by itself, with the blank behind them; null
 * = it may be of another subject.
 */
export function sharedSubject(clause: string, after: string): string | null {
  if (NAMED_NEXT.test(after)) return HAVING.exec(clause)?.[1] ?? null;
  const said = clause.replace(/ allergic to /i, ' allergic ');
  if (!OWN.test(clause) || OTHER_VERB.test(`${said} `)) return null;
  return /^we\b/i.test(clause) ? 'We ' : 'I ';
}
