/** `Don't use emojis`, `reply in French from now on`: how all answers are to read. */
import { LANGUAGE } from '../sentences/languages.ts';
import type { Sentence } from '../sentences/sentence.ts';

const LASTING =
  'from now on|from here on|always|in future|in the future|going forward|by default|in general|generally|at all times|every time|for all (?:answers|replies)|in all (?:your )?(?:answers|replies)';

const MARKS =
  'emojis?|emoticons|smileys|jargon|bullet points?|bullets|slang|markdown|exclamation marks?|hashtags|headings|tables|acronyms|abbreviations|filler|disclaimers|footnotes';
const WHERE =
  '(?: (?:please|in (?:your |the |any )?(?:answers?|replies|responses|messages)|with me|for me|at all|ever|anymore|any more))*';

const LENGTHS =
  'short|shorter|brief|briefer|concise|succinct|terse|long|longer|detailed|thorough|elaborate';
const MORE = '(?:(?:a bit|a little|much|even|more|less|very|as|rather) )*';
const TAIL =
  '(?: (?:please|as possible|with me|with your (?:answers|replies)|in (?:your |the )?(?:answers|replies|responses)|' +
  'from now on|in general|always|at all times))*';

const STYLE: readonly RegExp[] = [
  new RegExp(
    "^ (?:please )?(?:don't|do not|never|avoid|skip|no|stop) (?:use |using |add |adding |write |writing |send |put |include |give me )?" +
      `(?:any |too many |so many |the )?(?:${MARKS})${WHERE} $`,
  ),
  new RegExp(`^ (?:please |always )*use (?:fewer|less|no|more) (?:${MARKS})${WHERE} $`),
  /^ (?:please |always )*(?:give|write|send|use|make)(?: me)? (?:only |your |the )?(?:very |more )?(?:short|shorter|brief|briefer|concise|longer|detailed|simple|simpler|formal|informal)(?: answers| replies| responses)(?: (?:please|from now on|in general|always))* $/,
  /^ (?:please |always )*(?:answer|reply|respond|keep (?:your |the |all )?(?:answers|replies|responses)) (?:me )?(?:very |more |as )?(?:short|briefly|brief|concisely|concise|simply|simple|formally|formal|informally|informal|casual|to the point|in (?:short|full|plain|simple|whole|complete) (?:sentences|words|terms|language))(?: (?:please|with me|from now on|in general|always|at all times))* $/,
  new RegExp(
    `^ (?:please |always )*(?:make|keep|have) (?:your |the |all |my |of )*(?:answers|replies|responses|explanations) ${MORE}(?:${LENGTHS})${TAIL} $`,
  ),
  new RegExp(`^ (?:please |always )*be ${MORE}(?:${LENGTHS})${TAIL} $`),
  new RegExp(
    `^ (?:please |you can |you may |ok |now )*use (?:the )?(?:${MARKS}) (?:again|from now on)${WHERE} $`,
  ),
  new RegExp(
    `^ (?:please |ok |and |now )*(?:back to|(?:back )?in) (?:${LANGUAGE}) again(?: please)? $`,
  ),
  // By itself a language may be that of one answer.
  new RegExp(
    `^ (?:please |only )*(?:answer|reply|respond|write|speak|talk) (?:to )?(?:me |us )?(?:only )?in (?:${LANGUAGE})(?: please| only)* (?:${LASTING})(?: please)? $`,
  ),
  new RegExp(
    `^ (?:please )?(?:${LASTING}) (?:please |only )*(?:answer|reply|respond|write|speak|talk) (?:to )?(?:me |us )?(?:only )?in (?:${LANGUAGE})(?: please| only)* $`,
  ),
];
export const isAnswerStyle = ({ plain }: Pick<Sentence, 'plain'>): boolean =>
  STYLE.some((form) => form.test(plain));

/** `Reply to me in German`; whoever asks for it politely asks for all answers. */
export const isAnswerLanguage = ({ plain }: Pick<Sentence, 'plain'>): boolean =>
  IN_LANGUAGE.test(plain);
const IN_LANGUAGE = new RegExp(
  `^ (?:please |always |only )*(?:answer|reply|respond|speak|talk|write) (?:to )?(?:me |us )?(?:only )?in (?:${LANGUAGE})(?: please| only)* $`,
);

const ASIDE = '(?:please|pls|plz|kindly|maybe|just|also|possibly|perhaps|try to)';
const POLITE = new RegExp(
  `^(?:(?:hey|hi|ok|okay|so|and|btw|${ASIDE}),? )*(?:(?:can|could|would|will) (?:you|u)|` +
    `(?:i['’]d|i would|i) (?:like|want|need|prefer) you to)(?: ${ASIDE},?)* `,
  'iu',
);
/** How a request begins that is put as a question or a wish; 0 = it is put as neither. */
export const politeLength = (text: string): number =>
  POLITE.exec(text.slice(0, MOST_POLITE))?.[0].length ?? 0;
const MOST_POLITE = 80;

/** Of what an order says that answers are to have it, or none of it; null = it says neither. */
export function answerMarkIn(
  plain: string,
): { readonly mark: string; readonly has: boolean } | null {
  const [, none, fewer, more, again] = MARK_ORDERS.exec(plain) ?? [];
  const mark = none ?? fewer ?? more ?? again;
  if (mark === undefined) return null;
  return { mark: mark.replace(/s$/, ''), has: none === undefined && fewer === undefined };
}
const MARK_ORDERS = new RegExp(
  '^ (?:please |ok |you can |you may |now )*(?:' +
    `(?:don't|do not|never|avoid|skip|no|stop) (?:use |using |add |adding |write |writing |send |put |include |give me )?(?:any |too many |so many |the )?(${MARKS})|` +
    `use (?:fewer|less|no) (${MARKS})|use more (${MARKS})|use (?:the )?(${MARKS}) (?:again|from now on))${WHERE} $`,
);
