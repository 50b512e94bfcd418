/**
 * From what a person said to a statement that stands by itself: `I prefer tea` of Ada is `Ada
 * prefers tea`. English; a sentence of another form stays as it is, under its speaker as subject.
 */
import { isPastForm } from './past-form.ts';
import { withApostrophe } from './sentence.ts';

const WORD = /([\p{L}\p{M}\p{N}'’_]+)/u;
const ADVERBS: ReadonlySet<string> = new Set(
  'really always never usually also just finally recently still only often sometimes mostly mainly generally currently now actually honestly absolutely definitely truly personally normally typically rarely already simply only no longer even both all almost nearly practically basically probably possibly certainly clearly obviously hardly barely ever seldom occasionally frequently regularly constantly lately nowadays presently temporarily gladly secretly sometime eventually suddenly quickly formerly previously once twice'.split(
    ' ',
  ),
);
const STAYS: ReadonlySet<string> = new Set(
  (
    'can could will would must should may might shall was did had got went ran met saw took ' +
    'won came gave made wrote bought told spoke moved ' +
    'grew left lost broke quit began became felt found flew drove sang built sold spent taught ' +
    "thought understood kept knew read put set let hurt wasn't didn't hadn't couldn't wouldn't " +
    "can't won't cannot born used chose ate drank slept swam wore heard held paid sent stood " +
    'caught forgot blew bent dug drew fed fled froze hid laid lent lit meant rode rang rose shook ' +
    'shot slid sought stuck stole struck swore swept threw tore woke wept been done gone seen ' +
    'sat gonna gotta'
  ).split(' '),
);
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    am: 'is',
    have: 'has',
    do: 'does',
    "don't": "doesn't",
    "haven't": "hasn't",
    go: 'goes',
  }),
);
/** Verbs that may follow an `and` of the same speaker. */
const COMMON: ReadonlySet<string> = new Set(
  'live work like love prefer use want need have drink eat speak enjoy hate own drive play study teach run write read avoid keep'.split(
    ' ',
  ),
);

/** First person, third person of the other mentions. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    i: 'they',
    "i'm": 'they are',
    "i've": 'they have',
    "i'll": 'they will',
    "i'd": "they'd",
    me: 'them',
    my: 'their',
    mine: 'theirs',
    myself: 'themselves',
    we: 'they',
    "we're": "they're",
    "we've": "they've",
    "we'd": "they'd",
    "we'll": "they'll",
    us: 'them',
    our: 'their',
    ours: 'theirs',
    ourselves: 'themselves',
  }),
);
/** After `they`, of what is said after `I`. */
const AFTER_THEY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    am: 'are',
    was: 'were',
    "wasn't": "weren't",
  }),
);
/** What a verb may be followed by, and a noun hardly: `I run and love it`, not `and love songs`. */
const AFTER_VERB: ReadonlySet<string> = new Set(
  'a an the my our to in at on with for it them as from about this that these those alone together'.split(
    ' ',
  ),
);
const FIRSTS: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries<readonly [string, string]>({
    "i'm": ['is', ''],
    "i've": ['has', ''],
    "i'll": ['will', ''],
    "i'd": ['would', ''],
  }),
);

const plainWord = (word: string): string => word.toLowerCase().replaceAll('’', "'");

