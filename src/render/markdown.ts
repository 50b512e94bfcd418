/** A heading for each layer. Its lines are those of XML; headings of layers are ours alone. */
import type { LayerFormat } from './render-layer.ts';

export const markdownFormat: LayerFormat = {
  open: (name) => `## ${name}\n`,
  close: () => '\n',
  guard: (part, layerNames) =>
    layerNames.length === 0 ? part : part.replace(headingOf(layerNames), '\\'),
};

/**
 * A heading of any level with the name of a layer, and the line that would make one of the line
 * above.
 */
const headingOf = (layerNames: readonly string[]): RegExp => {
  const names = layerNames.join('|');
  const underlined = `(?<=^[ \\t]*(?:${names})[ \\t]*\\n)(?=\\\\*[ \\t]*(?:=+|-+)[ \\t]*$)`;
  return new RegExp(`^(?=\\\\*[ \\t]*#{1,6}[ \\t]+(?:${names})[ \\t#]*$)|${underlined}`, 'gim');
};
