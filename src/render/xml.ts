/** Each layer in a tag of its name. */
import { SAID_EACH_TIME } from '../model/render-version.ts';
import { neutraliseOnce, neutraliseTags } from './escape.ts';
import type { LayerFormat } from './render-layer.ts';

export const xmlFormat: LayerFormat = {
  open: (name) => `<${name}>\n`,
  close: (name) => `</${name}>\n`,
  guard: (part, { layerNames, version, isTrusted }) =>
    isTrusted && version > SAID_EACH_TIME
      ? neutraliseOnce(part, layerNames)
      : neutraliseTags(part, layerNames),
};
