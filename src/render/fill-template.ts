/** Fills the placeholders of a manifest's text. */
import { visibleText } from '../text/visible-text.ts';

/** What opens or closes a tag, whatever its name: the author's own tags hold as well. */
const TAG_START = /(?:<|&(?:amp;)*lt;)(?=\s*(?:[/!?]\s*)?[a-z])/gi;
/** What begins a block of Markdown: a heading, a quote, a fence, a rule, an underline. */
const BLOCK_START = /^(?=[ \t]*(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|={2,}[ \t]*$|-{2,}[ \t]*$))/gm;

/** A value stands in a sentence of the author: a line of its own would read as one of theirs. */
const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]+/;

/**
 * Replaces `{{name}}` by its value: the template is trusted, what stands in for a placeholder is
 * not. Values are not searched for placeholders. A name without a value stays as it stands; the
 * manifest check has refused it before. The lines and tags of layers are the renderer's to guard.
 */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const key = name.trim();
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return value === undefined ? whole : harmless(value);
  });
}

const onOneLine = (value: string): string => {
  const lines = value.split(LINE_BREAKS);
  return lines.length === 1 ? value : lines.map((line) => line.trim()).join(' ');
};

const harmless = (value: string): string =>
  visibleText(onOneLine(value))
    .replace(TAG_START, (match) => (match === '<' ? '&lt;' : match.replace('&', '&amp;')))
    .replace(BLOCK_START, '\\');
