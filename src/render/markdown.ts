/** A heading per layer, a line of attributes and a quote per item. Every line of content begins with `>`, so content cannot end its quote. */
import { markData } from './datamark.ts';
import { escapeAttribute } from './escape.ts';
import type { LayerFormat } from './render-layer.ts';
import { visibleText } from './visible-text.ts';

export const markdownFormat: LayerFormat = {
  open: (name, note) => (note === null ? `## ${name}\n\n` : `## ${name}\n\n${visibleText(note).replaceAll('\n', ' ')}\n\n`),
  close: () => '',
  item: ({ tag, text, attributes }, marker) => {
    const shown = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(visibleText(value))}"`);
    const visible = visibleText(text);
    const lines = (marker === null ? visible : markData(visible, marker)).split('\n');
    return `[${tag}${shown.join('')}]\n${lines.map((line) => (line === '' ? '>\n' : `> ${line}\n`)).join('')}\n`;
  },
  // a line that would read as the heading of a layer is escaped
  trusted: (text, layerNames) =>
    layerNames.length === 0
      ? `${text}\n\n`
      : `${text.replace(new RegExp(`^(?=[ \\t]*##[ \\t]+(?:${layerNames.join('|')})[ \\t#]*$)`, 'gm'), '\\')}\n\n`,
};
