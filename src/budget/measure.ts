/**
 * What offered layers cost in tokens: each item, the head of a group, and the tags around a layer.
 */
import type { MeasuredItem, MeasuredLayer } from './allot.ts';
import type { BudgetItem, BudgetLayer, FitInput, KeptItem } from './budget-layer.ts';
import { cutUnits } from './cut-text.ts';

/**
 * The longest token of the known vocabularies has 128 units: a text longer than this per token of
 * budget cannot fit.
 */
const MAX_UNITS_PER_TOKEN = 128;
/** So much of an item shows what the tags around it cost. */
const MAX_PROBE_UNITS = 512;
/** Above this the count stops at the budget and is not remembered. */
const CACHED_UNITS_PER_TOKEN = 16;

/** Parts of one fit: the input, and what its tags cost. */
export interface Fit {
  readonly input: FitInput;
  readonly baseTokens: number;
  readonly layers: readonly MeasuredLayer[];
  /** Shortened texts by item. */
  readonly shortened: Map<BudgetItem, { readonly text: string; readonly kept: number }>;
  readonly sources: Map<MeasuredItem, BudgetItem>;
}

export function measure(input: FitInput): Fit {
  const { counter, render } = input;
  const baseTokens = counter.count(render([]));
  const sources = new Map<MeasuredItem, BudgetItem>();
  // A group's head stands with each of its items.
  const heads = new Map([['', 0]]);
  const tokensOfHead = (head: string): number => {
    const tokens = heads.get(head) ?? counter.count(head);
    heads.set(head, tokens);
    return tokens;
  };
  const layers = input.layers.map((layer): MeasuredLayer => {
    const measured = layer.items.map((item) => {
      const bid = Number.isFinite(item.bid) ? item.bid : 0;
      const head = item.head ?? '';
      const facts: MeasuredItem = {
        key: item.key,
        bid,
        head,
        headTokens: tokensOfHead(head),
        isSpare: item.isSpare ?? false,
        same: item.same ?? null,
        tokens: itemTokens(input, item, layer.cut === 'never' && !item.isStored),
      };
      sources.set(facts, item);
      return facts;
    });
    const wrapTokens = wrapTokensOf(input, { layer, baseTokens });
    const capTokens = layer.maxTokens ?? Number.POSITIVE_INFINITY;
    const needTokens = needOf(measured, wrapTokens);
    return {
      name: layer.name,
      rank: layer.rank,
      cut: layer.cut,
      isHistory: layer.isHistory ?? false,
      capTokens,
      wrapTokens,
      reserveTokens: Math.min(layer.minTokens, capTokens, needTokens),
      queue: layer.cut === 'oldest' ? measured.toReversed() : measured,
    };
  });
  return { input, baseTokens, layers, sources, shortened: new Map() };
}

function needOf(items: readonly MeasuredItem[], wrapTokens: number): number {
  return items.reduce((sum, { tokens }) => sum + tokens, wrapTokens + headTokensOf(items));
}

/** Each head once. */
export function headTokensOf(items: readonly MeasuredItem[]): number {
  const heads = new Map(items.map(({ head, headTokens }) => [head, headTokens]));
  return [...heads.values()].reduce((sum, tokens) => sum + tokens, 0);
}

/**
 * What the layer's tags cost: measured around its first item, or around the beginning of a long
 * one.
 */
function wrapTokensOf(
  { counter, render }: FitInput,
  { layer, baseTokens }: { readonly layer: BudgetLayer; readonly baseTokens: number },
): number {
  const first = layer.items[0];
  if (first === undefined) return 0;
  const kept = cutUnits(first.text, MAX_PROBE_UNITS, 'word');
  const text = first.text.slice(0, kept);
  const probe: KeptItem = {
    key: first.key,
    text,
    kept: kept < first.text.length ? kept : (first.kept ?? null),
    tokens: 0,
  };
  return Math.max(
    0,
    counter.count(render([{ name: layer.name, items: [probe] }])) -
      baseTokens -
      counter.count(first.render(text)) -
      counter.count(first.head ?? ''),
  );
}

/**
 * Infinity for what cannot fit; a static text is counted to the end, because the error names the
 * number.
 */
function itemTokens(
  { counter, totalTokens }: FitInput,
  item: BudgetItem,
  isStatic: boolean,
): number {
  if (isStatic) return counter.count(item.render(item.text));
  if (item.text.length > totalTokens * MAX_UNITS_PER_TOKEN) return Number.POSITIVE_INFINITY;
  const rendered = item.render(item.text);
  if (rendered.length <= totalTokens * CACHED_UNITS_PER_TOKEN) return counter.count(rendered);
  const tokens = counter.countUpTo(rendered, totalTokens);
  return tokens > totalTokens ? Number.POSITIVE_INFINITY : tokens;
}