/** The verb as one person does it. */
export function thirdPerson(verb: string): string {
  const plain = plainWord(verb);
  const irregular = IRREGULAR.get(plain);
  if (irregular !== undefined) return irregular;
  if (STAYS.has(plain) || isPastForm(plain)) return verb;
  if (/(?:s|x|z|ch|sh)$/.test(plain)) return `${verb}es`;
  return /[^aeiou]y$/.test(plain) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** `I for one prefer tea`: who else does is not said. */
const FOR_ONE = /\b(I|we),? for (?:one|my part|our part)\b,?(?= )/giu;

/** `isTeam`: what is said of `we` is said of a team, and stays so. */
export function toStatement(text: string, name: string, isTeam = false): string {
  const asked = CALL_ME.exec(text)?.[0];
  if (asked !== undefined) return `${name} goes by ${text.slice(asked.length)}`;
  const plain = withoutOwnName(text, name).replace(FOR_ONE, '$1');
  const parts = partsOf(plain).map(withApostrophe);
  const words = parts.map(plainWord);
  const first = words.findIndex((_, index) => index % 2 === 1);
  const lead = words[first] ?? '';
  const isOwn = ['i', "i'm", "i've", "i'll", "i'd"].includes(lead);
  const together = isTeam ? undefined : TOGETHER.get(lead);
  const known = { name: null, isTeam };
  if (together !== undefined) {
    parts[first] = `${name} and others${together}`;
    return others(parts, known).join('');
  }
  if (!isOwn && lead !== 'my' && (isTeam || lead !== 'our')) {
    conjugateNamed(parts, words);
    return upper(others(parts, { name, isTeam }).join(''));
  }
  if (!isOwn) {
    parts[first] = possessive(name);
    withMe(parts, words, name);
    return others(parts, known).join('');
  }
  const [auxiliary] = FIRSTS.get(lead) ?? [''];
  parts[first] = auxiliary === '' ? name : `${name} ${auxiliary}`;
  if (auxiliary === '') {
    conjugate(parts, first);
    conjugateOthers(parts, words, first);
  }
  return others(parts, known).join('');
}

/** Words stand at odd places. What is quoted stays as it is, so it is none. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const [index, outside] of text.split(QUOTED).entries()) {
    const words = index % 2 === 1 ? [outside] : outside.split(WORD);
    parts.push(`${parts.pop() ?? ''}${words[0] ?? ''}`, ...words.slice(1));
  }
  return parts;
}
/** An opening mark stands before a word: `27"` has none. Without its end, all behind it. */
const QUOTED = /((?<![^\s(])"(?=[\p{L}\p{N}])[^"]*"?|“[^”]*”?|«[^»]*»?)/u;

/** `I'm Dee, a nurse`, of Dee: who speaks is named already. */
function withoutOwnName(text: string, name: string): string {
  const [whole = '', is = '', said = ''] = NAMES_ITSELF.exec(text) ?? [];
  return said.toLowerCase() === name.toLowerCase() ? is + text.slice(whole.length) : text;
}
const NAMES_ITSELF = /^(I(?:['’]?m| am) )([\p{L}'’-]+),? (?=\S)/iu;

/** `Call me Dee`, and not `call me when you land`. */
const CALL_ME = /^(?:(?:[Pp]lease|[Jj]ust),? )*(?:[Cc]all|[Aa]ddress) me (?:as )?(?=\p{Lu})/u;

/** `On Mondays I swim`: the first mention of the speaker is their name, and the verb is of one. */
function conjugateNamed(parts: string[], words: readonly string[]): void {
  const first = words.findIndex((word, at) => OTHERS.has(word) && isMention(words, at));
  if (words[first] !== 'i' || BEFORE_NO_VERB.has(words[first - 2] ?? '')) return;
  conjugate(parts, first);
  conjugateOthers(parts, words, first);
}
/** Before an `I` whose verb is of several, or has gone before: `Tom and I live`, `so do I`. */
const BEFORE_NO_VERB: ReadonlySet<string> = new Set(
  'and or nor am was do did have had can could will would should shall may might must'.split(' '),
);

/** `p i n` spells a word, and `World War I` counts one. */
function isMention(words: readonly string[], at: number): boolean {
  if (words[at] !== 'i') return true;
  const [before = '', after = ''] = [words[at - 2], words[at + 2]];
  return !(isLetter(after) || (isLetter(before) && after === '') || COUNTED.has(before));
}
const isLetter = (word: string): boolean => /^[b-z]$/.test(word);
const COUNTED: ReadonlySet<string> = new Set('type war part phase stage calculus'.split(' '));

/** Who else, only those know who were there. */
const TOGETHER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    we: '',
    "we're": ' are',
    "we've": ' have',
    "we'll": ' will',
    "we'd": ' would',
  }),
);

/** `My kids and I`. */
function withMe(parts: string[], words: readonly string[], name: string): void {
  const me = words.findIndex((word, index) => word === 'i' && words[index - 2] === 'and');
  if (me > 0 && me <= MOST_NAMED_BEFORE) parts[me] = name;
}
const MOST_NAMED_BEFORE = 9;

