/** Why each item of a composition is in, and why each dropped one is not, in words. */

import type { DropReason } from '../model/candidate.ts';
import type { CompositionReceipt, DroppedItem, ReceiptItem } from '../model/composition.ts';
import type { Signals } from '../model/signal.ts';
import { CONVERSATION_SIGNALS } from '../scoring/conversation.ts';

const DROP_WORDS: Readonly<Record<DropReason, string>> = {
  budget: 'the budget of the composition was used up by items of better rank or score per token',
  layer_budget: 'the layer had reached its max_tokens',
  limit: 'the layer serves at most top_k items and others scored higher',
  floor: 'its score, or the best of the layer, is under the floor: not relevant enough',
  near_duplicate: 'it says nearly the same as an item that scored higher',
  same_text: 'the same item is shown by a layer of better rank, or another one has the same text',
  is_query: 'it is the query itself',
  veto: 'the cross-encoder judged it irrelevant',
  shadowed: 'a nearer scope has its own value of this property',
  non_finite_score: 'the formula gave no finite number for it',
  starved: 'layers of better rank left no room for this one',
};

export const whyDropped = (item: DroppedItem): string =>
  `${DROP_WORDS[item.reason]}${item.score === null ? '' : ` (score ${digits(item.score)})`}`;

export function whyIn(item: ReceiptItem, receipt: CompositionReceipt): string {
  if (item.uuid === null) return `text of manifest ${receipt.manifest.name}@${receipt.manifest.version}`;
  const cut = item.kept === null ? '' : `; cut to ${item.kept} characters`;
  if (item.score === null || Object.keys(item.signals).length === 0)
    return `${UNSCORED[item.layer] ?? `layer ${item.layer} fires for intent ${receipt.request.intent}`}${cut}`;
  return `score ${digits(item.score)} from ${signalWords(item.signals)}${cut}`;
}

const UNSCORED: Readonly<Record<string, string>> = {
  recent: 'one of the last turns of the scope',
  pinned: 'pinned to a scope of the closure',
  schema_typed: 'the current value in the nearest scope',
  summary: 'a summary of the scope, or a turn between it and the recent ones',
  core: 'core memory is always loaded',
  index: 'hooks of lessons and rules are always loaded',
};

const SHOWN_SIGNALS = [
  'sim',
  'dense',
  'lexical',
  'maxsim',
  ...CONVERSATION_SIGNALS,
  'R',
  'U',
  'recency',
  'importance',
  'confidence',
  'lambda',
  'beta',
] as const;

const signalWords = (signals: Signals): string =>
  SHOWN_SIGNALS.flatMap((name) =>
    signals[name] === undefined || (isOfConversation(name) && signals[name] === 0) ? [] : [`${name} ${digits(signals[name])}`],
  ).join(', ');

/** Of these only what counted is shown: most are 0 for most items. */
const isOfConversation = (name: string): boolean => (CONVERSATION_SIGNALS as readonly string[]).includes(name);

const digits = (value: number): string => String(Math.round(value * 1000) / 1000);
