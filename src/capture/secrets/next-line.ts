/** A secret whose name stands on one line, and its value on the next: `my password is:`. */
import type { Sentence } from '../sentences/sentence.ts';
import { hasSecret } from './has-secret.ts';

/** What a value is expected behind. */
const LINK = /(?:[:=]|->|→|\b(?:is|are|was|equals|ist|sind|lautet|war|est|es))\s*$/iu;
/** A name and a value are short. */
const MOST_READ = 200;

/** Whether a piece of the text is a secret, or with the line beside it. */
export function holdsSecret(
  content: string,
  { text, start, end }: Pick<Sentence, 'text' | 'start' | 'end'>,
): boolean {
  if (hasSecret(text)) return true;
  const before = content.slice(Math.max(0, start - MOST_READ), start);
  const lead = endsLine(before) ? lastLine(before) : '';
  if (LINK.test(lead) && hasSecret(`${lead.trim()} ${firstLine(text)}`)) return true;
  const tail = text.slice(-MOST_READ);
  if (!LINK.test(tail)) return false;
  const after = content.slice(end, end + MOST_READ);
  const next = endsLine(after.slice(0, after.length - after.trimStart().length))
    ? firstLine(after.trimStart())
    : '';
  return next !== '' && hasSecret(`${lastLine(tail)} ${next}`);
}

/** Only blanks stand behind its last line end. */
const endsLine = (text: string): boolean => text.slice(text.trimEnd().length).includes('\n');
const firstLine = (text: string): string => text.slice(0, MOST_READ).split('\n', 1)[0] ?? '';
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