/** The verbs after `and`, where the first one was one of the present; after `and now`, always. */
function conjugateOthers(parts: string[], words: readonly string[], first: number): void {
  const verb = verbAfter(parts, first);
  const isOfPast = isPast(words[verb] ?? '');
  const last = words.findLastIndex((word) => /\p{L}/u.test(word));
  const endsNow = NOWADAYS.has(words[last] ?? '');
  for (const [index, word] of words.entries()) {
    const isNow = words[index - 2] === 'now';
    const joint = words[index - (isNow ? 4 : 2)] ?? '';
    if (index <= verb || !JOINTS.has(joint) || !COMMON.has(word)) continue;
    const isNext =
      AFTER_VERB.has(words[index + 2] ?? '') || ((isNow || endsNow) && ONLY_VERBS.has(word));
    // `I moved out and live alone now`, but `I wanted to move out and live alone now`.
    const isOfNow = isNow || (endsNow && !words.slice(verb, index).some(isInfinitive));
    if (isNext && (isOfNow || !isOfPast)) parts[index] = thirdPerson(parts[index] ?? '');
  }
}
const JOINTS: ReadonlySet<string> = new Set(['and', 'but', 'or']);
const NOWADAYS: ReadonlySet<string> = new Set(['now', 'nowadays', 'currently']);
/** No nouns as well. */
const ONLY_VERBS: ReadonlySet<string> = new Set(
  'live prefer want have eat speak enjoy own teach write avoid keep'.split(' '),
);
/** A verb of small letters behind `to`, or one that another verb is behind. */
const isInfinitive = (word: string, at: number, words: readonly string[]): boolean =>
  (words[at - 2] === 'to' && (COMMON.has(word) || MOVING.has(word))) || HELPERS.has(word);
const MOVING: ReadonlySet<string> = new Set(
  'be get go move leave quit stay stop start take make become try see find buy sell'.split(' '),
);
const HELPERS: ReadonlySet<string> = new Set(
  "would could should might must can will let made helped can't won't".split(' '),
);
const isPast = (verb: string): boolean => STAYS.has(verb) || isPastForm(verb);

function verbAfter(parts: readonly string[], from: number): number {
  let at = from + 2;
  while (at < parts.length && ADVERBS.has(plainWord(parts[at] ?? ''))) at += 2;
  return at;
}

const possessive = (name: string): string => (name.endsWith('s') ? `${name}'` : `${name}'s`);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function conjugate(parts: string[], from: number): void {
  const at = verbAfter(parts, from);
  const verb = parts[at];
  if (verb !== undefined) parts[at] = thirdPerson(verb);
}

/** Of a mention that is the first one: what follows the name. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "i'm": ' is',
    "i've": ' has',
    "i'll": ' will',
    "i'd": ' would',
    ...Object.fromEntries(
      [...TOGETHER, ['us', ''] as const].map(
        ([word, rest]) => [word, ` and others${rest}`] as const,
      ),
    ),
  }),
);
const OWNING: ReadonlySet<string> = new Set(['my', 'mine', 'our', 'ours']);

interface Naming {
  /** Of the speaker; null = they were named before. */
  readonly name: string | null;
  /** `we` stays: of a team it is who speaks. */
  readonly isTeam: boolean;
}

/** The other mentions of the speaker; the first of them by name where it was not named yet. */
function others(parts: readonly string[], { name, isTeam }: Naming): string[] {
  const words = parts.map(plainWord);
  let unnamed = name;
  let namedAt = -1;
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const plain = words[index] ?? '';
    const isOther = part !== COUNTRY && !(isTeam && TEAM.has(plain)) && isMention(words, index);
    const other = isOther ? OTHERS.get(plain) : undefined;
    const isAfterThey = unnamed === null && words[index - 2] === 'i' && namedAt !== index - 2;
    if (other === undefined) return (isAfterThey ? AFTER_THEY.get(plain) : undefined) ?? part;
    if (unnamed === null) return other;
    const named = OWNING.has(plain) ? possessive(unnamed) : unnamed + (NAMED.get(plain) ?? '');
    unnamed = null;
    namedAt = index;
    return named;
  });
}
/** Where one lives, in capitals; who speaks, in small letters. */
const COUNTRY = 'US';
const TEAM: ReadonlySet<string> = new Set(
  "we we're we've we'd we'll us our ours ourselves".split(' '),
);

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const withStop = (text: string): string => (/[.!?:)"'”`]$/.test(text) ? text : `${text}.`);
