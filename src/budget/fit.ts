/** Fits the offered layers into a token budget. Parts steer, the rendered whole decides: what comes out is never over, counted as one string. */
import { ContextEngineError } from '../codes/errors.ts';
import type { DropReason } from '../model/candidate.ts';
import type { Cut } from '../model/layer.ts';
import {
  type Allotment,
  allot,
  type MeasuredItem,
  type MeasuredLayer,
  type Placement,
} from './allot.ts';
import type { TokenCounter } from './counter.ts';
import { cutUnits } from './cut-text.ts';

export interface BudgetItem {
  /** Unique in its layer. */
  readonly key: string;
  readonly text: string;
  /** What the item offers, 0..1, calibrated so that it compares between layers of equal rank; there, bid per token decides. */
  readonly bid: number;
  /** What stands once above all items of a layer with the same head; '' = nothing. */
  readonly head?: string;
  /** Served last, from tokens that nothing else uses. */
  readonly isSpare?: boolean;
  /** A row's words, not the manifest's: cut where a layer that is never cut does not fit. */
  readonly isStored?: boolean;
  /** UTF-16 units that `text` already is of a longer text. */
  readonly kept?: number;
  /** The item as it will stand in the whole, with `text` or a prefix of it. */
  readonly render: (text: string) => string;
}

export interface BudgetLayer {
  readonly name: string;
  /** 1 = most important, cut last. */
  readonly rank: number;
  readonly cut: Cut;
  readonly minTokens: number;
  readonly maxTokens: number | null;
  /** Best first for `items`, oldest first for `oldest`, in text order for `sentences` and `never`. */
  readonly items: readonly BudgetItem[];
}

/** A layer as it goes to the renderer; one without items is left out. */
export interface KeptLayer {
  readonly name: string;
  readonly items: readonly KeptItem[];
}
export interface KeptItem {
  readonly key: string;
  readonly text: string;
  /** UTF-16 units of the original text that were kept; null = whole. */
  readonly kept: number | null;
  readonly tokens: number;
}

export interface FitInput {
  /** In render order. */
  readonly layers: readonly BudgetLayer[];
  readonly totalTokens: number;
  readonly counter: TokenCounter;
  /** Renders these layers and no others. Pure. */
  readonly render: (layers: readonly KeptLayer[]) => string;
}

export interface FittedLayer extends KeptLayer {
  /** What the layer could have used. */
  readonly budget: number;
  /** What it uses, tags included. */
  readonly tokens: number;
  readonly dropped: readonly { readonly key: string; readonly reason: DropReason }[];
}

export interface FittedContext {
  /** All layers in render order, also those of which nothing was kept. */
  readonly layers: readonly FittedLayer[];
  readonly text: string;
  /** Tokens of `text`, counted whole. */
  readonly tokens: number;
}

/** Fewer tokens of a truncated item say too little to be worth its tags. */
const MIN_TRUNCATED_TOKENS = 32;
/** The longest token of the known vocabularies has 128 units: a text longer than this per token of budget cannot fit. */
const MAX_UNITS_PER_TOKEN = 128;
/** So much of an item shows what the tags around it cost. */
const MAX_PROBE_UNITS = 512;
/** Above this the count stops at the budget and is not remembered. */
const CACHED_UNITS_PER_TOKEN = 16;

/** Parts of one fit: the input, and what its tags cost. */
interface Fit {
  readonly input: FitInput;
  readonly baseTokens: number;
  readonly layers: readonly MeasuredLayer[];
  /** Shortened texts by item. */
  readonly shortened: Map<BudgetItem, { readonly text: string; readonly kept: number }>;
  readonly sources: Map<MeasuredItem, BudgetItem>;
}

/**
 * Throws `BUDGET.STATIC_TOO_LONG` when the layers that are never cut do not fit, `BUDGET.INVALID`
 * for a budget that is no number of tokens. `fitStored` cuts what is stored before it throws.
 * A text of more than 128 units per token of the budget counts as too long unread.
 * Invariant: `tokens <= totalTokens`, and each layer rendered alone `<= maxTokens` (test/property/budget-fit.test.ts).
 */
