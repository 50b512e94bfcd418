/** `Don't use emojis`, `reply in French from now on`: how all answers are to read. */
import { LANGUAGE } from './languages.ts';
import type { Sentence } from './sentence.ts';

const LASTING =
  'from now on|from here on|always|in future|in the future|going forward|by default|in general|generally|at all times|every time|for all (?:answers|replies)|in all (?:your )?(?:answers|replies)';

const STYLE: readonly RegExp[] = [
  /^ (?:please )?(?:don't|do not|never|avoid|skip|no|stop) (?:use |using |add |adding |write |writing |send |put |include |give me )?(?:any |too many |so many |the )?(?:emojis?|emoticons|smileys|jargon|bullet points?|bullets|slang|markdown|exclamation marks?|hashtags|headings|tables|acronyms|abbreviations|filler|disclaimers|footnotes)(?: (?:please|in (?:your |the |any )?(?:answers?|replies|responses|messages)|with me|for me|at all|ever|anymore|any more))* $/,
  /^ (?:please |always )*(?:answer|reply|respond|keep (?:your |the |all )?(?:answers|replies|responses)) (?:me )?(?:very |more |as )?(?:short|briefly|brief|concisely|concise|simply|simple|formally|formal|informally|informal|casual|to the point|in (?:short|full|plain|simple|whole|complete) (?:sentences|words|terms|language))(?: (?:please|with me|from now on|in general|always|at all times))* $/,
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
