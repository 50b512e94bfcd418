/** A heading for each layer. Its lines are those of XML; headings of layers are ours alone. */
import { HEADINGS_PLAIN, PLAIN_FORGERIES, type RenderVersion } from '../model/render-version.ts';
import type { LayerFormat } from './render-layer.ts';

export const markdownFormat: LayerFormat = {
  open: (name) => `## ${name}\n`,
  close: () => '\n',
  guard: (part, { layerNames, version, isTrusted }) =>
    layerNames.length === 0 ? part : part.replace(guardedIn(version, isTrusted)(layerNames), '\\'),
};

function guardedIn(
  version: RenderVersion,
  isTrusted: boolean,
): (layerNames: readonly string[]) => RegExp {
  if (version <= HEADINGS_PLAIN) return plainHeadingOf;
  if (version <= PLAIN_FORGERIES) return (names) => headingOf(names, BEFORE_12);
  // Values in words of the manifest are escaped already: behind a backslash nothing is a heading.
  const before = isTrusted ? { ...BEFORE, escapes: '' } : BEFORE;
  return (names) => headingOf(names, before);
}

/** What may stand before a heading: of a text that is escaped already, marks of lists, quotes. */
interface Before {
  readonly escapes: string;
  readonly marks: string;
  readonly underlined: string;
}
const BEFORE_12: Before = { escapes: String.raw`\\*`, marks: '[ \\t>]*', underlined: '[ \\t>]*' };
const BEFORE: Before = {
  escapes: String.raw`\\*`,
  marks: String.raw`(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*`,
  underlined: String.raw`[ \t>+]*(?:\d{1,9}[.)])?`,
};

/** What may stand around a name that a reader takes for the name alone. */
const AROUND = String.raw`[ \t*_~\x60"'“”‘’[\]():.#-]*`;

/**
 * A heading of any level with the name of a layer, decorated or not, in a quote or not; the line
 * that would make one of the line above; and one of HTML.
 */
const headingOf = (layerNames: readonly string[], before: Before): RegExp => {
  const name = `${AROUND}(?:${layerNames.join('|')})(?:\\]\\([^)\\n]*\\))?${AROUND}`;
  const begins = `^(?=${before.escapes}${before.marks}`;
  const line = String.raw`(?=${before.escapes}[ \t>]*(?:=+|-+)[ \t]*$)`;
  const underlined = `(?<=^${before.underlined}${name}\\n)${line}`;
  return new RegExp(
    `${begins}#{1,6}${name}$)|${begins}<h[1-6]\\b[^>]*>(?:\\s|<[^>]*>)*${name}<)|${underlined}`,
    'gim',
  );
};

/**
 * A heading of any level with the name of a layer, and the line that would make one of the line
 * above.
 */
const plainHeadingOf = (layerNames: readonly string[]): RegExp => {
  const names = layerNames.join('|');
  const underlined = `(?<=^[ \\t]*(?:${names})[ \\t]*\\n)(?=\\\\*[ \\t]*(?:=+|-+)[ \\t]*$)`;
  return new RegExp(`^(?=\\\\*[ \\t]*#{1,6}[ \\t]+(?:${names})[ \\t#]*$)|${underlined}`, 'gim');
};
