/** What stands beside the text of an item: its author, its notes, the head of its group. */
import { layerKind } from '../layers/index.ts';
import type { AnyRow, BlockRow, Provenance } from '../model/block.ts';
import type { Instant } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { ToolCall } from '../model/messages.ts';
import { TURN_TYPE, toolCallsOf } from '../model/turn.ts';
import { ITEM_ROLES, type RenderItem } from '../render/render-layer.ts';

type ItemParts = Omit<RenderItem, 'id' | 'text'>;

/** A fit asks for the parts of an item many times over; they last as long as the item. */
const known = new WeakMap<AnyRow, { readonly isInstructing: boolean; readonly parts: ItemParts }>();

/** What stands beside the text of an item; defaults are left out. */
export function itemParts({ kind }: Pick<LayerSettings, 'kind'>, item: AnyRow): ItemParts {
  const { isInstructing } = layerKind(kind);
  const last = known.get(item);
  if (last?.isInstructing === isInstructing) return last.parts;
  const parts = partsOf(item, isInstructing);
  known.set(item, { isInstructing, parts });
  return parts;
}

function partsOf(item: AnyRow, isInstructing: boolean): ItemParts {
  const { row } = item;
  const provenance = 'provenance' in row ? row.provenance : {};
  const confidence = 'confidence' in row ? row.confidence : (provenance.confidence ?? 1);
  const source = provenance.source_id === undefined ? {} : { source: provenance.source_id };
  const notes =
    confidence === 1 ? [] : [`confidence ${Math.max(0.01, Math.round(confidence * 100) / 100)}`];
  const silent = { author: null, role: null };
  switch (item.table) {
    case 'blocks':
      return blockParts(item.row, { source, notes });
    case 'subtree_summaries': {
      const covers = `${item.row.kind} to ${item.row.covers_to_seq}`;
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

function blockParts(
  { role, author, title, block_type: type, occurred_at: at, metadata }: BlockRow,
  { source, notes }: Pick<RenderItem, 'notes'> & { readonly source: { readonly source?: string } },
): ItemParts {
  const usual = ITEM_ROLES.find((name) => name === role) ?? null;
  return {
    // Named like its role and no more: that is said once.
    author: author === usual ? null : author,
    role: usual,
    notes: [
      ...(role !== null && usual === null ? [`role ${role}`] : []),
      ...toolCallsOf(metadata).map(calledNote),
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
