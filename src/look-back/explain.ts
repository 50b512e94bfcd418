/** Why each item of a composition is in, and why each dropped one is not, in words. */
import { layerKind } from '../layers/index.ts';
import type { AnyRow } from '../model/block.ts';
import type { DropReason } from '../model/candidate.ts';
import type {
  CompositionReceipt,
  DroppedItem,
  Explanation,
  ReceiptItem,
} from '../model/composition.ts';
import type { Uuid } from '../model/ids.ts';
import type { SignalDefinition } from '../model/signals/definition.ts';
import { SIGNAL_LIST, type Signals } from '../model/signals/index.ts';

const DROP_WORDS: Readonly<Record<DropReason, string>> = {
  budget: 'the budget of the composition was used up by items of better rank or score per token',
  layer_budget: 'the layer had reached its max_tokens',
  limit: 'the layer serves at most top_k items, and others scored higher or said something else',
  floor: 'its score, or the best of the layer, is under the floor: not relevant enough',
  near_duplicate: 'it says nearly the same as an item that scored higher',
  same_text:
    'the history or a layer of better rank shows the same item, or another one has the same text',
  is_query: 'it is the query itself',
  veto: 'the cross-encoder judged it irrelevant',
  shadowed: 'a nearer scope has its own value of this property',
  non_finite_score: 'the formula gave no finite number for it',
  category_share: 'its category had its share of the layer, and others waited',
  starved: 'layers of better rank left no room for this one',
};

const whyDropped = (item: DroppedItem): string =>
  `${DROP_WORDS[item.reason]}${item.score === null ? '' : ` (score ${digits(item.score)})`}`;

function whyIn(item: ReceiptItem, receipt: CompositionReceipt, kindOf: KindOf): string {
  if (item.uuid === null) return `text of manifest ${nameOf(receipt.manifest)}`;
  const cut = item.kept === null ? '' : `; cut to ${item.kept} characters`;
  if (item.score === null || Object.keys(item.signals).length === 0)
    return `${reasonOf(kindOf(item.layer)) ?? `layer ${item.layer} fires for intent ${receipt.request.intent}`}${cut}`;
  return `score ${digits(item.score)} from ${signalWords(item.signals)}${cut}`;
}

const nameOf = ({ name, version, variant }: CompositionReceipt['manifest']): string =>
  `${name}@${version}${variant === undefined ? '' : `, variant ${variant}`}`;

const reasonOf = (kind: string | undefined): string | null =>
  kind === undefined ? null : layerKind(kind).whyShown;

/** How well an item answers the query comes first. */
const isOfQuery = ({ isAboutQuery, isOfConversation }: SignalDefinition): boolean =>
  isAboutQuery || isOfConversation;
const SHOWN_SIGNALS = [
  ...SIGNAL_LIST.filter(isOfQuery),
  ...SIGNAL_LIST.filter((signal) => !isOfQuery(signal)),
].filter(({ isExplained }) => isExplained);

/** Of a conversation only what counted is shown: most are 0 for most items. */
const signalWords = (signals: Signals): string =>
  SHOWN_SIGNALS.flatMap(({ name, isOfConversation }) =>
    signals[name] === undefined || (isOfConversation && signals[name] === 0)
      ? []
      : [`${name} ${digits(signals[name])}`],
  ).join(', ');

const digits = (value: number): string => String(Math.round(value * 1000) / 1000);

/** What a row says, for a person. */
export function textOfRow(entry: AnyRow): string {
  switch (entry.table) {
    case 'blocks':
    case 'subtree_summaries':
    case 'memory_open_set':
      return entry.row.content;
    case 'memory_schema_typed':
      return `${entry.row.subject}: ${entry.row.property} = ${JSON.stringify(entry.row.value)}`;
    default:
      return '';
  }
}

/** The kind of a layer by its name; undefined where the manifest of the composition is gone. */
export type KindOf = (layer: string) => string | undefined;

/** What a reader may see of a receipt, judged now. */
export interface Sight {
  /** The texts of versions of scopes that the reader reads. */
  readonly versions: ReadonlyMap<Uuid, string>;
  /** Scopes of the closure that the reader reads. */
  readonly scopes: ReadonlySet<Uuid>;
  readonly kindOf: KindOf;
}

/**
 * Ids, scores and signals of rows out of sight are left out, whether the row is of a scope that is
 * not held or is gone: both answer alike. The items keep their place, layer and tokens.
 */
export function explain(receipt: CompositionReceipt, sight: Sight): Explanation {
  const textOf = (uuid: Uuid | null): string | null =>
    uuid === null ? null : (sight.versions.get(uuid) ?? null);
  const isWhole = receipt.position.every(({ scope }) => sight.scopes.has(scope));
  const seen = withinSight(receipt, sight, isWhole);
  return {
    receipt: seen,
    items: seen.items.map((item, index) => ({
      uuid: item.uuid,
      root_uuid: item.root_uuid,
      id: item.id ?? null,
      table: item.table,
      layer: item.layer,
      score: item.score,
      signals: item.signals,
      tokens: item.tokens,
      truncated: item.kept !== null,
      provenance: { scope: null, time: null },
      text: textOf(item.uuid),
      why:
        item.uuid === null && receipt.items[index]?.uuid !== null
          ? 'a row that is gone, or of a scope that the profile does not read'
          : whyIn(item, seen, sight.kindOf),
    })),
    dropped: seen.dropped.map((item) => ({
      ...item,
      why: whyDropped(item),
      text: textOf(item.uuid),
    })),
  };
}

function withinSight(
  receipt: CompositionReceipt,
  { versions, scopes }: Sight,
  isWhole: boolean,
): CompositionReceipt {
  const isSeen = (uuid: Uuid | null): boolean => isWhole || uuid === null || versions.has(uuid);
  const known = new Set<string>([...scopes, receipt.composition_id]);
  for (const { uuid, root_uuid: root } of [...receipt.items, ...receipt.dropped])
    if (isSeen(uuid) && uuid !== null) known.add(uuid).add(root ?? uuid);
  const ofScope = ({ scope }: { readonly scope: Uuid }): boolean => scopes.has(scope);
  return {
    ...receipt,
    position: receipt.position.filter(ofScope),
    usage_position: receipt.usage_position.filter(ofScope),
    items: receipt.items.map((item) =>
      isSeen(item.uuid)
        ? item
        : { ...item, uuid: null, root_uuid: null, id: null, table: null, score: null, signals: {} },
    ),
    dropped: receipt.dropped.filter(({ uuid }) => isSeen(uuid)),
    warnings: receipt.warnings.map(({ code, message }) => ({
      code,
      message: message.replace(UUIDS, (uuid) => (known.has(uuid) ? uuid : '…')),
    })),
  };
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
