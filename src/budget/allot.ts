/**
 * Who gets how many tokens: never-cut layers, then rank by rank, minimums held back, leftovers
 * flowing down. Numbers only, no text.
 */
import type { Cut } from '../model/layer.ts';

export interface MeasuredItem {
  readonly key: string;
  readonly tokens: number;
  readonly bid: number;
  /** Items of a layer with the same head pay `headTokens` once. */
  readonly head: string;
  readonly headTokens: number;
  /** Waits until every layer has been served. */
  readonly isSpare: boolean;
  /** What it shows, where another layer may show it too. */
  readonly same: string | null;
}

export interface MeasuredLayer {
  readonly name: string;
  readonly rank: number;
  readonly cut: Cut;
  /** No layer that can be cut repeats what this one shows. */
  readonly isHistory: boolean;
  /** Held back for this layer while it can still use it. */
  readonly reserveTokens: number;
  readonly capTokens: number;
  /** What the layer costs beside its items: its tags. */
  readonly wrapTokens: number;
  /** In the order in which they are served: best first, newest first, or in text order. */
  readonly queue: readonly MeasuredItem[];
}

/**
 * Shortens an item to `roomTokens`; gives what the shortened one costs, or null when nothing useful
 * is left.
 */
export type Shorten = (
  layer: MeasuredLayer,
  item: MeasuredItem,
  roomTokens: number,
) => number | null;

export interface Placement {
  readonly layer: MeasuredLayer;
  readonly item: MeasuredItem;
  readonly tokens: number;
  readonly isShortened: boolean;
  /** What other layers gave up for it, and have again if it is given back. */
  readonly instead: readonly Placement[];
}

export interface Allotment {
  /** In the order in which they were granted: the last is the first to give up again. */
  readonly placements: readonly Placement[];
  /** What each layer could have used, by name. */
  readonly budgets: ReadonlyMap<string, number>;
}

/** A layer being served. */
interface Claim {
  readonly layer: MeasuredLayer;
  used: number;
  budget: number;
  waiting: MeasuredItem[];
  /** Served last. Behind all others in the queue. */
  spare: MeasuredItem[];
  readonly heads: Set<string>;
  /** A shortened item ends its layer, if the layer is one run of text. */
  isEnded: boolean;
}

/**
 * How a round serves: `reserve` = from what is held for the layer, in order; `bid` = from the pool;
 * the others' reserves stay held as long as they can use them.
 */
type Round = 'reserve' | 'bid' | 'release';

/**
 * Grants at most `tokens`, but for layers of cut `never`, which are granted whatever they cost. Of
 * layers of equal rank, the item with the highest bid per token goes first; ties by key. An item
 * that does not fit is passed over. More tokens never take away what a layer of the first rank that
 * gives way was granted before it first passed an item over; further down they can, because a
 * larger item above may now fit and leave less to flow down.
 */
export function allot(
  layers: readonly MeasuredLayer[],
  tokens: number,
  shorten: Shorten,
): Allotment {
  const allotting = new Allotting(tokens, shorten);
  return allotting.run(
    layers.map((layer) => ({
      layer,
      used: 0,
      budget: 0,
      waiting: layer.queue.filter((item) => !item.isSpare),
      spare: layer.queue.filter((item) => item.isSpare),
      heads: new Set(),
      isEnded: false,
    })),
  );
}

/** Lives for one call: the pool that all rounds draw from. */
class Allotting {
  readonly #placements: Placement[] = [];
  /** What the history shows. */
  readonly #shown = new Set<string>();
  #claims: readonly Claim[] = [];
  readonly #shorten: Shorten;
  #pool: number;

  constructor(tokens: number, shorten: Shorten) {
    this.#pool = tokens;
    this.#shorten = shorten;
  }

