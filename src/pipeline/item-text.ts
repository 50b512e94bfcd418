/**
 * How a row reads in a layer: a pure function of the row and the layer's settings, so that a replay shows the same words.
 */
import type { AnyRow, TypedRow } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';

/** Index hooks are one line each; the body is read on demand. */
const HOOK_CHARS = 160;

export function itemText(layer: Pick<LayerSettings, 'kind' | 'maxLines'>, item: AnyRow): string {
  switch (item.table) {
    case 'blocks':
      return layer.kind === 'core' ? firstLines(item.row.content, layer.maxLines) : item.row.content;
    case 'subtree_summaries':
      return item.row.content;
    case 'memory_open_set':
      return layer.kind === 'index' ? hook(item.row.content) : item.row.content;
    case 'memory_schema_typed':
      return `${item.row.subject}.${item.row.property} = ${typedText(item.row)}`;
    case 'context_links':
      return '';
  }
}

export type ItemTag = 'turn' | 'document' | 'summary' | 'fact' | 'property' | 'procedure' | 'hook';

/** The tag and the attributes that an item is shown with. Absent ones are left out by the renderer. */
export function itemAttributes(
  layer: Pick<LayerSettings, 'kind'>,
  item: AnyRow,
): { readonly tag: ItemTag; readonly attributes: Readonly<Record<string, string>> } {
  const { row } = item;
  const provenance = 'provenance' in row ? row.provenance : {};
  const confidence = 'confidence' in row ? row.confidence : (provenance.confidence ?? 1);
  const time = item.table === 'blocks' ? item.row.occurred_at : row.valid_from;
  const common = {
    source: provenance.source_id ?? sourceOf(item),
    id: shownId(row.root_uuid),
    confidence: String(Math.round(confidence * 100) / 100),
    time: shownTime(time),
  };
  if (item.table === 'blocks') {
    const { role, author, title, block_type: type } = item.row;
    return {
      tag: type === 'turn' ? 'turn' : 'document',
      attributes: {
        ...common,
        ...(type !== 'turn' && { type }),
        ...(role !== null && { role }),
        ...(author !== null && { author }),
        ...(title !== null && { title }),
      },
    };
  }
  if (item.table === 'subtree_summaries')
    return { tag: 'summary', attributes: { ...common, kind: item.row.kind, covers_to_seq: String(item.row.covers_to_seq) } };
  if (item.table === 'memory_schema_typed') return { tag: 'property', attributes: { ...common, collection: item.row.collection } };
  if (item.table === 'memory_open_set') {
    const { subject, category } = item.row;
    const tag = layer.kind === 'index' ? 'hook' : layer.kind === 'procedures' ? 'procedure' : 'fact';
    return { tag, attributes: { ...common, ...(subject !== null && { subject }), ...(category !== null && { category }) } };
  }
  return { tag: 'fact', attributes: common };
}

/** Versions of which the last group names the machine: all ids of a host end alike. */
const BY_MACHINE = /^.{14}[126]/;

/**
 * The last group of the uuid: enough to cite an item and to find it in `items[]`. Provenance is paid for with every item, and whole uuids
 * and instants took a quarter of a context of short turns: with these forms a fifth more of them fit.
 */
export const shownId = (uuid: Uuid): string => (BY_MACHINE.test(uuid) ? uuid : uuid.slice(uuid.lastIndexOf('-') + 1));

/** The shortest form of ISO 8601 that says the same: `2026-03-01`, `2026-03-01T09:30Z`, `2026-03-01T09:30:05.250Z`. */
const shownTime = (at: Instant): string =>
  at.replace(/(?:T00:00:00\.000Z|:00\.000Z|\.000Z)$/, (zeros) => (zeros.startsWith('T') ? '' : 'Z'));

const sourceOf = (item: AnyRow): string =>
  item.table === 'blocks'
    ? item.row.block_type
    : item.table === 'subtree_summaries'
      ? 'summary'
      : item.table === 'memory_open_set'
        ? item.row.class
        : 'profile';

const typedText = (row: TypedRow): string =>
  typeof row.value === 'string' ? row.value : Array.isArray(row.value) ? row.value.join(', ') : JSON.stringify(row.value);

function hook(text: string): string {
  const line = text.split(/\r?\n/, 1)[0]?.trim() ?? '';
  return line.length <= HOOK_CHARS
    ? line
    : `${line
        .slice(0, HOOK_CHARS - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

function firstLines(text: string, lines: number): string {
  let end = -1;
  for (let n = 0; n < lines; n++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text;
  }
  return text.slice(0, end);
}