export function fitBudget(input: FitInput): FittedContext {
  if (!Number.isSafeInteger(input.totalTokens) || input.totalTokens < 0) {
    throw new ContextEngineError('BUDGET.INVALID', {
      message: `The budget is \`${input.totalTokens}\` tokens.`,
      fix: 'Set `budget.total_tokens` to a whole number, 0 or more.',
    });
  }
  const fit = measure(input);
  refuseTooLongStatic(fit);
  const allotment = allot(fit.layers, input.totalTokens - fit.baseTokens, (layer, item, room) =>
    shorten(fit, item, { layer, room }),
  );
  return settle(fit, allotment);
}

function measure(input: FitInput): Fit {
  const { counter, render } = input;
  const baseTokens = counter.count(render([]));
  const sources = new Map<MeasuredItem, BudgetItem>();
  const layers = input.layers.map((layer): MeasuredLayer => {
    const measured = layer.items.map((item) => {
      const bid = Number.isFinite(item.bid) ? item.bid : 0;
      const head = item.head ?? '';
      const facts: MeasuredItem = {
        key: item.key,
        bid,
        head,
        headTokens: head === '' ? 0 : counter.count(head),
        isSpare: item.isSpare ?? false,
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
function headTokensOf(items: readonly MeasuredItem[]): number {
  const heads = new Map(items.map(({ head, headTokens }) => [head, headTokens]));
  return [...heads.values()].reduce((sum, tokens) => sum + tokens, 0);
}

/** What the layer's tags cost: measured around its first item, or around the beginning of a long one. */
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

/** Infinity for what cannot fit; a static text is counted to the end, because the error names the number. */
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

function refuseTooLongStatic({ input, baseTokens, layers }: Fit): void {
  const never = layers.filter((layer) => layer.cut === 'never' && layer.queue.length > 0);
  const tokensOf = (layer: MeasuredLayer): number =>
    layer.queue.reduce((sum, item) => sum + item.tokens, layer.wrapTokens);
  for (const layer of never)
    if (tokensOf(layer) > layer.capTokens)
      throw tooLong({
        names: [layer.name],
        tokens: tokensOf(layer),
        limit: layer.capTokens,
        field: `max_per_layer.${layer.name}`,
      });
  const tokens = never.reduce((sum, layer) => sum + tokensOf(layer), baseTokens);
  if (tokens > input.totalTokens)
    throw tooLong({
      names: never.map((layer) => layer.name),
      tokens,
      limit: input.totalTokens,
      field: 'total_tokens',
    });
}

function tooLong(facts: {
  readonly names: readonly string[];
  readonly tokens: number;
  readonly limit: number;
  readonly field: string;
}): ContextEngineError {
  const names = facts.names.map((name) => `\`${name}\``).join(', ');
  return new ContextEngineError('BUDGET.STATIC_TOO_LONG', {
    message: `${names || 'The empty context'} takes \`${facts.tokens}\` tokens and is never cut; \`budget.${facts.field}\` is \`${facts.limit}\`.`,
    fix: `Shorten ${names || 'the frame'}, or raise \`budget.${facts.field}\` to at least ${facts.tokens}.`,
    where: { field: `budget.${facts.field}` },
    meta: { layers: facts.names, tokens: facts.tokens, limit: facts.limit },
  });
}

/** Cuts an item to the room: one guess from the tokenizer, then smaller ones until the rendered item fits. */
function shorten(
  fit: Fit,
  facts: MeasuredItem,
  place: { readonly layer: MeasuredLayer; readonly room: number },
): number | null {
  const { counter } = fit.input;
  const item = fit.sources.get(facts);
  if (item === undefined) return null;
  const isRun = place.layer.cut === 'sentences';
  let target = place.room - counter.count(item.render(''));
  const least = isRun ? 1 : MIN_TRUNCATED_TOKENS;
  for (let attempt = 0; attempt < 8 && target >= least; attempt++) {
    const kept = cutUnits(
      item.text,
      counter.unitsWithin(item.text, target),
      isRun ? 'sentence' : 'word',
    );
    if (kept === 0) return null;
    const text = item.text.slice(0, kept);
    const tokens = counter.count(item.render(text));
    if (tokens <= place.room && kept < item.text.length) {
      fit.shortened.set(item, { text, kept });
      return tokens;
    }
    // escaping made it longer than its text: aim lower by the same share
    target = Math.min(target - 1, Math.floor((target * place.room) / Math.max(tokens, 1)));
  }
  return null;
}

/** Renders and counts the whole, and gives back the last grants while it is over. With whole-line parts the first count holds. */
function settle(fit: Fit, allotment: Allotment): FittedContext {
  const { input } = fit;
  const placements = [...allotment.placements];
  let spare = 1;
  for (;;) {
    const layers = keptLayers(fit, placements);
    const over = layers.find((layer) => isOverItsCap(fit, layer));
    const text = input.render(layers);
    const tokens = input.counter.count(text);
    if (over === undefined && tokens <= input.totalTokens)
      return toFitted(fit, { allotment, placements, text, tokens });
    const excess = over === undefined ? tokens - input.totalTokens : 0;
    if (!giveBack(placements, { layer: over?.name, tokens: excess + spare })) {
      const names = fit.layers.filter((layer) => layer.cut === 'never').map((layer) => layer.name);
      throw tooLong({
        names,
        tokens,
        limit: input.totalTokens,
        field: over ? `max_per_layer.${over.name}` : 'total_tokens',
      });
    }
    spare *= 2;
  }
}

function isOverItsCap(fit: Fit, layer: KeptLayer): boolean {
  const cap =
    fit.layers.find((other) => other.name === layer.name)?.capTokens ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(cap) && fit.input.counter.count(fit.input.render([layer])) > cap;
}

/** Takes the least important rank's last grants away until `tokens` are free. False when there is nothing left to take. */
function giveBack(
  placements: Placement[],
  need: { readonly layer: string | undefined; readonly tokens: number },
): boolean {
  let freed = 0;
  while (freed < need.tokens) {
    let last = -1;
    placements.forEach(({ layer }, index) => {
      const isCandidate =
        layer.cut !== 'never' && (need.layer === undefined || layer.name === need.layer);
      if (isCandidate && layer.rank >= (placements[last]?.layer.rank ?? 0)) last = index;
    });
    const [taken] = last < 0 ? [] : placements.splice(last, 1);
    if (taken === undefined) return freed > 0;
    freed += Math.max(1, taken.tokens);
  }
  return true;
}

function keptLayers(fit: Fit, placements: readonly Placement[]): KeptLayer[] {
  const granted = new Map(
    placements.map((placement) => [fit.sources.get(placement.item), placement]),
  );
  return fit.input.layers
    .map((layer) => ({
      name: layer.name,
      items: layer.items.flatMap((item): KeptItem[] => {
        const placement = granted.get(item);
        if (placement === undefined) return [];
        const cut = placement.isShortened ? fit.shortened.get(item) : undefined;
        return [
          {
            key: item.key,
            text: cut?.text ?? item.text,
            kept: cut?.kept ?? item.kept ?? null,
            tokens: placement.tokens,
          },
        ];
      }),
    }))
    .filter((layer) => layer.items.length > 0);
}

interface Settled {
  readonly allotment: Allotment;
  readonly placements: readonly Placement[];
  readonly text: string;
  readonly tokens: number;
}

function toFitted(fit: Fit, { allotment, placements, text, tokens }: Settled): FittedContext {
  const kept = new Map(keptLayers(fit, placements).map((layer) => [layer.name, layer.items]));
  const layers = fit.input.layers.map((layer, index): FittedLayer => {
    const items = kept.get(layer.name) ?? [];
    const measured = fit.layers[index];
    const wrapTokens = measured?.wrapTokens ?? 0;
    const keptKeys = new Set(items.map((item) => item.key));
    const served = (measured?.queue ?? []).filter((item) => keptKeys.has(item.key));
    const used = items.reduce(
      (sum, item) => sum + item.tokens,
      items.length > 0 ? wrapTokens + headTokensOf(served) : 0,
    );
    const dropped = (measured?.queue ?? [])
      .filter((item) => !keptKeys.has(item.key))
      .map((item) => ({ key: item.key, reason: dropReason(layer, { item, used, wrapTokens }) }));
    return {
      name: layer.name,
      budget: allotment.budgets.get(layer.name) ?? 0,
      tokens: used,
      items,
      dropped,
    };
  });
  return { layers, text, tokens };
}

/** `layer_budget` = its own maximum refused it; `starved` = others took everything; `budget` = the layer got some, but not enough for this. */
function dropReason(
  layer: BudgetLayer,
  facts: { readonly item: MeasuredItem; readonly used: number; readonly wrapTokens: number },
): DropReason {
  const wouldUse =
    facts.used === 0 ? facts.wrapTokens + facts.item.tokens : facts.used + facts.item.tokens;
  if (layer.maxTokens !== null && wouldUse > layer.maxTokens) return 'layer_budget';
  return facts.used === 0 ? 'starved' : 'budget';
}
