/** Escaping in XML: what could open or close one of our tags, and nothing else. */

/** `<` before the name of a layer, or what stands for one after this function. */
const tagStart = (layerNames: readonly string[]): RegExp =>
  new RegExp(`(?:<|&(?:amp;)*lt;)(?=\\s*/?\\s*(?:${layerNames.join('|')})(?![a-z0-9_]))`, 'gi');

/**
 * In words of the manifest, whose values are escaped already: what stands for a tag stays as it
 * is, for it opens none.
 */
export const neutraliseOnce = (text: string, layerNames: readonly string[]): string =>
  layerNames.length === 0 || !text.includes('<')
    ? text
    : text.replace(tagStart(layerNames), (match) => (match === '<' ? '&lt;' : match));

/** Can be undone: `<recent>` → `&lt;recent>` → `&amp;lt;recent>`. Names are `[a-z][a-z0-9_]*`. */
export function neutraliseTags(text: string, layerNames: readonly string[]): string {
  if (layerNames.length === 0 || !/[<&]/.test(text)) return text;
  return text.replace(tagStart(layerNames), (match) =>
    match === '<' ? '&lt;' : match.replace('&', '&amp;'),
  );
}
