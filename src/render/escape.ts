/** Escaping: after it, text cannot open or close a tag, nor end an attribute. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** For text between tags. */
export const escapeText = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

/** For a value in double quotes on one line. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"'\n\t]/g, (character) => ENTITIES[character] ?? character);

/**
 * The manifest's own text stays as it is, but for what could be taken for a tag of one of these layers: its `<` is escaped.
 * Names are `[a-z][a-z0-9_]*`.
 */
export function neutraliseTags(text: string, layerNames: readonly string[]): string {
  if (layerNames.length === 0 || !text.includes('<')) return text;
  return text.replace(new RegExp(`<(?=\\s*/?\\s*(?:${layerNames.join('|')})(?![a-z0-9_]))`, 'gi'), '&lt;');
}
