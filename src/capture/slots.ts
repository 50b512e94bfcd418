/**
 * Slots: what a statement is about, so that a later one about the same takes its place without a
 * model. A slot is single: a person lives in one place, and likes a thing or does not.
 */
import type { Sentence } from './sentence.ts';

export interface Slot {
  /** Of the subject: `home`, `employer`, `favorite color`, `like tea`. */
  readonly name: string;
  readonly value: string;
  /** The slot is empty from now on: `I no longer work at Acme`. */
  readonly isEnd: boolean;
}

interface Pattern {
  readonly slot: string;
  readonly starts: readonly string[];
}

const SINGLE: readonly Pattern[] = [
  {
    slot: 'home',
    starts: [
      'i live in',
      "i'm living in",
      'i am living in',
      "i'm based in",
      'i am based in',
      'i moved to',
      'i just moved to',
      "i've moved to",
      'i have moved to',
      'i moved back to',
      'i relocated to',
      'i now live in',
      'my home is in',
      'my home is',
    ],
  },
  {
    slot: 'employer',
    starts: [
      'i work at',
      'i work for',
      'i now work at',
      'i now work for',
      "i'm working at",
      'i am working at',
      "i'm employed at",
      "i'm employed by",
      'i started working at',
      'i started working for',
      'my employer is',
      'my company is',
    ],
  },
  {
    slot: 'occupation',
    starts: [
      'i work as',
      'i now work as',
      'my job is',
      'my role is',
      'my job title is',
      'my title is',
    ],
  },
  { slot: 'name', starts: ['my name is', "my name's", 'call me', 'address me as', 'i go by'] },
];
const ENDS: readonly Pattern[] = [
  {
    slot: 'home',
    starts: [
      'i no longer live in',
      "i don't live in",
      'i do not live in',
      'i moved away from',
      'i moved out of',
    ],
  },
  {
    slot: 'employer',
    starts: [
      'i no longer work at',
      'i no longer work for',
      "i don't work at",
      "i don't work for",
      'i quit my job at',
      'i left my job at',
      'i stopped working at',
      'i stopped working for',
    ],
  },
];
const LIKES: readonly string[] = [
  'i like',
  'i really like',
  'i love',
  'i really love',
  'i enjoy',
  'i adore',
  'i like to',
  'i love to',
  "i'm a fan of",
  'i eat',
  'i drink',
];
const DISLIKES: readonly string[] = [
  "i don't like",
  'i do not like',
  'i no longer like',
  'i dislike',
  'i hate',
  'i really hate',
  "i can't stand",
  'i cannot stand',
  "i don't enjoy",
  "i don't eat",
  "i don't drink",
  'i stopped eating',
  'i stopped drinking',
  "i'm not a fan of",
  'i no longer eat',
  'i no longer drink',
];

const TRAILING: ReadonlySet<string> = new Set(
  'now anymore any more again too also today currently though actually instead yesterday'.split(
    ' ',
  ),
);
const CUTS: ReadonlySet<string> = new Set(
  'because since so but which where when while after before as with and for from until though last next this yesterday'.split(
    ' ',
  ),
);
const DETERMINERS: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** The words that a value is: up to what only explains it. */
function valueIn(words: readonly string[]): string {
  const cut = words.findIndex((word, index) => index > 0 && CUTS.has(word));
  const kept = [...(cut === -1 ? words : words.slice(0, cut))];
  while (kept.length > 1 && TRAILING.has(kept.at(-1) ?? '')) kept.pop();
  while (kept.length > 1 && DETERMINERS.has(kept[0] ?? '')) kept.shift();
  return kept.slice(0, 12).join(' ');
}

const restOf = ({ plain }: Sentence, starts: readonly string[]): readonly string[] | null => {
  const start = starts
    .filter((each) => plain.startsWith(` ${each} `))
    .sort((a, b) => b.length - a.length)[0];
  return start === undefined
    ? null
    : plain
        .slice(start.length + 2)
        .trim()
        .split(' ');
};

export function slotOf(sentence: Sentence): Slot | null {
  for (const { slot, starts } of ENDS) {
    const rest = restOf(sentence, starts);
    if (rest) return { name: slot, value: valueIn(rest), isEnd: true };
  }
  for (const { slot, starts } of SINGLE) {
    const rest = restOf(sentence, starts);
    if (rest) return { name: slot, value: valueIn(rest), isEnd: false };
  }
  return likingOf(sentence) ?? attributeOf(sentence);
}

function likingOf(sentence: Sentence): Slot | null {
  const disliked = restOf(sentence, DISLIKES);
  const liked = disliked ?? restOf(sentence, LIKES);
  if (!liked) return null;
  return { name: `like ${valueIn(liked)}`, value: disliked ? 'no' : 'yes', isEnd: false };
}

const MOST_ATTRIBUTE_WORDS = 4;
/** What a person has one of. `My sister is ill` says nothing of who the sister is. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'email mail phone number birthday address zone timezone manager boss city town hometown ' +
    'age height weight size title deadline budget rate salary employer ' +
    'company school university major username handle nickname name language pronouns color ' +
    'dentist doctor landlord diet'
  ).split(' '),
);

/** `my favourite colour is green`, `my time zone is now CET`. */
function attributeOf({ words }: Sentence): Slot | null {
  if (words[0] !== 'my') return null;
  const is = words.findIndex((word) => word === 'is' || word === 'are');
  if (is < 2 || is > MOST_ATTRIBUTE_WORDS) return null;
  const name = words
    .slice(1, is)
    .map((word) => word.replace(/^favourite$/, 'favorite').replace(/^colour$/, 'color'))
    .filter((word) => word !== 'new' && word !== 'current')
    .join(' ');
  const value = valueIn(words.slice(is + 1).filter((word, index) => index > 0 || word !== 'now'));
  const isSingle = /^(?:favorite|preferred) /.test(name) || ATTRIBUTES.has(words[is - 1] ?? '');
  return value === '' || !isSingle ? null : { name, value, isEnd: false };
}
