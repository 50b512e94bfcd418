/**
 * Pieces that say who speaks in what follows: `Bo here.`, `This is Bo.`, `From Bo.`, `Scene 2.`,
 * and marks behind a statement that say where it is from. Of the author they say nothing new.
 */
import { isPartHeading } from './titles.ts';

const NAME = "(\\p{Lu}[\\p{L}\\p{M}'’-]{1,30}(?: \\p{Lu}[\\p{L}\\p{M}'’-]{0,30}){0,2})";
const HELLO = '(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Hh]allo|[Oo]k|[Ss]o|[Aa]nd)[,!]? ){0,2}';
const NAMES: readonly RegExp[] = [
  new RegExp(`^${HELLO}${NAME} (?:here|speaking|again|writing)(?: again)?[.!:,]?$`, 'u'),
  new RegExp(
    `^${HELLO}(?:[Tt]his is|(?:[Ii]t['’]s|[Ii]t is)(?= .* (?:here|speaking)[.!]?$)) ${NAME}(?: (?:here|speaking|again))?[.!:,]?$`,
    'u',
  ),
];
/** A place one is from has the same form, where it answers a question. */
const SOURCE = new RegExp(`^(?:[Ff]rom|[Bb]y|[Vv]ia|[Qq]uoting) ${NAME}[.!:,]?$`, 'u');

interface Asked {
  readonly isAuthor: (name: string) => boolean;
  readonly isName: (text: string) => boolean;
  /** The turn before it asked something. */
  readonly isReply: boolean;
}

/** Whether what follows the piece is said by somebody else. */
export function handsOver(text: string, { isAuthor, isName, isReply }: Asked): boolean {
  if (text.length > MOST_READ) return false;
  if (isPartHeading(text)) return true;
  const found = NAMES.map((form) => form.exec(text)?.[1]).find((name) => name !== undefined);
  const name = found ?? (isReply ? undefined : SOURCE.exec(text)?.[1]);
  return name !== undefined && isName(name) && !isAuthor(name);
}
const MOST_READ = 80;

const TEXTS =
  'letters?|mails?|e-?mails?|messages?|texts?|blogs?|posts?|tweets?|diary|diaries|journal|book|novel|story|song|lyrics|poem|bio|profile|article|interview|review|script|film|movie|speech|cv|resume';
/** `I live in Rome (from Bo's letter).`; of a text of one's own it is one's own. */
const SOURCED = new RegExp(
  `[([](?!(?:\\S+ )?my )(?:(?:from|in|out of|per|via|by|see|source:?|quoted? from|quote from|taken from|copied from) [^()\\n]{0,60}?\\b(?:${TEXTS})|(?:says?|said|writes?|wrote|quoting|quote|quoted|according to|source:?) [^()\\n]{1,60})[^()\\n]{0,40}[)\\]][.!]?$`,
  'iu',
);
export const isSourced = (text: string): boolean =>
  /[)\]][.!]?$/.test(text) && SOURCED.test(text.slice(-MOST_SOURCE));
const MOST_SOURCE = 200;

/** `Bo, on his blog`, `Bo, 34`, `Bo, in a letter to her`: a name, and where they said it. */
const ASIDE =
  /^([^,]{1,60}), (?:(?:on|in|at|via|from|to|through) (?:his|her|their|the|an?|my|our) (?!.*\b(?:note|point|question|word|nutshell|hurry|sidenote)\b)|(?:his|her|their|my|our) |\d{1,3}$)/u;
/** The name before such an aside; null = there is none. */
export const nameBeforeAside = (label: string): string | null => ASIDE.exec(label)?.[1] ?? null;
