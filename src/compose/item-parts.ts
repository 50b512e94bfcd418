/** What stands beside the text of an item: its author, its notes, the head of its group. */
import { layerKind } from '../layers/index.ts';
import type { AnyRow, BlockRow, Provenance } from '../model/block.ts';
import { type Instant, isUuid } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { ToolCall } from '../model/messages.ts';
import {
  HEADINGS_PLAIN,
  MONTHS_ALONE,
  RENDER_VERSION,
  type RenderVersion,
  SOURCES_AS_UUIDS,
} from '../model/render-version.ts';
import { ownToolCallsOf, toolCallsOf } from '../model/tool-calls.ts';
import { TURN_TYPE } from '../model/turn.ts';
import { ITEM_ROLES, type RenderGroup, type RenderItem } from '../render/render-layer.ts';

type ItemParts = Omit<RenderItem, 'id' | 'text'>;

/** What the parts of an item depend on beside it. */
interface Reading {
  readonly isInstructing: boolean;
  readonly version: RenderVersion;
}

/** A fit asks for the parts of an item many times over; they last as long as the item. */
const known = new WeakMap<AnyRow, Reading & { readonly parts: ItemParts }>();

/** What stands beside the text of an item; defaults are left out. */
export function itemParts(
  { kind }: Pick<LayerSettings, 'kind'>,
  item: AnyRow,
  version: RenderVersion = RENDER_VERSION,
): ItemParts {
  const { isInstructing } = layerKind(kind);
  const last = known.get(item);
  if (last?.isInstructing === isInstructing && last.version === version) return last.parts;
  const reading = { isInstructing, version };
  const parts = partsOf(item, reading);
  known.set(item, { ...reading, parts });
  return parts;
}

function partsOf(item: AnyRow, { isInstructing, version }: Reading): ItemParts {
  const { row } = item;
  const provenance = 'provenance' in row ? row.provenance : {};
  const confidence = 'confidence' in row ? row.confidence : (provenance.confidence ?? 1);
  const source = shownSource(provenance, version);
  const notes =
    confidence === 1 ? [] : [`confidence ${Math.max(0.01, Math.round(confidence * 100) / 100)}`];
  const silent = { author: null, role: null };
  switch (item.table) {
    case 'blocks':
      return blockParts(item.row, {
        source,
        notes: version > SOURCES_AS_UUIDS ? [...headingNotes(item.row), ...notes] : notes,
        callsOf: version > HEADINGS_PLAIN ? toolCallsOf : ownToolCallsOf,
      });
    case 'subtree_summaries': {
      const { kind, covers_to_seq: seq } = item.row;
      // A bare number reads like an id of the text, which it is not.
      const covers = version > MONTHS_ALONE ? `${kind} summary to seq ${seq}` : `${kind} to ${seq}`;
      return {
        ...silent,
        notes: [covers, ...notes],
        group: { date: dayOf(row.valid_from), ...source },
      };
    }
    case 'memory_schema_typed':
      return { ...silent, notes, group: { date: null, about: item.row.subject, ...source } };
    case 'memory_open_set': {
      const { subject, content } = item.row;
      const isSaid = subject === null || content.toLowerCase().includes(subject.toLowerCase());
      const review = isInstructing && !isReviewed(provenance) ? ['unreviewed'] : [];
      return {
        ...silent,
        notes: [...review, ...(isSaid ? [] : [`about ${subject}`]), ...notes],
        group: { date: monthOf(row.valid_from), ...source },
      };
    }
    case 'context_links':
      return { ...silent, notes, group: { date: dayOf(row.valid_from) } };
  }
}

/**
 * A UUID, as capture names the turn of a fact, says nothing to a model and costs 25 tokens, and it
 * would part facts that share everything else: it stands in the provenance of `items[]` alone.
 */
function shownSource(
  { source_id: source }: Provenance,
  version: RenderVersion,
): Pick<RenderGroup, 'source'> {
  if (source === undefined || (version > SOURCES_AS_UUIDS && isUuid(source))) return {};
  return { source };
}

function blockParts(
  { role, author, title, block_type: type, occurred_at: at, metadata }: BlockRow,
  {
    source,
    notes,
    callsOf,
  }: Pick<RenderItem, 'notes'> & {
    readonly source: Pick<RenderGroup, 'source'>;
    readonly callsOf: typeof toolCallsOf;
  },
): ItemParts {
  const usual = ITEM_ROLES.find((name) => name === role) ?? null;
  return {
    // Named like its role and no more: that is said once.
    author: author === usual ? null : author,
    role: usual,
    notes: [
      ...(role !== null && usual === null ? [`role ${role}`] : []),
      ...callsOf(metadata).map(calledNote),
      ...notes,
    ],
    group: {
      date: dayOf(at),
      ...(USUAL_TYPES.has(type) ? {} : { type }),
      ...(title !== null && source.source === undefined && { title }),
      ...source,
    },
  };
}

/**
 * The headings that a part of a document stands under, where it does not begin with them: `Drain
 * the node` of staging and of production are two things.
 */
function headingNotes({ title, content, metadata }: BlockRow): readonly string[] {
  const { heading } = metadata;
  if (typeof heading !== 'string') return [];
  const path = heading.split(' > ').filter((each) => each.trim() !== '' && each !== title);
  const last = path.at(-1);
  if (last === undefined || content.slice(0, MAX_HEADING_CHARS).includes(last)) return [];
  const shown = path.slice(-2).join(' > ').slice(0, MAX_HEADING_CHARS).toWellFormed();
  return [`under ${shown.trimEnd()}`];
}
const MAX_HEADING_CHARS = 120;

/** Block types that their layer and form already show. */
const USUAL_TYPES: ReadonlySet<string> = new Set([TURN_TYPE, 'document', 'chunk']);

const MAX_CALL_CHARS = 200;
const calledNote = ({ name, arguments: given }: ToolCall): string => {
  const called = `called ${name} ${JSON.stringify(given)}`;
  return called.length <= MAX_CALL_CHARS
    ? called
    : `${called.slice(0, MAX_CALL_CHARS)}…`.toWellFormed();
};

/**
 * A person approved it, or wrote it. The source class alone is a claim: it counts as far as who
 * wrote it is no agent. A row without the stamp may be anyone's.
 */
const isReviewed = ({
  source_class: source = 'user',
  writer_kind: by,
  approver_kind: approver,
}: Provenance): boolean =>
  approver === 'human' ||
  (by !== undefined && by !== 'agent' && (source === 'user' || source === 'axiom'));

const dayOf = (at: Instant): string => at.slice(0, 10);
const monthOf = (at: Instant): string => at.slice(0, 7);