  run(claims: readonly Claim[]): Allotment {
    this.#claims = claims;
    for (const claim of claims) if (claim.layer.cut === 'never') this.#placeAll(claim);
    const open = claims.filter((claim) => claim.layer.cut !== 'never');
    const reserves = this.#grantReserves(open);
    const ranks = [...new Set(open.map((claim) => claim.layer.rank))].sort((a, b) => a - b);
    for (const rank of ranks) {
      const group = open.filter((claim) => claim.layer.rank === rank);
      const held = sum(
        open.filter((claim) => claim.layer.rank > rank).map((claim) => reserves.get(claim) ?? 0),
      );
      this.#serveRank(group, { held, reserves });
    }
    const releaseAll = (): void => {
      for (const rank of ranks)
        this.#serve(
          open.filter((claim) => claim.layer.rank === rank),
          'release',
          () => this.#pool,
        );
    };
    releaseAll();
    for (const claim of open) this.#serveSpare(claim);
    // What the history shows as well was given back by the others.
    if (this.#shown.size > 0) releaseAll();
    for (const claim of open) this.#serveBeginning(claim);
    return {
      placements: this.#placements,
      budgets: new Map(
        claims.map((claim) => [claim.layer.name, Math.max(claim.budget, claim.used)]),
      ),
    };
  }

  /** Minimums as far as they go, by rank; by name where ranks are equal. */
  #grantReserves(claims: readonly Claim[]): ReadonlyMap<Claim, number> {
    const inOrder = [...claims].sort(
      (a, b) => a.layer.rank - b.layer.rank || compare(a.layer.name, b.layer.name),
    );
    let left = this.#pool;
    return new Map(
      inOrder.map((claim) => {
        const granted = Math.max(0, Math.min(claim.layer.reserveTokens, left));
        left -= granted;
        return [claim, granted];
      }),
    );
  }

  #serveRank(
    group: readonly Claim[],
    holds: { readonly held: number; readonly reserves: ReadonlyMap<Claim, number> },
  ): void {
    const outstanding = (claim: Claim): number =>
      claim.waiting.length === 0 || claim.isEnded
        ? 0
        : Math.max(0, (holds.reserves.get(claim) ?? 0) - claim.used);
    const others = (claim: Claim): number =>
      sum(group.filter((other) => other !== claim).map(outstanding));
    for (const claim of group)
      claim.budget = Math.max(
        0,
        Math.min(claim.layer.capTokens, this.#pool - holds.held - others(claim)),
      );
    this.#serve(group, 'reserve', outstanding);
    this.#serve(group, 'bid', (claim) => this.#pool - holds.held - others(claim));
    this.#serve(group, 'release', () => this.#pool - holds.held);
  }

  #serve(group: readonly Claim[], round: Round, roomOf: (claim: Claim) => number): void {
    const passed = new Map<Claim, MeasuredItem[]>(group.map((claim) => [claim, []]));
    const isDone = new Set<Claim>(group.filter((claim) => claim.isEnded));
    for (let claim = nextToServe(group, isDone); claim; claim = nextToServe(group, isDone)) {
      const item = claim.waiting[0];
      if (item === undefined) break;
      if (this.#isShown(claim, item)) {
        claim.waiting.shift();
        continue;
      }
      const room = Math.min(claim.layer.capTokens - claim.used, roomOf(claim)) - wrapOf(claim);
      if (item.tokens + headOf(claim, item) <= room) this.#place(claim, item.tokens, false);
      else if (
        round !== 'reserve' &&
        isFirstOrRun(claim.layer, item) &&
        this.#placeShortened(claim, item, room)
      )
        continue;
      else if (round !== 'reserve' && claim.layer.cut === 'items')
        passed.get(claim)?.push(...claim.waiting.splice(0, 1));
      else isDone.add(claim);
    }
    for (const [claim, items] of passed) claim.waiting.unshift(...items);
  }

  /**
   * What the layer has not shown of its own comes first: a run of text never goes on past a hole.
   */
  #serveSpare(claim: Claim): void {
    if (claim.waiting.length > 0 || claim.isEnded) return;
    claim.waiting = claim.spare;
    this.#serve([claim], 'reserve', () => this.#pool);
  }

  /**
   * A long turn, such as a pasted log, would leave free what the turns before it cannot have: the
   * history ends with its beginning. Unless another layer shows the whole of it; one that shows a
   * part gives that up.
   */
  #serveBeginning(claim: Claim): void {
    const [item] = claim.waiting;
    if (!claim.layer.isHistory || claim.isEnded || item === undefined) return;
    const elsewhere = this.#placements.find(
      ({ item: { same } }) => same !== null && same === item.same,
    );
    if (elsewhere?.isShortened === false) return;
    const free = this.#pool + (elsewhere?.tokens ?? 0);
    const room = Math.min(claim.layer.capTokens - claim.used, free) - wrapOf(claim);
    if (item.tokens > LONG_SHARE * (claim.used + room)) this.#placeShortened(claim, item, room);
  }

  #placeShortened(claim: Claim, item: MeasuredItem, room: number): boolean {
    if (room <= 0) return false;
    const roomBelow = room - headOf(claim, item);
    const tokens = roomBelow <= 0 ? null : this.#shorten(claim.layer, item, roomBelow);
    if (tokens === null || tokens > roomBelow) return false;
    this.#place(claim, tokens, true);
    claim.isEnded = claim.layer.cut !== 'items';
    if (claim.isEnded) claim.waiting = [];
    return true;
  }

  #placeAll(claim: Claim): void {
    while (claim.waiting[0] !== undefined) this.#place(claim, claim.waiting[0].tokens, false);
  }

  #place(claim: Claim, tokens: number, isShortened: boolean): void {
    const item = claim.waiting.shift();
    if (item === undefined) return;
    const cost = tokens + wrapOf(claim) + headOf(claim, item);
    claim.heads.add(item.head);
    claim.used += cost;
    this.#pool -= cost;
    const instead = claim.layer.isHistory && item.same !== null ? this.#takeBack(item.same) : [];
    this.#placements.push({ layer: claim.layer, item, tokens, isShortened, instead });
  }

  #isShown({ layer }: Claim, { same }: MeasuredItem): boolean {
    return !layer.isHistory && same !== null && this.#shown.has(same);
  }

  /** Other layers that can be cut give up what the history shows, and its tokens. */
  #takeBack(same: string): readonly Placement[] {
    this.#shown.add(same);
    const all: Placement[] = [];
    for (const claim of this.#claims) {
      if (claim.layer.isHistory || claim.layer.cut === 'never') continue;
      const isOfClaim = ({ layer }: Placement): boolean => layer === claim.layer;
      const index = this.#placements.findIndex(
        (placement) => isOfClaim(placement) && placement.item.same === same,
      );
      const [taken] = index < 0 ? [] : this.#placements.splice(index, 1);
      if (taken === undefined) continue;
      all.push(taken);
      const left = this.#placements.filter(isOfClaim);
      const { head, headTokens } = taken.item;
      let freed = taken.tokens;
      if (left.every(({ item }) => item.head !== head) && claim.heads.delete(head))
        freed += headTokens;
      if (left.length === 0) freed = claim.used;
      claim.used -= freed;
      this.#pool += freed;
    }
    return all;
  }
}

