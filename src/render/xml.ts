/** Each layer in a tag of its name. */
import { neutraliseTags } from './escape.ts';
import type { LayerFormat } from './render-layer.ts';

export const xmlFormat: LayerFormat = {
  open: (name) => `<${name}>\n`,
  close: (name) => `</${name}>\n`,
  guard: neutraliseTags,
};
