/**
 * A sentence as the rules read it. `plain` has its words in lower case between single spaces, so
 * that a rule is a look-up of a phrase: linear, whatever the text.
 */
export interface Sentence {
  readonly text: string;
  /** UTF-16 units in the content of the turn. */
  readonly start: number;
  readonly end: number;
  /** ` i don't like tea `: apostrophes stay, other punctuation goes. */
  readonly plain: string;
  readonly words: readonly string[];
}

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}'_]$/u;

/** As a chat writes them. */
const UNMARKED: Readonly<Record<string, string>> = {
  im: "i'm",
  ive: "i've",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  cant: "can't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  havent: "haven't",
};

interface Word {
  readonly word: string;
  /** Of the text: where it ends. */
  readonly end: number;
}

const wordOf = (said: string): string => {
  const bare = said.replace(/^'/, '').replace(/'$/, '');
  return Object.hasOwn(UNMARKED, bare) ? (UNMARKED[bare] ?? bare) : bare;
};

const ASCII = /^[\x00-\x7f]*$/;

/** Words in lower case, with plain apostrophes. Most text is ASCII, and quicker read as such. */
function readWords(text: string): readonly Word[] {
  if (!ASCII.test(text)) return readAnyWords(text);
  const words: Word[] = [];
  for (const { 0: said, index } of text.toLowerCase().matchAll(/[a-z0-9_']+/g)) {
    const word = wordOf(said);
    if (word !== '') words.push({ word, end: index + said.length });
  }
  return words;
}

function readAnyWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let word = '';
  let at = 0;
  const flush = (): void => {
    const bare = wordOf(word);
    if (bare !== '') words.push({ word: bare, end: at });
    word = '';
  };
  for (const character of text) {
    const plain = character === '’' || character === '‘' ? "'" : character.toLowerCase();
    if (WORD_CHARACTER.test(plain)) word += plain;
    else flush();
    at += character.length;
  }
  flush();
  return words;
}

export const wordsOf = (text: string): readonly string[] => readWords(text).map(({ word }) => word);

export function sentenceOf(text: string, start: number): Sentence {
  const lead = text.length - text.trimStart().length;
  const bare = text.trim();
  const words = wordsOf(bare);
  return {
    text: bare,
    start: start + lead,
    end: start + lead + bare.length,
    plain: ` ${words.join(' ')} `,
    words,
  };
}

/** Without its first words, and the punctuation after them. */
export function dropWords(sentence: Sentence, count: number): Sentence {
  const last = readWords(sentence.text)[count - 1];
  if (!last) return sentence;
  const rest = sentence.text.slice(last.end);
  const gap = /^[^\p{L}\p{N}'"“‘$€£#@/~+-]*/u.exec(rest)?.[0].length ?? 0;
  return sentenceOf(rest.slice(gap), sentence.start + last.end + gap);
}

/** Whether the words of the phrase stand in it. */
export const has = ({ plain }: Pick<Sentence, 'plain'>, phrase: string): boolean =>
  plain.includes(` ${phrase} `);
export const hasAny = (sentence: Pick<Sentence, 'plain'>, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => has(sentence, phrase));
/** The longest of the phrases that it begins with. */
export function beginning(
  { plain }: Pick<Sentence, 'plain'>,
  phrases: readonly string[],
): string | null {
  let found: string | null = null;
  for (const phrase of phrases)
    if (plain.startsWith(` ${phrase} `) && phrase.length > (found?.length ?? 0)) found = phrase;
  return found;
}
export const begins = (sentence: Pick<Sentence, 'plain'>, phrases: readonly string[]): boolean =>
  beginning(sentence, phrases) !== null;

/** Words before which a sentence is cut although they end with a full stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st vs etc e.g i.e eg ie approx no nr fig inc ltd jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m'.split(
    ' ',
  ),
);
const CLOSING = new Set(['"', "'", ')', ']', '”', '’', '*', '_', '`']);

const JOINTS =
  /(?:,? and(?: now)?|,? but(?: now)?|[;:,]|,? also|, so|, now) (?=(?:I|I'm|I’m|I've|I’ve|my|we|we're) )/g;
/** `I switched banks, I am with Acme now`: only together do they say of what. */
const SWITCHES = /^(?:I|We) (?:have )?(?:switched|changed) \p{L}+s[,:]/u;

/**
 * `I live in Rome and I like tea` is two statements: one can change without the other.
 */
function clausesOf(sentence: Sentence): readonly Sentence[] {
  if (!/^(?:i|i'm|i've|my|we|we're)$/.test(sentence.words[0] ?? '')) return [sentence];
  if (SWITCHES.test(sentence.text)) return [sentence];
  const clauses: Sentence[] = [];
  let from = 0;
  for (const joint of sentence.text.matchAll(JOINTS)) {
    const clause = sentenceOf(sentence.text.slice(from, joint.index), sentence.start + from);
    if (clause.words.length < 3) continue;
    clauses.push(clause);
    from = joint.index + joint[0].length;
  }
  return [...clauses, sentenceOf(sentence.text.slice(from), sentence.start + from)];
}

/** The first statements of a prose text that begins at `start` of its turn. */
export const sentencesOf = (text: string, start: number, most: number): readonly Sentence[] =>
  wholeSentencesOf(text, start, most).flatMap(clausesOf).slice(0, most);

function wholeSentencesOf(text: string, start: number, most: number): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (to: number): void => {
    const sentence = sentenceOf(text.slice(from, to), start + from);
    if (sentence.text !== '') sentences.push(sentence);
    from = to;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (sentences.length >= most) return sentences;
    const character = text.charAt(at);
    if (character === '\n') cut(at + 1);
    if (!'.!?'.includes(character) || character === '') continue;
    let after = at + 1;
    while (
      after < text.length &&
      (CLOSING.has(text.charAt(after)) || '.!?'.includes(text.charAt(after)))
    )
      after += 1;
    const isEnd = after >= text.length || /^\s$/.test(text.charAt(after));
    if (isEnd && !isAbbreviation(text, from, at)) cut(after);
    // A run of marks is read once, whatever it is.
    at = after - 1;
  }
  cut(text.length);
  return sentences;
}

function isAbbreviation(text: string, from: number, dot: number): boolean {
  if (text.charAt(dot) !== '.') return false;
  let first = dot;
  while (first > from && !/^\s$/.test(text.charAt(first - 1)) && dot - first < 6) first -= 1;
  const word = text.slice(first, dot).toLowerCase().replaceAll('(', '');
  return ABBREVIATIONS.has(word) || /^[a-z]$/.test(word);
}
