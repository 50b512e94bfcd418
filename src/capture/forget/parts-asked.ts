/**
 * `Forget my address and my phone number`, `forget that I have asthma and that I live in Rome`: the
 * parts that one request names, each as a request of its own. What says something new behind it
 * (`…, my new one is 12 Elm Row`) is no part. English.
 */
const POLITE =
  "(?:(?:please|pls|kindly|and|but|so|ok|okay|oh|hey|hi|now|just|also|actually|really|then|no|sorry|(?:can|could|would|will) you|you (?:can|may|should|must|need to|have to)|i (?:really )?(?:want|need)(?:['’]d like)? you to),? )*";
const REQUEST = new RegExp(
  `^${POLITE}(?:forget|disregard|(erase|delete|remove))(?: about)? (?=\\p{L})`,
  'iu',
);
const FROM_MEMORY =
  / (?:from|in|out of) (?:(?:your|the) )?(?:memory|memories|records?|notes?|knowledge|long term memory)$/i;
const COURTESY = /(?:,? (?:please|pls|thanks|thank you|now|ok|okay))+$/i;
const ASKED =
  '(?:about )?(?:(?:the fact )?that (?:I|we|my|our)|my|our|where|what|which|who|when|how)';
const JOINT = new RegExp(
  `(,? (?:and|or|nor|plus|as well as|&)|,)(?: (?:also|please|then))* (?=${ASKED}(?:['’]\\p{Ll}+)? )`,
  'iu',
);
/** `That I have asthma and live in Rome`. */
const SHARED =
  / and (?=(?:live|work|study|teach|drive|speak|come) (?:in|at|as|for|from|an?|\p{Lu}))/u;

const VERB =
  /['’](?:m|re|ve|ll|d)\b| (?:is|are|was|were|has|have|had|will|can|should|lives?|works?|changed|moved|became|isn['’]t|aren['’]t)(?= |$)/i;
const NOUN = /^(?:my|our) \S+(?: \S+){0,3}$/i;
const CLAUSE =
  /^(?:the fact )?that (?:I|we|my|our)\b(?: \S+){1,14}$|^that (?:I|we)['’]\S+(?: \S+){1,14}$/i;
const QUESTION = /^(?:where|what|which|who|when|how) \S+(?: \S+){0,6}$/i;

/** `My cats`, `where I live`, `that I am vegan`. */
export const isPart = (part: string): boolean =>
  (NOUN.test(part) && !VERB.test(part)) || CLAUSE.test(part) || QUESTION.test(part);

/** null = it names one thing, or says something else as well. */
export function partsAsked(text: string): readonly string[] | null {
  if (text.length > MOST_READ) return null;
  const found = REQUEST.exec(text);
  if (!found) return null;
  const said = text
    .slice(found[0].length)
    .replace(/[.!?\s]{1,9}$/u, '')
    .replace(COURTESY, '');
  const rest = said.replace(FROM_MEMORY, '');
  // To delete an address is a task, but for what is remembered of it.
  if (found[1] !== undefined && rest === said && !/^(?:the fact )?that /i.test(rest)) return null;
  const pieces = rest.split(JOINT);
  const last = pieces.at(-2) ?? '';
  if (pieces.length < 3 ? !SHARED.test(rest) : !/[a-z&]/i.test(last)) return null;
  const parts = pieces
    .filter((_, at) => at % 2 === 0)
    .map((part) => part.trim().replace(/^about /i, ''))
    .flatMap(sharedParts);
  return parts.length > 1 && parts.every(isPart) ? parts.map((part) => `forget ${part}`) : null;
}
const MOST_READ = 240;

function sharedParts(part: string): readonly string[] {
  if (!/^(?:the fact )?that (?:I|we)\b/i.test(part)) return [part];
  const [first = '', ...more] = part.split(SHARED);
  return [first, ...more.map((verb) => `that I ${verb}`)];
}
