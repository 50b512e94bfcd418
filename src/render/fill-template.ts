/** Fills the placeholders of a manifest's text. */
import {
  PLAIN_FORGERIES,
  RENDER_VERSION,
  type RenderVersion,
  SAID_EACH_TIME,
} from '../model/render-version.ts';
import { visibleText } from '../text/visible-text.ts';

/** What opens or closes a tag, whatever its name: the author's own tags hold as well. */
const TAG_START_12 = /(?:<|&(?:amp;)*lt;)(?=\s*(?:[/!?]\s*)?[a-z])/gi;
/**
 * The same, what opens a comment or a section that hides what stands behind it, and at the end of a
 * value what could do so with what stands behind its placeholder.
 */
const TAG_START = /(?:<|&(?:amp;)*lt;)(?=\s*(?:!\s*[-[>]|(?:[/!?]\s*)?(?:[a-z]|$)))/gi;
/** What begins a block of Markdown: a heading, a quote, a fence, a rule, an underline. */
const BLOCK_START_11 = /^(?=[ \t]*(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|={2,}[ \t]*$|-{2,}[ \t]*$))/gm;
/** Behind a line of its own, one sign underlines as well. A list stays one. */
const BLOCK_START_12 =
  /^(?=[ \t]*(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|(?:=[ \t]*)+$|([-*_])(?:[ \t]*\1)+[ \t]*$|-[ \t]*$))/gm;
/** Behind the marks of a list as well. */
const BLOCK_START = new RegExp(
  String.raw`^(?=[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+(?:#{1,6}(?:[ \t]|$)|>|\x60{3}|~{3}))|` +
    BLOCK_START_12.source,
  'gm',
);

const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]+/;
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Replaces `{{name}}` by its value: the template is trusted, what stands in for a placeholder is
 * not. Values are not searched for placeholders. A name without a value stays as it stands; the
 * manifest check has refused it before. The lines and tags of layers are the renderer's to guard.
 * A title is one line; of another value every line is made harmless by itself.
 */
export function fillTemplate(
  text: string,
  values: Readonly<Record<string, string>>,
  version: RenderVersion = RENDER_VERSION,
): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string, at: number) => {
    const key = name.trim();
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) return whole;
    const isOnOneLine = version <= SAID_EACH_TIME || key === TITLE;
    const shown = harmless(isOnOneLine ? onOneLine(value) : onItsLines(value), version);
    const isHidden = version > PLAIN_FORGERIES && isInComment(text, at);
    return isHidden ? shown.replaceAll('>', '&gt;') : shown;
  });
}

/** What ends a comment of the template would show the rest of it. */
const isInComment = (text: string, at: number): boolean =>
  text.lastIndexOf('<!--', at) > text.lastIndexOf('-->', at);

const TITLE = 'scope.title';

function onItsLines(value: string): string {
  const lines = value.split(LINE_BREAK);
  const isFilled = (line: string): boolean => line !== '';
  return lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1).join('\n');
}

const onOneLine = (value: string): string => {
  const lines = value.split(LINE_BREAKS);
  return lines.length === 1 ? value : lines.map((line) => line.trim()).join(' ');
};

const harmless = (value: string, version: RenderVersion): string =>
  visibleText(value)
    .replace(version > PLAIN_FORGERIES ? TAG_START : TAG_START_12, (match) =>
      match === '<' ? '&lt;' : match.replace('&', '&amp;'),
    )
    .replace(blockStart(version), '\\');

function blockStart(version: RenderVersion): RegExp {
  if (version <= SAID_EACH_TIME) return BLOCK_START_11;
  return version <= PLAIN_FORGERIES ? BLOCK_START_12 : BLOCK_START;
}
