/**
 * Fits the offered layers into a token budget. Parts steer, the rendered whole decides: what comes
 * out is never over, counted as one string.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { DropReason } from '../model/candidate.ts';
import {
  type Allotment,
  allot,
  isFirstOrRun,
  type MeasuredItem,
  type MeasuredLayer,
  type Placement,
} from './allot.ts';
import type {
  BudgetLayer,
  FitInput,
  FittedContext,
  FittedLayer,
  KeptItem,
  KeptLayer,
} from './budget-layer.ts';
import { cutUnits } from './cut-text.ts';
import { type Fit, headTokensOf, measure } from './measure.ts';

/** Fewer tokens of a truncated item say too little to be worth its tags. */
const MIN_TRUNCATED_TOKENS = 32;
/**
 * Throws `BUDGET.STATIC_TOO_LONG` when the layers that are never cut do not fit, `BUDGET.INVALID`
 * for a budget that is no number of tokens. `fitStored` cuts what is stored before it throws. A
 * text of more than 128 units per token of the budget counts as too long unread. Invariant: `tokens
 * <= totalTokens`, and each layer rendered alone `<= maxTokens` (test/property/budget-fit.test.ts).
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
    message:
      `${names || 'The empty context'} takes \`${facts.tokens}\` tokens and is never cut; ` +
      `\`budget.${facts.field}\` is \`${facts.limit}\`.`,
    fix:
      `Shorten ${names || 'the frame'}, or raise \`budget.${facts.field}\` to at least ` +
      `${facts.tokens}.`,
    where: { field: `budget.${facts.field}` },
    meta: { layers: facts.names, tokens: facts.tokens, limit: facts.limit },
  });
}

/**
 * Cuts an item to the room: one guess from the tokenizer, then smaller ones until the rendered item
 * fits.
 */
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

/**
 * Renders and counts the whole, and gives back the last grants while it is over. With whole-line
 * parts the first count holds, or is over by the few tokens that a seam between two parts costs.
 */
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
    if (!giveBack(fit, placements, { layer: over?.name, tokens: excess + spare })) {
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

/**
 * Takes of the least important rank's last grants until `tokens` are free. False when there is
 * nothing left to take.
 */
function giveBack(
  fit: Fit,
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
    const left = shorter(fit, taken, taken.tokens - (need.tokens - freed)) ?? taken.instead;
    placements.push(...left);
    const again = left.reduce((sum, { tokens }) => sum + tokens, 0);
    freed += Math.max(1, taken.tokens - again);
  }
  return true;
}

/** What may be cut is not taken away for a few tokens: a shorter cut of it stays. */
function shorter(fit: Fit, taken: Placement, room: number): readonly Placement[] | null {
  const { layer, item, isShortened } = taken;
  if (!isShortened && !isFirstOrRun(layer, item)) return null;
  const tokens = shorten(fit, item, { layer, room });
  return tokens === null ? null : [{ ...taken, tokens, isShortened: true }];
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
  const told = new Set(
    placements.flatMap(({ layer, item }) => (layer.isHistory ? [item.same] : [])),
  );
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
      .map((item) => {
        const isTold = item.same !== null && !layer.isHistory && told.has(item.same);
        const reason = isTold ? 'same_text' : dropReason(layer, { item, used, wrapTokens });
        return { key: item.key, reason } as const;
      });
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

/**
 * `layer_budget` = its own maximum refused it; `starved` = others took everything; `budget` = the
 * layer got some, but not enough for this.
 */
function dropReason(
  layer: BudgetLayer,
  facts: { readonly item: MeasuredItem; readonly used: number; readonly wrapTokens: number },
): DropReason {
  const wouldUse =
    facts.used === 0 ? facts.wrapTokens + facts.item.tokens : facts.used + facts.item.tokens;
  if (layer.maxTokens !== null && wouldUse > layer.maxTokens) return 'layer_budget';
  return facts.used === 0 ? 'starved' : 'budget';
}
