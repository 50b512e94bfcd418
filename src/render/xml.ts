/** Each layer in a tag of its name, each item in a tag of its kind: one element per item, no nesting below. */
import { markData } from './datamark.ts';
import { escapeAttribute, escapeText, neutraliseTags } from './escape.ts';
import type { LayerFormat } from './render-layer.ts';
import { visibleText } from './visible-text.ts';

export const xmlFormat: LayerFormat = {
  open: (name, note) => (note === null ? `<${name}>\n` : `<${name}>\n${escapeText(visibleText(note)).replaceAll('\n', ' ')}\n`),
  close: (name) => `</${name}>\n`,
  item: ({ tag, text, attributes }, marker) => {
    const shown = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(visibleText(value))}"`);
    const visible = visibleText(text);
    return `<${tag}${shown.join('')}>${escapeText(marker === null ? visible : markData(visible, marker))}</${tag}>\n`;
  },
  trusted: (text, layerNames) => `${neutraliseTags(text, layerNames)}\n`,
};
