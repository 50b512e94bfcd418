/** What is looked up: an address, a path, a command, an id, and of what it is one. */
import { isKnownWord } from '../../text/known-words.ts';
import { begins, hasAny, type Sentence } from '../sentences/sentence.ts';
import * as rules from './gate-rules.ts';

const LOOKUP_VALUE =
  /https?:\/\/|[\w.-]{2,80}@[\w-]{2,60}\.|[0-9a-f]{8}-[0-9a-f]{4}-|`[^`]{2,200}`|(?:^|\s)[~.]?\/[\w.-]{2,60}|(?:^|\s)[\w-]{1,60}\/[\w.-]{1,60}|#[a-z][\w-]{2,40}|\b[A-Z]{2,10}-\d{1,8}\b|\b\d{4,8}\b|\b[\w-]{1,60}\.(?:com|io|dev|internal|local|net|org|yaml|yml|json|ts|md|sh|toml)\b| is (?:npm|pnpm|yarn|npx|bun|make|cargo|docker|pytest|gradle|mvn|uv|poetry) [\w:-]{2,40}/;
/** An address beyond doubt: what is, or is in, such a one is looked up. */
const ADDRESS =
  /https?:\/\/|[0-9a-f]{8}-[0-9a-f]{4}-|(?:^|\s)[~.]?\/[\w.-]{2,60}|(?:^|\s)[\w-]{1,60}\/[\w.-]{1,60}|(?:^|\s)#[a-z][\w-]{2,40}|\b[\w-]{1,60}\.(?:com|io|dev|internal|local|net|org|yaml|yml|json|ts|md|sh|toml)\b/;
/** `a team/support` is two words, and no path. */
const hasAddress = (text: string): boolean =>
  ADDRESS.test(text.replaceAll(/(?<=^|\s)(\p{L}+)\/(\p{L}+)(?=$|[\s,.!?])/gu, isEither));
const isEither = (whole: string, first: string, second: string): string =>
  isKnownWord(first.toLowerCase()) && isKnownWord(second.toLowerCase()) ? '' : whole;
const LINKS = [
  'is',
  'are',
  'is in',
  'are in',
  'is at',
  'is on',
  'are at',
  'are on',
  'lives at',
  'lives in',
];
/** `12/15/2026` is a day, and no path. */
const DAY = /(?<![\w./-])\d{1,4}\/\d{1,2}\/\d{1,4}(?![\w/-])/g;
const shownIn = ({ text }: Sentence): string => text.slice(0, 2000).replaceAll(DAY, '');
export const isLookup = (sentence: Sentence): boolean =>
  ((hasAny(sentence, rules.LOOKUPS) && LOOKUP_VALUE.test(shownIn(sentence))) ||
    (hasAny(sentence, LINKS) && hasAddress(shownIn(sentence)))) &&
  !begins(sentence, rules.DOING) &&
  !begins(sentence, [
    'i',
    "i'm",
    'you',
    'it',
    "it's",
    'that',
    'this',
    'they',
    'he',
    'she',
    'there',
    'here',
    'what',
  ]);

/** `Our staging server is at https://…`: looked up, whoever said it; `my email` is of a person. */
export const isAddressOfThing = (sentence: Sentence): boolean =>
  OF_THING.test(sentence.plain) &&
  /https?:\/\/|\bssh:\/\/|\.(?:internal|local|dev|io)\b/.test(sentence.text.slice(0, 2000)) &&
  isLookup(sentence);
const OF_THING = /^ (?:our|the) (?!website |portfolio |address )/;
