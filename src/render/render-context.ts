/** Renders layers to the text that a model reads. Pure: the same layers give the same bytes. */
import { assertThat } from '../codes/errors.ts';
import type { RenderFormat } from '../model/manifest.ts';
import { RENDER_VERSION, SAID_EACH_TIME } from '../model/render-version.ts';
import { visibleText } from '../text/visible-text.ts';
import { closedText } from './close-fence.ts';
import { datamarker } from './datamark.ts';
import { escapeLines, groupHead, isValue, itemLines, sameGroup } from './lines.ts';
import { markdownFormat } from './markdown.ts';
import type {
  ItemRole,
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
  const isTrusted = 'kind' in part && part.kind === 'trusted';
  const text = guarded(partLines(part, options), options, isTrusted);
  options.known?.set(part, text);
  return text;
}

/** What an item's group costs beside its items, at most. */
export const renderHead = (item: RenderItem, options: RenderOptions): string =>
  guarded(groupHead(visibleGroup(item.group), null, options.version), options);

const guarded = (
  text: string,
  { format, layerNames, version = RENDER_VERSION }: RenderOptions,
  isTrusted = false,
): string => (text === '' ? '' : FORMATS[format].guard(text, { layerNames, version, isTrusted }));

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
  const roles = new Map<string, ItemRole>();
  for (const part of layer.parts) {
    if (!('kind' in part) && !sameGroup(part.group, above)) {
      const yearAbove = above.date?.slice(0, 4) ?? null;
      body +=
        guarded(groupHead(visibleGroup(part.group), yearAbove, options.version), options) ||
        NO_GROUP;
      above = part.group;
    }
    body += renderPart('kind' in part ? part : withRole(part, roles, options), options);
  }
  if (body === '') return '';
  const format = FORMATS[options.format];
  return format.open(layer.name) + body + format.close(layer.name);
}

/** What an item reads as where its role is shown, or is not; kept, so that it is rendered once. */
const withRoles = new WeakMap<RenderItem, Record<'shown' | 'silent', RenderItem>>();

/**
 * The role of an author stands with the first turn of a layer, and where it is another than above:
 * `[8] Ann/tool: …`, `[9] Ann: …` in the same role. Until somebody speaks in another role all are
 * users; from then on each name says its role once, `[10] ann/user: …`, so that one that looks like
 * another inherits nothing of it.
 */
function withRole(
  item: RenderItem,
  roles: Map<string, ItemRole>,
  { version = RENDER_VERSION }: RenderOptions,
): RenderItem {
  if (item.author === null || isValue(item, version) || version <= SAID_EACH_TIME) return item;
  const author = visibleText(item.author);
  const role = item.role ?? 'user';
  const above = roleAbove(author, roles);
  if (role !== 'user' && !roles.has(author)) forgetUsers(roles);
  roles.set(author, role);
  const known = withRoles.get(item) ?? {
    shown: { ...item, isRoleShown: true },
    silent: { ...item, isRoleShown: false },
  };
  withRoles.set(item, known);
  return role === above ? known.silent : known.shown;
}

/** null = nobody is taken for anything. */
const roleAbove = (author: string, roles: ReadonlyMap<string, ItemRole>): ItemRole | null =>
  roles.get(author) ?? ([...roles.values()].every((role) => role === 'user') ? 'user' : null);

function forgetUsers(roles: Map<string, ItemRole>): void {
  for (const [name, role] of roles) if (role === 'user') roles.delete(name);
}

/** Ends a group: the items below share nothing with those above. */
const NO_GROUP = '@\n';
