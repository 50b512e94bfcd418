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
  trusted: (text, layerNames) => `${neutraliseLines(text, layerNames)}\n\n`,
};

/** What a value in a placeholder could forge: the line that begins an item. */
const ITEM_LINE = /^(?=\[[a-z][a-z0-9_]*(?: [a-z][a-z0-9_]*="[^"\n]*")*\]$)/gm;

/** Lines of trusted text that would read as the heading of a layer or as the beginning of an item are escaped. */
function neutraliseLines(text: string, layerNames: readonly string[]): string {
  const withoutItems = text.replace(ITEM_LINE, '\\');
  return layerNames.length === 0
    ? withoutItems
    : withoutItems.replace(new RegExp(`^(?=[ \\t]*##[ \\t]+(?:${layerNames.join('|')})[ \\t#]*$)`, 'gm'), '\\');
}
