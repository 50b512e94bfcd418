/** Renders layers to the text that a model reads. Pure: the same layers give the same bytes. */
import { assertThat } from '../codes/errors.ts';
import type { RenderFormat } from '../model/manifest.ts';
import { RENDER_VERSION } from '../model/render-version.ts';
import { visibleText } from '../text/visible-text.ts';
import { closedText } from './close-fence.ts';
import { datamarker } from './datamark.ts';
import { escapeLines, groupHead, itemLines, sameGroup } from './lines.ts';
import { markdownFormat } from './markdown.ts';
import type {
  LayerFormat,
  RenderGroup,
  RenderItem,
  RenderLayer,
  RenderOptions,
  RenderPart,
} from './render-layer.ts';
import { xmlFormat } from './xml.ts';

export interface RenderedContext {
  readonly text: string;
  /** UTF-16 units of each layer, in order; 0 = left out. */
  readonly lengths: readonly number[];
}

const FORMATS: Readonly<Record<RenderFormat, LayerFormat>> = {
  xml: xmlFormat,
  markdown: markdownFormat,
};
const NAME = /^[a-z][a-z0-9_]*$/;
const ID = /^[a-z]{0,2}\d+(?:\.\d+)?$/;

/** Layers in the given order; one that holds nothing is left out. */
export function renderContext(
  layers: readonly RenderLayer[],
  options: RenderOptions,
): RenderedContext {
  const rendered = layers.map((layer) => renderLayer(layer, options));
  return { text: rendered.join(''), lengths: rendered.map((text) => text.length) };
}

/** One part without the head of its group. All text that is not ours passes here. */
export function renderPart(part: RenderPart, options: RenderOptions): string {
  const known = options.known?.get(part);
  if (known !== undefined) return known;
  const text = guarded(partLines(part, options), options);
  options.known?.set(part, text);
  return text;
}

/** What an item's group costs beside its items, at most. */
export const renderHead = (item: RenderItem, options: RenderOptions): string =>
  guarded(groupHead(visibleGroup(item.group), null, options.version), options);

const guarded = (
  text: string,
  { format, layerNames, version = RENDER_VERSION }: RenderOptions,
): string => (text === '' ? '' : FORMATS[format].guard(text, layerNames, version));

function partLines(
  part: RenderPart,
  { datamark, version = RENDER_VERSION }: RenderOptions,
): string {
  if ('kind' in part) {
    const shown = part.kind === 'mark' ? part.text : escapeLines(part.text, version);
    return part.text === '' ? '' : `${shown}\n`;
  }
  assertThat(ID.test(part.id), `an item's id is letters and digits, not "${part.id}"`);
  const marker = datamark === null ? null : datamarker(datamark);
  return itemLines(
    {
      ...part,
      author: part.author === null ? null : visibleText(part.author),
      notes: part.notes.map(visibleText),
      group: visibleGroup(part.group),
    },
    closedText(visibleText(part.text), marker, version),
    version,
  );
}

const visibleGroup = ({ date, ...fields }: RenderGroup): RenderGroup => ({
  date,
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, visibleText(value)])),
});

function renderLayer(layer: RenderLayer, options: RenderOptions): string {
  assertThat(NAME.test(layer.name), `a layer name is [a-z][a-z0-9_]*, not "${layer.name}"`);
  let body = '';
  let above: RenderGroup = { date: null };
  for (const part of layer.parts) {
    if (!('kind' in part) && !sameGroup(part.group, above)) {
      const yearAbove = above.date?.slice(0, 4) ?? null;
      body +=
        guarded(groupHead(visibleGroup(part.group), yearAbove, options.version), options) ||
        NO_GROUP;
      above = part.group;
    }
    body += renderPart(part, options);
  }
  if (body === '') return '';
  const format = FORMATS[options.format];
  return format.open(layer.name) + body + format.close(layer.name);
}

/** Ends a group: the items below share nothing with those above. */
const NO_GROUP = '@\n';