/** A turn of more than this share of what the history can have is long. */
const LONG_SHARE = 0.25;

/** What may be shortened while others wait: the first of a layer, and all of a run of text. */
export const isFirstOrRun = (layer: MeasuredLayer, item: MeasuredItem): boolean =>
  layer.cut === 'sentences' || item === layer.queue[0];

/** A head is paid with the first of its items. */
const headOf = (claim: Claim, item: MeasuredItem): number =>
  claim.heads.has(item.head) ? 0 : item.headTokens;

/** The layer's tags are paid with its first item. */
const wrapOf = (claim: Claim): number => (claim.used === 0 ? claim.layer.wrapTokens : 0);

function nextToServe(group: readonly Claim[], isDone: ReadonlySet<Claim>): Claim | undefined {
  let best: Claim | undefined;
  for (const claim of group) {
    if (isDone.has(claim) || claim.waiting.length === 0) continue;
    if (best === undefined || precedes(claim, best)) best = claim;
  }
  return best;
}

function precedes(a: Claim, b: Claim): boolean {
  const [left, right] = [a.waiting[0], b.waiting[0]];
  if (left === undefined || right === undefined) return false;
  const difference = density(left) - density(right);
  if (difference !== 0) return difference > 0;
  return (compare(left.key, right.key) || compare(a.layer.name, b.layer.name)) < 0;
}

const density = (item: MeasuredItem): number => item.bid / Math.max(1, item.tokens);
const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
