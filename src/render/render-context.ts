/** Renders layers to the text that a model reads. Pure: the same layers give the same bytes. */
import { assertThat } from '../errors.ts';
import type { RenderFormat } from '../model/manifest.ts';
import { datamarker } from './datamark.ts';
import { markdownFormat } from './markdown.ts';
import type { LayerFormat, RenderLayer, RenderOptions, RenderPart } from './render-layer.ts';
import { xmlFormat } from './xml.ts';

export interface RenderedContext {
  readonly text: string;
  /** UTF-16 units of the leading static layers. */
  readonly staticLength: number;
}

const FORMATS: Readonly<Record<RenderFormat, LayerFormat>> = { xml: xmlFormat, markdown: markdownFormat };
const NAME = /^[a-z][a-z0-9_]*$/;

/** Layers in the given order; one that holds nothing is left out. */
export function renderContext(layers: readonly RenderLayer[], options: RenderOptions): RenderedContext {
  const rendered = layers.map((layer) => renderLayer(layer, options));
  const firstDynamic = layers.findIndex((layer) => !layer.isStatic);
  const isLeading = (index: number): boolean => firstDynamic < 0 || index < firstDynamic;
  return { text: rendered.join(''), staticLength: rendered.filter((_, index) => isLeading(index)).join('').length };
}

/** One item or trusted text as it stands in the whole. */
export function renderPart(part: RenderPart, options: RenderOptions): string {
  const format = FORMATS[options.format];
  if ('kind' in part) return part.text === '' ? '' : format.trusted(part.text, options.layerNames);
  for (const name of [part.tag, ...Object.keys(part.attributes)])
    assertThat(NAME.test(name), `a tag or attribute name is [a-z][a-z0-9_]*, not "${name}"`);
  return format.item(part, options.datamark === null ? null : datamarker(options.datamark));
}

function renderLayer(layer: RenderLayer, options: RenderOptions): string {
  assertThat(NAME.test(layer.name), `a layer name is [a-z][a-z0-9_]*, not "${layer.name}"`);
  const parts = layer.body.kind === 'trusted' ? [layer.body] : layer.body.items;
  const body = parts.map((part) => renderPart(part, options)).join('');
  if (body === '') return '';
  const format = FORMATS[options.format];
  return format.open(layer.name, layer.note ?? null) + body + format.close(layer.name);
}
