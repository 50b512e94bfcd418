/**
 * Stored text of layers that are never cut, when it does not fit. The author of a manifest can fix
 * its static text, so that throws; whoever composes cannot fix a row, so the row is cut.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type {
  BudgetItem,
  BudgetLayer,
  FitInput,
  FittedContext,
  FittedLayer,
} from './budget-layer.ts';
import { cutUnits } from './cut-text.ts';
import { fitBudget } from './fit.ts';

interface StoredCut {
  /** The layers with their stored items cut or left out. */
  readonly layers: readonly BudgetLayer[];
  /** Keys of the items that are left out, by layer. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

const isNeverCut = ({ cut }: BudgetLayer): boolean => cut === 'never';
const isStored = (item: BudgetItem): boolean => item.isStored ?? false;

/** Throws `BUDGET.STATIC_TOO_LONG` only for static text. What fits whole is fitted as ever. */
export function fitStored(input: FitInput): FittedContext {
  if (!input.layers.some((layer) => isNeverCut(layer) && layer.items.some(isStored)))
    return fitBudget(input);
  const whole = unlessTooLong(input);
  if (whole !== null) return whole;
  const { layers, leftOut } = cutStored(input);
  const fitted = fitBudget({ ...input, layers });
  const dropped = (name: string): FittedLayer['dropped'] =>
    (leftOut.get(name) ?? []).map((key) => ({ key, reason: 'budget' }));
  return {
    ...fitted,
    layers: fitted.layers.map((layer) => ({
      ...layer,
      dropped: [...layer.dropped, ...dropped(layer.name)],
    })),
  };
}

function unlessTooLong(input: FitInput): FittedContext | null {
  try {
    return fitBudget(input);
  } catch (error) {
    if (error instanceof ContextEngineError && error.code === 'BUDGET.STATIC_TOO_LONG') return null;
    throw error;
  }
}

/**
 * The most important layer is served first. An item that fits whole stays whole; one that must be
 * cut leaves half of the free tokens to the other layers, if these hold anything.
 */
function cutStored(input: FitInput): StoredCut {
  const never = input.layers.filter(isNeverCut);
  const shown = new Map<BudgetItem, BudgetItem>();
  for (const item of never.flatMap(({ items }) => items))
    if (!isStored(item)) shown.set(item, item);
  const layersShown = (layers: readonly BudgetLayer[]): BudgetLayer[] =>
    layers.map((layer) =>
      isNeverCut(layer)
        ? { ...layer, items: layer.items.flatMap((item) => shown.get(item) ?? []) }
        : layer,
    );
  const fits = (totalTokens: number): boolean =>
    unlessTooLong({ ...input, layers: layersShown(never), totalTokens }) !== null;
  // static text that does not fit throws here, and the error names nothing else
  const alone = fitBudget({ ...input, layers: layersShown(never) });
  const hasOthers = input.layers.some((layer) => !isNeverCut(layer) && layer.items.length > 0);
  const free = input.totalTokens - alone.tokens;
  const cutTokens = hasOthers ? alone.tokens + Math.floor(free / 2) : input.totalTokens;
  for (const item of [...never].sort((a, b) => a.rank - b.rank).flatMap(({ items }) => items)) {
    if (!isStored(item)) continue;
    shown.set(item, item);
    if (fits(input.totalTokens)) continue;
    const cut = longestCut(input, item, (part) => {
      shown.set(item, part);
      return fits(cutTokens);
    });
    if (cut === null) shown.delete(item);
    else shown.set(item, cut);
  }
  const leftOut = never.map(({ name, items }): readonly [string, readonly string[]] => [
    name,
    items.filter((item) => !shown.has(item)).map(({ key }) => key),
  ]);
  return { layers: layersShown(input.layers), leftOut: new Map(leftOut) };
}

/** By halves, between nothing and what the budget can hold of this text alone. */
function longestCut(
  { counter, totalTokens }: FitInput,
  item: BudgetItem,
  fits: (cut: BudgetItem) => boolean,
): BudgetItem | null {
  let best: BudgetItem | null = null;
  let low = 1;
  let high = Math.min(item.text.length - 1, counter.unitsWithin(item.text, totalTokens));
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const kept = cutUnits(item.text, middle, 'word');
    const cut = { ...item, text: item.text.slice(0, kept), kept };
    if (kept === 0) low = middle + 1;
    else if (fits(cut)) {
      best = cut;
      low = middle + 1;
    } else high = Math.min(kept, middle) - 1;
  }
  return best;
}
