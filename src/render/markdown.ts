/** A heading for each layer. Its lines are those of XML; headings of layers are ours alone. */
import { HEADINGS_PLAIN, PLAIN_FORGERIES, type RenderVersion } from '../model/render-version.ts';
import { guardHeadings } from './guard-headings.ts';
import type { LayerFormat } from './render-layer.ts';

export const markdownFormat: LayerFormat = {
  open: (name) => `## ${name}\n`,
  close: () => '\n',
  guard: (part, { layerNames, version, isTrusted }) => {
    if (layerNames.length === 0) return part;
    return version <= PLAIN_FORGERIES
      ? part.replace(guardedIn(version)(layerNames), '\\')
      : guardHeadings(part, { layerNames, version, isTrusted });
  },
};

const guardedIn = (version: RenderVersion): ((layerNames: readonly string[]) => RegExp) =>
  version <= HEADINGS_PLAIN ? plainHeadingOf : headingOf;

/** What may stand around a name that a reader takes for the name alone. */
const AROUND = String.raw`[ \t*_~\x60"'“”‘’[\]():.#-]*`;

/**
 * A heading of any level with the name of a layer, decorated or not, in a quote or not; the line
 * that would make one of the line above; and one of HTML.
 */
const headingOf = (layerNames: readonly string[]): RegExp => {
  const name = `${AROUND}(?:${layerNames.join('|')})(?:\\]\\([^)\\n]*\\))?${AROUND}`;
  const begins = String.raw`^(?=\\*[ \t>]*`;
  const line = String.raw`(?=\\*[ \t>]*(?:=+|-+)[ \t]*$)`;
  const underlined = `(?<=^[ \\t>]*${name}\\n)${line}`;
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
