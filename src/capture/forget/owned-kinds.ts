/**
 * `Forget my pets`, `my kids`, `my cats`, `my contact details`: several things of a kind that the
 * speaker has. What others have, what one likes of the kind, and what is named beside another thing
 * (`two cats and a Porsche`) is not asked for, and stays. English.
 */
import { REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';
import { isHealthProperty, isOfHealth, namesHealth } from './health.ts';

/** Of a kind, what people have of it, in the singular. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'pets|animals':
      'pet|dog|cat|puppy|kitten|rabbit|bunny|hamster|guinea pig|parrot|budgie|canary|bird|goldfish|fish|turtle|tortoise|snake|lizard|gecko|ferret|horse|pony|hen|chicken|rat|iguana|cockatiel',
    'kids|children': 'kid|child|son|daughter|baby|toddler|twin|boy|girl|stepson|stepdaughter',
    'siblings|brothers and sisters': 'sibling|brother|sister|half-brother|half-sister',
    parents: 'parent|mother|father|mom|mum|dad',
    'family|relatives':
      'family|relative|kid|child|son|daughter|baby|sibling|brother|sister|parent|mother|father|mom|mum|dad|grandmother|grandfather|grandma|grandpa|grandparent|cousin|uncle|aunt|nephew|niece|wife|husband|spouse|partner|in-law',
    'hobbies|pastimes': 'hobby|pastime',
  }).flatMap(([names, nouns]) => names.split('|').map((name) => [name, nouns] as const)),
);
const CONTACT =
  '(?:(?:work|home|private|personal|business|new|other|main) )*(?:(?:phone|mobile|cell|telephone|whatsapp|landline|fax)(?: number| phone)?|number|e-?mail(?: address)?|(?:postal |home |mailing |street )?address|(?:telegram|signal|skype|discord|linkedin|twitter|instagram|github)(?: handle| name| id| username| account)?)';
const ASKS_CONTACT =
  /^(?:my|our) (?:contact (?:details?|info|infos|information|data)|contacts|phone numbers?,? (?:and|or) emails?)$/;
/** Of the talk, and nothing that one has. */
const OF_TALK =
  /^(?:notes?|messages?|questions?|instructions?|words|mistakes?|requests?|comments?|orders?|prompts?|answers?|changes?|edits?|points?|remarks?|texts?|inputs?|things|details?|memories|data|files?|thoughts|manners|troubles|worries)$/;
const ASKED = new RegExp(`${REQUEST}forget (?:about )?((?:my|our) \\S+(?: \\S+){0,2})$`);
/** `Everything about my health`, `what I told you about my health`. */
const ABOUT =
  /^(?:(?:what|everything|anything|all)(?: (?:that )?(?:i|we|you) (?:\S+ ){1,2}(?:you )?| )about |all )(?=(?:my|our) )/;
const ALL_ASKED = new RegExp(`${REQUEST}(?:forget|erase|delete) (?:about )?(.{1,80})$`);
const PREFIX = 'kind ';
const HEALTH = 'health';

/** What a request names, in plain words; null = no kind of thing. */
export function kindAsked(text: string): string | null {
  for (const said of requestsIn(text)) {
    const asked = ASKED.exec(withoutCourtesy(said))?.[1] ?? '';
    if (ASKS_CONTACT.test(asked)) return `${PREFIX}contact`;
    const all = ALL_ASKED.exec(withoutCourtesy(said))?.[1] ?? '';
    const about = all.replace(ABOUT, '');
    // To delete records is a task, but for what is remembered of them.
    const isAsked = about !== all || / forget | forget$/.test(` ${said.slice(0, MOST_LEAD)}`);
    if (isAsked && namesHealth(about)) return PREFIX + HEALTH;
    const noun = asked.replace(/^(?:my|our) (?:own )?/, '');
    if (KINDS.has(noun)) return PREFIX + noun;
    if (/^[\p{L}-]{2,}s$/u.test(noun) && !/(?:ss|us|is)$/.test(noun) && !OF_TALK.test(noun))
      return PREFIX + noun;
  }
  return null;
}

export const isKind = (matter: string): boolean => matter.startsWith(PREFIX);

const singularOf = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/s$/, '');
const plural = (nouns: string): string =>
  `(?:${nouns})(?:s|es)?|(?:${nouns.replaceAll(/y(?=\||$)/g, 'ie')})s|children|families`;
const escaped = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&');

const STILL = '(?:also |still |now |currently |recently |just |already |only )*';
const HAS =
  "(?:have|has|had|own|owns|owned|got|have got|has got|keep|keeps|adopted|rescued|bought|raise|raises|(?:don['’]t|doesn['’]t|do not|does not|never) have(?: any)?)";
const COUNT =
  '(?:(?:an?|the|my|our|no|any|one|two|three|four|five|six|seven|\\d{1,2}|some|many|several|another|a few|a couple of) )?';
const BEHIND = "(?= ?$|[.,;!]|['’]s?\\b| (?:called|named|who|that|which|whose|at home|now|too)\\b)";
const VERBS =
  "(?:is|are|was|were|has|have|had|isn['’]t|aren['’]t|called|named|likes?|loves?|eats?|hates?|needs?|died|lives?|sleeps?|goes|go|works?|studies|study|turns?|turned|plays?|will|can|can['’]t|and)";
const CLAUSE = (own: string): string => `(?:,| and| but) (?:${own}) \\p{L}`;

/** Whether it says that the speaker has something of the kind, and no more. */
export function isOfKind(matter: string, said: string, name: string | null): boolean {
  const kind = matter.slice(PREFIX.length);
  const text = said.slice(0, MOST_READ).replace(/[.!\s]{1,5}$/u, '');
  const who = name === null ? '(?:i|we)' : escaped(name);
  const whose = name === null ? '(?:my|our)' : `${escaped(name)}['’]s?`;
  if (new RegExp(CLAUSE(`i|we|my|our|${escaped(name ?? 'i')}(?:['’]s)?`), 'iu').test(text))
    return false;
  if (kind === HEALTH) return isOfHealth(text, name);
  if (kind === 'contact')
    return new RegExp(`^${whose} ${CONTACT} (?:is|are|was|has|changed)\\b`, 'iu').test(text);
  const noun = plural(KINDS.get(kind) ?? singularOf(kind));
  const named = new RegExp(
    `^${whose} (?!favou?rite|dream|ideal|imaginary)(?:[\\p{L}-]+ ){0,2}?(?:${noun})(?:['’]s? \\p{L}| ((?:[\\p{L}'’-]+ ){0,2}?)${VERBS}(?!\\p{L}))`,
    'iu',
  ).exec(text);
  // `My dog Rex is 3`; of `my dog walker` it is somebody else.
  if (named !== null && !/(?:^| )\p{Ll}/u.test(named[1] ?? '')) return true;
  const had = new RegExp(`^${who} ${STILL}${HAS} ${STILL}(.+)$`, 'iu').exec(text)?.[1];
  if (had === undefined) return false;
  const one = new RegExp(`^${COUNT}(?:[\\p{L}-]+ ){0,2}?(?:${noun})${BEHIND}`, 'iu');
  const [first = '', ...more] = had.split(/,? (?:and|&|plus) |, /u);
  return one.test(first) && more.every((part) => one.test(part) || /^\p{Lu}/u.test(part));
}
const MOST_READ = 200;
const MOST_LEAD = 80;

/** Whether a typed value is of the kind by what its property is called. */
export const isOfKindByName = (matter: string, property: string): boolean =>
  matter === PREFIX + HEALTH && isHealthProperty(property);
