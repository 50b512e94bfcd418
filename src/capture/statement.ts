/**
 * From what a person said to a statement that stands by itself: `I prefer tea` of Ada is `Ada
 * prefers tea`. English; a sentence of another form stays as it is, under its speaker as subject.
 */
const WORD = /([\p{L}\p{M}\p{N}'’_]+)/u;
const ADVERBS: ReadonlySet<string> = new Set(
  'really always never usually also just finally recently still only often sometimes mostly mainly generally currently now actually honestly absolutely definitely truly personally normally typically rarely already simply only'.split(
    ' ',
  ),
);
const STAYS: ReadonlySet<string> = new Set(
  (
    'can could will would must should may might shall was did had got went ran met saw took ' +
    'won came gave made wrote bought told spoke moved ' +
    'grew left lost broke quit began became felt found flew drove sang built sold spent taught ' +
    "thought understood kept knew read put set let hurt wasn't didn't hadn't couldn't wouldn't " +
    "can't won't cannot born used chose ate drank slept swam wore heard held paid sent stood"
  ).split(' '),
);
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  "haven't": "hasn't",
  go: 'goes',
};
/** Verbs that may follow an `and` of the same speaker. */
const COMMON: ReadonlySet<string> = new Set(
  'live work like love prefer use want need have drink eat speak enjoy hate own drive play study teach run write read avoid keep'.split(
    ' ',
  ),
);

/** First person, third person of the other mentions. */
const OTHERS: Readonly<Record<string, string>> = {
  i: 'they',
  "i'm": 'they are',
  "i've": 'they have',
  "i'll": 'they will',
  "i'd": 'they would',
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
};
const FIRSTS: Readonly<Record<string, readonly [string, string]>> = {
  "i'm": ['is', ''],
  "i've": ['has', ''],
  "i'll": ['will', ''],
  "i'd": ['would', ''],
};

const plainWord = (word: string): string => word.toLowerCase().replaceAll('’', "'");

/** The verb as one person does it. */
export function thirdPerson(verb: string): string {
  const plain = plainWord(verb);
  const irregular = IRREGULAR[plain];
  if (irregular !== undefined) return irregular;
  if (STAYS.has(plain) || plain.endsWith('ed')) return verb;
  if (/(?:s|x|z|ch|sh)$/.test(plain)) return `${verb}es`;
  return /[^aeiou]y$/.test(plain) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

export function toStatement(text: string, name: string): string {
  const parts = text.split(WORD);
  const words = parts.map(plainWord);
  const first = words.findIndex((_, index) => index % 2 === 1);
  const isOwn = ['i', "i'm", "i've", "i'll", "i'd"].includes(words[first] ?? '');
  if (!isOwn && words[first] !== 'my') return upper(others(parts, name).join(''));
  if (words[first] === 'my') {
    parts[first] = possessive(name);
    return others(parts, null).join('');
  }
  const [auxiliary] = FIRSTS[words[first] ?? ''] ?? [''];
  parts[first] = auxiliary === '' ? name : `${name} ${auxiliary}`;
  if (auxiliary === '') conjugate(parts, first);
  for (const index of words.keys())
    if (
      index > first &&
      ['and', 'but', 'or'].includes(words[index - 2] ?? '') &&
      COMMON.has(words[index] ?? '')
    )
      if (auxiliary !== 'will' && auxiliary !== 'would')
        parts[index] = thirdPerson(parts[index] ?? '');
  return others(parts, null).join('');
}

const possessive = (name: string): string => (name.endsWith('s') ? `${name}'` : `${name}'s`);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function conjugate(parts: string[], from: number): void {
  let at = from + 2;
  while (at < parts.length && ADVERBS.has(plainWord(parts[at] ?? ''))) at += 2;
  const verb = parts[at];
  if (verb !== undefined) parts[at] = thirdPerson(verb);
}

/** The other mentions of the speaker; the first of them by name where it was not named yet. */
function others(parts: readonly string[], name: string | null): string[] {
  let unnamed = name;
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const plain = plainWord(part);
    const other = OTHERS[plain];
    if (other === undefined) return part;
    if (unnamed === null) return other;
    const named = plain === 'my' || plain === 'mine' ? possessive(unnamed) : unnamed;
    const rest = other.split(' ').slice(1).join(' ');
    unnamed = null;
    return rest === ''
      ? named
      : `${named} ${rest === 'are' ? 'is' : rest === 'have' ? 'has' : rest}`;
  });
}
