/**
 * Steps in one line: `To deploy: 1. run the tests 2. push the tag`. Read sentence by sentence they
 * are scraps. What a person numbers of themselves, or lists, is none: `1. I'm vegan 2. …`.
 */
import * as rules from '../gate/gate-rules.ts';
import { begins, isTooLong, sentenceOf } from '../sentences/sentence.ts';

/** In the line: from the sentence that leads them in. */
interface Steps {
  readonly start: number;
  readonly end: number;
}

export function inlineSteps(text: string): Steps | null {
  if (isTooLong({ text })) return null;
  const marks = risingMarks(text);
  const [first] = marks;
  if (!first || marks.length < 2) return null;
  const before = text.slice(0, first.start);
  const start = before.length - (LAST_SENTENCE.exec(before)?.[0].length ?? 0);
  const items = marks.map(({ end }, at) => text.slice(end, marks[at + 1]?.start).trim());
  if (items.some((item) => item === '' || OF_SELF.test(item))) return null;
  const isDone = items.filter((item) => IMPERATIVE.test(item)).length * 2 >= items.length;
  const lead = text.slice(start, first.start).replace(/^\s*[-*•]\s+/u, '');
  if (!STRONG_LEAD.test(lead) && !(isDone && mayLead(lead))) return null;
  const tail = marks.at(-1)?.end ?? 0;
  const own = OWN_TAIL.exec(text.slice(tail));
  return { start, end: own ? tail + own.index + 1 : text.length };
}

const MARK = /(?:^|\s)\(?(\d{1,2})[.)]\s+(?=\S)/g;
/** 1, 2, 3 …: where each begins and ends. */
function risingMarks(text: string): readonly Steps[] {
  const marks: Steps[] = [];
  for (const { 0: mark, 1: number, index } of text.matchAll(MARK))
    if (Number(number) === marks.length + 1) marks.push({ start: index, end: index + mark.length });
  return marks;
}

const LAST_SENTENCE = /(?<=^|[.!?]\s)[^.!?]*$/;
/** What a person tells of themselves is no step. */
export const OF_SELF = /^(?:I|I['’]\p{L}+|my|mine|im|ive)\b/iu;
const OWN_TAIL = /[.!?]\s+(?=(?:I|I['’]\p{L}+|My|We|We['’]\p{L}+|Our)\b)/u;
const STRONG_LEAD =
  /^\s*(?:(?:so|and|ok|also|note|reminder|remember)[,:]? )?(?:to (?!buy|do\b|get|pack|read|watch|visit|see|name)\p{L}+|how (?:to|i|we|do|does|you)\b|(?:the |our |my |these )?(?:[\p{L}-]+ ){0,2}(?:steps|procedure|process|workflow|runbook|checklist|recipe)\b)[^:]{0,100}:\s*$/iu;
const WEAK_LEAD =
  /^\s*(?:(?:when(?:ever)?|before|after|for|if|every|each|on|in case)\b[^:]{0,100}[:,]?\s*)?$/i;
/** With these in front they are a task, which the gate says. */
const mayLead = (lead: string): boolean =>
  WEAK_LEAD.test(lead) || begins(sentenceOf(lead, 0), rules.TASK_STARTS);
const IMPERATIVE =
  /^[`*_"]*(?:run|bump|tag|push|pull|merge|build|deploy|test|check|open|close|click|select|choose|pick|go|enter|type|save|copy|paste|install|configure|log|restart|stop|start|export|import|upload|download|create|delete|add|remove|update|edit|fix|write|review|approve|announce|notify|wait|verify|confirm|ping|tell|ask|send|call|email|publish|release|ship|sign|rebase|squash|commit|checkout|branch|back|restore|migrate|seed|drain|scale|rotate|enable|disable|mix|bake|boil|stir|pour|heat|cut|chop|serve|press|hold|turn|switch|plug|unplug|take|put|set|use|make|find|drop|lock|unlock|post|clean|rename|move|revert|roll|generate|read|git|npm|npx|pnpm|yarn|make|docker|kubectl|cargo|pip)\b/i;
