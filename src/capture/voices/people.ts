/** People that a speaker calls theirs: what they are is not the speaker's alone to say. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** With slots of their own: `my sister works at Acme`. */
const KIN = words(
  'wife husband partner girlfriend boyfriend fiance fiancee fiancé fiancée spouse son daughter kid child baby brother sister mother mom mum father dad parents grandma grandmother grandpa grandfather cousin uncle aunt nephew niece friend flatmate roommate neighbour neighbor colleague boss manager twin landlord',
);
/** Others of whom one speaks so. */
const OTHERS = words(
  'ex grandson granddaughter grandchild grandkid grandparent stepdad stepmom stepson stepdaughter stepfather stepmother stepbrother stepsister godson goddaughter godfather godmother sibling children parent in-law ceo cto cfo coo client customer lawyer attorney accountant assistant secretary intern employee employer student pupil teacher tutor coach trainer patient tenant nanny babysitter cleaner janitor cook gardener dealer rival enemy hero crush date coworker teammate housemate therapist doctor dentist vet physician supervisor landlady director president professor bf gf mentor mentee guest buddy mate pal plumber mechanic nurse agent',
);

export const isKin = (word: string): boolean => KIN.has(word);

/** In the plural, possessive, or with `ex-`, `step-` or `-in-law` as well. */
export const isPerson = (said: string): boolean => {
  const word = said.replace(/['’]s?$/u, '');
  const one = word.replace(/s$/, '');
  const [head = ''] = word
    .split('-')
    .slice(word.startsWith('ex-') || word.startsWith('step-') ? 1 : 0);
  return [word, one, head].some((each) => OTHERS.has(each) || KIN.has(each));
};
