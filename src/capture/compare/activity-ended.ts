/**
 * Which facts are over by `I quit smoking` and `I no longer run`: what one is by doing so (`is a
 * smoker`), and that one does so (`smokes a pack a day`, `goes running every morning`). What is
 * done to a thing (`runs a bakery`) is another activity, and a job goes by other words.
 */
import { SLOT } from '../../model/fact-slot.ts';
import { thirdPerson } from '../sentences/statement.ts';
import type { KnownFact } from '../state.ts';
import { saidOf } from './said-of.ts';

type Held = Pick<KnownFact, 'content' | 'subject' | 'metadata'>;

interface Forms {
  /** As it follows `I no longer`; a gerund has several that could be. */
  readonly bases: readonly string[];
  readonly gerunds: readonly string[];
  readonly agents: readonly string[];
}

/** `smoking` and `smoke`, `running` and `run`. */
function formsOf(word: string): Forms {
  const stem = word.replace(/ing$/, '');
  if (stem !== word && stem.length > 1) {
    const single = stem.replace(/(\p{L})\1$/u, '$1');
    return {
      bases: [...new Set([stem, `${stem}e`, single])],
      gerunds: [word],
      agents: [`${stem}er`, `${single}er`],
    };
  }
  const short = word.replace(/e$/, '');
  const doubled = `${short}${short.at(-1) ?? ''}`;
  return {
    bases: [word],
    gerunds: [`${short}ing`, `${doubled}ing`],
    agents: [`${short}er`, `${doubled}er`],
  };
}

/** By which words a fact is found that it may end. */
export function wordsOfActivity([word = '']: readonly string[]): readonly string[] {
  const { bases, gerunds, agents } = formsOf(word);
  return [...bases, ...bases.map(thirdPerson), ...gerunds, ...agents];
}

/** When, how much and with whom: no thing that it is done to. */
const HOW =
  '(?:$|,? (?:every|each|on|in|at|daily|weekly|regularly|often|sometimes|usually|occasionally|socially|heavily|a (?:lot|bit|little|pack|packet)|\\d|once|twice|most|with|along|before|after|to work|outside|outdoors|again|now|since|for (?!a living))\\b)';
const DEGREE = '(?:(?:heavy|chain|social|light|casual|keen|avid|regular|passionate|big|daily) )?';

export function activityEnded<Fact extends Held>(
  [word = '']: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  const { bases, gerunds, agents } = formsOf(word);
  const any = (words: readonly string[]): string => `(?:${words.join('|')})`;
  const isSuch = new RegExp(
    `^(?:(?:is|are) an? ${DEGREE}${any(agents)}(?= since |$)|(?:usually |often |always )?(?:(?:goes|go) (?:out )?${any(gerunds)}|${any(bases.map(thirdPerson))})${HOW})`,
    'u',
  );
  return known.filter((fact) => {
    const said = saidOf(fact);
    return said !== null && fact.metadata[SLOT] !== 'occupation' && isSuch.test(said);
  });
}
