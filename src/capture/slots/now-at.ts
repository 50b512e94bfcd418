/** Where one is by now: `I'm with Acme now` names an employer, `I'm in Rome now` a home. */
import { match, stepsOf, type Token } from './match.ts';

interface NowAt {
  readonly name: string;
  readonly kind: 'changes';
  readonly value: readonly Token[];
  readonly isName: true;
}

const FORMS = [
  ['i am with/at %', 'employer'],
  ['i/we am/are in %', 'home'],
] as const;
const MOST_WORDS = 3;

export function nowAt(tokens: readonly Token[], text: string): NowAt | null {
  for (const [form, name] of FORMS) {
    const value = match(tokens, stepsOf(form))?.value;
    if (value === undefined || value.length > MOST_WORDS || isTitled(value)) continue;
    if (value.some(({ word }) => word.endsWith("'s") || PLACES.has(word))) continue;
    if (isReached(value, text) || (name === 'home' && isWithDigit(value))) continue;
    return { name, kind: 'changes', value, isName: true };
  }
  return null;
}

/** Where one is for an hour. */
const PLACES: ReadonlySet<string> = new Set(
  'place house flat airport station terminal gate hospital clinic cafe pub bar beach park mall hotel church stadium cinema theatre restaurant'.split(
    ' ',
  ),
);

/** `I'm with Dr Ada now` is said of a doctor. */
const isTitled = ([first]: readonly Token[]): boolean =>
  /^(?:dr|mr|mrs|ms|prof)$/.test(first?.word ?? '');

/** `I'm in Year 9 now`, `in B1 now`: a town has no number. */
const isWithDigit = (value: readonly Token[]): boolean => value.some(({ word }) => /\d/.test(word));

/** `80 kg`, `4:30`, `level 5`, `B1`: how far one has come. `3M` and `1Password` are firms. */
function isReached(value: readonly Token[], text: string): boolean {
  const [first, second] = value;
  if (!first) return true;
  const said = text.slice(first.start, first.end);
  if (/^\d/.test(said)) return !FIRM.test(said) && !isCapital(second, text);
  return /^\p{Lu}\d{1,2}$/u.test(said) || (COUNTED.test(first.word) && isNumber(second));
}
const FIRM = /^(?:\dM|\d{1,3}(?!\p{Lu}{1,2}$)(?:\p{Lu}\p{L}|\p{L}{4}))/u;
const isCapital = (token: Token | undefined, text: string): boolean =>
  token !== undefined && /^\p{Lu}/u.test(text.slice(token.start, token.end));
const COUNTED =
  /^(?:level|lvl|stage|phase|step|round|page|chapter|part|week|day|month|year|grade|unit|lesson|module|episode|season|version|number|size|rank|tier)$/;
const isNumber = (token: Token | undefined): boolean => /^\d/.test(token?.word ?? '');
