/**
 * Two compositions of one request, under two versions of a manifest: what came in, what went out.
 * Pure.
 */
import type { Composition, ErrorCode, ManifestPreview } from '../../index.ts';

type CompositionData = Omit<Composition, 'messages'>;
type PreviewedRequest = ManifestPreview['requests'][number];

export interface LayerDifference {
  readonly layer: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

export interface RequestDifference {
  readonly composition_id: string;
  readonly created_at: string;
  readonly intent: string;
  readonly outcome: 'same' | 'changed' | 'fails' | 'composes' | 'fails_under_both';
  /** The code and words of what fails. */
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** null where it fails. */
  readonly tokens: { readonly before: number | null; readonly after: number | null };
  /** Only layers that differ, by the uuids of their items; the manifest's own words are `text`. */
  readonly layers: readonly LayerDifference[];
}

export interface PreviewSummary {
  readonly requests: number;
  readonly changed: number;
  readonly failing: number;
  readonly gained: number;
  readonly lost: number;
  /** Over the requests that compose under both. */
  readonly tokens: { readonly before: number; readonly after: number };
}

export function comparePreview({ requests }: Pick<ManifestPreview, 'requests'>): {
  readonly requests: readonly RequestDifference[];
  readonly summary: PreviewSummary;
} {
  const differences = requests.map(compareRequest);
  const comparable = differences.filter(
    ({ outcome }) => outcome === 'same' || outcome === 'changed',
  );
  const count = (side: 'gained' | 'lost'): number =>
    comparable.flatMap(({ layers }) => layers).reduce((sum, layer) => sum + layer[side].length, 0);
  const tokens = (side: 'before' | 'after'): number =>
    comparable.reduce((sum, difference) => sum + (difference.tokens[side] ?? 0), 0);
  return {
    requests: differences,
    summary: {
      requests: differences.length,
      changed: differences.filter(({ outcome }) => outcome === 'changed').length,
      failing: differences.filter(({ outcome }) => outcome === 'fails').length,
      gained: count('gained'),
      lost: count('lost'),
      tokens: { before: tokens('before'), after: tokens('after') },
    },
  };
}

function compareRequest({
  composition_id,
  created_at,
  intent,
  before,
  after,
}: PreviewedRequest): RequestDifference {
  const [old, now] = [composed(before), composed(after)];
  const layers = old && now ? layerDifferences(old, now) : [];
  return {
    composition_id,
    created_at,
    intent,
    outcome: outcomeOf(old, now),
    error: 'error' in after ? after.error : 'error' in before ? before.error : null,
    tokens: { before: old?.tokens.used ?? null, after: now?.tokens.used ?? null },
    layers,
  };
}

const composed = (side: PreviewedRequest['before']): CompositionData | null =>
  'composition' in side ? side.composition : null;

function outcomeOf(
  old: CompositionData | null,
  now: CompositionData | null,
): RequestDifference['outcome'] {
  if (old && now) return old.text === now.text ? 'same' : 'changed';
  if (old) return 'fails';
  return now ? 'composes' : 'fails_under_both';
}

function layerDifferences(old: CompositionData, now: CompositionData): readonly LayerDifference[] {
  const names = [...new Set([...Object.keys(now.layers), ...Object.keys(old.layers)])];
  return names
    .map((layer) => {
      const [before, after] = [itemsOf(old, layer), itemsOf(now, layer)];
      const only = (
        of: ReadonlyMap<string, string>,
        other: ReadonlyMap<string, string>,
      ): readonly string[] => [...of].flatMap(([key, name]) => (other.has(key) ? [] : [name]));
      return { layer, gained: only(after, before), lost: only(before, after) };
    })
    .filter(({ gained, lost }) => gained.length + lost.length > 0);
}

/**
 * Names of the items of a layer by what makes them the same item: the row, or the words where there
 * is no row.
 */
const itemsOf = ({ items }: CompositionData, layer: string): ReadonlyMap<string, string> =>
  new Map(
    items
      .filter((item) => item.layer === layer)
      .map((item) => [item.uuid ?? item.text, item.uuid ?? 'text']),
  );
