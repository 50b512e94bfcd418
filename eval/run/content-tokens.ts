/** What of a composition is content: the rest of its tokens is markup. */
import type { Composition } from '../../src/index.ts';

type Count = (text: string) => number;

/** `content`: of `tokens`, those of what was stored. */
export interface LayerTokens {
  readonly tokens: number;
  readonly content: number;
}

/**
 * What was stored, as often as it is shown: the author of a turn with each, the subject of values
 * and the title of a document once, in the head of their group.
 */
export function contentTokens(
  { text: shown, items }: Pick<Composition, 'text' | 'items'>,
  count: Count,
): number {
  const inHeads = [...shown.matchAll(HEAD_FIELD)].reduce(
    (sum, [, value, subject = '']) => sum + count(` ${value ?? subject}`),
    0,
  );
  return items.reduce((sum, { uuid, text, turn, table }) => {
    if (uuid === null) return sum;
    if (table === 'memory_schema_typed') return sum + count(text.replace(/^.*?\.(?=\w+ = )/s, ''));
    return sum + count(turn?.author ? `${turn.author}: ${text}` : text);
  }, inHeads);
}

/** No other text begins a line so: the renderer sees to it. */
const HEAD_FIELD = /^@(?:(?:[^;\n]*; )*(?:about|title) ([^;\n]*)|([^;\n]*):$)/gm;

export function layerTokens(
  { text, segments, items }: Composition,
  count: Count,
): Readonly<Record<string, LayerTokens>> {
  let end = 0;
  return Object.fromEntries(
    segments.flatMap(({ layer, length }) => {
      const part = text.slice(end, (end += length));
      const own = items.filter((item) => item.layer === layer);
      const tokens = count(part);
      const content = contentTokens({ text: part, items: own }, count);
      return content === 0 ? [] : [[layer, { tokens, content }] as const];
    }),
  );
}
