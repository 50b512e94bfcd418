/** What the author of a manifest wrote for a layer: its `text`, then its file. */
import type { LayerSettings } from '../model/manifest.ts';

const isBreak = (character: string | undefined): boolean =>
  character === '\n' || character === '\r';

function cutBreaks(text: string): string {
  let end = text.length;
  while (isBreak(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/**
 * Without the line breaks at its end: `text: |` of YAML and every file end with one, which would be
 * an empty line before the tag that closes the layer. `isAsWritten`: with them.
 */
export const authoredText = (
  { text, file }: Pick<LayerSettings, 'text' | 'file'>,
  { isAsWritten = false }: { readonly isAsWritten?: boolean } = {},
): string =>
  [text, file?.content]
    .map((part) => (isAsWritten ? (part ?? '') : cutBreaks(part ?? '')))
    .filter((part) => part !== '')
    .join('\n\n');
