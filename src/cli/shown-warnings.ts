/** The warnings of a composition for people: layers that found nothing stand in one line. */
import type { Composition } from '../index.ts';

type Warning = Pick<Composition['warnings'][number], 'code' | 'message'>;

const EMPTY = /^Layer (`[^`]*`) holds nothing for this query\.$/;

/** In their order, the empty layers where the first of them was. */
export function shownWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const layers = warnings.flatMap(({ message }) => EMPTY.exec(message)?.[1] ?? []);
  if (layers.length < 2) return warnings;
  const first = warnings.findIndex(({ message }) => EMPTY.test(message));
  return warnings.flatMap((warning, place) => {
    if (!EMPTY.test(warning.message)) return [warning];
    const message = `Layers ${layers.join(', ')} hold nothing for this query.`;
    return place === first ? [{ code: warning.code, message }] : [];
  });
}
