/** What stands beside the text of an item: its author, its notes, the head of its group. */
import { layerKind } from '../layers/index.ts';
import type { AnyRow, BlockRow, FactRow, Provenance } from '../model/block.ts';
import { type Instant, isUuid } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { ToolCall } from '../model/messages.ts';
import {
  MONTHS_ALONE,
  RENDER_VERSION,
  type RenderVersion,
  SAID_EACH_TIME,
  SOURCES_AS_UUIDS,
} from '../model/render-version.ts';
import { ownToolCallsOf, toolCallsOf } from '../model/tool-calls.ts';
import { TURN_TYPE } from '../model/turn.ts';
import { ITEM_ROLES, type RenderGroup, type RenderItem } from '../render/render-layer.ts';

type ItemParts = Omit<RenderItem, 'id' | 'text'>;

/** What the parts of an item depend on beside it. */
interface Reading {
  readonly kind: string;
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
  const last = known.get(item);
  if (last?.kind === kind && last.version === version) return last.parts;
  const reading = { kind, version };
  const parts = partsOf(item, reading);
  known.set(item, { ...reading, parts });
  return parts;
}

function partsOf(item: AnyRow, reading: Reading): ItemParts {
  const { version } = reading;
  const { row } = item;
  const provenance = 'provenance' in row ? row.provenance : {};
  const confidence = 'confidence' in row ? row.confidence : (provenance.confidence ?? 1);
  const source = shownSource(provenance, version);
  const notes =
    confidence === 1 ? [] : [`confidence ${Math.max(0.01, Math.round(confidence * 100) / 100)}`];
  const silent = { author: null, role: null };
  switch (item.table) {
    case 'blocks':
      return blockParts(item.row, reading, {
        source,
        notes: version > SOURCES_AS_UUIDS ? [...headingNotes(item.row), ...notes] : notes,
        callsOf: version > SAID_EACH_TIME ? toolCallsOf : ownToolCallsOf,
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
      const isUnreviewed = layerKind(reading.kind).isInstructing && !isReviewed(provenance);
      return {
        ...silent,
        notes: [
          ...(isUnreviewed ? ['unreviewed'] : []),
          ...subjectNotes(item.row, version),
          ...notes,
        ],
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

/**
 * The subject of a fact where its text does not name it: `olav_brekke` is named as Olav Brekke, and
 * `exports` by `an export`.
 */
export function unsaidSubject(
  { subject, content }: FactRow,
  version: RenderVersion = RENDER_VERSION,
): string | null {
  if (subject === null) return null;
  const plain = (text: string): string =>
    version > SAID_EACH_TIME ? text.toLowerCase().replace(/[_-]/g, ' ') : text.toLowerCase();
  const named = plain(subject);
  const isPlural = version > SAID_EACH_TIME && /[\p{L}]{4}s$/u.test(named);
  return plain(content).includes(isPlural ? named.slice(0, -1) : named) ? null : subject;
}

export function subjectNotes(row: FactRow, version?: RenderVersion): readonly string[] {
  const subject = unsaidSubject(row, version);
  return subject === null ? [] : [`about ${subject}`];
}

function blockParts(
  { role, author, title, block_type: type, occurred_at: at, metadata }: BlockRow,
  { kind, version }: Reading,
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
  const { isScored, blockTypes } = layerKind(kind);
  const isLean = version > SAID_EACH_TIME;
  const isUsualType =
    USUAL_TYPES.has(type) || (isLean && blockTypes.length === 1 && blockTypes[0] === type);
  // Who said it and when is its source; the file that a conversation was read from tells no more.
  const isOfConversation = isLean && !isScored && (usual !== null || author !== null);
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
      ...(isUsualType ? {} : { type }),
      ...(title !== null && source.source === undefined && { title }),
      ...(isOfConversation ? {} : source),
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

export const MAX_CALL_CHARS = 200;
export const calledNote = ({ name, arguments: given }: ToolCall): string => {
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
