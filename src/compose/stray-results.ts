/**
 * Results of tools whose calls are not among the messages, as where the history begins between a
 * call and its result. No provider takes a result without its call, and they are no user's words:
 * they stand in the system context, as the text has them.
 */
import type { ComposedItem, CompositionData } from '../model/composition.ts';
import { readsAsOurs } from '../render/lines.ts';

const MARK = '(Results of tools whose calls are not among the messages:)\n';

/** A part of the context with the results, in the tag of their layer; '' = there are none. */
export function strayText(
  { text, segments }: Pick<CompositionData, 'text' | 'segments'>,
  results: readonly ComposedItem[],
): string {
  let end = 0;
  const parts = segments.flatMap(({ layer, length }) => {
    const part = text.slice(end, (end += length));
    const own = results.filter((item) => item.layer === layer);
    return own.length === 0 ? [] : [partWith(part, layer, own)];
  });
  return parts.length === 0 ? '' : MARK + parts.join('');
}

/** The part with these items alone. Where one begins and ends is told by lines that are ours. */
function partWith(part: string, layer: string, items: readonly ComposedItem[]): string {
  const close = [`</${layer}>\n`, '\n'].find((ending) => part.endsWith(ending)) ?? '';
  const lines = part.slice(0, part.length - close.length).split(/(?<=\n)/);
  const first = lines.findIndex(isOurs);
  const kept = lines.slice(0, Math.max(0, first));
  let head = '';
  let shownHead = '';
  let isKept = false;
  for (const line of lines.slice(kept.length)) {
    if (isOurs(line)) {
      if (line.startsWith('@')) head = line;
      isKept = items.some(({ id }) => beginsWith(line, id ?? ''));
      if (isKept && head !== shownHead) kept.push((shownHead = head));
    }
    if (isKept) kept.push(line);
  }
  return kept.join('') + close;
}

/** What is escaped begins with blanks or a backslash. */
const isOurs = (line: string): boolean =>
  !/^[\\\s]/.test(line) && readsAsOurs(line.replace(/\n$/, ''));
const beginsWith = (line: string, id: string): boolean =>
  [`[${id}]`, `#${id} `, `#${id}\n`].some((head) => line.startsWith(head));
